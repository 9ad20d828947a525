"""`confide init`: a commented plan to start from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from confide.cli.files import write_text
from confide.cli.say import echo
from confide.data.readers.read import read
from confide.errors import DataError, PlanError
from confide.kit.ledger import refusal
from confide.plan.load import toml_tables
from confide.plan.schema import PlanSchema
from confide.plan.starter import starter_plan, with_ids
from confide.plan.starter_tables import starter_tables


def init(
    data: Path, out: Path, *, overwrite: bool, encoding: str | None, delimiter: str | None, tables: bool = False
) -> None:
    """Write a plan for a file and show what was inferred."""
    reason = refusal(out, [data], "the data file")
    if reason is not None:
        raise DataError(f"--out {reason}")
    if out.exists() and not overwrite:
        raise DataError(f"{str(out)!r} is there already; pass --overwrite to replace it, or --out for another name")
    if out.suffix.lower() != ".toml":
        raise DataError(f"a plan is a TOML file; give --out a name that ends in .toml, found {out.name!r}")
    if out.exists() and not _is_plan(out):
        raise DataError(f"{str(out)!r} holds no plan of confide, and is not replaced; give --out another name, or remove it")
    options: dict[str, Any] = {k: v for k, v in (("encoding", encoding), ("delimiter", delimiter)) if v is not None}
    try:
        microdata = read(data, **options)
    except LookupError:
        raise DataError(f"encoding {encoding!r} is not known; try 'utf-8' or 'latin-1'") from None
    microdata = microdata if tables else with_ids(microdata)
    path = os.path.relpath(data.resolve(), out.parent.resolve())
    starter = starter_tables if tables else starter_plan
    text = starter(microdata, path, name=out.name, encoding=encoding, delimiter=delimiter)
    write_text(out, text, overwrite=overwrite)
    table, _, _ = repr(microdata).partition("\n\n* inferred")
    echo(table)
    if tables:
        echo(f"\nWrote {out}. Next:\n  1. mend {out}: what spans the table, rules, files\n  2. confide table {out}")
        return
    echo(f"\n* inferred; mend kinds and roles in {out}")
    echo(f"\nWrote {out}. Next:\n  1. mend {out}: roles, releases, what intruders know\n  2. confide assess {out}")


def _is_plan(path: Path) -> bool:
    """Say whether a file holds what only plans do, with faults or without."""
    try:
        tables = toml_tables(path.read_text(encoding="utf-8"), path.name)
    except (OSError, ValueError, PlanError):
        return False
    return set(tables) <= set(PlanSchema.model_fields)
