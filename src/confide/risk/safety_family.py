"""Families of intruders: how precisely they believe, and what they know of the respondents they know.

An intruder of the family believes that a respondent's record appears around a centre, with the same
relative precision for all (Duncan and Lambert 1987, 4.3). The centre is the respondent's value, or the quantile
that belongs to the respondent's rank. A respondent the intruder cannot place may be anywhere in the
population.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import logsumexp
from scipy.stats import rankdata

from confide.errors import IntruderError
from confide.intruder.appearance.dense import log_densities
from confide.intruder.appearance.normal import NormalAppearance
from confide.intruder.appearance.quantiles import centres_at, fit_normal
from confide.typing import BoolArray, FloatArray


class Family(Protocol):
    """How a belief spreads around its centre."""

    def scaled(self, source: FloatArray, released: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Put source and released values on a scale where a belief of precision s is normal with sd s."""
        ...


@dataclass(frozen=True, slots=True)
class LognormalFamily:
    """Beliefs that are off by a factor: the precision is the sd of the logarithm."""

    def scaled(self, source: FloatArray, released: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Take logarithms."""
        if bool(np.any(source <= 0)) or bool(np.any(released <= 0)):
            raise IntruderError("lognormal beliefs need positive values; for others give family=NormalFamily()")
        return np.log(source), np.log(released)


@dataclass(frozen=True, slots=True)
class NormalFamily:
    """Beliefs that are off by an amount: the precision is the sd, in sds of the source values."""

    def scaled(self, source: FloatArray, released: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Divide by the sd of the source values."""
        sd = source.std(axis=0)
        if bool(np.any(sd == 0)):
            raise IntruderError(
                "all source values of an attribute are equal, so no spread is relative to theirs; leave it out"
            )
        return source / sd, released / sd


class Knowledge(Protocol):
    """What is known of the respondents the intruder knows."""

    def centres(self, source: FloatArray) -> FloatArray:
        """Give the centre of the belief about each respondent, on the family's scale."""
        ...


@dataclass(frozen=True, slots=True)
class KnownValues:
    """The intruder knows their values, up to the precision."""

    def centres(self, source: FloatArray) -> FloatArray:
        """Give the values."""
        return source


@dataclass(frozen=True, slots=True)
class KnownRanks:
    """The intruder knows their ranks and the distribution: quantiles of a fitted normal stand for the values.

    The quantile of rank i among N is at i / (N + 1) (Duncan and Lambert 1987, 4.3); equal values share a rank.
    """

    def centres(self, source: FloatArray) -> FloatArray:
        """Give the quantiles of the fitted distribution."""
        return np.column_stack([centres_at(fit_normal(x), x.size, rankdata(x)) for x in source.T])


def believed(released: FloatArray, centres: FloatArray, precision: float, known: BoolArray) -> FloatArray:
    """Give the log density of every record under every respondent.

    Respondents who are not known have the population's density: the mean over all respondents.

    >>> f = believed(np.zeros((1, 1)), np.array([[0.0], [1.0]]), 1.0, np.array([True, False]))
    >>> bool(f[0, 1] < f[0, 0])
    True
    """
    table = log_densities(NormalAppearance(centres, sd=precision), released)
    if not bool(known.all()):
        anyone = logsumexp(table, axis=1) - np.log(centres.shape[0])
        table[:, ~known] = anyone[:, None]
    return table
