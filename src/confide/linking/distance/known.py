"""The risk of linkage against the number of variables that the intruder knows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import IntruderError
from confide.linking.distance.encode import distances_for
from confide.linking.distance.linkage import distance_linkage
from confide.linking.distance.part import VariableDistance
from confide.linking.distance.truth import KnownParent, Truth
from confide.release.released import Released
from confide.seeds import Stream

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class KnownVariables:
    """The risk when an intruder knows some number of variables."""

    known: int
    """How many variables are known."""
    possible: int
    """How many sets of so many variables there are."""
    subsets: int
    """How many of them were tried; fewer than possible: a random sample."""
    mean: float
    """The mean share of records linked correctly, over the sets tried."""
    smallest: float
    """The smallest share."""
    largest: float
    """The largest share."""
    worst: tuple[str, ...]
    """The variables with which it is reached."""

    @property
    def sampled(self) -> bool:
        """Whether not all sets were tried."""
        return self.subsets < self.possible


@dataclass(frozen=True, slots=True)
class RiskByNumberKnown:
    """The risk of linkage against the number of variables known."""

    rows: tuple[KnownVariables, ...]
    """One entry for each number of variables."""

    def of(self, known: int) -> KnownVariables:
        """Give the entry of one number of variables."""
        for row in self.rows:
            if row.known == known:
                return row
        raise IntruderError(f"{known} variables were not asked for; there are {[r.known for r in self.rows]}")

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each number of variables."""
        import polars as pl

        names = ("known", "possible", "subsets", "mean", "smallest", "largest")
        return pl.DataFrame([{n: getattr(r, n) for n in names} | {"worst": ", ".join(r.worst)} for r in self.rows])

    def __repr__(self) -> str:
        """Write a small table."""
        lines = ["known  subsets        mean   smallest  largest  worst"]
        for r in self.rows:
            tried = f"{r.subsets}" + (f" of {r.possible}, sampled" if r.sampled else "")
            worst = ", ".join(r.worst)
            lines.append(f"{r.known:5}  {tried:12}  {r.mean:6.4f}  {r.smallest:8.4f}  {r.largest:7.4f}  {worst}")
        return "\n".join(lines)


def risk_by_number_known(
    released: Released,
    variables: Sequence[str | VariableDistance] | None = None,
    *,
    sizes: Sequence[int] | None = None,
    most_subsets: int = 100,
    seed: int = 1,
    replacement: bool = True,
    truth: Truth = KnownParent(),  # noqa: B008  frozen
) -> RiskByNumberKnown:
    """Link by every set of the variables, and give the risk against the number known (Domingo-Ferrer and Torra 2004, 2.1).

    Args:
        released: the released file with its source.
        variables: what an intruder may know, names or distances; None: all variables that both files have.
        sizes: the numbers of variables known; None: one to all.
        most_subsets: where there are more sets of a size, so many different ones are drawn at random.
        seed: for the draw.
        replacement: as for `distance_linkage`.
        truth: as for `distance_linkage`.

    >>> import confide as cf
    >>> source = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "age": [20, 30, 40]}).declare(kinds={"age": "integer"})
    >>> masked = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "age": [22, 34, 36]}).declare(kinds={"age": "integer"})
    >>> risk_by_number_known(cf.Released.from_files(source, masked, same_order=True), ["sex", "age"])
    known  subsets        mean   smallest  largest  worst
        1  2             0.8333    0.6667   1.0000  age
        2  1             1.0000    1.0000   1.0000  sex, age
    """
    distances = distances_for(released, variables)
    d = len(distances)
    wanted = list(range(1, d + 1)) if sizes is None else list(sizes)
    if most_subsets < 1 or not wanted or any(not 1 <= k <= d for k in wanted):
        raise IntruderError(
            f"sizes must lie between 1 and {d}, and most_subsets be at least 1; found {wanted}, {most_subsets}"
        )
    rows = []
    for known in wanted:
        tried = _subsets(d, known, most_subsets, seed)
        shares = [
            distance_linkage(released, [distances[j] for j in subset], replacement=replacement, truth=truth).share
            for subset in tried
        ]
        worst = [n for j in tried[int(np.argmax(shares))] for n in distances[j].variables]
        mean = float(np.mean(shares))
        rows.append(KnownVariables(known, math.comb(d, known), len(tried), mean, min(shares), max(shares), tuple(worst)))
    return RiskByNumberKnown(tuple(rows))


def _subsets(d: int, known: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """Give all sets of so many of d variables, or as many different ones as wanted, drawn at random."""
    if math.comb(d, known) <= most:
        return list(itertools.combinations(range(d), known))
    stream, keys = Stream(seed, f"subsets of {known}"), np.arange(d)
    found: dict[tuple[int, ...], None] = {}
    draw = 0
    while len(found) < most:
        found[tuple(sorted(stream.order(keys, draw)[:known].tolist()))] = None
        draw += 1
    return list(found)
