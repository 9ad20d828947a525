"""`confide audit`: what can be deduced from a table that leaves cells out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from confide.cli.assess import LIMIT_EXCEEDED
from confide.cli.progress import Bar
from confide.cli.say import echo
from confide.cli.table import headed, lines_of
from confide.errors import UserMistake, raise_all
from confide.kit.files import written_whole
from confide.kit.telling import marked
from confide.plan.build_tables import chosen
from confide.plan.faults import Faults
from confide.plan.files import Files, Output
from confide.plan.load import load_tables
from confide.tables.a_priori import APriori
from confide.tables.aggregates import table_of_aggregates
from confide.tables.cell_files import open_cells
from confide.tables.given_pattern import GivenPattern, read_pattern
from confide.tables.linked import linked_places
from confide.tables.protect_table import protect_table, protect_tables
from confide.tables.protected import ProtectedTable
from confide.tables.rules.given import GivenRule
from confide.tables.suppression import GivenSuppression, Looks
from confide.tables.table import Table
from confide.tables.write.plain import frame_bytes

ENDINGS = (".csv", ".tsv", ".parquet")
"""How exposed cells are written."""


def audit_plan(
    path: Path, *, patterns: Sequence[Path], tables: Sequence[str], status: str | None, value: str | None,
    out: Path | None, quiet: bool,
) -> int:  # fmt: skip
    """Audit patterns of any program against tables of a plan, with the plan's rules and attackers; several as one."""
    plan = load_tables(path, also=[] if out is None else [Output("--out", out, ENDINGS)], reads=patterns)
    if len(patterns) != max(1, len(tables)):
        raise UserMistake(
            f"{len(patterns)} patterns and {len(tables)} tables; give --table NAME for each --pattern, in order"
        )
    declared = [chosen(plan, name) for name in tables] or [chosen(plan, None)]
    method = next(g.method for g in plan.groups if declared[0] in g.tables)
    attackers: Sequence[Looks] = getattr(method, "attackers", ())
    found = [read_pattern(p, d.table, status=status, value=value) for p, d in zip(patterns, declared, strict=True)]
    made = [d.table for d in declared]
    places = linked_places(made) if len(made) > 1 else [np.arange(made[0].n)]
    hidden = np.ones(1 + max(int(p.max(initial=0)) for p in places), dtype=np.bool_)
    for place, pattern in zip(places, found, strict=True):
        # a shared cell is known when one table publishes it
        hidden[place] &= pattern.suppressed
    given = GivenSuppression(np.flatnonzero(hidden), attackers)
    with Bar("auditing", shown=not quiet) as bar:
        done = protect_tables(
            made, [d.rule for d in declared], method=given, a_priori=[d.a_priori for d in declared], progress=bar
        )
    return _report([d.name for d in declared], done, found, out, quiet=quiet)


def audit_cells(
    path: Path, *, by: Sequence[str], value: str, status: str | None, hierarchies: Sequence[str], total: str,
    share: float | None, out: Path | None, quiet: bool,
) -> int:  # fmt: skip
    """Audit a file that holds the value and the status of every cell."""
    nested = _hierarchies(hierarchies, by)
    if out is not None:
        faults = Faults()
        Files(faults, [path, *map(Path, nested.values())]).check(Output("--out", out, ENDINGS))
        raise_all(faults.found, UserMistake)
    table = table_of_aggregates(path, by, value, hierarchies=nested, total=total)
    found = read_pattern(open_cells(path), table, status=status)
    sensitive = found.primary if found.primary.any() else found.suppressed
    rule = GivenRule(sensitive, 0.0 if share is None else share)
    given = GivenSuppression(found.suppressed.nonzero()[0])
    with Bar("auditing", shown=not quiet) as bar:
        one = protect_table(table, rule, method=given, a_priori=APriori(), progress=bar)
    if not quiet and not found.primary.any():
        echo("no status tells which cells are sensitive; all that are left out count as sensitive", err=True)
    return _report([path.name], [one], [found], out, quiet=quiet)


def _hierarchies(given: Sequence[str], by: Sequence[str]) -> dict[str, str]:
    """Read options such as region=region.hrc."""
    found = {}
    for text in given:
        name, sign, file = text.partition("=")
        if not sign or name not in by:
            raise UserMistake(f"--hierarchy is DIMENSION=FILE with one of {', '.join(by)}; found {text!r}")
        found[name] = file
    return found


def _report(
    names: Sequence[str], done: Sequence[ProtectedTable], patterns: Sequence[GivenPattern], out: Path | None, *, quiet: bool
) -> int:
    """Print the verdict of each table, write the exposed cells; give the exit code."""
    for name, one, pattern in zip(names, done, patterns, strict=True):
        if quiet:
            break
        echo(headed(name, one))
        echo("\n".join(f"  {line}" for line in (*lines_of(one), *_listed(one.table, one))))
        if pattern.absent:
            echo(f"  note: {pattern.absent:,} cell(s) of the table do not stand in the file; they count as left out")
    for note in () if quiet else done[0].notes:
        echo(f"note: {note}")
    if out is not None:
        echo(f"wrote {_write(names, done, out)}", err=True)
    exposed = {e.cell for one in done for e in one.exposed}
    known = {e.cell for one in done for e in one.exposed if e.exact}
    if exposed:
        text = f"{len(exposed):,} sensitive cell(s) are exposed, {len(known):,} of them can be computed"
        echo(f"confide: limit exceeded: {text}", err=True)
    return LIMIT_EXCEEDED if exposed else 0


def _listed(table: Table, one: ProtectedTable, most: int = 10) -> list[str]:
    """Name exposed cells and who learns of them; intervals are for the file alone."""
    place = {int(p): i for i, p in enumerate(one.places)}
    lines = []
    for e in one.exposed[:most]:
        how = "is computed" if e.exact else "is known too closely"
        lines.append(f"exposed: {table.cell_name(place[e.cell])} {how} by {e.attacker}")
    more = len(one.exposed) - most
    return [*lines, f"and {more:,} more; write all with --out FILE"] if more > 0 else lines


def _write(names: Sequence[str], done: Sequence[ProtectedTable], path: Path) -> Path:
    """Write the exposed cells with their intervals, for the owner alone."""
    import polars as pl

    ending = path.suffix.lower()
    parts = []
    for name, one in zip(names, done, strict=True):
        place = {int(p): i for i, p in enumerate(one.places)}
        rows = one.internal().select(*one.table.by, one.table.name)[[place[e.cell] for e in one.exposed]]
        columns = {k: [getattr(e, k) for e in one.exposed] for k in ("attacker", "low", "high", "lower", "upper", "sliding")}
        kinds = {k: pl.String if k == "attacker" else pl.Float64 for k in columns}
        frame = rows.hstack(pl.DataFrame(columns, schema=kinds))
        parts.append(frame if len(done) == 1 else frame.select(pl.lit(name).alias("table"), pl.all()))
    with written_whole(path) as file:
        file.write(frame_bytes(marked(pl.concat(parts, how="diagonal_relaxed")), ending))
    return path
