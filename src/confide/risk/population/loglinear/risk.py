"""Risk per record from a Poisson log-linear model of the counts of keys.

Skinner and Shlomo (2008), Assessing identification risk in survey microdata using log-linear models. F is Poisson with mean
lambda, f binomial given F: then F - f given f is Poisson with mean lambda (1 - pi).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expi, exprel

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.risk.frequency.cells import Cells
from confide.risk.frequency.keys import File, Keys, records_of_file, survey_weights
from confide.risk.frequency.missing import AS_LEVEL, Missing
from confide.risk.per_record import RecordRisk
from confide.risk.population.loglinear.counts import SAMPLE_COUNTS, Counts, WeightedCounts
from confide.risk.population.loglinear.error_test import ErrorTest, error_test
from confide.risk.population.loglinear.fit import Fit, fit
from confide.risk.population.loglinear.forward import forward
from confide.risk.population.loglinear.table import Occupied, occupied
from confide.risk.population.loglinear.terms import ForwardSelection, Generator, MainEffects, Terms
from confide.risk.population.sizes import partition
from confide.typing import BoolArray, FloatArray

MAIN_EFFECTS = MainEffects()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LogLinearRisk(RecordRisk):
    """E(1/F | f = 1) of every sample unique; 0 for other records, which the measure leaves out."""

    name: ClassVar[str] = "loglinear_risk"
    title: ClassVar[str] = "Log-linear risk of sample uniques"

    unique: BoolArray
    """Which records are sample uniques."""
    alone: FloatArray
    """Pr(F = 1 | f = 1) of every sample unique; 0 for other records."""
    mean: FloatArray
    """The fitted sample mean mu of each record's cell."""
    fraction: FloatArray
    """The sampling fraction pi of each record's cell."""
    terms: tuple[Generator, ...]
    """The sets of keys whose margins are fitted."""
    cells: int
    """The number of occupied cells."""
    possible: int
    """The number of combinations of the levels that occur."""
    cycles: int
    """Rounds of iterative proportional fitting; 0 for a closed form."""
    off: float
    """The largest difference between a fitted and an observed margin, in records."""
    test: ErrorTest | None
    """Whether the model overstates the risk; None where it was not asked for."""
    path: tuple[tuple[Generator, float], ...]
    """With forward selection: the interactions in the order they came in, and the larger test statistic after each."""

    @property
    def tau1(self) -> float:
        """The number of sample uniques expected to be population uniques."""
        return float(self.alone.sum())

    @property
    def tau2(self) -> float:
        """The sum of E(1/F) over sample uniques: right picks expected when each is linked."""
        return self.expected

    @property
    def deviation1(self) -> float:
        """The standard deviation of the number of population uniques among sample uniques, the means taken as known."""
        return math.sqrt(float((self.alone * (1 - self.alone)).sum()))

    @property
    def deviation2(self) -> float:
        """The standard deviation of the sum of 1/F over sample uniques, the means taken as known."""
        pi = self.fraction[self.unique]
        y = (1 - pi) * self.mean[self.unique] / pi
        return math.sqrt(max(float((inverse_squares(y) - inverses(y) ** 2).sum()), 0.0))

    def notes(self) -> str:
        """Say how many are unique, tau1, tau2 and what the test says."""
        tested = "" if self.test is None else f", B/sqrt(v) {self.test.z1:.2f} and {self.test.z2:.2f}"
        pairs = [" x ".join(g) for g in self.terms if len(g) > 1]
        shown = ", ".join(pairs[:6]) + (f" and {len(pairs) - 6} more" if len(pairs) > 6 else "")
        return (
            f", {int(self.unique.sum()):,} unique; {shown or 'main effects'}; tau1 {self.tau1:,.4g}, tau2 "
            f"{self.tau2:,.4g}{tested}"
        )


LEAST = 1e-12
"""The smallest sampling fraction that is computed with; there are fewer people than its inverse."""


