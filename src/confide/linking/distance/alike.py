"""The source file coded as the released file is, so that both can be compared."""

from __future__ import annotations

from confide.data.codebook import Kind
from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.release.channel import Deterministic
from confide.release.released import Released


def source_of(released: Released) -> Microdata:
    """Give the source file, or say that it is needed."""
    if released.source is None:
        raise IntruderError("records are linked to the source file; give it with Released.from_files(source, released)")
    return released.source


def coded_alike(released: Released) -> Microdata:
    """Give the source file with every variable that a recode made into other categories recoded in the same way.

    Whoever sees age groups in a released file puts the ages known into the same groups. What is not recoded stays.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"age": [31, 38, 52]}).declare(kinds={"age": "integer"})
    >>> coded_alike(cf.Release(cf.Recode("age", width=10)).apply(data, seed=1)).columns["age"].labels
    ('30-39', '50-59')
    """
    source = source_of(released)
    columns: dict[str, Column] = {}
    kinds: dict[str, Kind] = {}
    for name, column in source.columns.items():
        if name not in released.data.columns or set(released.data.columns[name].labels) <= set(column.labels):
            continue
        coded = column
        for step in released.steps:
            channel = step.channels.get(name)
            if channel is not None and isinstance(channel, Deterministic):
                coded = channel.push(coded)
        if coded is not column:
            columns[name], kinds[name] = coded, released.data.variables[name].kind
    return source.with_columns(columns, kinds) if columns else source
