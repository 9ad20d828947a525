"""How much uncertainty about a cell must remain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from confide.errors import TableError
from confide.tables.rules.rule import Rule
from confide.tables.system import System
from confide.tables.table import Table
from confide.typing import AnyArray, BoolArray, FloatArray, IntArray

TOLERANCE = 1e-6
"""Intervals narrower than asked by this share are taken as wide enough; the solver's rounding is smaller."""


@dataclass(frozen=True, slots=True, eq=False)
class Protection:
    """Protection levels of cells; 0 where nothing is asked.

    The interval that an attacker deduces must reach down to value - lower, up to value + upper, and be at least
    `sliding` wide.

    >>> import numpy as np
    >>> Protection(np.array([0.0, 2.0]), np.array([0.0, 2.0])).sensitive.tolist()
    [1]
    """

    lower: FloatArray
    """How far below the value the interval must reach, for each cell of the system."""
    upper: FloatArray
    """How far above."""
    sliding: FloatArray = None  # type: ignore[assignment]
    """How wide it must be; None: nothing beyond the other two."""

    def __post_init__(self) -> None:
        """Check the levels."""
        zero = np.zeros(np.size(self.lower))
        for name, given in (("lower", self.lower), ("upper", self.upper), ("sliding", self.sliding)):
            found = np.array(zero if given is None else given, dtype=np.float64)
            if found.shape != zero.shape or not bool(np.all(np.isfinite(found) & (found >= 0))):
                raise TableError(f"protection levels ({name}) must be finite and not negative, one for each cell")
            found.setflags(write=False)
            object.__setattr__(self, name, found)

    @classmethod
    def of(
        cls, system: System, sensitive: Iterable[int] | AnyArray, share: float = 0.1, *, least: float = 0.0
    ) -> Protection:
        """Ask for a share of each sensitive value in both directions, at least an amount.

        A cell that is known not to be negative cannot be protected downwards by more than its value.

        >>> system = System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]))
        >>> Protection.of(system, [1], 0.25).upper.tolist()
        [0.0, 1.0, 0.0]
        """
        cells = system.cells(sensitive, "sensitive")
        upper = np.zeros(system.n)
        upper[cells] = _attainable(system, np.maximum(share * np.abs(system.values[cells]), least))
        return cls(np.minimum(upper, system.values - system.lower), np.minimum(upper, system.upper - system.values))

    @classmethod
    def not_exact(cls, system: System, sensitive: Iterable[int] | AnyArray) -> Protection:
        """Ask only that no sensitive value can be computed: its interval must have some width, of counts two numbers.

        >>> system = System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]))
        >>> Protection.not_exact(system, [1]).sensitive.tolist()
        [1]
        """
        cells = system.cells(sensitive, "sensitive")
        zero, width = np.zeros(system.n), np.zeros(system.n)
        least = 1e-3 * float(np.abs(system.values).max(initial=1e-9))
        width[cells] = 1.0 if system.whole else 1e-3 * np.maximum(np.abs(system.values[cells]), least)
        return cls(zero, zero, width)

    @classmethod
    def by_rule(cls, rule: Rule, table: Table) -> Protection:
        """Ask for what a rule asks; where it only calls a cell sensitive, that it cannot be computed.

        Cells that are known not to be negative are not asked to reach below 0.

        >>> import confide as cf
        >>> people = cf.Microdata.from_dict({"sex": ["f", "m", "m"], "x": [3, 4, 5]})
        >>> Protection.by_rule(cf.MinimumFrequency(2), cf.tabulate(people, ["sex"], "x")).sensitive.tolist()
        [1]
        """
        found = rule.protection(table)
        return cls.of_levels(System.of_table(table, tolerance=np.inf), found.lower, found.upper, rule.sensitive(table))

    @classmethod
    def of_levels(cls, system: System, lower: AnyArray, upper: AnyArray, sensitive: AnyArray) -> Protection:
        """Ask for levels, where there are none only that a sensitive cell cannot be computed.

        Cells that are known not to be negative are not asked to reach below 0. Levels of whole numbers are rounded up.

        >>> system = System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]), whole=True)
        >>> Protection.of_levels(system, np.array([0, 0.4, 0]), np.array([0, 0.4, 0]), np.array([0, 1, 0])).upper.tolist()
        [0.0, 1.0, 0.0]
        """
        down, up = _attainable(system, np.asarray(lower)), _attainable(system, np.asarray(upper))
        down = np.minimum(down, system.values - system.lower)
        bare = np.asarray(sensitive, dtype=np.bool_) & (down <= 0) & (up <= 0)
        if system.whole:
            return cls(down, np.where(bare, 1.0, up))
        return cls(down, up, cls.not_exact(system, bare).sliding)

    @property
    def sensitive(self) -> IntArray:
        """The cells for which something is asked."""
        return np.flatnonzero((self.lower > 0) | (self.upper > 0) | (self.sliding > 0)).astype(np.int64)

    def met(
        self, cells: IntArray, below: FloatArray, above: FloatArray, most: tuple[FloatArray, FloatArray] | None = None
    ) -> BoolArray:
        """Say which cells have their protection, from how far their intervals reach below and above the values.

        Args:
            cells: the cells.
            below: how far their intervals reach below the values.
            above: how far above.
            most: how far below and above the attacker's own knowledge lets them be, which limits what can be asked.
        """
        low, high, wide = (level[cells] for level in (self.lower, self.upper, self.sliding))
        if most is not None:
            low, high, wide = np.minimum(low, most[0]), np.minimum(high, most[1]), np.minimum(wide, most[0] + most[1])
        low, high, wide = (level * (1 - TOLERANCE) for level in (low, high, wide))
        return np.asarray((below >= low) & (above >= high) & (below + above >= wide), dtype=np.bool_)


def _attainable(system: System, level: FloatArray) -> FloatArray:
    """Round a level up where values are known to be whole: an interval reaches from one whole number to another."""
    return np.asarray(np.ceil(level - TOLERANCE) + 0.0 if system.whole else level, dtype=np.float64)
