"""One pass over all combinations of levels, occupied or not, without a table of them.

A fitted mean is a product of factors, one for each set of keys. Keys are nested; the innermost runs as a vector. The
product of the factors known so far is kept for each depth, so a combination costs about two multiplications, and a
factor of zero ends everything below it.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.typing import BoolArray, FloatArray, IntArray


@njit(cache=True, nogil=True)
def _extend(
    d: int, x: IntArray, product: FloatArray, factors: FloatArray, base: IntArray, stride: IntArray, inner: BoolArray,
    depth: IntArray,
) -> bool:  # fmt: skip
    """Multiply the product of depth d - 1 by the factors that depth d completes; say whether anything is left."""
    scale = 1.0
    for g in range(base.size):
        if depth[g] == d and not inner[g]:
            at = base[g]
            for k in range(d):
                at += stride[g, k] * x[k]
            scale *= factors[at]
    if scale == 0.0:
        return False
    width = product.shape[1]
    first = True
    for g in range(base.size):
        if depth[g] == d and inner[g]:
            at = base[g]
            for k in range(d):
                at += stride[g, k] * x[k]
            if first:
                for i in range(width):
                    product[d, i] = product[d - 1, i] * scale * factors[at + i]
                first = False
            else:
                for i in range(width):
                    product[d, i] *= factors[at + i]
    if first:
        for i in range(width):
            product[d, i] = product[d - 1, i] * scale
    return True


@njit(cache=True, nogil=True)
def _collect(
    d: int, x: IntArray, values: FloatArray, margin: FloatArray, target: int, stride: IntArray, inner: BoolArray,
) -> None:  # fmt: skip
    """Add a vector of means to the margin of the target."""
    at = 0
    for k in range(d):
        at += stride[target, k] * x[k]
    if inner[target]:
        for i in range(values.size):
            margin[at + i] += values[i]
    else:
        total = 0.0
        for i in range(values.size):
            total += values[i]
        margin[at] += total


@njit(cache=True, nogil=True)
def slopes(y: float, e: float) -> tuple[float, float]:
    """Give minus the first and the second derivative of (1 - exp(-y)) / y; e is exp(-y)."""
    if y < 0.1:
        # the sums of (-y)^k / k! over k + 2, and over k + 3
        first = 1 / 2 - y * (1 / 3 - y * (1 / 8 - y * (1 / 30 - y * (1 / 144 - y * (1 / 840 - y / 5760)))))
        second = 1 / 3 - y * (1 / 4 - y * (1 / 10 - y * (1 / 36 - y * (1 / 168 - y * (1 / 960 - y / 6480)))))
        return first, second
    return (1 - e * (1 + y)) / (y * y), (2 - e * (y * y + 2 * y + 2)) / (y * y * y)


@njit(cache=True, nogil=True)
def add_tests(mean: float, f: float, pi: float, sums: FloatArray) -> None:
    """Add a cell's part of B1, v1, B2 and v2; `mean` is its fitted sample mean."""
    big = mean / pi
    y = (1 - pi) * big
    weight = big * math.exp(-mean)
    odd = f - mean
    even = (odd * odd - f) / (2 * pi)
    e = math.exp(-y)
    a1 = weight * (1 - pi) * e
    b1 = a1 * (1 - pi)
    first, second = slopes(y, e)
    a2 = weight * (1 - pi) * first
    b2 = weight * (1 - pi) * (1 - pi) * second
    spread = mean * mean / (2 * pi * pi)
    sums[0] += a1 * odd + b1 * even
    sums[1] += a1 * a1 * mean + b1 * b1 * spread
    sums[2] += a2 * odd + b2 * even
    sums[3] += a2 * a2 * mean + b2 * b2 * spread


@njit(cache=True, nogil=True)
def sweep(
    levels: IntArray, width: int, factors: FloatArray, base: IntArray, stride: IntArray, inner: BoolArray, depth: IntArray,
    target: int, margin: FloatArray, pi: float, sums: FloatArray,
) -> None:  # fmt: skip
    """Add up fitted means over all combinations of levels: the margin of a set of keys, or test statistics.

    Args:
        levels: the number of levels of each nested key, outermost first.
        width: the number of levels of the innermost key.
        factors: the factors of all sets of keys, one after the other.
        base: where those of each set start.
        stride: how far a level of each nested key moves in them; 0 for a key that is not in the set.
        inner: whether the set holds the innermost key.
        depth: how many nested keys must be known for the set's factor.
        target: the set whose margin is wanted; below 0 for test statistics.
        margin: where the margin is added up.
        pi: the sampling fraction of empty cells, for test statistics.
        sums: where these are added up, as if all cells were empty.
    """
    keys = levels.size
    x = np.zeros(keys, dtype=np.int64)
    product, below = np.ones((keys + 1, width)), np.zeros((keys + 1, width))
    for g in range(base.size):
        if depth[g] == 0:
            for i in range(width):
                product[0, i] *= factors[base[g] + i] if inner[g] else factors[base[g]]
    d = 1
    while True:
        # go down as far as the product is not zero
        alive = True
        while d <= keys:
            alive = _extend(d, x, product, factors, base, stride, inner, depth)
            if not alive:
                break
            d += 1
        if alive:
            d = keys
            if target < 0:
                for i in range(width):
                    if product[d, i] > 0:
                        add_tests(product[d, i], 0.0, pi, sums)
            else:
                for i in range(width):
                    below[d, i] = product[d, i]
        # go up: hand sums to the depth above, and take the next level
        while d > 0:
            if target >= 0:
                if depth[target] == d:
                    _collect(d, x, below[d], margin, target, stride, inner)
                for i in range(width):
                    below[d - 1, i] += below[d, i]
                    below[d, i] = 0.0
            x[d - 1] += 1
            if x[d - 1] < levels[d - 1]:
                break
            x[d - 1] = 0
            d -= 1
        if d == 0:
            break
    if target >= 0 and depth[target] == 0:
        _collect(0, x, below[0], margin, target, stride, inner)


@njit(cache=True, nogil=True)
def occupied_tests(
    mean: FloatArray, f: FloatArray, pi: FloatArray, empty: float, bare: FloatArray, sums: FloatArray
) -> None:
    """Put occupied cells right: take off what they added as empty ones, and add what they are.

    `bare` is the fitted sample mean that the sweep saw, with the sampling fraction `empty`.
    """
    part = np.zeros(4)
    for c in range(mean.size):
        add_tests(mean[c], f[c], pi[c], sums)
        add_tests(bare[c], 0.0, empty, part)
    for k in range(4):
        sums[k] -= part[k]
