"""Write losses: they have no unit of their own, and may be very large or very small."""

from __future__ import annotations

import math
from collections.abc import Sequence

SHORT = (1e-4, 1e10)
"""Numbers from the first to below the second are written out."""
TIMES = "\N{NO-BREAK SPACE}\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}10"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def amounts(values: Sequence[float], digits: int = 4) -> list[str]:
    """Write the numbers of a column alike, with the decimals that the largest one needs for so many digits.

    >>> amounts([26270.0, 497.8, 63.0, 0.02]), amounts([0.5148, 0.0012, 0.0])
    (['26,270', '498', '63', '0.02'], ['0.5148', '0.0012', '0.0000'])
    >>> [text.replace(TIMES, "e") for text in amounts([1.226e12, 5.32e11])]
    ['1.226e¹²', '0.532e¹²']
    """
    top = max(values, default=0.0)
    power = _power(top)
    scaled = [v / 10.0**power for v in values]
    whole = power == 0 and all(v == round(v) for v in scaled)
    places = 0 if whole else max(0, digits - 1 - math.floor(math.log10(top / 10.0**power)))
    lost = 0.5 * 10.0**-places
    return [amount(v) if 0 < x < lost else f"{x:,.{places}f}{_unit(power)}" for v, x in zip(values, scaled, strict=True)]


def amount(value: float) -> str:
    """Write one number that is rounded already.

    >>> amount(990000.0), amount(1.0), amount(9.8e17).replace(TIMES, "e")
    ('990,000', '1', '980e¹⁵')
    """
    power = _power(value)
    return f"{value / 10.0**power:,.10g}{_unit(power)}"


def _power(value: float) -> int:
    """Give the power of a thousand, as a power of ten, that a number is written with."""
    return 0 if value == 0 or SHORT[0] <= value < SHORT[1] else 3 * math.floor(math.log10(value) / 3)


def _unit(power: int) -> str:
    """Write a power of ten; nothing for the zeroth."""
    return f"{TIMES}{str(power).translate(RAISED)}" if power else ""
