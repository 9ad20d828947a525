"""What the intruder believes about targets' altered values: levels one of which is true, distributions, regressions.

Every altered variable that is not known exactly is weighed by Pr(z | beliefs about the target), a sum over
possibilities (section 3.3), while strangers' records are weighed by the beliefs about them (section 3.4). A variable
of which one of several levels is true is no different: its levels are the possibilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.data.column import Column
from confide.data.packing import groups
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.beliefs.fitted import FittedModel
from confide.intruder.beliefs.prior import UnitPrior
from confide.intruder.beliefs.supplied import Atom, SuppliedBeliefs
from confide.linking.altered import Part
from confide.linking.given_numbers import given_numbers, known_numbers
from confide.linking.levels import over_levels
from confide.linking.likelihoods import log_sum
from confide.linking.memory import needs_memory
from confide.linking.pieces import BeliefPiece, BlockPiece, CatPiece, NumPiece, Piece, SamePiece
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Free:
    """An altered variable of which several values are possible for a target."""

    name: str
    """The variable."""
    parts: tuple[Part, ...]
    """What was done to it, as the possibilities speak of it."""
    strangers: tuple[Part, ...]
    """The same, as the beliefs about strangers speak of it."""
    allowed: BoolArray | None = None
    """Which levels are possible; None: all."""
    prior: FloatArray | None = None
    """Their probabilities; None: as common as they are among the people who could be meant."""
    known: bool = False
    """Whether this is knowledge of the target, rather than a model of what is not known."""


def stated_beliefs(
    parts: Sequence[Part],
    strangers: Sequence[Part],
    units: Sequence[Sequence[Atom]],
    targets: int,
    records: int,
    *,
    by_record: bool = False,
    known: bool = False,
) -> BeliefPiece:
    """Weigh records by possibilities that the intruder states.

    Args:
        parts: what was done to the variables, as the possibilities speak of them.
        strangers: the same, as the beliefs about strangers speak of them.
        units: possibilities for each target, or each record, or one list for all.
        targets: the number of targets.
        records: the number of released records.
        by_record: whether the possibilities are given record by record.
        known: whether this is knowledge of the target.
    """
    n = records if by_record else targets
    if len(units) not in (1, n):
        raise IntruderError(
            f"{len(units)} lists of possibilities for {n} {'released records' if by_record else 'targets'}; "
            "give one for each of them, or a single one"
        )
    size = n if by_record or len(units) > 1 else 1
    levels = {p.name: p.levels for p in parts if isinstance(p, CatPiece)}
    believed = SuppliedBeliefs(over_levels(units, parts))
    prior = believed.prior(levels, [p.name for p in parts if isinstance(p, NumPiece)], size)
    kind = np.arange(n) if len(units) > 1 and not by_record else np.zeros(targets)
    return BeliefPiece(tuple(parts), tuple(strangers), prior, kind.astype(np.int64), by_record, known)


def in_stratum(piece: BeliefPiece, name: str, level: IntArray) -> BeliefPiece:
    """Say in which stratum each target is, whose true level picks the swap matrix.

    Args:
        piece: beliefs about a variable that was swapped within strata.
        name: the variable that tells the strata apart.
        level: the level of each target in it.
    """
    if piece.by_record:
        raise LikelihoodError(
            f"beliefs are given record by record about a variable that was swapped within {name!r}, which was masked "
            "afterwards, so that they depend on the target, too; give beliefs about the targets, with AboutTargets"
        )
    first, kind = groups([piece.kind, level], level.size)
    row, prior = piece.kind[first], piece.prior
    amounts = {
        x: replace(a, **{f: v[row] for f in ("family", "first", "second") if len(v := getattr(a, f)) > 1})
        for x, a in prior.amounts.items()
    }
    categories = {x: c[row] if len(c) > 1 else c for x, c in prior.categories.items()}
    categories[name] = np.repeat(level[first][:, None], prior.log_weight.shape[1], axis=1)
    told = replace(prior, log_weight=prior.log_weight[row], categories=categories, amounts=amounts)
    return replace(piece, prior=told, kind=kind)


def possible_levels(
    free: Sequence[Free],
    pieces: Sequence[Piece],
    model: FittedModel | None,
    n: int,
) -> BeliefPiece:
    """Weigh records by all combinations of possible values, as probable as given, or as they are common.

    Args:
        free: the variables.
        pieces: the evidence of what is known exactly, which narrows the combinations down.
        model: regressions fitted to the source file; None: combinations are counted there.
        n: the number of targets.
    """
    parts = [p for f in free for p in f.parts]
    strata = {p.stratum for p in parts if isinstance(p, CatPiece)} - {None}
    names = {f.name for f in free}
    fixed = [p for p in pieces if isinstance(p, CatPiece) and (p.name in strata or p.stratum in names)]
    tied = [p for p in fixed if p.stratum in names]
    known = all(f.known for f in free)
    if all(f.prior is not None for f in free):
        prior, kind = _given(free, fixed, n)
    elif model is not None:
        prior, kind = _modelled(free, fixed, pieces, model, n)
    else:
        prior, kind = _counted(free, fixed, pieces, n)
    strangers = [p for f in free for p in f.strangers]
    return BeliefPiece((*parts, *tied), (*strangers, *tied), prior, kind, known=known)


def _given(free: Sequence[Free], fixed: Sequence[CatPiece], n: int) -> tuple[UnitPrior, IntArray]:
    """Multiply the given probabilities."""
    weight, levels = np.ones(1), np.zeros((1, 0), dtype=np.int64)
    for f in free:
        assert f.prior is not None
        some = np.flatnonzero(f.prior > 0)
        levels = np.column_stack([np.repeat(levels, some.size, axis=0), np.tile(some, levels.shape[0])])
        weight = np.repeat(weight, some.size) * np.tile(f.prior[some], weight.size)
    first, kind = groups([p.target for p in fixed], n)
    size = weight.size
    categories: dict[str, IntArray] = {f.name: np.tile(levels[:, k], (first.size, 1)) for k, f in enumerate(free)}
    categories |= {p.name: np.tile(_level(p)[first][:, None], (1, size)) for p in fixed}
    return UnitPrior(np.tile(np.log(weight), (first.size, 1)), categories, {}, given_class=False), kind


def _level(piece: CatPiece) -> IntArray:
    """Give the level of each target in a category that is known exactly; its row may hold its stratum, too."""
    return piece.target % len(piece.levels)


def _covariates(pieces: Sequence[Piece]) -> list[tuple[Column, Column | None]]:
    """Give what tells kinds of people apart: of the targets, and of the source records."""
    blocks = [(p.target, p.source) for p in pieces if isinstance(p, BlockPiece) and p.covariate]
    return [*blocks, *((p.target_values, p.source_values) for p in pieces if isinstance(p, SamePiece) and not p.tested)]


def exactly_known(pieces: Sequence[Piece]) -> list[CatPiece]:
    """Give the categories whose true level is known of every target."""
    return [p for p in pieces if isinstance(p, CatPiece) and not p.of_class]


def _modelled(
    free: Sequence[Free], fixed: Sequence[CatPiece], pieces: Sequence[Piece], model: FittedModel, n: int
) -> tuple[UnitPrior, IntArray]:
    """Take the combinations of the regressions, given what is known of each target."""
    known = [p for p in exactly_known(pieces) if p.name in model.variables]
    numbers = known_numbers(pieces, model)
    columns = [c for c, _ in _covariates(pieces)]
    ids = [*(c.profile()[0] for c in columns), *(p.target for p in known), *(p.target for p in numbers)]
    first, kind = groups(ids, n)
    needs_memory(24 * first.size * model.combinations.shape[0], "the levels that are possible for each target")
    prior = model.prior([c.take(first) for c in columns], first.size)
    log_w = prior.log_weight.copy()
    for p in known:
        log_w = np.where(_combination(model, p.name)[None, :] == _level(p)[first][:, None], log_w, -np.inf)
    log_w = given_numbers(log_w, numbers, model, prior, [c.take(first) for c in columns], first)
    of = [(f, [p.name for p in f.parts if isinstance(p, CatPiece) and p.name in model.variables]) for f in free]
    # what is possible first: a prior is about levels of people to whom all that is known applies
    for f, names in of:
        if names and f.allowed is not None:
            log_w = np.where(f.allowed[_combination(model, names[0])][None, :], log_w, -np.inf)
    log_w = _with_priors(log_w, [(_combination(model, names[0]), f.prior) for f, names in of if names])
    del fixed
    total = log_sum(log_w)
    # a combination that the source file does not hold is as good as any that is allowed
    log_w = np.where(np.isneginf(total)[:, None], prior.log_weight, log_w)
    total = log_sum(log_w)
    return UnitPrior(log_w - total[:, None], prior.categories, prior.amounts, given_class=True), kind


def _combination(model: FittedModel, name: str) -> IntArray:
    """Give the level of a variable in each combination."""
    return model.combinations[:, model.variables.index(name)]


def _with_priors(log_w: FloatArray, given: Sequence[tuple[IntArray, FloatArray | None]]) -> FloatArray:
    """Give levels their probabilities, keeping what follows from each; those of several variables are independent.

    Args:
        log_w: log weights of the combinations, kinds of targets by combinations.
        given: for each variable, its level in each combination and its prior; None: as common as they are.
    """
    priors = [(level, prior) for level, prior in given if prior is not None]
    if not priors:
        return log_w
    first, joint = groups([level for level, _ in priors], log_w.shape[1])
    return _reweighed(log_w, joint, np.prod([prior[level[first]] for level, prior in priors], axis=0))


def _reweighed(log_w: FloatArray, level: IntArray, prior: FloatArray) -> FloatArray:
    """Give levels their probabilities, keeping what follows from each."""
    out = np.full_like(log_w, -np.inf)
    for k in np.flatnonzero(prior > 0):
        here = level == k
        part = log_w[:, here]
        total = log_sum(part) if part.shape[1] else np.full(log_w.shape[0], -np.inf)
        out[:, here] = part - np.where(np.isneginf(total), 0.0, total)[:, None] + np.log(prior[k])
    return out


def _counted(free: Sequence[Free], fixed: Sequence[CatPiece], pieces: Sequence[Piece], n: int) -> tuple[UnitPrior, IntArray]:
    """Count the combinations among the people of the source file whom the intruder could mean."""
    cats = [p for f in free for p in f.parts if isinstance(p, CatPiece)]
    if len(cats) < sum(len(f.parts) for f in free) or any(p.source is None for p in cats):
        raise IntruderError(
            f"how common the values of {', '.join(f.name for f in free)} are is not known: there is no source file to count "
            "in; give OneOf(..., prior=[...]) or a distribution"
        )
    source = [p.source for p in cats if p.source is not None]
    exact = [p for p in exactly_known(pieces) if p.source is not None]
    seen = [(a, b) for a, b in _covariates(pieces) if b is not None]
    size = source[0].size
    both = [b.append(a).profile()[0] for a, b in seen]
    both += [np.concatenate([p.source, _level(p)]) for p in exact if p.source is not None]
    member, kind = groups(both, size + n)
    people, mine = kind[:size], kind[size:]
    which, combination = groups(source, size)
    allowed = np.ones(which.size, dtype=np.bool_)
    for f, x in zip(free, source, strict=True):
        if f.allowed is not None:
            allowed &= f.allowed[x[which]]
    count = np.zeros((member.size, which.size))
    np.add.at(count, (people, combination), 1.0)
    count *= allowed[None, :]
    overall = count.sum(axis=0)
    if not overall.any():
        raise IntruderError(f"nobody in the source file has one of the levels named for {', '.join(f.name for f in free)}")
    count = np.where(count.sum(axis=1, keepdims=True) > 0, count, overall)
    wanted, row = np.unique(mine, return_inverse=True)
    with np.errstate(divide="ignore"):
        log_w = np.log(count[wanted] / count[wanted].sum(axis=1, keepdims=True))
    log_w = _with_priors(log_w, [(x[which], f.prior) for f, x in zip(free, source, strict=True)])
    categories: dict[str, IntArray] = {p.name: x[which][None, :] for p, x in zip(cats, source, strict=True)}
    first = np.zeros(wanted.size, dtype=np.int64)
    first[row] = np.arange(n)
    for p in fixed:
        categories[p.name] = np.tile(_level(p)[first][:, None], (1, which.size))
        categories |= {x: np.tile(categories[x], (wanted.size, 1)) for x in categories if categories[x].shape[0] == 1}
    return UnitPrior(log_w, categories, {}, given_class=False), row.astype(np.int64)
