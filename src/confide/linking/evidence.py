"""What an intruder can hold against each target: from a released file to scores.

This is where knowledge, masking and beliefs meet. The result can be asked for a posterior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError, unknown
from confide.intruder.beliefs.supplied import SuppliedBeliefs
from confide.intruder.intruder import Intruder
from confide.intruder.knowledge import Distributed, Knowledge, OneOf
from confide.linking.alike import Alike
from confide.linking.arrays import Tables
from confide.linking.believed import compare, fit
from confide.linking.charted import steps_for
from confide.linking.graph import Graph, assemble
from confide.linking.look import Look
from confide.linking.memory import needs_memory
from confide.linking.parallel import Progress, silent
from confide.linking.pieces import BlockPiece, Piece, SamePiece, SetPiece, TestPiece
from confide.linking.presence import prior_odds
from confide.linking.strata import left_out, with_left_out
from confide.release.released import NOBODY, UNKNOWN, Released
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Scores of released records for targets, not yet computed."""

    released: Released
    """The released file."""
    intruder: Intruder
    """Who looks for the targets."""
    targets: Microdata
    """The targets' true values."""
    target_rows: IntArray
    """Their rows in the source file; NOBODY for who is not in it, UNKNOWN where that is not known."""
    pieces: tuple[Piece, ...]
    """The evidence of each variable."""
    graph: Graph
    """Profiles and blocks."""
    log_m: FloatArray
    """Log Pr(z^C | z^Ad) of each record profile (section 3.4)."""
    tables: Tables
    """What was worked out of pairs beforehand, and values that may be blank."""
    alike: Alike | None
    """Who is like each target in what may be blank; None: nothing is blank, or only shares are known."""
    outside: FloatArray | None
    """The prior odds of the null link for each target profile; None: they follow from the number of look-alikes."""
    ignored: tuple[str, ...]
    """Known variables that are not in the released file."""

    @property
    def base(self) -> FloatArray:
        """The part of a score that does not depend on the target."""
        return self.graph.constant - self.log_m

    @property
    def own_records(self) -> IntArray:
        """The released record of each target; -1: none."""
        released, rows = self.released, self.target_rows
        place = np.full((released.source.n if released.source is not None else 0) + 1, -1, dtype=np.int64)
        real = released.parent >= 0
        if released.source is not None:
            place[released.parent[real]] = np.flatnonzero(real)
        return np.where(rows >= 0, place[np.maximum(rows, NOBODY)], -1)

    @property
    def truth_known(self) -> BoolArray:
        """Whether it is known which released record is each target's, or that none is."""
        found, rows = self.own_records >= 0, self.target_rows
        open_to_doubt = bool(np.any(self.released.parent == UNKNOWN))
        return np.asarray(found | (rows == NOBODY) | ((rows >= 0) & (not open_to_doubt)), dtype=np.bool_)


def gather(
    released: Released,
    intruder: Intruder,
    targets: Microdata,
    target_rows: IntArray,
    *,
    progress: Progress = silent,
) -> Evidence:
    """Collect the evidence of all variables and compare every record with the beliefs about it."""
    items = intruder.items
    _check_names(items, released, targets)
    steps = steps_for(intruder, released, [i.variable for i in items])
    lost = left_out(items, released, targets, steps) if intruder.understands_masking else []
    ignored = tuple(i.variable for i in items if i.variable not in {*released.data.columns, *lost})
    used = [i for i in items if i.variable not in ignored]
    seen_as, done = with_left_out(lost, released, steps)
    look = Look(intruder, seen_as, targets, done, lost)
    known, others = look.known(used), look.others(used)
    model = fit(intruder, [*known.pieces, *known.stated, *others.stated], [*known.free, *others.free], released)
    kept, new = look.believed(known, others, model)
    pieces = [*kept, *new]
    altered = any(not isinstance(p, BlockPiece | SamePiece | TestPiece | SetPiece) for p in pieces)
    needs_memory(200 * (released.data.n + targets.n) + 24 * len(pieces) * (released.data.n + targets.n), "the evidence")
    supplied = isinstance(intruder.beliefs, SuppliedBeliefs)
    graph = assemble(pieces, released.data.n, targets.n, released.data.weights, units=supplied and altered)
    log_m, tables, alike = compare(intruder, released, pieces, graph, model, target_rows, progress)
    share = released.simulated_share if intruder.understands_masking else 0.0
    weighted = released.data.weights is not None
    tables, outside = prior_odds(intruder, pieces, graph, tables, weighted=weighted, simulated=share)
    seen = tuple(pieces)
    return Evidence(released, intruder, targets, target_rows, seen, graph, log_m, tables, alike, outside, ignored)


def _check_names(items: Sequence[Knowledge], released: Released, targets: Microdata) -> None:
    """Raise when a known variable is nowhere, or none is left in the released file."""
    known = set(released.data.names) | (set(released.source.names) if released.source else set())
    for item in items:
        if item.variable not in known:
            raise IntruderError(f"knows: {unknown('variable', item.variable, sorted(known))}")
        told = item.variable in targets.columns or isinstance(item, OneOf | Distributed)
        if not told and item.variable in released.data.columns:
            raise IntruderError(
                f"the targets lack the known variable {item.variable!r}; they have {', '.join(targets.names)}"
            )
    if all(i.variable not in released.data.columns for i in items):
        raise IntruderError(
            "none of the variables the intruder knows is in the released file, so there is nothing to match on; "
            f"released: {', '.join(released.data.names)}"
        )
