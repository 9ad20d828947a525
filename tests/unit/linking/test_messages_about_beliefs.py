"""What is said where knowledge or beliefs do not fit what was done, and what is computed where they do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import confide as cf
from confide.calibration.amounts import APART, SIGNS

AMOUNTS = [0.0, 3.0, 12.0, 30.0] * 20
BELIEFS = cf.SuppliedBeliefs([[cf.Atom(0.125, {"sex": s, "x": v}) for v in AMOUNTS[:4] for s in ("f", "m")]])


def _data() -> cf.Microdata:
    return cf.Microdata.from_dict({"sex": ["f", "m"] * 40, "x": AMOUNTS}).declare(kinds={"x": "continuous"})


@pytest.mark.parametrize("method", [cf.Topcode("x", at=10), cf.Recode("x", breaks=[-1, 10, 40])])
def test_numbers_that_were_coded_were_compared_with_texts(method: Any) -> None:
    released = cf.Release(method).apply(_data(), seed=1)
    told: dict[str, Any] = {"target_in_file": False, "population": cf.KnownChance(0.5), "beliefs": BELIEFS}
    links = cf.link(released, cf.Intruder(knows=["sex", "x"], **told))
    same = [released.data.column("x").values()[i] == released.data.column("x").values()[2] for i in range(80)]
    mine = np.array(same) & (np.arange(80) % 2 == 0)
    # one half is of the sex, and as many have such an amount as are believed to
    factor = 1 / (0.5 * 0.5)
    assert links.row(2).p[mine] == pytest.approx(0.5 / 80 * factor / (0.5 + 0.5 / 80 * factor * mine.sum()))


def test_a_swapped_number_sent_users_in_a_circle() -> None:
    ages = np.random.default_rng(1).integers(20, 26, 80)
    data = cf.Microdata.from_dict({"sex": ["f", "m"] * 40, "age": [int(a) for a in ages]}).declare(kinds={"age": "integer"})
    released = cf.Release(cf.Swap("age", rate=0.4)).apply(data, seed=1)
    with pytest.raises(cf.IntruderError, match="Distributed"):
        cf.link(released, cf.Intruder(knows=["sex", cf.Between("age", 20, 25)]))
    share = [(float(np.mean(ages == a)), int(a)) for a in range(20, 26)]
    said = [cf.Distributed("age", cf.Mixture(share)), cf.OneOf("age", [a for _, a in share], [w for w, _ in share])]
    found = [cf.link(released, cf.Intruder(knows=["sex", item])) for item in said]
    assert found[0].best.max() <= 1
    assert found[1].own == pytest.approx(found[0].own, rel=1e-12)


def test_beliefs_about_numbers_that_were_coded_and_swapped_are_beliefs_about_the_codes() -> None:
    released = cf.Release(cf.Round("x", to=5), cf.Swap("x", rate=0.5)).apply(_data(), seed=1)
    codes = dict(zip(AMOUNTS[:4], (0.0, 5.0, 10.0, 30.0), strict=True))
    coded = cf.SuppliedBeliefs([[cf.Atom(0.125, {"sex": s, "x": codes[v]}) for v in codes for s in ("f", "m")]])
    found = [cf.link(released, cf.Intruder(knows=["sex", "x"], beliefs=b)).own for b in (BELIEFS, coded)]
    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_beliefs_about_numbers_that_were_coded_twice_and_swapped_say_what_to_give() -> None:
    twice = cf.Release(cf.Topcode("x", at=20, replacement=20), cf.Round("x", to=5), cf.Swap("x", rate=0.5))
    released = twice.apply(_data(), seed=1)
    with pytest.raises(cf.IntruderError, match="beliefs are about what they were coded as"):
        cf.link(released, cf.Intruder(knows=["sex", "x"], beliefs=BELIEFS))


def test_the_very_release_was_refused_as_a_supposition() -> None:
    amounts = np.exp(np.random.default_rng(1).normal(3, 1, 60)).tolist()
    data = cf.Microdata.from_dict({"sex": ["f", "m"] * 30, "x": amounts}).declare(kinds={"x": "continuous"})
    release = cf.Release(cf.MultiplicativeNoise("x", sd=0.1), cf.Recode("x", breaks=[0, 10, 20, 40, 1e6]))
    released = release.apply(data, seed=1)
    who = cf.Intruder(knows=["sex", "x"])
    assert cf.link(released, who.but(supposes=release)).own == pytest.approx(cf.link(released, who).own, rel=1e-12)


def test_what_fits_of_amounts_leave_out_was_not_named() -> None:
    random = np.random.default_rng(2)
    x = random.normal(50, 10, 100)
    y = 0.8 * x + random.normal(0, 3, 100)
    skewed = np.exp(random.normal(4, 1, 100))
    skewed[0] = 0.0
    columns = {"sex": ["f"] * 100, "x": x.tolist(), "y": y.tolist(), "skewed": skewed.tolist()}
    data = cf.Microdata.from_dict(columns).declare(kinds=dict.fromkeys(("x", "y", "skewed"), "continuous"))
    noise = [cf.Noise("x", sd=6), cf.Noise("y", sd=5), cf.Noise("skewed", sd=20)]
    released = cf.Release(*noise).apply(data, seed=1)
    assert APART.format("x and y") in cf.failing_assumptions(cf.Intruder(knows=["x", "y"]), released)
    assert SIGNS.format("skewed") in cf.failing_assumptions(cf.Intruder(knows=["skewed"]), released)
    assert cf.failing_assumptions(cf.Intruder(knows=["sex", "x"]), released) == ()
    alone = cf.Intruder(knows=["x", "skewed"], models_others=False)
    assert SIGNS.format("skewed") not in cf.failing_assumptions(alone, released)
