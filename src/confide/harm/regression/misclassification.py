"""How a sensitive attribute is misrecorded: q, a pair of rates, or a matrix for each stratum."""

from __future__ import annotations

from typing import Any

import numpy as np

from confide.errors import HarmError
from confide.typing import FloatArray, IntArray

ROUNDING = 1e-9
"""How far probabilities may sum from one by rounding."""


def chances(q: Any) -> FloatArray:
    """Give Pr(released | true) of a binary attribute, true values by released ones.

    Args:
        q: the probability that the released value is the true one; or a pair, the sensitivity
            P[x = 1 | Y = 1] and the specificity P[x = 0 | Y = 0]; or the matrix itself.

    >>> chances((0.9, 0.8)).round(6).tolist()
    [[0.8, 0.2], [0.1, 0.9]]
    """
    given = np.asarray(q, dtype=np.float64)
    if given.shape == (2, 2):
        return np.asarray(level_chances(given)[0], dtype=np.float64)
    if given.shape not in ((), (2,)):
        raise HarmError(
            "q must be a number, a pair (sensitivity, specificity) or a 2 x 2 matrix of Pr(released | true); "
            f"found shape {given.shape}"
        )
    if not bool(np.all((given >= 0) & (given <= 1))):
        raise HarmError(f"q holds probabilities, from 0 to 1; found {q!r}")
    sensitivity, specificity = np.broadcast_to(given, (2,))
    return np.array([[specificity, 1.0 - specificity], [1.0 - sensitivity, sensitivity]])


def informative(q: Any) -> FloatArray:
    """Give Pr(released | true) of a binary attribute; raise where the released value is no hint of the true one."""
    matrix = chances(q)
    total = float(matrix[0, 0] + matrix[1, 1])
    if total > 1.0 + ROUNDING:
        return matrix
    even = abs(total - 1.0) <= ROUNDING
    if matrix[0, 0] == matrix[1, 1]:
        asked = f"q = {matrix[0, 0]:.6g}"
    else:
        asked = f"sensitivity {matrix[1, 1]:.6g} and specificity {matrix[0, 0]:.6g}"
    found = (
        "the released values carry no information on the true ones, so nothing can be fitted; give a prior of your own "
        "to posterior_sensitive(x, q, prior)"
        if even
        else "the released values carry inverted information, 0 for 1 more often than not; "
        "if that is meant, type 1 - x for x and 1 - q for q"
    )
    need = "q above one half" if matrix[0, 0] == matrix[1, 1] else "sensitivity + specificity above one"
    raise HarmError(f"{asked}: {found} (needed: {need})")


def plain(matrix: FloatArray) -> float | tuple[float, float]:
    """Write a binary matrix as q, or as the pair (sensitivity, specificity) where these differ."""
    specificity, sensitivity = float(matrix[0, 0]), float(matrix[1, 1])
    return sensitivity if abs(sensitivity - specificity) < 1e-15 else (sensitivity, specificity)


def level_chances(matrix: Any) -> FloatArray:
    """Give Pr(released level | true level), strata by true by released levels; raise where rows do not sum to one."""
    given = np.asarray(matrix, dtype=np.float64)
    given = given[None] if given.ndim == 2 else given
    if given.ndim != 3 or 0 in given.shape:
        raise HarmError(
            "the matrix must hold Pr(released | true), a row for each true and a column for each released level, or one "
            f"such matrix for each stratum; found shape {np.shape(matrix)}"
        )
    if not bool(np.all(given >= 0)) or not np.allclose(given.sum(axis=2), 1.0, rtol=0, atol=ROUNDING):
        raise HarmError(
            "the rows of the matrix must be probabilities that sum to one: matrix[true][released] = Pr(released | true); "
            "transpose it if the columns do"
        )
    return given


def codes(values: Any, count: int, what: str) -> IntArray:
    """Give codes 0 to count - 1 as integers; raise where they are none."""
    given = np.asarray(values)
    if given.ndim != 1:
        raise HarmError(f"give {what} as one row of codes from 0 to {count - 1}; found shape {given.shape}")
    if given.dtype.kind not in "buif":
        raise HarmError(f"{what} must be codes from 0 to {count - 1}; found entries of type {given.dtype}")
    bad = int((~((given >= 0) & (given <= count - 1) & (given == np.floor(given)))).sum()) if given.dtype.kind != "b" else 0
    if bad:
        raise HarmError(f"{what} must be codes from 0 to {count - 1}; {bad:,} of {given.size:,} are not")
    return given.astype(np.int64)


def evidence(matrices: FloatArray, observed: Any, strata: Any = None) -> FloatArray:
    """Give log Pr(released level of record i | true level k), true levels by records."""
    released = codes(observed, matrices.shape[2], "the released levels")
    if strata is None:
        if matrices.shape[0] > 1:
            raise HarmError(f"{matrices.shape[0]} matrices: give strata=, the stratum of each record as a code from 0")
        place = np.zeros(released.size, dtype=np.int64)
    else:
        place = codes(strata, matrices.shape[0], "the strata")
    if place.size != released.size:
        raise HarmError(f"{place.size:,} strata for {released.size:,} records")
    with np.errstate(divide="ignore"):
        logs = np.log(matrices)
    return np.ascontiguousarray(logs[place, :, released].T)
