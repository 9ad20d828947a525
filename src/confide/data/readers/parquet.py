"""Read Parquet files."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from confide.errors import DataError


def read_parquet(path: Path) -> pl.DataFrame:
    """Read a Parquet file, or say that it is damaged."""
    try:
        with path.open("rb") as file:
            return pl.read_parquet(file)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        raise DataError(
            f"{path.name!r} is not a Parquet file or is damaged ({type(error).__name__}); write or copy it again"
        ) from None
