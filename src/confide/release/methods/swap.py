"""Swap the values of a variable between random pairs of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import ReleaseError, repeated
from confide.kit.keyed import Draws
from confide.release.channel import Channel, Discrete
from confide.release.method import Draft, the_column
from confide.release.vary import Varying
from confide.seeds import Stream
from confide.typing import FloatArray, IntArray, Label

MOST_LEVELS = 5_000
MOST_ENTRIES = 2**27
"""The swap matrices of all strata may have this many entries (1 GiB)."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """Estimate the swap matrix as the paper's intruder does: repeat the swap and count (3.2.1)."""

    times: int = 100
    """How often the swap is repeated."""
    seed: int = 0
    """The seed of the repetitions."""


@dataclass(frozen=True, slots=True)
class GivenMatrix:
    """A swap matrix that is known or supposed: Pr(released | true), rows are true levels."""

    levels: Sequence[Label]
    """The levels, in the order of rows and columns."""
    rows: Sequence[Sequence[float]]
    """One row per true level; each sums to one."""

    def __post_init__(self) -> None:
        """Check that it is a matrix of probabilities with rows that sum to one."""
        k = len(self.levels)
        widths = [len(row) for row in self.rows]
        if widths != [k] * k:
            raise ReleaseError(f"the swap matrix of {k} levels must be {k} by {k}, found rows of lengths {widths}")
        matrix = np.asarray(self.rows, dtype=np.float64)
        if not bool(np.all((matrix >= 0) & (matrix <= 1 + 1e-9))) or not np.allclose(matrix.sum(axis=1), 1.0, atol=1e-9):
            raise ReleaseError(
                "a swap matrix holds Pr(released | true): no entry is negative and each ROW (true level) sums to one; "
                f"found row sums {np.round(matrix.sum(axis=1), 6).tolist()}"
            )


@dataclass(frozen=True, slots=True)
class GivenMatrices:
    """Swap matrices that are known or supposed, one for each stratum: Pr(released | true), rows are true levels."""

    levels: Sequence[Label]
    """The levels, in the order of rows and columns."""
    matrices: Mapping[Label, Sequence[Sequence[float]]]
    """The rows of each stratum's matrix; each sums to one."""

    def __post_init__(self) -> None:
        """Check every matrix."""
        if not self.matrices:
            raise ReleaseError("GivenMatrices: give a matrix for each stratum")
        for rows in self.matrices.values():
            GivenMatrix(self.levels, rows)


