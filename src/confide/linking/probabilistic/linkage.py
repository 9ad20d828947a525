"""Link released records to source records by how they agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import expit

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.distance.alike import coded_alike
from confide.linking.parallel import Progress, phase_of, silent
from confide.linking.posterior.joint.result import JointLinks
from confide.linking.probabilistic.best import BestLinks
from confide.linking.probabilistic.blocks import MOST_PAIRS, Blocked, Rules, blocked
from confide.linking.probabilistic.chance import AllPairs, AmongAllPairs, Chance, WithinBlocks, drawn_pairs
from confide.linking.probabilistic.comparison import NEAR, Compared, Comparison
from confide.linking.probabilistic.competing import competing, competing_odds, matched_share, prior_of
from confide.linking.probabilistic.em import Estimate, estimate
from confide.linking.probabilistic.errors import AmongLinks, FalseMatches, Limits, check_bounds, limits
from confide.linking.probabilistic.fields import comparisons_for, laid_out
from confide.linking.probabilistic.kernels import Fields
from confide.linking.probabilistic.model import Dependence, Independent, groups_of
from confide.linking.probabilistic.near_text import near_values
from confide.linking.probabilistic.one_to_one import assigned_pairs
from confide.linking.probabilistic.pairs_found import LINK, NO_LINK, POSSIBLE
from confide.linking.probabilistic.patterns import Kept, Patterns, kept_pairs, patterns_of
from confide.linking.probabilistic.result import ProbabilisticLinkage
from confide.linking.probabilistic.text import TextAgreement
from confide.linking.probabilistic.truncation import truncation_of
from confide.linking.probabilistic.weights import LevelWeights, level_weights
from confide.release.released import UNKNOWN, Released
from confide.typing import BoolArray, FloatArray, IntArray

KEEP = 1e-4
"""Pairs below this probability are not kept; the sum of their probabilities is."""


def probabilistic_linkage(
    released: Released,
    compare: Sequence[str | Comparison],
    *,
    block: Rules = None,
    false_match: float = 0.01,
    false_non_match: float = 0.05,
    among: FalseMatches = AmongLinks(),  # noqa: B008  frozen
    model: Dependence = Independent(),  # noqa: B008  frozen
    chance: Chance | None = None,
    one_to_one: bool = True,
    tolerance: float = math.inf,
    seed: int = 0,
    keep: float = KEEP,
    most_pairs: int = MOST_PAIRS,
    progress: Progress = silent,
) -> ProbabilisticLinkage:
    """Link released records to source records by how they agree (Fellegi and Sunter 1969; Jaro 1989).

    Patterns of agreement of all candidate pairs are counted. From the counts alone EM estimates how many pairs are matches
    and how often matches (m) and other pairs (u) reach each level of agreement. A pair's odds of being a match follow
    from its pattern. The two bounds then decide which pairs are links, possible links and non-links. As a measure of risk,
    its `value`, it counts the best link of every record, whether or not that keeps the bounds.

    Args:
        released: the released file with its source, which is recoded as the release was.
        compare: what the intruder links by: names, which stand for the comparison of the variable's kind, or comparisons
            such as `TextAgreement`; three at least.
        block: variables that must agree for a pair to be compared; or several such lists, one of which must agree in all.
            None: all pairs.
        false_match: an upper bound for false matches.
        false_non_match: an upper bound for the share of matches that are dismissed.
        among: what false matches are a share of: `AmongLinks()`, or `AmongNonMatches()` as Fellegi and Sunter have it.
        model: how agreements go together: `Independent()`, or `WithInteractions(...)`.
        chance: how the agreement of other pairs is found: `AmongAllPairs()`, the default where a blocking variable is
            compared, too, or `WithinBlocks()`, the default elsewhere.
        one_to_one: whether every record has one link at most: the sum of log odds is then made largest, and errors are
            reckoned with probabilities of pairs that compete. Otherwise each pair is decided on its own.
        tolerance: how certain the probabilities of competing pairs must be, as for `link_probabilities`; infinite:
            propagation alone where there is no exact answer.
        seed: of the records drawn for `AmongAllPairs`, and of the chains, with a finite tolerance.
        keep: pairs below this probability are not kept; the sum of their probabilities is reported.
        most_pairs: more candidate pairs are refused.
        progress: called with how much of how much is done.

    >>> import confide as cf
    >>> people = [(i % 5, i % 7, i * i % 11, i * 3 % 13) for i in range(80)]
    >>> source = cf.Microdata.from_dict({k: [str(p[j]) for p in people] for j, k in enumerate("abcd")})
    >>> found = probabilistic_linkage(cf.Released.from_files(source, source, same_order=True), ["a", "b", "c", "d"])
    >>> found.links[0].size, found.precision, found.recall
    (80, 1.0, 1.0)
    """
    check_bounds(false_match, false_non_match)
    check_keep(keep)
    source, data = coded_alike(released)
    pairs = blocked(source, data, block, most=most_pairs)
    work = compared(comparisons_for(source, compare), source, data, pairs, chance, seed)
    patterns = patterns_of(pairs, work.fields, phase_of(progress, 0, 2))
    found, parameters = fit(patterns, work, model, min(source.n, data.n))
    matches = found.share * patterns.pairs
    prior = prior_of(pairs, matches)
    kept = kept_pairs(
        pairs, work.fields, patterns, found.weight, prior, float(np.log(keep / (1 - keep))), phase_of(progress, 1, 2)
    )
    shape = (data.n, source.n)
    has_match = matched_share(kept, prior, pairs)
    odds = competing_odds(kept.log_odds, has_match, shape)
    table = competing(kept, odds, shape, tolerance, seed)
    if one_to_one:
        may, p = assigned_pairs(kept.source, kept.released, odds), _listed(table, kept)
    else:
        may, p = np.ones(kept.source.size, dtype=np.bool_), expit(kept.log_odds)
    cuts = limits(p[may], matches, patterns.pairs - matches, false_match, false_non_match, among)
    parent = None if bool(np.any(released.parent == UNKNOWN)) else released.parent
    right = None if parent is None else parent[kept.released] == kept.source
    return ProbabilisticLinkage(
        parameters, found.share, patterns.pairs, found.steps, found.at_bound, kept.source, kept.released, kept.log_odds, p,
        kept.left_out, cuts, decided(p, may, cuts), right, None if parent is None else int(np.sum(parent >= 0)),
        shape, parent, one_to_one, has_match, table, BestLinks(pairs, work.fields, patterns, found.weight, released.parent),
    )  # fmt: skip


def check_keep(keep: float) -> None:
    """Raise unless pairs of some probability are kept."""
    if not 0 < keep < 0.5:
        raise IntruderError(f"keep is a probability above 0 and below 0.5; found {keep}")


class Work(NamedTuple):
    """Both files laid out for the loops."""

    parts: tuple[Compared, ...]
    fields: Fields
    all_pairs: AllPairs | None
    """How pairs of all records agree, where that is asked for."""


def compared(
    comparisons: Sequence[Comparison],
    source: Microdata,
    released: Microdata,
    pairs: Blocked,
    chance: Chance | None,
    seed: int,
    *,
    within: bool = False,
) -> Work:
    """Lay both files out for the loops, and see how pairs of all records agree."""
    parts = tuple(c.compared(source, released, pairs.stretches) for c in comparisons)
    if chance is None:
        blocking = {v for rule in pairs.rules for v in rule}
        chance = AmongAllPairs() if blocking & {p.name for p in parts} else WithinBlocks()
    sample = drawn_pairs(parts, chance.records, seed, within=within) if isinstance(chance, AmongAllPairs) else None
    sets = [pairs] if sample is None else [pairs, sample]
    near = [
        near_values(p, c.using, *sets) if p.kind == NEAR and isinstance(c, TextAgreement) else None
        for c, p in zip(comparisons, parts, strict=True)
    ]
    fields = laid_out(parts, near)
    if sample is None:
        return Work(parts, fields, None)
    found = patterns_of(sample, fields)
    total = source.n * (source.n - 1) / 2 if within else float(source.n) * released.n
    return Work(parts, fields, AllPairs(found.level, found.count, total, truncation_of(pairs.rules, parts)))


def fit(patterns: Patterns, work: Work, model: Dependence, most_matches: float) -> tuple[Estimate, tuple[LevelWeights, ...]]:
    """Estimate the model from the patterns."""
    groups = groups_of(model, work.parts, patterns.level)
    found = estimate(patterns, groups, work.parts, min(most_matches / patterns.pairs, 1 - 1e-9), work.all_pairs)
    return found, level_weights(work.parts, groups, found)


def decided(p: FloatArray, may: BoolArray, cuts: Limits) -> IntArray:
    """Decide which pairs are links, possible links and none."""
    found = np.where(p >= cuts.upper, LINK, np.where(p >= cuts.lower, POSSIBLE, NO_LINK))
    return np.where(may, found, NO_LINK).astype(np.int64)


def _listed(table: JointLinks, kept: Kept) -> FloatArray:
    """Give the probabilities of the pairs that were kept; pairs are sorted by source and released record."""
    by_source = sparse.csr_array(table.p.T)
    by_source.sort_indices()
    if by_source.nnz == kept.source.size:
        return np.asarray(by_source.data, dtype=np.float64)
    return np.asarray(by_source[kept.source, kept.released], dtype=np.float64).ravel()
