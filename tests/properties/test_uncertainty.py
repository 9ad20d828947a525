"""Every uncertainty is concave in the predictive distribution and zero at certainty."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf

SEEDS = st.integers(0, 2**32 - 1).map(np.random.default_rng)
quickly = settings(max_examples=200, derandomize=True, deadline=None, database=None)


def uncertainties(rng: np.random.Generator, n: int) -> list:
    """All kinds, for n records and the null link."""
    losses = cf.Losses(missed=float(rng.uniform(0, 3)), wrong=float(rng.uniform(0.1, 3)))
    table = rng.uniform(0, 2, (n + 1, n + 1))
    np.fill_diagonal(table, 0.0)  # the right action costs nothing
    return [
        cf.MinimalLoss(losses),
        cf.MinimalLoss(cf.LossMatrix(table)),
        cf.Entropy(),
        cf.Variance(rng.normal(size=n + 1)),
        cf.Concave(gini),
    ]


def gini(q: np.ndarray) -> float:
    return 1.0 - float((q**2).sum())


@quickly
@given(SEEDS, st.integers(1, 6))
def test_uncertainty_is_concave(rng, n):
    a, b = rng.dirichlet(np.full(n + 1, 0.5), size=2)
    share = rng.uniform()
    for u in uncertainties(rng, n):
        inside = u.of((share * a + (1 - share) * b)[:-1])
        assert inside >= share * u.of(a[:-1]) + (1 - share) * u.of(b[:-1]) - 1e-9


@quickly
@given(SEEDS, st.integers(1, 6))
def test_uncertainty_is_zero_at_certainty_and_never_negative(rng, n):
    for u in uncertainties(rng, n):
        for certain in np.eye(n + 1):
            assert u.of(certain[:-1]) == pytest.approx(0.0, abs=1e-12)
        assert u.of(rng.dirichlet(np.ones(n + 1))[:-1]) >= 0


@quickly
@given(SEEDS, st.integers(1, 6))
def test_data_do_not_raise_the_uncertainty_on_average(rng, n):
    # the mean of what is believed after seeing the data is what was believed before (DeGroot 1962)
    chance = rng.dirichlet(np.ones(3))
    after = rng.dirichlet(np.full(n + 1, 0.5), size=3)
    before = chance @ after
    for u in uncertainties(rng, n):
        assert sum(c * u.of(q[:-1]) for c, q in zip(chance, after, strict=True)) <= u.of(before[:-1]) + 1e-9


@quickly
@given(SEEDS, st.integers(1, 8))
def test_a_matrix_of_two_losses_decides_as_they_do(rng, n):
    losses = cf.Losses(missed=float(rng.uniform(0, 3)), wrong=float(rng.uniform(0.1, 3)))
    p = rng.dirichlet(np.full(n + 1, 0.4))[:-1]
    plain, matrix = losses.decide(p), cf.LossMatrix.of(losses, n).decide(p)
    assert plain.record == matrix.record
    assert plain.uncertainty == pytest.approx(matrix.uncertainty, abs=1e-12)


@quickly
@given(SEEDS, st.integers(1, 8), st.integers(1, 8))
def test_a_dearer_wrong_link_never_adds_links(rng, n, respondents):
    p = rng.dirichlet(np.full(n + 1, 0.4), size=respondents).T[:-1]
    linked = cf.deterrence_curve(p, np.geomspace(0.01, 1000, 30)).linked
    assert np.all(np.diff(linked) <= 0)
