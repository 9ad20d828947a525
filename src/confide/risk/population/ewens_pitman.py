"""What Pitman's sampling formula, with Ewens's as its case alpha = 0, says after n of N people have been seen.

People enter one by one. After i of them, in u cells, the next starts a new cell with probability
(theta + u alpha) / (theta + i), and joins a cell of size j with probability (j - alpha) / (theta + i).
"""

from __future__ import annotations

import math

from scipy.special import digamma, gammaln


def rising(x: float, m: float) -> float:
    """Give log of Gamma(x + m) / Gamma(x), the rising factorial; for large x without the loss of digits of a difference.

    >>> round(math.exp(rising(3.0, 2)), 6)
    12.0
    """
    if x > 1e8 * max(abs(m), 1.0):
        return float(m * math.log(x) + m * (m - 1) / (2 * x))
    return float(gammaln(x + m) - gammaln(x))


def stays_alone(theta: float, alpha: float, n: float, population: float) -> float:
    """Give Pr(F = 1 | f = 1): nobody of the N - n people to come joins.

    >>> stays_alone(5.0, 0.0, 10, 100) == 14 / 104
    True
    """
    if alpha == 0:
        return (theta + n - 1) / (theta + population - 1)
    b = theta + n - 1 + alpha
    return math.exp(rising(b, population - n) - rising(theta + n, population - n))


def expected_inverse(theta: float, alpha: float, n: float, population: float) -> float:
    """Give E(1/F | f = 1): F - 1 is beta-binomial, with N - n draws, 1 - alpha and theta + n - 1 + alpha."""
    m, c = population - n, theta + n - 1
    if m == 0:
        return 1.0
    if alpha < 1e-9:
        return float(c * (digamma(theta + population) - digamma(c)) / (m + 1)) if c > 0 else 1 / (m + 1)
    ratio = rising(c + alpha, m + 1) - rising(c, m + 1)
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
    ways = gammaln(n + 1) - gammaln(j + 1) - gammaln(n - j + 1)
    if alpha == 0:
        log = ways + gammaln(j) + math.log(theta) - rising(theta + n - j, j)
        return math.exp(float(log))
    log = ways + rising(1 - alpha, j - 1) + rising(theta + alpha, n - j) - rising(theta + 1, n - 1)
    return math.exp(float(log))
