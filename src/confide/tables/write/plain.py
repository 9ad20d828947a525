"""Tables as CSV, TSV and Parquet."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from confide.tables.protected import ProtectedTable


@dataclass(frozen=True, slots=True)
class PlainText:
    """One line per cell: codes, the value or nothing, and a flag where it is confidential."""

    separator: str = ","
    """What stands between columns."""
    flag: str = "c"
    """What marks cells that are left out."""

    def bytes_of(self, protected: ProtectedTable) -> bytes:
        """Give the file."""
        return protected.published(self.flag).write_csv(separator=self.separator).encode()


@dataclass(frozen=True, slots=True)
class ParquetTable:
    """The same columns as Parquet."""

    flag: str = "c"
    """What marks cells that are left out."""

    def bytes_of(self, protected: ProtectedTable) -> bytes:
        """Give the file."""
        return frame_bytes(protected.published(self.flag), ".parquet")


def frame_bytes(frame: pl.DataFrame, ending: str) -> bytes:
    """Give a frame as a file; an end of an interval that is infinite is left empty in text."""
    if ending == ".parquet":
        file = io.BytesIO()
        frame.write_parquet(file)
        return file.getvalue()
    import polars as pl

    numbers = pl.selectors.float()
    finite = pl.when(numbers.is_infinite()).then(None).otherwise(numbers).name.keep()
    return frame.with_columns(finite).write_csv(separator="\t" if ending == ".tsv" else ",").encode()
