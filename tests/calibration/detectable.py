"""How large an error a row would show: the least ratio of what comes true to what is stated that raises an alarm."""

from __future__ import annotations

import numpy as np
from scipy import stats

import confide as cf

CHANCE = 0.9
"""How likely the error is found."""


def detectable(found: cf.Reliability, limit: float) -> np.ndarray:
    """Give the least ratio true / stated of each bin that is found; infinite where no count could show it.

    What comes true is taken as a Poisson count, or wider by as much as it varied between the replicates. With E stated
    in all, r E true and w times the error of a count, (r - 1) E = w (t + q) sqrt(r E), solved for sqrt(r).

    Args:
        found: all bins.
        limit: the deviate beyond which a bin is said to be off.
    """
    times = found.replicates
    stated, most = found.stated.sum(axis=0), found.count.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        wider = np.nan_to_num(np.maximum(found.standard_error * times / np.sqrt(stated), 1.0), nan=1.0, posinf=np.inf)
        t = wider * stats.t.isf(stats.norm.sf(limit), times - 1)
        q = wider * stats.norm.ppf(CHANCE)
        k = (t + q) / np.sqrt(stated)
        ratio = ((k + np.sqrt(k**2 + 4)) / 2) ** 2
        return np.where((stated > 0) & (ratio * stated <= most), ratio, np.inf)
