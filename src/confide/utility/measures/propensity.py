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
from confide.utility.files import Files
from confide.utility.measure import Utility
from confide.utility.of_variables import OfVariables
from confide.utility.propensity.features import Features, features
from confide.utility.propensity.logistic import Propensity, fit_propensity, second_moment

ROUNDING = (16 * np.finfo(np.float64).eps) ** 2
"""Squares of scores below this are rounding: the files cannot be told apart."""


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
    """The seed of the sample."""

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
        there = tuple(name for name in names if name in files.released.columns)
        notes = [*files.notes_on(there), *(f"{n!r} is not in the release and left out" for n in names if n not in there)]
        if not there:
            raise UtilityError(f"{self.title}: none of {', '.join(names[:10])} is in the release")
        rows = self._rows(files.source.n, "source"), self._rows(files.released.n, "released")
        z = features(
            _columns(files, there, rows[0], source=True),
            _columns(files, there, rows[1], source=False),
            interactions=self.interactions,
        )
        w = np.concatenate([files.source_weights[rows[0]], files.released_weights[rows[1]]])
        target = np.concatenate([np.zeros(rows[0].size), np.ones(rows[1].size)])
        c = float(w @ target / w.sum())
        if not 0 < c < 1:
            raise UtilityError(f"{self.title}: the records used of one file have weight zero; give weights=False")
        fit = fit_propensity(z, target, w)
        value = float(w @ np.square(fit.p - c) / w.sum())
        value = value if value > ROUNDING else 0.0
        expected, sd = _null(z, fit, w, c, weighted=files.weighted)
        parts = {"variable": list(there), "columns": z.width.tolist()}
        return PropensityUtility(self, value, parts, None, tuple(notes), expected, sd, fit.kept.size)

    def _rows(self, n: int, file: str) -> IntArray:
        """Choose the records of a file."""
        rows = np.arange(n, dtype=np.int64)
        if self.sample is None or self.sample >= n:
            return rows
        assert self.seed is not None
        return np.sort(Stream(self.seed, f"propensity {file}").order(rows)[: self.sample])


def _columns(files: Files, names: tuple[str, ...], rows: IntArray, *, source: bool) -> list[Column]:
    """Give the variables of some records of a file."""
    file = files.source if source else files.released
    return [file.columns[name] if rows.size == file.n else file.columns[name].take(rows) for name in names]


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
