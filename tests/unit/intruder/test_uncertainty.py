"""U(y): minimal loss, entropy, variance and functions of one's own."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def test_entropy_is_the_least_expected_log_loss():
    rng = np.random.default_rng(1)
    p = rng.dirichlet(np.ones(4))
    least = cf.Entropy().of(p[:-1])
    assert least == pytest.approx(-(p * np.log(p)).sum())
    for _ in range(50):
        assert least <= -(p * np.log(rng.dirichlet(np.ones(4)))).sum()
    assert cf.Entropy(base=2).of([0.25] * 4) == pytest.approx(2.0)
    with pytest.raises(cf.IntruderError, match="above one"):
        cf.Entropy(base=1.0)


def test_variance_is_the_least_expected_squared_error():
    values, p = np.array([1.0, 4.0, 10.0]), np.array([0.2, 0.5, 0.3])
    least = cf.Variance(values).of(p)
    errors = [float(p @ (values - t) ** 2) for t in np.linspace(0, 11, 200)]
    assert least <= min(errors) + 1e-12
    assert least == pytest.approx(float(p @ (values - p @ values) ** 2))


def test_variance_of_a_density_on_a_grid():
    grid = np.linspace(-10, 10, 4001)
    mass = np.exp(-0.5 * ((grid - 1) / 1.5) ** 2)
    assert cf.Variance(grid).of(mass / mass.sum()) == pytest.approx(1.5**2)
    assert cf.Variance(grid + 1e9).of(mass / mass.sum()) == pytest.approx(1.5**2, rel=1e-5)


def test_variance_needs_a_value_for_who_may_not_be_released():
    assert cf.Variance([0.0, 0.0, 2.0]).of([0.25, 0.25]) == pytest.approx(1.0)
    with pytest.raises(cf.IntruderError, match=r"probability 0\.5\); give the number"):
        cf.Variance([0.0, 0.0]).of([0.25, 0.25])
    with pytest.raises(cf.IntruderError, match="4 values for 2 records"):
        cf.Variance([0.0] * 4).of([0.25, 0.25])
    with pytest.raises(cf.IntruderError, match="finite"):
        cf.Variance([np.nan])


def test_minimal_loss_reads_losses_and_matrices():
    p = [0.89, 0.11]
    assert cf.MinimalLoss(cf.Losses()).of(p) == pytest.approx(0.11)
    assert cf.MinimalLoss(cf.LossMatrix.of(cf.Losses(), 2)).of(p, 0.0) == pytest.approx(0.11)
    with pytest.raises(cf.IntruderError, match="sum to one"):
        cf.MinimalLoss(cf.Losses()).of(p, 0.5)


def test_a_function_of_ones_own():
    assert cf.Concave(lambda q: 1 - q.max()).of([0.7, 0.1]) == pytest.approx(0.3)
    assert cf.Concave(lambda q: np.float32(0)).of([1.0]) == 0.0


class Unhashable:
    __hash__ = None

    def __call__(self, q):
        return 1.0 - float((q**2).sum())


def test_a_function_that_cannot_be_hashed_is_checked_as_well():
    assert cf.Concave(Unhashable()).of([0.5, 0.5]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda q: float((q**2).sum()), "not concave: between two distributions of 3 entries"),
        (lambda q: float(q.max()), "not concave"),
        (lambda q: float(np.sin(20 * q[0])), "not concave"),
        (lambda q: float("nan"), "gave NaN at a distribution of 3 entries"),
        (lambda q: float("inf"), "gave an infinite number"),
        (lambda q: q, "gave an array"),
    ],
)
def test_a_function_that_is_no_uncertainty_is_refused(function, message):
    with np.errstate(all="ignore"), pytest.raises(cf.IntruderError, match=message):
        cf.Concave(function).of([0.5, 0.2])


def test_a_function_that_fails_at_zeros_only_is_found():
    with (
        np.errstate(all="ignore"),
        pytest.raises(cf.IntruderError, match="gave NaN at a distribution of 3 entries, 2 of them zero"),
    ):
        cf.Concave(lambda q: float(-(q * np.log(q)).sum())).of([0.5, 0.2])
