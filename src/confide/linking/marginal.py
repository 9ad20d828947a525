"""Pr(z^C_j | z^Ad_j): how a unit's perturbed values look to someone who does not know the unit.

The integral of Reiter (2005), eq. (5), for one amount: noise times the distribution of the true
value, over the class the true value is known to lie in. Composite Gauss-Legendre quadrature in log
space (see `confide.linking.quadrature`).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.intruder.beliefs.prior import LOGNORMAL, NORMAL, POINT, REPLACED, SILENT, UNIFORM
from confide.linking.gauss import HALF_LOG_2PI, log_phi_between
from confide.linking.quadrature import MOST_CUTS, log_mixture, log_noise, shared_nodes, to_scale
from confide.typing import BoolArray, FloatArray, IntArray


@njit(cache=True, nogil=True)
def log_class_mass(family: int, first: float, second: float, low: float, high: float) -> float:
    """Give the log probability that the true value lies in the class."""
    if family == POINT:
        return 0.0 if low <= first <= high else -math.inf
    if low == high:
        return -math.inf
    is_log = family == LOGNORMAL
    a, b = to_scale(low, is_log), to_scale(high, is_log)
    if family == UNIFORM:
        width = min(b, second) - max(a, first)
        return math.log(width / (second - first)) if width > 0 else -math.inf
    if a == b:
        return -math.inf
    return log_phi_between((a - first) / second, (b - first) / second)


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
    return log_phi_between((to_scale(a, True) - first) / second, (math.log(b) - first) / second)


@njit(cache=True, nogil=True)
def reflected(family: int, first: float, second: float, given_class: bool) -> tuple[int, float, float]:
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
    3 released as it is, between low and high. A prior that is conditional on the class has nothing to say in state 0.
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
                kind, p, q = reflected(kind, p, q, given_class)
            if needed[j, atom] == -math.inf:
                out[j, atom], mass[j, atom] = -math.inf, -math.inf
            elif kind in (SILENT, REPLACED):
                out[j, atom], mass[j, atom] = 0.0, 0.0
            elif state[j] == 3:
                out[j, atom], mass[j, atom] = log_known(low[j], high[j], kind, p, q), 0.0
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


@njit(cache=True, nogil=True)
def interval_masses(
    family: IntArray, first: FloatArray, second: FloatArray, low: float, high: float, out: FloatArray
) -> None:  # fmt: skip
    """Fill the log probabilities that true values lie in an interval, rows by atoms."""
    for i in range(family.shape[0]):
        for atom in range(family.shape[1]):
            out[i, atom] = log_class_mass(family[i, atom], first[i, atom], second[i, atom], low, high)


@njit(cache=True, nogil=True)
def class_masses(
    row: IntArray, below: BoolArray, family: IntArray, first: FloatArray, second: FloatArray, low: FloatArray,
    high: FloatArray, out: FloatArray,
) -> None:  # fmt: skip
    """Fill the log probabilities of fitted amounts in an interval of each record; 0 where the class says all."""
    for j in range(row.size):
        i = row[j] if family.shape[0] > 1 else 0
        for atom in range(family.shape[1]):
            kind, p, q = family[i, atom], first[i, atom], second[i, atom]
            if below[j]:
                kind, p, q = reflected(kind, p, q, True)
            if kind in (SILENT, REPLACED):
                out[j, atom] = 0.0
            else:
                out[j, atom] = log_class_mass(kind, p, q, low[j], high[j])
