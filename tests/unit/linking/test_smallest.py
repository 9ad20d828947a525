"""Smallest examples of bugs in linking that were found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import confide as cf
from reference.problems import fast_equals_row, microdata


def numbers(**values: list[float]) -> cf.Microdata:
    return microdata([dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)], set())


def test_the_edge_of_a_recoded_interval() -> None:
    released = cf.Release(cf.Recode("x", width=10)).apply(numbers(x=[5, 15, 20, 25]), seed=1)
    row = cf.link(released, cf.Intruder(knows=[cf.Between("x", low=20)]), cf.Targets.of_rows([2])).row(0)
    assert row.parts.consistent.tolist() == [False, False, True, True]


def test_the_edge_of_a_topcode() -> None:
    released = cf.Release(cf.Topcode("x", at=20)).apply(numbers(x=[5, 15, 20, 25]), seed=1)
    row = cf.link(released, cf.Intruder(knows=[cf.Between("x", high=20)]), cf.Targets.of_rows([2])).row(0)
    assert row.parts.consistent.tolist() == [True, True, True, False]


def test_a_wide_interval_and_small_noise() -> None:
    # a uniform belief on a million dollars, noise of ten
    released = cf.Release(cf.Noise("x", sd=10)).apply(numbers(x=[500, 5e5, 9e5, 1000, 1500]), seed=1)
    supplied = cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Uniform(0, 1e6)})]])
    for item in (cf.Between("x", 0, 1e6), cf.Distributed("x", cf.Uniform(0, 1e6))):
        row = cf.link(released, cf.Intruder(knows=[item], models_others=False, beliefs=supplied)).row(0)
        assert row.parts.a.tolist() == pytest.approx([1e-6] * 5, rel=1e-6)


def test_one_sided_bounds_on_a_noisy_number() -> None:
    released = cf.Release(cf.Noise("x", sd=5)).apply(numbers(x=[10, 20, 30, 200, 210]), seed=1)
    intruder = cf.Intruder(knows=[cf.Between("x", low=100)])
    links = cf.link(released, intruder, cf.Targets.of_rows([3, 4]))
    assert links.own.tolist() == pytest.approx([0.5, 0.5], rel=1e-6)


@pytest.mark.filterwarnings("default:overflow encountered")
def test_a_target_far_from_all_records() -> None:
    released = cf.Released.from_files(
        numbers(g=[0, 1, 1], x=[0, 0, 1000]), numbers(g=[0, 1, 1], x=[100, 1, 1000]), same_order=True
    )
    supposed = cf.Release(cf.Noise("x", sd=1))
    links = cf.link(released, cf.Intruder(knows=["g", "x"], models_others=False, supposes=supposed))
    fast_equals_row(links)


def test_a_record_that_is_impossible_under_the_beliefs_is_an_error() -> None:
    data = microdata([{"r": x} for x in "aba"], {"r"})
    supposed = cf.Release(cf.Swap("r", matrix=cf.GivenMatrix(["a", "b"], [[1, 0], [0, 1]])))
    beliefs = cf.SuppliedBeliefs([[cf.Atom(1, {"r": "a"})]])
    intruder = cf.Intruder(knows=["r"], supposes=supposed, beliefs=beliefs)
    with pytest.raises(cf.LikelihoodError, match="impossible"):
        cf.link(cf.Released.from_files(data, data, same_order=True), intruder)


@pytest.mark.parametrize(
    "believed", [(-5.0, 5.0), (cf.Uniform(-10, -1), cf.Uniform(1, 10)), (cf.Normal(-5, 1), cf.Normal(5, 1))]
)
def test_negative_amounts_mirror_positive_ones(believed: tuple[Any, Any]) -> None:
    released = cf.Release(cf.MultiplicativeNoise("x", sd=0.1)).apply(numbers(x=[-5, 5]), seed=1)
    data = numbers(x=[-4.9, 4.9])
    released = cf.Released(data, released.source, released.parent, "x", released.methods, released.steps)
    beliefs = cf.SuppliedBeliefs([[cf.Atom(0.5, {"x": b}) for b in believed]])
    links = cf.link(released, cf.Intruder(knows=["x"], beliefs=beliefs))
    m = links.row(0).parts.log_m
    assert np.isfinite(m).all()
    assert m[0] == pytest.approx(m[1], rel=1e-9)


def test_a_continuous_distribution_gives_kept_zeros_no_mass() -> None:
    released = cf.Release(cf.Noise("x", sd=1, keep_zero=True, grid="none")).apply(numbers(x=[0, 5, 0, 7]), seed=1)
    intruder = cf.Intruder(knows=[cf.Distributed("x", cf.Normal(1, 2))], models_others=False)
    p = cf.link(released, intruder).row(0).p
    assert (p > 0).tolist() == [False, True, False, True]
    some = cf.Distributed("x", cf.Mixture([(0.3, 0), (0.7, cf.Normal(1, 2))]))
    a = cf.link(released, intruder.but(knows=[some])).row(0).parts.a
    z = released.data.column("x").numbers
    want = 0.7 * np.exp(-0.5 * (z - 1) ** 2 / 5) / np.sqrt(2 * np.pi * 5)
    assert a.tolist() == pytest.approx(np.where(z == 0, 0.3, want).tolist(), rel=1e-6)


def test_population_table_with_unrestricted_noise() -> None:
    data = microdata([{"g": g, "x": x} for g, x in (("a", 5.0), ("b", 6.0), ("b", 7.0))], {"g"})
    table = microdata([{"g": "a", "count": 100.0}, {"g": "b", "count": 200.0}], {"g"})
    intruder = cf.Intruder(knows=["g", "x"], target_in_file=False, population=cf.PopulationTable(table))
    links = cf.link(cf.Release(cf.Noise("x", sd=1)).apply(data, seed=1), intruder)
    assert links.population_matches.tolist() == [100, 200, 200]


def test_regression_of_unavailable_on_a_distribution() -> None:
    released = cf.Release(cf.Noise("x", sd=1), cf.Noise("u", sd=1)).apply(
        numbers(x=[5, 6, 7, 8, 10], u=[1, 3, 2, 5, 8]), seed=1
    )
    intruder = cf.Intruder(knows=[cf.Distributed("x", cf.Normal(7, 2))], unavailable=cf.Regression())
    fast_equals_row(cf.link(released, intruder))


def test_a_level_called_missing() -> None:
    data = microdata([{"r": x} for x in ("missing", "b", None, "missing", None, "b")], {"r"})
    named = microdata([{"r": x} for x in ("other", "b", None, "other", None, "b")], {"r"})
    one, two = (
        cf.link(cf.Release(cf.Swap("r", rate=1.0)).apply(d, seed=1), cf.Intruder(knows=["r"])) for d in (data, named)
    )
    assert one.own.tolist() == pytest.approx(two.own.tolist())


def test_a_uniform_belief_is_cut_to_the_bounds() -> None:
    data = numbers(x=[24, 3, 46])
    supposed = cf.Release(cf.Noise("x", sd=25, lower=0, upper=60))
    a = []
    for high in (60, 70):
        intruder = cf.Intruder(knows=[cf.Distributed("x", cf.Uniform(2, high))], models_others=False, supposes=supposed)
        a.append(cf.link(cf.Released.from_files(data, data, same_order=True), intruder).row(0).parts.a.tolist())
    assert a[0] == pytest.approx(a[1], rel=1e-6)
