"""Evidence from swapped categories: the swap matrix (section 3.2.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.column import Column
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.knowledge import Exactly, Knowledge, OneOf
from confide.linking.deterministic import levels_column
from confide.linking.pieces import (
    CatPiece,
    joint_codes,
)
from confide.linking.view import View
from confide.release.channel import Discrete
from confide.release.methods.swap import MISSING_LEVEL, strata_of
from confide.typing import FloatArray, IntArray, Label


def level_codes(column: Column, levels: tuple[Label, ...]) -> IntArray:
    """Give the place of each value among the levels; -1 for values that are no level."""
    positions, distinct = column.profile()
    place = {level: i for i, level in enumerate(levels)}
    table = [place.get(MISSING_LEVEL if v is None else v, -1) for v in distinct.values()]
    return np.array(table, dtype=np.int64)[positions]


def stratum_codes(columns: Sequence[Column], strata: tuple[tuple[Label, ...], ...]) -> IntArray:
    """Give the place of each record's values among the strata; -1 for values that are no stratum."""
    found, places = strata_of(columns, columns[0].size)
    place = {stratum: i for i, stratum in enumerate(strata)}
    return np.array([place.get(stratum, -1) for stratum in found], dtype=np.int64)[places]


def channel_table(view: View, core: Discrete) -> tuple[FloatArray, IntArray]:
    """Give Pr(released code | true level) and the released code of each record."""
    after = view.composite.push_after(core.column())
    released, codes, size = joint_codes(view.released, after)
    merged = np.zeros((core.matrix.shape[0], core.matrix.shape[1], size))
    for k, code in enumerate(codes):
        merged[:, :, code] += core.matrix[:, :, k]
    if not core.stratum or not set(core.stratum) <= set(view.records.columns):
        if not core.stratum or core.counts is None:
            return merged[0], released
        # the stratum is not visible: average over the strata in which a level occurs
        share = core.counts / np.maximum(core.counts.sum(axis=0), 1.0)
        return np.einsum("si,sik->ik", share, merged), released
    stratum = stratum_codes([view.records.columns[name] for name in core.stratum], core.strata)
    if bool(np.any(stratum < 0)):
        raise LikelihoodError(
            f"variable {view.name!r} was swapped within {' and '.join(map(repr, core.stratum))}, which was masked "
            "afterwards; swap after masking the stratum variable"
        )
    return np.concatenate(list(merged), axis=1), stratum * size + released


def category(view: View, core: Discrete, item: Knowledge) -> CatPiece:
    """Weigh released categories by the swap matrix (section 3.2.1)."""
    if not isinstance(item, Exactly | OneOf):
        raise IntruderError(
            f"{type(item).__name__} {view.name!r}: the variable is a swapped category; use its name or OneOf"
        )
    channel, codes = channel_table(view, core)
    pushed = view.composite.push(view.target)
    true = level_codes(pushed, core.levels)
    unseen = int(np.sum(true < 0))
    if unseen:
        raise IntruderError(
            f"{unseen} target(s) have a level of {view.name!r} that the released file never had; "
            f"its levels are {', '.join(str(x) for x in core.levels[:12])}"
        )
    source = level_codes(view.composite.push(view.source), core.levels) if view.source is not None else None
    target = true
    with np.errstate(divide="ignore"):
        rows = np.log(channel)
        if isinstance(item, OneOf):
            possible = level_codes(view.composite.push(levels_column(view, item)), core.levels)
            rows = np.log(channel[np.unique(possible)].mean(axis=0, keepdims=True))
            target = np.zeros(true.size, dtype=np.int64)
        return CatPiece(view.name, codes, target, rows, np.log(channel), core.levels, source)
