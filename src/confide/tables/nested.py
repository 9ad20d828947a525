"""The system of one table whose variables have nested codes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array, vstack

from confide.errors import TableError
from confide.tables.grid import Grid
from confide.tables.system import System
from confide.typing import AnyArray, FloatArray, IntArray


def nested_system(leaves: AnyArray, parents: Sequence[Sequence[int]] | None = None) -> System:
    """Make all sums of a table, and the equations between them.

    Args:
        leaves: the values of the finest cells, one dimension for each variable.
        parents: for each variable the parent of each of its codes, -1 for the total. Codes that are nobody's parent are the
            finest, in the order of `leaves`. None: a total, then the finest codes.

    Cells are numbered by rows, the last variable fastest.

    >>> system = nested_system([[3, 5], [6, 6]])
    >>> system.values.reshape(3, 3).tolist()
    [[20.0, 9.0, 11.0], [8.0, 3.0, 5.0], [12.0, 6.0, 6.0]]
    >>> system.equation(0), system.equations.shape
    ('cell 0 = cell 3 + cell 6', (6, 9))
    """
    x = np.asarray(leaves, dtype=np.float64)
    trees = (
        [np.array([-1] + [0] * k) for k in x.shape] if parents is None else [np.asarray(p, dtype=np.int64) for p in parents]
    )
    if len(trees) != x.ndim:
        raise TableError(f"{len(trees)} hierarchies for a table of {x.ndim} variables; give one for each")
    for axis, tree in enumerate(trees):
        x = _sums(x, tree, axis)
    shape = x.shape
    place = np.arange(x.size).reshape(shape)
    parts = [_equations(place, tree, axis) for axis, tree in enumerate(trees)]
    return System(x.ravel(), csr_array(vstack(parts)), grid=Grid.of_trees(trees))


def _finest(tree: IntArray) -> IntArray:
    """Give the codes that are nobody's parent."""
    if tree.size and (int((tree < 0).sum()) != 1 or bool((tree >= tree.size).any())):
        raise TableError("a hierarchy has one total, with parent -1, and parents among its own codes; mend it")
    return np.setdiff1d(np.arange(tree.size), tree)


def _sums(x: FloatArray, tree: IntArray, axis: int) -> FloatArray:
    """Add up along one variable."""
    finest = _finest(tree)
    if finest.size != x.shape[axis]:
        raise TableError(
            f"variable {axis}: the hierarchy has {finest.size:,} finest codes, the table {x.shape[axis]:,}; make them agree"
        )
    share = np.zeros((tree.size, finest.size))
    for k, code in enumerate(finest.tolist()):
        at = code
        for _ in range(tree.size + 1):
            if at < 0:
                break
            share[at, k] = 1.0
            at = int(tree[at])
        else:
            raise TableError(f"variable {axis}: code {code} is its own ancestor; mend the hierarchy")
    return np.asarray(np.moveaxis(np.tensordot(share, x, axes=(1, axis)), 0, axis))


def _equations(place: IntArray, tree: IntArray, axis: int) -> csr_array:
    """Write total = sum of parts along one variable, for all codes of the others."""
    by_code = np.moveaxis(place, axis, 0).reshape(tree.size, -1)
    width = by_code.shape[1]
    rows, cells, signs = [], [], []
    above = np.setdiff1d(np.arange(tree.size), _finest(tree))
    for k, code in enumerate(above.tolist()):
        for member, sign in [(code, -1.0), *((c, 1.0) for c in np.flatnonzero(tree == code).tolist())]:
            rows.append(np.arange(width) + k * width)
            cells.append(by_code[member])
            signs.append(np.full(width, sign))
    if not rows:
        return csr_array((0, place.size))
    where = (np.concatenate(rows), np.concatenate(cells))
    return csr_array((np.concatenate(signs), where), shape=(above.size * width, place.size))
