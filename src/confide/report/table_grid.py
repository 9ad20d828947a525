"""A table set out in rows and columns."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from confide.tables.dimension import Dimension
from confide.tables.method import PRIMARY, PUBLISHED, SECONDARY
from confide.tables.protected import ProtectedTable
from confide.typing import IntArray

MOST_COLUMNS = 14
"""A dimension with more codes stands in rows."""
MOST_CELLS = 2_500
"""A table with more places is shown without its finest codes."""
MOST_ROWS = 250
"""More rows are not shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One place of the table."""

    text: str
    kind: str = ""
    """How it is drawn: hidden, primary, secondary, changed, or nothing."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row: its codes, how deep the last of them lies, and its places."""

    names: tuple[str, ...]
    depth: int
    cells: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class SetOut:
    """A table in rows and columns."""

    stubs: tuple[str, ...]
    across: str
    """The dimension of the columns; empty where there is none."""
    heads: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...]


def set_out(protected: ProtectedTable, *, internal: bool) -> SetOut:
    """Set a table out in rows and columns; large ones without their finest codes.

    Args:
        protected: the table.
        internal: whether true values and statuses are shown, or only what is published.
    """
    t = protected.table
    depths = [depths_of(d) for d in t.dimensions]
    codes, cut = _kept(t.dimensions, depths)
    column = _column(t.dimensions, codes)
    rows = [i for i in range(len(t.dimensions)) if i != column]
    place = {tuple(c): i for i, c in enumerate(t.codes.tolist())}
    texts = texts_of(protected, internal=internal)
    heads = ("",) if column is None else tuple(named(t.dimensions[column], c) for c in codes[column])
    lines: list[Line] = []
    left = 0
    for chosen in itertools.product(*(codes[i] for i in rows)):
        cells = []
        for c in [0] if column is None else codes[column]:
            key = dict(zip(rows, chosen, strict=True)) | ({} if column is None else {column: c})
            at = place.get(tuple(key[i] for i in range(len(t.dimensions))))
            cells.append(Shown("") if at is None else texts[at])
        if not any(c.text for c in cells):
            continue
        if len(lines) >= MOST_ROWS:
            left += 1
            continue
        names = tuple(named(t.dimensions[i], c) for i, c in zip(rows, chosen, strict=True))
        depth = int(depths[rows[-1]][chosen[-1]]) if rows else 0
        lines.append(Line(names, depth, tuple(cells)))
    notes = ["The finest codes are left out here; the files hold all cells."] if cut else []
    notes += [f"{left:,} more rows are left out here; the files hold all cells."] if left else []
    stubs = tuple(t.dimensions[i].name for i in rows) or ("",)
    across = "" if column is None else t.dimensions[column].name
    if not rows:
        lines = [Line(("",), 0, line.cells) for line in lines]
    return SetOut(stubs, across, heads, tuple(lines), tuple(notes))


def texts_of(protected: ProtectedTable, *, internal: bool) -> list[Shown]:
    """Write each cell."""
    kinds = {PRIMARY: "primary", SECONDARY: "secondary", PUBLISHED: ""}
    found = []
    cells = zip(protected.table.values, protected.values, protected.status.tolist(), protected.sensitive, strict=True)
    for true, shown, status, sensitive in cells:
        hidden = bool(np.isnan(shown))
        if internal and not hidden and status not in kinds:
            same = number(float(true)) == number(float(shown))
            text = number(float(true)) if same else f"{number(float(true))} \N{RIGHTWARDS ARROW} {number(float(shown))}"
            found.append(Shown(text, "primary" if sensitive else "" if same else "changed"))
        elif internal:
            found.append(Shown(number(float(true)), kinds.get(status, "changed")))
        else:
            found.append(Shown("c" if hidden else number(float(shown)), "hidden" if hidden else ""))
    return found


def number(x: float) -> str:
    """Write a number with commas, whole ones without a point.

    >>> number(12345.0), number(0.123456), number(float("inf"))
    ('12,345', '0.1235', '∞')
    """
    if np.isinf(x):
        return "\N{INFINITY}" if x > 0 else "\N{MINUS SIGN}\N{INFINITY}"
    return f"{x:,.0f}" if x == round(x) else f"{x:,.1f}" if abs(x) >= 1000 else f"{x:,.4g}"


def named(d: Dimension, code: int) -> str:
    """Write a code with its meaning, where there is one."""
    text = d.texts.get(d.codes[code])
    return d.codes[code] if text is None else f"{d.codes[code]} {text}"


def depths_of(d: Dimension) -> IntArray:
    """Say how deep each code lies below the total."""
    found = np.zeros(d.size, dtype=np.int64)
    for code in range(1, d.size):
        above = [int(p) for p in d.parents[:, code] if p >= 0]
        found[code] = 1 + max((int(found[p]) for p in above if p < code), default=0)
    return found


def _kept(dimensions: tuple[Dimension, ...], depths: list[IntArray]) -> tuple[list[list[int]], bool]:
    """Choose the codes that are shown: all, or those down to a depth that keeps the table small."""
    deepest = max((int(x.max(initial=0)) for x in depths), default=0)
    codes = [list(range(d.size)) for d in dimensions]
    for depth in range(deepest, 0, -1):
        codes = [np.flatnonzero(x <= depth).tolist() for x in depths]
        if np.prod([len(c) for c in codes], dtype=np.float64) <= MOST_CELLS:
            break
    return codes, any(len(c) < d.size for c, d in zip(codes, dimensions, strict=True))


def _column(dimensions: tuple[Dimension, ...], codes: list[list[int]]) -> int | None:
    """Choose the dimension of the columns: the last that is small, or the smallest."""
    if not dimensions:
        return None
    small = [i for i, c in enumerate(codes) if len(c) <= MOST_COLUMNS]
    if len(dimensions) == 1:
        return None
    return small[-1] if small else min(range(len(codes)), key=lambda i: len(codes[i]))
