"""Compiled search for the cheapest cube around a cell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from confide.typing import AnyArray, BoolArray, FloatArray, IntArray

CELLS = 4096
"""Cubes with more cells are not looked at."""
STEPS = 60_000
"""How many exchanges are tried for one cell."""


class Exchanges(NamedTuple):
    """Exchanges of all variables, one list after the other, and where cells stand."""

    of: IntArray
    """For each variable and code: where its exchanges begin."""
    starts: IntArray
    """Where the codes of each exchange begin."""
    codes: IntArray
    signs: IntArray
    strides: IntArray
    """By how much the place changes with each code."""
    lookup: AnyArray
    """The cell at each place; -1: none."""


class Room(NamedTuple):
    """How far cells may go, and what they cost."""

    low: FloatArray
    """Down, not positive."""
    high: FloatArray
    cost: FloatArray
    """0 where suppressed."""


@njit(cache=True, nogil=True)
def best_cube(
    own: IntArray, swaps: Exchanges, room: Room, up: float, down: float, limit: float, chosen: IntArray
) -> float:
    """Find the cheapest product of exchanges, one of each variable, in which all cells can go as far as needed.

    Gives its cost, or -1 where none is found within the limit; `chosen` receives the exchanges.
    """
    d = own.size
    place = 0
    for t in range(d):
        place += own[t] * swaps.strides[t]
    cells = np.empty((d + 1, CELLS), dtype=np.int64)
    plus = np.empty((d + 1, CELLS), dtype=np.bool_)
    count = np.zeros(d + 1, dtype=np.int64)
    spent = np.zeros(d + 1)
    turn = np.zeros(d + 1, dtype=np.int64)
    now = np.zeros(d, dtype=np.int64)
    cells[0, 0], plus[0, 0], count[0] = place, True, 1
    best, found = limit, False
    turn[0] = swaps.of[0, own[0]]
    t, steps = 0, 0
    while t >= 0:
        if turn[t] >= swaps.of[t, own[t] + 1] or steps > STEPS:
            t -= 1
            continue
        v = turn[t]
        turn[t] += 1
        steps += 1
        total = _extend(t, v, own[t], swaps, room, up, down, cells, plus, count, spent[t], best)
        if total < 0.0 or (found and total >= best):
            continue
        spent[t + 1] = total
        now[t] = v
        if t + 1 < d:
            t += 1
            turn[t] = swaps.of[t, own[t]]
            continue
        best, found = total, True
        chosen[:] = now
        if best <= 0.0:
            break
    return best if found else -1.0


@njit(cache=True, nogil=True)
def _extend(
    t: int, v: int, own: int, swaps: Exchanges, room: Room, up: float, down: float, cells: IntArray, plus: BoolArray,
    count: IntArray, total: float, limit: float,
) -> float:  # fmt: skip
    """Add the cells of an exchange to those found so far; give the cost, or -1 where they cannot go far enough."""
    m = count[t]
    for i in range(m):
        cells[t + 1, i], plus[t + 1, i] = cells[t, i], plus[t, i]
    for e in range(swaps.starts[v] + 1, swaps.starts[v + 1]):
        step = (swaps.codes[e] - own) * swaps.strides[t]
        for i in range(count[t]):
            at = cells[t, i] + step
            c = swaps.lookup[at]
            if c < 0 or m >= CELLS:
                return -1.0
            same = plus[t, i] == (swaps.signs[e] > 0)
            ways = (up, down) if same else (down, up)
            if room.high[c] < ways[0] or -room.low[c] < ways[1]:
                return -1.0
            total += room.cost[c]
            if total > limit:
                return -1.0
            cells[t + 1, m], plus[t + 1, m] = at, same
            m += 1
    count[t + 1] = m
    return total


@njit(cache=True, nogil=True)
def cube_of(own: IntArray, swaps: Exchanges, chosen: IntArray) -> tuple[IntArray, FloatArray]:
    """Give the cells of a cube and their signs, from the exchange of each variable."""
    size, place = 1, 0
    for t in range(own.size):
        size *= swaps.starts[chosen[t] + 1] - swaps.starts[chosen[t]]
        place += own[t] * swaps.strides[t]
    cells, signs = np.empty(size, dtype=np.int64), np.empty(size)
    cells[0], signs[0] = place, 1.0
    m = 1
    for t in range(own.size):
        before = m
        for e in range(swaps.starts[chosen[t]] + 1, swaps.starts[chosen[t] + 1]):
            step = (swaps.codes[e] - own[t]) * swaps.strides[t]
            for i in range(before):
                cells[m], signs[m] = cells[i] + step, signs[i] * swaps.signs[e]
                m += 1
    for i in range(size):
        cells[i] = swaps.lookup[cells[i]]
    return cells, signs