@dataclass(frozen=True, slots=True)
class Swap(Varying):
    """Exchange values between random pairs of records (Reiter 2005, sections 3.2.1 and 4.1).

    A share `rate` of the records is drawn, paired at random and exchanges its values. Equal
    values may meet, so that nothing changes. Within strata, pairs are drawn stratum by stratum; the strata of several
    variables are the combinations that occur. A stratum of one record is left as it is.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"race": ["w", "w", "b", "w", "a", "b"]})
    >>> step = cf.Swap("race", rate=4 / 6).bind(data)
    >>> step.channels["race"].levels
    ('a', 'b', 'w')
    >>> step.channels["race"].matrix[0].round(3).tolist()
    [[0.333, 0.267, 0.4], [0.133, 0.467, 0.4], [0.133, 0.267, 0.6]]
    """

    variable: str
    """The variable whose values are swapped."""
    rate: float = 0.0
    """The share of records that take part."""
    within: str | Sequence[str] | None = None
    """A variable or several; pairs have the same values of them."""
    matrix: Simulated | GivenMatrix | GivenMatrices | None = None
    """How the intruder knows the swap matrix; None: its exact expectation."""

    def __post_init__(self) -> None:
        """Keep the names as a tuple, and check what can be checked without data."""
        object.__setattr__(self, "within", self.strata or None)
        if not 0.0 <= self.rate <= 1.0:
            raise ReleaseError(f"Swap {self.variable!r}: rate is a share of the records between 0 and 1, found {self.rate}")
        if self.variable in self.strata:
            raise ReleaseError(
                f"Swap {self.variable!r}: swapping within equal values of the variable itself changes nothing"
            )
        twice = repeated(self.strata)
        if twice:
            raise ReleaseError(f"Swap {self.variable!r}: within names {', '.join(map(repr, twice))} twice; name it once")
        if isinstance(self.matrix, GivenMatrices) and len(self.strata) != 1:
            raise ReleaseError(
                f"Swap {self.variable!r}: matrices for strata need within=..., the one variable that tells them apart"
            )

    @property
    def variables(self) -> tuple[str, ...]:
        """The variable whose values are swapped."""
        return (self.variable,)

    @property
    def strata(self) -> tuple[str, ...]:
        """The variables within whose values records are paired."""
        return (self.within,) if isinstance(self.within, str) else tuple(self.within or ())

    def describe(self) -> str:
        """Say in one line what is done."""
        where = f" within {' and '.join(self.strata)}" if self.strata else ""
        return f"swap {self.variable} for {self.rate:.3g} of the records{where}"

    def suppose(self, released: Microdata) -> SwapStep:
        """Find the matrix as an outsider who sees only the released file: blanks came later and are no level."""
        told = np.ones(released.n, dtype=np.bool_)
        for name in (self.variable, *self.strata):
            told &= ~the_column(released, name, self).is_missing
        step = self.bind(released if told.all() else released.take(np.flatnonzero(told)))
        if told.all() or step.discrete.counts is None:
            return step
        n = step.discrete.counts.sum(axis=1)
        moved = np.array([swap_size(int(size), self.rate) / size if size else self.rate for size in n])
        return replace(step, discrete=replace(step.discrete, moved=moved))

    def bind(self, data: Microdata) -> SwapStep:
        """Find the matrix from the counts of the levels."""
        column = the_column(data, self.variable, self)
        if isinstance(self.matrix, GivenMatrix):
            rows = np.asarray(self.matrix.rows, dtype=np.float64)[None]
            levels = tuple(self.matrix.levels)
            values = None if column.labels else Column.of_numbers([float(x) for x in levels])
            return SwapStep(self, Discrete(levels, rows, values=values))
        if isinstance(self.matrix, GivenMatrices):
            stack = np.asarray([list(map(list, x)) for x in self.matrix.matrices.values()], dtype=np.float64)
            levels = tuple(self.matrix.levels)
            values = None if column.labels else Column.of_numbers([float(x) for x in levels])
            return SwapStep(
                self, Discrete(levels, stack, self.strata, tuple((x,) for x in self.matrix.matrices), values=values)
            )
        positions, distinct = column.profile()
        if distinct.size > MOST_LEVELS:
            raise ReleaseError(
                f"Swap {self.variable!r}: {distinct.size} distinct values; the swap matrix would not fit. "
                f"Recode the variable to at most {MOST_LEVELS} values first"
            )
        if MISSING_LEVEL in column.labels:
            raise ReleaseError(f"Swap {self.variable!r}: a level is called {MISSING_LEVEL!r}; rename it")
        levels = tuple(MISSING_LEVEL if v is None else v for v in distinct.values())
        strata, stratum = strata_of([the_column(data, name, self) for name in self.strata], column.size)
        if max(len(strata), 1) * len(levels) ** 2 > MOST_ENTRIES:
            raise ReleaseError(
                f"Swap {self.variable!r}: {len(strata):,} strata of {' and '.join(self.strata)} and {len(levels):,} "
                "distinct values; the swap matrices would not fit. Recode one of them first"
            )
        groups = [positions[stratum == s] for s in range(max(len(strata), 1))]
        matrix = np.stack([self._matrix(group, len(levels)) for group in groups])
        counts = np.stack([np.bincount(group, minlength=len(levels)) for group in groups]).astype(np.float64)
        return SwapStep(self, Discrete(levels, matrix, self.strata, strata, counts, distinct))

    def _matrix(self, positions: IntArray, k: int) -> FloatArray:
        """Give the matrix of one stratum."""
        swapped = swap_size(positions.size, self.rate)
        if isinstance(self.matrix, Simulated):
            return simulated_swap_matrix(positions, k, swapped, self.matrix)
        return expected_swap_matrix(np.bincount(positions, minlength=k).astype(np.float64), swapped)


MISSING_LEVEL: Label = "(missing value)"
"""The name of the missing value as a level of a swap matrix."""


