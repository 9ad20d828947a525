"""What the formulas of the map ask of their arguments."""

from __future__ import annotations

import math

import numpy as np

from confide.errors import MapError
from confide.typing import FloatArray


def size(n: int, least: int = 1) -> int:
    """Check a sample size.

    >>> size(200)
    200
    """
    if isinstance(n, bool) or n != int(n) or n < least:
        raise MapError(f"n must be a whole number of at least {least}, found {n!r}")
    return int(n)


def positive(name: str, value: float) -> float:
    """Check a positive number.

    >>> positive("sigma2", 1)
    1.0
    """
    if not (math.isfinite(value) and value > 0):
        raise MapError(f"{name} must be a positive number, found {value!r}")
    return float(value)


def share(name: str, value: float) -> float:
    """Check a share strictly between 0 and 1.

    >>> share("p", 0.99)
    0.99
    """
    if not 0 < value < 1:
        raise MapError(f"{name} must lie strictly between 0 and 1, found {value!r}")
    return float(value)


def noise(lambda2: float | FloatArray) -> FloatArray:
    """Check variances of the noise: finite and not negative.

    >>> noise(0.5)
    array(0.5)
    """
    found = np.asarray(lambda2, dtype=np.float64)
    wrong = int(np.sum(~(np.isfinite(found) & (found >= 0))))
    if wrong:
        raise MapError(
            f"lambda2, the variance of the noise, must be finite and not negative; {wrong} of {found.size} are not"
        )
    return found


def limit(max_risk: float) -> float:
    """Check a limit on the risk.

    >>> limit(5)
    5.0
    """
    if not 0 < max_risk < math.inf:
        raise MapError(
            f"max_risk must be a positive number and finite, found {max_risk!r}; the risk is 1/(mean squared error)"
        )
    return float(max_risk)


def reciprocal(squared: FloatArray) -> FloatArray:
    """Give 1 over mean squared errors; where there is no error it is infinite.

    >>> reciprocal(np.array([4.0, 0.0])).tolist()
    [0.25, inf]
    """
    with np.errstate(divide="ignore"):
        return np.asarray(1.0 / squared, dtype=np.float64)
