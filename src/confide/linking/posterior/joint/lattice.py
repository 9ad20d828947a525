"""The count programme: steps come one by one and each takes one of a few types of places.

State: how many places of each type are taken, a point c of a lattice; its step is the sum of c. Sums run
over positive terms. Counts make weights range over thousands of powers of ten, so a number is kept as
mantissa times 2^(512 e) with its own e: nothing overflows and nothing that matters is lost.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.typing import FloatArray, IntArray

LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""log 2 in two parts (fdlibm): whole multiples of the first are exact."""
BIG, SMALL = 2.0**256, 2.0**-256
UP, DOWN = 2.0**512, 2.0**-512
NOTHING = -(1 << 62)


@njit(cache=True, nogil=True)
def wide_exp(x: float) -> tuple[float, int]:
    """Give exp(x) as mantissa and exponent of 2^512."""
    if x == -math.inf:
        return 0.0, NOTHING
    k = math.floor(x / LN2_HIGH + 0.5)
    e = math.floor((k + 256) / 512)
    return math.ldexp(math.exp((x - k * LN2_HIGH) - k * LN2_LOW), int(k - 512 * e)), int(e)


@njit(cache=True, nogil=True)
def wide_add(a: float, ea: int, b: float, eb: int) -> tuple[float, int]:
    """Add two numbers; b may be a product of three mantissas and is brought into range first."""
    if b == 0.0:
        return a, ea
    if b >= BIG:
        b, eb = b * DOWN, eb + 1
    elif b < SMALL:
        b, eb = b * UP, eb - 1
    if a == 0.0 or eb > ea + 1:
        return b, eb
    if eb == ea:
        a += b
    elif eb == ea + 1:
        a, ea = b + a * DOWN, eb
    elif eb == ea - 1:
        a += b * DOWN
    if a >= BIG:
        a, ea = a * DOWN, ea + 1
    return a, ea


@njit(cache=True, nogil=True)
def lattice(log_w: FloatArray, counts: IntArray) -> FloatArray:
    """Give the probability that each step takes each type; log_w is steps by types.

    Every step takes one place, all ways are weighted by the product of w, places of a type are
    different places. At least as many places as steps; every place beyond is left free.
    """
    steps, kinds = log_w.shape
    size = np.minimum(counts, steps) + 1
    stride = np.ones(kinds, np.int64)
    for b in range(1, kinds):
        stride[b] = stride[b - 1] * size[b - 1]
    states = stride[kinds - 1] * size[kinds - 1]
    w, we = np.empty((steps, kinds)), np.empty((steps, kinds), np.int64)
    for t in range(steps):
        for b in range(kinds):
            w[t, b], we[t, b] = wide_exp(log_w[t, b])
    f, fe = np.zeros(states), np.full(states, NOTHING)
    g, ge = np.zeros(states), np.full(states, NOTHING)
    f[0], fe[0] = 1.0, 0
    c, t = np.zeros(kinds, np.int64), 0
    for s in range(1, states):
        b = 0
        while c[b] == size[b] - 1:
            t -= c[b]
            c[b] = 0
            b += 1
        c[b] += 1
        t += 1
        if t > steps:
            continue
        m, e = 0.0, NOTHING
        for b in range(kinds):
            if c[b] > 0:
                q = s - stride[b]
                m, e = wide_add(m, e, w[t - 1, b] * f[q] * (counts[b] - c[b] + 1), we[t - 1, b] + fe[q])
        f[s], fe[s] = m, e
    p, pe = np.zeros((steps, kinds)), np.full((steps, kinds), NOTHING)
    for s in range(states - 1, -1, -1):
        if s < states - 1:
            b = 0
            while c[b] == 0:
                t += size[b] - 1
                c[b] = size[b] - 1
                b += 1
            c[b] -= 1
            t -= 1
        if t == steps:
            g[s], ge[s] = 1.0, 0
        if t >= steps:
            continue
        m, e = 0.0, NOTHING
        for b in range(kinds):
            if c[b] < size[b] - 1:
                q = s + stride[b]
                term, te = wide_add(0.0, 0, w[t, b] * g[q] * (counts[b] - c[b]), we[t, b] + ge[q])
                if term > 0.0:
                    m, e = wide_add(m, e, term, te)
                    p[t, b], pe[t, b] = wide_add(p[t, b], pe[t, b], term * f[s], te + fe[s])
        g[s], ge[s] = m, e
    for t in range(steps):
        top, total = pe[t].max(), 0.0
        for b in range(kinds):
            p[t, b] = p[t, b] * (1.0 if pe[t, b] == top else DOWN if pe[t, b] == top - 1 else 0.0)
            total += p[t, b]
        p[t] /= total
    return p
