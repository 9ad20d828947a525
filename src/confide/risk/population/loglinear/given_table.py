"""A log-linear model of a table that is given cell by cell, with cells that cannot occur."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from confide.data.column import Column
from confide.errors import DeclarationError, IntruderError, ModelError, raise_all, unknown
from confide.risk.frequency.cells import cells_of, coded
from confide.risk.population.loglinear.terms import Generator
from confide.risk.population.people.checks import number
from confide.risk.population.people.poisson import poisson_frequency
from confide.typing import FloatArray, IntArray, Label

CYCLES, FIRST = 100_000, 1000
"""Rounds of proportional fitting before it is given up; before it is asked which means are 0."""


@dataclass(frozen=True, slots=True, eq=False)
class LogLinearTable:
    """A fitted table of counts."""

    f: IntArray
    """The number of records of each cell."""
    mean: FloatArray
    """The fitted sample mean mu of each cell; the population mean is mu over the fraction."""
    inverse: FloatArray
    """E(1/F | f) of each cell; nan where f = 0, for it is not defined there."""
    alone: FloatArray
    """Pr(F = f | f) of each cell; nan where f = 0."""
    off: float
    """The largest difference between a fitted and an observed margin."""

    @property
    def tau1(self) -> float:
        """The number of sample uniques expected to be population uniques."""
        return float(self.alone[self.f == 1].sum())

    @property
    def tau2(self) -> float:
        """The sum of E(1/F) over sample uniques."""
        return float(self.inverse[self.f == 1].sum())


def loglinear_table(
    f: Any,
    levels: dict[str, Sequence[Label]],
    margins: Sequence[Sequence[str]],
    fraction: float,
    *,
    tolerance: float = 1e-10,
) -> LogLinearTable:
    """Fit a log-linear model to a table, by maximum likelihood, and give the risk of each cell.

    Args:
        f: the number of records of each cell, zeros included. A cell that is not listed cannot occur.
        levels: for each variable, its level in each cell.
        margins: the sets of variables whose margins the model keeps.
        fraction: the share of people in the sample, the same in all cells.
        tolerance: how far a fitted margin may be from the observed one, as a share of all records.

    >>> found = loglinear_table([1, 1, 2, 0], {"sex": "ffmm", "job": "xyxy"}, [["sex"], ["job"]], fraction=0.5)
    >>> found.mean.tolist(), round(found.tau2, 4)
    ([1.5, 0.5, 1.5, 0.5], 1.3049)
    """
    counted, groups = _checked(f, levels, margins)
    number("fraction", fraction, 0, 1, closed=(False, True))
    mean, off = _fitted(counted, groups, tolerance * float(counted.sum()))
    inverse, alone = np.full(counted.size, np.nan), np.full(counted.size, np.nan)
    there = counted > 0
    found = poisson_frequency(counted[there], mean[there] / fraction, fraction)
    inverse[there], alone[there] = found.inverse, found.alone
    return LogLinearTable(counted.astype(np.int64), mean, inverse, alone, off)


def _checked(
    f: Any, levels: dict[str, Sequence[Label]], margins: Sequence[Sequence[str]]
) -> tuple[FloatArray, tuple[IntArray, ...]]:
    """Give the counts and the cell of each margin that each cell is in; raise on what is no table."""
    counted = np.asarray(f, dtype=np.float64).ravel()
    if not (np.isfinite(counted) & (counted >= 0) & (counted == np.round(counted))).all() or counted.sum() == 0:
        raise IntruderError("f holds the number of records of each cell: whole numbers of 0 or more, not all 0")
    size = counted.size
    faults = [f"levels[{k!r}] has {len(v)} entries for {size} cells" for k, v in levels.items() if len(v) != size]
    sets: list[Generator] = [tuple(m) for m in margins]
    faults += [unknown("variable", name, tuple(levels)) for g in sets for name in g if name not in levels]
    raise_all(faults, DeclarationError)
    columns = {name: coded(Column.of_labels(values)) for name, values in levels.items()}
    if cells_of(list(columns.values())).size.max(initial=0) > 1:
        raise DeclarationError("some cells have the same levels of all variables; list each cell once")
    return counted, tuple(cells_of([columns[name] for name in g]).of for g in sets if g)


def _fitted(f: FloatArray, groups: tuple[IntArray, ...], tolerance: float) -> tuple[FloatArray, float]:
    """Fit the means; where that is slow, find first those that are 0 at the largest likelihood."""
    mean, off = _proportional(f, np.ones(f.size), groups, tolerance, FIRST)
    if off > tolerance:
        mean, off = _proportional(f, _possible(f, groups), groups, tolerance, CYCLES)
    if off > tolerance:
        raise ModelError(
            f"iterative proportional fitting did not end in {CYCLES:,} rounds: a margin is still {off:.3g} off, and "
            f"{tolerance:.3g} was asked for. Give a larger tolerance, or fewer interactions"
        )
    return mean, off


def _proportional(
    f: FloatArray, start: FloatArray, groups: tuple[IntArray, ...], tolerance: float, cycles: int
) -> tuple[FloatArray, float]:
    """Scale the means of the cells to one margin after the other until all are met."""
    mean = start * (f.sum() / start.sum())
    observed = [np.bincount(of, weights=f) for of in groups]
    off = np.inf
    for _ in range(cycles):
        off = 0.0
        for of, margin in zip(groups, observed, strict=True):
            found = np.bincount(of, weights=mean)
            off = max(off, float(np.abs(found - margin).max()))
            mean = mean * np.divide(margin, found, out=np.zeros_like(margin), where=found > 0)[of]
        if off <= tolerance:
            break
    return mean, off


def _possible(f: FloatArray, groups: tuple[IntArray, ...]) -> FloatArray:
    """Give 1 for cells that are above 0 in some table with the margins of f, and 0 for the others, whose mean is 0.

    Largest sum of s with s <= t, s <= 1, where t has the margins of a multiple of f.
    """
    n = f.size
    each = np.arange(n)
    margins: Any = sparse.vstack([sparse.csr_array((np.ones(n), (of, each)), shape=(of.max() + 1, n)) for of in groups])
    equal = sparse.hstack([margins, sparse.csr_array((margins.shape[0], n)), -(margins @ f)[:, None]])
    below = sparse.hstack([-sparse.eye_array(n), sparse.eye_array(n), sparse.csr_array((n, 1))])
    found = linprog(
        np.concatenate([np.zeros(n), -np.ones(n), [0.0]]),
        A_ub=below, b_ub=np.zeros(n), A_eq=equal, b_eq=np.zeros(margins.shape[0]),
        bounds=[(0, None)] * n + [(0, 1)] * n + [(0, None)],
    )  # fmt: skip
    return np.asarray((found.x[n : 2 * n] > 0.5) if found.status == 0 else np.ones(n), dtype=np.float64)
