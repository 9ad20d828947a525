"""What every distance gives: columns of numbers for both files, and how they are compared."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import IntruderError, unknown
from confide.linking.distance.missing import MissingRule
from confide.typing import FloatArray, IntArray, Label


class Part(NamedTuple):
    """A variable, or a group of them, as columns of numbers; NaN is missing."""

    released: FloatArray
    """One row for each released record."""
    source: FloatArray
    """One row for each source record."""
    kind: int
    """COORDINATE, NOMINAL or TABLE."""
    offset: float = 0.0
    """What is added to differences of coordinates."""
    table: FloatArray | None = None
    """The weighted squared distance of released codes from source codes."""


class VariableDistance(Protocol):
    """How far apart two records are in a variable, or a group of variables."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables compared."""
        ...

    @property
    def weight(self) -> float:
        """What the squared distance is multiplied by."""
        ...

    @property
    def missing(self) -> MissingRule:
        """What a missing value counts."""
        ...

    def part(self, source: Microdata, released: Microdata) -> Part:
        """Give the columns of both files."""
        ...


def check_weight(name: str, weight: float) -> None:
    """Raise unless a weight is a positive number."""
    if not (np.isfinite(weight) and weight > 0):
        raise IntruderError(
            f"{name}: the weight must be positive and finite, found {weight}; leave the variable out instead"
        )


def both_columns(name: str, source: Microdata, released: Microdata) -> tuple[Column, Column]:
    """Give a variable's column in the source and in the released file."""
    for file, what in ((source, "the source file"), (released, "the released file")):
        if name not in file.columns:
            raise IntruderError(f"distance in {name!r}, {what}: {unknown('variable', name, file.names)}")
    return source.columns[name], released.columns[name]


def numbers_of(name: str, column: Column, file: str) -> FloatArray:
    """Give the numbers of a column, NaN where missing; raise where it holds categories or infinite numbers.

    Codes that are numbers, such as ages in a small file, are taken as numbers.

    >>> numbers_of("age", Column.of_labels([30, 40, None]), "source").tolist()
    [30.0, 40.0, nan]
    """
    column = column.as_numbers()
    coded = int(np.sum(column.codes >= 0))
    if coded:
        raise IntruderError(
            f"{name!r} holds categories in {coded} of {column.size} records of the {file} file, whose distance from a "
            f"number is not defined; code both files alike and take NominalDistance({name!r}) or OrdinalDistance({name!r})"
        )
    if bool(np.isinf(column.numbers).any()):
        raise IntruderError(f"{name!r} holds infinite numbers in the {file} file, whose distance is not defined")
    return np.asarray(column.numbers, dtype=np.float64)


def joint_codes(source: Column, released: Column) -> tuple[FloatArray, FloatArray, tuple[Label, ...]]:
    """Code both columns alike, NaN where missing, and give the values that the codes stand for.

    >>> a, b = Column.of_labels(["x", "y"]), Column.of_labels(["y", None])
    >>> joint_codes(a, b)
    (array([0., 1.]), array([ 1., nan]), ('x', 'y'))
    """
    labels = tuple(dict.fromkeys((*source.labels, *released.labels)))
    both = source.relabelled(labels), released.relabelled(labels)
    held = np.concatenate([c.numbers[c.is_number] for c in both])
    distinct = np.unique(held)
    found: list[FloatArray] = []
    for column in both:
        codes = np.where(column.codes >= 0, column.codes, np.nan).astype(np.float64)
        number = column.is_number
        codes[number] = len(labels) + np.searchsorted(distinct, column.numbers[number])
        found.append(codes)
    values = tuple(int(x) if x == int(x) else x for x in distinct.tolist())
    return found[0], found[1], (*labels, *values)


def used_codes(codes: FloatArray) -> tuple[IntArray, FloatArray]:
    """Give the codes that occur, and every record's place among them; NaN stays."""
    present = ~np.isnan(codes)
    used, place = np.unique(codes[present].astype(np.int64), return_inverse=True)
    placed = np.full(codes.size, np.nan)
    placed[present] = place
    return used, placed
