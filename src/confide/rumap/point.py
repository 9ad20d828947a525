"""One point of a map: what was done, how risky it is, how useful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A release on the map.

    >>> Point({"lambda2": 0.2}, risk=5.0, utility=166.7).settings["lambda2"]
    0.2
    """

    settings: Mapping[str, object]
    """What was set to get here, by name."""
    risk: float
    """R."""
    utility: float
    """U."""
    risk_error: float | None = None
    """The standard error of R; None where it is not estimated."""
    utility_error: float | None = None
    """The standard error of U; None where it is not estimated."""