def loglinear_risk(
    data: File,
    keys: Keys = None,
    terms: Terms = MAIN_EFFECTS,
    *,
    fraction: float | None = None,
    counts: Counts = SAMPLE_COUNTS,
    missing: Missing = AS_LEVEL,
    test: bool = True,
    tolerance: float = 0.01,
) -> LogLinearRisk:
    """Give each sample unique's probability to be a population unique, and its E(1/F), from a Poisson log-linear model.

    Args:
        data: a source file, or a released one.
        keys: the variables an intruder knows; those declared as keys when None.
        terms: `MainEffects()`, `AllTwoWay()`, `Interactions(...)` or `ForwardSelection()`.
        fraction: the share of people who are in the sample; when None, a cell's records over their survey weights.
        counts: fit to `SampleCounts()`, or to `WeightedCounts()` where inclusion probabilities differ.
        missing: a missing value is a level of its own; as a wildcard it is refused where there is one.
        test: whether to test for underfitting; it adds up over all combinations of levels.
        tolerance: how far a fitted margin may be from the observed one, in records (R's loglin takes 0.1).

    Raises:
        IntruderError: there are too many combinations to run over.
        ModelError: the fit did not end.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m", "m"], "job": ["cook", "cook", "cook", "smith"]})
    >>> found = cf.loglinear_risk(data, ["sex", "job"], fraction=0.5)
    >>> found.unique.tolist(), found.alone.round(4).tolist()
    ([False, False, True, True], [0.0, 0.0, 0.2231, 0.6065])
    """
    file = records_of_file(data)
    if not tolerance > 0:
        raise IntruderError(f"tolerance is a number of records above 0, found {tolerance}")
    names, columns, cells = partition(file, keys, missing)
    f = cells.size.astype(np.float64)
    weight, pi = _sampling(file, cells, fraction, counts)
    if not float(pi.min()) >= LEAST:
        raise IntruderError(
            f"a log-linear model with a sampling fraction of {float(pi.min()):.3g} cannot be computed; it must be {LEAST:g} "
            "or more. Check fraction, or the survey weights, which must be numbers of people"
        )
    table = occupied(names, columns, cells, weight if isinstance(counts, WeightedCounts) else f)
    empty = float(f.sum() / (f / pi).sum())

    def tested(generators: tuple[Generator, ...]) -> tuple[Fit, FloatArray, ErrorTest | None]:
        found = fit(table, generators, tolerance * table.total / file.n)
        mean = found.mean * pi if isinstance(counts, WeightedCounts) else found.mean
        wanted = test or isinstance(terms, ForwardSelection)
        return found, mean, error_test(table, found, mean, f, pi, empty) if wanted else None

    path: tuple[tuple[Generator, float], ...] = ()
    if isinstance(terms, ForwardSelection):
        generators, path = forward(names, terms.until, lambda g: _worst(tested(g)[2]))
    else:
        generators = terms.generators(names)
    found, mean, judged = tested(generators)
    return _result(cells, table, found, mean, pi, judged, path)


def inverses(y: FloatArray) -> FloatArray:
    """Give E(1/F | f = 1) = (1 - exp(-y)) / y, y being the mean of F - 1.

    >>> inverses(np.array([0.0, 1.0])).round(4).tolist()
    [1.0, 0.6321]
    """
    return np.asarray(exprel(-y))


def inverse_squares(y: FloatArray) -> FloatArray:
    """Give E(1/F^2 | f = 1) = exp(-y) (Ei(y) - log y - gamma) / y.

    >>> inverse_squares(np.array([0.0, 1.0])).round(4).tolist()
    [1.0, 0.4848]
    """
    small, large = y < 1e-3, y > 600
    safe = np.where(small | large, 1.0, y)
    found = np.exp(-safe) * (expi(safe) - np.log(safe) - np.euler_gamma) / safe
    # 1 - 3y/4 + ..., and 1/y^2 (1 + 1/y + ...) where exp(y) has no room
    far = np.where(large, y, 1.0)
    return np.where(small, 1 - 0.75 * y + 11 / 36 * y**2, np.where(large, (1 + 1 / far + 2 / far**2) / far**2, found))


def _sampling(file: Microdata, cells: Cells, fraction: float | None, counts: Counts) -> tuple[FloatArray, FloatArray]:
    """Give the weight and the sampling fraction of each cell."""
    f = cells.size.astype(np.float64)
    if fraction is not None:
        if not 0 < fraction <= 1:
            raise IntruderError(f"fraction is the share of people in the sample, above 0 and at most 1, found {fraction}")
        if isinstance(counts, WeightedCounts):
            raise IntruderError("WeightedCounts() takes the sampling fractions from survey weights; leave fraction out")
        return f / fraction, np.full(f.size, fraction)
    if file.weights is None:
        raise IntruderError(
            f"{file.name!r} has no survey weight that tells the sampling fraction; give fraction=..., or declare(weight=...)"
        )
    weight = np.maximum(cells.sums(survey_weights(file)), f)
    return weight, f / weight


def _worst(test: ErrorTest | None) -> float:
    """Give the larger statistic."""
    assert test is not None
    return test.worst


def _result(
    cells: Cells,
    table: Occupied,
    found: Fit,
    mean: FloatArray,
    pi: FloatArray,
    test: ErrorTest | None,
    path: tuple[tuple[Generator, float], ...],
) -> LogLinearRisk:
    """Write what was found for each record."""
    single = cells.size == 1
    y = (1 - pi) * mean / pi
    alone, inverse = np.where(single, np.exp(-y), 0.0), np.where(single, inverses(y), 0.0)
    of = cells.of
    possible, off = table.possible(table.keys), found.off / table.total * of.size
    cycles, terms = found.cycles, found.generators
    return LogLinearRisk(
        inverse[of], single[of], alone[of], mean[of], pi[of], terms, single.size, possible, cycles, off, test, path
    )
