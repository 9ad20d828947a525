"""Sorts for compiled loops agree with those of numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confide.sorting import sort_in_place, sorting_order

VALUES = st.lists(st.integers(-9, 9), max_size=200)


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.float64])
@settings(deadline=None)
@given(values=VALUES)
def test_order_is_stable(kind, values):
    x = np.array(values, dtype=kind)
    assert sorting_order(x).tolist() == np.argsort(x, kind="stable").tolist()


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@settings(deadline=None)
@given(values=VALUES, part=st.floats(0, 1))
def test_the_first_values_are_sorted_in_place(kind, values, part):
    x = np.array(values, dtype=kind)
    n = int(part * x.size)
    expected = [*sorted(values[:n]), *values[n:]]
    sort_in_place(x, n)
    assert x.tolist() == expected


@pytest.mark.parametrize("n", [0, 1, 24, 25, 48, 49, 1000, 100_003])
def test_any_length(n):
    x = np.random.default_rng(1).integers(0, max(n // 3, 1), n)
    assert np.array_equal(sorting_order(x), np.argsort(x, kind="stable"))
    y = x.copy()
    sort_in_place(y, n)
    assert np.array_equal(y, np.sort(x))


def test_infinite_values_sort_to_the_ends():
    x = np.array([0.0, np.inf, -np.inf, 1.0])
    assert sorting_order(x).tolist() == [2, 0, 3, 1]
