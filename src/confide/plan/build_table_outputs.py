"""The files that the tables of a plan are written to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from confide.plan.faults import Faults
from confide.plan.files import Files
from confide.plan.schema import PlanSchema
from confide.plan.schema_tables import TableTable
from confide.plan.table_plan import TableOutputs
from confide.tables.write.format import ENDINGS, INTERNAL, ending_of


def build_outputs(asked: TableTable, folder: Path, out: Path | None) -> TableOutputs:
    """Resolve the paths of one table; with a folder given and no path in the plan, files get the name of the table."""
    base = folder if out is None else out

    def at(path: str | None) -> Path | None:
        return None if path is None else base / (path if out is None else Path(path).name)

    published = [asked.published] if isinstance(asked.published, str) else asked.published
    found = tuple(at(p) or base for p in published)
    named = any((published, asked.internal, asked.page, asked.internal_page))
    if named or out is None:
        return TableOutputs(found, at(asked.internal), at(asked.page), at(asked.internal_page))
    stem = file_stem(asked.name)
    return TableOutputs(
        (base / f"{stem}.csv",), base / f"{stem}-internal.csv", base / f"{stem}.html", base / f"{stem}-internal.html"
    )


def file_stem(name: str) -> str:
    """Write the name of a table as that of a file.

    >>> file_stem("By area & trade")
    'by-area-trade'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "table"


def check_outputs(
    schema: PlanSchema, outputs: Sequence[TableOutputs], folder: Path, itself: Path | None, faults: Faults
) -> None:
    """Note files that cannot be written and files that must not be replaced."""
    kept = {(folder / p).resolve() for p in _inputs(schema)} | ({itself.resolve()} if itself else set())
    files = Files(faults, kept)
    for key, path, endings in _outputs(outputs):
        ending = ending_of(path.name) if endings != (".html",) else path.suffix.lower()
        files.check(key, path, ending, endings)


def _inputs(schema: PlanSchema) -> Iterator[str]:
    """Give the files that the plan reads."""
    if schema.data is not None:
        yield schema.data.path
    for t in schema.table:
        yield from (p for p in (t.cells, t.a_priori, t.previous) if p is not None)
        for given in t.hierarchies.values():
            for one in given if isinstance(given, list) else [given]:
                yield from [one] if isinstance(one, str) else [p for p in (one.file, one.codelist) if p is not None]


def _outputs(outputs: Sequence[TableOutputs]) -> Iterator[tuple[str, Path, tuple[str, ...]]]:
    """Give the key, the path and the endings of every file to write."""
    for i, files in enumerate(outputs, 1):
        for path in files.published:
            yield f"table[{i}].published", path, ENDINGS
        if files.internal is not None:
            yield f"table[{i}].internal", files.internal, INTERNAL
        for key, page in (("page", files.page), ("internal_page", files.internal_page)):
            if page is not None:
                yield f"table[{i}].{key}", page, (".html",)
