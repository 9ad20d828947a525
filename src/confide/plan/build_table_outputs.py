"""The files that the tables of a plan are written to: what is published is held, the rest stays where the plan says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from confide.plan.faults import Faults
from confide.plan.files import Output, file_stem
from confide.plan.holding import HELD, OURS, free_stems, stem_of, study_folder
from confide.plan.schema import PlanSchema
from confide.plan.schema_tables import TableTable
from confide.plan.table_plan import TableOutputs
from confide.tables.write.format import ENDINGS, INTERNAL, ending_of


def build_outputs(schema: PlanSchema, folder: Path, out: Path | None) -> list[TableOutputs]:
    """Resolve the paths of all tables; with a folder given and no path in the plan, files get the name of the table.

    Args:
        schema: the plan.
        folder: what paths in it are relative to.
        out: the folder of the study and of all that stays inside; None: as the plan says.
    """
    study = study_folder(schema, folder) if out is None else out
    stems = free_stems(stem_of(t.name, t.edition, "table") for t in schema.table)
    return [_of(t, folder, out, study, stem) for t, stem in zip(schema.table, stems, strict=True)]


def _of(asked: TableTable, folder: Path, out: Path | None, study: Path, stem: str) -> TableOutputs:
    """Resolve the paths of one table."""
    held = study / HELD / stem

    def stays(path: str | None) -> Path | None:
        return None if path is None else folder / path if out is None else out / Path(path).name

    published = [Path(p).name for p in _published(asked)]
    page = None if asked.page is None else held / Path(asked.page).name
    if any((published, asked.internal, asked.page, asked.internal_page)) or out is None:
        return TableOutputs(
            tuple(held / p for p in published), stays(asked.internal), page, stays(asked.internal_page), held
        )
    name = file_stem(asked.name, "table")
    return TableOutputs(
        (held / f"{stem}.csv",), out / f"{name}-internal.csv", held / f"{stem}.html", out / f"{name}-internal.html", held
    )


def _published(asked: TableTable) -> list[str]:
    """List the files for publication."""
    return [asked.published] if isinstance(asked.published, str) else list(asked.published)


def check_names(schema: PlanSchema, faults: Faults) -> None:
    """Note published files with a folder: all of a table lie in one, which is made."""
    for i, asked in enumerate(schema.table, 1):
        given = [("published", p) for p in _published(asked)] + ([("page", asked.page)] if asked.page else [])
        for key, path in given:
            if path.lower() in OURS:
                faults.add(f"table[{i}].{key}", f"{path!r} is a file of the study itself; choose another name")
            elif Path(path).name != path:
                text = "what is published is held in the study, in held/NAME/; give the name of a file without a folder"
                faults.add(f"table[{i}].{key}", f"{text}, found {path!r}")


def table_outputs(schema: PlanSchema, folder: Path, out: Path | None = None) -> list[Output]:
    """Give every file that the tables of a plan are written to."""
    return list(_outputs(build_outputs(schema, folder, out)))


def _outputs(outputs: list[TableOutputs]) -> Iterator[Output]:
    """Give the key, the path and the endings of every file to write."""
    for i, files in enumerate(outputs, 1):
        for j, path in enumerate(files.published, 1):
            which = f"[{j}]" if len(files.published) > 1 else ""
            yield Output(f"table[{i}].published{which}", path, ENDINGS, makes_folder=True, ending=ending_of(path.name))
        if files.internal is not None:
            yield Output(f"table[{i}].internal", files.internal, INTERNAL, ending=ending_of(files.internal.name))
        for key, page, made in (("page", files.page, True), ("internal_page", files.internal_page, False)):
            if page is not None:
                yield Output(f"table[{i}].{key}", page, (".html",), makes_folder=made)
