"""Attribute disclosure through identification (Duncan and Lambert 1987, section 5).

Whom to link depends on what the intruder is after. If all wrong links are alike (5.1), the most probable record is
linked, as for identification. If a wrong record that is like the target's will nearly do (5.2), other records
are linked, and other respondents are at risk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import HarmError, raise_all
from confide.harm.disparity import Mismatch, expected_disparity
from confide.harm.reading.as_released import numbers
from confide.harm.sensitive import sensitive_of
from confide.intruder.acting import Acts, acted, check_acts
from confide.intruder.columns import less
from confide.intruder.decision import Losses
from confide.linking.links import Links
from confide.linking.pairs import Pairs, linked_groups
from confide.risk.distances import Distance, SquaredDistance
from confide.typing import BoolArray, FloatArray, IntArray

TIED = 1e-9


@dataclass(frozen=True, slots=True)
class AttributeLosses:
    """What it costs an intruder who is after an attribute to miss, to link wrongly and to infer wrongly.

    >>> AttributeLosses(missed=4.0, wrong=2.0).wrong
    2.0
    """

    missed: float = 1.0
    """l1: no link is made. Here it is always lost, not only where the target was released (erratum 10)."""
    wrong: float = 1.0
    """l2, above 0: a wrong record is linked, be its attribute ever so close."""
    disparity: Distance | None = SquaredDistance()  # noqa: RUF009  frozen
    """D(u, v): what a wrong value costs; None: all wrong links are alike (5.1)."""
    masking: float = 0.0
    """E D(t(S(x)), x): what the masking costs even on the right record; it raises the cost of every link alike."""

    def __post_init__(self) -> None:
        """Check the losses."""
        finite = bool(np.isfinite([self.missed, self.wrong, self.masking]).all())
        if not (finite and self.missed >= 0 and self.wrong > 0 and self.masking >= 0):
            raise HarmError(
                "AttributeLosses: losses must be finite, missed and masking not negative, wrong above 0; "
                f"found missed={self.missed}, wrong={self.wrong}, masking={self.masking}"
            )


@dataclass(frozen=True, slots=True, eq=False)
class AttributeDisclosure:
    """Whom an intruder after an attribute links, beside whom an intruder after identities links."""

    record: IntArray
    """The record linked to each target for the sake of its attribute; -1: none."""
    loss: FloatArray
    """U(y): the smallest expected loss, of linking or not."""
    identified: BoolArray
    """Whom an intruder links who only wants to identify."""
    best: FloatArray
    """The largest link probability of each target."""
    probability: FloatArray
    """The link probability of the record linked for its attribute; 0: none."""

    @property
    def disclosed(self) -> BoolArray:
        """Who is linked for the sake of the attribute."""
        return self.record >= 0

    @property
    def both(self) -> int:
        """How many are at risk of both."""
        return int(np.sum(self.disclosed & self.identified))

    @property
    def overlap(self) -> float | None:
        """Of those at risk of either, the share at risk of both; None: nobody is."""
        either = int(np.sum(self.disclosed | self.identified))
        return self.both / either if either else None

    @property
    def other_record(self) -> int:
        """How many are linked to a record that is not a most probable one, because it errs less."""
        return int(np.sum(self.disclosed & (self.probability < self.best * (1 - TIED))))

    def only_identified(self) -> IntArray:
        """Name the targets, by place, who are at risk of identification only."""
        return np.flatnonzero(self.identified & ~self.disclosed)

    def only_disclosed(self) -> IntArray:
        """Name the targets, by place, who are at risk of attribute disclosure only."""
        return np.flatnonzero(self.disclosed & ~self.identified)

    def __repr__(self) -> str:
        """Show both lists by their sizes, and their overlap."""
        share = "" if self.overlap is None else f" ({self.overlap:.1%} of those at risk of either)"
        return (
            f"AttributeDisclosure({self.record.size:,} targets: {int(self.identified.sum()):,} at risk of identification, "
            f"{int(self.disclosed.sum()):,} of attribute disclosure, {self.both:,} of both{share}; "
            f"{self.other_record:,} linked to a less probable record that errs less)"
        )


def attribute_disclosure(
    links: Any,
    attribute: str | Sequence[float] | FloatArray,
    losses: AttributeLosses | None = None,
    *,
    identify: Acts | None = None,
) -> AttributeDisclosure:
    """Decide whom an intruder links who is after an attribute, with and without regard to similarity (5.1, 5.2).

    Args:
        links: what `link` or `link_probabilities` gave, or a table of probabilities, records by respondents.
        attribute: a variable of the released file; or, for tables, its value on each released record. Categories need
            `Mismatch()` as their disparity.
        losses: what errors cost the intruder.
        identify: when an intruder links who only wants to identify: a probability that the best record must exceed, or
            losses; None: with the same l1 and l2 (section 4).

    >>> p = np.array([[0.4, 0.0], [0.3, 0.5], [0.3, 0.5]])
    >>> attribute_disclosure(p, [9.0, 2.0, 2.1], AttributeLosses(missed=20.0)).record.tolist()
    [2, 1]
    """
    losses = losses or AttributeLosses()
    found = linked_groups(links)
    raise_all(check_acts(identify) if identify is not None else [], HarmError)
    y = _values(links, attribute, found.records, losses)
    record, loss, chosen = np.full(found.size, -1), np.full(found.size, np.inf), np.zeros(found.size)
    for part in found.parts():
        here = slice(part.first, part.first + part.groups)
        record[here], loss[here], chosen[here] = _choose(part, y, losses)
    record, loss, chosen = record[found.group], loss[found.group], chosen[found.group]
    linked = less(loss, np.full(loss.size, losses.missed)) & (record >= 0)
    return AttributeDisclosure(
        np.where(linked, record, -1),
        np.where(linked, loss, losses.missed),
        acted(Losses(losses.missed, losses.wrong) if identify is None else identify, found.best, found.null),
        found.best,
        np.where(linked, chosen, 0.0),
    )


@dataclass(frozen=True, slots=True, eq=False)
class BestLink:
    """The records an outsider does best to link, and at what expected loss."""

    records: IntArray
    """The best records, counted from 0; several are tied."""
    expected_loss: float
    """The loss the outsider expects from any of them."""


def best_link(
    values: Sequence[float] | FloatArray,
    disparity: Distance = SquaredDistance(),  # noqa: B008  frozen
    *,
    wrong: float = 1.0,
) -> BestLink:
    """Find the best link of an outsider who knows nothing about the respondents (5.2).

    Every record is equally probable, so the record closest to the mean is best for a squared disparity, the one
    closest to the median for an absolute one.

    Args:
        values: the attribute on each released record.
        disparity: D(u, v).
        wrong: l2.

    >>> best_link([3.0, 8.0, 9.0, 10.0, 11.0, 40.0], wrong=2.0).records.tolist()
    [4]
    """
    y = np.asarray(values, dtype=np.float64).ravel()
    if not y.size or not bool(np.isfinite(y).all()):
        wrongs = int((~np.isfinite(y)).sum())
        raise HarmError(f"give one finite value for each record; found {y.size} values, {wrongs} not finite")
    everyone = Pairs(0, np.array([0, y.size]), np.arange(y.size), np.full(y.size, 1.0 / y.size))
    expected = expected_disparity(everyone, np.zeros(1), y, disparity)
    loss = AttributeLosses(wrong=wrong, disparity=disparity).wrong * (1 - 1 / y.size) + expected
    least = float(loss.min())
    return BestLink(np.flatnonzero(loss <= least + TIED * max(abs(least), 1e-300)), least)


def _values(links: Any, attribute: Any, records: int, losses: AttributeLosses) -> FloatArray:
    """Give the attribute on every released record."""
    if isinstance(attribute, str):
        if not isinstance(links, Links):
            raise HarmError("a table of probabilities knows no variables; give the attribute's value on each record")
        sensitive = sensitive_of(links, attribute)
        if isinstance(losses.disparity, Mismatch):
            y = np.where(sensitive.released_codes >= 0, sensitive.released_codes, np.nan)
        else:
            y = numbers(sensitive)
    else:
        y = np.asarray(attribute, dtype=np.float64)
    if y.shape != (records,):
        raise HarmError(f"give one value for each of the {records} released records; found {y.size}")
    if bool(np.isnan(y).all()):
        raise HarmError(
            "the attribute is released as a number on no record; for categories use AttributeLosses(disparity=Mismatch())"
        )
    return y


def _choose(part: Pairs, y: FloatArray, losses: AttributeLosses) -> tuple[IntArray, FloatArray, FloatArray]:
    """Give, for each group, the record with the smallest expected loss, that loss and the record's probability."""
    has = ~np.isnan(y[part.record])
    held = np.concatenate([[0], np.cumsum(has)]).astype(np.int64)
    known = Pairs(part.first, held[part.start], part.record[has], part.p[has])
    group = known.group
    loss = losses.wrong * (1 - known.p) + losses.masking
    if losses.disparity is not None:
        rest = np.clip(1.0 - np.bincount(group, weights=known.p, minlength=known.groups), 0.0, 1.0)
        loss = loss + expected_disparity(known, rest, y, losses.disparity)
    order = np.lexsort((known.record, loss, group))
    first = order[known.start[:-1][np.diff(known.start) > 0]]
    record, least, p = np.full(known.groups, -1), np.full(known.groups, np.inf), np.zeros(known.groups)
    record[group[first]], least[group[first]], p[group[first]] = known.record[first], loss[first], known.p[first]
    return record, least, p
