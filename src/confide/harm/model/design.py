"""The covariates of both files."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import HarmError
from confide.harm.model.coding import in_released_coding
from confide.harm.model.fit import check_size
from confide.harm.model.formula import ModelFormula
from confide.harm.model.records import Records, transformed
from confide.harm.model.terms import Columns, PairedTerm, dropped_term, pair_term
from confide.release.released import Released
from confide.typing import BoolArray, FloatArray

INTERCEPT = "(intercept)"


@dataclass(frozen=True, slots=True, eq=False)
class PairedDesign:
    """Covariates of source and release, and of the source as the released model sees it."""

    source_names: tuple[str, ...]
    """The columns of the source model, the intercept first."""
    released_names: tuple[str, ...]
    """The columns of the released model."""
    source: FloatArray
    """Covariates of the source records."""
    released: FloatArray
    """Covariates of the released records."""
    coded: FloatArray
    """Covariates of the source records in the columns of the released model."""
    covered: BoolArray
    """Which source records the released model can predict."""
    shared: frozenset[str]
    """The columns that mean the same in both files."""
    notes: tuple[str, ...]
    """What differs, in words."""


def pair_design(released: Released, source: Microdata, formula: ModelFormula, own: Records, other: Records) -> PairedDesign:
    """Learn the columns from the source, fit those of the release to them, and fill in both files."""
    paired: list[PairedTerm] = []
    in_release: list[tuple[Columns, Column, Column]] = []
    for term in formula.terms:
        column = own.columns[term]
        if term not in other.columns:
            made = dropped_term(str(term), term.variable, column)
        else:
            coded = transformed(in_released_coding(released, source.columns[term.variable], term.variable), term)
            coded = coded.take(own.rows)
            made = pair_term(str(term), column, coded, other.columns[term])
            if made.released is not None:
                in_release.append((made.released, other.columns[term], coded))
        if not made.source.names:
            raise HarmError(f"{term} is constant in the {own.file}, so it has no coefficient; leave it out")
        paired.append(made)
    source_names = _names([m.source for m in paired])
    released_names = _names([columns for columns, _, _ in in_release])
    shared = frozenset().union(*(m.shared for m in paired))
    if all(m.anchored for m in paired):
        shared |= {INTERCEPT}
    covered = np.ones(own.rows.size, dtype=np.bool_)
    for columns, _, coded in in_release:
        covered &= columns.covers(coded)
    return PairedDesign(
        source_names,
        released_names,
        _matrix([(m.source, own.columns[t]) for m, t in zip(paired, formula.terms, strict=True)], own.rows.size),
        _matrix([(columns, column) for columns, column, _ in in_release], other.rows.size),
        _matrix([(columns, coded) for columns, _, coded in in_release], own.rows.size),
        covered,
        shared,
        _notes(paired, intercept=INTERCEPT in shared),
    )


def _names(made: list[Columns]) -> tuple[str, ...]:
    """Name all columns, the intercept first."""
    names = (INTERCEPT, *(name for columns in made for name in columns.names))
    check_size(len(names))
    if len(set(names)) < len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise HarmError(f"two coefficients would be called {twice!r}; rename a variable or a category")
    return names


def _matrix(made: list[tuple[Columns, Column]], n: int) -> FloatArray:
    """Fill in the covariates."""
    return np.column_stack([np.ones(n), *(columns.matrix(column) for columns, column in made)])


def _notes(paired: list[PairedTerm], *, intercept: bool) -> tuple[str, ...]:
    """Collect what differs."""
    notes = [note for made in paired for note in made.notes]
    if not intercept:
        notes.append("the intercept stands for something else in the release and is not compared")
    return tuple(notes)
