"""What an intruder can hold against each target: from a released file to scores.

This is where knowledge, masking and beliefs meet. The result can be asked for a posterior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import IntruderError, unknown
from confide.intruder.beliefs.supplied import SuppliedBeliefs
from confide.intruder.intruder import Intruder, Regression
from confide.intruder.knowledge import Distributed, Exactly, Knowledge
from confide.linking.believed import compare, fit
from confide.linking.charted import steps_for
from confide.linking.collect import collect
from confide.linking.compose import compose
from confide.linking.graph import Graph, assemble
from confide.linking.joint_noise import joint_piece
from confide.linking.memory import needs_memory
from confide.linking.parallel import Progress, silent
from confide.linking.pieces import BoundPiece, CatPiece, JointPiece, NumPiece, Piece
from confide.linking.unavailable import modelled
from confide.linking.view import View
from confide.release.channel import JointKernel
from confide.release.method import Step
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
    bound_table: FloatArray
    """Log likelihoods of noisy numbers known within bounds: variables by bounds by record profiles."""
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
    ignored = tuple(i.variable for i in items if i.variable not in released.data.columns)
    steps = steps_for(intruder, released, [i.variable for i in items])
    views = {
        i.variable: _view(released, targets, steps, i.variable, random=intruder.understands_masking)
        for i in items
        if i.variable not in ignored
    }
    pieces: list[Piece] = []
    grouped: dict[int, list[str]] = {}
    for item in items:
        if item.variable in ignored:
            continue
        core = views[item.variable].composite.core
        if isinstance(core, JointKernel) and isinstance(item, Exactly):
            grouped.setdefault(id(core), []).append(item.variable)
        else:
            pieces += collect(views[item.variable], item)
    joints = [joint_piece([views[n] for n in names]) for names in grouped.values()]
    others = _altered_unavailable(intruder, released, steps) if intruder.understands_masking else {}
    pieces += joints
    by_regression = Regression() in others.values()
    supplied = isinstance(intruder.beliefs, SuppliedBeliefs)
    fitted = [] if supplied and not by_regression else list(others)
    exact = [piece for name in fitted for piece in collect(_of_source(released, steps, name), Exactly(name))]
    model = fit(intruder, pieces, exact, released, by_regression=by_regression)
    pieces += modelled(others, released, targets, steps, pieces, model)
    perturbed = [p for p in pieces if isinstance(p, CatPiece | NumPiece | JointPiece | BoundPiece)]
    needs_memory(200 * (released.data.n + targets.n) + 24 * len(pieces) * (released.data.n + targets.n), "the evidence")
    graph = assemble(pieces, released.data.n, targets.n, released.data.weights, units=supplied and bool(perturbed))
    log_m, table = compare(intruder, released, pieces, graph, model, progress)
    return Evidence(released, intruder, targets, target_rows, tuple(pieces), graph, log_m, table, ignored)


def _check_names(items: Sequence[Knowledge], released: Released, targets: Microdata) -> None:
    """Raise when a known variable is nowhere, or none is left in the released file."""
    known = set(released.data.names) | (set(released.source.names) if released.source else set())
    for item in items:
        if item.variable not in known:
            raise IntruderError(f"knows: {unknown('variable', item.variable, sorted(known))}")
        if item.variable not in targets.columns and item.variable in released.data.columns:
            raise IntruderError(
                f"the targets lack the known variable {item.variable!r}; they have {', '.join(targets.names)}"
            )
    if all(i.variable not in released.data.columns for i in items):
        raise IntruderError(
            "none of the variables the intruder knows is in the released file, so there is nothing to match on; "
            f"released: {', '.join(released.data.names)}"
        )


def _view(released: Released, targets: Microdata, steps: Sequence[Step], name: str, *, random: bool) -> View:
    """Look at one variable from all sides."""
    source = released.source.columns.get(name) if released.source is not None else None
    composite = compose(steps, name, random=random)
    target = targets.columns[name] if name in targets.columns else Column.of_numbers(np.full(targets.n, np.nan))
    return View(composite, released.data.columns[name], target, source, released.data)


def _of_source(released: Released, steps: Sequence[Step], name: str) -> View:
    """Look at a variable with the source records as targets, to fit a model of it."""
    if released.source is None:
        raise IntruderError("an unavailable variable is modelled from the source file, but there is none")
    return _view(released, released.source, steps, name, random=True)


def _altered_unavailable(
    intruder: Intruder, released: Released, steps: Sequence[Step]
) -> dict[str, Distributed | Regression]:
    """Name the perturbed variables that are not known but modelled (section 3.3)."""
    if intruder.unavailable is None:
        return {}
    altered = [n for n in released.data.names if n not in intruder.variables and compose(steps, n).core is not None]
    if isinstance(intruder.unavailable, Regression):
        return dict.fromkeys(altered, intruder.unavailable)
    chosen: dict[str, Distributed | Regression] = {}
    known = {*released.data.names, *(released.source.names if released.source is not None else ())}
    for name, model in intruder.unavailable.items():
        if name not in known:
            raise IntruderError(f"unavailable: {unknown('variable', name, sorted(known))}")
        # a variable that this release leaves as it is says nothing (section 3.3)
        if name in altered:
            chosen[name] = model if isinstance(model, Regression) else Distributed(name, model)
    return chosen
