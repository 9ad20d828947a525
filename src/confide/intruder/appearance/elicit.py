"""Turn 'surely within 100 per cent, probably within 30 per cent' into a distribution.

The papers give no numbers for the words. The defaults are: surely .99, the 'virtually certain' of
Mastrandrea et al. (2010, the scale of the IPCC); probably .75, the 'probable' of Kent (1964, Words
of Estimative Probability); likely .90, between the two, as Duncan and Lambert (1987, section 4.3)
use the word for a wider interval than 'probably'.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from confide.errors import IntruderError
from confide.intruder.appearance.elicited import Elicited, Family, Judgement
from confide.intruder.appearance.forms import standard_cdf, standard_quantile
from confide.intruder.appearance.laplace import LaplaceAppearance
from confide.intruder.appearance.lognormal import LognormalAppearance
from confide.intruder.appearance.normal import NormalAppearance
from confide.typing import FloatArray


def elicit(
    *,
    surely: float | None = None,
    likely: float | None = None,
    probably: float | None = None,
    within: Mapping[float, float] | None = None,
    family: Family = LognormalAppearance,
    as_factor: bool = False,
    surely_means: float = 0.99,
    likely_means: float = 0.90,
    probably_means: float = 0.75,
) -> Elicited:
    """Fit a distribution of relative error to judgements (Duncan and Lambert 1987, 4.3; Lambert 1993, 4.1).

    Within .3 means: the released value lies between .7 and 1.3 times the true one. One spread can
    meet one statement exactly. With several, the logarithm of the spread is the mean over the
    statements, each taken alone (least squares); `misfit` says how far off the probabilities are.

    Args:
        surely: the relative error that is surely not exceeded, 1.0 for 100 per cent.
        likely: the one that is likely not exceeded.
        probably: the one that is probably not exceeded.
        within: probabilities of further relative errors not being exceeded.
        family: LognormalAppearance, NormalAppearance or LaplaceAppearance.
        as_factor: read within .3 as: between 1/1.3 and 1.3 times the true value.
        surely_means: the probability that 'surely' stands for.
        likely_means: the probability that 'likely' stands for.
        probably_means: the probability that 'probably' stands for.

    >>> belief = elicit(surely=1.00, probably=0.30)
    >>> round(belief.sd, 3), [round(j.implied, 3) for j in belief.judgements]
    (0.281, [0.723, 0.993])
    >>> elicit(within={0.5: 0.9}).misfit < 1e-12
    True
    """
    _check_family(family)
    said = [(surely, surely_means), (likely, likely_means), (probably, probably_means), *(within or {}).items()]
    statements = sorted((float(r), float(p)) for r, p in said if r is not None)
    _check_statements(statements)
    low = [1 / (1 + r) if as_factor else 1 - r for r, _ in statements]
    high = [1 + r for r, _ in statements]
    stated = [p for _, p in statements]
    ends = [(_error(a, family), _error(b, family)) for a, b in zip(low, high, strict=True)]
    alone = tuple(_spread_alone(family.SHAPE, e, p, r) for e, (r, p) in zip(ends, statements, strict=True))
    sd = math.exp(sum(map(math.log, alone)) / len(alone))
    implied = [_inside(family.SHAPE, e, sd) for e in ends]
    return Elicited(family, 1.0, sd, tuple(map(Judgement, low, high, stated, implied)), alone)


def elicit_quantiles(quantiles: Mapping[float, float], *, family: Family = LognormalAppearance) -> Elicited:
    """Fit median and spread to quantiles of the released value divided by the true one.

    By least squares of the quantiles (of their logarithms for a lognormal) on those of the shape.
    Two quantiles are met exactly. The median need not be 1: values may be believed to be understated.

    Args:
        quantiles: the quantile at each probability, two or more.
        family: LognormalAppearance, NormalAppearance or LaplaceAppearance.

    >>> belief = elicit_quantiles({0.05: 0.5, 0.5: 0.9, 0.95: 1.4})
    >>> round(belief.centre, 3), round(belief.sd, 3), round(belief.misfit, 3)
    (0.857, 0.313, 0.062)
    """
    _check_family(family)
    items = sorted((float(p), float(q)) for p, q in quantiles.items())
    p, q = np.array(items, dtype=np.float64).reshape(-1, 2).T
    if p.size < 2 or not bool(np.all((p > 0) & (p < 1))) or not bool(np.all(np.isfinite(q))):
        raise IntruderError("give two or more finite quantiles, each at a probability between 0 and 1")
    if family.LOGS and q[0] <= 0:
        raise IntruderError("quantiles of a lognormal must be positive; use family=NormalAppearance")
    if not bool(np.all(np.diff(q) > 0)):
        raise IntruderError("quantiles must increase with their probabilities")
    x, y = standard_quantile(family.SHAPE, p), np.log(q) if family.LOGS else q
    sd = float(np.dot(x - x.mean(), y - y.mean()) / np.dot(x - x.mean(), x - x.mean()))
    middle = float(y.mean() - sd * x.mean())
    implied = standard_cdf(family.SHAPE, (y - middle) / sd)
    floor = 0.0 if family.LOGS else -math.inf
    judgements = tuple(Judgement(floor, *map(float, item)) for item in zip(q, p, implied, strict=True))
    alone = tuple((np.diff(y) / np.diff(x)).tolist())
    return Elicited(family, math.exp(middle) if family.LOGS else middle, sd, judgements, alone)


def _error(ratio: float, family: Family) -> float:
    """Give the error on the scale of the family of a released value that is `ratio` times the true one."""
    if not family.LOGS:
        return ratio - 1
    return math.log(ratio) if ratio > 0 else -math.inf


def _inside(shape: int, ends: tuple[float, float], sd: float) -> float:
    """Give the probability between two errors."""
    below, above = standard_cdf(shape, np.array(ends) / sd)
    return float(above - below)


def _spread_alone(shape: int, ends: tuple[float, float], probability: float, error: float) -> float:
    """Find the spread that meets one statement; the probability falls as the spread grows."""
    from scipy.optimize import brentq

    if math.isinf(ends[0]) and probability <= 0.5:
        raise IntruderError(
            f"half of a lognormal lies below its median, so that within {error:g} has a probability above .5; "
            f"found {probability:g}"
        )
    start = math.log(ends[1])

    def gap(t: float) -> float:
        return _inside(shape, ends, math.exp(start + t)) - probability

    return math.exp(start + float(brentq(gap, -40.0, 40.0, xtol=1e-14, rtol=1e-14)))


def _check_family(family: Family) -> None:
    """Raise on a family without a spread to fit."""
    if family not in (LognormalAppearance, NormalAppearance, LaplaceAppearance):
        raise IntruderError("family must be LognormalAppearance, NormalAppearance or LaplaceAppearance")


def _check_statements(statements: list[tuple[float, float]]) -> None:
    """Raise when there are no statements, or when they contradict each other."""
    if not statements:
        raise IntruderError("say something about the error, such as elicit(surely=1.0, probably=0.3)")
    table: FloatArray = np.array(statements)
    if not bool(np.all(np.isfinite(table))) or bool(np.any(table[:, 0] <= 0)):
        raise IntruderError("relative errors must be positive, .3 for 30 per cent")
    if bool(np.any((table[:, 1] <= 0) | (table[:, 1] >= 1))):
        raise IntruderError(
            "probabilities must lie between 0 and 1; no distribution without ends is wholly certain, use .999"
        )
    for (r, p), (wider, q) in pairwise(statements):
        if q < p or (wider == r and q != p):
            raise IntruderError(
                f"the statements contradict each other: within {r:g} with probability {p:g}, but within {wider:g} with {q:g}"
            )
