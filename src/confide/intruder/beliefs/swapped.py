"""How likely released categories are for a unit of which only beliefs are held (section 3.4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.errors import IntruderError
from confide.release.methods.swap import GivenMatrix
from confide.typing import FloatArray, Label

Beliefs = Sequence[tuple[tuple[Label, ...], float]]
"""Combinations of true levels, each with its probability."""


def swap_marginal(prior: Sequence[float] | FloatArray, column: Sequence[float] | FloatArray) -> float:
    """Sum over true levels the prior times Pr(released level | true level) (4.2.1).

    Args:
        prior: the probabilities of the true levels.
        column: Pr(released level | true level) for each true level.

    >>> round(swap_marginal([0.82, 0.12, 0.01, 0.05], [0.05, 0.75, 0.10, 0.10]), 6)
    0.137
    """
    if len(prior) != len(column):
        raise IntruderError(f"{len(prior)} prior probabilities for {len(column)} swap probabilities")
    return float(np.dot(np.asarray(prior, dtype=np.float64), np.asarray(column, dtype=np.float64)))


def joint_swap_marginal(beliefs: Beliefs, matrices: Sequence[GivenMatrix], released: Sequence[Label]) -> float:
    """Sum over combinations of true levels: the integral of eq. (5) for swapped variables.

    >>> m = GivenMatrix(["a", "b"], [[0.9, 0.1], [0.2, 0.8]])
    >>> round(joint_swap_marginal([(("a", "a"), 0.5), (("b", "b"), 0.5)], [m, m], ["a", "a"]), 6)
    0.425
    """
    weights, factors = _factors(beliefs, matrices, released)
    return swap_marginal(weights, np.prod(factors, axis=0))


def dot_product_marginal(beliefs: Beliefs, matrices: Sequence[GivenMatrix], released: Sequence[Label]) -> float:
    """Multiply one dot product per variable, as the paper does: ignores their dependence.

    >>> m = GivenMatrix(["a", "b"], [[0.9, 0.1], [0.2, 0.8]])
    >>> round(dot_product_marginal([(("a", "a"), 0.5), (("b", "b"), 0.5)], [m, m], ["a", "a"]), 6)
    0.3025
    """
    weights, factors = _factors(beliefs, matrices, released)
    return float(np.prod([swap_marginal(weights, f) for f in factors]))


def _factors(beliefs: Beliefs, matrices: Sequence[GivenMatrix], released: Sequence[Label]) -> tuple[FloatArray, FloatArray]:
    """Give the weights of the combinations and, for each variable, Pr(released | its true level)."""
    factors = [
        [m.rows[list(m.levels).index(true[k])][list(m.levels).index(z)] for true, _ in beliefs]
        for k, (m, z) in enumerate(zip(matrices, released, strict=True))
    ]
    return np.array([w for _, w in beliefs], dtype=np.float64), np.array(factors, dtype=np.float64)
