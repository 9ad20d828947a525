"""Read the files that a plan names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from confide.data.codebook import Kind, Role
from confide.data.microdata import Microdata
from confide.data.readers.read import DELIMITERS, read
from confide.errors import DataError, unknown
from confide.plan.faults import Faults
from confide.plan.schema import DataTable, ReleaseTable
from confide.release.released import Released
from confide.typing import Label


def build_data(table: DataTable, folder: Path, faults: Faults) -> Microdata | None:
    """Read the source file and declare its variables; None when it cannot be read."""
    raw: Microdata | None = None
    with faults.at("data"):
        raw = read_as(table, table.path, folder, text=table.text, name=table.name)
    if raw is None:
        return None
    _check_coded(raw, table.coded, table.kinds, faults, "data.coded")
    with faults.at("data"):
        return raw.declare(
            **table.roles.model_dump(),
            kinds=table.kinds,
            order=table.order,
            labels={name: _texts(raw, name, texts) for name, texts in table.labels.items()},
            coded=table.coded,
        )
    return raw


def read_as(table: DataTable, path: str, folder: Path, *, text: list[str], name: str | None = None) -> Microdata:
    """Read a file the way the source file is read."""
    options: dict[str, Any] = {"encoding": table.encoding, "name": name}
    if table.delimiter is not None:
        options["delimiter"] = table.delimiter
    if table.missing is not None:
        options["missing"] = table.missing
    if text:
        options["text"] = text
    try:
        return read(folder / path, **options)
    except LookupError:
        raise DataError(f"encoding {table.encoding!r} is not known; try 'utf-8' or 'latin-1'") from None


def read_beside(table: DataTable, path: str, folder: Path, text: Sequence[str] = ()) -> Microdata:
    """Read a file that goes with the source file: in the same way, as far as that concerns it."""
    name = path.lower().removesuffix(".gz")
    if not name.endswith(tuple(DELIMITERS)):
        table = table.model_copy(update={"delimiter": None, "missing": None, "text": []})
    wanted = list(dict.fromkeys([*table.text, *text]))
    while True:
        try:
            return read_as(table, path, folder, text=wanted)
        except DataError as error:
            absent = [c for c in table.text if c in wanted and f"there is no column {c!r}" in str(error)]
            if not absent:
                raise
            wanted = [c for c in wanted if c not in absent]


def build_released(
    table: ReleaseTable, data: DataTable, source: Microdata, folder: Path, faults: Faults, where: str
) -> Released | None:
    """Read a released file that someone else made, with the kinds of the source file."""
    if table.methods:
        faults.add(where, "has both methods and released; give the methods, or the file that someone else made with others")
        return None
    with faults.at(where):
        records = read_beside(data, table.released or "", folder, table.text)
        parent = None
        if table.parent is not None:
            if table.parent not in records.names:
                raise DataError(f"parent: {unknown('column', table.parent, records.names)}")
            parent = _parents(records, table.parent)
            records = records.without([table.parent])
        absent = [n for n in dict.fromkeys((*table.kinds, *table.coded)) if n not in records.names]
        if absent:
            raise DataError(f"kinds or coded: {unknown('variable', absent[0], records.names)}")
        kinds: dict[str, str | Kind] = {n: source.variables[n].kind for n in records.names if n in source.variables}
        kinds.update(table.kinds)
        coded = {**data.coded, **table.coded}
        names = [n for n in records.names if n in source.variables]
        roles: dict[str, Any] = {r.value: [n for n in names if source.variables[n].role is r] for r in Role}
        if roles["identifier"]:
            raise DataError(
                f"the released file holds {roles['identifier'][0]!r}, an identifier, which must never be released"
            )
        for one in ("weight", "household"):
            roles[one] = roles[one][0] if roles[one] else None
        records = records.declare(kinds=kinds, coded=coded, **roles)
        name = table.name or Path(table.released or "").stem
        return Released.from_files(source, records, parent=parent, same_order=table.same_order, name=name)
    return None


def _parents(records: Microdata, name: str) -> list[int]:
    """Read the column of source rows."""
    column = records.column(name)
    values = column.values()
    try:
        return [int(str(v)) for v in values]
    except ValueError:
        raise DataError(
            f"parent: column {name!r} must hold the source row of every record as a whole number counted from 0, or -1"
        ) from None


def _texts(data: Microdata, name: str, texts: dict[str, str]) -> dict[Label, str]:
    """Give the codes of a label table the type they have in the file."""
    levels: dict[str, Label] = {str(x): x for x in data.columns[name].labels} if name in data.columns else {}
    return {levels.get(code, _number(code)): text for code, text in texts.items()}


def _number(code: str) -> Label:
    """Read a code as a number where it is one."""
    for kind in (int, float):
        try:
            return kind(code)
        except ValueError:
            continue
    return code


def _check_coded(data: Microdata, coded: dict[str, list[Label]], kinds: dict[str, Any], faults: Faults, where: str) -> None:
    """Say which coded categories would be ignored."""
    for name in coded:
        if name not in data.names:
            faults.add(where, unknown("variable", name, data.names))
        elif kinds.get(name) not in {"integer", "continuous"}:
            faults.add(where, f'{name!r} has categories among numbers; declare {name} = "continuous" in [data.kinds]')
