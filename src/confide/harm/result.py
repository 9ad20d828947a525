"""What harm a release does to whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.harm.bearers import Bearers
from confide.harm.harm import Harm
from confide.harm.told import Told, number, untold
from confide.linking.summary import NEED_ID
from confide.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class Harmed:
    """The harm to every target, and how it came about. Ties are averaged over."""

    harm: Harm
    """What was declared."""
    per_target: FloatArray
    """The harm to each target; 0 where nobody links a record to it, NaN where it hangs on what is not known."""
    linked: BoolArray
    """Whether a record is linked to the target: a perceived identification."""
    correct: FloatArray
    """The chance that the linked record is the target's own; NaN where that is not known."""
    inferred: FloatArray
    """The chance that something is inferred; NaN where a record is linked and the true value is not known."""
    right: FloatArray | None
    """The chance that the category inferred is the true one; None for amounts."""
    has_value: BoolArray
    """Whether the target has a true value; without one an inference is neither right nor wrong and does no harm."""
    outcomes: Mapping[str, float | None]
    """How many targets meet each outcome, on average over ties; None where that hangs on a truth that is not known."""
    unknown: int = 0
    """To how many targets a record is linked of which it is not known whether it is theirs."""
    untold: int = 0
    """To how many targets a record is linked whose true value is not known."""

    @property
    def n(self) -> int:
        """The number of targets."""
        return int(self.per_target.size)

    @property
    def reason(self) -> str:
        """Why something is undefined; empty where nothing is."""
        why = []
        if self.unknown:
            why.append(f"it is not known for {self.unknown:,} of {self.n:,} targets whether the linked record is theirs")
        if self.untold:
            why.append(
                f"the true value of {self.harm.attribute} is not known for {self.untold:,} of {self.n:,} targets to whom a "
                "record is linked"
            )
        return f"{', and '.join(why)}; {NEED_ID}" if why else ""

    @property
    def is_defined(self) -> bool:
        """Whether the harm to every target is known; if not, no total is."""
        return not bool(np.isnan(self.per_target).any())

    @property
    def total(self) -> float | None:
        """H_total: the harm to all targets together; None where it is undefined, see `reason`."""
        return float(self.per_target.sum()) if self.is_defined else None

    @property
    def mean(self) -> float | None:
        """The harm to a target, on average."""
        return float(self.per_target.mean()) if self.is_defined else None

    @property
    def worst(self) -> float | None:
        """The harm to the target who is harmed most."""
        return float(self.per_target.max()) if self.is_defined else None

    @property
    def told(self) -> Told:
        """What prints, reports, maps and files say of it: sums on a step, nothing of fewer than ten targets."""
        return Told.of(self.per_target)

    @property
    def why_untold(self) -> str:
        """Why prints and files give no figure; empty where they do."""
        why = untold(self.per_target)
        return why if self.is_defined else self.reason or why

    @property
    def bearers(self) -> Bearers | None:
        """Who bears the harm: how concentrated it is; None where it is undefined."""
        return Bearers.of(self.per_target) if self.is_defined else None

    def to_frame(self) -> pl.DataFrame:
        """Give one row per target: harm, and the chances behind it. It is confidential, for harm may tell values."""
        import polars as pl

        columns = {"harm": self.per_target, "linked": self.linked, "correct": self.correct, "inferred": self.inferred}
        if self.right is not None:
            columns["inferred_right"] = self.right
        return pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None))

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
            {k: added([p.outcomes[k] for p in parts]) for k in first.outcomes},
            sum(p.unknown for p in parts),
            sum(p.untold for p in parts),
        )

    def __repr__(self) -> str:
        """Show the total, the outcomes and who bears it."""
        told = self.told
        total, mean, most = (number(x) for x in (told.total, told.mean, told.step))
        lines = [f"harm from {self.harm.title}: total {total}, mean {mean}, no loss above {most}"]
        lines += [f"  a dash: {self.why_untold}"] if self.why_untold else []
        counted = [("-" if count is None else f"{count:,.6g}", name) for name, count in self.outcomes.items() if count != 0]
        lines += [f"  {count:>12}  {name}" for count, name in counted]
        missing = int(np.sum(~self.has_value))
        if missing:
            lines.append(f"  {missing:>12,}  without a true value; what is inferred about them does no harm")
        return "\n".join(lines)


def added(counts: Sequence[float | None]) -> float | None:
    """Add counts up; undefined where one is.

    >>> added([1.0, 2.0]), added([1.0, None])
    (3.0, None)
    """
    known = [x for x in counts if x is not None]
    return float(sum(known)) if len(known) == len(counts) else None
