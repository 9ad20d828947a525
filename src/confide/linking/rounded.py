"""Noise around rounded numbers: a sum over the multiples that true numbers are rounded to.

    Pr(z | beliefs) = sum over k of Pr(y in cell k) Pr(z | k base),

with cell k the true numbers that are rounded to k times the base.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.intruder.beliefs.prior import LOGNORMAL, NORMAL, POINT, REPLACED, SILENT, UNIFORM
from confide.linking.marginal import log_class_mass, reflected
from confide.linking.quadrature import log_noise
from confide.typing import BoolArray, FloatArray, IntArray

FINE = 50.0
"""Where noise and belief are this many times as wide as the base, rounding is left out: it changes densities by 1e-4."""
MOST_MULTIPLES = 100_000
"""Where more multiples than this matter, rounding is left out, too."""
FAR = 38.0
"""So many standard deviations away nothing is looked for."""
LARGEST = 1e15
"""The largest multiple that is looked at, in bases."""
NEGLIGIBLE = 40.0
"""Terms whose logarithm is so much below the largest one are left out."""


@njit(cache=True, nogil=True)
def _without(mass: float, part: float) -> float:
    """Give the log of the difference of two probabilities."""
    return mass + math.log1p(-math.exp(part - mass)) if part < mass else -math.inf


@njit(cache=True, nogil=True)
def _reach(
    a: float, b: float, kind: int, p: float, q: float, low: float, high: float, sign: float, base: float,
    kernel: FloatArray, sds: FloatArray,
) -> tuple[int, int]:  # fmt: skip
    """Give the first and the last multiple that may matter: within the class, the belief and the reach of the noise."""
    first, last = p - FAR * q, p + FAR * q
    if kind == UNIFORM:
        first, last = p, q
    elif kind == LOGNORMAL:
        first, last = math.exp(max(first, -700.0)), math.exp(min(last, 700.0))
    s = FAR * sds.max()
    start, end = a - s - kernel[1], b + s - kernel[1]
    if kernel[0] == 1.0:
        start, end = math.exp(max(start, -700.0)), math.exp(min(end, 700.0))
    elif sign < 0:
        start, end = -end, -start
    if max(first, start) <= min(last, end):
        first, last = max(first, start), min(last, end)
    else:
        first, last = min(first, start), max(last, end)
    first, last = max(low, first, -LARGEST * base), min(high, last, LARGEST * base)
    return math.floor(first / base + 0.5), math.floor(last / base + 0.5)


@njit(cache=True, nogil=True)
def _term(
    k: int, a: float, b: float, kind: int, p: float, q: float, low: float, high: float, sign: float, base: float,
    kernel: FloatArray, sds: FloatArray, breaks: FloatArray,
) -> float:  # fmt: skip
    """Give the log probability of a multiple and what is released of it."""
    if k == 0 and (kernel[0] == 1.0 or kernel[5] == 1.0):
        return -math.inf
    start, end = max(low, (k - 0.5) * base), min(high, (k + 0.5) * base)
    if start >= end:
        return -math.inf
    return log_class_mass(kind, p, q, start, end) + log_noise(a, b, sign * k * base, kernel, sds, breaks)


@njit(cache=True, nogil=True)
def _is_fine(
    a: float, b: float, kind: int, p: float, q: float, base: float, kernel: FloatArray, sds: FloatArray
) -> bool:  # fmt: skip
    """Say whether the base is too small to matter."""
    z = 0.5 * (a + b)
    if not math.isfinite(z):
        return False
    s = sds.min()
    if kernel[0] == 1.0:
        z = math.exp(min(z - kernel[1], 700.0))
        s *= z
    spread = q - p if kind == UNIFORM else q
    if kind == LOGNORMAL:
        spread *= min(abs(z), math.exp(min(p, 700.0)))
    far = z * math.exp(-9.0 * sds.max()) > base if kernel[0] == 1.0 else abs(z) > 9.0 * sds.max() + base
    return min(s, spread) >= FINE * base and (far or (kernel[0] == 0.0 and kernel[5] == 0.0))


@njit(cache=True, nogil=True)
def _log_sum_of_multiples(
    a: float, b: float, kind: int, p: float, q: float, low: float, high: float, sign: float, base: float, merged: bool,
    kernel: FloatArray, sds: FloatArray, breaks: FloatArray, smooth: float,
) -> float:  # fmt: skip
    """Give the log of the sum over the multiples, for beliefs with a density; `smooth` where rounding does not matter."""
    if _is_fine(a, b, kind, p, q, base, kernel, sds):
        return smooth
    first, last = _reach(a, b, kind, p, q, low, high, sign, base, kernel, sds)
    if first > last:
        return -math.inf
    # the terms rise to the largest one, and fall
    left, right = first, last
    while right - left > 2:
        middle = left + (right - left) // 2
        one = _term(middle, a, b, kind, p, q, low, high, sign, base, kernel, sds, breaks)
        two = _term(middle + 1, a, b, kind, p, q, low, high, sign, base, kernel, sds, breaks)
        if one == two == -math.inf:
            two = math.inf if middle <= 0 else -math.inf
        if one < two:
            left = middle + 1
        else:
            right = middle
    top, total, count = -math.inf, 0.0, 0
    for step in (-1, 1):
        k = left if step < 0 else left + 1
        while first <= k <= last:
            value = _term(k, a, b, kind, p, q, low, high, sign, base, kernel, sds, breaks)
            if value < top - NEGLIGIBLE and abs(k - left) > 2 and k != 0:
                break
            if value > top:
                total = total * math.exp(top - value) + 1.0 if top > -math.inf else 1.0
                top = value
            elif value > -math.inf:
                total += math.exp(value - top)
            k += step
            count += 1
            if count > MOST_MULTIPLES:
                return smooth
    found = top + math.log(total) if top > -math.inf else -math.inf
    if merged and low < 0.5 * base and high > -0.5 * base:
        # a zero that is kept is released as it is
        zero = log_class_mass(kind, p, q, max(low, -0.5 * base), min(high, 0.5 * base))
        top = max(found, zero)
        if top > -math.inf:
            found = top + math.log(math.exp(found - top) + math.exp(zero - top))
    return found


@njit(cache=True, nogil=True)
def rounded_integrals(
    first_record: int, last_record: int, row: IntArray, a: FloatArray, b: FloatArray, state: IntArray,
    family: IntArray, first: FloatArray, second: FloatArray, put: FloatArray, low: FloatArray, high: FloatArray,
    given_class: bool, merged: BoolArray, base: float, kernel: FloatArray, sds: FloatArray, breaks: FloatArray,
    out: FloatArray, mass: FloatArray,
) -> None:  # fmt: skip
    """Replace the log integrals and class masses of perturbed numbers by those of numbers that were rounded before.

    Atoms that are impossible already are left. A number that is rounded to zero is a zero, where zeros are kept.

    `put` holds what points are rounded to; `merged` says where a zero that was kept may be behind a number.
    """
    zeros = kernel[0] == 1.0 or kernel[5] == 1.0
    for j in range(first_record, last_record):
        if state[j] != 1 and state[j] != 2:
            continue
        i = row[j] if family.shape[0] > 1 else 0
        sign = -1.0 if state[j] == 2 else 1.0
        for atom in range(family.shape[1]):
            kind, p, q = family[i, atom], first[i, atom], second[i, atom]
            if kind in (SILENT, REPLACED) or mass[j, atom] == -math.inf:
                continue
            if kind == POINT:
                if zeros and put[i, atom] == 0.0:
                    mass[j, atom] = -math.inf
                    out[j, atom] = 0.0 if merged[j] else -math.inf
                else:
                    out[j, atom] = log_noise(a[j], b[j], put[i, atom], kernel, sds, breaks)
                continue
            if sign < 0:
                kind, p, q = reflected(kind, p, q, given_class)
            if zeros:
                start, end = max(low[j], -0.5 * base), min(high[j], 0.5 * base)
                if start < end:
                    mass[j, atom] = _without(mass[j, atom], log_class_mass(kind, p, q, start, end))
            if kind in (NORMAL, LOGNORMAL, UNIFORM):
                out[j, atom] = _log_sum_of_multiples(
                    a[j], b[j], kind, p, q, low[j], high[j], sign, base, merged[j], kernel, sds, breaks, out[j, atom]
                )


def zero_cell(base: float, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the part of some intervals that is rounded to zero; where there is none the first end is not below the second.

    >>> zero_cell(20.0, np.array([0.0]), np.array([100.0]))
    (array([0.]), array([10.]))
    """
    return np.maximum(low, -0.5 * base), np.minimum(high, 0.5 * base)
