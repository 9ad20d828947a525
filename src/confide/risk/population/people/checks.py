"""What every model of F given f asks of its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from confide.errors import IntruderError, ModelError
from confide.typing import FloatArray


def counts(f: Any) -> FloatArray:
    """Give the numbers of records; raise where one is no whole number of 1 or more.

    >>> counts([1, 2]).tolist()
    [1.0, 2.0]
    """
    found = np.atleast_1d(np.asarray(f, dtype=np.float64))
    whole = np.isfinite(found) & (found == np.round(found)) & (found >= 0)
    if not bool(whole.all()):
        wrong = np.count_nonzero(~whole)
        raise IntruderError(f"f counts records and is a whole number of 0 or more; {wrong:,} of {found.size:,} are not")
    absent = int(np.count_nonzero(found == 0))
    if absent:
        raise ModelError(
            f"no record has the combination in {absent:,} of {found.size:,} cells (f = 0): F may be 0 there, and E(1/F) is "
            "not defined. Leave these cells out; without a consistent record the null link is certain"
        )
    return found


def number(name: str, value: Any, low: float, high: float, *, closed: tuple[bool, bool]) -> FloatArray:
    """Give a parameter; raise where it is outside its range.

    >>> number("fraction", 0.5, 0, 1, closed=(False, True)).tolist()
    [0.5]
    """
    found = np.atleast_1d(np.asarray(value, dtype=np.float64))
    above = found >= low if closed[0] else found > low
    below = found <= high if closed[1] else found < high
    if not bool((above & below & np.isfinite(found)).all()):
        lower = f"{low:g} or more" if closed[0] else f"above {low:g}"
        upper = "" if np.isinf(high) else f" and at most {high:g}" if closed[1] else f" and below {high:g}"
        wrong = found[~(above & below & np.isfinite(found))][0]
        raise IntruderError(f"{name} must be {lower}{upper}, found {wrong:g}")
    return found
