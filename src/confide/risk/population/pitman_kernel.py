"""The sums of the likelihood of Pitman's sampling formula."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.typing import FloatArray, IntArray


@njit(cache=True, nogil=True)
def likelihood(theta: float, alpha: float, u: int, n: int, above: IntArray) -> FloatArray:
    """Give the log likelihood, its two first and its three second derivatives: by theta, alpha, twice theta, mixed, alpha.

    Args:
        theta: the first parameter, above -alpha.
        alpha: the second one, from 0 to below 1.
        u: the number of cells.
        n: the number of records.
        above: the number of cells larger than 1, 2, ...
    """
    found = np.zeros(6)
    for i in range(1, u):
        x = 1.0 / (theta + i * alpha)
        found[0] -= math.log(x)
        found[1] += x
        found[2] += i * x
        found[3] -= x * x
        found[4] -= i * x * x
        found[5] -= i * i * x * x
    for i in range(1, n):
        x = 1.0 / (theta + i)
        found[0] += math.log(x)
        found[1] -= x
        found[3] += x * x
    for k in range(above.size):
        x = 1.0 / (k + 1 - alpha)
        found[0] -= above[k] * math.log(x)
        found[2] -= above[k] * x
        found[5] -= above[k] * x * x
    return found
