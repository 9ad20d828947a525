"""How all records were matched with all targets, and the probabilities of pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """The table of link probabilities without replacement, target profiles by record profiles."""

    start: IntArray
    """The first candidate of each target profile; the last entry ends the list."""
    record: IntArray
    """The candidate record profiles."""
    p: FloatArray
    """The probability that one record of the profile is one target's of the profile."""
    error: FloatArray
    """The error of each: rounding for exact answers, else an estimate."""
    methods: tuple[tuple[str, int], ...]
    """How many groups of competing records each method answered."""
    tolerance_met: bool | None
    """Whether the tolerance asked for was met; None where none was asked for."""
    is_exact: bool
    """Whether every group was answered exactly."""

    @property
    def largest_error(self) -> float:
        """The largest error of any probability."""
        return float(self.error.max(initial=0.0))

    def of_profiles(self, target: int, profiles: int) -> FloatArray:
        """Give the probability of one record of each record profile for a target profile."""
        p = np.zeros(profiles)
        at = slice(int(self.start[target]), int(self.start[target + 1]))
        p[self.record[at]] = self.p[at]
        return p

    def describe(self) -> str:
        """Say how it was matched and how far to trust it."""
        how = ", ".join(f"{count:,} by {name}" for name, count in self.methods) or "no candidates"
        text = f"without replacement: {how}; "
        text += "exact" if self.is_exact else f"largest error {self.largest_error:.2g} (estimated)"
        if self.tolerance_met is not None:
            text += "; the tolerance was met" if self.tolerance_met else "; the tolerance was NOT met"
        return text
