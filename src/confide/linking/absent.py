"""Levels that the file no longer had when it was swapped, as after a sample."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from confide.data.column import Column
from confide.errors import LikelihoodError
from confide.linking.compose import Composite, compose
from confide.release.channel import Discrete
from confide.release.method import Step
from confide.release.methods.swap import MISSING_LEVEL, MOST_ENTRIES
from confide.release.released import Released
from confide.typing import Label


def composed(
    steps: Sequence[Step], name: str, released: Released, true: Iterable[Column], *, random: bool = True
) -> Composite:
    """Compose the steps that touch a variable, ready for true values that the file no longer had.

    Args:
        steps: what was done, or what an intruder supposes.
        name: the variable.
        released: the released file.
        true: true values, of the targets and of the source.
        random: whether random steps count; otherwise they are taken as doing nothing.
    """
    composite = compose(steps, name, random=random)
    # what is supposed of levels before later steps is not known
    return with_absent(composite, true) if steps is released.steps or not composite.after else composite


def with_absent(composite: Composite, true: Iterable[Column]) -> Composite:
    """Add the levels of true values that no record shows.

    Where the file is known not to have had them when it was swapped, nothing came of them: their level would have stayed as
    it is. Where records are blank, these levels may be behind the blanks, and such a record may have taken part. A
    matrix that was given is not extended: what it lacks is not known.

    Args:
        composite: what happens to a variable.
        true: true values, of the targets and of the source.
    """
    core = composite.core
    if not isinstance(core, Discrete) or core.counts is None:
        return composite
    known, more = set(core.levels), core.column().take(np.zeros(0, dtype=np.int64))
    for column in true:
        distinct = composite.push(column).profile()[1]
        fresh = [i for i, level in enumerate(_levels(distinct)) if level not in known]
        more = more.append(distinct.take(np.array(fresh, dtype=np.int64)))
        known.update(_levels(more))
    return replace(composite, core=extended(core, more, composite.variable)) if more.size else composite


def extended(core: Discrete, more: Column, variable: str) -> Discrete:
    """Give the matrix with further levels, which stay, or take part in the swap as the others do."""
    assert core.counts is not None
    s, k, m = core.matrix.shape[0], len(core.levels), more.size
    if s * (k + m) ** 2 > MOST_ENTRIES:
        raise LikelihoodError(
            f"variable {variable!r} has {k + m:,} values, most of which the file no longer had when it was swapped; the "
            "swap matrix would not fit. Recode the variable first, or sample after swapping"
        )
    matrix = np.zeros((s, k + m, k + m))
    matrix[:, :k, :k] = core.matrix
    # behind blanks there may be levels that no record shows; such a record may have taken part, too
    moved = np.zeros(s) if core.moved is None else core.moved
    share = core.counts / np.maximum(core.counts.sum(axis=1, keepdims=True), 1.0)
    matrix[:, k:, :k] = (moved[:, None] * share)[:, None, :]
    matrix[:, range(k, k + m), range(k, k + m)] = 1.0 - moved[:, None]
    counts = np.concatenate([core.counts, np.zeros((s, m))], axis=1)
    levels = (*core.levels, *_levels(more))
    return replace(core, levels=levels, matrix=matrix, counts=counts, values=core.column().append(more))


def _levels(distinct: Column) -> list[Label]:
    """Name distinct values as the levels of a swap matrix."""
    return [MISSING_LEVEL if v is None else v for v in distinct.values()]
