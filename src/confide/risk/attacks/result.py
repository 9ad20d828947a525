"""How often attacks succeeded, and how much of it the release is to blame for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from confide.errors import IntruderError
from confide.risk.attacks.interval import ratio_limits, wilson
from confide.typing import FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl


class RiskEstimate(NamedTuple):
    """A number with its interval."""

    value: float
    """The estimate."""
    low: float
    """The lower limit."""
    high: float
    """The upper limit."""

    def __str__(self) -> str:
        """Write the number and its interval."""
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f})"


@dataclass(frozen=True, slots=True)
class SuccessRate:
    """The share of attacks that succeeded.

    >>> print(SuccessRate.of(30, 200))
    0.1500 (0.1071 to 0.2061)
    """

    successes: float
    """How many succeeded; not whole where a success was a matter of known chance."""
    attacks: int
    """How many there were."""
    value: float
    """The share."""
    low: float
    """The lower limit of Wilson's interval."""
    high: float
    """The upper limit."""

    @classmethod
    def of(cls, successes: float, attacks: int, level: float = 0.95) -> SuccessRate:
        """Give the share with Wilson's interval."""
        if attacks < 1 or not 0 <= successes <= attacks:
            raise IntruderError(f"{successes:g} successes of {attacks} attacks are no rate; there must be attacks to count")
        low, high = wilson(successes, attacks, level)
        return cls(float(successes), attacks, float(successes) / attacks, float(low), float(high))

    @classmethod
    def exactly(cls, value: float, attacks: int) -> SuccessRate:
        """Give a rate that follows from counting, without error."""
        return cls(value * attacks, attacks, value, value, value)

    def above(self, other: SuccessRate) -> bool:
        """Say whether this rate is larger than another one beyond chance (Newcombe 1998, method 10)."""
        gap = self.value - other.value
        return gap > float(np.hypot(self.value - self.low, other.high - other.value))

    def __str__(self) -> str:
        """Write the rate and its interval."""
        return str(RiskEstimate(self.value, self.low, self.high))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AttackRate:
    """How often an attack succeeded, without a control group.

    Part of the success is what the file tells about anyone, also about people who are not in it. Without a control group
    the two cannot be told apart, so that there is no risk here.
    """

    larger_is_riskier: ClassVar[bool] = True

    name: str
    """The attack: singling_out, linkability or inference."""
    how: str
    """How it was done, in words."""
    main: SuccessRate
    """The success of the attack on the people of the original file."""
    baseline: SuccessRate
    """The success of guessing."""
    targets: IntArray
    """The original record that each attack is about; -1 where it found none."""
    success: FloatArray
    """Whether each attack succeeded."""
    asked: int
    """How many attacks were asked for."""
    level: float
    """The level of all intervals."""

    @property
    def title(self) -> str:
        """The name for tables."""
        return f"{self.name.replace('_', ' ').capitalize()}, success"

    @property
    def value(self) -> float:
        """The figure of the file: the rate of success."""
        return self.main.value

    @property
    def risk(self) -> RiskEstimate:
        """Say that there is none."""
        raise IntruderError(
            f"{self.name}: without a control group there is no risk, but a rate of success (`main`); give control=..., "
            "people who were kept out of the release by split_control"
        )

    @property
    def beats_guessing(self) -> bool:
        """Whether the attack did better than guessing; if not, it was too weak to say anything about the release."""
        return self.main.above(self.baseline)

    @property
    def says_nothing(self) -> str:
        """Why the figure says nothing about the release: the attack was too weak; empty where it does."""
        if self.beats_guessing:
            return ""
        return (
            f"the attack succeeded no more often ({self.main.value:.4f}) than guessing ({self.baseline.value:.4f}), so that "
            "it says nothing about the release; make a stronger one, or leave it out"
        )

    def rates(self) -> dict[str, SuccessRate]:
        """Give all rates by name."""
        return {"main": self.main, "baseline": self.baseline}

    def figures(self) -> list[str]:
        """Give what is printed, in words."""
        return [f"success {self.main}", f"guessing {self.baseline.value:.4f}"]

    def notes(self) -> list[str]:
        """Say what else is to be known."""
        short = f"only {self.main.attacks:,} of {self.asked:,} attacks could be made"
        found = [short] if self.main.attacks < self.asked else []
        return found + ([] if self.beats_guessing else ["no better than guessing, so it says nothing about the release"])

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each rate."""
        import polars as pl

        fields = ("successes", "attacks", "value", "low", "high")
        return pl.DataFrame([{"rate": k} | {f: getattr(r, f) for f in fields} for k, r in self.rates().items()])

    def __repr__(self) -> str:
        """Say the figures, and when they say nothing."""
        return f"{type(self).__name__}({self.name}, {self.how}: " + "; ".join([*self.figures(), *self.notes()]) + ")"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AttackRisk(AttackRate):
    """How much more often an attack succeeds on people of the original file than on people who are not in it.

    The risk is (m - c) / (1 - c), m being the rate of the attack and c that of the same attack on the control group
    (Giomi et al. 2023): of those whom knowledge about anyone would not have given away, the share that the release does.

    It equals 1 - (1 - m) / (1 - c), one minus the ratio of two shares of failures; its interval is the score interval of a
    ratio (Koopman 1984). The published interval takes the centres of Wilson's intervals as estimates, propagates their
    half widths to first order and cuts off below 0. Where the groups differ in size and most attacks succeed, it misses the
    true risk far too often (with 200 and 50 attacks and a success of .98 in both, 41 times in 100); the score interval
    keeps its level on average, and was seen down to .92 for .95 with 50 attacks, .93 with 200. Nothing is cut off here: with
    a harmless release the risk is below 0 every other time.
    """

    control: SuccessRate
    """The success of the same attack on the control group."""

    @property
    def title(self) -> str:
        """The name for tables."""
        return f"{self.name.replace('_', ' ').capitalize()}, risk"

    @property
    def risk(self) -> RiskEstimate:
        """The share given away by the release alone, with its interval."""
        if self.control.value == 1:
            raise IntruderError(
                f"{self.name}: every attack on the control group succeeded, so that nothing is left for the release to give "
                "away, and no risk can be told; ask for something harder, such as a smaller tolerance"
            )
        m, c = self.main, self.control
        low, high = ratio_limits(m.attacks - m.successes, m.attacks, c.attacks - c.successes, c.attacks, self.level)
        return RiskEstimate(1 - (1 - m.value) / (1 - c.value), 1 - float(high), 1 - float(low))

    @property
    def value(self) -> float:
        """The figure of the file: the risk."""
        return self.risk.value

    def rates(self) -> dict[str, SuccessRate]:
        """Give all rates by name."""
        return {"main": self.main, "control": self.control, "baseline": self.baseline}

    def figures(self) -> list[str]:
        """Give what is printed, in words."""
        told = "risk not defined, every attack on the control group succeeded" if self.control.value == 1 else ""
        rates = f"success {self.main.value:.4f}, on the control group {self.control.value:.4f}"
        return [
            told or f"risk {self.risk}",
            f"{rates}, guessing {self.baseline.value:.4f}",
        ]
