"""Generated business tables of three nested variables.

Turnover is lognormal, a third of the finest cells are empty, and cells with one or two respondents are sensitive, with a
protection level of 15 per cent.
"""

from __future__ import annotations

import numpy as np

BRANCHES = {
    1000: ((3, 3), (3, 3), (5,)),
    3000: ((3, 4), (3, 4), (2, 5)),
    10_000: ((4, 5), (4, 5), (3, 4)),
    24_000: ((5, 5), (5, 5), (4, 5)),
    100_000: ((5, 9), (5, 9), (5, 8)),
    800_000: ((9, 9), (9, 9), (8, 11)),
    1_000_000: ((4, 5, 4), (4, 5, 4), (9, 9)),
}
"""The tables: how many codes below each code, for each variable."""


def tree(branches: tuple[int, ...]) -> list[int]:
    """Write the parents of a hierarchy with so many codes below each."""
    parents, level = [-1], [0]
    for branch in branches:
        below = []
        for code in level:
            below += range(len(parents), len(parents) + branch)
            parents += [code] * branch
        level = below
    return parents


def business(size: int):
    """Draw a table: its system, how many respondents each cell has, and what is asked."""
    import confide as cf

    branches = BRANCHES[size]
    shape = tuple(int(np.prod(b)) for b in branches)
    rng = np.random.default_rng(1)
    counts = rng.poisson(rng.gamma(0.5, 10.0, shape))
    values = np.where(counts > 0, np.round(rng.lognormal(3, 1, shape) * counts), 0)
    trees = [tree(b) for b in branches]
    system, respondents = cf.nested_system(values, trees), cf.nested_system(counts, trees).values
    sensitive = np.flatnonzero((respondents > 0) & (respondents < 3))
    return system, respondents, cf.Protection.of(system, sensitive, 0.15, least=1)
