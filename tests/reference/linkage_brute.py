"""Linkage by distance over all pairs, slowly and plainly, to check the fast one."""

from __future__ import annotations

import math

EPS = 16 * 2.0**-52


def pair(q, s, columns):
    """Squared distance of two rows of Python values; a column is (cost of two values, one, both, ignored, weight)."""
    total, gone, whole = 0.0, 0.0, sum(c["weight"] for c in columns)
    for a, b, c in zip(q, s, columns, strict=True):
        if a is None or b is None:
            if c["ignore"]:
                gone += c["weight"]
            else:
                total += c["weight"] * (c["both"] if a is None and b is None else c["one"]) ** 2
        else:
            total += c["weight"] * c["distance"](a, b) ** 2
    if gone >= whole:
        return math.inf
    return total * whole / (whole - gone)


def nearest(queries, sources, columns):
    """Nearest source rows, their distance and that of the second nearest, for every released row."""
    found = []
    for q in queries:
        d = [math.sqrt(pair(q, s, columns)) for s in sources]
        best = min(d)
        size = sum(abs(c["coordinate"](a)) for a, c in zip(q, columns, strict=True) if a is not None and "coordinate" in c)
        ties = [] if math.isinf(best) else [i for i, x in enumerate(d) if x <= best + EPS * (size + best)]
        found.append((ties, best, sorted(d)[1] if len(d) > 1 else math.inf))
    return found
