"""A fitted model, and the checks every fit begins with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr

from confide.errors import HarmError
from confide.typing import FloatArray

COLLINEAR = 1e-7
"""A standardised column with less than this part of its spread to itself is collinear."""
MOST_COEFFICIENTS = 1_000
PIECE = 20_000
"""So many rows are decomposed at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Estimates of one model on one file."""

    estimates: FloatArray
    """The coefficients: covariates, for every category of the response but the first."""
    covariance: FloatArray
    """Their covariance."""
    sd: float | None = None
    """The residual standard deviation of a linear model."""

    @property
    def se(self) -> FloatArray:
        """The standard errors."""
        return np.asarray(np.sqrt(np.diag(self.covariance)), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Standardised:
    """Covariates with mean zero and spread one, beside the intercept."""

    z: FloatArray
    """The covariates."""
    root: FloatArray
    """The triangular R with R'R = z'Wz."""
    back: FloatArray
    """The matrix that takes coefficients back to the units of the file."""

    @classmethod
    def of(cls, x: FloatArray, weights: FloatArray, names: tuple[str, ...], file: str) -> Standardised:
        """Standardise covariates, the first of which is the intercept; raise where they are collinear.

        >>> made = Standardised.of(np.array([[1.0, 2.0], [1.0, 6.0]] * 2), np.ones(4), ("(intercept)", "x"), "file")
        >>> made.z[:2].tolist(), made.back.tolist()
        ([[1.0, -1.0], [1.0, 1.0]], [[1.0, -2.0], [0.0, 0.5]])
        """
        n, p = x.shape
        if n <= p:
            raise HarmError(
                f"the {file} has {n:,} complete records for {p:,} coefficients, more than {p:,} are needed; leave terms out"
            )
        centre = weights @ x / weights.sum()
        spread = np.sqrt(weights @ (x - centre) ** 2 / weights.sum())
        flat = spread <= 1e-12 * np.abs(centre)
        spread[flat] = 1.0
        z = (x - centre) / spread
        z[:, flat] = 0.0
        z[:, 0] = 1.0
        root = _root(z, np.sqrt(weights))
        r, order = qr(root, mode="r", pivoting=True)
        small = np.abs(np.diag(r)) <= COLLINEAR * np.sqrt(weights.sum())
        if bool(small.any()):
            found = ", ".join(names[k] for k in np.sort(order[small])[:5])
            raise HarmError(
                f"in the {file}, {found} is constant or a combination of the other terms, so it has no coefficient of "
                "its own; leave one of them out"
            )
        back = np.diag(1.0 / spread)
        back[0, 0] = 1.0
        back[0, 1:] = -centre[1:] / spread[1:]
        return cls(z, np.asarray(root, dtype=np.float64), back)


def _root(z: FloatArray, scale: FloatArray) -> FloatArray:
    """Give R of the QR decomposition of scaled rows: of pieces that fit into the cache, then of their R's."""
    starts = range(0, z.shape[0], PIECE)
    parts = [np.linalg.qr(scale[a : a + PIECE, None] * z[a : a + PIECE], mode="r") for a in starts]
    return np.asarray(parts[0] if len(parts) == 1 else np.linalg.qr(np.vstack(parts), mode="r"), dtype=np.float64)


def check_size(coefficients: int) -> None:
    """Raise where a model is too large."""
    if coefficients > MOST_COEFFICIENTS:
        raise HarmError(
            f"the model has {coefficients:,} coefficients, at most {MOST_COEFFICIENTS:,} are allowed; "
            "recode variables of many categories"
        )
