"""What may be a limit: a finite number, and not a negative one where the figure never is."""

from __future__ import annotations

import math

import numpy as np


def limit_fault(what: str, value: object, *, negative: bool = False) -> list[str]:
    """Say what is wrong with a limit; nothing where it is a number that can be kept to.

    With a limit that is not a number every comparison fails, and an infinite one holds for every file.

    Args:
        what: what it is called.
        value: the limit.
        negative: whether the figure may be below 0.

    >>> limit_fault("max_harm", float("nan"))
    ['max_harm must be a finite number, 0 or more; found nan. Give the figure that must be kept to, or leave the limit out']
    >>> limit_fault("max_harm", 0)
    []
    """
    fine = isinstance(value, int | float | np.number) and not isinstance(value, bool) and math.isfinite(value)
    if fine and (negative or value >= 0):  # type: ignore[operator]
        return []
    wanted = "a finite number" + ("" if negative else ", 0 or more")
    return [f"{what} must be {wanted}; found {value!r}. Give the figure that must be kept to, or leave the limit out"]
