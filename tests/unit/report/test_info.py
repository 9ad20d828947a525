"""What the charts show."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confide as cf
from confide.report.axes import axis
from confide.report.grid import Grid
from confide.report.info import distributions, figures, groups, tail, wide


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_tail_is_exact_and_no_step_is_small(probabilities: list[float]) -> None:
    x = np.array(probabilities)
    curve = tail(x)
    counts = [0, *(round(s * x.size) for s in curve.share)]
    assert all(step >= 10 for step in np.diff(counts))
    assert x.size - counts[-1] == 0 or x.size - counts[-1] >= 10 or not curve.p
    for p, share in zip(curve.p, curve.share, strict=True):
        assert share == np.sum(x >= p * (1 - 1e-9)) / x.size


@pytest.mark.parametrize("n", [1, 9])
def test_no_curve_for_few_targets(n: int) -> None:
    assert tail(np.full(n, 0.5)).p == ()


def test_equal_probabilities_are_one_step() -> None:
    assert tail(np.full(20, 1 / 3)) == tail(np.full(20, 0.3))
    assert tail(np.zeros(20)).p == ()


def test_axis_keeps_zero_apart() -> None:
    scale = axis([0.0, 1.0, 1000.0], logarithmic=True)
    assert scale.low < scale.place(0.0) < 1.0 < 1000.0 < scale.high
    assert scale.labels[0] == "0"
    assert axis([], logarithmic=True).high > 0
    assert not wide([0.0, 0.0])


def test_groups_of_fewer_than_ten_do_not_show() -> None:
    regions = ["north"] * 30 + ["south"] * 12 + ["hidden"]
    data = cf.Microdata.from_dict({"region": regions, "sex": ["f", "m", "f"] * 14 + ["f"]})
    released = cf.Release(name="plain").apply(data, seed=1)
    grid = Grid.of(cf.assess(released, cf.Intruder(knows=["region", "sex"])))
    found = groups(grid, "region", [grid.riskiest()])
    assert found is not None
    assert found.names == ("north", "2 smaller groups")
    assert found.sizes == (30, 13)


def test_codes_are_shown_with_their_texts() -> None:
    data = cf.Microdata.from_dict({"sex": [1, 2] * 20})
    data = data.declare(kinds={"sex": "nominal"}, labels={"sex": {1: "men", 2: "women"}})
    grid = Grid.of(cf.assess(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"])))
    found = groups(grid, "sex", [grid.riskiest()])
    assert found is not None
    assert found.names == ("men", "women")
    assert found.rates == ((50.0, 50.0),)
    assert found.averages == (50.0,)


def test_names_that_stand_twice_are_numbered() -> None:
    data = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "race": ["w", "w", "b"]})
    releases = [cf.Release(name="same").apply(data, seed=s) for s in (1, 2)]
    grid = Grid.of(cf.assess(releases, [cf.Intruder(knows=["sex"], name="i"), cf.Intruder(knows=["race"], name="i")]))
    assert grid.releases == ("same", "same (2)")
    assert grid.intruders == ("i", "i (2)")
    assert grid.is_table
    assert [f.values for f in figures(grid)][1] == ((2.0, 2.0), (2.0, 2.0))
    assert all(curve is not None and curve.p == () for d in distributions(grid) for curve in d.own)
