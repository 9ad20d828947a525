"""Whom the intruder looks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.data.convert import as_kind
from confide.data.microdata import Microdata
from confide.errors import DeclarationError, IntruderError, unknown
from confide.intruder.knowledge import Knowledge
from confide.typing import IntArray, Label


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """A group of targets, and what is known about them if it differs.

    >>> Targets.where(race=3).describe()
    'respondents chosen by race'
    """

    rows: tuple[int, ...] | None = None
    """Rows of the source file, counted from 0."""
    condition: tuple[tuple[str, Label], ...] = ()
    """Values that the targets have in the source file."""
    records: Microdata | None = None
    """Targets from elsewhere, coded as the source file."""
    knows: Sequence[str | Knowledge] | None = None
    """What is known about these targets, where it is not what the intruder knows in general."""

    @classmethod
    def all(cls, *, knows: Sequence[str | Knowledge] | None = None) -> Targets:
        """Take every respondent of the source file."""
        return cls(knows=knows)

    @classmethod
    def of_rows(cls, rows: Sequence[int], *, knows: Sequence[str | Knowledge] | None = None) -> Targets:
        """Take some rows of the source file, counted from 0."""
        return cls(rows=tuple(int(r) for r in rows), knows=knows)

    @classmethod
    def where(cls, *, knows: Sequence[str | Knowledge] | None = None, **values: Label) -> Targets:
        """Take the respondents that have the given values in the source file."""
        return cls(condition=tuple(values.items()), knows=knows)

    @classmethod
    def of_records(cls, records: Microdata, *, knows: Sequence[str | Knowledge] | None = None) -> Targets:
        """Take people from elsewhere, who may or may not be in the file."""
        return cls(records=records, knows=knows)

    def describe(self) -> str:
        """Say who they are, without values."""
        if self.records is not None:
            return f"{self.records.n} people from elsewhere"
        if self.rows is not None:
            return f"{len(self.rows)} chosen respondents"
        if self.condition:
            return "respondents chosen by " + ", ".join(k for k, _ in self.condition)
        return "all respondents"

    def resolve(self, source: Microdata | None) -> tuple[Microdata, IntArray]:
        """Give the targets' true values and their rows in the source file (-1: from elsewhere)."""
        if self.records is not None:
            if self.records.n == 0:
                raise IntruderError("there are no targets: the file of targets is empty")
            records = _as_coded(self.records, source) if source is not None else self.records
            return records, np.full(records.n, -1, dtype=np.int64)
        if source is None:
            raise IntruderError("without a source file, targets must be given as records: Targets.of_records(...)")
        if self.rows is not None:
            outside = sum(not 0 <= r < source.n for r in self.rows)
            if outside:
                raise IntruderError(
                    f"{outside} target row(s) lie outside the source file; rows run from 0 to {source.n - 1}"
                )
            rows = np.asarray(self.rows, dtype=np.int64)
        else:
            rows = np.flatnonzero(np.logical_and.reduce([np.ones(source.n, bool), *self._matches(source)]))
        if rows.size == 0:
            raise IntruderError(f"there are no targets: no record fits '{self.describe()}'")
        return source.take(rows), rows

    def _matches(self, source: Microdata) -> list[np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Give, for each condition, which records fit it."""
        masks = []
        for name, value in self.condition:
            if name not in source.columns:
                raise IntruderError(f"targets: {unknown('variable', name, source.names)}")
            column = source.columns[name]
            if column.labels:
                place = next((i for i, x in enumerate(column.labels) if x == value or str(x) == str(value)), None)
                if place is None:
                    raise IntruderError(f"targets: variable {name!r} has no level {value!r}")
                masks.append(column.codes == place)
            else:
                masks.append(column.numbers == float(value))
        return masks


def _as_coded(records: Microdata, source: Microdata) -> Microdata:
    """Read the targets' columns with the kinds of the source file."""
    columns: dict[str, Column] = {}
    for name in records.names:
        if name in source.variables:
            try:
                column = as_kind(records.columns[name], source.variables[name].kind, name)
            except DeclarationError as error:
                raise IntruderError(f"targets: {error}") from None
            columns[name] = _same_labels(column, source.columns[name])
    return records.with_columns(columns)


def _same_labels(column: Column, source: Column) -> Column:
    """Read labels that differ from the source's only in type (1 and '1') as the source's."""
    by_text = {str(x): x for x in source.labels}
    labels = tuple(by_text.get(str(x), x) for x in column.labels)
    return Column(column.numbers, column.codes, labels) if len(set(labels)) == len(labels) else column
