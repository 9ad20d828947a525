"""Which records an inference uses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinkedRecord:
    """Infer from the linked record alone (Lambert 1993, section 6.2)."""

    def describe(self) -> str:
        """Say it in words."""
        return "infers from the linked record"


@dataclass(frozen=True, slots=True)
class AllCandidates:
    """Infer from all candidates, weighted by their link probabilities (Reiter 2005, section 5).

    An intruder who infers from them takes one of them to be the target's, so the probabilities are those given that
    the target was released and the attribute told.
    """

    def describe(self) -> str:
        """Say it in words."""
        return "infers from all candidates, weighted by their probabilities"


Using = LinkedRecord | AllCandidates
