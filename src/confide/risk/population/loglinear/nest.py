"""Arrange sets of keys for passes over all combinations of levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.risk.population.loglinear.sweep_kernel import sweep
from confide.risk.population.loglinear.table import Occupied
from confide.risk.population.loglinear.terms import Generator
from confide.typing import BoolArray, FloatArray, IntArray

MOST = 3 * 10**8
"""A pass over more combinations than this is refused: the test would take about ten seconds, and a round of proportional
fitting as long."""


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """Keys, nested, and the sets of them that have factors."""

    outer: tuple[str, ...]
    """The nested keys, outermost first."""
    levels: IntArray
    """Their numbers of levels."""
    width: int
    """The number of levels of the innermost key."""
    sets: tuple[Generator, ...]
    """The sets of keys, each with its keys in nested order and the innermost last."""
    base: IntArray
    """Where the factors of each set start; and where all end."""
    stride: IntArray
    """How far a level moves in them."""
    inner: BoolArray
    """Whether a set holds the innermost key."""
    depth: IntArray
    """How many nested keys must be known."""

    def margin(self, target: int, factors: FloatArray) -> FloatArray:
        """Add up the fitted means of each combination of levels of a set."""
        found = np.zeros(int(self.base[target + 1] - self.base[target]))
        self._sweep(factors, target, found, 1.0, np.zeros(4))
        return found

    def tests(self, factors: FloatArray, pi: float) -> FloatArray:
        """Add up B1, v1, B2 and v2 over all combinations, as if all were empty."""
        sums = np.zeros(4)
        self._sweep(factors, -1, np.zeros(0), pi, sums)
        return sums

    def part(self, target: int) -> slice:
        """Say where the factors of a set are."""
        return slice(int(self.base[target]), int(self.base[target + 1]))

    def _sweep(self, factors: FloatArray, target: int, margin: FloatArray, pi: float, sums: FloatArray) -> None:
        base = self.base[:-1]
        sweep(self.levels, self.width, factors, base, self.stride, self.inner, self.depth, target, margin, pi, sums)


def nest(table: Occupied, keys: Sequence[str], sets: Sequence[Generator], what: str) -> Nest:
    """Nest keys by their number of levels, the largest innermost; refuse beforehand what takes too long.

    Args:
        table: the file's cells.
        keys: the keys to run over.
        sets: the sets of keys that have factors.
        what: what is to be done, and what to type instead, for the refusal.
    """
    possible = table.possible(keys)
    if possible > MOST:
        raise IntruderError(what.format(keys=", ".join(keys), size=f"{possible:,}", most=f"{MOST:,}"))
    order = sorted(keys, key=lambda key: table.levels[key])
    outer, last = tuple(order[:-1]), order[-1]
    arranged = tuple(tuple(key for key in order if key in g) for g in sets)
    base = np.concatenate([[0], np.cumsum([table.possible(g) for g in arranged])]).astype(np.int64)
    stride = np.zeros((len(sets), len(outer)), dtype=np.int64)
    for i, g in enumerate(arranged):
        step = 1
        for key in reversed(g):
            if key in outer:
                stride[i, outer.index(key)] = step
            step *= table.levels[key]
    return Nest(
        outer,
        np.array([table.levels[key] for key in outer], dtype=np.int64),
        table.levels[last],
        arranged,
        base,
        stride,
        np.array([last in g for g in arranged]),
        np.array([max((outer.index(key) + 1 for key in g if key in outer), default=0) for g in arranged], dtype=np.int64),
    )
