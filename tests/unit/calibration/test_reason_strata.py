"""A stratum that is seen in the release and not known of a target is named."""

from __future__ import annotations

import numpy as np

import confide as cf


def test_a_stratum_that_is_seen_and_not_known_is_named() -> None:
    rng = np.random.default_rng(1)
    columns = {"sex": rng.choice(["m", "f"], 60), "race": rng.choice(["w", "b"], 60), "town": rng.choice(["x", "y"], 60)}
    source = cf.Microdata.from_dict({k: v.tolist() for k, v in columns.items()})
    within = cf.Swap("race", rate=0.4, within="sex")
    released = cf.Release(within).apply(source, seed=2)
    seen = cf.failing_assumptions(cf.Intruder(knows=["race", "town"]), released)
    assert seen == ("sex is seen and not known; given the true race, it is taken to be independent of what else is known",)
    assert cf.failing_assumptions(cf.Intruder(knows=["race", "sex"]), released) == ()
    assert cf.failing_assumptions(cf.Intruder(knows=["town"]), released) == ()
    gone = cf.Release(within, cf.Drop("sex")).apply(source, seed=2)
    unseen = cf.failing_assumptions(cf.Intruder(knows=["race", "town"]), gone)
    assert unseen == ("sex is not known; given the true race, it is taken to be independent of what else is known",)
    assert cf.failing_assumptions(cf.Intruder(knows=["race"]), gone) == ()
