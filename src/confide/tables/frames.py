"""Protected tables as frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from confide.tables.audit.result import EXTERNAL
from confide.tables.digits import as_written
from confide.tables.table import Table
from confide.typing import FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl

    from confide.tables.protected import ProtectedTable


def free_name(name: str, taken: Iterable[str]) -> str:
    """Give a name that no column has yet.

    >>> free_name("flag", ["sex", "flag"])
    'flag_'
    """
    used = set(taken)
    while name in used:
        name += "_"
    return name


def codes_frame(table: Table, *, texts: bool = False) -> pl.DataFrame:
    """Give the codes of each cell."""
    import polars as pl

    columns = []
    for d, codes in zip(table.dimensions, table.codes.T, strict=True):
        labels = pl.Series(d.name, [d.texts.get(c, c) if texts else c for c in d.codes], dtype=pl.String)
        columns.append(labels.gather(codes))
    return pl.DataFrame(columns)


def numbers(name: str, values: FloatArray, like: FloatArray) -> pl.Series:
    """Give numbers as they are written, nothing where they are NaN; without a point where all values are whole."""
    import polars as pl

    values = as_written(values)
    found = pl.Series(name, values, nan_to_null=True)
    whole = bool(np.all((like == np.round(like)) & (np.abs(like) < 2**53)))
    kept = values[np.isfinite(values)]
    return found.cast(pl.Int64) if whole and bool(np.all(kept == np.round(kept))) else found


def published_frame(table: Table, values: FloatArray, flag: str, *, texts: bool) -> pl.DataFrame:
    """Give what may be published of a table."""
    import polars as pl

    frame = codes_frame(table, texts=texts)
    value = free_name(table.name, frame.columns)
    mark = free_name("flag", [*frame.columns, value])
    marks = pl.Series(mark, [flag if m else None for m in np.isnan(values)], dtype=pl.String)
    return frame.with_columns(numbers(value, values, table.values), marks)


def internal_frame(protected: ProtectedTable) -> pl.DataFrame:
    """Give all that is known of each cell."""
    import polars as pl

    t, places, p = protected.table, protected.places, protected.protection
    frame = codes_frame(t)
    value = free_name(t.name, frame.columns)
    more: list[pl.Series] = [
        numbers(value, t.values, t.values),
        numbers("published", protected.values, t.values),
        pl.Series("status", protected.status.tolist(), dtype=pl.String),
    ]
    if t.respondents is not None:
        more.append(pl.Series("respondents", t.respondents))
    more.append(pl.Series("reason", [r or None for r in protected.reasons], dtype=pl.String))
    more += [pl.Series(k, getattr(p, k)[places]) for k in ("lower", "upper", "sliding")]
    if protected.audit is not None:
        low, high = everybody(protected)
        who, near, far = narrowest(protected)
        more += [pl.Series("low", low, nan_to_null=True), pl.Series("high", high, nan_to_null=True)]
        if protected.audit.attackers:
            more += [pl.Series("attacker", who, dtype=pl.String)]
            more += [pl.Series(n, x, nan_to_null=True) for n, x in (("attacker_low", near), ("attacker_high", far))]
        bad = {e.cell for e in protected.exposed}
        more.append(pl.Series("exposed", [c in bad for c in places.tolist()]))
    taken = list(frame.columns)
    for column in more:
        name = free_name(column.name, taken)
        taken.append(name)
        frame = frame.with_columns(column.alias(name))
    return frame


def everybody(protected: ProtectedTable) -> tuple[FloatArray, FloatArray]:
    """Give the interval of each cell of this table that everybody can deduce; NaN where it is published."""
    audit, places = protected.audit, protected.places
    assert audit is not None
    low, high = np.full(audit.system.n, np.nan), np.full(audit.system.n, np.nan)
    low[audit.suppressed], high[audit.suppressed] = audit.low, audit.high
    return low[places], high[places]


def narrowest(protected: ProtectedTable) -> tuple[list[str | None], FloatArray, FloatArray]:
    """Give for each cell the attacker beside everybody with the narrowest interval, and that interval."""
    audit, places = protected.audit, protected.places
    assert audit is not None
    n = audit.system.n
    who: list[str | None] = [None] * n
    low, high, width = np.full(n, np.nan), np.full(n, np.nan), np.full(n, np.inf)
    for name, own in audit.attackers.items():
        cells: IntArray = audit.suppressed[own.at]
        better = np.flatnonzero(own.high - own.low < width[cells])
        for k in better.tolist():
            who[int(cells[k])] = name
        at = cells[better]
        low[at], high[at], width[at] = own.low[better], own.high[better], (own.high - own.low)[better]
    return [who[c] for c in places.tolist()], low[places], high[places]


def intervals_frame(protected: ProtectedTable) -> pl.DataFrame:
    """Give the interval of each attacker for each cell left out."""
    import polars as pl

    audit = protected.audit
    codes = codes_frame(protected.table).with_columns(pl.Series("_cell", protected.places))
    if audit is None:
        parts = []
    else:
        parts = [(EXTERNAL, audit.suppressed, audit.low, audit.high)]
        parts += [(name, audit.suppressed[own.at], own.low, own.high) for name, own in audit.attackers.items()]
    rows = [
        pl.DataFrame({"_cell": cells, "attacker": [name] * cells.size, "low": low, "high": high})
        for name, cells, low, high in parts
    ]
    schema = {"_cell": pl.Int64, "attacker": pl.String, "low": pl.Float64, "high": pl.Float64}
    found = pl.concat(rows) if rows else pl.DataFrame(schema=schema)
    return found.join(codes, on="_cell", how="inner", maintain_order="left").select(
        *(n for n in codes.columns if n != "_cell"), "attacker", "low", "high"
    )
