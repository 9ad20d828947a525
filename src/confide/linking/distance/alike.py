"""Both files in the same codes, so that they can be compared."""

from __future__ import annotations

from typing import NamedTuple

from confide.data.codebook import Kind
from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.release.coding import coded, deterministic, read_back
from confide.release.released import Released


class Alike(NamedTuple):
    """Both files in the same codes."""

    source: Microdata
    """The source file."""
    released: Microdata
    """The released file."""


def source_of(released: Released) -> Microdata:
    """Give the source file, or say that it is needed."""
    if released.source is None:
        raise IntruderError("records are linked to the source file; give it with Released.from_files(source, released)")
    return released.source


def coded_alike(released: Released) -> Alike:
    """Recode the source file as the released one was; whoever sees age groups puts the ages known into the same groups.

    Where a cut leaves numbers and one category beyond it, the category stands for the cut, in both files. What was not
    recoded stays.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"age": [31, 38, 52]}).declare(kinds={"age": "integer"})
    >>> coded_alike(cf.Release(cf.Recode("age", width=10)).apply(data, seed=1)).source.columns["age"].values()
    ['30-39', '30-39', '50-59']
    >>> topcoded = coded_alike(cf.Release(cf.Topcode("age", at=40)).apply(data, seed=1))
    >>> topcoded.released.columns["age"].numbers.round(6).tolist()
    [31.0, 38.0, 40.0]
    """
    source, data = source_of(released), released.data
    ours: dict[str, Column] = {}
    theirs: dict[str, Column] = {}
    kinds: dict[str, Kind] = {}
    for name in (n for n in source.names if n in data.columns):
        column, masked = source.columns[name], data.columns[name]
        channels = deterministic(released.steps, name)
        if not channels or set(masked.labels) <= set(column.labels):
            continue
        known = coded(column, channels)
        if source.variables[name].kind.is_numeric and bool(known.is_number.any()):
            for channel in channels:
                known, masked = (read_back(c, channel) for c in (known, masked))
            theirs[name] = masked
        else:
            kinds[name] = data.variables[name].kind
        ours[name] = known
    if not ours:
        return Alike(source, data)
    return Alike(source.with_columns(ours, kinds), data.with_columns(theirs) if theirs else data)

