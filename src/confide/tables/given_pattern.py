"""Patterns from files: ours, or another program's."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import TableError, unknown
from confide.tables.cell_files import NO_VALUE, CellFile, open_cells
from confide.tables.table import Table
from confide.tables.write.sdmx_csv import identifier
from confide.typing import BoolArray

STATUSES = ("status", "flag", "Status", "sdcStatus", "suppressed", "CONF_STATUS")
"""The columns in which a status is sought, in this order."""
PRIMARY = frozenset({"primary", "u", "a", "b"})
"""Sensitive: ours; sdcTable and the intermediate file of tau-ARGUS; its other files by frequency and by dominance."""
OTHERS = frozenset({"secondary", "x", "m", "d", "c", "n", "q", "true", "1"})
"""Left out, for whatever reason: ours, sdcTable, tau-ARGUS, SDMX, a flag."""
FREE = frozenset({"", "published", "s", "z", "p", "v", "false", "0"})
"""Published: ours; sdcTable, z when it must be; tau-ARGUS, p when it must be; a flag."""


@dataclass(frozen=True, slots=True, eq=False)
class GivenPattern:
    """Which cells of a table a file leaves out."""

    suppressed: BoolArray
    """Whether each cell is left out; those that do not stand in the file are."""
    primary: BoolArray
    """Whether the file calls it sensitive."""
    absent: int
    """How many cells of the table do not stand in the file."""
    empty: int
    """How many rows of the file name cells to which nobody contributes."""


def read_pattern(
    path: str | os.PathLike[str] | CellFile, table: Table, *, status: str | None = None, value: str | None = None
) -> GivenPattern:
    r"""Read which cells of a table a file leaves out: a file that `ProtectedTable.write` wrote, or another program's.

    The file has a column for each dimension, and a status for each cell: those of `published` and `internal`, of sdcTable
    (s, z, u, x), of tau-ARGUS (V, A, B, C, D; S, U, P, M), of SDMX (CONF_STATUS), or true and false. Without a column of
    statuses a cell is left out where it has no value.

    Args:
        path: the file: CSV, TSV, SDMX-CSV or Parquet.
        table: the table.
        status: the column with the status; None: one of those that programs use.
        value: the column with the values, where there is no status; None: the table's value.

    >>> import tempfile, confide as cf
    >>> from pathlib import Path
    >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3, 4]}), ["sex"], "x")
    >>> file = Path(tempfile.mkdtemp()) / "t.csv"
    >>> _ = file.write_text("sex,x,sdcStatus\nTotal,7,s\nf,3,u\nm,4,x\n")
    >>> found = read_pattern(file, table)
    >>> found.suppressed.tolist(), found.primary.tolist()
    ([False, True, True], [False, True, False])
    """
    file = path if isinstance(path, CellFile) else open_cells(path)
    file = _named(file, table)
    cells = file.cells(table)
    hidden, primary = _told(file, _column(file, table, status, value))
    known = cells >= 0
    once = np.bincount(cells[known], minlength=table.n)
    if (once > 1).any():
        raise TableError(f"{file.name!r}: {int((once > 1).sum()):,} cell(s) stand more than once; give each cell one row")
    found = np.ones(table.n, dtype=np.bool_)
    sensitive = np.zeros(table.n, dtype=np.bool_)
    found[cells[known]] = hidden[known]
    sensitive[cells[known]] = primary[known]
    return GivenPattern(found, sensitive, int((once == 0).sum()), int((~known).sum()))


def _named(file: CellFile, table: Table) -> CellFile:
    """Find dimensions under the names that SDMX allows."""
    columns = dict(file.columns)
    if "OBS_VALUE" in columns:
        for name in table.by:
            if name not in columns and identifier(name) in columns:
                columns[name] = columns[identifier(name)]
    return CellFile(file.name, columns)


def _column(file: CellFile, table: Table, status: str | None, value: str | None) -> tuple[str, bool]:
    """Choose the column that tells, and whether it holds statuses."""
    for name, is_status in ((status, True), (value, False)):
        if name is not None:
            if name not in file.columns:
                raise TableError(f"{file.name!r}: {unknown('column', name, file.columns)}")
            return name, is_status
    for name in STATUSES:
        if name in file.columns and name not in table.by:
            return name, True
    for name in (table.name, "OBS_VALUE", "value"):
        if name in file.columns:
            return name, False
    raise TableError(
        f"{file.name!r} has no column with statuses or values; name it: status='...'. It has the columns {file.listed}"
    )


def _told(file: CellFile, column: tuple[str, bool]) -> tuple[BoolArray, BoolArray]:
    """Say for each row whether the cell is left out, and whether it is called sensitive."""
    name, is_status = column
    texts = [t.strip() for t in file.columns[name]]
    if not is_status:
        hidden = np.array([t in NO_VALUE for t in texts], dtype=np.bool_)
        return hidden, np.zeros(len(texts), dtype=np.bool_)
    free = FREE | {"f"} if name == "CONF_STATUS" else FREE
    _check(file.name, name, texts, free)
    words = [t.lower() for t in texts]
    return (
        np.array([w not in free for w in words], dtype=np.bool_),
        np.array([w in PRIMARY and name != "CONF_STATUS" for w in words], dtype=np.bool_),
    )


def _check(file: str, column: str, texts: Sequence[str], free: frozenset[str]) -> None:
    """Refuse a status that no program is known to write."""
    wrong = next((t for t in texts if t.lower() not in PRIMARY | OTHERS | free), None)
    if wrong is not None:
        raise TableError(
            f"{file!r}: status {wrong!r} in column {column!r} is not known; use published, primary and secondary, "
            "s, z, u and x, V, A, B, C and D, or name a column of values: value='...'"
        )
