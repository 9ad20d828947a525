"""The Hellinger distance of tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from confide.release.released import Released
from confide.typing import FloatArray
from confide.utility.cells import check_table, tables
from confide.utility.measure import SHARE, Parts, Utility
from confide.utility.of_variables import OfVariables
from confide.utility.spread import Spread, SpreadEvenly


def hellinger_distance(p: FloatArray, q: FloatArray) -> float:
    """Give the Hellinger distance of two tables of counts, from 0 (equal shares) to 1 (no cell in common).

    It is sqrt(1 - sum sqrt(p q)) of shares p and q.

    >>> hellinger_distance(np.array([1.0, 1.0]), np.array([2.0, 2.0])), hellinger_distance(np.eye(2)[0], np.eye(2)[1])
    (0.0, 1.0)
    """
    a, b = np.sqrt(p / p.sum()), np.sqrt(q / q.sum())
    return float(min(np.sqrt(np.square(a - b).sum() / 2), 1.0))


@dataclass(frozen=True, slots=True)
class Hellinger(OfVariables):
    """The mean Hellinger distance of the tables of single variables, or of all pairs of them.

    Numbers are cut at quantiles of the source into `bins` intervals, one more below and one above all source values.
    Missing is a level. A released category that stands for several values is spread over them (see `SpreadEvenly`), so that
    a coarser recoding is further away than a finer one. A variable that is not released, wholly blank or recoded into one
    category has no cell in common with the source: its distance is 1.

    >>> import confide as cf
    >>> cps = cf.examples.cps()
    >>> swapped = cf.Release(cf.Swap("race", rate=0.5)).apply(cps, seed=1)
    >>> [round(cf.Hellinger(["race", "marital"], ways).of(swapped).value, 3) for ways in (1, 2)]
    [0.001, 0.037]
    >>> coarser = cf.Recode("age", width=5), cf.Recode("age", width=20), cf.Drop("age")
    >>> [round(cf.Hellinger("age").of(cf.Release(m).apply(cps, seed=1)).value, 3) for m in coarser]
    [0.007, 0.064, 1.0]
    """

    name: ClassVar[str] = "hellinger"
    larger_is_better: ClassVar[bool] = False
    numeric: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = SHARE

    ways: Literal[1, 2] = 1
    """1 for single variables, 2 for pairs of them."""
    bins: int = 10
    """How many intervals numbers are cut into."""
    spread: Spread = field(default=SpreadEvenly())
    """What is made of released categories that stand for several values."""

    def __post_init__(self) -> None:
        """Check the settings."""
        OfVariables.__post_init__(self)
        check_table(self.ways, self.bins, self.spread, "Hellinger")

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return f"Hellinger distance, {'single variables' if self.ways == 1 else 'pairs of variables'}"

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = self.files(released)
        made, notes = tables(files, self.variables, self.title, ways=self.ways, bins=self.bins, spread=self.spread)
        found = {" and ".join(t.names): hellinger_distance(t.source, t.released) for t in made}
        parts: Parts = {"table": list(found), "distance": list(found.values())}
        return Utility(self, float(np.mean(list(found.values()))), parts, None, notes)
