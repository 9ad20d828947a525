"""Whether totals are the sums of their parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from confide.errors import TableError
from confide.typing import FloatArray, IntArray

SHOWN = 10


@dataclass(frozen=True, slots=True, eq=False)
class Additivity:
    """The sums of a table that do not add up."""

    sums: int
    """How many sums there are."""
    wrong: IntArray
    """The equations that do not hold, as rows of `Table.equations()`."""
    totals: IntArray
    """The cell that is the total of each of these."""
    excess: FloatArray
    """By how much the total is larger than the sum of its parts."""
    names: tuple[str, ...]
    """The totals by their codes."""

    @classmethod
    def of(cls, equations: csr_array, values: FloatArray, name: Callable[[int], str], tolerance: float) -> Additivity:
        """Compare totals with their parts."""
        off = equations @ values
        wrong = np.flatnonzero(np.abs(off) > tolerance * (abs(equations) @ np.abs(values))).astype(np.int64)
        chosen = equations[wrong]
        totals = chosen.indices[chosen.data < 0].astype(np.int64)
        return cls(int(equations.shape[0]), wrong, totals, -off[wrong], tuple(name(int(c)) for c in totals))

    @property
    def holds(self) -> bool:
        """Whether every total is the sum of its parts."""
        return self.wrong.size == 0

    def check(self) -> None:
        """Raise with the cells where a sum does not add up."""
        if not self.holds:
            shown, more = self._shown(lambda i: self.names[i])
            raise TableError(
                f"{self.wrong.size:,} of {self.sums:,} sums do not add up: those of {shown}{more}; mend the cells, or allow "
                "a difference: tolerance=...; Table.additivity() says by how much"
            )

    def __repr__(self) -> str:
        """List the totals that are not the sum of their parts."""
        if self.holds:
            return f"all {self.sums:,} sums add up"
        shown, more = self._shown(lambda i: f"{self.names[i]} by {self.excess[i]:+.6g}")
        return f"{self.wrong.size:,} of {self.sums:,} sums do not add up; the total exceeds its parts at {shown}{more}"

    def _shown(self, say: Callable[[int], str]) -> tuple[str, str]:
        """Tell of the worst, and how many more there are."""
        worst = np.argsort(-np.abs(self.excess), kind="stable")[:SHOWN]
        more = f"; {self.wrong.size - SHOWN:,} more" if self.wrong.size > SHOWN else ""
        return "; ".join(say(int(i)) for i in worst), more
