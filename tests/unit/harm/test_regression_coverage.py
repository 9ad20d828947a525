"""Two hundred repetitions: intervals cover as they claim, and the naive fit is biased."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

TRUE = np.array([-0.5, 1.0, -0.7, 0.4])


@pytest.mark.slow
def test_intervals_cover_and_the_bias_is_gone():
    found, naive, covered = [], [], []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        z = rng.normal(size=(2_000, 3))
        y = rng.random(2_000) < 1 / (1 + np.exp(-(TRUE[0] + z @ TRUE[1:])))
        x = (y ^ (rng.random(2_000) > 0.9)).astype(int)
        fit = cf.fit_misclassified(z, x, 0.9)
        found.append(fit.coefficients)
        naive.append(cf.fit_misclassified(z, x, 1.0).coefficients)
        low, high = fit.interval(0.95).T
        covered.append((low <= TRUE) & (high >= TRUE))
    share = np.mean(covered, axis=0)
    assert np.all((share >= 0.92) & (share <= 0.98))
    assert 0.935 <= share.mean() <= 0.965
    bias, naive_bias = (np.abs(np.mean(b, axis=0) - TRUE) for b in (found, naive))
    assert np.all(naive_bias > 5 * bias)
    assert np.all(bias < 0.03)
