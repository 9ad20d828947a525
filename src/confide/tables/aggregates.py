"""Make a table from cells that were added up already."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from confide.data.frames import from_frame
from confide.data.microdata import Microdata
from confide.data.readers.read import read
from confide.errors import DeclarationError, TableError, raise_all, repeated, unknown
from confide.tables.dimension import Dimension
from confide.tables.labels import labelled, numbers_of
from confide.tables.nesting import Nesting, check_named, resolved
from confide.tables.rollup import Added, Shares, cell_keys, roll_up
from confide.tables.table import Table
from confide.typing import FloatArray, IntArray


def table_of_aggregates(
    data: Microdata | str | os.PathLike[str] | Any,
    by: str | Sequence[str],
    value: str,
    *,
    hierarchies: Mapping[str, Nesting | Sequence[Nesting]] | None = None,
    count: str | None = None,
    largest: str | Sequence[str] = (),
    total: str | Mapping[str, str] = "Total",
    tolerance: float = 1e-9,
) -> Table:
    """Read a table from one row per cell, with its totals or without.

    Without rows for totals these are added up; the largest contributions of a total are then those of its parts, each
    contributor being in one cell only. With rows for totals the table is kept as it is, and sums are checked.

    Args:
        data: the cells: a `Microdata` of them, a frame, or a file.
        by: the columns that span the table.
        value: the column with the values.
        hierarchies: how the codes of a dimension nest, by dimension; `Levels` do not apply, cells hold all levels in one
            column.
        count: the column with the number of contributors.
        largest: the columns with the largest contributions, the largest first.
        total: what the total is called, one name for all dimensions or one for each.
        tolerance: by what share of what it adds a sum may be off; `float("inf")` takes any, and `Table.additivity` tells.

    >>> import confide as cf
    >>> cells = cf.Microdata.from_dict({"sex": ["f", "m", "Total"], "x": [3, 4, 8]})
    >>> table = cf.table_of_aggregates(cells, "sex", "x", tolerance=float("inf"))
    >>> table.additivity()
    1 of 1 sums do not add up; the total exceeds its parts at Total by +1
    """
    names = (by,) if isinstance(by, str) else tuple(by)
    tops = (largest,) if isinstance(largest, str) else tuple(largest)
    file = _opened(data, names)
    faults = [
        unknown("variable", n, file.names)
        for n in (*names, value, *tops, *([count] if count else []))
        if n not in file.columns
    ]
    raise_all([*faults, *(f"by names {n!r} twice" for n in repeated(names))], DeclarationError)
    hierarchies = hierarchies or {}
    check_named(hierarchies, names)
    called = {n: total if isinstance(total, str) else total.get(n, "Total") for n in names}
    found = [_placed(file, n, hierarchies.get(n), called[n]) for n in names]
    dimensions = tuple(d for d, _ in found)
    codes = np.stack([c for _, c in found], axis=1) if found else np.zeros((file.n, 0), dtype=np.int64)
    x, counts = numbers_of(file, value, "cells"), None if count is None else numbers_of(file, count, "cells")
    amounts = np.stack([np.abs(numbers_of(file, c, "cells")) for c in tops], axis=1) if tops else np.zeros((file.n, 0))
    _check_once(codes, dimensions)
    leaf = np.stack([d.is_leaf[c] for d, c in zip(dimensions, codes.T, strict=True)], axis=1) if found else codes
    if found and bool((leaf >= 0).all()):
        return _added_up(leaf, dimensions, (x, counts, amounts), value)
    order = np.argsort(cell_keys(codes, dimensions), kind="stable")
    table = Table(
        dimensions,
        codes[order],
        x[order],
        np.abs(x[order]),
        amounts[order],
        None if counts is None else counts[order],
        name=value,
    )
    if tolerance < np.inf:
        table.additivity(tolerance).check()
    return table


def _added_up(
    leaf: IntArray, dimensions: tuple[Dimension, ...], held: tuple[FloatArray, FloatArray | None, FloatArray], name: str
) -> Table:
    """Add inner cells up to totals."""
    x, counts, amounts = held
    cells, places = amounts.shape
    number = np.zeros(cells) if counts is None else counts
    order = np.argsort(-amounts.ravel(), kind="stable")
    cell = np.repeat(np.arange(cells), places)[order]
    flat = amounts.ravel()[order]
    one = np.ones(flat.size)
    shares = Shares(cell, np.arange(flat.size)[order], flat, flat, one, one.astype(np.int64))
    zero = np.zeros(cells)
    # the sum of weights is the place where numbers of contributors are added up
    start = Added(leaf, np.stack([x, number, zero, zero, zero]), shares, several=False)
    done = roll_up(start, dimensions, 1, max(places, 1))
    absolute = roll_up(
        Added(leaf, np.stack([np.abs(x), zero, zero, zero, zero]), shares, several=False), dimensions, 1, 1
    ).values
    return Table(
        dimensions, done.codes, done.values, absolute, done.largest[0][:, :places],
        None if counts is None else done.weights, name=name,
    )  # fmt: skip


def _opened(data: Any, by: Sequence[str]) -> Microdata:
    """Give the cells as a file; codes of a text file are read as text, with their zeros."""
    if isinstance(data, Microdata):
        return data
    if isinstance(data, str | os.PathLike):
        return read(data, text=list(by))
    return from_frame(data, name="cells")


def _placed(file: Microdata, name: str, given: Nesting | Sequence[Nesting] | None, total: str) -> tuple[Dimension, IntArray]:
    """Give the dimension of a column and the code of each cell."""
    held = labelled(file.columns[name], file.variables[name])
    if (held.ids < 0).any():
        raise TableError(
            f"{name!r} has no code for {int((held.ids < 0).sum()):,} of {file.n:,} cells; write totals as {total!r}"
        )
    hierarchies = resolved(file, name, given)
    flat = [t for t in held.labels if t != total]
    dimension = Dimension.of(name, hierarchies, total) if hierarchies else Dimension.flat(name, flat, total)
    at = {c: i for i, c in enumerate(dimension.codes)}
    wrong = [t for t in held.labels if t not in at]
    if wrong:
        raise TableError(
            f"{len(wrong)} code(s) of {name!r} are not in its hierarchy, such as {wrong[0]!r}; add them, or name the total: "
            f"total={{{name!r}: ...}}"
        )
    return dimension, np.array([at[t] for t in held.labels], dtype=np.int64)[held.ids]


def _check_once(codes: IntArray, dimensions: Sequence[Dimension]) -> None:
    """Refuse cells that stand twice."""
    keys = np.sort(cell_keys(codes, dimensions))
    twice = int(np.sum(keys[1:] == keys[:-1]))
    if twice:
        raise TableError(f"{twice:,} cell(s) stand more than once; give each cell one row, or name all dimensions in by")
