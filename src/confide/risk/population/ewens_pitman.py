"""What Pitman's sampling formula, with Ewens's as its case alpha = 0, says after n of N people have been seen.

People enter one by one. After i of them, in u cells, the next starts a new cell with probability
(theta + u alpha) / (theta + i), and joins a cell of size j with probability (j - alpha) / (theta + i).
"""

from __future__ import annotations

import math

from scipy.special import digamma, gammaln

LARGE = 50.0
"""From here on Stirling's series has full precision."""


def log_ratio(x: float, a: float) -> float:
    """Give log of Gamma(x + a) / Gamma(x) for a small a; for large x by Stirling's series, since a difference loses digits.

    >>> round(math.exp(log_ratio(3.0, 2)), 6), round(math.exp(log_ratio(1e12, 1) - math.log(1e12)), 12)
    (12.0, 1.0)
    """
    if min(x, x + a) < LARGE:
        return float(gammaln(x + a) - gammaln(x))
    z = x + a
    tail = (1 / z - 1 / x) / 12 - (1 / z**3 - 1 / x**3) / 360 + (1 / z**5 - 1 / x**5) / 1260
    return a * math.log(x) + (z - 0.5) * math.log1p(a / x) - a + tail


def stays_alone(theta: float, alpha: float, n: float, population: float) -> float:
    """Give Pr(F = 1 | f = 1): nobody of the N - n people to come joins.

    >>> stays_alone(5.0, 0.0, 10, 100) == 14 / 104
    True
    """
    if alpha == 0:
        return (theta + n - 1) / (theta + population - 1)
    return math.exp(log_ratio(theta + population, alpha - 1) - log_ratio(theta + n, alpha - 1))


def expected_inverse(theta: float, alpha: float, n: float, population: float) -> float:
    """Give E(1/F | f = 1): F - 1 is beta-binomial, with N - n draws, 1 - alpha and theta + n - 1 + alpha."""
    m, c = population - n, theta + n - 1
    if m == 0:
        return 1.0
    if alpha < 1e-9:
        return float(c * (digamma(theta + population) - digamma(c)) / (m + 1)) if c > 0 else 1 / (m + 1)
    if c <= 0:
        # one record, theta from -alpha to 0: Gamma(c) is written as Gamma(c + 1) / c
        grown = math.exp(log_ratio(theta + population, alpha) - log_ratio(c + 1, alpha - 1))
        return (grown - c) / (alpha * (m + 1))
    ratio = log_ratio(theta + population, alpha) - log_ratio(c, alpha)
    return c * math.expm1(ratio) / (alpha * (m + 1))


def expected_uniques(theta: float, alpha: float, n: float, u: float, s1: float, population: float) -> float:
    """Give the number of population uniques to expect, given the sample: those that stay alone, and newcomers that do.

    A newcomer starts a cell with probability (theta + u alpha) / (theta + n), and those after it do not join.
    """
    old = s1 * stays_alone(theta, alpha, n, population)
    if population == n:
        return old
    new = (theta + u * alpha) / (theta + n) * stays_alone(theta, alpha, n + 1, population)
    return old + (population - n) * new


def expected_cells(theta: float, alpha: float, n: float, j: int) -> float:
    """Give the number of cells of size j to expect in a sample of n."""
    if n < j:
        return 0.0
    ways = log_ratio(n - j + 1, j) - float(gammaln(j + 1)) + log_ratio(1 - alpha, j - 1)
    start = math.log(theta) if alpha == 0 else log_ratio(theta + alpha, 1 - alpha)
    return math.exp(ways + start + log_ratio(theta + n, alpha - j))
