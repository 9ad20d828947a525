"""The profile likelihood of q, and what it says where the data do not tell q."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def misrecorded(seed, n=4_000, slope=3.0, q=0.9):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, 2))
    y = rng.random(n) < 1 / (1 + np.exp(-(0.3 + slope * z[:, 0] - z[:, 1])))
    return z, (y ^ (rng.random(n) > q)).astype(int)


def test_q_and_its_interval_lie_on_the_profile():
    z, x = misrecorded(1)
    found = cf.profile_q(z, x)
    assert found.identified
    assert found.interval[0] < 0.9 < found.interval[1]
    top = found.fit.log_likelihood
    for end in found.interval:
        assert top - cf.fit_misclassified(z, x, end).log_likelihood == pytest.approx(3.841459 / 2, abs=1e-3)
    for q in (found.q - 0.005, found.q + 0.005):
        assert cf.fit_misclassified(z, x, q).log_likelihood < top
    for q, height in zip(found.grid[3:], found.profile[3:], strict=True):
        assert height == pytest.approx(cf.fit_misclassified(z, x, q).log_likelihood, abs=1e-6)
    assert cf.fit_misclassified(z, x, found.q).coefficients == pytest.approx(found.fit.coefficients, abs=1e-8)
    assert "q estimated as" in repr(found)


def test_standard_errors_allow_for_q():
    z, x = misrecorded(2)
    found = cf.profile_q(z, x)

    def loss(theta):
        return -cf.misclassified_log_likelihood(theta[:-1], z, x, theta[-1])

    at, h = np.r_[found.fit.coefficients, found.q], 1e-3
    curvature = np.empty((4, 4))
    for i, j in np.ndindex(4, 4):
        a, b = h * np.eye(4)[i], h * np.eye(4)[j]
        curvature[i, j] = (loss(at + a + b) - loss(at + a - b) - loss(at - a + b) + loss(at - a - b)) / (4 * h * h)
    assert found.covariance == pytest.approx(np.linalg.inv(curvature)[:3, :3], rel=1e-3)
    assert np.all(found.standard_errors > found.fit.standard_errors)


def test_exact_data_have_q_one_in_the_interval():
    z, x = misrecorded(3, q=1.0)
    found = cf.profile_q(z, x)
    assert found.interval[1] == 1.0
    assert found.interval[0] > 0.95
    assert found.identified


def test_q_is_not_identified_without_covariates_or_by_two_values():
    rng = np.random.default_rng(4)
    with pytest.raises(cf.HarmError, match="not identified without covariates"):
        cf.profile_q(np.empty((100, 0)), rng.integers(0, 2, 100))
    group = np.repeat([0.0, 1.0], 100)[:, None]
    x = np.r_[np.arange(100) < 30, np.arange(100) < 60].astype(int)
    with pytest.raises(cf.HarmError, match="q is not identified: the likelihood hardly changes"):
        cf.profile_q(group, x)


def test_covariates_that_say_nothing_leave_q_open():
    rng = np.random.default_rng(5)
    flags = []
    for _ in range(10):
        try:
            found = cf.profile_q(rng.normal(size=(500, 1)), rng.integers(0, 2, 500))
        except cf.HarmError:
            flags.append(False)
            continue
        flags.append(found.identified)
        assert found.identified or "q is NOT identified" in repr(found)
    assert sum(flags) <= 2


def test_what_does_not_fit_is_refused():
    z, x = misrecorded(6, n=100)
    with pytest.raises(cf.HarmError, match="above one half"):
        cf.profile_q(z, x, grid=[0.4, 0.9])
    with pytest.raises(cf.HarmError, match="between 0 and 1"):
        cf.profile_q(z, x, level=95)
