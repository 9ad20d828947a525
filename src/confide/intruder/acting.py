"""When the intruder acts: a link that is claimed."""

from __future__ import annotations

import numpy as np

from confide.intruder.columns import less
from confide.intruder.decision import Losses
from confide.intruder.exceeds import ROUNDING, exceeds
from confide.typing import BoolArray, FloatArray

Acts = float | Losses
"""A probability that the best record must exceed, or the losses of a decision maker."""


def check_acts(acts: Acts) -> list[str]:
    """List what is wrong with a rule."""
    if isinstance(acts, Losses) or (isinstance(acts, float | int) and not isinstance(acts, bool) and 0 <= acts < 1):
        return []
    return [f"acts is a probability from 0 to below 1 that the best record must exceed, or Losses(...); found {acts!r}"]


def acted(acts: Acts, best: FloatArray, null: FloatArray) -> BoolArray:
    """Say which targets a record is linked to.

    A threshold is strict, as in the perceived identifications of an assessment; a decision maker links where that is
    expected to cost less than the null link (Duncan and Lambert 1987, section 4; ties do not link). With equal losses
    that is where the best record is more probable than the null link.

    Args:
        acts: the rule.
        best: the largest probability of a record for each target.
        null: the probability of the null link for each target.

    >>> acted(0.2, np.array([0.5, 0.2]), np.array([0.5, 0.8])).tolist()
    [True, False]
    >>> acted(Losses(missed=1.0, wrong=1.0), np.array([0.5, 0.3]), np.array([0.4, 0.7])).tolist()
    [True, False]
    """
    if isinstance(acts, Losses):
        none, link = acts.missed * (1 - null), acts.wrong * (1 - np.minimum(best, 1.0))
        return (best > 0) & less(link, none, ROUNDING)
    return exceeds(best, acts)


def describe_acts(acts: Acts) -> str:
    """Say when the intruder acts."""
    if isinstance(acts, Losses):
        return f"links when that is expected to cost less (l1 = {acts.missed:g}, l2 = {acts.wrong:g})"
    if acts == 0:
        return "always links the most probable record"
    return f"links a record whose probability exceeds {acts:g}"
