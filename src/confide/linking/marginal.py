"""Pr(z^C_j | z^Ad_j): how a unit's perturbed values look to someone who does not know the unit.

The integral of Reiter (2005), eq. (5), for one kind of record: the sum over atoms of the prior of
weight times swap probabilities times integrals of noise against the distribution of each amount.
Integrals are computed by composite Gauss-Legendre quadrature with panels placed around both the
noise and the prior, in log space; the test-suite bounds their relative error by 1e-8.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.intruder.beliefs.prior import LOGNORMAL, NORMAL, POINT, UNIFORM
from confide.linking.kernels import HALF_LOG_2PI, log_phi_between
from confide.typing import FloatArray, IntArray

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_STEPS = np.array([-9.0, -5.0, -2.5, -1.0, 0.0, 1.0, 2.5, 5.0, 9.0])


@njit(cache=True, nogil=True)
def _log_noise(a: float, b: float, y: float, kernel: FloatArray, sds: FloatArray, breaks: FloatArray) -> float:
    """Give log Pr(z | y), z being an interval (or point) on the scale of the noise.

    kernel: log_scale, shift, lower, upper, redraw, keep_zero.
    """
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
def _log_density(x: float, family: int, first: float, second: float) -> float:
    """Give the log density of the prior on its own scale (log y for a lognormal)."""
    if family == UNIFORM:
        return -math.log(second - first)
    d = (x - first) / second
    return -0.5 * d * d - math.log(second) - HALF_LOG_2PI


@njit(cache=True, nogil=True)
def log_class_mass(family: int, first: float, second: float, low: float, high: float, is_log: bool) -> float:
    """Give the log probability that the true value lies in the class."""
    if family == POINT:
        return 0.0 if low <= first <= high else -math.inf
    if low == high:
        return -math.inf
    a, b = _to_scale(low, is_log), _to_scale(high, is_log)
    if family == UNIFORM:
        width = min(b, second) - max(a, first)
        return math.log(width / (second - first)) if width > 0 else -math.inf
    return log_phi_between((a - first) / second, (b - first) / second)


@njit(cache=True, nogil=True)
def _to_scale(y: float, is_log: bool) -> float:
    """Take a number to the scale of the prior."""
    if not is_log:
        return y
    return math.log(y) if y > 0 else -math.inf


@njit(cache=True, nogil=True)
def log_integral(
    a: float,
    b: float,
    family: int,
    first: float,
    second: float,
    low: float,
    high: float,
    below: bool,
    kernel: FloatArray,
    sds: FloatArray,
    breaks: FloatArray,
    nodes: FloatArray,
    weights: FloatArray,
    steps: FloatArray,
) -> float:
    """Give the log of the integral of noise times prior over the class low..high (eq. 5).

    For negative amounts (`below`) prior and class are those of the absolute value.
    """
    sign = -1.0 if below else 1.0
    if family == POINT:
        return _log_noise(a, b, first, kernel, sds, breaks) if low <= sign * first <= high else -math.inf
    is_log = family == LOGNORMAL
    s = 0.0
    for k in range(sds.size):
        s = max(s, sds[k])
    cuts = np.empty(3 * steps.size + breaks.size + 2)
    n = 0
    left, right = _to_scale(low, is_log), _to_scale(high, is_log)
    reach_a, reach_b = a - 9.0 * s - kernel[1], b + 9.0 * s - kernel[1]
    if kernel[0] == 1.0:
        reach_a, reach_b = math.exp(reach_a), math.exp(reach_b)
    noise_left, noise_right = _to_scale(reach_a, is_log), _to_scale(reach_b, is_log)
    left, right = max(left, noise_left), min(right, noise_right)
    if family == UNIFORM:
        left, right = max(left, first), min(right, second)
    elif max(left, first - 9.0 * second) < min(right, first + 9.0 * second):
        left, right = max(left, first - 9.0 * second), min(right, first + 9.0 * second)
    if not left < right:
        return -math.inf
    if left == -math.inf:
        left = right - 40.0
    if right == math.inf:
        right = left + 40.0
    cuts[0], cuts[1] = left, right
    n = 2
    for k in range(steps.size):
        for end in range(2):
            z = a if end == 0 else b
            if (end == 1 and a == b) or not math.isfinite(z):
                continue
            y = z + steps[k] * s - kernel[1]
            if kernel[0] == 1.0:
                y = math.exp(y)
            x = _to_scale(y, is_log)
            if left < x < right:
                cuts[n] = x
                n += 1
        if family != UNIFORM:
            x = first + steps[k] * second
            if left < x < right:
                cuts[n] = x
                n += 1
    for k in range(breaks.size):
        x = _to_scale(sign * breaks[k], is_log)
        if left < x < right:
            cuts[n] = x
            n += 1
    points = np.sort(cuts[:n])
    top, total = -math.inf, 0.0
    for k in range(n - 1):
        half = 0.5 * (points[k + 1] - points[k])
        if half <= 0.0:
            continue
        middle = 0.5 * (points[k + 1] + points[k])
        for q in range(nodes.size):
            x = middle + half * nodes[q]
            y = sign * (math.exp(x) if is_log else x)
            value = _log_density(x, family, first, second) + _log_noise(a, b, y, kernel, sds, breaks)
            if value > top:
                total = total * math.exp(top - value) + half * weights[q]
                top = value
            elif value > top - 60.0:
                total += half * weights[q] * math.exp(value - top)
    return top + math.log(total) if total > 0.0 else -math.inf


@njit(cache=True, nogil=True)
def shared_nodes(
    a: float,
    b: float,
    is_log: bool,
    least: float,
    most: float,
    sd: float,
    low: float,
    high: float,
    below: bool,
    kernel: FloatArray,
    sds: FloatArray,
    breaks: FloatArray,
    nodes: FloatArray,
    weights: FloatArray,
    steps: FloatArray,
    x: FloatArray,
    log_l: FloatArray,
) -> int:
    """Place nodes that serve all atoms of a record, and evaluate the noise there once.

    The atoms' distributions are normal on one scale with means from `least` to `most` and a common
    sd. Fills positions and log(weight times noise); gives how many there are.
    """
    sign = -1.0 if below else 1.0
    s = 0.0
    for k in range(sds.size):
        s = max(s, sds[k])
    middle = 0.5 * (a + b) if math.isfinite(a + b) else (b if math.isfinite(b) else a)
    width = s
    if kernel[0] == 0.0 and is_log:
        width = s / max(abs(middle), s)
    elif kernel[0] == 1.0 and not is_log:
        width = s * math.exp(middle)
    centre = _to_scale(sign * _from_noise(middle, kernel), is_log)
    gap = max(abs(centre - least), abs(centre - most)) if math.isfinite(centre) else 0.0
    reach = 9.0 + gap * width / (width * width + sd * sd)
    left = max(_to_scale(low, is_log), _to_scale(sign * _from_noise(a - reach * s, kernel), is_log))
    right = min(_to_scale(high, is_log), _to_scale(sign * _from_noise(b + reach * s, kernel), is_log))
    prior_left, prior_right = least - 9.0 * sd, most + 9.0 * sd
    if max(left, prior_left) < min(right, prior_right):
        left, right = max(left, prior_left), min(right, prior_right)
    if not left < right:
        return 0
    if left == -math.inf:
        left = right - 40.0
    if right == math.inf:
        right = left + 40.0
    cuts = np.empty(4 * steps.size + breaks.size + 34)
    cuts[0], cuts[1] = left, right
    n = 2
    for k in range(steps.size):
        for end in range(2):
            z = a if end == 0 else b
            if (end == 1 and a == b) or not math.isfinite(z):
                continue
            n = _add(cuts, n, _to_scale(sign * _from_noise(z + steps[k] * s, kernel), is_log), left, right)
        n = _add(cuts, n, least + min(steps[k], 0.0) * sd, left, right)
        n = _add(cuts, n, most + max(steps[k], 0.0) * sd, left, right)
    extra = min(int((most - least) / sd), 30)
    for k in range(1, extra + 1):
        n = _add(cuts, n, least + k * (most - least) / (extra + 1), left, right)
    for k in range(breaks.size):
        n = _add(cuts, n, _to_scale(sign * breaks[k], is_log), left, right)
    points = np.sort(cuts[:n])
    m = 0
    for k in range(n - 1):
        half = 0.5 * (points[k + 1] - points[k])
        if half <= 1e-12 * (right - left):
            continue
        for q in range(nodes.size):
            x[m] = points[k] + half + half * nodes[q]
            y = sign * (math.exp(x[m]) if is_log else x[m])
            log_l[m] = math.log(half * weights[q]) + _log_noise(a, b, y, kernel, sds, breaks)
            m += 1
    return m


@njit(cache=True, nogil=True)
def _from_noise(g: float, kernel: FloatArray) -> float:
    """Take a number from the scale of the noise to the plain scale."""
    return math.exp(min(g - kernel[1], 700.0)) if kernel[0] == 1.0 else g


@njit(cache=True, nogil=True)
def _add(cuts: FloatArray, n: int, x: float, left: float, right: float) -> int:
    """Add a cut if it lies inside."""
    if left < x < right:
        cuts[n] = x
        return n + 1
    return n


@njit(cache=True, nogil=True)
def log_mixture(n: int, x: FloatArray, log_l: FloatArray, mean: float, sd: float, cut: float) -> float:
    """Integrate the noise at the nodes against one normal distribution."""
    per_sd = 1.0 / sd
    top = -math.inf
    for q in range(n):
        d = (x[q] - mean) * per_sd
        top = max(top, log_l[q] - 0.5 * d * d)
    if top == -math.inf:
        return top
    total = 0.0
    for q in range(n):
        d = (x[q] - mean) * per_sd
        value = log_l[q] - 0.5 * d * d - top
        if value > cut:
            total += math.exp(value)
    return top + math.log(total) - math.log(sd) - HALF_LOG_2PI


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
def amount_integrals(
    first_record: int,
    last_record: int,
    row: IntArray,
    a: FloatArray,
    b: FloatArray,
    state: IntArray,
    family: IntArray,
    first: FloatArray,
    second: FloatArray,
    low: FloatArray,
    high: FloatArray,
    kernel: FloatArray,
    sds: FloatArray,
    breaks: FloatArray,
    nodes: FloatArray,
    weights: FloatArray,
    steps: FloatArray,
    needed: FloatArray,
    out: FloatArray,
    mass: FloatArray,
) -> None:
    """Fill the log integrals and log class masses of one amount, records by atoms.

    state: 0 the class says all (zero, topcoded, missing), 1 perturbed, 2 perturbed below zero,
    3 released as it is. Atoms that are impossible already (needed is -inf) are left at -inf.
    """
    x, log_l = np.empty(nodes.size * (4 * steps.size + breaks.size + 34)), np.empty(nodes.size * (4 * steps.size + breaks.size + 34))
    for j in range(first_record, last_record):
        i = row[j] if family.shape[0] > 1 else 0
        shared = state[j] != 0 and state[j] != 3 and _common(family[i], second[i])
        is_log, n = family[i, 0] == LOGNORMAL, 0
        if shared:
            n = shared_nodes(
                a[j], b[j], is_log, first[i].min(), first[i].max(), second[i, 0], low[j], high[j], state[j] == 2,
                kernel, sds, breaks, nodes, weights, steps, x, log_l,
            )
        for atom in range(family.shape[1]):
            kind, p, q = family[i, atom], first[i, atom], second[i, atom]
            if needed[j, atom] == -math.inf:
                out[j, atom], mass[j, atom] = -math.inf, -math.inf
            elif state[j] == 3:
                out[j, atom], mass[j, atom] = log_known(a[j], b[j], kind, p, q), 0.0
            elif state[j] == 0:
                out[j, atom] = log_class_mass(kind, p, q, low[j], high[j], kind == LOGNORMAL)
                mass[j, atom] = out[j, atom]
            else:
                mass[j, atom] = log_class_mass(kind, p, q, low[j], high[j], kind == LOGNORMAL)
                if kind == POINT and p == 0.0 and kernel[5] == 1.0:
                    mass[j, atom] = -math.inf
                if mass[j, atom] == -math.inf:
                    out[j, atom] = -math.inf
                elif shared:
                    out[j, atom] = log_mixture(n, x, log_l, p, q, -40.0)
                else:
                    out[j, atom] = log_integral(
                        a[j], b[j], kind, p, q, low[j], high[j], state[j] == 2, kernel, sds, breaks,
                        nodes, weights, steps,
                    )


def quadrature() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the nodes, weights and panel steps of the quadrature."""
    return _NODES, _WEIGHTS, _STEPS
