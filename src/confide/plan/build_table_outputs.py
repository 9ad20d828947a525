"""The files that the tables of a plan are written to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from confide.plan.files import Output, file_stem
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
    stem = file_stem(asked.name, "table")
    return TableOutputs(
        (base / f"{stem}.csv",), base / f"{stem}-internal.csv", base / f"{stem}.html", base / f"{stem}-internal.html"
    )


def table_outputs(schema: PlanSchema, folder: Path, out: Path | None = None) -> list[Output]:
    """Give every file that the tables of a plan are written to."""
    return list(_outputs([build_outputs(t, folder, out) for t in schema.table]))


def _outputs(outputs: Sequence[TableOutputs]) -> Iterator[Output]:
    """Give the key, the path and the endings of every file to write."""
    for i, files in enumerate(outputs, 1):
        for j, path in enumerate(files.published, 1):
            which = f"[{j}]" if len(files.published) > 1 else ""
            yield Output(f"table[{i}].published{which}", path, ENDINGS, ending=ending_of(path.name))
        if files.internal is not None:
            yield Output(f"table[{i}].internal", files.internal, INTERNAL, ending=ending_of(files.internal.name))
        for key, page in (("page", files.page), ("internal_page", files.internal_page)):
            if page is not None:
                yield Output(f"table[{i}].{key}", page, (".html",))
