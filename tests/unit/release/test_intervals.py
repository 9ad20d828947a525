"""Intervals and multiples that printed wrongly in binary arithmetic, and labels read from a released file."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.data.column import Column


def released(method, values, kind="continuous"):
    data = cf.Microdata.from_dict({"x": values}).declare(kinds={"x": kind})
    return cf.Release(method).apply(data, seed=1)


def test_three_tenths_are_not_below_three_tenths():
    assert np.floor(0.3 / 0.1) == 2
    assert released(cf.Recode("x", width=0.1), [0.3, 0.7, 0.29]).data.column("x").values() == [
        "[0.3, 0.4)",
        "[0.7, 0.8)",
        "[0.2, 0.3)",
    ]


def test_rounded_numbers_print_as_multiples_and_halves_go_to_the_even_one_in_decimals():
    assert np.rint(0.3 / 0.1) * 0.1 != 0.3
    found = released(cf.Round("x", to=0.1), [0.3, 0.7, 0.15, 0.25, 0.35]).data.column("x")
    assert [str(x) for x in found.values()] == ["0.3", "0.7", "0.2", "0.2", "0.4"]


def test_a_rounded_zero_has_no_sign():
    found = released(cf.Round("x", to=1.0), [-0.3, 0.3, 2.7]).data.column("x")
    assert not np.signbit(found.numbers).any()


def test_labels_of_long_ends_name_them_to_the_last_digit():
    ends = [0.0, 1 / 3, 1.0]
    found = released(cf.Recode("x", breaks=ends), [float(np.nextafter(1 / 3, 0)), 1 / 3, 0.3333333333331])
    assert found.data.column("x").values() == [
        "[0, 0.3333333333333333)",
        "[0.3333333333333333, 1)",
        "[0, 0.3333333333333333)",
    ]


def test_whole_names_are_not_given_to_numbers_that_are_not_whole():
    data = cf.Microdata.from_dict({"age": [20, 31, 47]}).declare(kinds={"age": "integer"})
    noisy = cf.Release(cf.Noise("age", sd=2.0, grid="none"), cf.Recode("age", width=5)).apply(data, seed=1)
    assert all(str(x).startswith("[") for x in noisy.data.column("age").values())
    whole = cf.Release(cf.Noise("age", sd=2.0), cf.Recode("age", width=5)).apply(data, seed=1)
    assert not any(str(x).startswith("[") for x in whole.data.column("age").values())


@pytest.mark.parametrize(
    ("method", "says"),
    [
        (cf.Recode("x", width=10), "width 10: the variable holds numbers 1e.15 widths away"),
        (cf.Round("x", to=0.1), "1e.15 times the base or more"),
        (cf.Round("x", to=1e308), "rounds to such as no number can hold"),
    ],
)
def test_numbers_too_large_for_the_steps_are_refused_by_their_cause(method, says):
    data = cf.Microdata.from_dict({"x": [0.5, 1.0]}).declare(kinds={"x": "continuous"})
    data = data.with_columns({"x": Column.of_numbers([1.7e308, 1.0])})  # files are not made with such numbers
    with pytest.raises(cf.ReleaseError, match=says):
        cf.Release(method).apply(data, seed=1)


def test_settings_are_checked():
    with pytest.raises(cf.ReleaseError, match="two intervals have the same label"):
        cf.Recode("x", breaks=[0, 1, 2], labels=["a", "a"])
    for wrong in (np.nan, np.inf, 1e20):
        with pytest.raises(cf.ReleaseError, match="start must be a number less than"):
            cf.Recode("x", width=10, start=wrong)


@pytest.mark.parametrize(("kind", "labels"), [("integer", ["20-24", "40-44"]), ("continuous", ["[20, 25)", "[40, 45)"])])
def test_how_intervals_are_named_is_read_from_the_released_file(kind, labels):
    file = released(cf.Recode("x", width=5), [20, 44], kind)
    assert file.data.column("x").values() == labels
    step = cf.Recode("x", width=5).suppose(file.data)
    assert step.channel.push(Column.of_numbers([21.0, 43.0])).values() == labels


def test_names_that_are_no_interval_of_the_steps_are_not_traced_back():
    channel = released(cf.Recode("x", width=5), [20, 44]).steps[0].channel
    low, high = channel.preimage(Column.of_labels(["[20, 25)", "[20, 30)", "[21, 26)", "other", "20-24", "[1e-9999, 2)"]))
    assert low[0] == 20
    assert high[0] == np.nextafter(25, 0)
    assert np.isnan(low[1:]).all()
    assert np.isnan(high[1:]).all()


def test_a_number_that_is_no_multiple_is_traced_back_to_nothing():
    channel = released(cf.Round("x", to=0.1), [0.3]).steps[0].channel
    low, _ = channel.preimage(Column.of_numbers([0.3, 0.31, 1e300, np.nan]))
    assert np.isnan(low).tolist() == [False, True, True, True]
