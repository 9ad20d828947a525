"""Hold protected tables, and make them again."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

from confide.plan.table_plan import DeclaredTable, TablePlan
from confide.report.table_page import write_table_page
from confide.study.folder import Study
from confide.study.hold import hold, origin
from confide.study.manifest import GIVEN_KEYS, NOT_RANDOM, REPRODUCIBLE, Manifest, Verdict
from confide.tables.perturb.keys import RecordKeys
from confide.tables.protected import ProtectedTable

TABLE = "table"
"""What a folder holds."""


def table_made_with(plan: TablePlan, declared: DeclaredTable) -> str:
    """Say what the noise of a table hangs on."""
    if plan.seed is not None:
        return REPRODUCIBLE
    if isinstance(declared.keys, RecordKeys):
        return declared.keys.secret.fingerprint if declared.keys.secret is not None else REPRODUCIBLE
    return NOT_RANDOM if declared.keys is None else GIVEN_KEYS


def table_verdict(one: ProtectedTable) -> Verdict:
    """Say what the audit found: how many sensitive cells are exposed; no figure where it was not judged."""
    figure = float(len({e.cell for e in one.exposed})) if one.judged else None
    return Verdict("exposed cells", "everybody and insiders", figure, 0.0, one.clean)


def write_public(declared: DeclaredTable, one: ProtectedTable, folder: Path, date: dt.date) -> None:
    """Write what is published of a table into a folder.

    Args:
        declared: the table in the plan.
        one: the table with its protection.
        folder: where to.
        date: the day that the page tells.
    """
    for path in declared.outputs.published:
        one.write(folder / path.name)
    page = declared.outputs.page
    if page is not None:
        write_table_page(one, folder / page.name, title=declared.name, date=date)


def table_manifest(plan: TablePlan, declared: DeclaredTable, one: ProtectedTable) -> Manifest:
    """Write down what is known of a table, but for the checksums.

    Args:
        plan: the plan.
        declared: the table in it.
        one: the table with its protection.
    """
    return Manifest(
        TABLE, declared.name, declared.edition, table_made_with(plan, declared), methods=[one.method.name],
        verdict=[table_verdict(one)],
    )  # fmt: skip


def hold_table(study: Study, plan: TablePlan, declared: DeclaredTable, one: ProtectedTable) -> list[Path]:
    """Hold what is published of a table; nothing where the plan names no file.

    Args:
        study: the study.
        plan: the plan.
        declared: the table in it.
        one: the table with its protection.
    """
    if not declared.outputs.published and declared.outputs.page is None:
        return []
    today = dt.datetime.now(tz=dt.UTC).date()
    known = origin(study, plan.path, plan.reads)
    manifest = replace(table_manifest(plan, declared, one), made=today.isoformat(), **known)
    return hold(study, declared.outputs.held.name, manifest, lambda new: write_public(declared, one, new, today))
