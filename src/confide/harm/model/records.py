"""The records of a file that a model can use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from confide.data.column import MISSING, Column
from confide.data.microdata import Microdata
from confide.errors import HarmError
from confide.harm.model.formula import ModelFormula, ModelTerm
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Complete records, with what the terms make of their values."""

    columns: Mapping[ModelTerm, Column]
    """The values of every term that the file holds, of the rows used."""
    rows: IntArray
    """Which rows of the file are used."""
    total: int
    """The number of records of the file."""
    weights: FloatArray
    """The weight of every row used, one on average."""
    file: str
    """What the file is called in messages."""
    notes: tuple[str, ...]
    """Which records were left out, in words."""


def gather(data: Microdata, formula: ModelFormula, file: str, *, amount: bool, weighted: bool) -> Records:
    """Take the complete records of a file.

    Args:
        data: the file.
        formula: the model.
        file: what the file is called in messages.
        amount: whether the response is an amount; records with a category in its place are left out.
        weighted: whether records count by their weights; those of weight zero are left out.
    """
    there = [t for t in (formula.response, *formula.terms) if t.variable in data.columns]
    given = {t: data.columns[t.variable] for t in there}
    columns = {t: transformed(c, t) for t, c in given.items()}
    weights = _weights(data, file) if weighted else np.ones(data.n)
    nobody = np.zeros(data.n, dtype=np.bool_)
    reasons = {
        "a value is missing": _any([c.is_missing for c in given.values()], nobody),
        "a value has no logarithm": _any([c.is_missing for c in columns.values()], nobody),
        f"{formula.response} is a category": columns[formula.response].codes >= 0 if amount else nobody,
        "the weight is zero": weights == 0,
    }
    left, notes = nobody.copy(), []
    for reason, where in reasons.items():
        more = int(np.sum(where & ~left))
        left |= where
        notes += [f"{more:,} of {data.n:,} records of the {file} are left out: {reason}"] if more else []
    rows = np.flatnonzero(~left)
    if rows.size == 0:
        raise HarmError(f"no record of the {file} can be used for the model {formula}: {'; '.join(notes)}")
    taken = {t: c.take(rows) for t, c in columns.items()}
    _check_finite(taken, file)
    w = weights[rows]
    return Records(taken, rows, data.n, np.asarray(w / w.mean(), dtype=np.float64), file, tuple(notes))


def _any(masks: list[BoolArray], nobody: BoolArray) -> BoolArray:
    """Say for which records one of several things holds."""
    return np.asarray(np.any([nobody, *masks], axis=0), dtype=np.bool_)


def _check_finite(columns: Mapping[ModelTerm, Column], file: str) -> None:
    """Raise where a number is infinite."""
    for term, column in columns.items():
        bad = int(np.sum(np.isinf(column.numbers)))
        if bad:
            raise HarmError(f"{term} is infinite for {bad:,} records of the {file}; set these values missing")


def transformed(column: Column, term: ModelTerm) -> Column:
    """Take the logarithm of the numbers where the term says so; those that have none become missing.

    Numbers that are categories become labels.

    >>> transformed(Column.of_numbers([1.0, 0.0]), ModelTerm("x", log=True)).values()
    [0, None]
    >>> transformed(Column.of_numbers([2.0, 1.0]), ModelTerm("x", category=True)).labels
    (1, 2)
    """
    if term.category:
        return column.as_labels()
    if not term.log:
        return column
    positive = positive_numbers(column)
    numbers = np.log(column.numbers, out=np.full(column.size, np.nan), where=positive)
    return Column(numbers, np.where(column.is_number & ~positive, MISSING, column.codes), column.labels)


def positive_numbers(column: Column) -> BoolArray:
    """Say which records hold a positive number."""
    with np.errstate(invalid="ignore"):
        return np.asarray(column.is_number & (column.numbers > 0), dtype=np.bool_)


def without_logarithm(column: Column) -> int:
    """Count the numbers that are not positive."""
    return int(np.sum(column.is_number & ~positive_numbers(column)))


def _weights(data: Microdata, file: str) -> FloatArray:
    """Give the survey weights, or say how to declare them."""
    weights = data.weights
    if weights is None:
        raise HarmError(f"weights=True, but the {file} has no weight; declare(weight=...), or give weights=False")
    if not bool(np.all(np.isfinite(weights) & (weights >= 0))):
        raise HarmError(f"weights=True, but some weights of the {file} are missing, infinite or negative")
    return weights
