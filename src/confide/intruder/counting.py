"""Intruders whose probabilities are a matter of counting (Duncan and Lambert 1987, 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb, inf

from confide.errors import IntruderError
from confide.intruder.decision import Losses


def naive_outsider(respondents: int, released: int, simulated: int = 0) -> float:
    """Give the probability that a released record is the target's, to someone who knows nothing (4.1).

    Without simulated records it is 1/N; among m that look alike, 1/N n/(n + m).

    Args:
        respondents: the number of respondents, N; of people in the population, for an outsider who does
            not know whether the target responded.
        released: the number of their records that are released, n.
        simulated: the number of simulated records among the released.

    >>> naive_outsider(6, 3), round(naive_outsider(6, 3, simulated=2), 6)
    (0.16666666666666666, 0.1)
    """
    if not 0 < released <= respondents or simulated < 0:
        raise IntruderError(f"{released} of {respondents} respondents and {simulated} simulated records cannot be released")
    return released / (released + simulated) / respondents


def malicious_from(respondents: int, released: int, simulated: int = 0) -> float:
    """Give the ratio l1/l2 above which an outsider who knows nothing claims a link all the same (4.1).

    Without simulated records it is (N - 1)/n: from there on it costs more to keep silent than to be wrong.

    Args:
        respondents: N.
        released: n.
        simulated: the number of simulated records among the released.

    >>> malicious_from(6, 3)
    1.6666666666666667
    """
    return (1.0 - naive_outsider(respondents, released, simulated)) * respondents / released


def malicious_outsider(
    respondents: int, released: int, simulated: int = 0, *, wrong: float = 1.0, times: float = 2.0
) -> Losses:
    """Give the losses of an outsider who wants to discredit the agency (4.1).

    This intruder announces that a link was achieved without showing it. Not to link costs far more
    than to err, l1 > l2 (N - 1)/n, and a link is claimed no matter how likely it is to be wrong.

    Args:
        respondents: N.
        released: n.
        simulated: the number of simulated records among the released.
        wrong: l2.
        times: how far l1 exceeds the bound; more than one.

    >>> losses = malicious_outsider(6, 3)
    >>> losses.decide([naive_outsider(6, 3)] * 3).links
    True
    """
    if not times > 1:
        raise IntruderError(f"a malicious outsider's loss must exceed the bound: times must be above one; found {times}")
    # a single respondent is linked whatever the losses, so the bound may be zero
    return Losses(
        missed=times * wrong * max(malicious_from(respondents, released, simulated), 1.0 / respondents), wrong=wrong
    )


@dataclass(frozen=True, slots=True)
class InsiderView:
    """What an insider with complete, unmasked data can infer (4.2)."""

    p: float
    """The probability that a given matching record is the target's."""
    released: float
    """The probability that the target was released, after seeing the number of matching records."""
    joint: float
    """The probability, beforehand, that the target and so many look-alikes are released."""


def insider(respondents: int, alike: int, released: int, matching: int) -> InsiderView:
    """Give the probabilities of an insider who knows all source records (4.2): 1/N(x) and the hypergeometric.

    Args:
        respondents: N.
        alike: N(x), how many of them look like the target, the target included.
        released: n, how many are sampled.
        matching: n(x), how many sampled ones look like the target.

    >>> round(insider(8, 3, 4, 2).joint, 6)
    0.285714
    """
    if not (1 <= alike <= respondents and 1 <= matching <= min(alike, released) and released <= respondents):
        raise IntruderError(f"{matching} matching records of {released} released cannot come from {alike} of {respondents}")
    if released - matching > respondents - alike:
        raise IntruderError(f"with {released} released of {respondents}, more than {matching} must match")
    joint = comb(alike - 1, matching - 1) * comb(respondents - alike, released - matching) / comb(respondents, released)
    return InsiderView(1 / alike, matching / alike, joint)


def insider_with_simulated(alike: int, matching: int, simulated: float) -> float:
    """Give the insider's probability when so many of the matching records are known to be simulated (4.2).

    >>> round(insider_with_simulated(10, 6, 4), 6)
    0.033333
    """
    if not (alike >= 1 and matching >= 1 and 0 <= simulated <= matching):
        raise IntruderError(f"{simulated} of {matching} matching records cannot be simulated")
    if matching - simulated > alike:
        raise IntruderError(
            f"{matching} matching records, {simulated} of them simulated, cannot come from {alike} respondents"
        )
    return (matching - simulated) / matching / alike


@dataclass(frozen=True, slots=True)
class SimulatedView:
    """What an insider infers when the number of simulated look-alikes is uncertain."""

    p: float
    """The probability that a given matching record is the target's."""
    expected_simulated: float
    """The expected number of simulated records among the matching ones, after seeing how many match."""
    released: float
    """The probability that the target was released, after seeing how many match."""


def insider_with_unknown_simulated(
    respondents: int, alike: int, released: int, matching: int, prior: Mapping[int, float]
) -> SimulatedView:
    """Average over the number of simulated look-alikes, after seeing n(x) (4.2, convention 7).

    Args:
        respondents: N.
        alike: N(x), the target included.
        released: the number of real records sampled.
        matching: n(x), how many released records, real or simulated, look like the target.
        prior: the probability of each number of simulated look-alikes, before the release.

    >>> view = insider_with_unknown_simulated(12, 4, 5, 2, {0: 1 / 3, 1: 1 / 3, 2: 1 / 3})
    >>> round(view.p, 6)
    0.177083
    """
    if matching < 1:
        raise IntruderError("no released record looks like the target")
    if not (1 <= alike <= respondents and 0 <= released <= respondents):
        raise IntruderError(f"{alike} alike and {released} released cannot be among {respondents} respondents")
    weights = {}
    for m, weight in prior.items():
        real = matching - m
        if not (0 <= weight < inf and m >= 0):
            raise IntruderError("the prior must give probabilities to numbers of 0 or more")
        if 0 <= real <= min(alike, released) and released - real <= respondents - alike:
            ways = comb(alike, real) * comb(respondents - alike, released - real) / comb(respondents, released)
            weights[m] = weight * ways
    total = sum(weights.values())
    if total == 0:
        raise IntruderError(f"no number of simulated records that the prior allows explains {matching} matching ones")
    expected = sum(m * w for m, w in weights.items()) / total
    p = insider_with_simulated(alike, matching, expected)
    return SimulatedView(p, expected, p * matching)
