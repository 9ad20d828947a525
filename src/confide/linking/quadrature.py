"""Integrals of noise against a prior, by quadrature in log space.

Composite Gauss-Legendre rules with panels around the noise, around the prior and around the mode of
their product; the test-suite bounds the relative error by 1e-8. `kernel` holds: log_scale, shift,
lower, upper, redraw, keep_zero.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.linking.gauss import HALF_LOG_2PI, log_phi_between
from confide.linking.kernels import CUT
from confide.sorting import sort_in_place
from confide.typing import FloatArray

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_STEPS = np.array([-9.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 9.0])
MOST_CUTS = 200


@njit(cache=True, nogil=True)
def log_noise(a: float, b: float, y: float, kernel: FloatArray, sds: FloatArray, breaks: FloatArray) -> float:
    """Give log Pr(z | y), z being an interval (or point) on the scale of the noise."""
    k = 0
    while k < breaks.size and y > breaks[k]:
        k += 1
    s = sds[k]
    c = (math.log(abs(y)) if kernel[0] == 1.0 else y) + kernel[1]
    if a == b:
        d = (a - c) / s
        value = -0.5 * d * d - math.log(s) - HALF_LOG_2PI
    else:
        value = log_phi_between((a - c) / s, (b - c) / s)
    if kernel[4] == 1.0:
        lower, upper = (kernel[2] - c) / s, (kernel[3] - c) / s
        if lower > -8.5 or upper < 8.5:
            value -= log_phi_between(lower, upper)
    return value


@njit(cache=True, nogil=True)
def to_scale(y: float, is_log: bool) -> float:
    """Take a number to the scale of the prior."""
    if not is_log:
        return y
    return math.log(y) if y > 0 else -math.inf


@njit(cache=True, nogil=True)
def _from_noise(g: float, kernel: FloatArray) -> float:
    """Take a number from the scale of the noise to the plain scale."""
    return math.exp(min(g - kernel[1], 700.0)) if kernel[0] == 1.0 else g


@njit(cache=True, nogil=True)
def _log_product(
    x: float, mean: float, sd: float, a: float, b: float, sign: float, is_log: bool,
    kernel: FloatArray, sds: FloatArray, breaks: FloatArray,
) -> float:  # fmt: skip
    """Give the log of noise times prior at x, on the scale of the prior."""
    y = sign * (math.exp(x) if is_log else x)
    d = (x - mean) / sd if sd > 0 else 0.0
    return log_noise(a, b, y, kernel, sds, breaks) - 0.5 * d * d


@njit(cache=True, nogil=True)
def _mode(
    start: float, stop: float, mean: float, sd: float, a: float, b: float, sign: float, is_log: bool,
    kernel: FloatArray, sds: FloatArray, breaks: FloatArray,
) -> float:  # fmt: skip
    """Find the mode of noise times prior between two points by golden sections."""
    ratio = 0.6180339887498949
    lo, hi = min(start, stop), max(start, stop)
    c, d = hi - ratio * (hi - lo), lo + ratio * (hi - lo)
    fc = _log_product(c, mean, sd, a, b, sign, is_log, kernel, sds, breaks)
    fd = _log_product(d, mean, sd, a, b, sign, is_log, kernel, sds, breaks)
    for _ in range(48):
        if fc > fd:
            hi, d, fd = d, c, fc
            c = hi - ratio * (hi - lo)
            fc = _log_product(c, mean, sd, a, b, sign, is_log, kernel, sds, breaks)
        else:
            lo, c, fc = c, d, fd
            d = lo + ratio * (hi - lo)
            fd = _log_product(d, mean, sd, a, b, sign, is_log, kernel, sds, breaks)
    return 0.5 * (lo + hi)


@njit(cache=True, nogil=True)
def _scale_at(
    mode: float, mean: float, sd: float, width: float, left: float, right: float, a: float, b: float, sign: float,
    is_log: bool, kernel: FloatArray, sds: FloatArray, breaks: FloatArray,
) -> float:  # fmt: skip
    """Give the distance over which the product changes near its mode."""
    y = math.exp(mode) if is_log else abs(mode)
    k = 0
    while k < breaks.size and sign * y > breaks[k]:
        k += 1
    noise = sds[k]
    if kernel[0] == 0.0 and is_log:
        noise /= max(y, 1e-300)
    elif kernel[0] == 1.0 and not is_log:
        noise *= max(y, 1e-300)
    tau = min(noise, width) if sd == 0.0 else 1.0 / math.sqrt(1.0 / (noise * noise) + 1.0 / (sd * sd))
    tau = min(tau, right - left)
    h = 1e-3 * tau
    x = min(max(mode, left + h), right - h)
    slope = (
        _log_product(x + h, mean, sd, a, b, sign, is_log, kernel, sds, breaks)
        - _log_product(x - h, mean, sd, a, b, sign, is_log, kernel, sds, breaks)
    ) / (2 * h)
    # at the edge of a class the product falls like an exponential
    return min(tau, 1.0 / abs(slope)) if slope != 0.0 else tau


@njit(cache=True, nogil=True)
def _add(cuts: FloatArray, n: int, x: float, left: float, right: float) -> int:
    """Add a cut if it lies inside and there is room."""
    if left < x < right and n < cuts.size:
        cuts[n] = x
        return n + 1
    return n


@njit(cache=True, nogil=True)
def _edge(
    x: float, step: float, limit: float, floor: float, mean: float, sd: float, a: float, b: float, sign: float,
    is_log: bool, kernel: FloatArray, sds: FloatArray, breaks: FloatArray,
) -> float:  # fmt: skip
    """Go outwards, doubling the step, until the product is negligible or the limit is reached."""
    for _ in range(60):
        if (step > 0 and x >= limit) or (step < 0 and x <= limit):
            return limit
        if _log_product(x, mean, sd, a, b, sign, is_log, kernel, sds, breaks) < floor:
            return x
        x += step
        step *= 2.0
    return x


@njit(cache=True, nogil=True)
def shared_nodes(
    a: float, b: float, is_log: bool, least: float, most: float, sd: float, low: float, high: float, below: bool,
    kernel: FloatArray, sds: FloatArray, breaks: FloatArray, nodes: FloatArray, weights: FloatArray, steps: FloatArray,
    x: FloatArray, log_l: FloatArray,
) -> int:  # fmt: skip
    """Place nodes that serve all atoms of a record, and evaluate the noise there once.

    The atoms' distributions are normal on one scale with means from `least` to `most` and a common
    sd (0: uniform from least to most). Fills positions and log(weight times noise); gives how many.
    """
    sign = -1.0 if below else 1.0
    left, right = to_scale(low, is_log), to_scale(high, is_log)
    flat = sd == 0.0
    if flat:
        left, right = max(left, least), min(right, most)
    if not left < right:
        return 0
    cuts = np.empty(MOST_CUTS)
    n = 2
    width = most - least if flat else sd
    middle = 0.5 * (a + b) if math.isfinite(a + b) else (b if math.isfinite(b) else a)
    z = to_scale(_from_noise(middle, kernel), is_log)
    lowest, highest = math.inf, -math.inf
    for end in range(1 if least == most else 2):
        mean = least if end == 0 else most
        near = min(max(mean, left), right)
        far = min(max(z if z > -math.inf else mean - 60.0 * width, left), right)
        mode = _mode(near, far, mean, sd, a, b, sign, is_log, kernel, sds, breaks)
        top = _log_product(mode, mean, sd, a, b, sign, is_log, kernel, sds, breaks)
        top = max(top, _log_product(near, mean, sd, a, b, sign, is_log, kernel, sds, breaks))
        top = max(top, _log_product(far, mean, sd, a, b, sign, is_log, kernel, sds, breaks))
        tau = _scale_at(mode, mean, sd, width, left, right, a, b, sign, is_log, kernel, sds, breaks)
        first, last = min(near, far, mode), max(near, far, mode)
        lowest = min(lowest, _edge(first - tau, -tau, left, top - CUT, mean, sd, a, b, sign, is_log, kernel, sds, breaks))
        highest = max(highest, _edge(last + tau, tau, right, top - CUT, mean, sd, a, b, sign, is_log, kernel, sds, breaks))
        if breaks.size:
            # beyond a break the noise may be wider, so the product may rise again
            lowest = max(left, min(lowest, mean - 12.0 * width, z - 40.0 * width))
            highest = min(right, max(highest, mean + 12.0 * width, z + 40.0 * width))
        n = _add(cuts, n, mode, left, right)
        away = 0.5 * tau
        for _ in range(7):
            n = _add(cuts, n, mode - away, left, right)
            n = _add(cuts, n, mode + away, left, right)
            away *= 2.0
        for k in range(steps.size):
            if not flat:
                n = _add(cuts, n, mean + steps[k] * sd, left, right)
    for k in range(steps.size):
        for v in range(min(sds.size, 4)):
            n = _add(cuts, n, to_scale(_from_noise(a + steps[k] * sds[v], kernel), is_log), left, right)
            if a != b:
                n = _add(cuts, n, to_scale(_from_noise(b + steps[k] * sds[v], kernel), is_log), left, right)
    for k in range(breaks.size):
        n = _add(cuts, n, to_scale(sign * breaks[k], is_log), left, right)
    left, right = max(left, lowest), min(right, highest)
    extra = 12 if flat else min(int((most - least) / width), 30)
    for k in range(1, extra + 1):
        n = _add(cuts, n, least + k * (most - least) / (extra + 1), left, right)
    cuts[0], cuts[1] = left, right
    sort_in_place(cuts, n)
    m = 0
    for k in range(n - 1):
        lo, hi = max(cuts[k], left), min(cuts[k + 1], right)
        half = 0.5 * (hi - lo)
        if not half > 1e-15 * (abs(lo) + abs(hi)):
            continue
        for q in range(nodes.size):
            x[m] = lo + half + half * nodes[q]
            y = sign * (math.exp(x[m]) if is_log else x[m])
            log_l[m] = math.log(half * weights[q]) + log_noise(a, b, y, kernel, sds, breaks)
            m += 1
    return m


@njit(cache=True, nogil=True)
def log_mixture(n: int, x: FloatArray, log_l: FloatArray, mean: float, sd: float) -> float:
    """Integrate the noise at the nodes against one normal distribution (sd 0: a constant)."""
    per_sd = 1.0 / sd if sd > 0 else 0.0
    top, total = -math.inf, 0.0
    for q in range(n):
        d = (x[q] - mean) * per_sd
        value = log_l[q] - 0.5 * d * d
        if value > top:
            total = total * math.exp(top - value) + 1.0
            top = value
        elif value > top - CUT:
            total += math.exp(value - top)
    if total == 0.0:
        return -math.inf
    return top + math.log(total) - (math.log(sd) + HALF_LOG_2PI if sd > 0 else 0.0)


def quadrature() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the nodes, weights and panel steps of the quadrature."""
    return _NODES, _WEIGHTS, _STEPS
