"""What a released attribute says of the true one, given a prior: eq. (3) of Lambert (1993)."""

from __future__ import annotations

from typing import Any

import numpy as np

from confide.errors import HarmError
from confide.harm.regression.misclassification import ROUNDING, evidence, level_chances
from confide.typing import FloatArray


def posterior_sensitive(x: Any, q: Any, prior: Any) -> Any:
    """Give P[Y = 1 | x], the probability that a respondent has the sensitive attribute, eq. (3).

    The released x is the true Y with probability q, else 1 - Y. Numbers give a number, arrays an array.

    Args:
        x: the released attribute, 0 or 1.
        q: the probability that x is right, from 0 to 1.
        prior: P[Y = 1] given all but x.

    >>> round(posterior_sensitive(1, 0.9, 0.2), 4)
    0.6923
    >>> posterior_sensitive([0, 1], 0.9, 0.2).round(4).tolist()
    [0.027, 0.6923]
    """
    seen, right, p = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (x, q, prior)))
    for given, name in ((right, "q"), (p, "the prior")):
        wrong = int((~((given >= 0) & (given <= 1))).sum())
        if wrong:
            raise HarmError(f"{name} must be a probability, from 0 to 1; {wrong:,} of {given.size:,} are not")
    wrong = int((~np.isin(seen, (0.0, 1.0))).sum())
    if wrong:
        raise HarmError(f"the released attribute must be 0 or 1; {wrong:,} of {seen.size:,} are not")
    has = np.where(seen == 1, right, 1 - right) * p
    has_not = np.where(seen == 1, 1 - right, right) * (1 - p)
    refuse_impossible(int((has + has_not <= 0).sum()), seen.size)
    found = has / (has + has_not)
    return found if found.ndim else float(found)


def posterior_levels(observed: Any, matrix: Any, prior: Any, *, strata: Any = None) -> FloatArray:
    """Give the probability of each true level, eq. (3) for an attribute of several levels.

    Args:
        observed: the released level of each record, as a code from 0.
        matrix: Pr(released | true), true levels by released ones, rows sum to one; or one such matrix
            for each stratum, as the channel of a `Swap` holds them.
        prior: the probability of each true level given all but the released one; records by levels, or
            one row for all records.
        strata: the stratum of each record, as a code from 0; only for several matrices.

    Returns:
        Records by true levels; each row sums to one.

    >>> posterior_levels([0, 1], [[0.9, 0.1], [0.1, 0.9]], [0.8, 0.2]).round(4).tolist()
    [[0.973, 0.027], [0.3077, 0.6923]]
    """
    matrices = level_chances(matrix)
    chance = evidence(matrices, observed, strata)
    given = np.asarray(prior, dtype=np.float64)
    levels, n = chance.shape
    if given.shape not in ((levels,), (n, levels)):
        raise HarmError(
            f"the prior must have a column for each of {levels} true levels, and one row or {n:,}; found shape {given.shape}"
        )
    sums = given.sum(axis=-1)
    wrong = int((~((np.abs(sums - 1) <= ROUNDING) & np.all(given >= 0, axis=-1))).sum())
    if wrong:
        raise HarmError(f"the prior must be probabilities that sum to one; {wrong:,} of {sums.size:,} rows are not")
    with np.errstate(divide="ignore"):
        joint = chance.T + np.log(given)
    if n == 0:
        return joint
    top = joint.max(axis=1, keepdims=True)
    refuse_impossible(int(np.isneginf(top).sum()), n)
    found = np.exp(joint - top)
    return np.asarray(found / found.sum(axis=1, keepdims=True), dtype=np.float64)


def refuse_impossible(count: int, of: int) -> None:
    """Raise where records cannot have been released under what is believed."""
    if count:
        raise HarmError(
            f"{count:,} of {of:,} released records are impossible: the prior leaves no true value that could have been "
            "released so; give those values a prior above zero, or misrecording a chance (q neither zero nor one)"
        )
