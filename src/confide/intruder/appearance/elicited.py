"""What came out of an intruder's judgements about relative error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from confide.intruder.appearance.formed import Formed

Family: TypeAlias = type[Formed]
"""LognormalAppearance, NormalAppearance or LaplaceAppearance."""


class Judgement(NamedTuple):
    """One statement: the released value, divided by the true one, lies between two numbers."""

    low: float
    """The lower end."""
    high: float
    """The upper end."""
    stated: float
    """The probability that was stated."""
    implied: float
    """The probability under the fitted distribution."""


@dataclass(frozen=True, slots=True)
class Elicited:
    """A distribution of the released value divided by the true one, fitted to judgements.

    Give it to `around` or `at_quantiles` of its family as sd (or scale).
    """

    family: Family
    """The appearance it belongs to."""
    centre: float
    """The median; 1 where the judgements are about distance from the true value."""
    sd: float
    """The sd of the logarithm, or the sd or scale relative to the true value."""
    judgements: tuple[Judgement, ...]
    """The statements, with the probability that the fitted distribution gives them."""
    alone: tuple[float, ...]
    """The sd that would meet each statement alone, or each pair of neighbouring quantiles alone."""

    @property
    def misfit(self) -> float:
        """The largest difference between a stated and an implied probability; 0 when all are met."""
        return max(abs(j.implied - j.stated) for j in self.judgements)

    def __str__(self) -> str:
        """Show each statement beside what the distribution implies."""
        lines = [f"{self.family.__name__}: median {self.centre:.4g}, spread {self.sd:.4g}, misfit {self.misfit:.4f}"]
        lines += [
            f"  {j.low:8.4g} to {j.high:8.4g}: stated {j.stated:.4f}, implied {j.implied:.4f}" for j in self.judgements
        ]
        return "\n".join(lines)
