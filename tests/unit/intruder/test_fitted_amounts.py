"""Regressions of amounts: the spread that is left depends on neither the unit nor the origin."""

from __future__ import annotations

import numpy as np
import pytest

from confide.intruder.beliefs.regression import fit_amount

ONE, CELL = np.ones((1, 1)), np.zeros(50, dtype=np.int64)
AMOUNTS = np.round(40 + 10 * np.random.default_rng(1).standard_normal(50), 3)


@pytest.mark.parametrize("unit", [1e-12, 1e-9, 1e-7, 1.0, 1e7, 1e12])
def test_small_units_were_fitted_with_a_spread_of_a_millionth(unit: float) -> None:
    both_signs = AMOUNTS - AMOUNTS.mean()
    model = fit_amount(ONE, CELL, both_signs * unit)
    assert model.sd == pytest.approx(both_signs.std(ddof=1) * unit, rel=1e-9)


@pytest.mark.parametrize("offset", [1e5, 1e7, 1e9])
def test_amounts_far_from_zero_were_fitted_with_too_much_spread(offset: float) -> None:
    model = fit_amount(ONE, CELL, AMOUNTS + offset)
    assert model.log_scale
    assert model.sd * offset == pytest.approx(AMOUNTS.std(ddof=1), rel=1e-3)


def test_a_perfect_fit_is_no_certainty() -> None:
    x = np.array([[1.0, 0.0], [1.0, 1.0]])
    model = fit_amount(x, np.array([0, 0, 1, 1]), np.array([-1.0, -1.0, 3.0, 3.0]) * 1e-9)
    assert model.mean(x) == pytest.approx([-1e-9, 3e-9], rel=1e-9)
    assert 0 < model.sd < 1e-13
    assert fit_amount(ONE, np.zeros(3, dtype=np.int64), np.full(3, 7.0)).sd > 0
