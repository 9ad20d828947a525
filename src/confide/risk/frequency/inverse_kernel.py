"""The expectation of 1/F when the population count F, given the sample count f, is negative binomial."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.typing import AnyArray, FloatArray

FEW = 20
"""From this f on the series needs fewer terms than the recursion takes steps."""
SMALL = 1e-17
"""A term this share of the sum no longer counts."""


@njit(cache=True, nogil=True)
def expected_inverses(f: AnyArray, p: FloatArray) -> FloatArray:
    """Give p K_f, where K_f is the integral of (1 - t)^(f-1) / (1 - q t) over t from 0 to 1, and q = 1 - p.

    This is p^f / f times the hypergeometric function 2F1(f, f; f + 1; q). For small p, K_1 = -log(p) / q and
    K_(f+1) = (1/f - p K_f) / q, where errors shrink by p / q. Else the series of 2F1(1, 1; f + 1; q) / f, whose terms are
    all positive.
    """
    found = np.empty(f.size)
    for i in range(f.size):
        count, share = f[i], p[i]
        q = 1.0 - share
        if share < 0.5 and count < FEW:
            k = -math.log(share) / q
            for j in range(1, count):
                k = (1.0 / j - share * k) / q
        else:
            term, total, j = 1.0, 1.0, 0
            while term > SMALL * total:
                j += 1
                term *= q * j / (count + j)
                total += term
            k = total / count
        found[i] = share * k
    return found
