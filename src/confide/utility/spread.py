"""How a reader spreads a released value over the source values it may stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from confide.typing import FloatArray, IntArray


@runtime_checkable
class Spread(Protocol):
    """What a reader makes of categories of several values."""

    def shares(self, group: IntArray, counts: FloatArray, room: FloatArray) -> FloatArray:
        """Give the share of each value in its category; those of a category sum to one.

        Args:
            group: the category of each value, counted from 0.
            counts: what each value counts in the source.
            room: the room that each value takes in its category, see `room_of`.
        """
        ...

    def describe(self) -> str:
        """Say it in words."""
        ...


@dataclass(frozen=True, slots=True)
class SpreadEvenly:
    """Levels of a category are taken to be equally frequent, numbers to be even along the line: nothing else is known.

    >>> SpreadEvenly().shares(np.array([0, 0, 1]), np.array([90.0, 10.0, 5.0]), np.ones(3)).tolist()
    [0.5, 0.5, 1.0]
    """

    def shares(self, group: IntArray, counts: FloatArray, room: FloatArray) -> FloatArray:
        """Give shares in proportion to the room."""
        del counts
        return np.asarray(room / np.bincount(group, weights=room)[group])

    def describe(self) -> str:
        """Say it in words."""
        return "evenly"


@dataclass(frozen=True, slots=True)
class SpreadByCounts:
    """Values of a category are as frequent in it as in the source: done by who has the source's table of the variable.

    Single variables then lose nothing by a recoding into two categories or more; what is lost shows in pairs of variables.

    >>> SpreadByCounts().shares(np.array([0, 0, 1]), np.array([90.0, 10.0, 5.0]), np.ones(3)).tolist()
    [0.9, 0.1, 1.0]
    """

    def shares(self, group: IntArray, counts: FloatArray, room: FloatArray) -> FloatArray:
        """Give the shares of the source; where all values of a category count nothing, those of the room."""
        some = np.bincount(group, weights=counts)[group] > 0
        return SpreadEvenly().shares(group, counts, np.where(some, counts, room))

    def describe(self) -> str:
        """Say it in words."""
        return "as they are spread in the source"


def room_of(group: IntArray, x: FloatArray) -> FloatArray:
    """Give the room that values take in their category: 1 on average, for a number the line that is nearest to it.

    Readers of '20-29' do not know which numbers occur. Where many are close together each has little of the line. At both
    ends of a category a number has as much of the line to the outer side as to the inner one.

    Args:
        group: the category of each value.
        x: the numbers, increasing; NaN for levels, each of which takes 1.

    >>> room_of(np.zeros(4, dtype=int), np.array([0.0, 1.0, 5.0, np.nan])).tolist()
    [0.4, 1.0, 1.6, 1.0]
    """
    room, number = np.ones(x.size), np.flatnonzero(np.isfinite(x))
    number = number[np.argsort(group[number], kind="stable")]
    # quarters do not overflow
    g, gap = group[number], np.diff(x[number] / 4)
    gap = np.where(g[1:] == g[:-1], gap, np.nan)
    before, after = np.concatenate([[np.nan], gap]), np.concatenate([gap, [np.nan]])
    taken = np.where(np.isnan(before), after, before) + np.where(np.isnan(after), before, after)
    several = ~np.isnan(taken[: number.size])
    g, number, taken = g[several], number[several], taken[: several.size][several]
    if number.size:
        size = np.bincount(g)[g]
        room[number] = taken / np.bincount(g, weights=taken / size)[g]
    return room
