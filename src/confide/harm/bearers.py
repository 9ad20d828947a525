"""Who bears the harm: concentration, the worst respondent, the worst group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import HarmError
from confide.harm.check import amounts, codes, same_size
from confide.kit.telling import SMALLEST, mean_of, on_step, step_for
from confide.typing import FloatArray

BEARERS = 100
"""How harm is spread is told where so many bear it: of two, each would read the other's loss off the Gini coefficient."""
ROUNDING = 1e-12
"""A sum may fall short of half the harm by so much of it."""


@dataclass(frozen=True, slots=True)
class Bearers:
    """How harm is spread over respondents.

    What prints is rounded, since a loss may tell a value: sums to a step of at least twice the largest loss.

    >>> found = Bearers.of([0.0] * 10 + [1.0] * 9 + [3.0])
    >>> found
    Bearers(20 respondents; harm 20, mean 1, none above 10, 50.0% harmed)
    >>> found.total, found.worst
    (12.0, 3.0)
    """

    n: int
    """How many respondents there are."""
    total: float
    """H_total: the sum of the harms."""
    mean: float
    """The harm per respondent."""
    worst: float
    """The largest harm."""
    worst_at: int
    """The respondent who bears it, counted from 0; the first of several."""
    harmed: int
    """How many respondents bear any harm."""
    gini: float | None
    """The Gini coefficient: 0 all bear the same, (n - 1)/n one bears all; None: there is no harm."""
    top_1: float | None
    """The share of the harm that the most harmed 1 % bear; one may count in part; None: there is no harm."""
    top_10: float | None
    """The share that the most harmed 10 % bear."""
    half: int | None
    """The smallest number of respondents who bear half of the harm; None: there is no harm."""

    @property
    def share_harmed(self) -> float:
        """The share of respondents who bear any harm."""
        return self.harmed / self.n

    @classmethod
    def of(cls, harm: Any) -> Bearers:
        """Reduce the harms of respondents.

        Args:
            harm: the harm to each respondent, 0 or more.

        >>> Bearers.of([2.0] * 100).top_10
        0.1
        """
        each = checked(harm)
        total, worst = float(each.sum()), float(each.max())
        down = np.sort(each)[::-1]
        n = down.size
        gini = top_1 = top_10 = half = None
        if worst > 0:
            scaled = down / worst
            upto = np.cumsum(scaled)
            gini = max(0.0, float(((n - 1 - 2 * np.arange(n)) * scaled).sum() / (n * upto[-1])))
            top_1, top_10 = _top(upto, 1), _top(upto, 10)
            half = int(np.searchsorted(upto, 0.5 * upto[-1] * (1 - ROUNDING))) + 1
        return cls(n, total, total / n, worst, int(each.argmax()), int(np.sum(each > 0)), gini, top_1, top_10, half)

    def __repr__(self) -> str:
        """Write the measures in a line."""
        if self.n < SMALLEST:
            return f"Bearers({self.n:,} respondents; figures on fewer than {SMALLEST} are not told)"
        told = self.gini is not None and self.harmed >= BEARERS
        spread = f", Gini {self.gini:.1f}, half of it on {self.half:,}" if told else ""
        step = step_for(np.array([self.worst]))
        total = on_step(self.total, step, up=True)
        return (
            f"Bearers({self.n:,} respondents; harm {total:,.12g}, mean {mean_of(total, self.n):,.12g}, "
            f"none above {step:,.12g}, {self.share_harmed:.1%} harmed{spread})"
        )


@dataclass(frozen=True, slots=True)
class GroupHarm:
    """The harm to one group of respondents."""

    name: str
    """The group."""
    n: int
    """How many respondents belong to it."""
    total: float
    """The sum of their harms."""
    mean: float | None
    """The harm per respondent; None: nobody belongs to it."""
    share_of_harm: float | None
    """Which share of all harm they bear; None: there is no harm."""
    share_of_respondents: float
    """Which share of all respondents they are."""


