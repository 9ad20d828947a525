"""Zayatz's equivalence class model: the population's cells are sized as the sample's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from confide.risk.population.fit import PopulationFit, unfit
from confide.risk.population.sizes import Sizes
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class Zayatz:
    """The equivalence class model (Zayatz 1991): a share s_j / u of the cells of the population has size j.

    Then Bayes' rule gives Pr(F = 1 | f = 1), with f given F hypergeometric. Nothing is fitted. The sample's cells are
    smaller than the population's, so for small sampling fractions the estimate is too high; `sample_uniques` shows it.
    """

    def fit(self, sizes: Sizes) -> PopulationFit:
        """Apply Bayes' rule.

        Raises:
            ModelError: no record is unique.
        """
        s1, n, people = sizes.of(1), sizes.n, sizes.population
        if not s1:
            raise unfit(
                "Zayatz()",
                f"none of {n:,} records is unique, and the model takes the share of uniques from the sample",
                "No record of this file can be a population unique; for those outside it take model=Ewens()",
            )
        size = sizes.size.astype(np.float64)
        share = sizes.many / sizes.cells
        alone: FloatArray = share * drawn(1, size, n, people)
        probability = float(alone[0] / alone.sum())
        cells = people / float((sizes.size * share).sum())
        pairs = share * drawn(2, size, n, people)
        return PopulationFit(
            self,
            s1 * probability / sizes.fraction,
            probability,
            float((alone / sizes.size).sum() / alone.sum()),
            {},
            None,
            cells * float(alone.sum()),
            cells * float(pairs.sum()),
            0,
        )

    def describe(self) -> str:
        """Say it in words."""
        return "Zayatz"


def drawn(f: int, size: FloatArray, n: float, population: float) -> FloatArray:
    """Give Pr(f | F) of a sample of n from N: hypergeometric.

    >>> drawn(1, np.array([1.0, 2.0]), 5, 10).round(4).tolist()
    [0.5, 0.5556]
    """
    rest, miss = size - f, population - n
    inside = (rest >= 0) & (rest <= miss)
    size, rest = size[inside], rest[inside]
    log = _log_choose(size, f) + _log_choose(population - size, n - f) - _log_choose(np.asarray(population), n)
    found = np.zeros(inside.size)
    found[inside] = np.exp(np.minimum(log, 0.0))
    return found


def _log_choose(n: FloatArray, k: FloatArray | float) -> FloatArray:
    """Give the log of n choose k."""
    return np.asarray(gammaln(n + 1) - gammaln(np.asarray(k) + 1) - gammaln(n - k + 1))
