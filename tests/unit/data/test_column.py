"""Columns of numbers, categories, or both."""

from __future__ import annotations

import numpy as np
import pytest

from confide.data.codebook import Kind
from confide.data.column import Column
from confide.data.convert import as_kind, in_order
from confide.errors import DeclarationError


@pytest.fixture
def mixed() -> Column:
    column = Column.of_numbers([1.0, 2.0, 9.0, float("nan")])
    return column.with_codes(np.array([False, False, True, False]), "3 or more")


def test_a_record_holds_a_number_a_category_or_nothing(mixed: Column) -> None:
    assert mixed.values() == [1, 2, "3 or more", None]
    assert mixed.is_number.tolist() == [True, True, False, False]
    assert mixed.is_missing.tolist() == [False, False, False, True]
    assert np.isnan(mixed.numbers[2])


def test_take_and_append(mixed: Column) -> None:
    other = Column.of_labels(["less", "3 or more", None])
    assert mixed.append(other).values() == [1, 2, "3 or more", None, "less", "3 or more", None]
    assert mixed.take(np.array([2, 0])).values() == ["3 or more", 1]


def test_with_numbers_replaces_categories(mixed: Column) -> None:
    assert mixed.with_numbers(mixed.codes >= 0, np.full(4, 7.0)).values() == [1, 2, 7, None]


def test_profile_gives_positions_of_distinct_values(mixed: Column) -> None:
    positions, distinct = mixed.append(mixed).profile()
    assert distinct.size == 4
    assert distinct.take(positions).values() == mixed.values() * 2


def test_relabelled_keeps_values(mixed: Column) -> None:
    assert mixed.relabelled(("new", "3 or more")).values() == mixed.values()


def test_numbers_become_categories_and_back(mixed: Column) -> None:
    assert as_kind(mixed, Kind.NOMINAL, "x").labels == (1, 2, "3 or more")
    codes = as_kind(Column.of_numbers([3.0, 1.0]), Kind.NOMINAL, "x")
    assert codes.labels == (1, 3)
    assert as_kind(codes, Kind.INTEGER, "x").values() == [3, 1]


@pytest.mark.parametrize("text", ["a", "nan", "inf", "1e999"])
def test_text_is_not_numeric(text: str) -> None:
    with pytest.raises(DeclarationError, match=r"'x' cannot be numeric: 2 record\(s\) hold text"):
        as_kind(Column.of_labels(["1", text, text]), Kind.CONTINUOUS, "x")


def test_unused_text_levels_do_not_matter() -> None:
    column = Column.of_labels(["1"], labels=["1", "refused"])
    assert as_kind(column, Kind.INTEGER, "x").values() == [1]


def test_order() -> None:
    column = Column.of_labels(["b", "a", None])
    assert in_order(column, ["a", "b", "c"], "x").codes.tolist() == [1, 0, -2]
    with pytest.raises(DeclarationError, match="names 'a' twice"):
        in_order(column, ["a", "b", "a"], "x")
    with pytest.raises(DeclarationError, match="leaves out 1 of its levels"):
        in_order(column, ["a"], "x")


def test_numbers_as_labels():
    column = Column.of_numbers([2.5, 1.0, np.nan, 2.5]).as_labels()
    assert column.labels == (1, 2.5)
    assert column.values() == [2.5, 1, None, 2.5]
    mixed = Column.of_numbers([3.0, 4.0]).with_codes(np.array([False, True]), "more").as_labels()
    assert mixed.values() == [3, "more"]
    named = Column.of_labels(["a", None])
    assert named.as_labels() is named
