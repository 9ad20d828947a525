"""E(1/F) by quadrature: the integral of s^(f-1) G(s) over s from 0 to 1, G being the generating function of F - f.

The integrands are logarithmically concave and fall at least as fast as an exponential. Gauss and Legendre's rule on the
part that matters has twelve digits for every f and every parameter, where hypergeometric functions lose them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from confide.typing import FloatArray

X, W = np.polynomial.legendre.leggauss(64)
NODES, WEIGHTS = (X + 1) / 2, W / 2
FAR = 45.0
"""exp(-45) is below rounding."""
CHUNK = 50_000


def poisson_inverses(f: FloatArray, h: FloatArray) -> FloatArray:
    """Give E(1/F) where F - f is Poisson with mean h: the integral of (1 - u)^(f-1) exp(-h u).

    >>> poisson_inverses(np.array([1.0, 3.0]), np.array([1.0, 0.0])).round(6).tolist()
    [0.632121, 0.333333]
    """

    def part(f: FloatArray, h: FloatArray) -> FloatArray:
        end = np.minimum(1.0, FAR / np.maximum(f - 1 + h, FAR))
        u = NODES * end
        return np.asarray((end * np.exp((f - 1) * np.log1p(-u) - h * u)) @ WEIGHTS)

    return _in_parts(part, f, h)


def negative_binomial_inverses(f: FloatArray, size: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Give E(1/F) where F - f counts the failures, of probability q = 1 - p, before a number `size` >= f of successes.

    With s = 1 - (p/q) (e^w - 1) it is p/q times the integral of s^(f-1) e^(-(size-1) w) over w from 0 to -log p.

    >>> negative_binomial_inverses(*(np.array([x]) for x in (2.0, 2.0, 0.024, 0.976))).round(8).tolist()
    [0.0223349]
    """

    def part(f: FloatArray, size: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
        odds = p / q
        rate = size - 1 + (f - 1) * odds
        end = -np.log1p(-q)
        end = np.where(rate * end > FAR, FAR / np.maximum(rate, 1e-300), end)
        w = NODES * end
        lost = np.minimum(odds * np.expm1(w), 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.where(f > 1, (f - 1) * np.log1p(-lost), 0.0)
        return np.asarray((odds * end * np.exp(left - (size - 1) * w)) @ WEIGHTS)

    certain = q == 0
    found = _in_parts(part, f, size, np.where(certain, 0.5, p), np.where(certain, 0.5, q))
    return np.where(certain, 1 / f, found)


def _in_parts(part: Callable[..., FloatArray], *arrays: FloatArray) -> FloatArray:
    """Work through arrays piece by piece, each a column beside the nodes."""
    found = [part(*(a[i : i + CHUNK, None] for a in arrays)) for i in range(0, arrays[0].size, CHUNK)]
    return np.concatenate(found) if found else np.zeros(0)
