"""Put targets into groups by the values of a variable."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np

from confide.data.column import Column
from confide.typing import FloatArray, IntArray, Label

FEW = 12


def grouped(column: Column, smallest: int, texts: Mapping[Label, str] | None = None) -> tuple[list[str], IntArray]:
    """Name the groups and give each record its group.

    Numbers with many values are cut at round numbers, so that no single value shows. Groups with
    fewer than `smallest` records are put together, with the next larger one if need be.
    """
    positions, distinct = column.profile()
    texts = texts or {}
    names = ["missing" if v is None else texts.get(v, str(v)) for v in distinct.values()]
    numbers = distinct.numbers[distinct.is_number]
    if numbers.size > FEW:
        edges = round_cuts(column.numbers[column.is_number])
        group = np.searchsorted(edges, np.nan_to_num(distinct.numbers), side="right")
        spans = _spans(edges)
        names = [spans[g] if c else name for g, c, name in zip(group, distinct.is_number, names, strict=True)]
    ordered = list(dict.fromkeys(names))
    place = np.array([ordered.index(n) for n in names], dtype=np.int64)
    member = place[positions]
    counts = np.bincount(member, minlength=len(ordered))
    by_size = np.argsort(counts, kind="stable")
    held = np.cumsum(counts[by_size])
    small = int(np.sum(counts < smallest))
    if small:
        # enough groups go together that their sum is not small either
        small = min(max(small, int(np.searchsorted(held, smallest)) + 1), len(ordered))
    if small and small == len(ordered):
        return ["all"], np.zeros(member.size, dtype=np.int64)
    if small < 2:
        return ordered, member
    kept = np.sort(by_size[small:])
    table = np.full(len(ordered), kept.size, dtype=np.int64)
    table[kept] = np.arange(kept.size)
    return [*(ordered[g] for g in kept), f"{small} smaller groups"], table[member]


def round_cuts(x: FloatArray, parts: int = 6) -> FloatArray:
    """Cut numbers into about equally frequent parts, at numbers of one or two digits.

    >>> round_cuts(np.arange(1000.0), 4).tolist()
    [250.0, 500.0, 750.0]
    """
    cuts = []
    for q in np.quantile(x, np.arange(1, parts) / parts):
        digits = 1 - math.floor(math.log10(abs(q))) if q else 0
        cuts.append(round(float(q), digits))
    return np.unique(np.asarray(cuts))


def _spans(edges: FloatArray) -> list[str]:
    """Name the parts between cuts."""
    shown = [f"{e:,.10g}" for e in edges]
    middle = [f"{a} to below {b}" for a, b in itertools.pairwise(shown)]
    return [f"below {shown[0]}", *middle, f"{shown[-1]} or more"]
