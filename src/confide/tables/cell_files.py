"""Files with one row per cell, in which codes are texts."""

from __future__ import annotations

import gzip
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from confide.data.readers.parquet import read_parquet
from confide.errors import DataError, TableError, unknown
from confide.kit.ledger import reading
from confide.tables.places import places_of
from confide.tables.table import Table
from confide.typing import IntArray

NO_VALUE = frozenset({"", ".", "..", "...", ":", "-", "x", "X", "c", "C", "s", "NA", "NaN", "nan", "null", "*"})
"""What stands in files where a value is not published."""


@dataclass(frozen=True, slots=True, eq=False)
class CellFile:
    """The columns of a file of cells, all as texts."""

    name: str
    """The file, for messages."""
    columns: Mapping[str, Sequence[str]]
    """The texts of each column; empty where nothing stands."""

    @property
    def listed(self) -> str:
        """The names of the columns."""
        return ", ".join(self.columns) or "none"

    def cells(self, table: Table) -> IntArray:
        """Find the cell of each row; -1 where nobody contributes to it. Unknown codes and repeated rows are refused."""
        absent = [n for n in table.by if n not in self.columns]
        if absent:
            raise TableError(f"{self.name!r}: {unknown('column', absent[0], self.columns)}; each dimension needs one")
        found = places_of(table, [self.columns[n] for n in table.by])
        if found.unknown:
            dimension, code = found.unknown[0]
            codes = next(d.codes for d in table.dimensions if d.name == dimension)
            raise TableError(
                f"{self.name!r} has {len(found.unknown):,} code(s) that the table does not have; of {dimension!r} "
                f"{unknown('code', code, codes)}"
            )
        return found.cells


def open_cells(path: str | os.PathLike[str], *, encoding: str = "utf-8") -> CellFile:
    """Read a file of cells with a header: CSV, TSV or SDMX-CSV, also with .gz, or Parquet; all columns as texts."""
    import polars as pl

    file = reading(path, TableError)
    if not file.is_file():
        raise TableError(f"there is no file {str(file)!r}; give the path of a file of cells")
    try:
        if file.suffix.lower() == ".parquet":
            frame = read_parquet(file).cast(pl.String)
        else:
            data = gzip.decompress(file.read_bytes()) if file.suffix.lower() == ".gz" else file.read_bytes()
            text = data.decode("utf-8-sig" if encoding == "utf-8" else encoding)
            first = text.split("\n", 1)[0]
            sign = max(",;\t", key=first.count)
            frame = pl.read_csv(text.encode(), separator=sign, infer_schema=False)
    except DataError as error:
        raise TableError(str(error)) from None
    except (OSError, UnicodeDecodeError, pl.exceptions.PolarsError) as error:
        raise TableError(f"{file.name!r} cannot be read as a file of cells ({type(error).__name__}); check it") from None
    return CellFile(file.name, {c: [t or "" for t in frame[c].to_list()] for c in frame.columns})
