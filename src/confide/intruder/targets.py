"""Whom the intruder looks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.codebook import Role
from confide.data.column import Column
from confide.data.convert import as_kind
from confide.data.microdata import Microdata
from confide.errors import DeclarationError, IntruderError, unknown, unknown_level
from confide.intruder.knowledge import Knowledge
from confide.intruder.same_person import rows_of
from confide.kit.telling import counted
from confide.release.released import UNKNOWN
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
    id: str | None = None
    """The variable that names a person in the targets' file and in the source file; None: nobody knows who is who."""

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
    def of_records(
        cls,
        records: Microdata,
        *,
        id: str | None = None,  # noqa: A002
        knows: Sequence[str | Knowledge] | None = None,
    ) -> Targets:
        """Take people from elsewhere, who may or may not be in the file.

        Without an id it is not known which released record is a target's: what the intruder perceives is defined, true
        matches are not, and no limit that needs them holds. The id serves to count true matches; the intruder does not
        see it.

        Args:
            records: the people, coded as the source file.
            id: the variable that names a person in both files. Someone whose id is not in the source file is known not to
                be in it; where none is, this is an error, and where not all are, the assessment says how many. Who would be
                found without leading zeros, blanks and capitals may be in it: true matches are then undefined.
            knows: what is known about them, where it is not what the intruder knows in general.

        >>> import confide as cf
        >>> source = cf.Microdata.from_dict({"pid": ["a", "b", "c"], "sex": ["m", "f", "f"]})
        >>> register = cf.Microdata.from_dict({"pid": ["c", "z"], "sex": ["f", "m"]})
        >>> Targets.of_records(register, id="pid").resolve(source)[1].tolist()
        [2, -1]
        """
        return cls(records=records, knows=knows, id=id)

    def describe(self) -> str:
        """Say who they are, without values."""
        if self.records is not None:
            named = "" if self.id is None else f", found in the source file by {self.id}"
            return f"{self.records.n:,} people from elsewhere{named}"
        if self.rows is not None:
            return f"{len(self.rows)} chosen respondents"
        if self.condition:
            return "respondents chosen by " + ", ".join(k for k, _ in self.condition)
        return "all respondents"

    def resolve(self, source: Microdata | None) -> tuple[Microdata, IntArray]:
        """Give the targets' true values and their rows in the source file: NOBODY's for who is not in it, or UNKNOWN."""
        if self.records is not None:
            if self.records.n == 0:
                raise IntruderError("there are no targets: the file of targets is empty")
            records = _as_coded(self.records, source) if source is not None else self.records
            if self.id is not None:
                return records, rows_of(self.id, records, source)
            return records, np.full(records.n, UNKNOWN, dtype=np.int64)
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
                    confided = source.variables[name].role is Role.SENSITIVE
                    what = unknown_level(
                        value, column.labels, confided=confided, counts=counted(column.codes, len(column.labels))
                    )
                    raise IntruderError(f"targets, variable {name!r}: {what}")
                masks.append(column.codes == place)
            elif isinstance(value, str):
                raise IntruderError(f"targets, variable {name!r} holds numbers; found the text {value!r}")
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
