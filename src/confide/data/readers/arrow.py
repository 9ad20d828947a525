"""Read Arrow (Feather, IPC) files and streams."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from confide.data.readers.size.arrow import arrow_needs
from confide.data.readers.size.needed import refuse_what_does_not_fit
from confide.errors import DataError
from confide.kit.panics import unprinted_panics

_FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)


def read_arrow(path: Path) -> pl.DataFrame:
    """Read an Arrow file or, failing that, an Arrow stream."""
    instead = (
        "keep the variables or records you need in a smaller file, with polars: "
        f"pl.scan_ipc({path.name!r}).select([...]).sink_ipc('smaller.arrow')"
    )
    refuse_what_does_not_fit(arrow_needs(path), path.name, instead)
    try:
        with path.open("rb") as file, unprinted_panics():
            return pl.read_ipc(file)
    except _FAILURES:
        pass
    try:
        with path.open("rb") as file, unprinted_panics():
            return pl.read_ipc_stream(file)
    except _FAILURES as error:
        raise DataError(
            f"{path.name!r} is neither an Arrow file nor an Arrow stream, or is damaged "
            f"({type(error).__name__}); write or copy it again (Feather files must be of version 2)"
        ) from None
