"""Any density, given as a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError, LikelihoodError
from confide.intruder.appearance.appearance import Located
from confide.intruder.appearance.check import as_records, check_mass, check_pairs
from confide.intruder.appearance.formed import title
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FunctionAppearance:
    """Each respondent's record has a density that the user writes down.

    The function gets m records, m by variables, and the numbers of m respondents, and gives m
    densities. Missing and infinite values reach the function as they are. Without `box` every
    record is a candidate for every respondent.

    >>> from scipy.stats import t
    >>> centre = np.array([10.0, 20.0])
    >>> FunctionAppearance(lambda y, i: t.pdf(y[:, 0] - centre[i], df=3), respondents=2)
    FunctionAppearance(2 respondents, 1 variable)
    """

    function: Callable[[FloatArray, IntArray], FloatArray]
    """Densities of pairs of records and respondents."""
    respondents: int
    """The number of respondents, N."""
    variables: int = 1
    """The number of columns of a record."""
    log: bool = False
    """Whether the function gives log densities."""
    box: Callable[[float], tuple[FloatArray, FloatArray]] | None = None
    """From a probability, lower and upper ends, respondents by variables, of boxes that leave out that much at most."""

    def __post_init__(self) -> None:
        """Check the sizes."""
        for name in ("respondents", "variables"):
            size = getattr(self, name)
            if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
                raise IntruderError(f"{name} must be a whole number, at least 1")
        if not callable(self.function):
            raise IntruderError("function must be callable with records and the numbers of respondents")

    def log_density(self, records: FloatArray, record: IntArray, respondent: IntArray) -> FloatArray:
        """Give log f_i(y_j) of the pairs (record[k], respondent[k]); -inf where it is impossible."""
        table = as_records(records, self.variables)
        record, respondent = check_pairs(table.shape[0], self.respondents, record, respondent)
        f = np.asarray(self.function(table[record], respondent), dtype=np.float64)
        what = "log densities" if self.log else "densities"
        if f.shape != record.shape:
            raise LikelihoodError(
                f"the function must give {record.size} {what} for {record.size} pairs; found shape {f.shape}"
            )
        if bool(np.any(np.isnan(f))):
            raise LikelihoodError(f"{int(np.isnan(f).sum())} of {f.size} {what} are NaN; an impossible pair has density 0")
        if bool(np.any(np.isposinf(f))):
            raise LikelihoodError(f"{int(np.isposinf(f).sum())} of {f.size} {what} are infinite")
        if self.log:
            return f
        if bool(np.any(f < 0)):
            raise LikelihoodError(f"{int(np.sum(f < 0))} of {f.size} densities are negative; set log=True if they are logs")
        with np.errstate(divide="ignore"):
            return np.log(f)

    def coordinates(self, records: FloatArray) -> FloatArray:
        """Give the values as they are."""
        return as_records(records, self.variables)

    def boxes(self, mass: float) -> tuple[FloatArray, FloatArray]:
        """Give the boxes of the user, or everything."""
        shape = (self.respondents, self.variables)
        if self.box is None:
            return np.full(shape, -np.inf), np.full(shape, np.inf)
        low, high = (np.asarray(end, dtype=np.float64) for end in self.box(check_mass(mass)))
        if low.shape != shape or high.shape != shape or not bool(np.all(low <= high)):
            raise IntruderError(f"box must give lower and upper ends, lower first, each of shape {shape}")
        return low, high

    def located(self, records: FloatArray) -> Located | None:
        """Say that a function has no known form."""

    def __repr__(self) -> str:
        """Show the size."""
        return title(self)
