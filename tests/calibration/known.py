"""What does not calibrate, with the assumption that fails; whatever else does not is a defect nobody has named.

Each reason has a witness: a combination in which it shows. When a witness calibrates, the reason is gone and its line too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import confide as cf
from calibration.combinations import Combination, combinations


@dataclass(frozen=True)
class Reason:
    """An assumption that fails."""

    why: str
    """In words."""
    applies: Callable[[Combination], bool]
    """To which combinations."""
    witness: str
    """A combination in which it shows."""


def has(c: Combination, *classes: type) -> bool:
    """Whether one of the methods is of these classes."""
    return any(isinstance(m, classes) for m in c.methods)


def as_released(c: Combination) -> bool:
    """Whether what is known is released without noise, so that bounds and distributions meet intervals."""
    noisy = (cf.Noise, cf.MultiplicativeNoise, cf.CorrelatedNoise)
    return not any(isinstance(m, noisy) and set(m.variables) & set(c.variables) for m in c.methods)


REASONS = (
    Reason(
        "what is known is centred on the true value, no error is drawn",
        lambda c: c.kind in {cf.Within, cf.Roughly},
        "Recode / Roughly / in the file / with / true",
    ),
    Reason(
        "the number of people like the target is a lower bound",
        lambda c: c.population == "at least",
        "Noise / Exactly / maybe, at least / with / true",
    ),
    Reason(
        "the number of people like the target is read from the weights of the very records that fit",
        lambda c: c.population == "weights",
        "Recode / Exactly / maybe, weights / with / true",
    ),
    Reason(
        "a record whose interval only overlaps the bounds counts in full",
        lambda c: c.kind in {cf.Between, cf.Bracket} and as_released(c),
        "Recode / Between / in the file / with / true",
    ),
    Reason(
        "simulated records are taken for new people, these are copies of people in the file",
        lambda c: has(c, cf.Simulate),
        "Simulate, then Topcode / Exactly / maybe / with / true",
    ),
)


def reason(c: Combination) -> str:
    """Name the assumptions that fail in a combination; empty: none is known to."""
    return "; ".join(r.why for r in REASONS if r.applies(c))


def witness(r: Reason) -> Combination:
    """Give the combination in which a reason shows."""
    return next(c for c in combinations() if c.title == r.witness)
