"""Look up N_t in a table of the population."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.data.packing import pack
from confide.errors import IntruderError
from confide.intruder.population import PopulationTable
from confide.linking.charted import steps_for
from confide.linking.compose import PERTURBED, class_column, compose
from confide.linking.evidence import Evidence
from confide.linking.pieces import BlockPiece, SamePiece, SetPiece, TestPiece, joint_codes
from confide.release.channel import Kernel
from confide.typing import FloatArray


def table_counts(evidence: Evidence, population: PopulationTable) -> FloatArray:
    """Give the number of people in the table who would be released like each target."""
    table = population.table
    blocks = [p for p in evidence.pieces if isinstance(p, BlockPiece) and not one_class(p)]
    same = [p for p in evidence.pieces if isinstance(p, SamePiece) and not one_class(p)]
    names = [*(p.name for p in blocks), *(p.name for p in same)]
    missing = [name for name in names if name not in table.columns]
    partly = any(isinstance(p, TestPiece | SetPiece) for p in evidence.pieces)
    partly = partly or any(p.merged for p in blocks) or any(p.merged for p in same)
    if missing or partly:
        what = ", ".join(missing) or "variables known only partly"
        raise IntruderError(
            f"the population table says nothing about {what}; N_t would be too large and the risk too small. "
            "Add it to the table, or use AtLeast(...) for a bound"
        )
    pairs = [_pushed(evidence, p.name, p.target, table, of_class=p.of_class) for p in blocks]
    pairs += [_pushed(evidence, p.name, p.target_values, table, of_class=p.of_class) for p in same]
    n = evidence.targets.n
    told = np.stack([np.ones(n, dtype=np.bool_)] * len(blocks) + [p.target >= 0 for p in same]) if pairs else np.ones((0, n))
    counts = np.zeros(n)
    # what is not known of a target does not count
    patterns, which = np.unique(told, axis=1, return_inverse=True)
    for k, pattern in enumerate(patterns.T.astype(np.bool_)):
        here = np.flatnonzero(which.ravel() == k)
        chosen = [(left.take(here), right) for (left, right), keep in zip(pairs, pattern, strict=True) if keep]
        counts[here] = _looked_up(chosen, population.counts, here.size)
    return counts


def _pushed(
    evidence: Evidence, name: str, target: Column, table: Microdata, *, of_class: bool = False
) -> tuple[Column, Column]:
    """Give the targets' values, and those of the table as they would be released."""
    intruder = evidence.intruder
    composite = compose(steps_for(intruder, evidence.released, [name]), name, random=intruder.understands_masking)
    column = composite.push(table.columns[name])
    if of_class and isinstance(composite.core, Kernel):
        column = class_column(composite.core, column)
    return target, column


def _looked_up(pairs: Sequence[tuple[Column, Column]], people: FloatArray, n: int) -> FloatArray:
    """Add up the people of the table who agree with each target."""
    ids, sizes = [np.zeros(n + people.size, dtype=np.int64)], [1]
    for target, column in pairs:
        left, right, size = joint_codes(target, column)
        ids.append(np.concatenate([left, right]))
        sizes.append(size)
    _, cell = np.unique(pack(ids, sizes), return_inverse=True)
    cell = cell.ravel()
    counts = np.bincount(cell[n:], weights=people, minlength=int(cell.max()) + 1)
    return np.asarray(counts[cell[:n]], dtype=np.float64)


def one_class(piece: BlockPiece | SamePiece) -> bool:
    """Say whether all values of a noisy variable are perturbed, or blank, so that its class says nothing."""
    if not piece.of_class:
        return False
    if isinstance(piece, SamePiece):
        columns = [piece.values, piece.target_values]
        return all(column.labels[code] == PERTURBED for column in columns for code in np.unique(column.codes) if code >= 0)
    return all(
        column.labels[code] == PERTURBED if code >= 0 else False
        for column in (piece.record, piece.target)
        for code in np.unique(column.codes)
    )
