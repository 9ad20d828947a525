"""What blocking rules do to agreements: pairs outside the blocks are not seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.linking.probabilistic.comparison import NUMBER, Compared
from confide.typing import BoolArray, FloatArray, IntArray

MOST_VARIABLES = 12
"""Of more blocking variables that are compared, too, only the first are reckoned with."""


@dataclass(frozen=True, slots=True, eq=False)
class Truncation:
    """Which agreements in the blocking variables bring a pair into a block."""

    fields: tuple[int, ...]
    """The places of the blocking variables that are compared, too."""
    agrees: BoolArray
    """All combinations of agreement and disagreement in them, combinations by variables."""
    inside: BoolArray
    """Which combinations are inside a block."""

    def chances(self, agree: FloatArray) -> tuple[float, FloatArray]:
        """Give the probability of being in a block, and for each variable that of agreeing outside.

        Args:
            agree: the probability of agreement in each blocking variable; they are independent.

        >>> both = Truncation((0, 1), np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool), np.array([0, 0, 0, 1], bool))
        >>> inside, outside = both.chances(np.array([0.5, 0.8]))
        >>> round(inside, 6), outside.round(6).tolist()
        (0.4, [0.1, 0.4])
        """
        p = np.prod(np.where(self.agrees, agree, 1 - agree), axis=1)
        return float(p[self.inside].sum()), np.asarray((p * ~self.inside) @ self.agrees, dtype=np.float64)


def truncation_of(rules: Sequence[tuple[str, ...]], parts: Sequence[Compared]) -> Truncation | None:
    """Say how blocking rules depend on what is compared; None where they do not.

    A variable that is not compared is taken to agree.

    Args:
        rules: the variables of each rule.
        parts: the comparisons.
    """
    named = {v for rule in rules for v in rule}
    fields = tuple(j for j, p in enumerate(parts) if p.name in named and p.kind != NUMBER)[:MOST_VARIABLES]
    if not fields:
        return None
    place = {parts[j].name: k for k, j in enumerate(fields)}
    number: IntArray = np.arange(1 << len(fields))
    agrees = (number[:, None] >> np.arange(len(fields)) & 1).astype(np.bool_)
    inside = np.zeros(number.size, dtype=np.bool_)
    for rule in rules:
        inside |= agrees[:, [place[v] for v in rule if v in place]].all(axis=1)
    return Truncation(fields, agrees, inside)
