"""Add up the tables of a plan, or read their cells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from confide.data.microdata import Microdata
from confide.errors import TableError
from confide.kit.ledger import plain
from confide.plan.schema_tables import NestingTable, TableTable
from confide.tables.aggregates import table_of_aggregates
from confide.tables.hrc import read_hierarchy
from confide.tables.nesting import Digits, Levels, Nesting
from confide.tables.perturb.keys import RecordKeys
from confide.tables.table import Table
from confide.tables.tabulate import tabulate
from confide.tables.weighting import WeightsAsContributions, WeightsAsCopies


def build_table(
    asked: TableTable, source: Microdata | None, folder: Path, keys: RecordKeys | str | None = None
) -> Table | None:
    """Add up a table, or read its cells; None where the data have a fault of their own."""
    nested = {name: _nesting(given, folder) for name, given in asked.hierarchies.items()}
    options: dict[str, Any] = {"hierarchies": nested, "total": asked.total}
    if asked.cells is not None:
        if keys is not None:
            raise TableError("CellKeys needs the keys of records, which a file of cells does not hold; use another method")
        more = {"count": asked.count, "largest": asked.largest, "tolerance": asked.tolerance}
        options |= {k: v for k, v in more.items() if v is not None}
        if not plain(folder / asked.cells, TableError).is_file():
            raise TableError(f"cells: there is no file {str(folder / asked.cells)!r}")
        return table_of_aggregates(folder / asked.cells, asked.by, asked.value or "", **options)
    if source is None:
        return None
    weighting = WeightsAsCopies() if asked.weighting == "copies" else WeightsAsContributions()
    return tabulate(
        source, asked.by, asked.value, weight=asked.weight, weighting=weighting, holding=asked.holding, waiver=asked.waiver,
        request=asked.request, largest=asked.largest if isinstance(asked.largest, int) else 5, missing=asked.missing,
        keys=keys, **options,
    )  # fmt: skip


def _nesting(given: str | NestingTable | list[NestingTable], folder: Path) -> Nesting | list[Nesting]:
    """Make the hierarchies of a dimension."""
    if isinstance(given, str):
        return read_hierarchy(folder / given)
    if isinstance(given, list):
        return [_one_nesting(g, folder) for g in given]
    return _one_nesting(given, folder)


def _one_nesting(given: NestingTable, folder: Path) -> Nesting:
    """Make one hierarchy."""
    if given.levels is not None:
        return Levels(*given.levels)
    if given.digits is not None:
        return Digits(*given.digits)
    codelist = None if given.codelist is None else folder / given.codelist
    return read_hierarchy(folder / (given.file or ""), leading=given.leading, codelist=codelist)
