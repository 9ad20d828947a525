"""Files as arrays, statements about them, and how many records satisfy a statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from confide.data.column import NUMBER, Column
from confide.data.microdata import Microdata
from confide.linking.parallel import in_chunks
from confide.risk.attacks.predicate_kernel import AT_LEAST, AT_MOST, CODE, EQUAL, count_matches
from confide.typing import FloatArray, IntArray

CHUNK = 64
"""So many statements are counted at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A file as arrays, variables by records."""

    numbers: FloatArray
    """The number of each record."""
    codes: IntArray
    """The category of each record, NUMBER or MISSING."""
    order: IntArray
    """The records of each variable, sorted: missing, numbers, categories."""

    @classmethod
    def of(cls, columns: Sequence[Column]) -> Table:
        """Sort every column once."""
        order = np.array([np.lexsort((c.numbers, c.codes)) for c in columns], dtype=np.int64)
        return cls(np.array([c.numbers for c in columns]), np.array([c.codes for c in columns]), order)

    @property
    def n(self) -> int:
        """The number of records."""
        return int(self.codes.shape[1])

    @property
    def p(self) -> int:
        """The number of variables."""
        return int(self.codes.shape[0])

    def range(self, j: int, says: IntArray, value: FloatArray) -> tuple[IntArray, IntArray]:
        """Give where those who satisfy conditions on a variable begin and end in its order."""
        codes, numbers = self.codes[j, self.order[j]], self.numbers[j, self.order[j]]
        code = np.where(says == CODE, value, NUMBER)
        begin, end = np.searchsorted(codes, code, side="left"), np.searchsorted(codes, code, side="right")
        a, b = np.searchsorted(codes, NUMBER, side="left"), np.searchsorted(codes, NUMBER, side="right")
        low = a + np.searchsorted(numbers[a:b], value, side="left")
        high = a + np.searchsorted(numbers[a:b], value, side="right")
        begin = np.where((says == EQUAL) | (says == AT_LEAST), low, begin)
        end = np.where((says == EQUAL) | (says == AT_MOST), high, end)
        return begin.astype(np.int64), end.astype(np.int64)


class Statements(NamedTuple):
    """Statements by conditions; a record satisfies a statement when it satisfies all its conditions."""

    column: IntArray
    """The variable of each condition."""
    says: IntArray
    """CODE, EQUAL, AT_MOST or AT_LEAST."""
    value: FloatArray
    """The number, or the code."""

    @property
    def many(self) -> int:
        """How many there are."""
        return int(self.column.shape[0])

    def take(self, rows: IntArray) -> Statements:
        """Keep some."""
        return Statements(self.column[rows], self.says[rows], self.value[rows])

    def matches(self, table: Table, *, most: int = 1) -> tuple[IntArray, IntArray]:
        """Count the records that satisfy each statement, up to one more than `most`, and give one of them (-1: none)."""
        count, row = np.zeros(self.many, dtype=np.int64), np.full(self.many, -1, dtype=np.int64)
        begin, end = np.zeros(self.column.shape, dtype=np.int64), np.zeros(self.column.shape, dtype=np.int64)
        for j in np.unique(self.column).tolist():
            here = self.column == j
            begin[here], end[here] = table.range(j, self.says[here], self.value[here])
        common = (table.numbers, table.codes, table.order, *self, begin, end, most, count, row)
        in_chunks(lambda a, b: count_matches(a, b, *common), self.many, CHUNK)
        return count, row


def tables_of(files: Sequence[Microdata], names: Sequence[str]) -> list[Table]:
    """Write files as arrays, with the same codes for the same categories."""
    columns: list[list[Column]] = [[] for _ in files]
    for name in names:
        labels = tuple(dict.fromkeys(label for f in files for label in f.columns[name].labels))
        for own, file in zip(columns, files, strict=True):
            own.append(file.columns[name].relabelled(labels))
    return [Table.of(own) for own in columns]
