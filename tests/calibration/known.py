"""What does not calibrate, with the assumption that fails; whatever else does not is a defect nobody has named.

An assumption fails where the library itself says so: what it does not say of a combination explains nothing there.
Each reason says how far off it can make things: how many times as much may come true as is stated, at least and at most.
What is further off than its reasons explain is a defect, too. Each reason has a witness: a combination in which it shows.
When a witness calibrates, the reason is gone and its line too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import confide as cf
from calibration.combination import Combination
from calibration.combinations import combinations
from calibration.harness import Row, threshold
from confide.calibration import reasons

Between = tuple[float, float]
"""The least and the most that may come true, as multiples of what is stated."""


@dataclass(frozen=True)
class Reason:
    """An assumption that fails."""

    why: str
    """In words."""
    said: str
    """In the library's words, with a gap for names."""
    witness: str
    """A combination in which it shows."""
    links: Between
    """How far links may be off: below one they are overstated, above one understated."""
    null: Between = (1.0, 1.0)
    """How far the null link may be off."""
    only: Callable[[Combination], bool] = lambda _: True
    """Which of the combinations of which it is said."""

    def applies(self, row: Row) -> bool:
        """Whether the library names it, and the bounds are those of the combination."""
        words = max(self.said.split("{}"), key=len)
        return any(words in said for said in row.named) and self.only(row.combination)


def simulated(times: int) -> Callable[[Combination], bool]:
    """Whether records are simulated so many times."""
    return lambda c: sum(isinstance(m, cf.Simulate) for m in c.methods) == times


COPIES = "simulated records are taken for new people, these are copies of people in the file"
REASONS = (
    Reason(
        "what is known is centred on the true value, no error is drawn",
        reasons.CENTRED,
        "Recode / Roughly / in the file / with / true",
        links=(0.0, 1.75),
        null=(0.75, 1.5),
    ),
    Reason(
        "the number of people like the target is a lower bound",
        reasons.BOUND,
        "Noise / Exactly / maybe, at least / with / true",
        links=(0.0, 1.0),
        null=(1.0, math.inf),
    ),
    Reason(
        "the number of people like the target is read from the weights of the very records that fit",
        reasons.WEIGHTS,
        "Recode / Exactly / maybe, weights / with / true",
        links=(1.0, 1.35),
        null=(0.65, 1.0),
    ),
    Reason(
        "a record whose interval only overlaps the bounds counts in full",
        reasons.OVERLAP,
        "Recode / Between / in the file / with / true",
        links=(0.0, 2.25),
        null=(0.8, 1.25),
    ),
    Reason(
        # a fifth of the records are copies: a record that fits is as good as found, by 1 / (1 - 1/5) more than stated
        COPIES,
        reasons.COPIES,
        "Simulate, then Topcode / Exactly / maybe / with / true",
        links=(0.8, 1.3),
        null=(0.0, 1.5),
        only=simulated(1),
    ),
    Reason(
        COPIES + ", twice",
        reasons.COPIES,
        "Simulate, then Topcode, then Simulate / Exactly / maybe / without / true",
        links=(0.8, 1.6),
        null=(0.0, 1.5),
        only=simulated(2),
    ),
    Reason(
        "one share of those released for all who agree in what is not perturbed, where beliefs are fitted to all people",
        reasons.SHARE,
        "Swap of area, then Swap / unavailable, Regression / maybe / with / fitted",
        links=(0.8, 1.25),
        null=(0.8, 1.25),
    ),
)


def reason(row: Row) -> str:
    """Name the assumptions that fail in a combination and how far off they make it; empty: none is known to."""
    return "; ".join(r.why for r in REASONS if r.applies(row))


def unbounded(row: Row) -> list[str]:
    """What the library says of a combination without anybody having said how far off it makes things."""
    named = [max(r.said.split("{}"), key=len) for r in REASONS if r.applies(row)]
    return [said for said in row.named if not any(words in said for words in named)]


def excess(row: Row) -> tuple[float, str]:
    """Give the largest deviate beyond what the reasons of a combination explain, and its bin.

    What is stated is multiplied by the least and by the most that a reason lets come true; those of several multiply.
    """
    found, apply = row.found, [r for r in REASONS if r.applies(row)]
    if found is None:
        return 0.0, ""
    null = np.array([name.startswith("null") for name in found.names])
    least, most = (
        np.where(null, math.prod(r.null[k] for r in apply), math.prod(r.links[k] for r in apply)) for k in range(2)
    )
    with np.errstate(invalid="ignore"):
        low, high = (np.minimum(np.nan_to_num(found.stated * x, nan=0.0), found.count) for x in (least, most))
    under = cf.Reliability(found.names, found.count, low, found.true).z
    over = cf.Reliability(found.names, found.count, high, found.true).z
    z = np.where(np.isposinf(most), 0.0, np.maximum(over, 0.0)) + np.minimum(under, 0.0)
    k = int(np.argmax(np.abs(z)))
    return float(z[k]), found.names[k]


def unexplained(rows: list[Row]) -> list[str]:
    """Name the rows that are further off than their reasons explain."""
    limit, found = threshold(sum(r.tests for r in rows)), [(r, *excess(r)) for r in rows]
    return [f"{r.combination.title}: z {z:.1f} in {name}{_also(r)}" for r, z, name in found if abs(z) > limit]


def _also(row: Row) -> str:
    """Say what the library says of a row and nobody has given bounds."""
    said = unbounded(row)
    return f" (said of it, but without bounds in known.py: {'; '.join(said)})" if said else ""


def witness(r: Reason) -> Combination:
    """Give the combination in which a reason shows."""
    return next(c for c in combinations() if c.title == r.witness)
