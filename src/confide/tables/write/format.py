"""Which format a table is written in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from confide.errors import DataError
from confide.kit.files import free_path, written_whole
from confide.kit.telling import marked
from confide.release.marks import with_mark
from confide.tables.write.json_stat import JsonStat
from confide.tables.write.plain import ParquetTable, PlainText, frame_bytes
from confide.tables.write.sdmx_csv import SdmxCsv

if TYPE_CHECKING:
    from confide.tables.protected import ProtectedTable

ENDINGS = (".sdmx.csv", ".csv", ".tsv", ".parquet", ".json")
"""The endings of files for publication."""
INTERNAL = (".csv", ".tsv", ".parquet")
"""The endings of internal files."""


@runtime_checkable
class TableFormat(Protocol):
    """A format of files for publication."""

    def bytes_of(self, protected: ProtectedTable) -> bytes:
        """Give the file; it may hold only what is published."""


def format_of(name: str) -> TableFormat:
    """Choose the format by the ending of a file.

    >>> type(format_of("table.sdmx.csv")).__name__
    'SdmxCsv'
    """
    ending = ending_of(name)
    if ending is None:
        raise DataError(f"{name!r}: tables are written as {', '.join(ENDINGS)}; choose one of these endings")
    if ending == ".sdmx.csv":
        return SdmxCsv()
    if ending in (".csv", ".tsv"):
        return PlainText("\t" if ending == ".tsv" else ",")
    return ParquetTable() if ending == ".parquet" else JsonStat()


def ending_of(name: str) -> str | None:
    """Give the ending that says how a file is written; None where none does."""
    return next((e for e in ENDINGS if name.lower().endswith(e)), None)


def write_table(
    protected: ProtectedTable,
    path: str | os.PathLike[str],
    *,
    internal: bool = False,
    format: TableFormat | None = None,  # noqa: A002
    overwrite: bool = False,
) -> Path:
    """Write a protected table, whole or not at all, readable by its owner only; see `ProtectedTable.write`."""
    path = free_path(path, overwrite=overwrite)
    if internal:
        if path.suffix.lower() not in INTERNAL or ending_of(path.name) == ".sdmx.csv":
            raise DataError(f"{path.name!r}: internal tables are written as {', '.join(INTERNAL)}; choose one of these")
        data = frame_bytes(marked(with_mark(protected.internal(), protected.table.seed)), path.suffix.lower())
    else:
        data = (format or format_of(path.name)).bytes_of(protected)
    with written_whole(path, overwrite=overwrite) as file:
        file.write(data)
    return path
