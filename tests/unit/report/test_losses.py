"""What the section on harm shows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confide as cf
from confide.harm.told import Told
from confide.report.amounts import TIMES, amount, amounts
from confide.report.axes import axis
from confide.report.grid import Grid
from confide.report.harm_charts import labels, runs
from confide.report.harm_words import order
from confide.report.losses import Dot, losses, out_of_order, worst_groups


def grid(rng_seed: int = 1) -> Grid:
    """Two releases: one that hides people, and one that hides less but lies about the amount."""
    rng = np.random.default_rng(rng_seed)
    n = 200
    data = cf.Microdata.from_dict(
        {
            "region": [str(x) for x in rng.choice(["north", "south"], n - 3)] + ["hidden"] * 3,
            "age": [int(x) for x in rng.integers(20, 70, n)],
            "pay": [float(x) for x in rng.integers(1000, 5000, n)],
        }
    )
    releases = [
        cf.Release(cf.Noise("pay", sd=2000), name="noisy").apply(data, seed=1),
        cf.Release(cf.Recode("age", width=5), name="coarse").apply(data, seed=1),
    ]
    harm = cf.Harm("pay", cf.AmountCosts(cf.Close(0.1)), acts=0.0)
    return Grid.of(cf.assess(releases, cf.Intruder(knows=["region", "age"]), harms=harm))


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=40))
def test_sums_on_few_are_not_told_and_others_are_on_a_step(harm: list[float]) -> None:
    told = Told.of(np.array(harm))
    if len(harm) < 10:
        assert (told.total, told.mean, told.step, told.harmed, told.gini) == (None,) * 5
        return
    assert told.step >= 2 * max(harm)
    assert sum(harm) * (1 - 1e-9) <= told.total <= sum(harm) + told.step * (1 + 1e-9)


def test_risk_and_harm_may_disagree() -> None:
    found = grid()
    (one,) = losses(found)
    points = [Dot(r, c, 0.0, loss.total) for (r, c), loss in one.cells.items()]
    assert out_of_order(points) is None
    noisy, coarse = (cell.total for cell in one.cells.values())
    assert coarse > noisy
    told = order(found, [Dot(0, 0, 80.0, noisy), Dot(1, 0, 20.0, coarse)])
    assert "release coarse has fewer expected matches than release noisy (20 against 80) and does more harm" in told
    assert "never does more harm" in order(found, [Dot(0, 0, 20.0, noisy), Dot(1, 0, 80.0, coarse)])
    assert order(found, [Dot(0, 0, 20.0, noisy)]) == ""


def test_ties_are_not_out_of_order() -> None:
    assert out_of_order([Dot(0, 0, 10.0, 1.0), Dot(1, 0, 10.0, 2.0), Dot(2, 0, 5.0, 1.0)]) is None


def test_the_mildest_release_is_that_of_the_smallest_worst_case() -> None:
    found = grid()
    (one,) = losses(found)
    assert one.largest == (1, 0)
    assert one.mildest() == (0, 0)
    assert one.title == "pay"


def test_small_groups_do_not_show() -> None:
    found = grid()
    (one,) = losses(found)
    rows = worst_groups(found, one, ["region", "age"])
    assert all(row.n >= 10 for row in rows)
    assert "hidden" not in {row.name for row in rows}
    assert {row.place for row in rows} == {(1, 0), (0, 0)}


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([], []),
        ([0.0, 0.0], ["0", "0"]),
        ([3.0, 12000.0], ["3", "12,000"]),
        ([0.25, 12.5], ["0.25", "12.50"]),
        ([2e-7, 0.0], [f"200.0{TIMES}⁻⁹", f"0.0{TIMES}⁻⁹"]),
        ([4.3e12, 5.0], [f"4.300{TIMES}¹²", "5"]),
    ],
)
def test_columns_are_written_alike(values: list[float], texts: list[str]) -> None:
    assert amounts(values) == texts


def test_amounts_of_any_size() -> None:
    assert amount(0.0) == "0"
    assert amount(1e10) == f"10{TIMES}⁹"
    assert amount(9_990_000_000.0) == "9,990,000,000"


def test_labels_of_near_dots_are_joined_by_intruder() -> None:
    scale = axis([0.0, 100.0], logarithmic=False)
    dots = [Dot(r, c, 50.0, 50.0) for r in range(4) for c in range(2)]
    assert [(c, text) for _, _, c, text in labels(dots, scale, scale)] == [(0, "1\N{EN DASH}4"), (1, "1\N{EN DASH}4")]
    assert runs([2]) == "2"
    logs = axis([0.0, 1.0, 1e6], logarithmic=True)
    assert all(0 < x < 1 for x, *_ in labels([Dot(0, 0, v, 1.0) for v in (0.0, 1.0, 1e6)], logs, scale))
