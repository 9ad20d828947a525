"""How much better one frontier is than another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from confide.errors import MapError
from confide.rumap.general.map import RUMap
from confide.rumap.point import Point


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two maps with the same axes: where the first offers more utility at no more risk than the second."""

    first: RUMap
    """The map that is hoped to be better."""
    second: RUMap
    """The map it is compared with."""
    pairs: tuple[tuple[Point, Point | None], ...]
    """Each point of the second frontier, with the best of the first at no more risk; None: there is none."""
    dominated: tuple[float, float]
    """The area below each frontier, from the riskiest and least useful point of both."""

    @property
    def better(self) -> int:
        """At how many points of the second frontier the first is strictly more useful."""
        return sum(self._gain(a, b) > 0 for a, b in self.pairs if b is not None)

    @property
    def largest_gain(self) -> tuple[Point, Point] | None:
        """The pair with the largest gain in utility; None: there is no gain."""
        found = [(a, b) for a, b in self.pairs if b is not None and self._gain(a, b) > 0]
        return max(found, key=lambda pair: self._gain(*pair)) if found else None

    def _gain(self, a: Point, b: Point) -> float:
        """Give what the second point has more of."""
        return (b.utility - a.utility) * (1.0 if self.first.utility.larger_is_better else -1.0)

    def __repr__(self) -> str:
        """Say how many points are better, and by how much."""
        head = f"{len(self.first.rows):,} settings against {len(self.second.rows):,}"
        where = f"at {self.better} of the {len(self.pairs)} points of the other frontier"
        lines = [f"{head}: {where} there is a more useful release at no more risk"]
        best = self.largest_gain
        if best is not None:
            a, b = best
            lines.append(
                f"  at most {b.utility:.5g} instead of {a.utility:.5g}, at risk {b.risk:.4g} instead of {a.risk:.4g}"
            )
        if self.dominated[1] > 0:
            lines.append(f"  the area below the frontier is {self.dominated[0] / self.dominated[1]:.4g} times the other")
        return "\n".join(lines)


def compare_maps(first: RUMap, second: RUMap) -> Comparison:
    """Compare the frontiers of two maps with the same axes, for whoever is most dangerous at each setting.

    Args:
        first: the map that is hoped to be better.
        second: the map it is compared with.
    """
    same = first.risk.name == second.risk.name and first.utility.name == second.utility.name
    if not same:
        raise MapError("the maps have different axes; put both on the same with on(risk=..., utility=...)")
    risk = 1.0 if first.risk.larger_is_riskier else -1.0
    use = 1.0 if first.utility.larger_is_better else -1.0
    ours, theirs = first.frontier(), second.frontier()
    pairs = []
    for point in theirs:
        within = [p for p in ours if risk * p.risk <= risk * point.risk]
        pairs.append((point, max(within, key=lambda p: use * p.utility) if within else None))
    every = [*first.points(), *second.points()]
    corner = max(risk * p.risk for p in every), min(use * p.utility for p in every)
    areas = [_area([(risk * p.risk, use * p.utility) for p in points], corner) for points in (ours, theirs)]
    return Comparison(first, second, tuple(pairs), (areas[0], areas[1]))


def _area(points: Sequence[tuple[float, float]], corner: tuple[float, float]) -> float:
    """Give the area that is beaten: between a corner and the frontier.

    >>> _area([(0.0, 1.0), (1.0, 2.0)], (2.0, 0.0))
    3.0
    """
    total, below = 0.0, corner[1]
    for r, u in sorted(points):
        if u > below:
            total += (corner[0] - r) * (u - below)
            below = u
    return total
