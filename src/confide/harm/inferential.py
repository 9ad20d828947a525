"""Inferential disclosure (Dalenius 1974): is a value known more accurately with the release than without?

No link is needed. What is believed about a target afterwards is the mixture of what its candidates tell, weighted
by their link probabilities; the null link leaves what was believed before. Where all candidates have the
same value it is disclosed, although no record is identified: the union plumbers of Chicago (Lambert 1993, section 2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import xlogy

from confide.errors import HarmError
from confide.harm.belief import Belief, LognormalBelief, NormalBelief, PointBelief, UniformBelief
from confide.harm.cases import blocks, parts_with_targets, spread
from confide.harm.learned import InferentialDisclosure, Learned
from confide.harm.reading.as_released import AsReleased
from confide.harm.reading.reading import Amounts, Reading
from confide.harm.sensitive import Sensitive, codes, sensitive_of
from confide.intruder.distribution import Distribution, Lognormal, Normal
from confide.linking.links import Links
from confide.linking.pairs import LinkedGroups, Pairs, linked_groups
from confide.typing import BoolArray, FloatArray, IntArray

HARDLY = 1e-9
"""Others who have less than this beside the own record may be more than the list of candidates holds."""
FAR = 600.0
"""Then candidates are looked for down to exp(-FAR) of the own record."""


def inferential_disclosure(
    links: Links,
    attribute: str,
    *,
    reading: Reading | None = None,
    close: float = 0.1,
    before: Distribution | None = None,
    without_own: bool = False,
    category: bool | None = None,
) -> InferentialDisclosure:
    """Compare what is known about every target's value with the release and without it.

    Args:
        links: what `link` gave.
        attribute: the variable that is learned.
        reading: what a released record tells about its owner's true value; None: as it stands.
        close: an amount is known when it is within this share of the true one.
        before: what is believed without the release; None: the distribution over all respondents of the source file, as
            if it had been published.
        without_own: what would be learned had the target's own record not been released: what the release tells
            about people like the target.
        category: whether the values are categories; None: unless they are numbers.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"trade": ["plumber"] * 3 + ["baker"] * 3, "wage": ["9", "9", "9", "7", "8", "10"]})
    >>> links = cf.link(cf.Release().apply(data, seed=1), cf.Intruder(knows=["trade"]))
    >>> found = inferential_disclosure(links, "wage", category=True)
    >>> found.after.round(2).tolist(), found.disclosed(0.9).tolist()[:3]
    ([1.0, 1.0, 1.0, 0.33, 0.33, 0.33], [True, True, True])
    """
    if not close > 0:
        raise HarmError(f"close is a share of the true amount above 0, such as 0.1; found {close}")
    sensitive, found = sensitive_of(links, attribute), linked_groups(links)
    everyone = sensitive.truth if sensitive.source is None else sensitive.source
    if category is None:
        category = not bool(everyone.is_number.any())
    own = links.own if without_own else None
    if without_own and links.summary.why_unknown:
        raise HarmError(f"without_own leaves the target's own record out, and {links.summary.why_unknown}")
    reading = reading or AsReleased()
    if category:
        if before is not None:
            raise HarmError("before is a distribution of an amount; beliefs about a category start from the source file")
        place = codes(sensitive.composite.push(everyone), sensitive.levels)
        if not bool(np.any(place >= 0)):
            raise HarmError(f"{attribute!r} is missing for every respondent of the source file")
        share = np.bincount(place[place >= 0], minlength=len(sensitive.levels)) / int(np.sum(place >= 0))
        learned = _categories(found, sensitive, reading, share, own)
        return InferentialDisclosure(attribute, *learned, found.best, None, without_own)
    y = sensitive.true_numbers
    prior = _before(before, everyone.numbers[everyone.is_number])
    told = reading.amounts(sensitive)
    learned = _amounts(found, y, told, prior, close, own)
    return InferentialDisclosure(attribute, *learned, found.best, close, without_own)


class _View(NamedTuple):
    """Some targets with their candidates, and the share of their own record that is still to be taken out."""

    pairs: Pairs
    group: IntArray
    members: IntArray
    own: IntArray
    p: FloatArray

    def mixed(self, values: FloatArray) -> FloatArray:
        """Give the mean of the candidates' values, the own record left out."""
        return self.less_own(self.pairs.weighted(values)[self.group], values[self.own])

    def less_own(self, sums: FloatArray, mine: FloatArray) -> FloatArray:
        """Take the own record's part out of sums over candidates."""
        return np.asarray((sums - self.p[:, None] * mine) / (1 - self.p)[:, None], dtype=np.float64)


