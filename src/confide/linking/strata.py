"""Variables within which others were swapped before they were masked themselves: their true levels pick the matrix."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import LikelihoodError
from confide.intruder.blanks import Blanks
from confide.intruder.knowledge import Exactly, Knowledge, OneOf
from confide.linking.altered import coded_part
from confide.linking.category import Strata, Weighed, level_codes, swapped_piece
from confide.linking.compose import Composite
from confide.linking.pieces import CatPiece
from confide.linking.view import View
from confide.release.channel import Discrete
from confide.release.columnwise import ColumnStep
from confide.release.method import Step
from confide.release.released import Released
from confide.typing import FloatArray

LEFT_OUT = "(left out)"
"""What everybody has in a variable that is not released."""


def weighed_strata(items: Sequence[Knowledge], views: Mapping[str, View]) -> dict[str, Weighed]:
    """Find the strata that are known and were masked after a swap within them, with their levels at the first such swap."""
    exact = {item.variable for item in items if isinstance(item, Exactly | OneOf)}
    out: dict[str, Weighed] = {}
    for view in views.values():
        core, stratum = view.composite.core, view.composite.stratum
        if not isinstance(core, Discrete) or stratum is None or not stratum.later or stratum.only not in exact:
            continue
        of = views[stratum.only].composite
        if of.core is not None and not isinstance(of.core, Discrete):
            raise LikelihoodError(
                f"variable {view.name!r} was swapped within {stratum.only!r}, which was perturbed by noise "
                "afterwards; the likelihood of that chain is not tractable. Swap after masking the stratum variable"
            )
        stratum.push(Column.of_labels([]))
        done = len(stratum.before)
        here = tuple(s for (s,) in core.strata)
        levels = of.core.levels if isinstance(of.core, Discrete) and len(of.before) == done else here
        if stratum.only not in out or done < out[stratum.only].done:
            out[stratum.only] = Weighed(levels, done)
    return out


def stratum_part(view: View, strata: Strata, blanks: Blanks) -> tuple[CatPiece, Composite]:
    """Look at a stratum as its levels at the first swap within it speak of it, and say how true values lead to these."""
    weighed, composite = strata[view.name], view.composite
    first = Composite(view.name, composite.before[: weighed.done])
    later = Composite(view.name, composite.before[weighed.done :])
    source = None if view.source is None else first.push(view.source)
    if not isinstance(composite.core, Discrete):
        return coded_part(replace(view, composite=later, source=source), weighed.levels, blanks), first
    part = swapped_piece(view, composite.core, strata, blanks)
    if not later.before:
        return part, first
    place = level_codes(later.push(weighed.column), composite.core.levels)
    absent = int(np.sum(place < 0))
    if absent:
        raise LikelihoodError(f"variable {view.name!r}: {absent} level(s) have no swap matrix; swap before sampling")
    each = part.channel.reshape(-1, len(part.levels), part.channel.shape[1])[:, place]
    channel: FloatArray = each.reshape(-1, part.channel.shape[1])
    codes = None if source is None else level_codes(source, weighed.levels)
    return replace(part, rows=channel[:1], channel=channel, levels=weighed.levels, source=codes, numbers=None), first


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """A variable that is not released: everybody has the same value."""

    def push(self, column: Column) -> Column:
        """Give everybody the same value."""
        return Column.of_labels([LEFT_OUT]).take(np.zeros(column.size, dtype=np.int64))

    def preimage(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Any number may be behind it."""
        return np.full(column.size, -np.inf), np.full(column.size, np.inf)

    def passes(self) -> tuple[float, float]:
        """No number is a number of its own afterwards."""
        return np.inf, -np.inf


def left_out(items: Sequence[Knowledge], released: Released, targets: Microdata, steps: Sequence[Step]) -> list[str]:
    """Give the known variables that are not released, though another that is known was swapped within them."""
    shown = [i.variable for i in items if i.variable in released.data.columns]
    cores = [core for step in steps for name in shown if isinstance(core := step.channels.get(name), Discrete)]
    within = {core.stratum[0] for core in cores if len(core.stratum) == 1}
    return [
        i.variable
        for i in items
        if i.variable in within - set(released.data.columns)
        and (isinstance(i, OneOf) or (isinstance(i, Exactly) and i.variable in targets.columns))
    ]


def with_left_out(names: Collection[str], released: Released, steps: Sequence[Step]) -> tuple[Released, Sequence[Step]]:
    """Take variables that are not released as recoded to one value, which says nothing, while their true levels do."""
    if not names:
        return released, steps
    of = released.source if released.source is not None else released.data
    more = {name: LeftOut().push(of.columns[name]).take(np.zeros(released.data.n, dtype=np.int64)) for name in names}
    longer = (*steps, *(ColumnStep(name, LeftOut()) for name in names))
    known = longer if steps is released.steps else released.steps
    return replace(released, data=released.data.with_columns(more), steps=known), longer
