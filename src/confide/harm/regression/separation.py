"""Say why a fit has no finite coefficients, and which covariates are to blame."""

from __future__ import annotations

import numpy as np

from confide.errors import HarmError
from confide.harm.regression.design import Design, Merged
from confide.harm.regression.maximise import Summit
from confide.typing import BoolArray, FloatArray, IntArray

NOTABLE = 0.1
"""Covariates with at least this share of the largest move are named."""


def refuse_no_summit(summit: Summit, at: Design, merged: Merged, observed: IntArray, *, exact: bool) -> FloatArray:
    """Give the covariance of the coefficients; raise where the likelihood has no finite summit, and say why."""
    if summit.direction is not None:
        _refuse_separation(summit.direction, at, merged, observed, exact=exact)
    if summit.covariance is None:
        raise HarmError(
            "the coefficients are not determined: the likelihood is flat about its largest value found "
            f"(the next step promised {summit.promised:.2g} more); leave out covariates that hardly vary, merge levels, "
            "check q or the matrix, or give ridge=0.1"
        )
    return summit.covariance


def _refuse_separation(direction: FloatArray, at: Design, merged: Merged, observed: IntArray, *, exact: bool) -> None:
    """Raise, naming the covariates along which coefficients go to infinity.

    Args:
        direction: where the coefficients go, levels but one by covariates.
        at: the covariates.
        merged: the records behind them.
        observed: the released levels of these records.
        exact: whether released values are true ones.
    """
    moved = np.abs(direction).max(axis=0)
    far = moved >= NOTABLE * moved.max()
    named = np.flatnonzero(far[1:])
    alone = _alone(merged, observed)
    if bool((alone[named]).any()):
        named = named[alone[named]]
    if not named.size or not bool((moved[1:] > 1e-3 * moved.max()).any()):
        who, verb = "the intercept", "has"
        why = "a level is released more often, or more rarely, than the misclassification allows"
        do = "check the misclassification, or merge levels that are hardly ever released"
    else:
        shown = ", ".join(at.names[1 + j] for j in named[:5]) + (", ..." if named.size > 5 else "")
        one = named.size == 1
        who, verb = f"covariate{'' if one else 's'} {shown}", "has" if one else "have"
        why = (
            f"{'it separates' if one else 'together they separate'} the released outcomes"
            if exact
            else f"the released outcomes follow {'it' if one else 'them'} more closely than the misclassification allows"
        )
        do = f"leave {'it' if one else 'one'} out of Z, or coarsen it" + ("" if exact else ", or check q or the matrix")
    raise HarmError(
        f"{who} {verb} no finite coefficient: {why} (separation). Options: {do}; "
        "or give ridge=0.1, a weak normal prior on the slopes of standardised covariates"
    )


def _alone(merged: Merged, observed: IntArray) -> BoolArray:
    """Tell which covariates separate some level from the others by themselves."""
    rows = np.repeat(merged.z.T, np.diff(merged.starts, append=observed.size), axis=1)
    found = np.zeros(rows.shape[0], dtype=np.bool_)
    for level in np.unique(observed):
        here = observed == level
        if bool(here.all()):
            continue
        inside, outside = rows[:, here], rows[:, ~here]
        found |= (inside.min(axis=1) >= outside.max(axis=1)) | (inside.max(axis=1) <= outside.min(axis=1))
    return found
