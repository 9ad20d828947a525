"""Categories that may be reported wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.intruder.appearance.appearance import UNIFORM, Located
from confide.intruder.appearance.check import as_records, check_mass, check_pairs, frozen, shared_mass
from confide.intruder.appearance.formed import title
from confide.intruder.appearance.sources import records_of
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MisreportedAppearance:
    """Each respondent's categories appear as true, or as others with known probabilities.

    Variables are reported independently. Records hold codes that count the levels from 0.

    >>> from confide.intruder.appearance.dense import log_densities
    >>> belief = MisreportedAppearance([0, 1], [[[0.9, 0.1], [0.2, 0.8]]])
    >>> np.exp(log_densities(belief, [0, 1])).round(12).tolist()
    [[0.9, 0.2], [0.1, 0.8]]
    """

    truth: npt.ArrayLike
    """The codes believed to be true, respondents by variables; a plain list is one variable."""
    confusion: Sequence[npt.ArrayLike]
    """For each variable Pr(reported | true): rows are true levels and sum to one."""

    def __post_init__(self) -> None:
        """Check codes and probabilities."""
        if len(self.confusion) == 0:
            raise IntruderError("confusion is empty; give one table for each variable")
        tables = tuple(_stochastic(table, k) for k, table in enumerate(self.confusion))
        truth = as_codes(self.truth, [t.shape[0] for t in tables], "truth")
        if not truth.size:
            raise IntruderError("truth is empty; give the codes of at least one respondent")
        object.__setattr__(self, "truth", truth)
        object.__setattr__(self, "confusion", tables)

    @classmethod
    def at_rate(
        cls,
        truth: npt.ArrayLike,
        rate: float | Sequence[float],
        levels: int | Sequence[int],
        alternatives: Sequence[npt.ArrayLike] | None = None,
    ) -> MisreportedAppearance:
        """Report the true level but for a rate, at which another level is reported.

        Args:
            truth: the codes believed to be true.
            rate: the probability of a wrong report, one for all variables or one for each.
            levels: the number of levels, one for all variables or one for each.
            alternatives: for each variable, weights of the levels when the report is wrong; equal by default.

        >>> MisreportedAppearance.at_rate([0, 2], 0.1, 3).confusion[0].round(3).tolist()
        [[0.9, 0.05, 0.05], [0.05, 0.9, 0.05], [0.05, 0.05, 0.9]]
        """
        codes = np.asarray(truth)
        variables = codes.shape[1] if codes.ndim == 2 else 1
        rates = _each(rate, variables, "rate")
        sizes = [int(size) for size in _each(levels, variables, "levels")]
        if alternatives is not None and len(alternatives) != variables:
            raise IntruderError(f"alternatives holds {len(alternatives)} lists of weights for {variables} variables")
        tables = [
            _at_rate(rates[k], sizes[k], alternatives[k] if alternatives is not None else None) for k in range(variables)
        ]
        return cls(truth, tables)

    @classmethod
    def around(
        cls, source: Microdata, variables: str | Sequence[str], *, rate: float | Sequence[float]
    ) -> MisreportedAppearance:
        """Take the categories of a source file as true; levels count as in `records_of(released, variables, like=source)`.

        >>> file = Microdata.from_dict({"sex": ["m", "f", "f"]})
        >>> MisreportedAppearance.around(file, "sex", rate=0.02)
        MisreportedAppearance(3 respondents, 1 variable)
        """
        names = (variables,) if isinstance(variables, str) else tuple(variables)
        numeric = [v for v in names if bool(np.any(source.column(v).is_number))]
        if numeric:
            raise IntruderError(f"variable {numeric[0]!r} holds numbers; declare it nominal, or use NormalAppearance")
        return cls.at_rate(records_of(source, names), rate, [len(source.column(v).labels) for v in names])

    @property
    def respondents(self) -> int:
        """The number of respondents, N."""
        return int(self._truth.shape[0])

    @property
    def variables(self) -> int:
        """The number of columns of a record."""
        return len(self.confusion)

    def log_density(self, records: FloatArray, record: IntArray, respondent: IntArray) -> FloatArray:
        """Give the log probability of the pairs (record[k], respondent[k]); -inf where it is impossible."""
        codes = as_codes(records, [t.shape[1] for t in self._tables], "records")
        record, respondent = check_pairs(codes.shape[0], self.respondents, record, respondent)
        total = np.zeros(record.size)
        with np.errstate(divide="ignore"):
            for k, table in enumerate(self._tables):
                total += np.log(table)[self._truth[respondent, k], codes[record, k]]
        return total

    def coordinates(self, records: FloatArray) -> FloatArray:
        """Give the codes."""
        return as_codes(records, [t.shape[1] for t in self._tables], "records").astype(np.float64)

    def boxes(self, mass: float) -> tuple[FloatArray, FloatArray]:
        """Give the shortest ranges of codes that leave out the same mass at most in every variable."""
        each = shared_mass(check_mass(mass), 1 / self.variables)
        ends = [_range(table, each) for table in self._tables]
        lower = np.column_stack([low[self._truth[:, k]] for k, (low, _) in enumerate(ends)])
        upper = np.column_stack([high[self._truth[:, k]] for k, (_, high) in enumerate(ends)])
        return lower, upper

    def located(self, records: FloatArray) -> Located | None:
        """Give a form where nothing is ever misreported: codes less than one half apart; None otherwise."""
        if not all(bool(np.all(np.diagonal(t) == 1.0)) for t in self._tables):
            return None
        z, centre = self.coordinates(records), self._truth.astype(np.float64)
        shape = np.full(self.variables, UNIFORM, dtype=np.int64)
        return Located(z, centre, np.full(centre.shape, 0.5), shape, np.zeros(self.respondents), np.zeros(z.shape[0]))

    @property
    def _truth(self) -> IntArray:
        """The codes as an array."""
        return self.truth  # type: ignore[return-value]

    @property
    def _tables(self) -> tuple[FloatArray, ...]:
        """The tables as arrays."""
        return self.confusion  # type: ignore[return-value]

    def __repr__(self) -> str:
        """Show the size, never the values."""
        return title(self)


def as_codes(values: npt.ArrayLike, levels: Sequence[int], what: str) -> IntArray:
    """Give whole numbers from 0 to one less than the number of levels of each variable."""
    table = as_records(values, len(levels), what)
    if bool(np.any(table != np.rint(table))):
        raise IntruderError(f"{what} must hold codes of categories, whole numbers from 0; see records_of")
    for k, size in enumerate(levels):
        if bool(np.any((table[:, k] < 0) | (table[:, k] >= size))):
            raise IntruderError(f"{what}, variable {k} (counted from 0): codes must lie between 0 and {size - 1}")
    codes = table.astype(np.int64)
    codes.setflags(write=False)
    return codes


def _stochastic(table: npt.ArrayLike, k: int) -> FloatArray:
    """Check that rows are probabilities."""
    m = np.array(table, dtype=np.float64)
    what = f"confusion of variable {k} (counted from 0)"
    if m.ndim != 2 or 0 in m.shape:
        raise IntruderError(
            f"{what}: a table of true by reported levels is needed; found shape {m.shape}; write confusion=[table]"
        )
    if not bool(np.all(np.isfinite(m) & (m >= 0))):
        raise IntruderError(f"{what}: probabilities must not be negative or missing")
    total = m.sum(axis=1)
    wrong = int(np.argmax(np.abs(total - 1)))
    if abs(total[wrong] - 1) > 1e-9:
        raise IntruderError(f"{what}: rows must sum to one, row {wrong} sums to {total[wrong]:g}; rows are true levels")
    return frozen(m)


def _each(value: npt.ArrayLike, variables: int, what: str) -> list[float]:
    """Give one number for each variable."""
    found = np.asarray(value, dtype=np.float64)
    if found.shape not in {(), (variables,)} or not bool(np.all(np.isfinite(found))):
        raise IntruderError(f"{what} must be one number, or one for each of the {variables} variables")
    return [float(x) for x in np.broadcast_to(found, (variables,))]


def _at_rate(rate: float, levels: int, weights: npt.ArrayLike | None) -> FloatArray:
    """Make the table of a rate of misreporting."""
    if not 0 <= rate <= 1:
        raise IntruderError(f"rate must be a probability; found {rate}")
    if levels < 1 or (levels == 1 and rate > 0):
        raise IntruderError(f"a variable of {levels} levels cannot be misreported; give 2 or more levels, or rate 0")
    w = np.ones(levels) if weights is None else np.asarray(weights, dtype=np.float64)
    if w.shape != (levels,) or not bool(np.all(np.isfinite(w) & (w >= 0))):
        raise IntruderError(f"alternatives: one weight, not negative, is needed for each of the {levels} levels")
    other = np.tile(w, (levels, 1))
    np.fill_diagonal(other, 0.0)
    total = other.sum(axis=1, keepdims=True)
    if rate > 0 and bool(np.any(total == 0)):
        raise IntruderError("alternatives: every level needs another one with a positive weight")
    return np.asarray(rate * other / np.where(total > 0, total, 1.0) + (1 - rate) * np.eye(levels), dtype=np.float64)


def _range(table: FloatArray, mass: float) -> tuple[FloatArray, FloatArray]:
    """Find for every true level the shortest range of reported codes that leaves out `mass` at most."""
    low, high = np.zeros(table.shape[0]), np.zeros(table.shape[0])
    for i, p in enumerate(table):
        below = np.concatenate([[0.0], np.cumsum(p)[:-1]])
        above = np.concatenate([np.cumsum(p[::-1])[::-1][1:], [0.0]])
        best = (0, p.size - 1)
        for a in np.flatnonzero(below <= mass):
            ends = a + np.flatnonzero(below[a] + above[a:] <= mass)
            if ends.size and ends[0] - a < best[1] - best[0]:
                best = (int(a), int(ends[0]))
        low[i], high[i] = best
    return low, high
