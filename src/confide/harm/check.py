"""Read and check what is handed to the harm room; messages count faults and show no record's value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from confide.errors import HarmError, unknown_level
from confide.typing import BoolArray, FloatArray, IntArray, Label

ROUNDING = 1e-9
"""Probabilities may sum to one up to this much."""


def cost_fault(name: str, value: object) -> list[str]:
    """Say what is wrong with a declared cost; nothing when it is a finite number that is not negative.

    >>> cost_fault("tt", -1.0)
    ['tt must be a finite number, 0 or more; found -1.0']
    """
    fine = isinstance(value, int | float | np.number) and math.isfinite(value) and value >= 0
    return [] if fine else [f"{name} must be a finite number, 0 or more; found {value!r}"]


def amounts(values: Any, what: str) -> FloatArray:
    """Give finite numbers as a list; one number is a list of one.

    >>> amounts(3, "the estimate").tolist()
    [3.0]
    """
    found = numbers(values, what)
    wrong = int(np.sum(~np.isfinite(found)))
    if wrong:
        raise HarmError(f"{what} is missing or infinite in {wrong:,} of {found.size:,} places; leave these out")
    return found


def numbers(values: Any, what: str) -> FloatArray:
    """Give numbers, missing ones among them, as a list."""
    try:
        found = np.atleast_1d(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError):
        raise HarmError(f"{what} must be numbers, one for each pair") from None
    if found.ndim != 1:
        raise HarmError(f"{what} must be a list, one number for each pair; found {found.ndim} dimensions")
    return found


def codes(values: Any, lowest: int, highest: int, what: str) -> IntArray:
    """Give whole numbers from a range as a list.

    >>> codes([1, 0, -1], -1, 1, "reidentified").tolist()
    [1, 0, -1]
    """
    given = np.atleast_1d(np.asarray(values))
    if given.size == 0:
        return np.zeros(0, dtype=np.int64)
    if given.ndim != 1 or given.dtype.kind not in "iub":
        raise HarmError(f"{what} must be a list of whole numbers from {lowest} to {highest}; found {given.dtype} numbers")
    found = given.astype(np.int64)
    wrong = int(np.sum((found < lowest) | (found > highest)))
    if wrong:
        raise HarmError(f"{what} must be from {lowest} to {highest}; {wrong:,} of {found.size:,} are not")
    return found


def same_size(**lists: Sequence[Any] | FloatArray | IntArray) -> int:
    """Give the common length of lists; raise where they differ."""
    sizes = {name: len(values) for name, values in lists.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} {n:,}" for name, n in sizes.items())
        raise HarmError(f"give one entry of each for every pair; found {told}")
    return next(iter(sizes.values()))


def acting(reidentified: IntArray, inferred: Any) -> tuple[BoolArray, BoolArray]:
    """Say for which pairs a Bayesian intruder re-identifies and infers, and for which the inference is left out."""
    linked = reidentified >= 0
    if inferred is None:
        return linked, np.zeros(linked.size, dtype=np.bool_)
    told = np.atleast_1d(np.asarray(inferred))
    if told.shape != linked.shape or told.dtype != np.bool_:
        raise HarmError(f"inferred must be true or false for each of the {linked.size:,} pairs")
    return linked & told, linked & ~told


def posterior_rows(posterior: Any, active: BoolArray, levels: Sequence[Label]) -> FloatArray:
    """Give the probabilities of the pairs where the intruder infers, pairs by levels."""
    table = np.asarray(posterior, dtype=np.float64)
    if table.shape != (active.size, len(levels)):
        raise HarmError(
            f"the posterior must be {active.size:,} pairs by {len(levels)} levels; found shape {tuple(table.shape)}"
        )
    rows = table[active]
    wrong = int(np.sum(~(np.all(rows >= -ROUNDING, axis=1) & (np.abs(rows.sum(axis=1) - 1) <= ROUNDING))))
    if wrong:
        raise HarmError(f"{wrong:,} of {len(rows):,} rows of the posterior are not probabilities that sum to one")
    return np.maximum(rows, 0.0)


def by_level(costs: Mapping[Label, Any], levels: Sequence[Label], who: str) -> list[Any]:
    """Give the entry of each level, None where there is none; raise on an entry for a level that does not exist.

    A level may also be named by its text, as in a plan. Levels are what respondents confided, and a message does not list
    them.

    >>> by_level({"1": "high"}, [0, 1], "ByTrueValue")
    [None, 'high']
    """
    found: list[Any] = [None] * len(levels)
    by_text = {str(level): k for k, level in enumerate(levels)}
    exact = {level: k for k, level in enumerate(levels)}
    for level, cost in costs.items():
        place = exact.get(level, by_text.get(str(level)))
        if place is None:
            raise HarmError(f"{who}: {unknown_level(level, levels, confided=True)}")
        found[place] = cost
    return found
