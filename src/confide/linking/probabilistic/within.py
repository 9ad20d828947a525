"""Find records of one file that belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.parallel import Progress, phase_of, silent
from confide.linking.probabilistic.blocks import MOST_PAIRS, Rules, blocked
from confide.linking.probabilistic.chance import Chance
from confide.linking.probabilistic.comparison import Comparison
from confide.linking.probabilistic.errors import AmongLinks, FalseMatches, check_bounds, limits
from confide.linking.probabilistic.fields import comparisons_for
from confide.linking.probabilistic.linkage import KEEP, check_keep, compared, decided, fit
from confide.linking.probabilistic.model import Dependence, Independent
from confide.linking.probabilistic.pairs_found import PairsFound
from confide.linking.probabilistic.patterns import kept_pairs, patterns_of
from confide.typing import IntArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Duplicates(PairsFound):
    """Pairs of records of one file that belong together."""

    n: int
    """The number of records."""

    @property
    def group(self) -> IntArray:
        """The group of each record: records that are joined by links."""
        a, b = self.links
        table = sparse.csr_array((np.ones(a.size), (a, b)), shape=(self.n, self.n))
        return np.asarray(connected_components(table, directed=False)[1], dtype=np.int64)


def find_duplicates(
    data: Microdata,
    compare: Sequence[str | Comparison],
    *,
    block: Rules = None,
    false_match: float = 0.01,
    false_non_match: float = 0.05,
    among: FalseMatches = AmongLinks(),  # noqa: B008  frozen
    model: Dependence = Independent(),  # noqa: B008  frozen
    chance: Chance | None = None,
    seed: int = 0,
    truth: Any = None,
    keep: float = KEEP,
    most_pairs: int = MOST_PAIRS,
    progress: Progress = silent,
) -> Duplicates:
    """Find records of one file that belong to the same respondent (Fellegi and Sunter 1969).

    Every pair of records is compared once and decided on its own, as in `probabilistic_linkage`; a respondent may have
    any number of records.

    Args:
        data: the file.
        compare: what records are compared by.
        block: variables that must agree for a pair to be compared; or several such lists, one of which must agree in all.
        false_match: an upper bound for false matches.
        false_non_match: an upper bound for the share of matches that are dismissed.
        among: what false matches are a share of.
        model: how agreements go together.
        chance: how the agreement of other pairs is found.
        seed: of the records drawn for `AmongAllPairs`.
        truth: the respondent of each record, where known: any labels.
        keep: pairs below this probability are not kept.
        most_pairs: more candidate pairs are refused.
        progress: called with how much of how much is done.

    >>> import confide as cf
    >>> people = [(i % 5, i % 7, i * i % 11, i * 3 % 13) for i in range(80)]
    >>> people += people[::4]
    >>> data = cf.Microdata.from_dict({k: [str(p[j]) for p in people] for j, k in enumerate("abcd")})
    >>> found = find_duplicates(data, ["a", "b", "c", "d"], truth=people, false_match=0.1)
    >>> found.links[0].size, found.precision, found.recall
    (20, 1.0, 1.0)
    """
    check_bounds(false_match, false_non_match)
    check_keep(keep)
    pairs = blocked(data, data, block, most=most_pairs, within=True)
    work = compared(comparisons_for(data, compare), data, data, pairs, chance, seed, within=True)
    patterns = patterns_of(pairs, work.fields, phase_of(progress, 0, 2))
    found, parameters = fit(patterns, work, model, patterns.pairs / 2)
    prior = np.full(pairs.candidates.row.size, np.log(found.share) - np.log1p(-found.share))
    kept = kept_pairs(
        pairs, work.fields, patterns, found.weight, prior, float(np.log(keep / (1 - keep))), phase_of(progress, 1, 2)
    )
    p, matches = np.asarray(expit(kept.log_odds), dtype=np.float64), found.share * patterns.pairs
    cuts = limits(p, matches, patterns.pairs - matches, false_match, false_non_match, among)
    who = None if truth is None else _labels(truth, data.n)
    right = None if who is None else np.equal(who[kept.source], who[kept.released])
    total = None
    if who is not None:
        size = np.bincount(who)
        total = int(np.sum(size * (size - 1) // 2))
    return Duplicates(
        parameters, found.share, patterns.pairs, found.steps, found.at_bound, kept.source, kept.released, kept.log_odds, p,
        kept.left_out, cuts, decided(p, np.ones(p.size, dtype=np.bool_), cuts), right, total, data.n,
    )  # fmt: skip


def _labels(truth: Any, n: int) -> IntArray:
    """Number the respondents."""
    given = list(truth)
    if len(given) != n:
        raise IntruderError(f"truth names the respondent of each record: {n} are needed, found {len(given)}")
    place = {v: i for i, v in enumerate(dict.fromkeys(given))}
    return np.array([place[v] for v in given], dtype=np.int64)
