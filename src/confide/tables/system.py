"""Cells of one or of several linked tables, and the equations that tie them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, sparray

from confide.errors import TableError
from confide.tables.grid import Grid
from confide.tables.table import CellNames, Table
from confide.typing import AnyArray, FloatArray, IntArray

ADDITIVE = 1e-9
"""How far sums may be off, relative to the cells that they add."""


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """Values of cells and the equations between them: `equations @ values == 0`.

    An equation has -1 at a total and 1 at each of its parts. Cells of linked tables stand once, with the equations of
    every table.

    >>> import numpy as np
    >>> system = System(np.array([10.0, 4.0, 6.0]), csr_array(np.array([[-1, 1, 1]])))
    >>> system.n, system.lower.tolist()
    (3, [0.0, 0.0, 0.0])
    """

    values: FloatArray
    """The true value of each cell, totals included."""
    equations: csr_array
    """One row for each sum: -1 at the total, 1 at its parts."""
    lower: FloatArray = None  # type: ignore[assignment]
    """What everybody knows each cell to be at least; None: 0, or nothing at all when some value is negative."""
    upper: FloatArray = None  # type: ignore[assignment]
    """What everybody knows each cell to be at most; None: nothing."""
    costs: FloatArray = None  # type: ignore[assignment]
    """What each suppressed cell costs the readers; None: its absolute value, at least 1 part in 1,000 of the mean."""
    names: Sequence[str] | None = None
    """What messages call the cells; None: their places."""
    grid: Grid | None = None
    """Where the cells of one table stand; None: not known, as for linked tables. Only used to be faster."""
    tolerance: float = ADDITIVE
    """By what share of what it adds a sum may be off, as where values were rounded before; `float("inf")` takes any."""
    whole: bool = False
    """Whether everybody knows that values are whole numbers, as of counts; then ends of intervals are, too."""

    def __post_init__(self) -> None:
        """Check the shapes, the bounds and the sums."""
        x = _vector(self.values, "values", None)
        a = csr_array(self.equations, dtype=np.float64) if isinstance(self.equations, sparray) else _table(self.equations)
        a.sum_duplicates()
        a.eliminate_zeros()
        if a.shape[1] != x.size:
            raise TableError(
                f"the equations speak of {a.shape[1]:,} cells, and there are {x.size:,} values; give one column each"
            )
        if not np.isfinite(x).all():
            raise TableError(
                f"{int((~np.isfinite(x)).sum()):,} cell(s) have no finite value; leave them out, with their equations"
            )
        lower = np.full(x.size, 0.0 if bool((x >= 0).all()) else -np.inf) if self.lower is None else self.lower
        upper = np.full(x.size, np.inf) if self.upper is None else self.upper
        costs = default_costs(x) if self.costs is None else self.costs
        for name, found in (("values", x), ("lower", lower), ("upper", upper), ("costs", costs)):
            object.__setattr__(self, name, _vector(found, name, x.size))
        object.__setattr__(self, "equations", a)
        if self.names is not None and len(self.names) != x.size:
            raise TableError(f"{len(self.names):,} names for {x.size:,} cells; give one for each")
        self._check()

    @classmethod
    def of_table(
        cls, table: Table, costs: AnyArray | None = None, *, tolerance: float = ADDITIVE, whole: bool | None = None
    ) -> System:
        """Make the system of a table, or of linked ones; cells that do not occur are known to be empty.

        Args:
            table: the table.
            costs: what each suppressed cell costs the readers; None: its value.
            tolerance: by what share of what it adds a sum may be off.
            whole: whether values are known to be whole numbers; None: those of a table of counts without weights are.

        >>> import confide as cf
        >>> people = cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3, 4]})
        >>> System.of_table(cf.tabulate(people, ["sex"], "x")).equation(0)
        'Total = f + m'
        """
        grid = Grid.of_dimensions(table.codes, table.dimensions) if table.sums is None else None
        counts = table.counts if whole is None else whole
        return cls(
            table.values, table.equations(), costs=costs, names=CellNames(table), grid=grid,  # type: ignore[arg-type]
            tolerance=tolerance, whole=counts,
        )  # fmt: skip

    def _check(self) -> None:
        """Report sums that do not add up, and values outside their bounds."""
        if not self.tolerance >= 0:
            raise TableError(f"tolerance says by what share a sum may be off and cannot be negative; found {self.tolerance}")
        wrong = not_additive(self.equations, self.values, self.tolerance)
        if wrong.size:
            shown = "; ".join(self.equation(int(e)) for e in wrong[:5])
            more = f" and {wrong.size - 5:,} more" if wrong.size > 5 else ""
            raise TableError(
                f"{wrong.size:,} of {self.equations.shape[0]:,} sums do not add up: {shown}{more}; mend the values, "
                "or allow for rounding: tolerance=1e-6"
            )
        slack = ADDITIVE * np.maximum(1.0, np.abs(self.values))
        out = np.flatnonzero((self.values < self.lower - slack) | (self.values > self.upper + slack))
        if out.size:
            raise TableError(f"{out.size:,} value(s) lie outside their bounds: {self.listed(out)}; mend lower and upper")
        if self.whole and not bool(np.equal(self.values, np.round(self.values)).all()):
            raise TableError("values that are known to be whole numbers must be; leave whole=True away")
        if not bool(np.all(np.isfinite(self.costs) & (self.costs >= 0))):
            raise TableError("costs must be finite and not negative; freeze a cell that must be published")

    @property
    def n(self) -> int:
        """How many cells there are."""
        return self.values.size

    def name(self, cell: int) -> str:
        """Give the name of a cell."""
        return f"cell {cell}" if self.names is None else str(self.names[cell])

    def listed(self, cells: Iterable[int], most: int = 8) -> str:
        """Name some cells, and say how many more there are."""
        found = [int(c) for c in cells]
        more = f" and {len(found) - most:,} more" if len(found) > most else ""
        return ", ".join(self.name(c) for c in found[:most]) + more

    def equation(self, row: int, most: int = 6) -> str:
        """Write an equation with the names of its cells, without their values."""
        a = self.equations
        cells, signs = (z[a.indptr[row] : a.indptr[row + 1]] for z in (a.indices, a.data))
        parts = [self.name(int(c)) for c in cells[signs > 0]]
        more = [f"{len(parts) - most:,} more"] if len(parts) > most else []
        return f"{self.listed(cells[signs < 0]) or '0'} = {' + '.join(parts[:most] + more) or '0'}"

    def cells(self, chosen: Iterable[int] | AnyArray, what: str) -> IntArray:
        """Give cells as sorted places, from places or from a mask."""
        given = np.asarray(chosen if isinstance(chosen, np.ndarray) else list(chosen))
        if given.dtype == np.bool_:
            if given.shape != (self.n,):
                raise TableError(f"{what}: a mask of {given.size:,} for {self.n:,} cells; give one entry for each cell")
            return np.flatnonzero(given).astype(np.int64)
        if given.size and not (np.issubdtype(given.dtype, np.integer) or bool(np.all(given == np.floor(given)))):
            raise TableError(f"{what}: cells are counted by whole numbers, or marked by true and false; found fractions")
        places = np.unique(given.astype(np.int64)) if given.size else np.zeros(0, dtype=np.int64)
        if places.size and (places[0] < 0 or places[-1] >= self.n):
            raise TableError(f"{what}: cells are counted from 0 to {self.n - 1:,}; found {places[0]:,} to {places[-1]:,}")
        return places


def default_costs(values: FloatArray) -> FloatArray:
    """Cost cells by their absolute value, empty ones a little."""
    size = np.abs(values)
    mean = float(size.mean()) if size.size else 0.0
    return np.asarray(np.maximum(size, mean / 1000 if mean > 0 else 1.0))


def not_additive(equations: csr_array, values: FloatArray, tolerance: float = ADDITIVE) -> IntArray:
    """Find the equations that the values do not meet."""
    off = np.abs(equations @ values)
    return np.flatnonzero(off > tolerance * (abs(equations) @ np.abs(values) + 1e-300)).astype(np.int64)


def _vector(x: AnyArray | Sequence[float], name: str, n: int | None) -> FloatArray:
    """Give an array of numbers of the right length that nobody can change."""
    found = np.array(x, dtype=np.float64)
    if found.ndim != 1 or (n is not None and found.size != n):
        raise TableError(f"{name}: give one number for each cell; found an array of shape {found.shape}")
    if np.isnan(found).any():
        raise TableError(f"{name}: {int(np.isnan(found).sum()):,} are missing; give a number for each cell")
    found.setflags(write=False)
    return found


def _table(x: AnyArray) -> csr_array:
    """Make a sparse table of equations from a dense one."""
    found = np.atleast_2d(np.asarray(x, dtype=np.float64))
    return csr_array(found)
