"""Who looks at a published table, and what they know of its cells beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from confide.errors import TableError
from confide.tables.system import System
from confide.typing import AnyArray, FloatArray, IntArray

ROUNDING = 1e-9
"""Bounds that differ from a value by less than this share of it say that it is known."""


@dataclass(frozen=True, slots=True)
class Attacker:
    """Somebody with bounds on some cells that are tighter than everybody's.

    Everybody is `Attacker("external")`. One who knows a whole cell, such as its only respondent, is
    `Attacker.knowing(system, [cell])`; one who contributes to a cell with others knows it to be at least the own amount:
    `Attacker.contributing({cell: amount})`. A coalition has several cells. What contributors know of a cell by themselves
    limits how uncertain it can be to them, and no more is asked.
    """

    name: str
    lower: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))
    """What the attacker knows cells to be at least."""
    upper: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))
    """What the attacker knows cells to be at most."""

    @classmethod
    def knowing(cls, system: System, cells: Iterable[int] | AnyArray, name: str | None = None) -> Attacker:
        """Make an attacker who knows cells exactly.

        >>> import numpy as np
        >>> system = System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]))
        >>> Attacker.knowing(system, [1]).name
        'insider of cell 1'
        """
        known = {int(c): float(system.values[c]) for c in system.cells(cells, "known cells")}
        return cls(name or f"insider of {system.listed(known, 3)}", known, known)

    @classmethod
    def contributing(cls, amounts: Mapping[int, float], name: str | None = None) -> Attacker:
        """Make an attacker who contributes amounts to cells and knows the other contributions not to be negative.

        >>> Attacker.contributing({3: 25.0}).name
        'contributor to 3'
        """
        return cls(name or f"contributor to {', '.join(str(c) for c in list(amounts)[:3])}", dict(amounts))

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of which the attacker knows more than everybody."""
        return tuple(sorted({int(c) for c in self.lower} | {int(c) for c in self.upper}))

    def room(self, system: System, cells: IntArray) -> tuple[FloatArray, FloatArray]:
        """Give how far below and above their values cells can be for all that the attacker knows of each of them.

        Nobody can be kept from what the own contributions tell, so that no more than this can be asked of the cells.
        """
        down, up = np.full(cells.size, np.inf), np.full(cells.size, np.inf)
        for k in np.flatnonzero(np.isin(cells, self.cells)).tolist():
            c = int(cells[k])
            x = float(system.values[c])
            dust = ROUNDING * max(1.0, abs(x))
            least, most = self.lower.get(c, -np.inf), self.upper.get(c, np.inf)
            ends = x - max(least, float(system.lower[c])), min(most, float(system.upper[c])) - x
            down[k], up[k] = (end if end > dust else 0.0 for end in ends)
        return down, up

    def bounds(self, system: System) -> tuple[FloatArray, FloatArray]:
        """Give how far down and up all cells can go for what everybody and the attacker know of each of them.

        >>> import numpy as np
        >>> system = System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]))
        >>> Attacker("firm", {1: 3.0}).bounds(system)[0].tolist()
        [-10.0, -1.0, -6.0]
        """
        x = system.values
        low, high = np.minimum(system.lower - x, 0.0), np.maximum(system.upper - x, 0.0)
        for c, least in self.lower.items():
            low[c] = min(max(low[c], least - x[c]), 0.0)
        for c, most in self.upper.items():
            high[c] = max(min(high[c], most - x[c]), 0.0)
        return low, high

    def checked(self, system: System) -> Attacker:
        """Refuse knowledge that contradicts the table."""
        system.cells(self.cells, self.name)
        for c in self.cells:
            x = float(system.values[c])
            slack = ROUNDING * max(1.0, abs(x))
            if self.lower.get(c, x) > x + slack or self.upper.get(c, x) < x - slack:
                raise TableError(
                    f"attacker {self.name!r} is given bounds that {system.name(c)} does not meet; mend the bounds"
                )
        return self


def insiders(system: System, cells: Iterable[int] | AnyArray) -> tuple[Attacker, ...]:
    """Make one attacker for each cell: its only respondent, who knows it exactly.

    >>> import numpy as np
    >>> system = System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]))
    >>> [a.name for a in insiders(system, [1, 2])]
    ['insider of cell 1', 'insider of cell 2']
    """
    return tuple(Attacker.knowing(system, [c]) for c in system.cells(cells, "insiders"))
