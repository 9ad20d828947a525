"""How the levels of several variables go together, among matches and among other pairs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from confide.errors import IntruderError, unknown
from confide.linking.probabilistic.comparison import Compared, OwnLevel
from confide.typing import AnyArray, FloatArray, IntArray

MOST_CELLS = 4_096
"""The most combinations of levels in a group of variables that go together."""


class Dependence(Protocol):
    """Says which variables' agreements go together."""

    def groups(self, names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Give the places of the variables of each group; groups are independent of each other."""
        ...


@dataclass(frozen=True, slots=True)
class Independent:
    """Agreements in different variables are independent, among matches and among other pairs (Fellegi and Sunter 1969).

    >>> Independent().groups(["sex", "race"])
    ((0,), (1,))
    """

    def groups(self, names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Give every variable a group of its own."""
        return tuple((j,) for j in range(len(names)))


@dataclass(frozen=True, slots=True)
class WithInteractions:
    """Agreements of some variables go together: a log-linear model with all two-way interactions within each group.

    >>> WithInteractions([["suburb", "postcode"]]).groups(["name", "suburb", "postcode"])
    ((1, 2), (0,))
    """

    together: Sequence[Sequence[str]]
    """Groups of variables; what is in no group is independent of all."""

    def groups(self, names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Give the groups, and every other variable a group of its own."""
        flat = [n for group in self.together for n in group]
        missing = [n for n in flat if n not in names]
        if missing:
            raise IntruderError(f"WithInteractions: {unknown('comparison', missing[0], names)}")
        if len(set(flat)) < len(flat):
            raise IntruderError("WithInteractions: a variable stands in two groups; put them into one")
        given = [tuple(list(names).index(n) for n in group) for group in self.together if len(group)]
        used = {j for group in given for j in group}
        return (*given, *((j,) for j in range(len(names)) if j not in used))


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Variables whose levels go together, as they occur in the patterns."""

    fields: tuple[int, ...]
    """The places of the variables."""
    sizes: tuple[int, ...]
    """The number of levels of each; a missing value that has a level of its own counts."""
    at: IntArray
    """For each pattern, which combination it holds."""
    holds: FloatArray
    """Which cells each combination may come from, 0 or 1: a missing value may be any level."""

    @property
    def plain(self) -> bool:
        """Whether no value is missing, so that every combination is a cell."""
        return bool(np.all(self.holds.sum(axis=1) == 1))

    def chance(self, cells: FloatArray) -> FloatArray:
        """Give the probability of each combination."""
        return np.asarray(self.holds @ cells, dtype=np.float64)

    def expected(self, total: FloatArray, cells: FloatArray) -> FloatArray:
        """Give the number of pairs in each cell, given those of each combination and what was believed."""
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(total > 0, total / self.chance(cells), 0.0)
        return np.asarray(cells * (self.holds.T @ share), dtype=np.float64)

    def fitted(self, count: FloatArray) -> FloatArray:
        """Give the probability of each cell: the counts' own, or of three variables and more, by their two-way tables."""
        cells = count / count.sum()
        if len(self.sizes) < 3:
            return np.asarray(cells, dtype=np.float64)
        return proportional_fit(cells.reshape(self.sizes)).ravel()

    def marginal(self, cells: FloatArray, field: int) -> FloatArray:
        """Give the probability of each level of one of the variables."""
        other = tuple(k for k, f in enumerate(self.fields) if f != field)
        return np.asarray(cells.reshape(self.sizes).sum(axis=other), dtype=np.float64)


def proportional_fit(table: FloatArray, tolerance: float = 1e-9, most: int = 500) -> FloatArray:
    """Give the table with the same two-way tables and no interaction of three variables (iterative proportional fitting).

    >>> proportional_fit(np.full((2, 2, 2), 0.125)).ravel().tolist()
    [0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125]
    """
    found = np.full(table.shape, 1 / table.size)
    pairs = list(itertools.combinations(range(table.ndim), 2))
    others = [tuple(k for k in range(table.ndim) if k not in pair) for pair in pairs]
    for _ in range(most):
        before = found
        for other in others:
            held = found.sum(axis=other, keepdims=True)
            found = found * np.where(held > 0, table.sum(axis=other, keepdims=True) / np.where(held > 0, held, 1.0), 0.0)
        if float(np.abs(found - before).max()) < tolerance:
            break
    return np.asarray(found, dtype=np.float64)


def groups_of(dependence: Dependence, parts: Sequence[Compared], level: AnyArray) -> tuple[Group, ...]:
    """Arrange the patterns by groups of variables."""
    return tuple(_group(fields, parts, level) for fields in dependence.groups([p.name for p in parts]))


def groups_like(groups: Sequence[Group], parts: Sequence[Compared], level: AnyArray) -> tuple[Group, ...]:
    """Arrange other patterns by the same groups."""
    return tuple(_group(g.fields, parts, level) for g in groups)


def _group(fields: tuple[int, ...], parts: Sequence[Compared], level: AnyArray) -> Group:
    """Arrange the patterns by one group."""
    own = [isinstance(parts[j].missing, OwnLevel) for j in fields]
    sizes = tuple(parts[j].levels + o for j, o in zip(fields, own, strict=True))
    if int(np.prod(sizes)) > MOST_CELLS:
        raise IntruderError(
            f"{', '.join(parts[j].name for j in fields)} have {int(np.prod(sizes)):,} combinations of levels; "
            f"{MOST_CELLS:,} are the most in a group. Compare by fewer levels, or make the group smaller"
        )
    found, at = np.unique(level[:, fields], axis=0, return_inverse=True)
    holds = np.ones((found.shape[0], 1))
    for k, j in enumerate(fields):
        mine = found[:, k, None] == np.arange(sizes[k])
        if not own[k]:
            mine = mine | (found[:, k, None] == parts[j].levels)
        holds = (holds[:, :, None] * mine[:, None, :]).reshape(found.shape[0], -1)
    return Group(fields, sizes, at.ravel().astype(np.int64), holds)
