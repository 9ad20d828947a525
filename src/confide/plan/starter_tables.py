"""Write a commented plan of a table to start from."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from confide.data.codebook import Kind, Role
from confide.data.inference import count_distinct
from confide.data.microdata import Microdata
from confide.errors import DataError
from confide.plan.dump import value_text
from confide.tables.labels import labelled

MOST_CODES, MOST_DIMENSIONS = 40, 3
"""A table to start from is small."""
NEVER = (Role.IDENTIFIER, Role.WEIGHT, Role.HOUSEHOLD)
PLAN = """\
# A plan of tables for confide: what is added up, which cells are sensitive, how they are protected.
# Everything below is an example. Mend it, then run:  confide table {name}
# Paths are relative to this file.

[data]
path = {path}
{options}
# What holds for all tables. Tables of the same value are protected as one.
[tables]
linked = true

# Which cells are sensitive; one rule is enough.
[[tables.rule]]
rule = "MinimumFrequency"   # fewer than n contribute
n = 3
{percent}
# How tables are protected.
[tables.method]
search = "heuristic"        # or "exact" for small tables, with a time_limit in seconds
costs = "value"             # what readers lose with a cell: "value", "count", "respondents"
# attackers = ["singletons", "contributors"]    respondents who look at the table, too

[[table]]
name = {title}
by = {by}
{value}{missing}published = {published}
internal = {internal}                  # true values, reasons and intervals: confidential
page = {page}
internal_page = {internal_page}
# Codes that lie in coarser ones: {{ levels = ["county"] }}, {{ digits = [2, 1] }}, or a file of tau-ARGUS, "region.hrc"
{nested}# Further: weight, holding, waiver, request, a_priori, previous, linked, [[table.rule]], [table.method].
"""
PERCENT = """\
[[tables.rule]]
rule = "PPercentRule"       # a contributor can estimate another to within p per cent
p = 10
"""


def starter_tables(
    data: Microdata,
    data_path: str | os.PathLike[str],
    *,
    name: str = "plan.toml",
    encoding: str | None = None,
    delimiter: str | None = None,
) -> str:
    """Write a commented plan of one table for a file; it runs as it is.

    Args:
        data: the file, with the kinds and roles it has.
        data_path: where the file is, seen from the plan.
        name: what the plan file will be called.
        encoding: how the file writes its characters, where it is not UTF-8.
        delimiter: what stands between cells, where its suffix does not say it.
    """
    nests = dimensions(data)
    by = list(nests)
    value = next((n for n in _numbers(data) if n not in by), None)
    lost = any(bool(data.columns[n].is_missing.any()) for n in by)
    given = [(k, v) for k, v in (("encoding", encoding), ("delimiter", delimiter)) if v is not None]
    files = {"published": "table.csv", "internal": "table-internal.csv", "page": "table.html"}
    files["internal_page"] = "table-internal.html"
    return PLAN.format(
        name=name,
        path=value_text(Path(data_path).as_posix()),
        options="".join(f"{k} = {value_text(v)}\n" for k, v in given),
        percent="" if value is None else PERCENT,
        title=value_text(f"{value or 'records'} by {', '.join(by)}"),
        by=value_text(by),
        value='# value = "..."                          what is added up; records are counted\n'
        if value is None
        else f"value = {value_text(value)}\n",
        nested="".join(f"hierarchies.{value_text(n)} = {{ levels = {value_text(up)} }}\n" for n, up in nests.items() if up),
        missing='missing = "unknown"                    # a code for records without one\n' if lost else "",
        **{k: value_text(v) for k, v in files.items()},
    )


def dimensions(data: Microdata) -> dict[str, list[str]]:
    """Choose variables with few codes, keys first; for each those in whose codes its own ones lie, the coarsest first."""
    usable = [n for n in data.names if data.variables[n].role not in NEVER and data.variables[n].kind is not Kind.CONTINUOUS]
    size = {n: count_distinct(data.columns[n]) for n in usable}
    small = [n for n in usable if 1 <= size[n] <= MOST_CODES]
    small.sort(key=lambda n: (data.variables[n].role is not Role.KEY, data.variables[n].kind.is_numeric))
    if not small:
        raise DataError(f"{data.name!r} has no variable with {MOST_CODES} codes or fewer that could span a table")
    above = {n: [m for m in small if 1 < size[m] < size[n] and _lies_in(data, n, m)] for n in small}
    coarse = {m for found in above.values() for m in found}
    chosen = [n for n in small if n not in coarse][:MOST_DIMENSIONS]
    return {n: _chain(data, sorted(above[n], key=lambda m: size[m])) for n in chosen}


def _chain(data: Microdata, levels: list[str]) -> list[str]:
    """Keep levels that nest in each other, from the coarsest."""
    kept: list[str] = []
    for level in levels:
        if not kept or _lies_in(data, level, kept[-1]):
            kept.append(level)
    return kept


def _lies_in(data: Microdata, fine: str, coarse: str) -> bool:
    """Say whether each code of one variable occurs with one code of another only."""
    if data.columns[fine].is_missing.any() or data.columns[coarse].is_missing.any():
        return False
    inner, outer = (labelled(data.columns[n], data.variables[n]) for n in (fine, coarse))
    pairs = np.unique(inner.ids * len(outer.labels) + outer.ids)
    return pairs.size == len(inner.labels)


def _numbers(data: Microdata) -> list[str]:
    """Give the numeric variables that can be added up: sensitive ones first, then those measured, not counted or coded."""
    found = [
        n
        for n in data.names
        if data.variables[n].kind.is_numeric
        and data.variables[n].role not in (*NEVER, Role.STRATUM)
        and bool(data.columns[n].is_number.all())
    ]
    of = data.variables
    return sorted(found, key=lambda n: (of[n].role is not Role.SENSITIVE, of[n].kind is not Kind.CONTINUOUS))
