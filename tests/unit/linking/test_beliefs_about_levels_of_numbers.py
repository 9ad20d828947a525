"""Beliefs in distributions and numbers about what has levels, and about one of the numbers with correlated noise."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

import confide as cf

N = 300
CHAINS = {
    "swapped": [cf.Swap("age", rate=0.5)],
    "in ranges, swapped": [cf.Recode("age", width=10), cf.Swap("age", rate=0.5)],
    "rounded, swapped": [cf.Round("age", to=5), cf.Swap("age", rate=0.5)],
    "cut, swapped": [cf.Topcode("age", at=60, label="old"), cf.Swap("age", rate=0.5)],
    "swapped, in ranges": [cf.Swap("age", rate=0.5), cf.Recode("age", width=10)],
}
BELIEFS = {
    cf.Normal(45, 10): stats.norm(45, 10),
    cf.Uniform(31, 59): stats.uniform(31, 28),
    cf.Lognormal(3.7, 0.2): stats.lognorm(0.2, scale=np.exp(3.7)),
}


def people() -> cf.Microdata:
    rng = np.random.default_rng(1)
    age = np.clip(2 * np.round(rng.normal(45, 12, N) / 2), 20, 80).astype(int)
    pay = rng.normal(100, 10, N)
    return cf.Microdata.from_dict({"age": age.tolist(), "pay": pay.tolist()}).declare(
        kinds={"age": "integer", "pay": "continuous"}
    )


def cells(name: str, levels: list[object]) -> list[tuple[float, float]]:
    """The numbers that each level stands for, by the words of the convention."""
    if name == "in ranges, swapped":
        return [(float(low := int(str(s)[:2])), low + 10.0) for s in levels]
    if name == "rounded, swapped":
        return [(float(x) - 2.5, float(x) + 2.5) for x in levels]
    numbers = sorted(float(x) for x in levels if x != "old")
    ends = [-np.inf, *((a + b) / 2 for a, b in pairwise(numbers)), 60.0 if "cut" in name else np.inf]
    found = {x: (ends[k], ends[k + 1]) for k, x in enumerate(numbers)}
    return [(60.0, np.inf) if x == "old" else found[float(x)] for x in levels]


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("belief", BELIEFS, ids=str)
@pytest.mark.parametrize("known", [True, False])
def test_a_distribution_of_a_swapped_number_was_no_level(name, belief, known):
    released = cf.Release(*CHAINS[name]).apply(people(), seed=2)
    core = next(s.channels["age"] for s in released.steps if hasattr(s.channels["age"], "levels"))
    mass = np.array([np.diff(BELIEFS[belief].cdf(ends))[0] for ends in cells(name, list(core.levels))])
    of_level = (mass / mass.sum()) @ core.matrix[0]
    before = [s.channels["age"] for s in released.steps]
    at_swap = released.source.columns["age"]
    for channel in before[: before.index(core)]:
        at_swap = channel.push(at_swap)
    share = np.array([at_swap.values().count(x) for x in core.levels]) / N
    of_all = share @ core.matrix[0]
    shown = core.column()
    for channel in before[before.index(core) + 1 :]:
        shown = channel.push(shown)
    ratio = {}
    for value in set(shown.values()):
        here = [v == value for v in shown.values()]
        ratio[value] = of_level[here].sum() / of_all[here].sum()
    expected = np.array([ratio[v] for v in released.data.column("age").values()])
    how = {"knows": ["pay", cf.Distributed("age", belief)]} if known else {"knows": ["pay"], "unavailable": {"age": belief}}
    # everybody's pay is the same to the intruder
    flat = released.data.with_columns({"pay": cf.Microdata.from_dict({"pay": [1.0] * N}).columns["pay"]})
    source = released.source.with_columns({"pay": flat.columns["pay"]})
    links = cf.link(_with(released, flat, source), cf.Intruder(**how))
    assert links.row(0).p == pytest.approx(expected / expected.sum(), rel=1e-5)


def _with(released: cf.Released, data: cf.Microdata, source: cf.Microdata) -> cf.Released:
    return replace(released, data=data, source=source)


def test_strangers_may_be_believed_in_by_distributions_of_a_swapped_number():
    released = cf.Release(*CHAINS["in ranges, swapped"]).apply(people(), seed=2)
    core = released.steps[1].channels["age"]
    mass = [np.diff(stats.norm(45, 12).cdf(e))[0] for e in cells("in ranges, swapped", list(core.levels))]
    by_hand = [cf.Atom(m, {"age": x}) for m, x in zip(mass, core.levels, strict=True)]
    one, two = (
        cf.link(released, cf.Intruder(knows=["age"], beliefs=cf.SuppliedBeliefs([atoms])))
        for atoms in ([cf.Atom(1.0, {"age": cf.Normal(45, 12)})], by_hand)
    )
    assert one.row(0).p == pytest.approx(two.row(0).p, rel=1e-9)


def test_a_number_is_of_the_range_it_is_recoded_to():
    released = cf.Release(*CHAINS["in ranges, swapped"]).apply(people(), seed=2)
    level = next(x for x in released.steps[1].channels["age"].levels if str(x).startswith("40"))
    one, two = (cf.link(released, cf.Intruder(knows=[cf.Distributed("age", {x: 1.0})])) for x in (42, level))
    assert one.row(0).p == pytest.approx(two.row(0).p, rel=1e-9)


def test_a_distribution_that_no_level_has_a_share_in_is_refused():
    released = cf.Release(*CHAINS["in ranges, swapped"]).apply(people(), seed=2)
    with pytest.raises(cf.IntruderError, match="gives no level that it has any share; widen it"):
        cf.link(released, cf.Intruder(knows=[cf.Distributed("age", cf.Uniform(500, 600))]))
    kind = cf.Microdata.from_dict({"kind": ["x", "y"] * 20})
    swapped = cf.Release(cf.Swap("kind", rate=0.5)).apply(kind, seed=1)
    with pytest.raises(cf.IntruderError, match="cannot be traced back to numbers"):
        cf.link(swapped, cf.Intruder(knows=[cf.Distributed("kind", cf.Normal(0, 1))]))


@pytest.mark.parametrize("chain", ["swapped", "in ranges, swapped", "rounded, swapped"])
def test_one_of_some_numbers_is_a_mixture_of_them(chain):
    released = cf.Release(*CHAINS[chain]).apply(people(), seed=2)
    told = cf.Targets.of_rows([i for i, x in enumerate(people().column("age").values()) if x in (40, 42, 52)])
    one = cf.link(released, cf.Intruder(knows=[cf.OneOf("age", [40, 42, 52], prior=[0.2, 0.3, 0.5])]), told)
    two = cf.link(released, cf.Intruder(knows=[cf.Distributed("age", {40: 0.2, 42: 0.3, 52: 0.5})]), told)
    assert one.row(0).p == pytest.approx(two.row(0).p, rel=1e-6)


def test_one_of_some_noisy_numbers_needs_their_probabilities():
    released = cf.Release(cf.Noise("age", sd=3)).apply(people(), seed=2)
    told = cf.Targets.of_rows([i for i, x in enumerate(people().column("age").values()) if x in (40, 42)])
    one = cf.link(released, cf.Intruder(knows=[cf.OneOf("age", [40, 42], prior=[0.2, 0.8])]), told)
    two = cf.link(released, cf.Intruder(knows=[cf.Distributed("age", {40: 0.2, 42: 0.8})]), told)
    assert one.row(0).p == pytest.approx(two.row(0).p, rel=1e-9)
    with pytest.raises(cf.IntruderError, match=r"say how probable each is with prior=\[...\]"):
        cf.link(released, cf.Intruder(knows=[cf.OneOf("age", [40, 42])]), told)
    with pytest.raises(cf.IntruderError, match="of 300 targets have another level"):
        cf.link(released, cf.Intruder(knows=[cf.OneOf("age", [40, 42], prior=[0.2, 0.8])]))


def test_one_of_some_numbers_that_are_released_as_they_are():
    released = cf.Release().apply(people(), seed=2)
    age = np.array(people().column("age").values())
    told = np.flatnonzero(np.isin(age, (40, 42)))
    links = cf.link(released, cf.Intruder(knows=[cf.OneOf("age", [40, 42])]), cf.Targets.of_rows(told.tolist()))
    assert links.row(0).p == pytest.approx(np.isin(age, (40, 42)) / told.size)


def test_one_of_the_numbers_with_correlated_noise_is_one_with_noise():
    noise = cf.CorrelatedNoise(["age", "pay"], covariance=[[9.0, 5.0], [5.0, 16.0]], grid="none")
    released = cf.Release(noise).apply(people(), seed=2)
    z = np.array(released.data.column("age").values(), dtype=float)
    strangers = cf.SuppliedBeliefs([[cf.Atom(1.0, {"age": cf.Normal(45, 12)})]])
    ratio = stats.norm(50, np.hypot(4, 3)).pdf(z) / stats.norm(45, np.hypot(12, 3)).pdf(z)
    links = cf.link(released, cf.Intruder(knows=[cf.Distributed("age", cf.Normal(50, 4))], beliefs=strangers))
    assert links.row(0).p == pytest.approx(ratio / ratio.sum(), rel=1e-6, abs=1e-12)
    links = cf.link(released, cf.Intruder(knows=["pay"], unavailable=None))
    assert links.row(0).p.sum() == pytest.approx(1)
    with pytest.raises(cf.LikelihoodError, match="looks at more of the numbers that share it"):
        cf.link(released, cf.Intruder(knows=["pay", cf.Distributed("age", cf.Normal(50, 4))]))
