"""Read a plan file."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from confide.errors import PlanError
from confide.kit.ledger import reading
from confide.plan.faults import schema_faults
from confide.plan.schema import PlanSchema

_MANY_DOTS = re.compile(r"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){64}""")
"""Keys of so many parts take memory by the square of their number."""

if TYPE_CHECKING:
    from confide.plan.files import Output
    from confide.plan.plan import Plan
    from confide.plan.table_plan import TablePlan


def load_plan(
    path: str | os.PathLike[str],
    *,
    seed: int | None = None,
    threshold: float | None = None,
    report: Path | None = None,
    json: Path | None = None,
    also: Sequence[Output] = (),
) -> Plan:
    """Read a plan file and the files it names; paths in it are relative to the plan file.

    Args:
        path: the TOML file.
        seed: use this seed instead of the plan's secret, for tests and studies.
        threshold: use this threshold instead of the plan's.
        report: write the report there, relative to the working folder.
        json: write the JSON there, relative to the working folder.
        also: further files that will be written, to be checked like the plan's; they stand for those with the same key.
    """
    from confide.plan.build import build

    path = Path(path)
    changes: dict[str, Any] = {k: v for k, v in (("seed", seed), ("threshold", threshold)) if v is not None}
    changes |= {} if seed is None else {"secret": None}
    if report is not None:
        changes["report"] = {"path": str(Path.cwd() / report)}
    if json is not None:
        changes["output"] = {"json": str(Path.cwd() / json)}
    plan = build(load_schema(path, changes), path.parent, itself=path, also=also)
    return replace(plan, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def load_tables(
    path: str | os.PathLike[str],
    *,
    out: Path | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    also: Sequence[Output] = (),
    reads: Sequence[Path] = (),
) -> TablePlan:
    """Read the tables of a plan file, and the files they need; what else the plan holds is left alone.

    Args:
        path: the TOML file.
        out: a folder for all outputs; None: where the plan says.
        time_limit: seconds for each search; None: as the plan says.
        seed: that of the keys of records in place of the secret; None: as the plan says.
        also: further files that will be written, to be checked like the plan's.
        reads: files that these must not replace either.
    """
    from confide.plan.build_tables import build_tables

    path = Path(path)
    changes: dict[str, Any] = {} if seed is None else {"seed": seed, "secret": None}
    schema = load_schema(path, changes)
    return build_tables(schema, path.parent, itself=path, out=out, time_limit=time_limit, also=also, reads=reads)


def load_schema(path: str | os.PathLike[str], changes: dict[str, Any] | None = None) -> PlanSchema:
    """Read a plan file without the files it names."""
    path = Path(path)
    try:
        text = reading(path, PlanError).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PlanError([f"there is no plan {str(path)!r}; write one with: confide init DATA --out {path.name}"]) from None
    except IsADirectoryError:
        raise PlanError([f"{str(path)!r} is a folder; give the path of a plan file"]) from None
    except UnicodeDecodeError:
        raise PlanError([f"{path.name}: a plan is a UTF-8 text file, this one is not; is it the data file?"]) from None
    except OSError as error:
        raise PlanError([f"{str(path)!r} cannot be opened: {error.strerror}"]) from None
    return parse_plan(text, path.name, changes)


def parse_plan(text: str, name: str = "plan", changes: dict[str, Any] | None = None) -> PlanSchema:
    r"""Read the text of a plan.

    >>> parse_plan('seed = 3\n[data]\npath = "people.csv"').seed
    3
    """
    tables = toml_tables(text, name)
    for key, value in (changes or {}).items():
        old = tables.get(key)
        tables[key] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    try:
        return PlanSchema.model_validate(tables)
    except ValidationError as error:
        raise PlanError(schema_faults(error, PlanSchema)) from None


def toml_tables(text: str, name: str) -> dict[str, Any]:
    """Read the tables of a plan's text, whatever they hold.

    Args:
        text: what the file holds.
        name: the file, for messages.

    >>> toml_tables("seed = 3", "plan.toml")
    {'seed': 3}
    """
    deep = f"{name} is nested more deeply than any plan: lists in lists, or keys with many dots"
    if _MANY_DOTS.search(text):
        raise PlanError([deep])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError([f"{name} is not valid TOML: {error}"]) from None
    except ValueError:
        raise PlanError([f"{name} holds a whole number of thousands of digits; write one that a plan can need"]) from None
    except RecursionError:
        raise PlanError([deep]) from None
