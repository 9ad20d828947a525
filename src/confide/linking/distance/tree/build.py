"""Build the tree: split the records in half, along the column in which they differ most, until few are left."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numba import njit

from confide.linking.distance.tree.costs import NOMINAL, TABLE, Rules
from confide.linking.parallel import cores
from confide.typing import BoolArray, FloatArray, IntArray

LEAF = 2
"""At most so many records are in a leaf; in many columns small boxes spare more than they cost."""
PAIRS = 48
"""So many pairs of a node's records tell in which column they differ most."""


class Tree(NamedTuple):
    """Records in the order of the leaves; node i has the children 2 i + 1 and 2 i + 2."""

    values: FloatArray
    """The records, leaf by leaf."""
    file_row: IntArray
    """The row of each in the file."""
    start: IntArray
    """The first record of each node."""
    stop: IntArray
    """The end of each node's records."""
    low: FloatArray
    """The least value of each column in each node; above `high` where all are missing."""
    high: FloatArray
    """The largest one."""
    missing: BoolArray
    """Whether some values of the column are missing in the node."""
    leaves: int
    """The first leaf among the nodes."""


def build(rows: FloatArray, rules: Rules) -> Tree:
    """Build the tree of some records.

    Args:
        rows: one row for each record; NaN is missing. They are copied.
        rules: how the columns are compared.
    """
    n, p = rows.shape
    depth = max(0, math.ceil(math.log2(max(n, 1) / LEAF)))
    nodes = 2 ** (depth + 1) - 1
    tree = Tree(
        np.array(rows, dtype=np.float64, order="C"),
        np.arange(n, dtype=np.int64),
        np.zeros(nodes, dtype=np.int64),
        np.zeros(nodes, dtype=np.int64),
        np.full((nodes, p), np.inf),
        np.full((nodes, p), -np.inf),
        np.zeros((nodes, p), dtype=np.bool_),
        2**depth - 1,
    )
    tree.stop[0] = n
    top = min(depth, max(0, math.ceil(math.log2(cores())) + 1)) if n > 50_000 else 0
    for node in range(2**top - 1):
        _split(node, tree, rules)
    roots = range(2**top - 1, 2 ** (top + 1) - 1)
    if len(roots) == 1:
        _grow(0, tree, rules)
    else:
        with ThreadPoolExecutor(max_workers=cores()) as pool:
            list(pool.map(lambda node: _grow(node, tree, rules), roots))
    _enclose(tree)
    return tree


@njit(cache=True, nogil=True)
def _grow(root: int, tree: Tree, rules: Rules) -> None:
    """Split all nodes below one of them."""
    first, last = root, root
    while first < tree.leaves:
        for node in range(first, last + 1):
            _split(node, tree, rules)
        first, last = 2 * first + 1, 2 * last + 2


@njit(cache=True, nogil=True)
def _split(node: int, tree: Tree, rules: Rules) -> None:
    """Put the smaller half of a node's records in front, by the column in which they differ most."""
    start, stop = tree.start[node], tree.stop[node]
    middle = (start + stop) // 2
    tree.start[2 * node + 1], tree.stop[2 * node + 1] = start, middle
    tree.start[2 * node + 2], tree.stop[2 * node + 2] = middle, stop
    if stop - start > 1:
        _select(tree.values, tree.file_row, start, stop, middle, _widest(tree.values, start, stop, rules))


@njit(cache=True, nogil=True)
def _widest(values: FloatArray, start: int, stop: int, rules: Rules) -> int:
    """Find the column in which pairs of records differ most, in the mean of the distances."""
    size, p = stop - start, values.shape[1]
    score = np.zeros(p)
    step = max(1, size // (2 * PAIRS))
    half = size // 2
    for k in range(0, size - half, step):
        x, y = start + k, start + half + (k * 7919) % (size - half)
        for j in range(p):
            a, b = values[x, j], values[y, j]
            if math.isnan(a) or math.isnan(b):
                if math.isnan(a) != math.isnan(b):
                    score[j] += math.sqrt(rules.one[j]) if not rules.ignored[j] else 0.5
            elif a != b:
                if rules.kind[j] == NOMINAL:
                    score[j] += math.sqrt(rules.weight[j])
                else:
                    # the codes of a table say nothing of how far apart they are
                    score[j] += math.sqrt(rules.share[j]) if rules.kind[j] == TABLE else abs(a - b)
    return int(np.argmax(score))


@njit(cache=True, nogil=True, inline="always")
def _before(a: float, b: float) -> bool:
    """Put missing values last."""
    return a < b or (math.isnan(b) and not math.isnan(a))


@njit(cache=True, nogil=True)
def _select(values: FloatArray, index: IntArray, start: int, stop: int, middle: int, j: int) -> None:
    """Arrange records so that those before the middle are not larger than those after it (Hoare's selection)."""
    low, high = start, stop - 1
    while low < high:
        a, b, c = values[low, j], values[(low + high) // 2, j], values[high, j]
        if _before(b, a):
            a, b = b, a
        pivot = c if _before(c, b) else b
        if _before(pivot, a):
            pivot = a
        left, right = low, high
        while left <= right:
            while _before(values[left, j], pivot):
                left += 1
            while _before(pivot, values[right, j]):
                right -= 1
            if left <= right:
                for k in range(values.shape[1]):
                    kept = values[left, k]
                    values[left, k] = values[right, k]
                    values[right, k] = kept
                index[left], index[right] = index[right], index[left]
                left += 1
                right -= 1
        if middle <= right:
            high = right
        elif middle >= left:
            low = left
        else:
            return


@njit(cache=True, nogil=True)
def _enclose(tree: Tree) -> None:
    """Give every node the box of its records."""
    p = tree.values.shape[1]
    for node in range(tree.start.size - 1, -1, -1):
        if node >= tree.leaves:
            for i in range(tree.start[node], tree.stop[node]):
                for j in range(p):
                    x = tree.values[i, j]
                    if math.isnan(x):
                        tree.missing[node, j] = True
                    else:
                        tree.low[node, j] = min(tree.low[node, j], x)
                        tree.high[node, j] = max(tree.high[node, j], x)
        else:
            for child in (2 * node + 1, 2 * node + 2):
                for j in range(p):
                    tree.low[node, j] = min(tree.low[node, j], tree.low[child, j])
                    tree.high[node, j] = max(tree.high[node, j], tree.high[child, j])
                    tree.missing[node, j] |= tree.missing[child, j]
