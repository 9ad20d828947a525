"""How many people are like each target in what may be blank, and how many of them are behind records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.packing import groups
from confide.linking.graph import Graph
from confide.linking.kinds import Completions, Kinds
from confide.linking.pieces import SamePiece
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """What counting the people of each kind says of every target profile."""

    log_v: FloatArray
    """The log of v of its kind (see `remaining`)."""
    number: FloatArray
    """n_t: the number of records that are expected to be of its kind."""
    weight: FloatArray
    """The mean survey weight of the people of its kind in the source; nan: not known."""
    row: IntArray
    """The row of `expected`."""
    expected: FloatArray
    """The log of the sum over kinds of v and the chance of what is shown, rows by record profiles."""


def alike_of(kinds: Kinds, graph: Graph, same: list[SamePiece], *, answered: bool) -> Alike:
    """Count, for all sets of variables that are known of targets.

    Args:
        kinds: the people of the reference.
        graph: profiles and blocks.
        same: the values that may be blank.
        answered: whether targets are known to have a value in the source file.
    """
    code = np.stack([p.target[graph.target_first] for p in same])
    patterns, row = np.unique(code < 0, axis=1, return_inverse=True)
    size = graph.target_first.size
    out = Alike(np.zeros(size), np.zeros(size), np.full(size, np.nan), row.ravel().astype(np.int64),
                np.zeros((patterns.shape[1], graph.count.size)))  # fmt: skip
    for k, unknown in enumerate(patterns.T.astype(np.bool_)):
        found = kinds.completions(unknown, closed=True, answered=answered)
        out.expected[k] = _expected(found, graph.count.size)
        _fill(out, np.flatnonzero(out.row == k), kinds, graph, found, code, unknown)
    return out


def _expected(found: Completions, size: int) -> FloatArray:
    """Sum over the kinds of each record; a record that agrees with nobody may be anybody's."""
    total = found.total(np.zeros(found.record.size), size)
    return np.where(np.isneginf(total), 0.0, total)


def _fill(
    out: Alike, targets: IntArray, kinds: Kinds, graph: Graph, found: Completions, code: IntArray, unknown: BoolArray
) -> None:
    """Read off v, n_t and weights of targets of whom the same variables are known."""
    of_cell, classes = found.found.of_cell, found.found.log_v.size
    block = graph.block_of_target[targets]
    ids = [np.concatenate([kinds.cell_block, block]) + 1]
    ids += [np.concatenate([kinds.cell_code[q], code[q, targets]]) + 1 for q in np.flatnonzero(~unknown)]
    _, group = groups(ids, of_cell.size + targets.size)
    class_of = np.full(int(group.max(initial=-1)) + 1, -1, dtype=np.int64)
    class_of[group[: of_cell.size]] = of_cell
    mine = class_of[group[of_cell.size :]]
    held = (mine >= 0) & (block >= 0)
    people = np.where(np.isnan(found.cell_weight), 0.0, kinds.cell_count)
    heavy = np.bincount(of_cell, weights=people * np.nan_to_num(found.cell_weight), minlength=classes)
    many = np.bincount(of_cell, weights=people, minlength=classes)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = heavy / many
        # kinds that the reference does not hold: one person more in the block
        alone = np.log(found.found.of_block)[np.maximum(block, 0)]
    out.log_v[targets] = np.where(held, found.found.log_v[np.maximum(mine, 0)] if classes else 0.0, alone)
    out.number[targets] = np.where(held, found.found.expected[np.maximum(mine, 0)] if classes else 0.0, np.nan)
    out.weight[targets] = np.where(held, mean[np.maximum(mine, 0)] if classes else np.nan, np.nan)
