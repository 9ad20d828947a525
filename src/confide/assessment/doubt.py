"""Does what is said of whose record is whose fit what the intruder's probabilities lead to expect?

Where a file that someone else made is said to be in the order of the source file, or to have given parents, and that is
wrong, hardly any link counts as right and the file seems safe. The test: with p_i the probability of the best record of each
target, given that the target is in the file, and S the sum of the p_i, the chance that only T links are right is at most
exp(-(S - T + T log(T / S))) for independent links (Chernoff). It is gross where T is below a tenth of S and that bound is
below one in a million.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from confide.assessment.assessment import Scenario

SIZE = 1e-6
"""The largest chance of a false alarm for an intruder whose probabilities are right."""
SHARE = 0.1
"""Stated links of which a larger share is right are not doubted: an intruder may err about a file that is masked well."""


def log_chance(stated: float, true: float) -> float:
    """Give the log of a bound on the chance that so few links are right; 0 where as many are as stated.

    >>> log_chance(10.0, 0.0), log_chance(10.0, 12.0)
    (-10.0, 0.0)
    """
    if true >= stated:
        return 0.0
    return -(stated - true + (true * math.log(true / stated) if true > 0 else 0.0))


def doubts_of(scenario: Scenario) -> str:
    """Say that hardly any of the stated links is right, as whose record is whose was told; empty: there is no such doubt."""
    released = scenario.released
    if released.source is None or released.methods:
        return ""
    summary = scenario.summary
    there = summary.known & summary.in_file
    given = 1.0 / np.where(summary.null < 1, 1.0 - summary.null, 1.0)
    stated = float(np.minimum(summary.best * given, 1.0)[there].sum())
    true = float(summary.matched[there].sum())
    if true >= SHARE * stated or log_chance(stated, true) >= math.log(SIZE):
        return ""
    return (
        f"{stated:,.1f} right links are stated and {true:,.1f} are true by what is said of whose record is whose, which has "
        f"a chance below {SIZE:g} if both are right: the order of the records, or parent, is likely to be wrong, and no "
        "limit that needs the truth holds. Check same_order and parent"
    )
