"""What harm a release does to whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.harm.bearers import Bearers
from confide.harm.harm import Harm
from confide.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class Harmed:
    """The harm to every target, and how it came about. Ties are averaged over."""

    harm: Harm
    """What was declared."""
    per_target: FloatArray
    """The harm to each target; 0 where nobody links a record to it."""
    linked: BoolArray
    """Whether a record is linked to the target: a perceived identification."""
    correct: FloatArray
    """The chance that the linked record is the target's own."""
    inferred: FloatArray
    """The chance that something is inferred."""
    right: FloatArray | None
    """The chance that the category inferred is the true one; None for amounts."""
    has_value: BoolArray
    """Whether the target has a true value; without one an inference is neither right nor wrong and does no harm."""
    outcomes: Mapping[str, float]
    """How many targets meet each outcome, on average over ties."""

    @property
    def n(self) -> int:
        """The number of targets."""
        return int(self.per_target.size)

    @property
    def total(self) -> float:
        """H_total: the harm to all targets together."""
        return float(self.per_target.sum())

    @property
    def mean(self) -> float:
        """The harm to a target, on average."""
        return float(self.per_target.mean())

    @property
    def worst(self) -> float:
        """The harm to the target who is harmed most."""
        return float(self.per_target.max())

    @property
    def worst_told(self) -> float:
        """The same to two digits, for prints and files: a single loss may tell a respondent's value."""
        return float(f"{self.worst:.1e}")

    @property
    def bearers(self) -> Bearers:
        """Who bears the harm: how concentrated it is."""
        return Bearers.of(self.per_target)

    def to_frame(self) -> pl.DataFrame:
        """Give one row per target: harm, and the chances behind it. It holds no values, but harm may tell of them."""
        import polars as pl

        columns = {"harm": self.per_target, "linked": self.linked, "correct": self.correct, "inferred": self.inferred}
        if self.right is not None:
            columns["inferred_right"] = self.right
        return pl.DataFrame(columns)

    @classmethod
    def joined(cls, parts: Sequence[Harmed]) -> Harmed:
        """Put the targets of several groups one after another."""
        first = parts[0]
        right = None if first.right is None else np.concatenate([p.right for p in parts if p.right is not None])
        return cls(
            first.harm,
            np.concatenate([p.per_target for p in parts]),
            np.concatenate([p.linked for p in parts]),
            np.concatenate([p.correct for p in parts]),
            np.concatenate([p.inferred for p in parts]),
            right,
            np.concatenate([p.has_value for p in parts]),
            {k: sum(p.outcomes[k] for p in parts) for k in first.outcomes},
        )

    def __repr__(self) -> str:
        """Show the total, the outcomes and who bears it."""
        figures = f"total {self.total:,.6g}, mean {self.mean:,.6g}, worst {self.worst_told:,.6g}"
        lines = [f"harm from {self.harm.title}: {figures}"]
        lines += [f"  {count:>12,.6g}  {name}" for name, count in self.outcomes.items() if count]
        missing = int(np.sum(~self.has_value))
        if missing:
            lines.append(f"  {missing:>12,}  without a true value; what is inferred about them does no harm")
        return "\n".join(lines)
