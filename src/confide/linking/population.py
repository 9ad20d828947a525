"""Look up N_t in a table of the population."""

from __future__ import annotations

import numpy as np

from confide.data.packing import pack
from confide.errors import IntruderError
from confide.intruder.population import PopulationTable
from confide.linking.charted import steps_for
from confide.linking.compose import PERTURBED, class_column, compose
from confide.linking.evidence import Evidence
from confide.linking.pieces import BlockPiece, joint_codes
from confide.release.channel import Kernel
from confide.typing import FloatArray


def table_counts(evidence: Evidence, population: PopulationTable) -> FloatArray:
    """Give the number of people in the table who would be released like each target."""
    table = population.table
    blocks = [p for p in evidence.pieces if isinstance(p, BlockPiece) and not one_class(p)]
    missing = [p.name for p in blocks if p.name not in table.columns]
    if missing or evidence.graph.has_tests:
        what = ", ".join(missing) or "variables known only partly"
        raise IntruderError(
            f"the population table says nothing about {what}; N_t would be too large and the risk too small. "
            "Add it to the table, or use AtLeast(...) for a bound"
        )
    intruder = evidence.intruder
    steps = steps_for(intruder, evidence.released, [piece.name for piece in blocks])
    ids, sizes = [np.zeros(evidence.targets.n + table.n, dtype=np.int64)], [1]
    for piece in blocks:
        composite = compose(steps, piece.name, random=intruder.understands_masking)
        column = composite.push(table.columns[piece.name])
        if piece.of_class and isinstance(composite.core, Kernel):
            column = class_column(composite.core, column)
        left, right, size = joint_codes(piece.target, column)
        ids.append(np.concatenate([left, right]))
        sizes.append(size)
    _, cell = np.unique(pack(ids, sizes), return_inverse=True)
    cell = cell.ravel()
    counts = np.bincount(cell[evidence.targets.n :], weights=population.counts, minlength=int(cell.max()) + 1)
    return np.asarray(counts[cell[: evidence.targets.n]], dtype=np.float64)


def one_class(piece: BlockPiece) -> bool:
    """Say whether all values of a noisy variable are perturbed, so that its class says nothing."""
    if not piece.of_class:
        return False
    return all(
        column.labels[code] == PERTURBED if code >= 0 else False
        for column in (piece.record, piece.target)
        for code in np.unique(column.codes)
    )
