"""Evidence from swapped categories: the swap matrix (section 3.2.1), of the true stratum where there are strata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.data.column import Column
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.blanks import BlankedByValue, Blanks, chance_of
from confide.linking.levels import numbers_of
from confide.linking.pieces import CatPiece, joint_codes
from confide.linking.view import View
from confide.release.channel import Discrete
from confide.release.methods.swap import MISSING_LEVEL, strata_of
from confide.typing import FloatArray, IntArray, Label


@dataclass(frozen=True, slots=True)
class Weighed:
    """A stratum whose true levels are weighed, since it was masked after others were swapped within it."""

    levels: tuple[Label, ...]
    """Its levels at the first swap within it."""
    done: int
    """How many steps were done to it before."""

    @property
    def column(self) -> Column:
        """Give the levels as a column, numbers as such."""
        if all(isinstance(x, int | float) for x in self.levels):
            return Column.of_numbers([float(x) for x in self.levels])
        return Column.of_labels([None if x == MISSING_LEVEL else x for x in self.levels])


Strata = Mapping[str, Weighed]
"""The variables whose true values are weighed, so that others may be swapped within them."""


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


@dataclass(frozen=True, slots=True, eq=False)
class SwapTable:
    """Pr(released code | true level), and the released code of each record."""

    table: FloatArray
    """Levels by codes; strata by levels, stratum first, where `stratum` is given."""
    codes: IntArray
    """The released code of each record."""
    stratum: str | None = None
    """The category whose true level picks the rows."""


def swap_table(view: View, core: Discrete, strata: Strata, blanks: Blanks) -> SwapTable:
    """Give what a swap says about true levels.

    Within strata the matrix is that of the true stratum: the released one where it was not masked afterwards, the one
    that is weighed for targets and strangers alike, or else the average over the strata in which a level occurs. A released
    stratum that is not known of the target says something of the level by itself: Pr(stratum, code | level) is weighed.
    """
    after = view.composite.push_after(core.column())
    released, codes, size = joint_codes(view.released, after)
    merged = np.zeros((core.matrix.shape[0], core.matrix.shape[1], size))
    shown = _shown(core, view.name, blanks)
    for k, code in enumerate(codes):
        merged[:, :, code] += core.matrix[:, :, k] * shown[:, k]
    if not merged[:, :, 0].any():
        merged[:, :, 0] = _blank(core, view.name, blanks)
    stratum = view.composite.stratum
    if stratum is None:
        return SwapTable(merged[0], released)
    visible = [] if stratum.later else [k for k, name in enumerate(stratum.variables) if name in view.records.columns]
    if visible:
        return _seen(view, core, merged, released, visible)
    if stratum.only in strata:
        weighed = strata[stratum.only]
        # they were masked, without chance, between the first swap within them and this one
        want = stratum.push(weighed.column, weighed.done).values()
        return SwapTable(_in_order(merged, core.strata, want, view.name), released, stratum.only)
    return SwapTable(_averaged(view, core, merged), released)


def _seen(view: View, core: Discrete, merged: FloatArray, released: IntArray, shown: Sequence[int]) -> SwapTable:
    """Weigh pairs of what a record shows of its stratum and its code; the stratum is read where all of it is known."""
    names = [core.stratum[k] for k in shown]
    parts = [tuple(stratum[k] for k in shown) for stratum in core.strata]
    groups_seen = tuple(dict.fromkeys(parts))
    of_group = np.array([groups_seen.index(part) for part in parts])
    seen = stratum_codes([view.records.columns[name] for name in names], groups_seen)
    told = [k for k in shown if core.stratum[k] in view.known or _follows(view, core.stratum[k])]
    if len(told) == len(core.stratum):
        weight = np.ones(merged.shape[:2])
    else:
        weight = _shares(view, core, [_told(view, core, stratum, told) for stratum in core.strata])
    tables = [(weight[of_group == g, :, None] * merged[of_group == g]).sum(axis=0) for g in range(len(groups_seen))]
    blank = seen < 0
    if blank.any():
        tables.append(_averaged(view, core, merged))
    return SwapTable(np.concatenate(tables, axis=1), np.where(blank, len(groups_seen), seen) * merged.shape[2] + released)


def _told(view: View, core: Discrete, stratum: tuple[Label, ...], told: Sequence[int]) -> tuple[Label, ...]:
    """Give what is known of a stratum: its levels, or whether they are among those that are possible."""
    found = [stratum[k] for k in told]
    rest = [k for k in range(len(stratum)) if k not in told and core.stratum[k] in view.partly]
    return (*found, *(str(stratum[k]) in view.partly[core.stratum[k]] for k in rest))


def _follows(view: View, name: str) -> bool:
    """Say whether a stratum follows from what is known and released as it is, in groups of two records on average."""
    columns = [view.records.columns[n] for n in sorted(view.kept)]
    if not columns:
        return False
    found, _ = strata_of(columns, view.records.n)
    both, _ = strata_of([*columns, view.records.columns[name]], view.records.n)
    return len(both) == len(found) <= view.records.n / 2


def _shares(view: View, core: Discrete, told: Sequence[tuple[Label, ...]]) -> FloatArray:
    """Give Pr(stratum | level, what is known of the stratum), strata by levels, from the counts at the swap."""
    counts = _counts(view, core)
    weight = np.zeros_like(counts)
    for part in dict.fromkeys(told):
        here = np.array([t == part for t in told])
        total = counts[here].sum(axis=0)
        # a level that none of these strata holds may be in any of them
        weight[here] = np.where(total > 0, counts[here] / np.maximum(total, 1.0), 1.0 / here.sum())
    return weight


def _counts(view: View, core: Discrete) -> FloatArray:
    """Give how often each level occurred in each stratum at the swap."""
    if core.counts is None:
        raise LikelihoodError(
            f"variable {view.name!r} was swapped within {' and '.join(core.stratum)}, neither seen nor known, and nothing "
            "says how common its levels are; let the intruder know it"
        )
    return core.counts


def _averaged(view: View, core: Discrete, merged: FloatArray) -> FloatArray:
    """Average over the strata in which a level occurs."""
    share = _shares(view, core, [()] * merged.shape[0])
    return np.asarray(np.einsum("si,sik->ik", share, merged), dtype=np.float64)


def _in_order(
    merged: FloatArray, have: tuple[tuple[Label, ...], ...], want: Sequence[Label | None], name: str
) -> FloatArray:
    """Put the strata of one variable into the order of the category that is weighed."""
    place = {str(s): i for i, (s,) in enumerate(have)}
    names = [str(MISSING_LEVEL if s is None else s) for s in want]
    absent = [s for s in names if s not in place]
    if absent:
        raise LikelihoodError(f"variable {name!r}: {len(absent)} stratum level(s) have no swap matrix")
    return np.concatenate([merged[place[s]] for s in names], axis=0)


def _shown(core: Discrete, name: str, blanks: Blanks) -> FloatArray:
    """Give the chance that a released level is shown, true levels by released levels."""
    size = len(core.levels)
    given, by_true = chances_for(blanks, name)
    if given is None:
        return np.ones((size, size))
    chance = np.array([chance_of(given, x) for x in core.levels])
    return 1.0 - (np.repeat(chance[:, None], size, axis=1) if by_true else np.repeat(chance[None, :], size, axis=0))


def _blank(core: Discrete, name: str, blanks: Blanks) -> FloatArray:
    """Give the chance of a blank, strata by true levels; one where blanks tell nothing."""
    given, by_true = chances_for(blanks, name)
    if given is None:
        return np.ones(core.matrix.shape[:2])
    chance = np.array([chance_of(given, x) for x in core.levels])
    if not by_true:
        return np.asarray(core.matrix @ chance, dtype=np.float64)
    return np.broadcast_to(chance, core.matrix.shape[:2])


def chances_for(blanks: Blanks, name: str) -> tuple[Mapping[Any, float] | float | None, bool]:
    """Give the chances that values of a variable are blank, and whether the true ones count; None: blanks tell nothing."""
    rule = blanks.rule(name)
    return (None, False) if rule is None else (rule.chances[name], isinstance(rule, BlankedByValue))


def swapped_piece(view: View, core: Discrete, strata: Strata, blanks: Blanks) -> CatPiece:
    """Look at the released values of a swapped category; nothing is said about the targets yet."""
    found = swap_table(view, core, strata, blanks)
    source = level_codes(view.composite.push(view.source), core.levels) if view.source is not None else None
    with np.errstate(divide="ignore"):
        channel = np.log(found.table)
    none = np.zeros(view.target.size, dtype=np.int64)
    numbers = numbers_of(view.composite)
    return CatPiece(
        view.name, found.codes, none, channel[:1], channel, core.levels, source, found.stratum, numbers=numbers
    )  # fmt: skip


def true_levels(column: Column, levels: tuple[Label, ...], name: str) -> IntArray:
    """Give the true level of each target.

    Args:
        column: the targets' values when the levels were what they are.
        levels: the levels.
        name: the variable.
    """
    true = level_codes(column, levels)
    unseen = int(np.sum(true < 0))
    if unseen:
        raise IntruderError(
            f"{unseen} target(s) have a level of {name!r} that the released file never had; it has {len(levels):,} levels: "
            "code both files alike"
        )
    return true
