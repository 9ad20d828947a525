"""`confide table`: protect the tables of a plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from confide.cli.assess import LIMIT_EXCEEDED, tell_signed
from confide.cli.progress import Bar
from confide.cli.say import echo
from confide.errors import Unprotectable
from confide.kit.files import make_folder
from confide.plan.load import load_tables
from confide.plan.table_plan import DeclaredTable, TableGroup, TablePlan
from confide.study.folder import Study
from confide.study.hold import check_places
from confide.study.tables import hold_table
from confide.tables.method import PUBLISHED, SECONDARY
from confide.tables.protected import ProtectedTable


def table_plan(path: Path, *, out: Path | None, time_limit: float | None, seed: int | None = None, quiet: bool) -> int:
    """Protect all tables of a plan, print what became of them, write the files; give the exit code."""
    if out is not None:
        make_folder(out)
    plan = load_tables(path, out=out, time_limit=time_limit, seed=seed)
    tables = [t for g in plan.groups for t in g.tables]
    for study in dict.fromkeys(study_of(t) for t in tables):
        check_places(study, [(t.outputs.held.name, t.name) for t in tables])
    failed = False
    for group in plan.groups:
        names = ", ".join(repr(t.name) for t in group.tables)
        try:
            with Bar(f"protecting {names}", shown=not quiet) as bar:
                found = group.protect(bar)
        except Unprotectable as error:
            echo(f"confide: not protected: {names}: {error}", err=True)
            failed = True
            continue
        failed |= _report(group, found, quiet=quiet)
        for declared, one in zip(group.tables, found, strict=True):
            for file in write_files(plan, declared, one):
                if not quiet:
                    echo(f"wrote {file}", err=True)
    for study in dict.fromkeys(study_of(t) for t in tables):
        held = [(t.name, t.edition) for t in tables if t.outputs.published or t.outputs.page]
        tell_signed(replace(study, secret=plan.secret), held)
    return LIMIT_EXCEEDED if failed else 0


def _report(group: TableGroup, found: tuple[ProtectedTable, ...], *, quiet: bool) -> bool:
    """Print the tables of a group; say whether a cell is exposed."""
    declined = getattr(group.method, "judge", None) is False
    together = f", protected together with {len(found) - 1} other(s)" if len(found) > 1 else ""
    for declared, one in zip(group.tables, found, strict=True):
        if one.banner:
            echo(one.banner, err=quiet)
        if not quiet:
            echo(headed(declared.name, one) + together)
            echo("\n".join(f"  {line}" for line in lines_of(one)))
        for warning in () if quiet else one.told_by_pattern:
            echo(f"confide: warning: {declared.name!r}: {warning}", err=True)
        if one.exposed:
            cells = len({e.cell for e in one.exposed})
            echo(f"confide: limit exceeded: {declared.name!r} leaves {cells:,} sensitive cell(s) exposed", err=True)
        elif not one.judged and not declined:
            text = "what can be deduced was not judged; set judge = true or judge = false in its method"
            echo(f"confide: not judged: {declared.name!r}: {text}", err=True)
    if not quiet:
        for note in dict.fromkeys(found[0].notes):
            echo(f"  note: {note}")
        if not found[0].outcome.finished:
            echo("  note: the search was stopped; this is the best that was found")
    return any(one.exposed or (not one.judged and not declined) for one in found)


def headed(name: str, one: ProtectedTable) -> str:
    """Name a table, and say what it shows unless the name does."""
    what = f"{one.table.name} by {', '.join(one.table.by) or 'nothing'}"
    return what if name == what else f"{name}: {what}"


def lines_of(one: ProtectedTable) -> list[str]:
    """Say in a few lines what became of a table; no values."""
    gap = "" if one.gap is None else f", gap {one.gap:.2%}"
    if one.changes:
        became = (
            f"{int((one.status != PUBLISHED).sum()):,} {one.changes} (by {one.value_share:.1%} of the value of inner cells)"
        )
    else:
        secondary = int((one.status == SECONDARY).sum())
        became = f"{secondary:,} more left out ({one.value_share:.1%} of the value of inner cells)"
    lines = [
        f"{one.table.n:,} cells: {int(one.sensitive.sum()):,} sensitive, {became}",
        f"method: {one.method.name}{gap}",
    ]
    if one.audit is None:
        lines.append("audit: not judged" if one.sensitive.any() else "audit: nothing is sensitive")
    else:
        others = f" and {len(one.audit.attackers):,} insider(s)" if one.audit.attackers else ""
        exposed = {e.cell for e in one.exposed}
        lines.append(f"audit: {f'{len(exposed):,} exposed' if exposed else 'all protected'} (everybody{others})")
    return lines


def study_of(declared: DeclaredTable) -> Study:
    """Give the study in which a table is held."""
    return Study(declared.outputs.held.parent.parent)


def write_files(plan: TablePlan, declared: DeclaredTable, one: ProtectedTable) -> list[str]:
    """Write the files of one table; those of an earlier run are replaced. What is published is held."""
    files = declared.outputs
    written = [str(path) for path in hold_table(study_of(declared), plan, declared, one)]
    if files.internal is not None:
        written.append(f"{one.write(files.internal, internal=True, overwrite=True)}, which is confidential")
    if files.internal_page is not None:
        from confide.report.table_page import write_table_page

        page = write_table_page(one, files.internal_page, title=declared.name, internal=True, overwrite=True)
        written.append(f"{page}, which is confidential")
    return written
