"""The propensity score: can released records be told from source records?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.data.column import Column
from confide.errors import UtilityError
from confide.release.released import Released
from confide.seeds import Stream
from confide.typing import FloatArray, IntArray
from confide.utility.completed import completed
from confide.utility.files import Files
from confide.utility.leaves import leaves_of
from confide.utility.lost import gone, merged
from confide.utility.measure import Utility
from confide.utility.of_variables import OfVariables
from confide.utility.propensity.features import Features, features
from confide.utility.propensity.logistic import Propensity, fit_propensity, second_moment
from confide.utility.spread import SpreadEvenly

ROUNDING = (16 * np.finfo(np.float64).eps) ** 2
"""Squares of scores below this are rounding: the files cannot be told apart."""


LOST = "nothing is told of it"
"""What all released records hold in a variable that is lost."""


@dataclass(frozen=True, slots=True, eq=False)
class PropensityUtility(Utility):
    """The mean squared error of the propensity score, beside what is expected of a synthetic file."""

    expected: float = math.nan
    """The expectation of pMSE where the file was drawn from the right model; NaN where the model has no coefficient."""
    sd: float = math.nan
    """Its standard deviation then."""
    coefficients: int = 0
    """The number of coefficients, the intercept among them."""

    @property
    def ratio(self) -> float:
        """The pMSE divided by its expectation: near 1, as a file from the right model; 0, as the unmasked file."""
        return self._defined(self.value / self.expected if self.expected > 0 else math.nan)

    @property
    def standardised(self) -> float:
        """The pMSE less its expectation, in its standard deviations."""
        return self._defined((self.value - self.expected) / self.sd if self.sd > 0 else math.nan)

    def _defined(self, x: float) -> float:
        """Raise where the model tells nothing."""
        if math.isnan(x):
            raise UtilityError(f"{self.title}: all variables are constant, so that pMSE has no expectation to compare with")
        return x


@dataclass(frozen=True, slots=True)
class PropensityScore(OfVariables):
    """The propensity score mean squared error, pMSE (Woo, Reiter, Oganian and Karr 2009; Snoke et al. 2018).

    Both files are put together, and a logistic regression says of each record how probably it is a released one, p. With a
    share c of released records, pMSE is the mean of (p - c)^2. It is 0 where the files cannot be told apart, and c(1 - c),
    at most 1/4, where they are told apart perfectly.

    A file that lacks a variable, has nothing in it or one value for everybody, is told apart from the source by that alone:
    it counts 1/4. A released category that stands for several values is completed by them, evenly and by chance, as a reader
    would; so a coarser recoding is told apart more easily than a finer one.

    The result also has what is expected of a synthetic file from the right model, (k - 1)(1 - c)^2 c / N with k coefficients
    and N records, its standard deviation, the ratio and the standardised value (Snoke et al. 2018, section 3). With survey
    weights k - 1 becomes the trace of (Z'WZ)^-1 Z'W^2 Z beyond the intercept.

    >>> import confide as cf
    >>> cps = cf.examples.cps()
    >>> masked = cf.Release(cf.Noise("age", sd=20)).apply(cps, seed=1)
    >>> found = cf.PropensityScore(["age", "sex"]).of(masked)
    >>> found.coefficients, found.value < 0.25
    (3, True)
    """

    name: ClassVar[str] = "pmse"
    larger_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, 0.25)
    numeric: ClassVar[bool] = False

    interactions: bool = False
    """Whether products of two variables and squares of numbers enter; without, only means and shares are compared."""
    sample: int | None = None
    """How many records of each file are used; None: all."""
    seed: int | None = None
    """The seed of the sample, and of what categories are completed by; None: 0 for the latter."""

    def __post_init__(self) -> None:
        """Check the settings."""
        OfVariables.__post_init__(self)
        if self.sample is not None and (self.sample < 1 or self.seed is None):
            raise UtilityError("PropensityScore: a sample has one record or more and needs a seed: sample=100_000, seed=1")

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return "Propensity score, with interactions" if self.interactions else "Propensity score"

    def of(self, released: Released) -> PropensityUtility:
        """Take the measure of a released file, with its source."""
        files = self.files(released)
        names = self.names(files)
        columns, lost, notes = self._released(files, names)
        rows = self._rows(files.source.n, "source"), self._rows(files.released.n, "released")
        z = features(
            [_taken(files.source.columns[name], rows[0]) for name in names],
            [_taken(column, rows[1]) for column in columns],
            interactions=self.interactions,
        )
        w = np.concatenate([files.source_weights[rows[0]], files.released_weights[rows[1]]])
        target = np.concatenate([np.zeros(rows[0].size), np.ones(rows[1].size)])
        c = float(w @ target / w.sum())
        if not 0 < c < 1:
            raise UtilityError(f"{self.title}: the records used of one file have weight zero; give weights=False")
        fit = fit_propensity(z, target, w)
        value = float(w @ np.square(fit.p - c) / w.sum())
        value = self.bounds[1] if lost else value if value > ROUNDING else 0.0
        expected, sd = _null(z, fit, w, c, weighted=files.weighted)
        parts = {"variable": list(names), "columns": z.width.tolist()}
        return PropensityUtility(self, value, parts, None, tuple(notes), expected, sd, fit.kept.size)

    def _released(self, files: Files, names: tuple[str, ...]) -> tuple[list[Column], int, list[str]]:
        """Give the released variables as they are compared, how many are lost, and notes on them."""
        columns: list[Column] = []
        lost, notes = 0, list(files.notes_on(names))
        for name in names:
            leaves = leaves_of(files, name, SpreadEvenly())
            why = gone(files, name) or merged(name, leaves) or _levelled(files, name)
            if why is not None:
                lost += 1
                notes.append(f"{why}, which tells the files apart")
                columns.append(Column.of_codes(np.zeros(files.released.n, dtype=np.int64), (LOST,)))
            elif leaves is None or files.source.variables[name].kind.is_numeric:
                columns.append(files.released.columns[name])
            else:
                columns.append(completed(files, name, leaves, self.seed or 0))
                if not leaves.are_single:
                    notes.append(f"{name!r}: released categories are completed by what they stand for, evenly and by chance")
        return columns, lost, notes

    def _rows(self, n: int, file: str) -> IntArray:
        """Choose the records of a file."""
        rows = np.arange(n, dtype=np.int64)
        if self.sample is None or self.sample >= n:
            return rows
        assert self.seed is not None
        return np.sort(Stream(self.seed, f"propensity {file}").order(rows)[: self.sample])


def _taken(column: Column, rows: IntArray) -> Column:
    """Give some records of a variable."""
    return column if rows.size == column.size else column.take(rows)


def _levelled(files: Files, name: str) -> str | None:
    """Say that a number is the same for everybody in the release and not in the source; means alone would not show it."""
    spans = []
    for column, w in (
        (files.source.columns[name], files.source_weights),
        (files.released.columns[name], files.released_weights),
    ):
        x = column.numbers[column.is_number & (w > 0)]
        spans.append(float(np.ptp(x)) if x.size == int(np.sum(w > 0)) else np.nan)
    return f"{name!r} is one number in all records of the release" if spans[0] > 0 and spans[1] == 0 else None


def _null(z: Features, fit: Propensity, w: FloatArray, c: float, *, weighted: bool) -> tuple[float, float]:
    """Give expectation and standard deviation of pMSE for a synthetic file from the right model."""
    k = fit.kept.size
    if k == 1:
        return math.nan, math.nan
    factor = (1 - c) ** 2 * c / float(w.sum())
    if not weighted:
        return (k - 1) * factor, math.sqrt(2 * (k - 1)) * factor
    root = np.linalg.cholesky(fit.square)
    half = np.linalg.solve(root, second_moment(z, w, fit.kept))
    effect = np.linalg.solve(root, half.T)[1:, 1:]
    return float(np.trace(effect)) * factor, math.sqrt(2 * float(np.square(effect).sum())) * factor
