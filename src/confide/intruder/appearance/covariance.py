"""Normal densities, or normal densities of logarithms, with a covariance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular

from confide.errors import IntruderError
from confide.intruder.appearance.appearance import NORMAL
from confide.intruder.appearance.axes import Axes
from confide.intruder.appearance.check import as_covariance, as_spread, check_mass, check_pairs, frozen, shared_mass
from confide.intruder.appearance.forms import LOG_SCALE, Form, LocatedForm, half_width
from confide.typing import FloatArray, IntArray

PAIRS_AT_ONCE = 2**18


@dataclass(frozen=True, slots=True, eq=False)
class CovarianceForm(Form):
    """Normal densities with a covariance for each respondent."""

    sd: FloatArray
    """The standard deviations, respondents by variables."""
    whitening: FloatArray
    """For each respondent W, with W Σ W' = I."""
    constant: FloatArray
    """The log density at the centre."""

    def located(self, records: FloatArray) -> None:
        """Say that every respondent has axes of its own."""

    def log_density(self, records: FloatArray, record: IntArray, respondent: IntArray) -> FloatArray:
        """Evaluate pairs, some at a time."""
        z, jacobian = self.axes.place(records)
        record, respondent = check_pairs(z.shape[0], self.respondents, record, respondent)
        total = self.constant[respondent] + jacobian[record]
        z = np.where(np.isfinite(z), z, 0.0)
        for start in range(0, record.size, PAIRS_AT_ONCE):
            some = slice(start, start + PAIRS_AT_ONCE)
            i = respondent[some]
            x = np.einsum("mkl,ml->mk", self.whitening[i], z[record[some]] - self.centre[i])
            total[some] -= 0.5 * np.einsum("mk,mk->m", x, x)
        return total

    def boxes(self, mass: float) -> tuple[FloatArray, FloatArray]:
        """Box each variable by its own sd; correlation can only lower the mass outside (Šidák 1967)."""
        half = half_width(NORMAL, shared_mass(check_mass(mass), 1 / self.variables))
        return self.centre - half * self.sd, self.centre + half * self.sd


def gaussian_form(
    centre: FloatArray, sd: npt.ArrayLike | None, covariance: npt.ArrayLike | None, *, logs: bool
) -> tuple[LocatedForm | CovarianceForm, FloatArray | None, FloatArray | None]:
    """Give the form, and sd or covariance as they were understood."""
    shape = (int(centre.shape[0]), int(centre.shape[1]))
    d = shape[1]
    if (sd is None) == (covariance is None):
        raise IntruderError("give sd or covariance, one of them")
    if covariance is None:
        assert sd is not None
        scale = as_spread(sd, shape, "sd")
        constant = -np.log(scale).sum(axis=1) - d * LOG_SCALE[NORMAL]
        return LocatedForm(Axes(d, logs), centre, scale, NORMAL, constant), scale, None
    table, factor = as_covariance(covariance, shape)
    log_volume = np.log(np.diagonal(factor, axis1=-2, axis2=-1)).sum(axis=-1)
    constant = np.broadcast_to(-log_volume - d * LOG_SCALE[NORMAL], (shape[0],))
    if table.ndim == 2:
        axes = Axes(d, logs, frozen(solve_triangular(factor, np.eye(d), lower=True)))
        return LocatedForm(axes, frozen(axes.whiten(centre)), np.ones(shape), NORMAL, constant), None, table
    spread = np.sqrt(np.diagonal(table, axis1=-2, axis2=-1))
    return (
        CovarianceForm(Axes(d, logs), centre, spread, np.asarray(np.linalg.inv(factor), dtype=np.float64), constant),
        None,
        table,
    )
