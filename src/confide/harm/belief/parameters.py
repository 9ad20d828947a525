"""Read the parameters of beliefs: one number for each pair, or one for all."""

from __future__ import annotations

from typing import Any

import numpy as np

from confide.errors import HarmError, raise_all
from confide.typing import FloatArray


def parameters(who: str, **given: Any) -> list[FloatArray]:
    """Give finite parameters as lists of one length; tell all faults at once.

    >>> [p.tolist() for p in parameters("NormalBelief", mean=[1, 2], sd=3)]
    [[1.0, 2.0], [3.0, 3.0]]
    """
    faults, lists = [], []
    for name, value in given.items():
        try:
            found = np.atleast_1d(np.array(value, dtype=np.float64))
        except (TypeError, ValueError):
            faults.append(f"{who}: {name} must be numbers, one for each pair")
            continue
        wrong = int(np.sum(~np.isfinite(found)))
        if found.ndim != 1:
            faults.append(f"{who}: {name} must be a list, one number for each pair; found {found.ndim} dimensions")
        elif wrong:
            faults.append(f"{who}: {name} is missing or infinite in {wrong:,} of {found.size:,} places")
        else:
            lists.append(found)
    raise_all(faults, HarmError)
    sizes = {x.size for x in lists} - {1}
    if len(sizes) > 1:
        told = ", ".join(f"{name} {x.size:,}" for name, x in zip(given, lists, strict=True))
        raise HarmError(f"{who}: give one number for each pair, or one for all; found {told}")
    wide = sizes.pop() if sizes else 1
    return [frozen(np.broadcast_to(x, (wide,))) for x in lists]


def spread(who: str, name: str, values: FloatArray) -> FloatArray:
    """Raise where a spread is negative."""
    wrong = int(np.sum(values < 0))
    if wrong:
        raise HarmError(f"{who}: {name} must not be negative; {wrong:,} of {values.size:,} are")
    return values


def at(t: Any, size: int) -> FloatArray:
    """Give one number for each pair; infinite ones may stand here, missing ones not."""
    found = np.asarray(t, dtype=np.float64)
    if found.shape not in {(), (1,), (size,)}:
        raise HarmError(f"give one number for each of the {size:,} pairs, or one for all; found shape {found.shape}")
    if bool(np.isnan(found).any()):
        raise HarmError(f"{int(np.isnan(found).sum()):,} of {found.size:,} numbers asked about are missing")
    return np.broadcast_to(found, (size,))


def finite_at(t: Any, size: int) -> FloatArray:
    """Give one finite number for each pair."""
    found = at(t, size)
    if not bool(np.isfinite(found).all()):
        raise HarmError(f"{int(np.isinf(found).sum()):,} of {size:,} numbers asked about are infinite")
    return found


def frozen(values: Any) -> FloatArray:
    """Give a copy that nobody changes."""
    copy = np.array(values, dtype=np.float64)
    copy.setflags(write=False)
    return copy
