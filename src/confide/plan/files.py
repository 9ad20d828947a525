"""Files that a plan reads, and files that it is to write: whether they can be."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from confide.kit.identity import FOLDER, identity, looked_up, odd_kind
from confide.kit.ledger import refusal
from confide.kit.pieces import tidy
from confide.plan.faults import Faults
from confide.plan.schema import PlanSchema
from confide.plan.secret_path import secret_path
from confide.plan.table import LONGEST_NAME, InputFile, Table
from confide.rumap.general.folder_store import FILE as EVALUATIONS

LONGEST_STEM = 100
"""A longer name of a release or table is cut."""


@dataclass(frozen=True, slots=True)
class Output:
    """A file that is to be written."""

    key: str
    """What the plan or the command line calls it."""
    path: Path
    """Where it is to be."""
    endings: Sequence[str] = ()
    """How its name may end; none: in any way."""
    makes_folder: bool = False
    """Whether its folder is made."""
    ending: str | None = None
    """How its name ends, where that is more than its suffix."""


class Files:
    """The files of a plan, checked one after the other."""

    def __init__(self, faults: Faults, inputs: Iterable[Path], others: Iterable[Output] = ()) -> None:
        """Begin with what must not be replaced.

        Args:
            faults: where faults are noted.
            inputs: files that the plan reads.
            others: files that another command writes of the same plan.
        """
        self._faults = faults
        self._inputs = tuple(inputs)
        self._seen = {identity(o.path).key: o.key for o in others}

    def check(self, *outputs: Output) -> None:
        """Note why files cannot be written, if so."""
        for output in outputs:
            self._check(output)

    def _check(self, output: Output) -> None:
        """Note why a file cannot be written, if so."""
        key, path, folder = output.key, output.path, output.path.parent
        known = identity(path).key
        first = self._seen.get(known)
        self._seen.setdefault(known, key)
        reason = refusal(path, self._inputs)
        if reason is not None:
            self._faults.add(key, reason)
        elif output.endings and (output.ending or path.suffix.lower()) not in output.endings:
            self._faults.add(key, f"must end in {' or '.join(output.endings)}, found {path.name!r}")
        elif first is not None:
            self._faults.add(key, f"is the same file as {first}; choose another name")
        elif len(os.fsencode(path.name)) > LONGEST_NAME:
            self._faults.add(key, f"the name of the file is longer than {LONGEST_NAME} bytes; choose a shorter one")
        elif output.makes_folder and looked_up(folder) is None:
            return
        elif odd_kind(folder) != FOLDER:
            self._faults.add(key, f"the folder {str(folder)!r} does not exist; make it first")
        elif not os.access(folder, os.W_OK | os.X_OK):
            self._faults.add(key, f"nothing can be written into {str(folder)!r}; check its permissions")
        else:
            tidy(folder)


def inputs(schema: PlanSchema, folder: Path, itself: Path | None = None) -> list[Path]:
    """Give all files that a plan reads, whatever command reads them.

    Args:
        schema: the plan.
        folder: what paths in it are relative to.
        itself: the plan file.
    """
    secret = secret_path(schema, folder, itself)
    made = [path for path in (itself, secret) if path is not None]
    return [*made, *(folder / p for p in _named(schema))]


def reads(schema: PlanSchema, folder: Path) -> dict[str, Path]:
    """Give the files that a plan reads by their names in it; the secret is none of them.

    Args:
        schema: the plan.
        folder: what paths in it are relative to.
    """
    return {str(name): folder / name for name in _named(schema.model_copy(update={"secret": None}))}


def _named(value: Any) -> Iterator[str]:
    """Find the files that are read in a part of a plan; their kind of text says so."""
    if isinstance(value, InputFile):
        yield value
    elif isinstance(value, Table):
        for _, part in value:
            yield from _named(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _named(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _named(part)


def assessed_outputs(schema: PlanSchema, folder: Path) -> list[Output]:
    """Give the files that an assessment and a map of a plan write, without those that are held (see `holding`).

    Args:
        schema: the plan.
        folder: what paths in it are relative to.
    """
    asked = schema.output
    given = [
        ("report.path", None if schema.report is None else schema.report.path, ".html"),
        ("output.json", asked.json_, ".json"),
        ("output.table", asked.table, ".csv"),
        ("output.per_record", asked.per_record, ".csv"),
        ("output.per_released_record", asked.per_released_record, ".csv"),
    ]
    found = [Output(key, folder / path, (ending,)) for key, path, ending in given if path is not None]
    return [*found, *_map_outputs(schema, folder)]


def _map_outputs(schema: PlanSchema, folder: Path) -> list[Output]:
    """Give the files that a map writes."""
    if schema.map is None:
        return []
    asked = schema.map
    given = [
        ("map.picture", asked.picture, (".svg", ".png", ".pdf")),
        ("map.page", asked.page, (".html",)),
        ("map.table", asked.table, (".csv",)),
    ]
    found = [Output(key, folder / path, endings) for key, path, endings in given if path is not None]
    if asked.store is not None:
        found.append(Output("map.store", folder / asked.store / EVALUATIONS, makes_folder=True))
    return found


def file_stem(name: str, instead: str) -> str:
    """Write a name as that of a file.

    >>> file_stem("By area & trade", "table")
    'by-area-trade'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower())[:LONGEST_STEM].strip("-") or instead
