"""What a log-linear model is fitted to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SampleCounts:
    """The numbers of records f; the population mean of a cell is its fitted mean over its sampling fraction."""

    def describe(self) -> str:
        """Say it in words."""
        return "fitted to sample counts"


@dataclass(frozen=True, slots=True)
class WeightedCounts:
    """The sums of survey weights: pseudo maximum likelihood, for samples drawn with unequal probabilities."""

    def describe(self) -> str:
        """Say it in words."""
        return "fitted to weighted counts"


Counts = SampleCounts | WeightedCounts
SAMPLE_COUNTS = SampleCounts()
