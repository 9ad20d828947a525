"""Someone who subtracts what is told: of groups that differ by one person, of parts and wholes, of two editions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

import confide as cf
from confide.harm.told import Told
from confide.kit.telling import step_for

N = 12


def losses(seed: int) -> np.ndarray:
    """Losses of which one is most of the sum, or none is."""
    rng = np.random.default_rng(seed)
    each = np.round(rng.lognormal(7, 1.5, N), 2)
    each[rng.integers(N)] *= rng.choice([1, 1000])
    return each


def groups() -> list[tuple[int, ...]]:
    """All groups of which something is told, but the whole."""
    return [g for k in (10, 11) for g in itertools.combinations(range(N), k)]


def interval(sums: list[tuple[tuple[int, ...], float, float, float]], person: int, most: float) -> tuple[float, float]:
    """Find what a person's loss may be, given sums with what they were rounded by downwards and upwards."""
    rows, bounds = [], []
    for members, told, down, up in sums:
        row = np.zeros(N)
        row[list(members)] = 1.0
        rows += [row, -row]
        bounds += [told + up, -(told - down)]
    ends = []
    for sign in (1, -1):
        cost = np.zeros(N)
        cost[person] = sign
        found = linprog(cost, A_ub=np.array(rows), b_ub=np.array(bounds), bounds=[(0, most)] * N, method="highs")
        assert found.status == 0
        ends.append(sign * found.fun)
    return ends[0], ends[1]


@pytest.mark.parametrize("seed", range(3))
def test_no_two_outputs_tell_a_loss(seed):
    """Every pair of groups that differ by one person, and that person's loss by linear programming over all losses."""
    each = losses(seed)
    whole = Told.of(each)
    step, most = whole.step, whole.step / 2
    told = {g: Told.of(each[list(g)], step).total for g in groups()}
    pairs = [(a, b) for a in told for b in told if set(a) < set(b)]
    assert len(pairs) == 12 * 11
    for a, b in pairs:
        (person,) = set(b) - set(a)
        low, high = interval([(a, told[a], step / 2, step / 2), (b, told[b], step / 2, step / 2)], person, most)
        # 0 and the most that anybody's loss can be are both possible, whatever the loss is
        assert low == pytest.approx(0.0, abs=1e-6 * step)
        assert high == pytest.approx(most, rel=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_parts_and_the_whole_tell_no_loss(seed):
    each = losses(seed)
    whole = Told.of(each)
    step, most = whole.step, whole.step / 2
    for part in groups():
        told = Told.of(each[list(part)], step).total
        for person in set(range(N)) - set(part):
            known = [(part, told, step / 2, step / 2), (tuple(range(N)), whole.total, step, 0.0)]
            low, high = interval(known, person, most)
            assert high - low >= 0.999 * most or (low <= 1e-6 * step and high >= each[person] * 2)


def test_two_editions_tell_only_how_large_the_step_is():
    """With the richest person and without: the larger step says how large the largest loss is, and the sums no more."""
    rng = np.random.default_rng(1)
    others = np.round(rng.uniform(10, 900, 40), 2)
    for richest in (987_654_321.0, 999_999_999.0, 501_000_000.0):
        first, second = Told.of(np.append(others, richest)), Told.of(others)
        assert first.total == first.step >= 2 * richest
        assert {Told.of(np.append(others, x)).total for x in np.linspace(first.step / 4 * 1.01, first.step / 2, 50)} == {
            first.total
        }
        assert abs(first.total - second.total - richest) > 0.5 * richest


def test_a_step_is_at_least_twice_the_largest_and_at_most_five_times():
    for largest in 10.0 ** np.random.default_rng(2).uniform(-8, 12, 500):
        assert 2 * largest <= step_for(np.array([largest, 0.0])) <= 5 * largest * (1 + 1e-12)


def test_overlapping_groups_of_an_assessment_are_on_one_step():
    """A subtotal of the frame by a variable and the total differ by no single loss."""
    rng = np.random.default_rng(3)
    n = 60
    data = cf.Microdata.from_dict({
        "town": ["a"] * 30 + ["b"] * 29 + ["c"],
        "age": rng.integers(20, 70, n).tolist(),
        "pay": [*np.round(rng.uniform(10, 900, n - 1), 2).tolist(), 87_654_321.0],
    }).declare(sensitive=["pay"], kinds={"pay": "continuous", "age": "integer"})  # fmt: skip
    paid = cf.Harm("pay", cf.AmountCosts(cf.Threshold(0.5, loss=1.0), tn=1.0, fn=1.0), weight="pay", acts=0.0)
    one = cf.assess(cf.Release().apply(data, seed=1), cf.Intruder(knows=["town", "age"]), harms=paid).row(0)
    told = one.harm("pay").told
    frame = one.by("town", smallest=1)
    assert frame["harm pay"].to_list()[-1] is None
    assert all(x % told.step == 0 for x in frame["harm pay"].to_list()[:2])
    assert abs(told.total - sum(frame["harm pay"].to_list()[:2]) - 87_654_321.0) > 8_000_000
