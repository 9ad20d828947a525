"""Exchanges along one variable: a finest code gains what another one loses, and so do the codes that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.typing import FloatArray, IntArray

MOST = 40
"""How many exchanges of one code are looked at."""
BELOW = 6
"""How many finest codes below a code stand for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Swaps:
    """For each code of one variable, exchanges in which it gains, as codes with their signs.

    Codes that hold both of the exchanged ones stay as they are and are not listed. The code itself comes first.
    """

    of: IntArray
    """Where the exchanges of each code begin; one more entry than codes."""
    starts: IntArray
    """Where the codes of each exchange begin; one more entry than exchanges."""
    codes: IntArray
    signs: IntArray


def swaps_of(paths: Sequence[IntArray], size: int, weight: FloatArray) -> Swaps:
    """List exchanges of each code, those first that touch few codes, then by the weight of the other code.

    The last one of each list changes the code and all that hold it, up to the total.

    Args:
        paths: for each finest code the codes that hold it, itself among them.
        size: how many codes there are.
        weight: which codes are good to exchange with.

    >>> swaps = swaps_of([np.array([1, 0]), np.array([2, 0])], 3, np.ones(3))
    >>> swaps.codes[swaps.starts[swaps.of[1]]:swaps.starts[swaps.of[1] + 1]].tolist()
    [1, 2]
    """
    held: list[list[int]] = [[] for _ in range(size)]
    for k, path in enumerate(paths):
        for code in path.tolist():
            held[code].append(k)
    sets = [frozenset(p.tolist()) for p in paths]
    own = np.array([_finest(p, held) for p in paths], dtype=np.int64)
    of, starts, codes, signs = [0], [0], [], []
    for code in range(size):
        for gains, loses in _listed(code, held, sets, own, weight):
            entries = sorted((gains | loses) - {code})
            codes += [code, *entries]
            signs += [1, *(1 if c in gains else -1 for c in entries)]
            starts.append(len(codes))
        of.append(len(starts) - 1)
    return Swaps(*(np.array(x, dtype=np.int64) for x in (of, starts, codes, signs)))


def _finest(path: IntArray, held: list[list[int]]) -> int:
    """Give the code of a path that holds one finest code only; the last where several do."""
    alone = [c for c in path.tolist() if len(held[c]) == 1]
    return alone[0] if alone else int(path[0])


def _listed(
    code: int, held: list[list[int]], sets: list[frozenset[int]], own: IntArray, weight: FloatArray
) -> list[tuple[frozenset[int], frozenset[int]]]:
    """List the exchanges of one code: the codes that gain and those that lose."""
    inside = sorted(held[code], key=lambda k: (-weight[own[k]], k))[:BELOW]
    outside = [k for k in range(len(sets)) if code not in sets[k]]
    found = []
    each = max(MOST // max(len(inside), 1), 1)
    for k in inside:
        size = [(len(sets[k] ^ sets[j]), -weight[own[j]], j) for j in outside]
        found += [(sets[k] - sets[j], sets[j] - sets[k], s) for s, _, j in sorted(size)[:each]]
    found.sort(key=lambda f: f[2])
    pairs = [(gains, loses) for gains, loses, _ in found]
    return pairs + [(sets[k], frozenset()) for k in inside[:1]]