def _views(found: LinkedGroups, own: FloatArray | None) -> Iterator[_View]:
    """Go through all targets; with `own`, the probability of the own record, leave that record out.

    A record that takes most of the probability is left out of the list; others are subtracted, which then loses no digits.
    Where hardly anything is left, candidates are looked for again that are improbable beside the own record only.
    """
    lone = np.zeros(found.n, dtype=np.bool_)
    for part, members in parts_with_targets(found, np.ones(found.n, dtype=np.bool_)):
        group, record = found.group[members] - part.first, np.maximum(found.own[members], 0)
        p = np.zeros(members.size) if own is None else np.where(found.own[members] >= 0, own[members], 0.0)
        light = p <= 0.5
        yield _View(part, group[light], members[light], record[light], p[light])
        for view, left in _left_out(found, part, members[~light]):
            lone[view.members] = left < HARDLY
            yield view
    if bool(lone.any()):
        for part, members in parts_with_targets(found, lone, cut=FAR):
            for view, _ in _left_out(found, part, members):
                yield view


def _left_out(found: LinkedGroups, part: Pairs, members: IntArray) -> Iterator[tuple[_View, FloatArray]]:
    """Leave the own record out of the candidates of some targets; say how probable all others were together."""
    group = found.group[members] - part.first
    for here in blocks(np.diff(part.start)[group]):
        some, whose = members[here], group[here]
        count = np.diff(part.start)[whose]
        who, place = spread(part.start[:-1][whose], count)
        other = part.record[place] != found.own[some][who]
        who, place = who[other], place[other]
        total = np.bincount(who, weights=part.p[place], minlength=some.size) + found.null[some]
        start = np.concatenate([[0], np.cumsum(np.bincount(who, minlength=some.size))]).astype(np.int64)
        share = part.p[place] / np.where(total > 0, total, 1.0)[who]
        rest, nobody = Pairs(0, start, part.record[place], share), np.zeros(some.size, dtype=np.int64)
        yield _View(rest, np.arange(some.size), some, nobody, np.zeros(some.size)), total