def strata_of(columns: Sequence[Column], n: int) -> tuple[tuple[tuple[Label, ...], ...], IntArray]:
    """Give the combinations of values that occur, and each of n records' place among them; none where there is no column.

    >>> sex, age = Column.of_labels(["m", "f", "m"]), Column.of_numbers([30.0, 30.0, float("nan")])
    >>> strata, places = strata_of([sex, age], 3)
    >>> strata, places.tolist()
    ((('m', 30), ('m', '(missing value)'), ('f', 30)), [0, 2, 1])
    """
    if not columns:
        return (), np.zeros(n, dtype=np.int64)
    profiles = [column.profile() for column in columns]
    found, places = np.unique(np.stack([p for p, _ in profiles]), axis=1, return_inverse=True)
    values = [[MISSING_LEVEL if v is None else v for v in distinct.values()] for _, distinct in profiles]
    strata = zip(*([values[j][i] for i in row] for j, row in enumerate(found.tolist())), strict=True)
    return tuple(strata), places.ravel().astype(np.int64)


def swap_size(n: int, rate: float) -> int:
    """Give the number of records that take part: the even number nearest to rate times n.

    >>> swap_size(10, 0.3), swap_size(10, 1.0), swap_size(1, 1.0)
    (4, 10, 0)
    """
    return min(2 * int(rate * n / 2 + 0.5), n - n % 2)


def expected_swap_matrix(counts: FloatArray, swapped: int) -> FloatArray:
    """Give the expected Pr(released | true) of a random swap (3.2.1).

    Of n records, `swapped` are drawn and paired at random. A record that takes part receives the
    value of any of the other n - 1 records with equal probability.
    """
    n = float(counts.sum())
    k = counts.size
    if n < 2 or swapped == 0:
        return np.eye(k)
    f = swapped / n
    matrix = np.tile(f * counts / (n - 1), (k, 1))
    matrix[np.diag_indices(k)] += (1 - f) - f / (n - 1)
    matrix[counts == 0] = np.eye(k)[counts == 0]
    return np.asarray(matrix, dtype=np.float64)


def simulated_swap_matrix(positions: IntArray, k: int, swapped: int, how: Simulated) -> FloatArray:
    """Estimate the swap matrix by repeating the swap and averaging the frequencies (4.2.1)."""
    total = np.zeros((k, k))
    keys = np.arange(positions.size, dtype=np.int64)
    for time in range(how.times):
        partner = random_pairs(keys, swapped, Stream(how.seed, f"simulate swap {time}"))
        total += np.bincount(positions * k + positions[partner], minlength=k * k).reshape(k, k)
    sums = total.sum(axis=1, keepdims=True)
    return np.where(sums > 0, total / np.where(sums > 0, sums, 1.0), np.eye(k))


def random_pairs(keys: IntArray, swapped: int, stream: Draws) -> IntArray:
    """Give each record the position of the record it exchanges with (itself when it takes no part)."""
    partner = np.arange(keys.size, dtype=np.int64)
    chosen = stream.order(keys)[:swapped]
    partner[chosen[0::2]], partner[chosen[1::2]] = chosen[1::2], chosen[0::2]
    return partner


@dataclass(frozen=True, slots=True, eq=False)
class SwapStep:
    """A swap with its matrix."""

    method: Swap
    """What the user declared."""
    discrete: Discrete
    """The channel."""

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The one channel of the step."""
        return {self.method.variable: self.discrete}

    def apply(self, draft: Draft, stream: Draws) -> Draft:
        """Exchange the values of random pairs."""
        if isinstance(self.method.matrix, GivenMatrix | GivenMatrices):
            raise ReleaseError(
                f"Swap {self.method.variable!r}: a given matrix describes what an intruder believes; "
                "to mask a file give a rate"
            )
        data = draft.data
        column = data.columns[self.method.variable]
        within = [the_column(data, name, self.method) for name in self.method.strata]
        strata, stratum = strata_of(within, column.size)
        partner = np.arange(column.size, dtype=np.int64)
        for s in range(max(len(strata), 1)):
            rows = np.flatnonzero(stratum == s)
            pairs = random_pairs(draft.keys[rows], swap_size(rows.size, self.method.rate), stream)
            partner[rows] = rows[pairs]
        swapped: Column = column.take(partner)
        return Draft(data.with_columns({self.method.variable: swapped}), draft.parent, draft.keys)
