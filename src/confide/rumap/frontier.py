"""Which points no other point beats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.errors import MapError
from confide.typing import BoolArray, FloatArray


def frontier(
    risk: Sequence[float] | FloatArray,
    utility: Sequence[float] | FloatArray,
    *,
    smaller_risk: bool = True,
    larger_utility: bool = True,
) -> BoolArray:
    """Mark the points that no other point beats.

    A point is beaten by one that is at least as good on both axes and better on one. Points that are equal on both axes
    do not beat each other: all of them are on the frontier, or none. Infinite values are compared as they are.

    Args:
        risk: one number per point.
        utility: one number per point.
        smaller_risk: whether less risk is better; False for a measure of safety.
        larger_utility: whether more utility is better; False for a measure of loss.

    >>> frontier([1.0, 2.0, 2.0, 3.0], [10.0, 20.0, 15.0, 20.0]).tolist()
    [True, True, False, False]
    """
    r, u = _axis(risk, "risk"), _axis(utility, "utility")
    if r.size != u.size:
        raise MapError(f"every point needs a risk and a utility; found {r.size} risks and {u.size} utilities")
    r, u = (r if smaller_risk else -r), (u if larger_utility else -u)
    order = np.lexsort((-u, r))
    r, u = r[order], u[order]
    # Among points of one risk only the most useful stay, and only if no point of less risk is as useful.
    first = np.concatenate([[True], r[1:] > r[:-1]]) if r.size else np.zeros(0, dtype=np.bool_)
    group = np.cumsum(first) - 1
    top = u[first]
    before = np.maximum.accumulate(np.concatenate([[-np.inf], top]))[:-1]
    # A utility of minus infinity is beaten by no other of minus infinity unless its risk is larger.
    alone = np.arange(top.size) == 0
    kept = np.zeros(r.size, dtype=np.bool_)
    kept[order] = (u == top[group]) & ((u > before[group]) | alone[group])
    return kept


def _axis(values: Sequence[float] | FloatArray, name: str) -> FloatArray:
    """Check one axis."""
    axis = np.asarray(values, dtype=np.float64)
    if axis.ndim != 1:
        raise MapError(f"{name} must hold one number per point, found an array of {axis.ndim} dimensions")
    missing = int(np.isnan(axis).sum())
    if missing:
        raise MapError(
            f"{missing} of {axis.size} points have no {name}, so it cannot be said whether they are beaten; "
            "leave them out first"
        )
    return axis
