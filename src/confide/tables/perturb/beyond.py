"""Secret amounts beyond the protection levels, by which an adjustment moves sensitive cells."""

from __future__ import annotations

import hashlib

import numpy as np

from confide.tables.perturb.fineness import COARSER, unit_of
from confide.tables.perturb.keys import RecordKeys
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.tables.table import Table
from confide.typing import FloatArray, IntArray

PURPOSE = "adjustment amounts"


def beyond(table: Table, system: System, asked: Protection, keys: RecordKeys) -> Protection:
    """Raise each level by a random amount between nothing and the level, or twenty units of the table if that is more.

    Levels are a known share of the value by many rules. A cell that moved by just its level could be found by dividing.
    Where the table has decimals, raised levels keep to them. An amount hangs on the name of the cell and its value, so that
    it is the same when the table is made again, and another one when it changes. Bounds of a cell limit it.

    Args:
        table: the table, which tells the units.
        system: its cells.
        asked: the levels.
        keys: what the amounts hang on.
    """
    s, unit = asked.sensitive, unit_of(table)
    uniform = keys.draws(PURPOSE).uniform(_units(system, s))
    x, half = system.values[s], asked.sliding[s] / 2
    found = []
    for level, room in (
        (np.maximum(asked.lower[s], half), x - system.lower[s]), (np.maximum(asked.upper[s], half), system.upper[s] - x),
    ):  # fmt: skip
        far = _up(level + uniform * np.maximum(level, COARSER * (unit or 0.0)), unit)
        near = _up(level + uniform * np.maximum(room - level, 0.0), unit)  # where bounds do not let it go so far
        far = np.where(far <= room, far, np.where(near <= room, near, level))
        every = np.zeros(system.n)
        every[s] = np.where(level > 0, far, 0.0)
        found.append(every)
    return Protection(found[0], found[1], asked.sliding)


def in_units(table: Table, values: FloatArray) -> FloatArray:
    """Take away what a solver left beside whole units, where all values are that near to them."""
    unit = unit_of(table)
    if unit is None:
        return values
    near = np.rint(values / unit)
    if bool((np.abs(values / unit - near) > 1e-6).any()):
        return values
    return np.asarray((near * unit if unit >= 1 else near / np.rint(1 / unit)) + 0.0)


def _up(amounts: FloatArray, unit: float | None) -> FloatArray:
    """Round up to whole units; None: leave them."""
    if unit is None:
        return amounts
    finite = np.isfinite(amounts)
    return np.where(finite, np.ceil(np.where(finite, amounts, 0.0) / unit - 1e-9) * unit, amounts)


def _units(system: System, cells: IntArray) -> IntArray:
    """Give each cell a number of its own, of its name and its value."""
    texts = (f"{system.name(c)}\x1f{system.values[c]!r}" for c in cells.tolist())
    digests = (hashlib.sha256(t.encode()).digest()[:8] for t in texts)
    return np.array([int.from_bytes(d, "little") >> 1 for d in digests], dtype=np.int64)
