"""How many true values a published magnitude leaves, for one who knows the method, its parameters and the grid."""

from __future__ import annotations

import numpy as np

from confide.tables.perturb.fineness import COARSER, unit_of
from confide.tables.perturb.noise import ByLargest, ByMean, MagnitudeNoise
from confide.tables.table import Table
from confide.typing import BoolArray, FloatArray

MANY = 10
"""A published value that leaves fewer true ones gives its cell away."""
Ends = tuple[FloatArray, FloatArray]


def candidates(table: Table, noise: MagnitudeNoise, published: FloatArray) -> FloatArray:
    """Count the true values that are left in each cell.

    Of a cell of one contributor everybody asks for the value, of a cell of two the larger one asks for the other's
    contribution, at most the own one. The amount that the noise is a share of is known with the value then. True values
    are multiples of the table's unit. Infinite where nobody contributes, or contributions may be negative.

    >>> import confide as cf
    >>> table = cf.tabulate(cf.Microdata.from_dict({"a": ["x", "y"], "v": [7000, 9000]}), "a", "v")
    >>> candidates(table, MagnitudeNoise(0.1), np.array([16000.0, 7100, 9100])).tolist()
    [1821.0, 1455.0, 1859.0]
    """
    low, high = noise.reach(table, published)
    found = np.full(table.n, np.inf)
    some = (noise.by.amounts(table) > 0) & np.isfinite(high)
    step = noise.step(table)
    unit = unit_of(table) or step / COARSER
    active = table.respondents if table.active is None else table.active
    many = np.ones(table.n) if active is None else active
    alone, pair = some & (many <= 1), some & (many == 2)
    found[some] = _inside(low[some], high[some], unit)
    found[alone] = _either(*_shares(noise, published[alone], step, 1.0), unit)
    own = table.largest[pair, 0]
    down, up = _pair(noise, published[pair], own, step)
    one, other = ((np.maximum(a - own, 0.0), np.minimum(b - own, own)) for a, b in (down, up))
    before = _inside(np.zeros(own.size), own, unit)  # what the larger one knows without the table
    left = _either(one, other, unit)
    found[pair] = np.where(left < np.minimum(before, MANY), left, np.maximum(left, MANY))
    return found


def few(table: Table, noise: MagnitudeNoise, published: FloatArray) -> BoolArray:
    """Say which cells are given away: fewer than ten true values are left."""
    return np.asarray(candidates(table, noise, published) < MANY)


def _shares(noise: MagnitudeNoise, published: FloatArray, step: float, part: float) -> tuple[Ends, Ends]:
    """Bound values whose noise is a share of a part of themselves, for noise up and for noise down."""
    low, high = np.maximum(published - step / 2, 0.0), published + step / 2
    most, least = part * noise.share, part * noise.share * noise.least
    return (low / (1 + most), high / (1 + least)), (low / (1 - least), high / (1 - most))


def _pair(noise: MagnitudeNoise, published: FloatArray, own: FloatArray, step: float) -> tuple[Ends, Ends]:
    """Bound the values of cells of two contributors, for the larger one."""
    if isinstance(noise.by, ByLargest) and noise.by.top == 1:
        low, high = published - step / 2, published + step / 2
        most, least = noise.share * own, noise.share * noise.least * own
        return (low - most, high - least), (low + least, high + most)
    return _shares(noise, published, step, 0.5 if isinstance(noise.by, ByMean) else 1.0)


def _either(one: Ends, other: Ends, unit: float) -> FloatArray:
    """Count the multiples of a unit in one interval or the other."""
    both = np.maximum(one[0], other[0]), np.minimum(one[1], other[1])
    return _inside(*one, unit) + _inside(*other, unit) - _inside(*both, unit)


def _inside(low: FloatArray, high: FloatArray, unit: float) -> FloatArray:
    """Count the multiples of a unit in intervals, 0 where they are empty."""
    return np.asarray(np.maximum(np.floor(high / unit + 1e-9) - np.ceil(low / unit - 1e-9) + 1, 0.0))
