"""Choose interactions by the test of underfitting, forward from main effects."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from confide.risk.population.loglinear.terms import Generator, Interactions


def forward(
    keys: tuple[str, ...], until: float, statistic: Callable[[tuple[Generator, ...]], float]
) -> tuple[tuple[Generator, ...], tuple[tuple[Generator, float], ...]]:
    """Add the pair that lowers the statistic most until it is at most the limit, or no pair is left.

    >>> held = {("a", "b"): 4.0, ("a", "c"): 1.0, ("b", "c"): 2.0}
    >>> forward(("a", "b", "c"), 2.0, lambda g: 7.0 - sum(held.get(pair, 0.0) for pair in g))[1]
    ((('a', 'b'), 3.0), (('b', 'c'), 1.0))
    """
    chosen: list[Generator] = []
    path: list[tuple[Generator, float]] = []
    generators = Interactions().generators(keys)
    best = statistic(generators)
    left = list(combinations(keys, 2))
    while best > until and left:
        tried = {pair: statistic(Interactions(*chosen, pair).generators(keys)) for pair in left}
        pair = min(left, key=tried.__getitem__)
        best = tried[pair]
        chosen.append(pair)
        left.remove(pair)
        path.append((pair, best))
        generators = Interactions(*chosen).generators(keys)
    return generators, tuple(path)
