"""A table: cells with their totals, and the largest contributions to each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

import numpy as np
from scipy.sparse import csr_array

from confide.errors import TableError, unknown, unknown_level
from confide.tables.additivity import Additivity
from confide.tables.dimension import Dimension
from confide.tables.equations import equations_of
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl

EXPOSED = "exposed"
"""The class of contributors without a waiver."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Cells of a table, totals included; only those that occur.

    Made by `tabulate` from microdata, by `table_of_aggregates` from cells, by `link_tables` from several tables. Cells are
    ordered by their codes. The arrays are internal: they hold what is confidential.
    """

    dimensions: tuple[Dimension, ...]
    """The dimensions, with their codes."""
    codes: IntArray
    """Cells x dimensions: the place of the cell's code among the dimension's codes; 0 is the total."""
    values: FloatArray
    """The value of each cell."""
    absolute: FloatArray
    """The sum of the contributions without their signs; what rules compare with."""
    largest: FloatArray
    """Cells x places: the largest contributions without their signs, 0 where there are fewer contributors."""
    respondents: FloatArray | None
    """How many contribute to each cell (holdings where given), zeros among them; None when not told."""
    active: FloatArray | None = None
    """How many contribute something other than 0; None when not told."""
    weights: FloatArray | None = None
    """The sum of survey weights, where given."""
    contributors: IntArray | None = None
    """Cells x places: who makes the largest contributions, as the place of the record, or of the holding among all
    holdings in order; -1 where there are fewer."""
    marked: Mapping[str, FloatArray] = field(default_factory=dict)
    """The largest contributions of classes of contributors: those without a waiver, those of each kind of request."""
    name: str = "count"
    """What is added up."""
    sums: csr_array | None = None
    """The equations where they do not follow from the dimensions, as for linked tables."""
    cell_keys: IntArray | None = None
    """The key of each cell, in units of 2^-52, where the keys of records were added up: `tabulate(..., keys=...)`."""
    seed: int | None = None
    """The seed that these keys hang on, if any: it can be guessed, so that the table is not for publication."""

    @property
    def n(self) -> int:
        """How many cells there are."""
        return int(self.values.size)

    @property
    def by(self) -> tuple[str, ...]:
        """The names of the dimensions."""
        return tuple(d.name for d in self.dimensions)

    @property
    def counts(self) -> bool:
        """Whether the table counts records, without weights: everybody knows that its values are whole numbers."""
        return self.name == "count" and self.weights is None and bool(np.equal(self.values, np.round(self.values)).all())

    @property
    def inner(self) -> BoolArray:
        """Which cells are no totals."""
        if self.sums is not None:
            total = np.zeros(self.n, dtype=np.bool_)
            total[self.sums.indices[self.sums.data < 0]] = True
            return ~total
        found = np.ones(self.n, dtype=np.bool_)
        for d, codes in zip(self.dimensions, self.codes.T, strict=True):
            found &= d.is_leaf[codes] >= 0
        return found

    def equations(self) -> csr_array:
        """Give one row for each total: -1 at the total, 1 at its parts; the rows times the values are 0.

        >>> import confide as cf
        >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3, 4]}), ["sex"], "x")
        >>> table.equations().toarray().tolist()
        [[-1.0, 1.0, 1.0]]
        """
        return equations_of(self.codes, self.dimensions) if self.sums is None else self.sums

    def additivity(self, tolerance: float = 1e-9) -> Additivity:
        """Say which sums do not add up, by more than a share of what they add."""
        return Additivity.of(self.equations(), self.values, self.cell_name, tolerance)

    def cell_name(self, cell: int) -> str:
        """Name a cell by its codes; codes of linked tables that say nothing are left out."""
        codes = [d.codes[c] for d, c in zip(self.dimensions, self.codes[cell].tolist(), strict=True)]
        if self.sums is not None:
            shown = [x for x, c in zip(codes, self.codes[cell].tolist(), strict=True) if c]
            return " x ".join(shown) or self.dimensions[0].codes[0]
        return " x ".join(codes) or "Total"

    def cell(self, *codes: str, **named: str) -> int:
        """Find a cell by the codes of its dimensions; those not named are totals.

        >>> import confide as cf
        >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3, 4]}), ["sex"], "x")
        >>> float(table.values[table.cell(sex="m")])
        4.0
        """
        given = {**dict(zip(self.by, codes, strict=False)), **named}
        match = np.ones(self.n, dtype=np.bool_)
        for d, column in zip(self.dimensions, self.codes.T, strict=True):
            code = given.pop(d.name, d.codes[0])
            if code not in d.codes:
                told = np.full(d.size, 10.0)
                if self.respondents is not None:
                    told[:] = 0
                    np.maximum.at(told, column, self.respondents)
                raise TableError(f"{d.name!r}: {unknown_level(code, d.codes, confided=False, counts=told.astype(int))}")
            match &= column == d.codes.index(code)
        if given:
            raise TableError(unknown("dimension", next(iter(given)), self.by))
        if not match.any():
            raise TableError("no record contributes to this cell; only cells that occur are kept")
        return int(np.flatnonzero(match)[0])

    def largest_of(self, kind: str, places: int) -> FloatArray:
        """Give the largest contributions of a class of contributors; raise when fewer places were kept than asked."""
        found = self.largest if kind == "" else self.marked[kind]
        if found.shape[1] < places:
            raise TableError(
                f"the rule needs the {places} largest contributions of each cell, and the table holds {found.shape[1]}; "
                f"use tabulate(..., largest={places}), or name their columns: table_of_aggregates(..., largest=[...])"
            )
        return found[:, :places]

    def exposed(self, places: int) -> FloatArray:
        """Give the largest contributions of those who gave no waiver."""
        return self.largest_of(EXPOSED if EXPOSED in self.marked else "", places)

    def frame(self, extra: Mapping[str, Sequence[object]] | None = None, *, texts: bool = False) -> pl.DataFrame:
        """Give a frame with one row per cell: codes, value, respondents, and further columns.

        Args:
            extra: further columns, such as `{"sensitive": rule.sensitive(table)}`.
            texts: whether to write what codes mean, where a code list says so.

        >>> import confide as cf
        >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3, 4]}), ["sex"], "x")
        >>> table.frame().to_dicts()[0]
        {'sex': 'Total', 'x': 7.0, 'respondents': 2.0}
        """
        import polars as pl

        columns = []
        for d, codes in zip(self.dimensions, self.codes.T, strict=True):
            labels = pl.Series(d.name, [d.texts.get(c, c) if texts else c for c in d.codes], dtype=pl.String)
            columns.append(labels.gather(codes))
        columns.append(pl.Series(self.name, self.values))
        if self.respondents is not None:
            columns.append(pl.Series("respondents", self.respondents))
        columns += [pl.Series(name, values) for name, values in (extra or {}).items()]
        return pl.DataFrame(columns)

    def __repr__(self) -> str:
        """Say what the table holds."""
        if self.sums is None:
            shape = " x ".join(map(repr, self.dimensions)) or "total only"
        else:
            shape = "linked tables of " + ", ".join(self.by)
        return f"Table({self.name} by {shape}: {self.n:,} cells, {int(self.inner.sum()):,} of them inner)"


class CellNames(Sequence[str]):
    """The names of a table's cells, each made when it is asked for."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __len__(self) -> int:
        """Count the cells."""
        return self._table.n

    @overload
    def __getitem__(self, cell: int) -> str: ...
    @overload
    def __getitem__(self, cell: slice) -> list[str]: ...
    def __getitem__(self, cell: int | slice) -> str | list[str]:
        """Name a cell, or several."""
        if isinstance(cell, slice):
            return [self._table.cell_name(c) for c in range(*cell.indices(len(self)))]
        return self._table.cell_name(range(len(self))[cell])