@dataclass(frozen=True, slots=True)
class HarmByGroup:
    """Which groups bear the harm.

    >>> found = HarmByGroup.of([0.0, 2.0, 1.0, 1.0], [0, 1, 0, 0], ["men", "women"])
    >>> found.worst.name, found.worst.share_of_harm, found.worst.share_of_respondents
    ('women', 0.5, 0.25)
    """

    groups: tuple[GroupHarm, ...]
    """The groups, in the order of their names given."""
    step: float | None = None
    """What sums are rounded to when they print; None: nothing of a group prints but its size."""

    @property
    def worst(self) -> GroupHarm | None:
        """The group of the largest mean, the first of several; None: there is no harm."""
        harmed = [g for g in self.groups if g.mean is not None and g.mean > 0]
        return max(harmed, key=lambda g: g.mean or 0.0, default=None)

    @classmethod
    def of(cls, harm: Any, member: Any, names: Sequence[object]) -> HarmByGroup:
        """Sum the harms of respondents by group.

        Args:
            harm: the harm to each respondent, 0 or more.
            member: the place of each respondent's group among the names.
            names: the groups.
        """
        each = checked(harm)
        if not names:
            raise HarmError("give the name of at least one group; found none")
        group = codes(member, 0, len(names) - 1, "member")
        same_size(harm=each, member=group)
        count = np.bincount(group, minlength=len(names))
        sums = np.bincount(group, each, minlength=len(names))
        total, worst = float(each.sum()), float(each.max())
        return cls(
            tuple(
                GroupHarm(
                    str(name),
                    int(k),
                    float(s),
                    float(s / k) if k else None,
                    float(s / worst) / (total / worst) if worst > 0 else None,
                    float(k / each.size),
                )
                for name, k, s in zip(names, count, sums, strict=True)
            ),
            step_for(each),
        )

    def __repr__(self) -> str:
        """Write a row for each group; of groups of fewer than ten only how large they are, of others rounded sums."""
        wide = max(len(g.name) for g in self.groups)
        rows = [f"{'':{wide}}  {'n':>9}  {'harm':>12}  {'mean':>10}  {'of harm':>8}  {'of n':>6}"]
        whole = None if self.step is None else on_step(sum(g.total for g in self.groups), self.step, up=True)
        for g in self.groups:
            total = None if self.step is None or g.n < SMALLEST else on_step(g.total, self.step)
            share = None if total is None or not whole else min(1.0, total / whole)
            texts = ("-", "-") if total is None else (f"{total:,.6g}", f"{mean_of(total, g.n):.4g}")
            of_harm = "-" if share is None else f"{share:.1%}"
            rows.append(
                f"{g.name:{wide}}  {g.n:>9,}  {texts[0]:>12}  {texts[1]:>10}  {of_harm:>8}  {g.share_of_respondents:>6.1%}"
            )
        return "\n".join(rows)


def checked(harm: Any) -> FloatArray:
    """Give the harms of at least one respondent, finite and not negative, with a finite sum."""
    each = amounts(harm, "the harm")
    if each.size == 0:
        raise HarmError("give the harm of at least one respondent; found none")
    below = int(np.sum(each < 0))
    if below:
        raise HarmError(f"harm is a loss of 0 or more; {below:,} of {each.size:,} are negative")
    with np.errstate(over="ignore"):
        if not np.isfinite(each.sum()):
            raise HarmError("the total harm is too large to be a number; give costs on a smaller scale")
    return each


def _top(upto: FloatArray, percent: int) -> float:
    """Give the share of the harm up to a percentage of the respondents, the most harmed first."""
    whole, part = divmod(percent * upto.size, 100)
    sums = np.concatenate([[0.0], upto])
    more = sums[min(whole + 1, upto.size)] - sums[whole]
    return float((sums[whole] + more * part / 100) / upto[-1])
