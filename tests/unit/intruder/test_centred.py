"""Knowledge centred at the truth says that it is: what is perceived is less than what is right."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


@pytest.mark.parametrize("item", [cf.Within("x", 20), cf.Roughly("x", 3)])
def test_it_is_said_that_the_probabilities_are_underconfident(item):
    said = " ".join(cf.Intruder(knows=["s", item]).describe())
    assert "knows x about the target's own value without an error of its own" in said
    assert "underconfident" in said
    assert "underconfident" not in " ".join(cf.Intruder(knows=["s", cf.Between("x", 0, 9)]).describe())


def test_the_share_that_is_right_is_above_the_probabilities_within_some_per_cent_of_a_noisy_number():
    rng = np.random.default_rng(1)
    data = cf.Microdata.from_dict({"x": rng.uniform(100, 200, 400).tolist()}).declare(kinds={"x": "continuous"})
    file = cf.Release(cf.Noise("x", sd=0.05)).apply(data, seed=1)
    who = cf.Intruder(knows=[cf.Within("x", 20)], models_others=False)
    links = cf.link(file, who)
    assert np.mean(links.own) < 0.05
    # the nearest record to the middle of what is known, the true value, is nearly always the own one
    nearest = np.abs(file.data.column("x").numbers[None, :] - data.column("x").numbers[:, None]).argmin(axis=1)
    assert np.mean(nearest == np.arange(data.n)) > 0.7
