"""Pr(z^C_j | z^Ad_j): how a unit's perturbed values look to someone who does not know the unit.

The integral of Reiter (2005), eq. (5), for one amount: noise times the distribution of the true
value, over the class the true value is known to lie in. Composite Gauss-Legendre quadrature in log
space, with panels around the noise, around the prior and around the mode of their product; the
test-suite bounds the relative error by 1e-8.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.intruder.beliefs.prior import LOGNORMAL, NORMAL, POINT, UNIFORM
from confide.linking.kernels import CUT, HALF_LOG_2PI, log_phi_between
from confide.typing import FloatArray, IntArray

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_STEPS = np.array([-9.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 9.0])
MOST_CUTS = 200

# `kernel` in the loops below holds: log_scale, shift, lower, upper, redraw, keep_zero


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
def _to_scale(y: float, is_log: bool) -> float:
    """Take a number to the scale of the prior."""
    if not is_log:
        return y
    return math.log(y) if y > 0 else -math.inf


@njit(cache=True, nogil=True)
def _from_noise(g: float, kernel: FloatArray) -> float:
    """Take a number from the scale of the noise to the plain scale."""
    return math.exp(min(g - kernel[1], 700.0)) if kernel[0] == 1.0 else g


@njit(cache=True, nogil=True)
def log_class_mass(family: int, first: float, second: float, low: float, high: float) -> float:
    """Give the log probability that the true value lies in the class."""
    if family == POINT:
        return 0.0 if low <= first <= high else -math.inf
    if low == high:
        return -math.inf
    is_log = family == LOGNORMAL
    a, b = _to_scale(low, is_log), _to_scale(high, is_log)
    if family == UNIFORM:
        width = min(b, second) - max(a, first)
        return math.log(width / (second - first)) if width > 0 else -math.inf
    if a == b:
        return -math.inf
    return log_phi_between((a - first) / second, (b - first) / second)


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
    left, right = _to_scale(low, is_log), _to_scale(high, is_log)
    flat = sd == 0.0
    if flat:
        left, right = max(left, least), min(right, most)
    if not left < right:
        return 0
    cuts = np.empty(MOST_CUTS)
    n = 2
    width = most - least if flat else sd
    middle = 0.5 * (a + b) if math.isfinite(a + b) else (b if math.isfinite(b) else a)
    z = _to_scale(_from_noise(middle, kernel), is_log)
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
            n = _add(cuts, n, _to_scale(_from_noise(a + steps[k] * sds[v], kernel), is_log), left, right)
            if a != b:
                n = _add(cuts, n, _to_scale(_from_noise(b + steps[k] * sds[v], kernel), is_log), left, right)
    for k in range(breaks.size):
        n = _add(cuts, n, _to_scale(sign * breaks[k], is_log), left, right)
    left, right = max(left, lowest), min(right, highest)
    extra = 12 if flat else min(int((most - least) / width), 30)
    for k in range(1, extra + 1):
        n = _add(cuts, n, least + k * (most - least) / (extra + 1), left, right)
    cuts[0], cuts[1] = left, right
    points = np.sort(cuts[:n])
    m = 0
    for k in range(n - 1):
        lo, hi = max(points[k], left), min(points[k + 1], right)
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


@njit(cache=True, nogil=True)
def log_integral(
    a: float, b: float, family: int, first: float, second: float, low: float, high: float, below: bool,
    kernel: FloatArray, sds: FloatArray, breaks: FloatArray, nodes: FloatArray, weights: FloatArray, steps: FloatArray,
    x: FloatArray, log_l: FloatArray,
) -> float:  # fmt: skip
    """Give the log of the integral of noise times prior over the class low..high (eq. 5).

    For negative amounts (`below`) prior and class are those of the absolute value.
    """
    if family == POINT:
        if not low <= first <= high:
            return -math.inf
        return log_noise(a, b, -first if below else first, kernel, sds, breaks)
    least, most = (first, second) if family == UNIFORM else (first, first)
    sd = 0.0 if family == UNIFORM else second
    n = shared_nodes(
        a, b, family == LOGNORMAL, least, most, sd, low, high, below, kernel, sds, breaks, nodes, weights, steps, x, log_l
    )
    value = log_mixture(n, x, log_l, first, sd)
    return value - math.log(second - first) if family == UNIFORM else value


@njit(cache=True, nogil=True)
def _common(family: IntArray, second: FloatArray) -> bool:
    """Say whether all atoms have the same kind of distribution with the same sd."""
    if family[0] != NORMAL and family[0] != LOGNORMAL:
        return False
    for atom in range(1, family.size):
        if family[atom] != family[0] or second[atom] != second[0]:
            return False
    return True


@njit(cache=True, nogil=True)
def log_known(a: float, b: float, family: int, first: float, second: float) -> float:
    """Give the log density or mass of an amount that is released as it is (or rounded, recoded)."""
    if family == POINT:
        return 0.0 if a <= first <= b else -math.inf
    if family == UNIFORM:
        if a == b:
            return -math.log(second - first) if first <= a <= second else -math.inf
        width = min(b, second) - max(a, first)
        return math.log(width / (second - first)) if width > 0 else -math.inf
    if family == NORMAL:
        if a == b:
            d = (a - first) / second
            return -0.5 * d * d - math.log(second) - HALF_LOG_2PI
        return log_phi_between((a - first) / second, (b - first) / second)
    if b <= 0.0:
        return -math.inf
    if a == b:
        d = (math.log(a) - first) / second
        return -0.5 * d * d - math.log(second) - HALF_LOG_2PI - math.log(a)
    return log_phi_between((_to_scale(a, True) - first) / second, (math.log(b) - first) / second)


@njit(cache=True, nogil=True)
def _reflected(family: int, first: float, second: float, given_class: bool) -> tuple[int, float, float]:
    """Give the distribution of minus the amount; a fitted lognormal is that already."""
    if family == UNIFORM:
        return family, -second, -first
    if family == LOGNORMAL:
        return (family, first, second) if given_class else (POINT, -math.inf, second)
    return family, -first, second


@njit(cache=True, nogil=True)
def amount_integrals(
    first_record: int, last_record: int, row: IntArray, a: FloatArray, b: FloatArray, state: IntArray,
    family: IntArray, first: FloatArray, second: FloatArray, low: FloatArray, high: FloatArray, given_class: bool,
    kernel: FloatArray, sds: FloatArray, breaks: FloatArray, nodes: FloatArray, weights: FloatArray, steps: FloatArray,
    needed: FloatArray, out: FloatArray, mass: FloatArray,
) -> None:  # fmt: skip
    """Fill the log integrals and log class masses of one amount, records by atoms.

    state: 0 the class says all (zero, topcoded, missing), 1 perturbed, 2 perturbed below zero,
    3 released as it is. A prior that is conditional on the class has nothing to say in state 0.
    Atoms that are impossible already (needed is -inf) are left at -inf.
    """
    x, log_l = np.empty(nodes.size * MOST_CUTS), np.empty(nodes.size * MOST_CUTS)
    for j in range(first_record, last_record):
        i = row[j] if family.shape[0] > 1 else 0
        below = state[j] == 2
        shared = (state[j] == 1 or below) and _common(family[i], second[i]) and not (below and family[i, 0] == NORMAL)
        n = 0
        if shared:
            n = shared_nodes(
                a[j], b[j], family[i, 0] == LOGNORMAL, first[i].min(), first[i].max(), second[i, 0], low[j], high[j],
                below, kernel, sds, breaks, nodes, weights, steps, x, log_l,
            )  # fmt: skip
        for atom in range(family.shape[1]):
            kind, p, q = family[i, atom], first[i, atom], second[i, atom]
            if below:
                kind, p, q = _reflected(kind, p, q, given_class)
            if needed[j, atom] == -math.inf:
                out[j, atom], mass[j, atom] = -math.inf, -math.inf
            elif state[j] == 3:
                out[j, atom], mass[j, atom] = log_known(a[j], b[j], kind, p, q), 0.0
            elif state[j] == 0:
                mass[j, atom] = 0.0 if given_class else log_class_mass(kind, p, q, low[j], high[j])
                out[j, atom] = mass[j, atom]
            else:
                mass[j, atom] = log_class_mass(kind, p, q, low[j], high[j])
                if kind == POINT and p == 0.0 and kernel[5] == 1.0:
                    mass[j, atom] = -math.inf
                if mass[j, atom] == -math.inf:
                    out[j, atom] = -math.inf
                elif shared:
                    out[j, atom] = log_mixture(n, x, log_l, p, q)
                else:
                    out[j, atom] = log_integral(
                        a[j], b[j], kind, p, q, low[j], high[j], below, kernel, sds, breaks, nodes, weights, steps, x, log_l
                    )


def quadrature() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the nodes, weights and panel steps of the quadrature."""
    return _NODES, _WEIGHTS, _STEPS
