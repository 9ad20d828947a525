"""Fit the propensity score by Newton's method."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpstrf

from confide.errors import UtilityError
from confide.typing import FloatArray, IntArray
from confide.utility.propensity.features import Features
from confide.utility.propensity.kernels import logistic_sums, scores

ALIASED = 1e-9
"""A column with less than this part of its square to itself follows from the others."""
SMALL = 1e-10
"""The fit ends where the log likelihood per record still changes by less than this."""
MOST_STEPS = 100
CHUNKS = 2
"""So many parts of the file are added up side by side, always the same ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Propensity:
    """A fitted propensity score."""

    p: FloatArray
    """The probability of each record to be a released one."""
    kept: IntArray
    """The columns that are not combinations of others, the intercept first."""
    square: FloatArray
    """Z'WZ of these columns."""


def fit_propensity(z: Features, target: FloatArray, w: FloatArray) -> Propensity:
    """Fit a logistic regression of being a released record.

    Columns that follow from others are left out, which changes no probability. Where records are told apart
    perfectly, coefficients grow without bound while probabilities and the likelihood converge.

    Args:
        z: the design.
        target: 1 for released records, 0 for source records.
        w: what each record counts.
    """
    total = float(w.sum())
    c = float(w @ target) / total
    b = np.zeros(z.columns)
    b[0] = np.log(c / (1 - c))
    value, gradient, information = _sums(z, target, w, b)
    square = information / (c * (1 - c))
    kept = independent(square)
    for _ in range(MOST_STEPS):
        step = np.zeros(z.columns)
        step[kept] = _solved(information[np.ix_(kept, kept)], gradient[kept])
        for _half in range(30):
            new, new_gradient, new_information = _sums(z, target, w, b + step)
            if new >= value - SMALL * total * 1e-3:
                break
            step /= 2
        b = b + step
        change, value, gradient, information = new - value, new, new_gradient, new_information
        if change <= SMALL * total:
            p = np.empty(target.size)
            scores(z.index, z.value, z.start, z.width, z.pair, b, p)
            return Propensity(p, kept, square[np.ix_(kept, kept)])
    raise UtilityError(
        f"the propensity score did not converge in {MOST_STEPS} steps; leave variables out with variables=[...], or give "
        "interactions=False"
    )


def second_moment(z: Features, w: FloatArray, kept: IntArray) -> FloatArray:
    """Give Z'W^2 Z of the columns kept."""
    _, _, information = _sums(z, np.zeros(w.size), np.square(w), np.zeros(z.columns))
    return np.asarray(4.0 * information[np.ix_(kept, kept)], dtype=np.float64)


def independent(square: FloatArray) -> IntArray:
    """Choose columns that span all of them from Z'WZ, the intercept first.

    >>> z = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    >>> independent(z.T @ z).size
    2
    """
    own = np.diag(square)[1:]
    centred = square[1:, 1:] - np.outer(square[0, 1:], square[0, 1:]) / square[0, 0]
    there = np.flatnonzero(np.diag(centred) > ALIASED * np.maximum(own, 1e-300))
    scale = np.sqrt(np.diag(centred)[there])
    if not there.size:
        return np.zeros(1, dtype=np.int64)
    scaled = centred[np.ix_(there, there)] / np.outer(scale, scale)
    _, order, rank, _ = dpstrf(scaled, tol=ALIASED, lower=1)
    return np.concatenate([[0], 1 + np.sort(there[order[:rank] - 1])]).astype(np.int64)


def _sums(z: Features, target: FloatArray, w: FloatArray, b: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Give log likelihood, gradient and information."""
    n = target.size
    ends = np.linspace(0, n, CHUNKS + 1).astype(np.int64)

    def part(k: int) -> tuple[float, FloatArray, FloatArray]:
        rows = slice(int(ends[k]), int(ends[k + 1]))
        gradient, information = np.zeros(z.columns), np.zeros((z.columns, z.columns))
        value = logistic_sums(
            z.index[rows], z.value[rows], z.start, z.width, z.pair, target[rows], w[rows], b, gradient, information
        )
        return float(value), gradient, information

    if n < 10_000:
        found = [part(k) for k in range(CHUNKS)]
    else:
        with ThreadPoolExecutor(CHUNKS) as pool:
            found = list(pool.map(part, range(CHUNKS)))
    upper = sum(f[2] for f in found)
    assert isinstance(upper, np.ndarray)
    information = upper + np.triu(upper, 1).T
    return sum(f[0] for f in found), np.asarray(sum(f[1] for f in found)), information


def _solved(information: FloatArray, gradient: FloatArray) -> FloatArray:
    """Solve for Newton's step, in the units of each coefficient."""
    scale = np.sqrt(np.maximum(np.diag(information), 1e-300))
    scaled = information / np.outer(scale, scale)
    try:
        step = cho_solve(cho_factor(scaled, lower=True), gradient / scale)
    except np.linalg.LinAlgError:
        # nearly all probabilities in some direction are 0 or 1: go there by the shortest step
        step = np.linalg.lstsq(scaled, gradient / scale, rcond=1e-10)[0]
    return np.asarray(step / scale, dtype=np.float64)
