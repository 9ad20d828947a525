"""The columns that a term makes of each file, and which of them mean the same in both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.column import MISSING, Column
from confide.errors import HarmError
from confide.typing import BoolArray, FloatArray, Label

MOST_LEVELS = 100
"""A category variable may have this many levels in a model."""


@dataclass(frozen=True, slots=True)
class Columns:
    """What one term makes of a variable: a line for its numbers, indicators for its categories.

    >>> made = Columns("sex", line=False, numbers=False, reference="f", levels=("m",))
    >>> made.names, made.matrix(Column.of_labels(["m", "f"])).tolist()
    (('sex[m]',), [[1.0], [0.0]])
    """

    text: str
    """The term as in the formula."""
    line: bool
    """Whether numbers enter with a slope."""
    numbers: bool
    """Whether numbers occur."""
    reference: Label | None
    """The category that has no indicator; None where numbers are what categories are compared with."""
    levels: tuple[Label, ...]
    """The categories that have an indicator."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coefficients."""
        return (*((self.text,) if self.line else ()), *(self.name(x) for x in self.levels))

    def name(self, level: Label) -> str:
        """Name the coefficient of a category."""
        return f"{self.text}[{level}]"

    def matrix(self, column: Column) -> FloatArray:
        """Give the covariates, records by columns."""
        parts = [np.where(column.is_number, column.numbers, 0.0)] if self.line else []
        parts += [(column.codes == _code(column, x)).astype(np.float64) for x in self.levels]
        return np.column_stack(parts) if parts else np.empty((column.size, 0))

    def covers(self, column: Column) -> BoolArray:
        """Say which records have a value that the columns can express."""
        known = column.is_number & self.numbers
        for level in (*self.levels, *(() if self.reference is None else (self.reference,))):
            known |= column.codes == _code(column, level)
        return known


@dataclass(frozen=True, slots=True)
class PairedTerm:
    """One term in both files."""

    source: Columns
    """In the source file."""
    released: Columns | None
    """In the released file; None where the variable is not released, or is constant."""
    shared: frozenset[str]
    """The coefficients that mean the same in both files."""
    anchored: bool
    """Whether an intercept means the same in both files."""
    notes: tuple[str, ...] = ()
    """What differs, in words."""


def dropped_term(text: str, variable: str, source: Column) -> PairedTerm:
    """Pair a term whose variable is not released."""
    note = f"{variable!r} is not in the release; the released model is fitted without it"
    return PairedTerm(_learn(text, source, None), None, frozenset(), False, (note,))


def pair_term(text: str, source: Column, coded: Column, released: Column) -> PairedTerm:
    """Learn the columns of a term from the source file, then those of the released file.

    Both files get the same columns where the release writes the variable as the source does. Columns of
    recoded values are the released file's own.

    Args:
        text: the term as in the formula.
        source: the values of the source records that are used.
        coded: the same values, written as in the release.
        released: the values of the released records that are used.

    >>> column = Column.of_labels(["a", "b", "c", "c"])
    >>> merged = Column.of_labels(["a", "b or c", "b or c", "b or c"])
    >>> pair_term("x", column, merged, merged).shared
    frozenset()
    """
    there = _used(released)
    kept = _kept(source, coded)
    wanted = next((x for x in _used(source) if x in kept and x in there), None)
    own = _learn(text, source, wanted)
    reference = wanted if own.reference is not None else None
    other: Columns | None = _learn(text, released, reference)
    assert other is not None
    shared = {text} & set(own.names) & set(other.names)
    same_base = (own.numbers and other.numbers) or (reference is not None and own.reference == other.reference)
    if same_base:
        shared |= {own.name(x) for x in own.levels if x in kept and x in other.levels}
    notes = _notes(text, own, other, released, kept)
    anchored = same_base and own.line == other.line
    if not other.names:
        other = None if own.line or not anchored else other
    return PairedTerm(own, other, frozenset(shared), anchored, notes)


def _notes(text: str, own: Columns, other: Columns, released: Column, kept: set[Label]) -> tuple[str, ...]:
    """Say in words how the released columns differ."""
    if own.numbers and not other.numbers:
        return (f"{text!r} is a number in the source and released in categories; its coefficients cannot be compared",)
    if other.numbers and not own.numbers:
        return (f"{text!r} is released as numbers; its coefficients cannot be compared",)
    notes = []
    if own.line and not other.line:
        notes.append(f"{text!r} is constant in the release; the released model is fitted without it")
    coded = int(np.sum(released.codes >= 0))
    if own.numbers and coded and any(x not in own.levels for x in other.levels):
        notes.append(
            f"{text!r} is released in categories for {coded:,} of {released.size:,} records; they have coefficients of "
            "their own, and the slope is that of the other records"
        )
    here = [x for x in (own.reference, *own.levels) if x is not None]
    moved = sum(x not in kept for x in here)
    if moved:
        notes.append(f"{text!r} is released in other categories; {moved} of its {len(here)} cannot be compared")
    lost = [own.name(x) for x in here if x in kept and x not in (other.reference, *other.levels)]
    if lost:
        notes.append(f"there is no {', '.join(lost[:5])}{', ...' if len(lost) > 5 else ''} in the release")
    return tuple(notes)


def _learn(text: str, column: Column, reference: Label | None) -> Columns:
    """Find numbers and categories of a variable."""
    used = _used(column)
    if len(used) > MOST_LEVELS:
        raise HarmError(
            f"{text} has {len(used):,} categories, a model takes at most {MOST_LEVELS}; recode the variable, "
            "or declare kinds={...: 'continuous'} if it holds amounts"
        )
    x = column.numbers[column.is_number]
    line = bool(x.size and np.ptp(x) > 0)
    if not x.size and used:
        reference = reference if reference in used else used[0]
        return Columns(text, False, False, reference, tuple(u for u in used if u != reference))
    return Columns(text, line, bool(x.size), None, tuple(used))


def _used(column: Column) -> list[Label]:
    """List the categories that occur, in order."""
    return [column.labels[c] for c in np.unique(column.codes[column.codes >= 0])]


def _kept(source: Column, coded: Column) -> set[Label]:
    """Give the categories of the source that the release neither splits, merges nor renames."""
    labels = tuple(dict.fromkeys((*source.labels, *coded.labels)))
    a, b = source.relabelled(labels).codes, coded.relabelled(labels).codes
    changed = (a != b) & (b != MISSING)
    gone = set(a[changed].tolist()) | set(b[changed].tolist())
    return {x for x in source.labels if labels.index(x) not in gone}


def _code(column: Column, level: Label) -> int:
    """Give the code of a category, or one that no record has."""
    return column.labels.index(level) if level in column.labels else -99
