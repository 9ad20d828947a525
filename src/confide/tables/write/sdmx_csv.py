"""Tables as SDMX-CSV 2.0."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.release.marks import short_mark
from confide.tables.frames import free_name

if TYPE_CHECKING:
    from confide.tables.protected import ProtectedTable

OWN = ("STRUCTURE", "STRUCTURE_ID", "ACTION", "OBS_VALUE", "OBS_STATUS", "CONF_STATUS", "COMMENT_DSET")


@dataclass(frozen=True, slots=True)
class SdmxCsv:
    """One line per cell with the columns of SDMX-CSV 2.0: structure, action, dimensions, value and statuses.

    A cell that is left out has no value, OBS_STATUS Q (missing, suppressed) and CONF_STATUS N (not for publication), which
    does not tell sensitive cells from others; C and D of that code list would. Changed values are published: A and F.
    Where the noise hangs on a seed, COMMENT_DSET says that the table is not for publication.
    """

    agency: str = "CONFIDE"
    """The agency of the data flow."""
    flow: str | None = None
    """The data flow; None: the name of the value."""
    version: str = "1.0.0"
    """Its version."""
    action: str = "I"
    """What receivers do with the lines: I, A, M, R or D."""

    def bytes_of(self, protected: ProtectedTable) -> bytes:
        """Give the file."""
        import polars as pl

        frame = protected.published()
        by = protected.table.by
        value = frame.columns[len(by)]
        hidden = np.isnan(protected.values)
        taken = list(OWN)
        dimensions = []
        for name in by:
            own = free_name(identifier(name), taken)
            taken.append(own)
            dimensions.append(frame[name].alias(own))
        flow = identifier(self.flow or protected.table.name)
        n = frame.height
        columns = [
            pl.Series("STRUCTURE", ["dataflow"] * n, dtype=pl.String),
            pl.Series("STRUCTURE_ID", [f"{self.agency}:{flow}({self.version})"] * n, dtype=pl.String),
            pl.Series("ACTION", [self.action] * n, dtype=pl.String),
            *dimensions,
            frame[value].alias("OBS_VALUE"),
            pl.Series("OBS_STATUS", ["Q" if h else "A" for h in hidden], dtype=pl.String),
            pl.Series("CONF_STATUS", ["N" if h else "F" for h in hidden], dtype=pl.String),
        ]
        if protected.banner:
            columns.append(pl.Series("COMMENT_DSET", [short_mark(protected.table.seed)] * n, dtype=pl.String))
        return pl.DataFrame(columns).write_csv().encode()


def identifier(name: str) -> str:
    """Write a name as SDMX allows it: letters, digits and a few signs.

    >>> identifier("turnover (EUR)"), identifier("2024")
    ('turnover_EUR', '_2024')
    """
    found = re.sub(r"[^A-Za-z0-9_@$-]+", "_", name).strip("_") or "X"
    return found if found[0].isalpha() else f"_{found}"
