"""The risk that replicates estimate, without replicates: eqs (6) and (7) for given values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from confide.errors import MapError
from confide.rumap import check
from confide.rumap.analytic.order import legendre
from confide.rumap.empirical.estimates import sample_of
from confide.rumap.empirical.masking import AddedNoise
from confide.rumap.kernels import at_least
from confide.typing import FloatArray

NODES = 300
"""Nodes on either side of the target."""
MOST_WORK = 3e10
"""Elementary operations, some 30 seconds."""


def given_sample_risk(
    x: Sequence[float] | FloatArray, rank: int, lambda2: float, masking: AddedNoise | None = None
) -> float:
    """Give 1/E(x_(k) - Y_(k))² over the noise alone, eqs (6) and (7), for the values of a file.

    The chance that the k-th smallest masked value is at most y is that of at least k independent events, and a bound moves
    no place. The integral is a Gauss-Legendre quadrature with a relative error below 1e-7. This is what an empirical map
    with position knowledge approaches with ever more replicates.

    Args:
        x: the true values, one per record.
        rank: k, the place of the target from below.
        lambda2: the variance of the noise.
        masking: bounds and unequal variances; None: neither.

    >>> round(given_sample_risk([2.0, 3.0, 5.0, 8.0, 20.0], 5, 0.25), 6)
    4.0
    """
    sample, how = sample_of(x), AddedNoise() if masking is None else masking
    n, noise = sample.x.size, float(check.noise(lambda2))
    if not 1 <= rank <= n:
        raise MapError(f"rank is a place from 1 to n = {n}, found {rank!r}")
    if 2.0 * NODES * n * min(rank, n - rank + 1) > MOST_WORK:
        raise MapError(f"the exact risk of rank {rank:,} among {n:,} records takes too long; make an empirical map")
    if noise == 0:
        return float("inf")
    values = sample.x[sample.order]
    sds, target = np.sqrt(noise) * how.factors(values), float(values[rank - 1])
    far = float(sds.max()) * -float(ndtri(1e-18 / n))
    room = [far if bound is None else min(far, abs(bound - target)) for bound in (how.lower, how.upper)]
    squared = 0.0
    for sign, reach in zip((-1.0, 1.0), room, strict=True):
        # 2 ∫ d P(beyond the target by more than d) dd, with nodes that crowd near the target
        t, w = legendre(NODES)
        d = reach * t**2
        beyond = ndtr(sign * (values - (target + sign * d)[:, None]) / sds)
        p = at_least(rank if sign < 0 else n - rank + 1, beyond)
        squared += float(2 * np.sum(w * 2 * reach * t * d * p))
    return float(check.reciprocal(np.asarray(squared)))
