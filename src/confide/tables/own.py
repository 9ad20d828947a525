"""What attackers can work out from their own knowledge alone, whatever is published."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csc_array

from confide.tables.attackers import Attacker
from confide.tables.system import System
from confide.typing import FloatArray

MOST = 2000
"""How many equations are followed for one attacker."""


def with_own_conclusions(system: System, attackers: Sequence[Attacker]) -> tuple[Attacker, ...]:
    """Add what follows for other cells: a total is at least what is known of its parts, a part at most what its total is.

    Nobody can be kept from these conclusions, so that no protection is asked that contradicts them. Equations are followed
    one by one; knowledge that contradicts the table is refused.

    >>> table = System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]))
    >>> with_own_conclusions(table, [Attacker("firm", {1: 3.0})])[0].lower
    {1: 3.0, 0: 3.0}
    """
    columns = csc_array(system.equations) if attackers else csc_array(system.equations.shape)
    return tuple(_concluded(system, columns, a.checked(system)) for a in attackers)


def _concluded(system: System, columns: csc_array, attacker: Attacker) -> Attacker:
    """Follow the equations of what is known, and of what follows from it."""
    a = system.equations
    lower, upper = dict(attacker.lower), dict(attacker.upper)
    front, left = list(attacker.cells), MOST
    while front and left > 0:
        rows = np.unique(np.concatenate([columns.indices[columns.indptr[c] : columns.indptr[c + 1]] for c in front]))
        front = []
        for row in rows[:left].tolist():
            cells, signs = (z[a.indptr[row] : a.indptr[row + 1]] for z in (a.indices, a.data))
            x, cell = system.values[cells], cells.tolist()
            low = np.array([lower.get(c, b) for c, b in zip(cell, system.lower[cells].tolist(), strict=True)])
            high = np.array([upper.get(c, b) for c, b in zip(cell, system.upper[cells].tolist(), strict=True)])
            least, most = _ends(signs, low, high)
            slack = 1e-9 * np.maximum(np.abs(x), 1.0)
            for k in np.flatnonzero(least > low + slack).tolist():
                lower[cell[k]] = float(min(least[k], x[k]))
                front.append(cell[k])
            for k in np.flatnonzero(most < high - slack).tolist():
                upper[cell[k]] = float(max(most[k], x[k]))
                front.append(cell[k])
        left -= rows.size
    return Attacker(attacker.name, lower, upper)


def _ends(signs: FloatArray, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Bound each cell of an equation by the bounds of the others."""
    small, large = np.where(signs > 0, low, -high), np.where(signs > 0, high, -low)
    rest_small, rest_large = _others(small), _others(large)
    return np.where(signs > 0, -rest_large, rest_small), np.where(signs > 0, -rest_small, rest_large)


def _others(part: FloatArray) -> FloatArray:
    """Sum all but each; one infinite entry makes the sums of the others infinite."""
    endless = np.isinf(part)
    finite = np.where(endless, 0.0, part)
    total, count = finite.sum(), int(endless.sum())
    sign = part[endless][0] if count else 0.0
    return np.where(count - endless > 0, sign, total - finite)
