"""How close the predictions of two models are, over the source records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.harm.model.categories import probabilities
from confide.harm.model.fit import Fit
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class PredictionCloseness:
    """Predictions of the source records by both models."""

    difference: float
    """How far predictions lie apart: 0 is equal. For amounts the root mean square difference, in residual standard
    deviations of the source model; for categories the mean difference of probabilities (half the sum of their
    absolute differences), at most 1."""
    source_explained: float
    """What the source model explains of the source: R squared, or the share of the deviance."""
    released_explained: float
    """What the released model explains of the source; negative where it does worse than a constant."""
    records: int
    """How many source records are predicted."""
    in_sds: bool
    """Whether the difference is in residual standard deviations (amounts) or in probability (categories)."""

    def __str__(self) -> str:
        """Say it in one line."""
        unit = "residual sds (root mean square)" if self.in_sds else "in probability (mean)"
        what = "R squared" if self.in_sds else "explained deviance"
        return (
            f"predictions of {self.records:,} source records differ by {self.difference:.4g} {unit}; {what} on the source "
            f"{self.source_explained:.4g} (source model), {self.released_explained:.4g} (released model)"
        )


def compare_amounts(
    y: FloatArray, source: FloatArray, released: FloatArray, weights: FloatArray, sd: float
) -> PredictionCloseness:
    """Compare predictions of an amount that is not constant.

    >>> y = np.array([1.0, 3.0])
    >>> compare_amounts(y, y, np.array([2.0, 2.0]), np.ones(2), 2.0)
    PredictionCloseness(difference=0.5, source_explained=1.0, released_explained=0.0, records=2, in_sds=True)
    """
    w = weights / weights.sum()
    mean = w @ y
    total = float(w @ (y - mean) ** 2)
    left = [float(w @ (y - predicted) ** 2) for predicted in (source, released)]
    apart = float(np.sqrt(w @ (source - released) ** 2))
    return PredictionCloseness(apart / sd, 1.0 - left[0] / total, 1.0 - left[1] / total, int(y.size), True)


def compare_categories(y: IntArray, source: FloatArray, released: FloatArray, weights: FloatArray) -> PredictionCloseness:
    """Compare log probabilities of categories, records by categories; two or more occur.

    >>> p, q = np.log([[0.5, 0.5], [0.5, 0.5]]), np.log([[0.75, 0.25], [0.25, 0.75]])
    >>> round(compare_categories(np.array([0, 1]), p, q, np.ones(2)).difference, 12)
    0.25
    """
    w = weights / weights.sum()
    share = w @ np.eye(source.shape[1])[y]
    nothing = -float(share[share > 0] @ np.log(share[share > 0]))
    each = np.arange(y.size)
    left = [-float(w @ table[each, y]) for table in (source, released)]
    apart = float(w @ np.abs(np.exp(source) - np.exp(released)).sum(axis=1)) / 2
    return PredictionCloseness(apart, 1.0 - left[0] / nothing, 1.0 - left[1] / nothing, int(y.size), False)


def predicted(fit: Fit, x: FloatArray, *, amount: bool) -> FloatArray:
    """Give predictions: means of an amount, or log probabilities of categories."""
    return np.asarray(x @ fit.estimates if amount else probabilities(x, fit.estimates), dtype=np.float64)
