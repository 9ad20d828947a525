"""The frontier programme's loops: respondents pass in order, a state says which open records are taken.

A record is open from its first to its last candidate and holds one bit (slot) meanwhile; when it closes it
must have been taken. Sums run over positive terms. Weights are scaled by powers of two, which is exact;
the total is compared across all cuts, so that a state lost to underflow cannot pass unnoticed.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.linking.posterior.joint.scaling import FLUSH
from confide.linking.posterior.joint.slots import extents, prepare, stored
from confide.linking.posterior.joint.subset import popcounts, trailing_zeros
from confide.typing import AnyArray, FloatArray, IntArray

EVERY = 8
"""Steps between two scalings."""
LEAST = 1e-200
"""Forward and backward states must meet with so much weight, far above what is set to zero."""


@njit(cache=True, nogil=True)
def _advance(
    f: FloatArray, count: AnyArray, active: int, closing: int, candidates: int, w: FloatArray, leave: float, low: int,
    high: int,
) -> None:  # fmt: skip
    """Let one respondent take a record or none, then close records; from low to high are taken by then."""
    s = active
    while True:
        total = 0.0
        if low <= count[s] <= high:
            total = leave * f[s]
            left = s & candidates
            while left:
                total += w[trailing_zeros(left)] * f[s ^ (left & -left)]
                left &= left - 1
        f[s] = total if total > FLUSH else 0.0
        if s == 0:
            break
        s = (s - 1) & active
    if closing:
        stay = active ^ closing
        s = 0
        while True:
            f[s] = f[s | closing]
            x = closing
            while x:
                f[s | x] = 0.0
                x = (x - 1) & closing
            if s == stay:
                break
            s = (s - stay) & stay


@njit(cache=True, nogil=True)
def _reopen(b: FloatArray, active: int, closing: int) -> None:
    """Undo the closing of records, going backward."""
    stay, s = active ^ closing, 0
    while closing:
        value, x = b[s], closing
        while x:
            b[s | x] = 0.0
            x = (x - 1) & closing
        b[s] = 0.0
        b[s | closing] = value
        if s == stay:
            break
        s = (s - stay) & stay


@njit(cache=True, nogil=True)
def _retreat(
    b: FloatArray, f: FloatArray, count: AnyArray, active: int, fresh: int, candidates: int, w: FloatArray, leave: float,
    low: int, high: int, part: FloatArray,
) -> float:  # fmt: skip
    """Take one respondent back; add up the weight of each record it may take, and give the total."""
    s, whole = 0, 0.0
    while True:
        total = 0.0
        if low <= count[s] <= high and s & fresh == 0:
            total, before = leave * b[s], f[s]
            left = candidates & ~s
            while left:
                k = trailing_zeros(left)
                term = w[k] * b[s | (left & -left)]
                total += term
                part[k] += term * before
                left &= left - 1
            whole += total * before
        b[s] = total if total > FLUSH else 0.0
        if s == active:
            break
        s = (s - active) & active
    return whole


@njit(cache=True, nogil=True)
def _rescale(x: FloatArray) -> int:
    """Divide by a power of two so that the largest is about 1; give the power."""
    top = x.max()
    power = math.frexp(top)[1] if top > 0.0 else 0
    if power != 0:
        x *= math.ldexp(1.0, -power)
    return power


@njit(cache=True, nogil=True)
def sweep(
    ptr: IntArray, bit: IntArray, weight: FloatArray, leave: FloatArray, opened: IntArray, closing: IntArray, width: int,
    spare: int, block: int,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """Give the probability of each pair, and log2 of the total weight as found at each cut (-inf where it is lost).

    ptr, bit, weight: the candidates of each position, as slots and weights. Forward states are kept
    every `block` steps and computed again within a block.
    """
    steps, count, size = leave.size, popcounts(width), extents(opened)
    masks, low = prepare(ptr, bit, closing, spare)
    all_kept, most = stored(size, block)
    kept, inside, at = np.empty(all_kept), np.empty(most), np.zeros(block, np.int64)
    f, b, w = np.zeros(1 << width), np.zeros(1 << width), np.zeros(width)
    p, cuts, part = np.zeros(weight.size), np.zeros(steps), np.zeros(width)
    powers, power, end = np.zeros(steps + 1, np.int64), 0, 0
    f[0], b[0] = 1.0, 1.0
    for t in range(steps):
        if t % block == 0:
            kept[end : end + size[t]] = f[: size[t]]
            end += size[t]
        for e in range(ptr[t], ptr[t + 1]):
            w[bit[e]] = weight[e]
        _advance(f, count, opened[t], closing[t], masks[t], w, leave[t], low[t], low[t] + spare)
        powers[t + 1] = powers[t] + (_rescale(f[: size[t]]) if t % EVERY == 0 else 0)
    for start in range((steps - 1) // block * block, -1, -block):
        stop = min(start + block, steps)
        f[:] = 0.0
        end -= size[start]
        f[: size[start]] = kept[end : end + size[start]]
        for t in range(start, stop):
            at[t - start] = at[t - start - 1] + size[t - 1] if t > start else 0
            inside[at[t - start] : at[t - start] + size[t]] = f[: size[t]]
            for e in range(ptr[t], ptr[t + 1]):
                w[bit[e]] = weight[e]
            _advance(f, count, opened[t], closing[t], masks[t], w, leave[t], low[t], low[t] + spare)
            if t % EVERY == 0:
                _rescale(f[: size[t]])
        for t in range(stop - 1, start - 1, -1):
            for e in range(ptr[t], ptr[t + 1]):
                w[bit[e]] = weight[e]
            part[:] = 0.0
            _reopen(b, opened[t], closing[t])
            fresh = opened[t] & ~(opened[t - 1] & ~closing[t - 1]) if t > 0 else opened[t]
            states = inside[at[t - start] : at[t - start] + size[t]]
            whole = _retreat(b, states, count, opened[t], fresh, masks[t], w, leave[t], low[t] - 1, low[t] - 1 + spare, part)
            cuts[t] = math.log2(whole) + powers[t] + power if whole > LEAST else -math.inf
            for e in range(ptr[t], ptr[t + 1]):
                p[e] = part[bit[e]] / whole if whole > 0.0 else math.nan
            power += _rescale(b[: size[t]]) if t % EVERY == 0 else 0
    return p, cuts
