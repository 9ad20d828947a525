"""How large would the best probability be by chance, if the target had not been released?"""

from __future__ import annotations

import numpy as np

from confide.errors import IntruderError
from confide.seeds import Stream
from confide.typing import FloatArray


def one_against_alike(ratios: FloatArray, respondents: int) -> FloatArray:
    """Give p of every record when the target has one density and all others share another (Lambert 1993, 4.2.4).

    With r the ratio of the target's to the others' density at each record, eq. (4.1) becomes
    r / (sum of r + N - n).

    Args:
        ratios: the ratios of densities, records last.
        respondents: N.

    >>> one_against_alike(np.array([2.0, 1.0]), 3).tolist()
    [0.5, 0.25]
    """
    n = ratios.shape[-1]
    if n > respondents:
        raise IntruderError(f"more records than respondents: {n} records, {respondents} respondents")
    return np.asarray(ratios / (ratios.sum(axis=-1, keepdims=True) + respondents - n), dtype=np.float64)


def best_by_chance(
    target: tuple[float, float],
    others: tuple[float, float],
    *,
    respondents: int,
    released: int,
    samples: int = 10_000,
    seed: int = 0,
) -> FloatArray:
    """Simulate the largest link probability of a target who was not released (Lambert 1993, 4.2.4).

    All released records are drawn from the others' lognormal distribution. An intruder whose best
    probability is no larger than what chance gives has little reason to act.

    Args:
        target: mean and sd of the logarithm under the target.
        others: mean and sd of the logarithm under everyone else.
        respondents: N.
        released: n.
        samples: how many releases are simulated.
        seed: the seed of the simulation.

    >>> chance = best_by_chance((0, 1), (2, 1), respondents=100, released=10, samples=2000, seed=1)
    >>> bool(0.04 < chance.mean() < 0.07)
    True
    """
    keys = np.arange(samples * released, dtype=np.int64)
    x = others[0] + others[1] * Stream(seed, "best by chance").normal(keys).reshape(samples, released)
    log_ratio = 0.5 * ((x - others[0]) / others[1]) ** 2 - 0.5 * ((x - target[0]) / target[1]) ** 2
    ratio = np.exp(log_ratio) * others[1] / target[1]
    return np.asarray(one_against_alike(ratio, respondents).max(axis=1), dtype=np.float64)
