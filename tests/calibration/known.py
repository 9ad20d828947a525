"""What does not calibrate, with the assumption that fails; whatever else does not is a defect nobody has named.

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
from calibration.combinations import Combination, combinations
from calibration.harness import Row, threshold

Between = tuple[float, float]
"""The least and the most that may come true, as multiples of what is stated."""


@dataclass(frozen=True)
class Reason:
    """An assumption that fails."""

    why: str
    """In words."""
    applies: Callable[[Combination], bool]
    """To which combinations."""
    witness: str
    """A combination in which it shows."""
    links: Between
    """How far links may be off: below one they are overstated, above one understated."""
    null: Between = (1.0, 1.0)
    """How far the null link may be off."""
    times: int = 60
    """How many replicates show it in the witness."""


def has(c: Combination, *classes: type) -> bool:
    """Whether one of the methods is of these classes."""
    return any(isinstance(m, classes) for m in c.methods)


def as_released(c: Combination) -> bool:
    """Whether what is known is released without noise, so that bounds and distributions meet intervals."""
    noisy = (cf.Noise, cf.MultiplicativeNoise, cf.CorrelatedNoise)
    return not any(isinstance(m, noisy) and set(m.variables) & set(c.variables) for m in c.methods)


def selected(c: Combination) -> bool:
    """Whether all people of whom something altered is true are on a list, and compete with those who are not."""
    of_area = {"area"} if c.area is cf.OneOf else set()
    known = of_area | {n for n in c.variables if c.kind in {cf.OneOf, cf.Between, cf.Bracket}}
    return c.without and not c.in_file and any(c.masks(n) for n in known)


def simulated(times: int) -> Callable[[Combination], bool]:
    """Whether records are simulated so many times."""
    return lambda c: not c.in_file and sum(isinstance(m, cf.Simulate) for m in c.methods) == times


COPIES = "simulated records are taken for new people, these are copies of people in the file"
REASONS = (
    Reason(
        "what is known is centred on the true value, no error is drawn",
        lambda c: c.kind in {cf.Within, cf.Roughly},
        "Recode / Roughly / in the file / with / true",
        links=(0.0, 1.75),
        null=(0.75, 1.5),
    ),
    Reason(
        "the number of people like the target is a lower bound",
        lambda c: c.population == "at least",
        "Noise / Exactly / maybe, at least / with / true",
        links=(0.5, 1.0),
        null=(1.0, math.inf),
    ),
    Reason(
        "the number of people like the target is read from the weights of the very records that fit",
        lambda c: c.population == "weights",
        "Recode / Exactly / maybe, weights / with / true",
        links=(1.0, 1.35),
        null=(0.65, 1.0),
    ),
    Reason(
        "a record whose interval only overlaps the bounds counts in full",
        lambda c: c.kind in {cf.Between, cf.Bracket} and as_released(c),
        "Recode / Between / in the file / with / true",
        links=(0.0, 2.25),
        null=(0.8, 1.25),
    ),
    Reason(
        "every record with a blank counts in full among those that meet the bounds",
        lambda c: c.blanks is not None and c.kind in {cf.Within, cf.Between, cf.Bracket} and as_released(c),
        "nothing / Bracket, blanks at random, not told / in the file / with / true",
        links=(0.15, 3.0),
        null=(0.75, math.inf),
    ),
    Reason(
        "those not on the list are taken to be like all people; it holds all of whom what is told is true",
        selected,
        "Swap within a stratum swapped later / Exactly, area one of two / maybe / without / true",
        links=(0.5, 1.5),
        null=(0.65, 1.2),
        times=400,
    ),
    Reason(
        # a fifth of the records are copies: a record that fits is as good as found, by 1 / (1 - 1/5) more than stated
        COPIES,
        simulated(1),
        "Simulate, then Topcode / Exactly / maybe / with / true",
        links=(0.8, 1.3),
        null=(0.0, 1.5),
    ),
    Reason(
        COPIES + ", twice",
        simulated(2),
        "Simulate, then Topcode, then Simulate / Exactly / maybe / without / true",
        links=(0.8, 1.6),
        null=(0.0, 1.5),
    ),
    Reason(
        "one share of those released for all who agree in what is not perturbed, where beliefs are fitted to all people",
        lambda c: not c.in_file and c.fitted and (c.masks("area") or c.area is not cf.Exactly),
        "Swap of area, then Swap / unavailable, Regression / maybe / with / fitted",
        links=(0.8, 1.25),
        null=(0.8, 1.25),
    ),
)


def reason(c: Combination) -> str:
    """Name the assumptions that fail in a combination; empty: none is known to."""
    return "; ".join(r.why for r in REASONS if r.applies(c))


def excess(row: Row) -> tuple[float, str]:
    """Give the largest deviate beyond what the reasons of a combination explain, and its bin.

    What is stated is multiplied by the least and by the most that a reason lets come true; those of several multiply.
    """
    found, reasons = row.found, [r for r in REASONS if r.applies(row.combination)]
    if found is None:
        return 0.0, ""
    null = np.array([name.startswith("null") for name in found.names])
    least, most = (
        np.where(null, math.prod(r.null[k] for r in reasons), math.prod(r.links[k] for r in reasons)) for k in range(2)
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
    return [f"{r.combination.title}: z {z:.1f} in {name}" for r, z, name in found if abs(z) > limit]


def witness(r: Reason) -> Combination:
    """Give the combination in which a reason shows."""
    return next(c for c in combinations() if c.title == r.witness)
