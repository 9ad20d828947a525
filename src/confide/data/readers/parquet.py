"""Read Parquet files."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from confide.data.readers.size.needed import refuse_what_does_not_fit
from confide.data.readers.size.parquet import parquet_needs
from confide.data.readers.trial import fault_of_pages
from confide.errors import DataError
from confide.kit.panics import unprinted_panics


def read_parquet(path: Path) -> pl.DataFrame:
    """Read a Parquet file, or say that it is damaged."""
    instead = (
        "keep the variables or records you need in a smaller file, with polars: "
        f"pl.scan_parquet({path.name!r}).select([...]).sink_parquet('smaller.parquet')"
    )
    refuse_what_does_not_fit(parquet_needs(path), path.name, instead)
    if (fault := fault_of_pages(path)) is not None:
        raise DataError(f"{path.name!r} {fault}")
    try:
        with path.open("rb") as file, unprinted_panics():
            return pl.read_parquet(file)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        raise DataError(
            f"{path.name!r} is not a Parquet file or is damaged ({type(error).__name__}); write or copy it again"
        ) from None
