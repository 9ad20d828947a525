"""What every level of every comparison weighs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.linking.probabilistic.comparison import Compared, OwnLevel
from confide.linking.probabilistic.em import Estimate
from confide.linking.probabilistic.model import Group
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class LevelWeights:
    """How often matches and other pairs reach each level of a comparison (Fellegi and Sunter 1969)."""

    variable: str
    """The variable compared."""
    levels: tuple[str, ...]
    """What the levels mean, from disagreement to the fullest agreement; last a missing value, where it has a level."""
    m: FloatArray
    """The probability of each level among matches."""
    u: FloatArray
    """The probability of each level among other pairs."""

    @property
    def weight(self) -> FloatArray:
        """The weight of each level: the log, to base 2, of m over u."""
        return np.asarray(np.log2(self.m) - np.log2(self.u), dtype=np.float64)

    def __repr__(self) -> str:
        """Write a table of the levels."""
        wide = max(len(name) for name in self.levels)
        lines = [f"{self.variable.ljust(wide)}         m         u  weight"]
        lines += [
            f"{name.ljust(wide)}  {m:8.4f}  {u:8.4f}  {w:6.2f}"
            for name, m, u, w in zip(self.levels, self.m, self.u, self.weight, strict=True)
        ]
        return "\n".join(lines)


def level_weights(parts: Sequence[Compared], groups: Sequence[Group], found: Estimate) -> tuple[LevelWeights, ...]:
    """Read the weights of single comparisons off an estimate; within a group they are marginal ones."""
    made: dict[int, LevelWeights] = {}
    for g, m, u in zip(groups, found.m, found.u, strict=True):
        for j in g.fields:
            own = ("missing",) if isinstance(parts[j].missing, OwnLevel) else ()
            made[j] = LevelWeights(parts[j].name, (*parts[j].labels, *own), g.marginal(m, j), g.marginal(u, j))
    return tuple(made[j] for j in range(len(parts)))