@dataclass(frozen=True, slots=True, eq=False)
class _Before:
    """What is believed about each target's amount without the release."""

    mean: float
    sd: float
    belief: Belief | None
    values: FloatArray

    def close(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Give the probability of a range."""
        if self.belief is not None:
            many = self.belief.take(np.zeros(low.size, dtype=np.int64))
            return many.mass(low, high)
        first, last = np.searchsorted(self.values, low, side="left"), np.searchsorted(self.values, high, side="right")
        return (last - first) / self.values.size


def _before(before: Distribution | None, values: FloatArray) -> _Before:
    """Turn a distribution, or the values of all respondents, into beliefs."""
    if before is None:
        if not values.size:
            raise HarmError("no respondent has an amount to believe in before the release; give before=Normal(...)")
        return _Before(float(values.mean()), float(values.std()), None, np.sort(values))
    belief: Belief
    if isinstance(before, Normal):
        belief = NormalBelief(before.mean, before.sd)
    elif isinstance(before, Lognormal):
        belief = LognormalBelief(before.mean, before.sd)
    else:
        belief = UniformBelief(before.low, before.high)
    mean = float(belief.mean[0])
    return _Before(mean, float(np.sqrt(belief.squared_error(mean)[0])), belief, values)


def _categories(
    found: LinkedGroups, sensitive: Sensitive, reading: Reading, share: FloatArray, own: FloatArray | None
) -> tuple[Learned, Learned]:
    """Give the probability of the true category and the entropy, before and after."""
    posterior, truth = reading.categories(sensitive), sensitive.true_codes
    has = truth >= 0
    at = np.maximum(truth, 0)
    entropy = float(-xlogy(share, share).sum() / np.log(2))
    before = Learned(np.where(has, share[at], np.nan), np.full(truth.size, entropy), None)
    right, left = np.full(truth.size, np.nan), np.full(truth.size, entropy)
    right[has] = share[at[has]]
    for view in _views(found, own):
        who = view.members
        mixed = np.maximum(view.mixed(posterior), 0.0)
        mixed += np.maximum(1 - mixed.sum(axis=1, keepdims=True), 0.0) * share
        right[who] = np.where(has[who], mixed[np.arange(who.size), at[who]], np.nan)
        left[who] = -xlogy(mixed, mixed).sum(axis=1) / np.log(2)
    return before, Learned(np.where(has, np.minimum(right, 1.0), np.nan), np.maximum(left, 0.0), None)


def _amounts(
    found: LinkedGroups, y: FloatArray, told: Amounts, prior: _Before, close: float, own: FloatArray | None
) -> tuple[Learned, Learned]:
    """Give the probability of amounts close to the true one, the standard deviation and the error, before and after."""
    n, known = y.size, told.known
    true, has = np.nan_to_num(y), ~np.isnan(y)
    low, high = true - close * np.abs(true), true + close * np.abs(true)
    near = np.where(has, prior.close(low, high), np.nan)
    before = Learned(near, np.full(n, prior.sd), np.where(has, np.abs(true - prior.mean), np.nan))
    centred = np.where(known, np.nan_to_num(told.estimate) - prior.mean, 0.0)
    square = np.where(known, told.belief.squared_error(prior.mean), 0.0)
    values = np.column_stack([known, centred, square])
    after, mean, second = near.copy(), np.zeros(n), np.full(n, prior.sd**2)
    for view in _views(found, own):
        who = view.members
        known_p, mean[who], square_p = view.mixed(values).T
        hit = _close_mass(view.pairs, view.group, low[who], high[who], told, known)
        mine = _mass(told, view.own, low[who], high[who], known)
        hit = view.less_own(hit[:, None], mine[:, None])[:, 0]
        rest = np.clip(1 - known_p, 0.0, 1.0)
        second[who] = square_p + rest * prior.sd**2
        after[who] = np.where(has[who], np.clip(hit + rest * near[who], 0.0, 1.0), np.nan)
    spread_after = np.sqrt(np.maximum(second - mean**2, 0.0))
    error = np.where(has, np.abs(true - prior.mean - mean), np.nan)
    return before, Learned(after, spread_after, error)


def _mass(told: Amounts, record: IntArray, low: FloatArray, high: FloatArray, known: BoolArray) -> FloatArray:
    """Give the probability that each record's amount lies in a range."""
    return np.where(known[record], told.belief.take(record).mass(low, high), 0.0)


def _close_mass(
    part: Pairs, group: IntArray, low: FloatArray, high: FloatArray, told: Amounts, known: BoolArray
) -> FloatArray:
    """Add up, over each target's candidates, the probability of amounts within its range."""
    if isinstance(told.belief, PointBelief):
        return _close_points(part, group, low, high, told.estimate, known)
    hit = np.zeros(group.size)
    count = np.diff(part.start)[group]
    for here in blocks(count):
        who, place = spread(part.start[:-1][group[here]], count[here])
        record = part.record[place]
        mass = part.p[place] * _mass(told, record, low[here][who], high[here][who], known)
        hit[here] = np.bincount(who, weights=mass, minlength=count[here].size)
    return hit


def _close_points(
    part: Pairs, group: IntArray, low: FloatArray, high: FloatArray, estimate: FloatArray, known: BoolArray
) -> FloatArray:
    """Do so by sums over sorted values, for records whose amounts are taken to be known."""
    has = known[part.record]
    values, rank = np.unique(estimate[part.record[has]], return_inverse=True)
    wide = values.size + 1
    key = part.group[has] * wide + rank
    order = np.argsort(key, kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(part.p[has][order])])
    first = np.searchsorted(key[order], group * wide + np.searchsorted(values, low, side="left"), side="left")
    last = np.searchsorted(key[order], group * wide + np.searchsorted(values, high, side="right"), side="left")
    return np.asarray(np.maximum(sums[np.maximum(last, first)] - sums[first], 0.0), dtype=np.float64)
