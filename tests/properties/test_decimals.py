"""Intervals and multiples in decimals: labels are true, and what is traced back is what was pushed.

Fractions of the printed decimals are the judge; they share nothing with the arithmetic of steps.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf
from confide.data.column import Column

WIDTHS = [0.1, 0.05, 1 / 3, 2.5, 1e-3, 1e6, 7.0, 0.3, 1e-7]
width = st.sampled_from(WIDTHS)
start = st.sampled_from([0.0, 0.0, 0.1, -3.0, 1e6])


def decimal(x: float) -> Fraction:
    """The decimal that a number prints as."""
    return Fraction(repr(float(x)))


@st.composite
def numbers(draw, by):
    """A number beside a boundary, or any other."""
    step = decimal(by) * draw(st.integers(-10_000, 10_000)) / draw(st.sampled_from([1, 2]))
    x = float(step)
    if draw(st.booleans()):
        x = float(np.nextafter(x, draw(st.sampled_from([-np.inf, np.inf]))))
    return draw(st.sampled_from([x, round(x, 3), draw(st.floats(-1e4, 1e4)) * by]))


def step_of(method, values):
    data = cf.Microdata.from_dict({"x": values}).declare(kinds={"x": "continuous"})
    return method.bind(data).channel


def same(channel, x, y):
    pushed = channel.push(Column.of_numbers([x, y])).values()
    return pushed[0] == pushed[1]


@given(st.data(), width, start)
@settings(max_examples=300, deadline=None)
def test_every_value_lies_in_the_interval_its_label_names(data, by, first):
    x = data.draw(numbers(by))
    channel = step_of(cf.Recode("x", width=by, start=first), [x])
    pushed = channel.push(Column.of_numbers([x]))
    low, high = (Fraction(end) for end in pushed.values()[0][1:-1].split(", "))
    assert high - low == decimal(by)
    assert ((low - decimal(first)) / decimal(by)).denominator == 1
    assert low <= decimal(x) < high
    (a,), (b,) = channel.preimage(pushed)
    assert a <= x <= b
    assert same(channel, a, b)
    assert not same(channel, a, np.nextafter(a, -np.inf))
    assert not same(channel, b, np.nextafter(b, np.inf))


@given(st.data(), width)
@settings(max_examples=300, deadline=None)
def test_what_is_rounded_is_the_nearest_multiple_and_comes_from_where_it_is_traced_to(data, by):
    x = data.draw(numbers(by))
    channel = step_of(cf.Round("x", to=by), [x])
    pushed = channel.push(Column.of_numbers([x]))
    wanted = round(decimal(x) / decimal(by)) * decimal(by)
    assert pushed.numbers[0] == float(wanted)
    if by != 1 / 3:
        assert decimal(pushed.numbers[0]) == wanted
    (a,), (b,) = channel.preimage(pushed)
    assert a <= x <= b
    assert same(channel, a, b)
    assert not same(channel, a, np.nextafter(a, -np.inf))
    assert not same(channel, b, np.nextafter(b, np.inf))


@pytest.mark.parametrize("by", [3.0, 5.0, 1e4])
def test_whole_numbers_are_as_in_binary_arithmetic(by):
    x = np.random.default_rng(1).integers(-50_000, 50_000, 2_000).astype(np.float64)
    rounded = step_of(cf.Round("x", to=by), x.tolist()).push(Column.of_numbers(x))
    assert np.array_equal(rounded.numbers, np.rint(x / by) * by)
    low, _ = (channel := step_of(cf.Recode("x", width=by), x.tolist())).preimage(channel.push(Column.of_numbers(x)))
    assert np.array_equal(low, np.floor(x / by) * by)
