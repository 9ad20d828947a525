"""The squared distance of two records as a loop, and its least value in a box of records.

A record is a row of numbers, one for each column: scaled coordinates, or codes. NaN is missing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from confide.typing import AnyArray, BoolArray, FloatArray, IntArray

COORDINATE, NOMINAL, TABLE = 0, 1, 2
"""How the values of a column are compared: as numbers, as equal or not, or by a table of the user's."""


class Rules(NamedTuple):
    """How the columns of a mixture are compared; one entry for each column."""

    kind: IntArray
    """COORDINATE, NOMINAL or TABLE."""
    weight: FloatArray
    """What two different codes of a nominal column cost."""
    offset: FloatArray
    """What is added to the difference of two coordinates before it is squared."""
    one: FloatArray
    """What it costs when one of the two values is missing."""
    both: FloatArray
    """What it costs when both are."""
    ignored: BoolArray
    """Whether pairs with a missing value are left out and the rest is scaled up."""
    share: FloatArray
    """How much a column counts where others are left out."""
    start: IntArray
    """Where the table of a column begins in `tables`."""
    width: IntArray
    """How many source codes the table has."""
    least: IntArray
    """Where the smallest cost of each released code begins in `tables`."""
    tables: FloatArray
    """All tables, one after the other."""


@njit(cache=True, nogil=True, inline="always")
def compared(a: float, b: float, j: int, rules: Rules) -> float:
    """Give what two present values of a column cost."""
    kind = rules.kind[j]
    if kind == COORDINATE:
        gap = abs(a - b) + rules.offset[j]
        return gap * gap
    if kind == NOMINAL:
        return rules.weight[j] if a != b else 0.0
    return rules.tables[rules.start[j] + int(a) * rules.width[j] + int(b)]


@njit(cache=True, nogil=True)
def mixed_cost(q: FloatArray, s: FloatArray, limit: float, rules: Rules) -> float:
    """Give the squared distance of a released and a source record; anything above the limit where it is above."""
    total, gone = 0.0, 0.0
    for j in range(q.size):
        a, b = q[j], s[j]
        if math.isnan(a) or math.isnan(b):
            if rules.ignored[j]:
                gone += rules.share[j]
            elif math.isnan(a) and math.isnan(b):
                total += rules.both[j]
            else:
                total += rules.one[j]
        else:
            total += compared(a, b, j, rules)
        if total > limit:
            return math.inf
    if gone == 0.0:
        return total
    whole = rules.share.sum()
    left = whole - gone
    return total * (whole / left) if left > 1e-12 * whole else math.inf


@njit(cache=True, nogil=True)
def query_factor(q: FloatArray, rules: Rules) -> float:
    """Give the least factor by which the costs of a released record with missing values are scaled up."""
    gone = 0.0
    for j in range(q.size):
        if rules.ignored[j] and math.isnan(q[j]):
            gone += rules.share[j]
    whole = rules.share.sum()
    left = whole - gone
    return whole / left if left > 1e-12 * whole else math.inf


@njit(cache=True, nogil=True)
def mixed_bound(q: FloatArray, low: FloatArray, high: FloatArray, missing: AnyArray, limit: float, rules: Rules) -> float:
    """Give the least cost of a released record from any record of a box, not scaled up."""
    total = 0.0
    for j in range(q.size):
        a, lo, hi = q[j], low[j], high[j]
        present = lo <= hi
        if math.isnan(a):
            if rules.ignored[j]:
                continue
            cost = rules.one[j] if present else math.inf
            if missing[j]:
                cost = min(cost, rules.both[j])
            total += cost
        else:
            cost = math.inf
            if present:
                kind = rules.kind[j]
                if kind == COORDINATE:
                    gap = max(lo - a, a - hi, 0.0) + rules.offset[j]
                    cost = gap * gap
                elif kind == NOMINAL:
                    cost = rules.weight[j] if a < lo or a > hi else 0.0
                elif lo == hi:
                    cost = compared(a, lo, j, rules)
                else:
                    cost = rules.tables[rules.least[j] + int(a)]
            if missing[j]:
                cost = min(cost, 0.0 if rules.ignored[j] else rules.one[j])
            total += cost
        if total > limit:
            return math.inf
    return total


@njit(cache=True, nogil=True, inline="always")
def plain_cost(q: FloatArray, s: FloatArray) -> float:
    """Give the squared distance of two rows of coordinates."""
    total = 0.0
    for j in range(q.size):
        gap = q[j] - s[j]
        total += gap * gap
    return total


@njit(cache=True, nogil=True, inline="always")
def plain_bound(q: FloatArray, low: FloatArray, high: FloatArray) -> float:
    """Give the least squared distance of a row of coordinates from a box."""
    total = 0.0
    for j in range(q.size):
        gap = max(low[j] - q[j], q[j] - high[j], 0.0)
        total += gap * gap
    return total


@njit(cache=True, nogil=True)
def costs_of(q: FloatArray, s: FloatArray, rules: Rules, out: FloatArray) -> None:
    """Give the squared distance of each released record from the source record in the same row."""
    for i in range(q.shape[0]):
        out[i] = mixed_cost(q[i], s[i], np.inf, rules)


@njit(cache=True, nogil=True)
def table_of(q: FloatArray, s: FloatArray, rules: Rules, out: FloatArray) -> None:
    """Give the squared distance of every released from every source record."""
    for i in range(q.shape[0]):
        for k in range(s.shape[0]):
            out[i, k] = mixed_cost(q[i], s[k], np.inf, rules)
