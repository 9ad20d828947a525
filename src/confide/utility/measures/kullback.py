"""The Kullback-Leibler divergence of tables."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from confide.errors import UtilityError
from confide.release.released import Released
from confide.typing import FloatArray
from confide.utility.cells import check_table, tables
from confide.utility.measure import LOSS, Parts, Utility
from confide.utility.of_variables import OfVariables
from confide.utility.spread import Spread, SpreadEvenly


def kullback_leibler(p: FloatArray, q: FloatArray) -> float:
    """Give sum p log(p/q) of the shares of two tables of counts, in nats; infinite where q lacks a cell that p has.

    >>> round(kullback_leibler(np.array([1.0, 1.0]), np.array([1.0, 3.0])), 6)
    0.143841
    """
    p, q = p / p.sum(), q / q.sum()
    held = p > 0
    if bool(np.any(q[held] == 0)):
        return math.inf
    return max(float(p[held] @ np.log(p[held] / q[held])), 0.0)


@dataclass(frozen=True, slots=True)
class KullbackLeibler(OfVariables):
    """The mean divergence of the released from the source tables, sum p log(p/q), p being source shares.

    Cells that occur in either file get `smoothing` added in both, so that a cell the release lacks does not make it infinite
    (Krichevsky and Trofimov 1981 add 1/2). Numbers are cut, and released categories spread, as in `Hellinger`.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["m", "m", "f", "f"]})
    >>> masked = cf.Microdata.from_dict({"sex": ["m", "f", "f", "f"]})
    >>> round(cf.KullbackLeibler(smoothing=0).of(cf.Released.from_files(data, masked, same_order=True)).value, 6)
    0.143841
    """

    name: ClassVar[str] = "kullback_leibler"
    larger_is_better: ClassVar[bool] = False
    numeric: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = LOSS

    ways: Literal[1, 2] = 1
    """1 for single variables, 2 for pairs of them."""
    bins: int = 10
    """How many intervals numbers are cut into."""
    smoothing: float = 0.5
    """What is added to every cell that occurs in either file."""
    spread: Spread = field(default=SpreadEvenly())
    """What is made of released categories that stand for several values."""

    def __post_init__(self) -> None:
        """Check the settings."""
        OfVariables.__post_init__(self)
        check_table(self.ways, self.bins, self.spread, "KullbackLeibler")
        if not (math.isfinite(self.smoothing) and self.smoothing >= 0):
            raise UtilityError(f"KullbackLeibler: smoothing is 0 or more and finite, found {self.smoothing}")

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return f"Kullback-Leibler divergence, {'single variables' if self.ways == 1 else 'pairs of variables'}"

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = self.files(released)
        made, notes = tables(files, self.variables, self.title, ways=self.ways, bins=self.bins, spread=self.spread)
        found = {}
        for t in made:
            occurs = self.smoothing * ((t.source > 0) | (t.released > 0))
            found[" and ".join(t.names)] = kullback_leibler(t.source + occurs, t.released + occurs)
        parts: Parts = {"table": list(found), "divergence": list(found.values())}
        return Utility(self, float(np.mean(list(found.values()))), parts, None, notes)
