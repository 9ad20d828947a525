"""What is believed about an amount: edges, faults and single pairs."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.harm.belief.integrate import integrate

INF = np.inf
BELIEFS = [
    cf.PointBelief([3.0, -1.0]),
    cf.NormalBelief([3.0, -1.0], [2.0, 0.0]),
    cf.LognormalBelief([1.0, -1.0], [0.5, 0.0]),
    cf.UniformBelief([1.0, 2.0], [4.0, 2.0]),
    cf.NodesBelief([[1.0, 2.0, 3.0], [4.0, 5.0, 0.0]], [[0.2, 0.3, 0.5], [0.5, 0.5, 0.0]]),
]


@pytest.mark.parametrize("belief", BELIEFS, ids=lambda b: type(b).__name__)
def test_at_the_ends_of_the_line(belief):
    assert belief.size == 2
    assert belief.cdf(INF).tolist() == [1, 1]
    assert belief.cdf(-INF).tolist() == [0, 0]
    assert belief.tail(INF).tolist() == [0, 0]
    assert belief.tail(-INF).tolist() == [1, 1]
    assert belief.mass(-INF, INF) == pytest.approx([1, 1], abs=1e-15)
    assert belief.mass(INF, -INF).tolist() == [0, 0]
    assert belief.partial_first(INF) == pytest.approx(belief.mean)
    assert belief.partial_first(-INF).tolist() == [0, 0]
    assert belief.partial_second(INF) == pytest.approx(belief.squared_error(0.0))
    assert belief.partial_second(-INF).tolist() == [0, 0]


@pytest.mark.parametrize("belief", BELIEFS, ids=lambda b: type(b).__name__)
def test_some_pairs_are_taken(belief):
    for rows in ([1], np.array([False, True]), slice(1, 2)):
        part = belief.take(rows)
        assert type(part) is type(belief)
        assert part.size == 1
        assert part.excess(0.5)[0] == belief.excess(0.5)[1]
    none = belief.take(np.zeros(2, dtype=bool))
    assert none.size == 0
    assert cf.OverEstimate().expected(np.zeros(0), none).size == 0
    assert cf.GivenCost(lambda y, x: abs(x - y)).expected(np.zeros(0), none).size == 0


@pytest.mark.parametrize("belief", BELIEFS, ids=lambda b: type(b).__name__)
def test_a_sure_belief_is_a_point(belief):
    if isinstance(belief, cf.NodesBelief):
        return
    sure = belief.take([1])
    x = float(sure.mean[0])
    point = cf.PointBelief(x)
    for t in (x - 1, x, x + 1):
        for name in (
            "cdf",
            "tail",
            "partial_first",
            "partial_second",
            "excess",
            "shortfall",
            "squared_excess",
            "squared_error",
        ):
            assert getattr(sure, name)(t) == pytest.approx(getattr(point, name)(t), abs=1e-15), (name, t)
        assert sure.mass(t, t).tolist() == [float(t == x)]
        assert sure.mass(t - 1, t + 1).tolist() == [1]
    assert sure.expect(lambda y, v: np.abs(v - y), x - 2)[0] == pytest.approx(2)


def test_parameters_of_one_number_hold_for_all():
    assert cf.NormalBelief([1.0, 2.0], 3.0).sd.tolist() == [3, 3]
    assert cf.UniformBelief(0.0, [1.0, 2.0]).low.tolist() == [0, 0]
    assert cf.LognormalBelief([0.0, 1.0], 1.0).mean == pytest.approx(np.exp([0.5, 1.5]))


def test_a_belief_keeps_its_own_copy():
    mean = np.array([1.0])
    belief = cf.NormalBelief(mean, 1.0)
    mean[0] = 9.0
    assert belief.mean.tolist() == [1.0]
    with pytest.raises(ValueError, match="read-only"):
        belief.mean[0] = 2.0


def test_digits_are_kept_in_far_tails_and_narrow_ranges():
    far = cf.NormalBelief(0.0, 1.0)
    # asymptotically phi(t) 2/t³ (1 - 6/t² + 45/t⁴ ...)
    t = 30.0
    phi = np.exp(-t * t / 2) / np.sqrt(2 * np.pi)
    assert far.squared_excess(t)[0] == pytest.approx(phi * 2 / t**3 * (1 - 6 / t**2 + 45 / t**4 - 420 / t**6), rel=1e-7)
    assert far.squared_excess(50.0).tolist() == [0.0]
    assert far.mass(0.0, 1e-12)[0] == pytest.approx(1e-12 / np.sqrt(2 * np.pi), rel=1e-12)
    tiny = cf.LognormalBelief(np.log(1e5), 1e-6)
    assert tiny.squared_excess(np.exp(tiny.log_mean))[0] == pytest.approx(1e10 * 1e-12 / 2, rel=1e-5)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cf.NormalBelief([np.nan], ["a"]), "2 faults:.*mean is missing or infinite in 1 of 1.*sd must be numbers"),
        (lambda: cf.NormalBelief([1.0, 2.0], [1.0, 2.0, 3.0]), "mean 2, sd 3"),
        (lambda: cf.NormalBelief([[1.0]], 1.0), "found 2 dimensions"),
        (lambda: cf.NormalBelief([1.0, 2.0], [-1.0, 2.0]), "sd must not be negative; 1 of 2"),
        (lambda: cf.LognormalBelief(1.0, -1.0), "log_sd must not be negative"),
        (lambda: cf.UniformBelief([1.0, 2.0], [2.0, 1.0]), "low must not exceed high; it does in 1 of 2"),
        (lambda: cf.UniformBelief(-1.7e308, 1.7e308), "too wide"),
        (lambda: cf.NodesBelief([1.0], [1.0]), "tables of pairs by nodes"),
        (lambda: cf.NodesBelief([[1.0, np.nan]], [[0.7, 0.7]]), "2 faults:.*weights of 1 of 1.*1 of 2 values"),
        (lambda: cf.NormalBelief(0.0, 1.0).cdf(np.nan), "1 of 1 numbers asked about are missing"),
        (lambda: cf.NormalBelief(0.0, 1.0).excess(INF), "1 of 1 numbers asked about are infinite"),
        (lambda: cf.NormalBelief([0.0, 1.0], 1.0).cdf([1.0, 2.0, 3.0]), "each of the 2 pairs"),
    ],
)
def test_faults_are_told(make, message):
    with pytest.raises(cf.HarmError, match=f"(?s){message}"):
        make()


def test_a_jump_near_the_end_of_a_panel_is_seen():
    for gap in (1e-3, 1e-5, 1e-7):
        found = integrate(lambda rows, x, gap=gap: 1.0 * (x > gap), np.array([[0.0, 1.0]]))
        assert found[0] == pytest.approx(1 - gap, abs=1e-9)


def test_panels_without_width_add_nothing():
    found = integrate(lambda rows, x: x * 0 + 1, np.array([[0.0, 0.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]))
    assert found == pytest.approx([1, 0], rel=1e-14)
