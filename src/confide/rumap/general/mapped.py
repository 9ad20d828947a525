"""What a picture or a page asks of a map, whatever was mapped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from confide.rumap.point import Point
from confide.typing import BoolArray, Label


class RiskTitle(Protocol):
    """The axis of risk."""

    @property
    def title(self) -> str:
        """What it is called."""

    @property
    def larger_is_riskier(self) -> bool:
        """Which way is riskier."""


class UtilityTitle(Protocol):
    """The axis of utility."""

    @property
    def title(self) -> str:
        """What it is called."""

    @property
    def larger_is_better(self) -> bool:
        """Which way is better."""


class Settled(Protocol):
    """Something that was evaluated."""

    @property
    def settings(self) -> Mapping[str, Label]:
        """What was set."""


class Mapped(Protocol):
    """A map of risk against utility."""

    @property
    def intruders(self) -> tuple[str, ...]:
        """Who looks."""

    @property
    def rows(self) -> Sequence[Settled]:
        """What was evaluated."""

    @property
    def replicates(self) -> int:
        """How often each was."""

    @property
    def banner(self) -> str:
        """What stands first wherever it is shown; empty where nothing must."""

    @property
    def risk(self) -> RiskTitle:
        """The axis of risk."""

    @property
    def utility(self) -> UtilityTitle:
        """The axis of utility."""

    def points(self, intruder: str | None = None) -> tuple[Point, ...]:
        """Give the points of one intruder, or of the worst one."""

    def on_frontier(self, points: Sequence[Point]) -> BoolArray:
        """Mark the points that no other point beats."""

    def efficiency(self, point: Point) -> float | None:
        """Give the utility of a point relative to that without protection."""
