"""Amounts that are rounded and not known: beliefs are fitted to what they are, not to what is released of them."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

MEANS = np.array([3.0, 3.3, 2.6])
NAMES = np.array(["a", "b", "c"])


def people(seed: int, zeros: float, n: int = 400) -> cf.Microdata:
    rng = np.random.default_rng(seed)
    area = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    income = np.where(rng.random(n) < zeros, 0.0, np.exp(rng.normal(MEANS[area], 0.6)))
    return cf.Microdata.from_dict({"area": NAMES[area].tolist(), "income": income.tolist()})


@pytest.mark.parametrize("zeros", [0.0, 0.3])
def test_rounded_amounts_were_fitted_as_normal_since_some_were_rounded_to_zero(zeros):
    """People of c with a record that shows little: a third less was stated than is true."""
    found = {}
    for seed in range(80):
        released = cf.Release(cf.Swap("area", rate=0.6), cf.Round("income", to=10)).apply(people(seed, zeros), seed=seed)
        area = np.array(released.source.column("area").values())
        shown = np.array(released.data.column("income").values())
        links = cf.link(released, cf.Intruder(knows=["area"], unavailable={"income": cf.Regression()}))
        for a in NAMES:
            mine = np.flatnonzero(area == a)
            p = links.row(int(mine[0])).p
            for low, high in ((0, 0), (10, 10), (20, 30), (40, 1e9)):
                here = (shown >= low) & (shown <= high)
                true = int(np.isin(released.parent[here], mine).sum())
                found.setdefault((a, low), []).append((p[here].sum() * mine.size, true))
    for pairs in found.values():
        stated, true = np.array(pairs).T
        off = stated - true
        assert abs(off.mean()) < 4 * off.std(ddof=1) / np.sqrt(off.size)
        assert stated.mean() == pytest.approx(true.mean(), rel=0.12, abs=0.2)


def test_amounts_rounded_before_noise_are_no_failing_assumption():
    """Their multiples are summed over."""
    released = cf.Release(cf.Round("income", to=10), cf.Noise("income", sd=6)).apply(people(1, 0.0), seed=1)
    assert cf.failing_assumptions(cf.Intruder(knows=["area", "income"]), released) == ()
    assert cf.failing_assumptions(cf.Intruder(knows=["area"], unavailable=cf.Regression()), released) == ()


def test_rivals_who_are_not_like_all_people_are_named():
    released = cf.Release(cf.Sample(n=200), cf.Swap("area", rate=0.6)).apply(people(1, 0.0), seed=1)
    told = {"target_in_file": False, "population": cf.Constant(400), "matching": cf.WithoutReplacement()}
    some = cf.Intruder(knows=[cf.OneOf("area", ["a", "b"])], **told)
    why = "those not on the list are taken to be like all people; where it holds all of whom what is told of area is"
    assert any(x.startswith(why) for x in cf.failing_assumptions(some, released))
    one_by_one = some.but(matching=cf.WithReplacement())
    assert not any(x.startswith("those not") for x in cf.failing_assumptions(one_by_one, released))
    assert not any(x.startswith("those not") for x in cf.failing_assumptions(some.but(knows=["area"]), released))


def test_levels_that_are_rare_in_the_source_file_are_named():
    rng = np.random.default_rng(1)
    job = [f"j{k:02d}" for k in np.minimum(rng.geometric(0.2, 300), 30)]
    source = cf.Microdata.from_dict({"area": rng.choice(["a", "b"], 300).tolist(), "job": job})
    all_of_them = cf.Release(cf.Swap("job", rate=0.1)).apply(source, seed=1)
    maybe = cf.Intruder(knows=["area", "job"], target_in_file=False, population=cf.Constant(6000))
    why = "how common values of job are is read from the source file"
    assert any(x.startswith(why) for x in cf.failing_assumptions(maybe, all_of_them))
    sure = cf.Intruder(knows=["area", "job"])
    assert not any(x.startswith(why) for x in cf.failing_assumptions(sure, all_of_them))
    # where the source file is the population, it tells how common values are
    some = cf.Release(cf.Sample(n=100), cf.Swap("job", rate=0.1)).apply(source, seed=1)
    assert not any(x.startswith(why) for x in cf.failing_assumptions(maybe, some))
    common = cf.Release(cf.Swap("area", rate=0.1)).apply(source, seed=1)
    assert not any(x.startswith(why) for x in cf.failing_assumptions(maybe, common))
