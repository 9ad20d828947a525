"""What may be told of the harm to a group: losses may tell values, so that no sum of them is exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.harm.bearers import BEARERS, Bearers
from confide.kit.telling import SMALLEST, mean_of, on_step, step_for
from confide.typing import FloatArray

FEW = f"a figure on fewer than {SMALLEST} respondents is not told"
"""Why there is no figure."""


@dataclass(frozen=True, slots=True)
class Told:
    """What prints, reports, maps and files say of a harm; the object it comes from is exact, and the agency's own.

    Sums are multiples of a step, at least twice the largest loss in the file, that of all respondents upwards, and the mean
    is that multiple over the number of respondents. Of fewer than ten respondents nothing is told.

    >>> Told.of(np.array([0.0] * 9 + [316.5, 120.0])).total, Told.of(np.array([316.5])).total
    (1000.0, None)
    """

    n: int
    """How many respondents there are."""
    step: float | None
    """What sums are rounded to; no respondent's harm is more than half of it. None: nothing is told."""
    total: float | None
    """The total harm, a multiple of the step."""
    mean: float | None
    """The total over the number of respondents, to three digits."""
    harmed: int | None
    """How many respondents bear any harm."""
    gini: float | None
    """The Gini coefficient, to one digit; None where fewer than a hundred bear harm."""
    top_1: float | None
    """The share of the harm that the most harmed 1 % bear, to one digit; None where they are fewer than ten, or fewer
    than a hundred bear harm."""
    half: int | None
    """The smallest number of respondents who bear half of the harm; None where fewer than a hundred bear any."""
    reason: str = ""
    """Why nothing is told; empty where something is."""

    @classmethod
    def of(cls, each: FloatArray, step: float | None = None) -> Told:
        """Reduce the harm to respondents to what may be told of it.

        Args:
            each: the harm to each respondent; undefined where one is NaN.
            step: the step of the file of which these are a group, to the nearest multiple of which it is rounded; None:
                they are all, and the step is that of their own largest loss.
        """
        why = untold(each)
        if why:
            return cls(int(each.size), None, None, None, None, None, None, None, why)
        b = Bearers.of(each)
        used = step_for(each) if step is None else step
        total = on_step(b.total, used, up=step is None)
        few, many = each.size < 100 * SMALLEST, b.harmed >= BEARERS
        return cls(
            b.n,
            used,
            total,
            mean_of(total, b.n),
            b.harmed,
            round(b.gini, 1) if many and b.gini is not None else None,
            float(f"{b.top_1:.1g}") if many and not few and b.top_1 is not None else None,
            b.half if many else None,
        )


def untold(each: FloatArray) -> str:
    """Say why nothing is told of the harm to some respondents; empty where something is.

    >>> untold(np.zeros(9)), untold(np.zeros(10))
    ('a figure on fewer than 10 respondents is not told', '')
    """
    if each.size < SMALLEST:
        return FEW
    return "it is undefined" if bool(np.isnan(each).any()) else ""


def sum_told(each: FloatArray) -> float | None:
    """Give the sum that is told of the harm to all respondents, without who bears it; None where nothing is told.

    >>> sum_told(np.array([0.0] * 9 + [316.5, 120.0]))
    1000.0
    """
    return None if untold(each) else on_step(float(each.sum()), step_for(each), up=True)


def number(value: float | None, form: str = ",.12g") -> str:
    """Write a figure; a dash where there is none.

    >>> number(1200.0), number(None)
    ('1,200', '-')
    """
    return "-" if value is None else format(value, form)
