"""The rule that raises alarms: seldom falsely, and when it should."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.combinations import covering
from calibration.exact import power, row, tables
from calibration.harness import threshold


def test_right_probabilities_raise_no_alarm():
    """A false alarm over the whole table has less than 1 chance in 100: of 100 tables none, or at most a freak one."""
    assert sum(tables(100, 12, times=8, targets=20, records=12)) <= 1


@pytest.mark.slow
def test_the_whole_table_raises_no_false_alarm():
    """25 tables of as many rows as CI has; benchmarks/calibration.py takes 100, of the whole table, too.

    The rows of a table share their people; these are independent, which is harder.
    """
    assert sum(tables(25, len(covering()), times=16, targets=10, records=12)) <= 1


def test_an_error_of_a_tenth_is_found():
    assert power(8, off=1.1, tests=10_000, times=100, targets=100, records=60) >= 0.9
    assert power(8, off=1 / 1.1, tests=10_000, times=100, targets=100, records=60) >= 0.9


def test_an_error_of_a_third_is_found_with_little():
    assert power(10, off=1.4, tests=5_000, times=16, targets=80, records=48) >= 0.9


def test_deviates_of_right_probabilities_are_no_larger_than_normal():
    """Over many tables the share of bins beyond 2 standard errors is that of a normal, or less."""
    rng = np.random.default_rng(5)
    z = np.concatenate([row(rng, times=10, targets=40, records=20, sure=2.0).z for _ in range(150)])
    assert np.mean(np.abs(z) > 2) < 0.0455 * 1.15
    assert np.mean(np.abs(z) > 3) < 0.004


def test_more_tests_ask_for_more():
    assert threshold(1) < threshold(1000) < threshold(100_000)
