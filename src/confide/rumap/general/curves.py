"""The curves of a picture: one for each intruder, or one for each value of an axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from confide.errors import MapError, raise_all, unknown
from confide.risk.limit import limit_fault

if TYPE_CHECKING:
    from confide.rumap.general.mapped import Mapped
    from confide.rumap.point import Point


@dataclass(frozen=True, slots=True)
class Curve:
    """Points that are drawn alike."""

    name: str
    """What they are called in the legend."""
    points: tuple[Point, ...]
    """The points; none where an intruder has no figure."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What of a map is drawn."""

    max_risk: float | None = None
    """A line at a limit."""
    by: str | None = None
    """The axis whose values are told apart; None: intruders are."""
    intruder: str | None = None
    """Whose points are drawn; None: everyone's, and with `by` those of the worst at each setting."""

    def __post_init__(self) -> None:
        """Refuse a line that cannot be drawn."""
        if self.max_risk is not None:
            raise_all(limit_fault("max_risk", self.max_risk, negative=True), MapError)

    def curves(self, found: Mapped) -> tuple[Curve, ...]:
        """Give the curves."""
        if self.by is None:
            people = found.intruders if self.intruder is None else (self.intruder,)
            return tuple(Curve(name, found.points(name)) for name in people)
        axes = tuple(dict.fromkeys(name for row in found.rows for name in row.settings))
        if self.by not in axes:
            raise MapError(unknown("axis", self.by, axes))
        groups: dict[str, list[Point]] = {}
        for point in found.points(self.intruder):
            groups.setdefault(_label(point, self.by), []).append(point)
        return tuple(Curve(name, tuple(points)) for name, points in groups.items())

    def title(self, found: Mapped) -> str:
        """Say whose points are drawn, where the legend does not."""
        if self.by is None or len(found.intruders) < 2:
            return "Risk and utility"
        return f"Risk and utility, intruder: {self.intruder or 'the worst at each setting'}"


def _label(point: Point, by: str) -> str:
    """Name the value of an axis at a point; a method that was not chosen leaves its axes out."""
    if by not in point.settings:
        return f"without {by}"
    value = point.settings[by]
    if isinstance(value, str):
        return value
    return f"{by} {value:g}" if isinstance(value, float) else f"{by} {value}"
