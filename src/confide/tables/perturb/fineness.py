"""How fine the true values of a table are, and the coarser grid on which noisy ones are published."""

from __future__ import annotations

import numpy as np

from confide.tables.table import Table
from confide.typing import FloatArray

MOST_DECIMALS = 6
"""Values with more decimals are taken to be unrounded."""
ROUND = 20
"""Values are taken to be round, such as whole thousands, only where so many different ones are."""
COARSER = 20
"""How many units of the true values lie in one step: at least ten true values lead to each published one, also to 0."""


def unit_of(table: Table) -> float | None:
    """Give the power of ten of which all values and contributions are multiples, as everybody may guess it; None: unrounded.

    >>> import confide as cf
    >>> unit_of(cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3.25, 4]}), "sex", "x"))
    0.01
    """
    seen = np.unique(np.abs(np.concatenate([table.values, table.largest.ravel()])))
    seen = seen[seen > 0]
    if not seen.size:
        return 1.0
    # coarser than 1 by chance in a small table, which would make the grid coarse for nothing
    most = int(np.floor(np.log10(seen[-1]))) if seen.size >= ROUND else 0
    for power in range(max(most, 0), -MOST_DECIMALS - 1, -1):
        scaled = seen / 10.0**power if power >= 0 else seen * 10.0**-power
        if bool(np.all(np.abs(scaled - np.rint(scaled)) <= min(1e-13 * float(scaled[-1]) + 1e-9, 0.01))):
            return float(10.0**power) if power >= 0 else 1 / 10.0**-power
    return None


def grid_of(table: Table, noise: FloatArray) -> float:
    """Give the step of published values: twenty units of true ones, or a power of ten below the noise where these have none.

    >>> import confide as cf
    >>> grid_of(cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3, 4]}), "sex", "x"), np.ones(3))
    20.0
    """
    unit = unit_of(table)
    if unit is not None:
        return COARSER * unit
    size = float(np.median(noise[noise > 0])) if bool((noise > 0).any()) else 1.0
    return float(10.0 ** np.floor(np.log10(size)))


def on_grid(values: FloatArray, step: float) -> FloatArray:
    """Round to multiples of a step, without what binary arithmetic leaves behind the last digit.

    >>> on_grid(np.array([0.34, 17.0]), 0.2).tolist()
    [0.4, 17.0]
    """
    whole, parts = np.rint(values / step), round(1 / step)
    exact = parts > 0 and abs(parts * step - 1) <= 1e-12 * parts
    return np.asarray((whole / parts if exact else whole * step) + 0.0)
