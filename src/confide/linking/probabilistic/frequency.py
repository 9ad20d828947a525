"""Agreement on a rare value says more than on a common one (Winkler 1989)."""

from __future__ import annotations

import numpy as np

from confide.typing import FloatArray, IntArray


def rarity_of(source: IntArray, released: IntArray) -> FloatArray:
    """Give, for every code, the log of how much more agreement on it weighs than agreement in general.

    Among matches that agree, a value is as frequent as in the files: f. Among others that agree it is as frequent as the
    product of its frequencies in both files: g h / sum g h. The log of the ratio of the two is added to the weight. It
    averages to no change: the ratio's mean over agreeing pairs that are no matches is one.

    Args:
        source: codes of the source records from 0; negative where missing.
        released: codes of the released records.

    >>> rarity_of(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 1])).round(3).tolist()
    [-0.182, 0.916]
    """
    size = 1 + max(int(source.max(initial=-1)), int(released.max(initial=-1)))
    g, h = (np.bincount(c[c >= 0], minlength=size).astype(np.float64) for c in (source, released))
    both = (g > 0) & (h > 0)
    g, h = g / max(g.sum(), 1.0), h / max(h.sum(), 1.0)
    found = np.zeros(size)
    if both.any():
        f = (g + h)[both] / (g + h)[both].sum()
        chance = (g * h)[both]
        found[both] = np.log(f) + np.log(chance.sum()) - np.log(chance)
    return found
