"""Exact risks of order statistics, against closed forms, other integrals and simulation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf
from confide.rumap.analytic import joint
from confide.rumap.kernels import at_least, crossed


def test_moments_in_closed_form():
    assert cf.order_statistic_moments(1, 1) == pytest.approx((0.0, 1.0), abs=1e-12)
    assert cf.order_statistic_moments(2, 2) == pytest.approx((1 / math.sqrt(math.pi), 1 - 1 / math.pi), rel=1e-12)
    assert cf.order_statistic_moments(3, 2) == pytest.approx((0.0, 1 - math.sqrt(3) / math.pi), abs=1e-12)


@given(st.integers(1, 3000), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_moments_are_symmetric_and_plausible(n, where):
    k = 1 + round(where * (n - 1))
    mean, variance = cf.order_statistic_moments(n, k)
    other = cf.order_statistic_moments(n, n + 1 - k)
    assert other == pytest.approx((-mean, variance), rel=1e-9, abs=1e-11)
    assert 0 < variance <= 1 + 1e-12


def test_moments_of_very_many():
    mean, variance = cf.order_statistic_moments(10**9, 10**9)
    first, second = cf.extreme_constants(10**9)
    assert mean == pytest.approx(first, rel=0.004)
    assert variance == pytest.approx(second, rel=0.04)


def test_one_record_is_the_linked_record():
    lambda2 = np.array([1e-4, 0.3, 50.0])
    assert cf.exact_sample_risk(1, 1, 2.0, lambda2) == pytest.approx(1 / lambda2, rel=1e-6)


def test_the_middle_and_both_ends():
    both = [float(cf.exact_sample_risk(40, k, 1.0, 0.4)) for k in (3, 38)]
    assert both[0] == pytest.approx(both[1], rel=1e-12)
    assert float(cf.exact_sample_risk(30, 30, 4.0, 1.0)) == pytest.approx(float(cf.exact_sample_risk(30, 30, 1.0, 0.25)) / 4)
    assert float(cf.exact_sample_risk(30, 7, 1.0, 0.0)) == math.inf


@pytest.mark.parametrize(("n", "k", "lambda2"), [(2, 2, 0.5), (12, 12, 0.1), (12, 7, 1.0), (25, 20, 3.0)])
def test_sample_risk_against_simulation(n, k, lambda2):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(200_000, n))
    y = x + math.sqrt(lambda2) * rng.normal(size=x.shape)
    squared = (np.partition(x, k - 1)[:, k - 1] - np.partition(y, k - 1)[:, k - 1]) ** 2
    error = squared.std() / math.sqrt(squared.size) / squared.mean()
    assert float(cf.exact_sample_risk(n, k, 1.0, lambda2)) * squared.mean() == pytest.approx(1.0, abs=4 * error)


def test_more_nodes_change_nothing(monkeypatch):
    known = [joint._squared.__wrapped__(n, r, v) for n, r, v in ((200, 0, 0.05), (200, 2, 1.0), (30, 14, 0.3))]
    monkeypatch.setattr(joint, "NODES", (200, 100))
    finer = [joint._squared.__wrapped__(n, r, v) for n, r, v in ((200, 0, 0.05), (200, 2, 1.0), (30, 14, 0.3))]
    assert known == pytest.approx(finer, rel=1e-8)


def test_asymptotic_percentile_comes_near_the_exact_one():
    off = [
        float(cf.sample_percentile_risk(n, 0.8, 1.0, 0.3) / cf.exact_sample_risk(n, 4 * n // 5, 1.0, 0.3)) for n in (20, 320)
    ]
    assert abs(off[1] - 1) < 0.02 < abs(off[0] - 1)
    assert float(cf.sample_percentile_risk(200, 0.5, 1.0, 0.0)) == math.inf


def test_too_much_work_is_refused_beforehand():
    with pytest.raises(cf.MapError, match=r"rank 50,001 in a sample of 100,000 .* AsymptoticForm\(\)"):
        cf.exact_sample_risk(100_000, 50_000, 1.0, 0.3)
    assert float(cf.exact_sample_risk(100_000, 100_000, 1.0, 0.3)) > 0


def test_counts_by_enumeration():
    # three pairs, each above neither cut, the first, the second or both
    p = {"none": 0.4, "first": 0.1, "second": 0.2, "both": 0.3}
    for r in (0, 1, 2):
        want = 0.0
        for three in itertools.product(p, repeat=3):
            u = sum(v in ("first", "both") for v in three)
            w = sum(v in ("second", "both") for v in three)
            want += math.prod(p[v] for v in three) * (u <= r < w)
        got = crossed(3, r, np.array([0.4]), np.array([0.3]), np.array([0.2]))
        assert got[0] == pytest.approx(want, rel=1e-12)
    q = np.array([[0.2, 0.5, 0.9]])
    assert at_least(2, q)[0] == pytest.approx(0.2 * 0.5 * 0.1 + 0.2 * 0.5 * 0.9 + 0.8 * 0.5 * 0.9 + 0.2 * 0.5 * 0.9)
    assert at_least(3, q)[0] == pytest.approx(0.09)
