"""Read a spread: absolute, relative to the value, or elicited."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from confide.errors import IntruderError
from confide.intruder.appearance.check import as_spread
from confide.intruder.appearance.elicited import Elicited, Family
from confide.typing import FloatArray

Spread = npt.ArrayLike | Elicited | Sequence[Elicited]
"""Numbers, one elicited distribution for all variables, or one for each."""


def elicited_columns(spread: Spread | None, family: Family, variables: int) -> list[Elicited] | None:
    """Give one elicited distribution for each variable, or None when the spread is numbers."""
    found = [spread] if isinstance(spread, Elicited) else list(spread) if isinstance(spread, (list, tuple)) else []
    if not any(isinstance(e, Elicited) for e in found):
        return None
    if len(found) == 1:
        found *= variables
    if len(found) != variables or not all(isinstance(e, Elicited) for e in found):
        raise IntruderError(f"give one elicited distribution, or one for each of the {variables} variables")
    other = [e.family.__name__ for e in found if e.family is not family]
    if other:
        raise IntruderError(
            f"the judgements were fitted for {other[0]}, not {family.__name__}; "
            f"write elicit(..., family={family.__name__}) or {other[0]}.around(...)"
        )
    return found


def absolute_spread(
    values: FloatArray, spread: Spread | None, relative: npt.ArrayLike | None, family: Family, what: str
) -> tuple[FloatArray, FloatArray]:
    """Give centres and spreads in the units of the values."""
    shape = (int(values.shape[0]), int(values.shape[1]))
    if (spread is None) == (relative is None):
        raise IntruderError(f"give {what} or relative_{what}, one of them")
    columns = elicited_columns(spread, family, shape[1])
    if columns is not None:
        centre = values * np.array([e.centre for e in columns])
        return centre, _relative(values, np.array([e.sd for e in columns]), what)
    if spread is not None:
        return values, as_spread(spread, shape, what)  # type: ignore[arg-type]
    assert relative is not None
    return values, _relative(values, relative, what)


def _relative(values: FloatArray, relative: npt.ArrayLike, what: str) -> FloatArray:
    """Multiply relative spreads by the size of the values."""
    factor = as_spread(relative, (int(values.shape[0]), int(values.shape[1])), f"relative_{what}")
    zero = int(np.sum(values == 0))
    if zero:
        raise IntruderError(f"{zero} of {values.size} values are zero, where a relative {what} is none; give {what} itself")
    return factor * np.abs(values)


def log_spread(relative: npt.ArrayLike, shape: tuple[int, int]) -> FloatArray:
    """Give the sd of the logarithm of a lognormal from its sd relative to its mean: sqrt(log(1 + c²)).

    >>> log_spread(1.0, (1, 1)).round(4).tolist()
    [[0.8326]]
    """
    return np.sqrt(np.log1p(as_spread(relative, shape, "relative_sd") ** 2))
