"""Read Arrow (Feather, IPC) files and streams."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from confide.errors import DataError

_FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)


def read_arrow(path: Path) -> pl.DataFrame:
    """Read an Arrow file or, failing that, an Arrow stream."""
    try:
        with path.open("rb") as file:
            return pl.read_ipc(file)
    except _FAILURES:
        pass
    try:
        with path.open("rb") as file:
            return pl.read_ipc_stream(file)
    except _FAILURES as error:
        raise DataError(
            f"{path.name!r} is neither an Arrow file nor an Arrow stream, or is damaged "
            f"({type(error).__name__}); write or copy it again (Feather files must be of version 2)"
        ) from None
