"""Several tables of the same thing that share cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_array, csr_array

from confide.data.packing import groups
from confide.errors import TableError
from confide.tables.dimension import Dimension
from confide.tables.table import Table
from confide.typing import FloatArray, IntArray

MIX = np.uint64(0x9E3779B97F4A7C15)


def link_tables(*tables: Table, tolerance: float = 1e-9) -> Table:
    """Join tables to one system in which a cell that several tables show stands once.

    A cell is what its codes say: totals say nothing, and a code of a coarser level of a hierarchy (`Levels`) is the same as
    that code of the coarser variable. So a table by region, with regions nested in counties, and a table by county share
    the counties. All tables must add up the same variable of the same records; shared cells that differ are refused.

    Args:
        tables: the tables.
        tolerance: by what share the values of a shared cell may differ.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "m", "m"], "job": ["a", "a", "b"], "x": [1, 2, 3]})
    >>> cf.link_tables(cf.tabulate(data, "sex", "x"), cf.tabulate(data, "job", "x"))
    Table(x by linked tables of sex, job: 5 cells, 4 of them inner)
    """
    if not tables:
        raise TableError("give at least one table")
    names = list(dict.fromkeys(t.name for t in tables))
    if len(names) > 1:
        raise TableError(f"linked tables add up the same variable; found {', '.join(names)}")
    dimensions, codes = _common(tables)
    first, group = groups(list(codes.T), codes.shape[0])
    values = np.concatenate([t.values for t in tables])
    differ = np.flatnonzero(
        np.abs(values - values[first][group]) > tolerance * np.maximum(np.abs(values), np.abs(values[first][group]))
    )
    linked = _merged(tables, dimensions, codes[first], first, _equations(tables, group, first.size))
    if differ.size:
        cells = [linked.cell_name(int(c)) for c in np.unique(group[differ])[:10]]
        raise TableError(
            f"{np.unique(group[differ]).size:,} cell(s) have different values in different tables: {'; '.join(cells)}; "
            "link tables of the same records, or allow a difference: tolerance=..."
        )
    return linked


def linked_places(tables: Sequence[Table]) -> list[IntArray]:
    """Give for each table the place of each of its cells in what `link_tables` makes of them.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "m", "m"], "job": ["a", "a", "b"], "x": [1, 2, 3]})
    >>> [p.tolist() for p in linked_places([cf.tabulate(data, "sex", "x"), cf.tabulate(data, "job", "x")])]
    [[0, 3, 4], [0, 1, 2]]
    """
    codes = _common(tables)[1]
    group = groups(list(codes.T), codes.shape[0])[1]
    return np.split(group, np.cumsum([t.n for t in tables])[:-1])


def _common(tables: Sequence[Table]) -> tuple[tuple[Dimension, ...], IntArray]:
    """Write the cells of all tables in the same columns, one for each variable that codes stand for."""
    labels: dict[str, dict[str, int]] = {}
    texts: dict[str, dict[str, str]] = {}
    for table in tables:
        for d in table.dimensions:
            for code, (variable, label) in list(zip(d.codes, d.origins, strict=True))[1:]:
                held = labels.setdefault(variable, {})
                held.setdefault(label, 1 + len(held))
                if code in d.texts:
                    texts.setdefault(variable, {})[label] = d.texts[code]
    column = {v: i for i, v in enumerate(labels)}
    total = next((d.codes[0] for t in tables for d in t.dimensions), "Total")
    parts = []
    for table in tables:
        found = np.zeros((table.n, len(labels)), dtype=np.int64)
        for d, codes in zip(table.dimensions, table.codes.T, strict=True):
            where = np.array([-1] + [column[v] for v, _ in d.origins[1:]], dtype=np.int64)[codes]
            what = np.array([0] + [labels[v][x] for v, x in d.origins[1:]], dtype=np.int64)[codes]
            rows = np.flatnonzero(where >= 0)
            found[rows, where[rows]] = what[rows]
        parts.append(found)
    dimensions = tuple(Dimension.flat(v, list(held), total, texts.get(v, {})) for v, held in labels.items())
    return dimensions, np.concatenate(parts)


def _equations(tables: Sequence[Table], group: IntArray, cells: int) -> csr_array:
    """Stack the equations of all tables, each once."""
    rows, columns, data = [], [], []
    many = offset = 0
    for table in tables:
        a = coo_array(table.equations())
        rows.append(a.row.astype(np.int64) + many)
        columns.append(group[a.col.astype(np.int64) + offset])
        data.append(a.data)
        many, offset = many + int(a.shape[0]), offset + table.n
    row, col, entry = np.concatenate(rows), np.concatenate(columns), np.concatenate(data)
    found = csr_array((entry, (row, col)), shape=(many, cells))
    found.sort_indices()
    return found[_distinct(found)]


def _distinct(equations: csr_array) -> IntArray:
    """Find one of each set of equal equations, by two sums over scrambled places."""
    x = np.arange(1, equations.shape[1] + 1, dtype=np.uint64)
    marks = []
    for turn in (np.uint64(29), np.uint64(32)):
        x = (x ^ (x >> turn)) * MIX
        scrambled = x.view(np.int64)
        signed = scrambled[equations.indices] * equations.data.astype(np.int64)
        rows = np.repeat(np.arange(equations.shape[0]), np.diff(equations.indptr))
        sums = np.zeros(equations.shape[0], dtype=np.int64)
        np.add.at(sums, rows, signed)
        marks.append(sums)
    _, first = np.unique(np.stack(marks, axis=1), axis=0, return_index=True)
    return np.sort(first).astype(np.int64)


def _merged(
    tables: Sequence[Table], dimensions: tuple[Dimension, ...], codes: IntArray, first: IntArray, sums: csr_array
) -> Table:
    """Take what is known of a cell from the first table that shows it."""

    def stacked(parts: list[FloatArray | None]) -> FloatArray | None:
        known = [p for p in parts if p is not None]
        return np.concatenate(known)[first] if len(known) == len(parts) else None

    places = min(t.largest.shape[1] for t in tables)
    kinds = [k for k in tables[0].marked if all(k in t.marked for t in tables)]
    who, keys = [t.contributors for t in tables], [t.cell_keys for t in tables]
    return Table(
        dimensions,
        codes,
        np.concatenate([t.values for t in tables])[first],
        np.concatenate([t.absolute for t in tables])[first],
        np.concatenate([t.largest[:, :places] for t in tables])[first],
        stacked([t.respondents for t in tables]),
        stacked([t.active for t in tables]),
        stacked([t.weights for t in tables]),
        None if any(w is None for w in who) else np.concatenate([w[:, :places] for w in who if w is not None])[first],
        {k: np.concatenate([t.marked[k][:, :places] for t in tables])[first] for k in kinds},
        tables[0].name,
        sums,
        None if any(k is None for k in keys) else np.concatenate([k for k in keys if k is not None])[first],
    )
