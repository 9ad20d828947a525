"""Densities that are a shape moved and stretched: how they are evaluated and boxed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from confide.intruder.appearance.appearance import LAPLACE, NORMAL, Located
from confide.intruder.appearance.axes import Axes
from confide.intruder.appearance.check import check_mass, check_pairs, shared_mass
from confide.typing import FloatArray, IntArray

LOG_SCALE = {NORMAL: 0.5 * math.log(2 * math.pi), LAPLACE: math.log(2.0)}
"""Minus the log density at the centre of a shape of scale one."""


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """Densities around a centre for each respondent."""

    axes: Axes
    """The coordinates."""
    centre: FloatArray
    """The centres, respondents by coordinates."""

    @property
    def respondents(self) -> int:
        """The number of respondents."""
        return int(self.centre.shape[0])

    @property
    def variables(self) -> int:
        """The number of columns of a record."""
        return int(self.centre.shape[1])

    def coordinates(self, records: FloatArray) -> FloatArray:
        """Give the coordinates of the records."""
        return self.axes.coordinates(records)


@dataclass(frozen=True, slots=True, eq=False)
class LocatedForm(Form):
    """One shape for each coordinate, moved and stretched for each respondent."""

    scale: FloatArray
    """The scales, respondents by coordinates."""
    shape: int
    """NORMAL, LAPLACE or UNIFORM."""
    constant: FloatArray
    """Minus the log of the volume under the shape, for each respondent."""

    def located(self, records: FloatArray) -> Located:
        """Give the arrays of the form."""
        shape = np.full(self.variables, self.shape, dtype=np.int64)
        z, jacobian = self.axes.place(records)
        return Located(z, self.centre, self.scale, shape, self.constant, jacobian)

    def log_density(self, records: FloatArray, record: IntArray, respondent: IntArray) -> FloatArray:
        """Evaluate pairs."""
        return pair_log_density(self.located(records), record, respondent)

    def boxes(self, mass: float) -> tuple[FloatArray, FloatArray]:
        """Leave out the same mass in every coordinate."""
        half = half_width(self.shape, shared_mass(check_mass(mass), 1 / self.variables))
        with np.errstate(over="ignore"):
            return self.centre - half * self.scale, self.centre + half * self.scale


def pair_log_density(located: Located, record: IntArray, respondent: IntArray) -> FloatArray:
    """Evaluate pairs of records and respondents of a located form.

    >>> form = Located(np.array([[1.0]]), np.array([[0.0]]), np.array([[2.0]]), np.array([1]), np.zeros(1), np.zeros(1))
    >>> pair_log_density(form, np.array([0]), np.array([0])).tolist()
    [-0.5]
    """
    record, respondent = check_pairs(located.z.shape[0], located.centre.shape[0], record, respondent)
    total = located.constant[respondent] + located.jacobian[record]
    with np.errstate(over="ignore"):
        for k, shape in enumerate(located.shape):
            x = np.abs(located.z[record, k] - located.centre[respondent, k]) / located.scale[respondent, k]
            if shape == NORMAL:
                total -= 0.5 * x * x
            elif shape == LAPLACE:
                total -= x
            else:
                total[x > 1] = -np.inf
    return total


def half_width(shape: int, mass: float) -> float:
    """Give how many scales around the centre leave `mass` outside; a uniform has none outside one scale.

    >>> round(half_width(NORMAL, 0.05), 2)
    1.96
    """
    if shape == NORMAL:
        return float(-ndtri(mass / 2))
    if shape == LAPLACE:
        return -math.log(mass) if mass > 0 else math.inf
    return 1.0


def standard_cdf(shape: int, x: FloatArray) -> FloatArray:
    """Give the distribution function of a normal or double exponential shape of scale one."""
    if shape == NORMAL:
        return np.asarray(ndtr(x), dtype=np.float64)
    tail = 0.5 * np.exp(-np.abs(x))
    return np.where(x < 0, tail, 1 - tail)


def standard_quantile(shape: int, p: FloatArray) -> FloatArray:
    """Give the quantiles of a normal or double exponential shape of scale one."""
    if shape == NORMAL:
        return np.asarray(ndtri(p), dtype=np.float64)
    distance: FloatArray = np.log(2 * np.minimum(p, 1 - p))
    return np.where(p < 0.5, distance, -distance)
