"""Make the tables of a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from confide.data.microdata import Microdata
from confide.errors import InternalError, TableError, repeated, unknown
from confide.plan.build_data import build_data
from confide.plan.build_table_method import build_method, keys_of
from confide.plan.build_table_outputs import build_outputs, check_names, table_outputs
from confide.plan.build_table_source import build_table
from confide.plan.faults import Faults
from confide.plan.files import Files, Output, assessed_outputs, inputs
from confide.plan.files import reads as named_reads
from confide.plan.holding import held_outputs
from confide.plan.key_columns import with_keys
from confide.plan.schema import PlanSchema
from confide.plan.schema_tables import RuleTable, TableTable
from confide.plan.secret_path import secret_path
from confide.plan.table_plan import DeclaredTable, TableGroup, TableOutputs, TablePlan
from confide.tables.a_priori import APriori
from confide.tables.given_pattern import read_pattern
from confide.tables.linked import link_tables
from confide.tables.perturb.keys import RecordKeys
from confide.tables.rules.combined import AllRules, AnyRule
from confide.tables.rules.dominance import DominanceRule
from confide.tables.rules.frequency import MinimumFrequency
from confide.tables.rules.prior_posterior import PPercentRule, PQRule
from confide.tables.rules.request import RequestRule
from confide.tables.rules.rule import Rule
from confide.tables.rules.zero import ZeroCells
from confide.tables.table import Table

RULES: dict[str, Callable[..., Rule]] = {
    c.__name__: c for c in (MinimumFrequency, DominanceRule, PPercentRule, PQRule, RequestRule, ZeroCells)
}
"""The rules by their names."""


def build_tables(
    schema: PlanSchema,
    folder: Path,
    *,
    itself: Path | None = None,
    out: Path | None = None,
    time_limit: float | None = None,
    also: Sequence[Output] = (),
    reads: Sequence[Path] = (),
) -> TablePlan:
    """Make the tables of a plan; every fault is collected and all are raised together.

    Args:
        schema: the plan file.
        folder: what paths in the plan are relative to.
        itself: the plan file, which no output may replace.
        out: a folder for all outputs; None: where the plan says.
        time_limit: seconds for each search; None: as the plan says.
        also: further files that will be written.
        reads: files that these must not replace either.
    """
    faults = Faults()
    if not schema.table:
        faults.add("", 'the plan has no table; add [[table]] with name, by and value, and [[tables.rule]] with rule = "..."')
    names = [t.name for t in schema.table]
    for name in repeated(names):
        faults.add("table", f"{names.count(name)} of them are called {name!r}; give each a name of its own")
    needs = any(t.cells is None for t in schema.table)
    data = None if schema.data is None or not needs else with_keys(schema.data, schema, faults)
    source = None if data is None else build_data(data, folder, faults)
    secret = secret_path(schema, folder, itself)
    made = [_declared(schema, i, source, folder, secret, faults) for i in range(len(schema.table))]
    outputs = build_outputs(schema, folder, out)
    check_names(schema, faults)
    kept, others = inputs(schema, folder, itself), [*assessed_outputs(schema, folder), *held_outputs(schema, folder)]
    written = table_outputs(schema, folder, out)
    Files(faults, kept, others).check(*written)
    Files(faults, (*kept, *reads), (*others, *written)).check(*also)
    faults.raise_all()
    tables = [replace(t, outputs=o) for t, o in zip(made, outputs, strict=True) if t is not None]
    if len(tables) != len(made):
        raise InternalError("a table is missing, yet no fault was found")
    groups = _groups(schema, tables, lambda t: build_table(t, source, folder), time_limit, faults)
    faults.raise_all()
    return TablePlan(tuple(groups), schema.seed, secret, itself, named_reads(schema, folder))


def _declared(
    schema: PlanSchema, i: int, source: Microdata | None, folder: Path, secret: Path | None, faults: Faults
) -> DeclaredTable | None:
    """Make one table with its rule and statuses."""
    asked, where = schema.table[i], f"table[{i + 1}]"
    rule = _rule(schema, asked, faults, where)
    made: Table | None = None
    keys: RecordKeys | str | None = None
    with faults.at(where):
        method = asked.method or schema.tables.method
        keys = keys_of(method, schema.seed, secret)
        made = build_table(asked, source, folder, keys if method.method == "CellKeys" else None)
    if made is None or rule is None:
        return None
    before = APriori()
    with faults.at(where):
        rule.sensitive(made)
    with faults.at(f"{where}.a_priori"):
        if asked.a_priori is not None:
            before = APriori.read(folder / asked.a_priori, made, share=asked.a_priori_share or 0.1)
    with faults.at(f"{where}.previous"):
        if asked.previous is not None:
            before = replace(before, previous=read_pattern(folder / asked.previous, made).suppressed)
    return DeclaredTable(asked.name, made, rule, before, TableOutputs(), where, asked.edition, keys)


def _rule(schema: PlanSchema, asked: TableTable, faults: Faults, where: str) -> Rule | None:
    """Join the rules of a table, or those of all tables."""
    own = asked.rule or schema.tables.rule
    place = f"{where}.rule" if asked.rule else "tables.rule"
    if not own:
        faults.add(where, 'no rule says which cells are sensitive; add [[table.rule]] or [[tables.rule]] with rule = "..."')
        return None
    made = [_one_rule(r, faults, f"{place}[{j}]") for j, r in enumerate(own, 1)]
    rules = [r for r in made if r is not None]
    if len(rules) < len(made):
        return None
    if len(rules) == 1:
        return rules[0]
    return (AllRules if (asked.agree or schema.tables.agree) == "all" else AnyRule)(*rules)


def _one_rule(table: RuleTable, faults: Faults, where: str) -> Rule | None:
    """Make a rule of its table."""
    with faults.at(where):
        return RULES[table.rule](**{k: v for k, v in table.model_dump(exclude={"rule"}).items() if v is not None})
    return None


def _groups(
    schema: PlanSchema, tables: list[DeclaredTable], read: Callable[[TableTable], Table | None], limit: float | None,
    faults: Faults,
) -> list[TableGroup]:  # fmt: skip
    """Put tables of the same value together, where they are linked, and make the method of each group."""
    held: dict[Any, list[int]] = {}
    for i, (t, made) in enumerate(zip(schema.table, tables, strict=True)):
        linked = schema.tables.linked if t.linked is None else t.linked
        held.setdefault((made.table.name, t.weight, t.cells is None) if linked else i, []).append(i)
    groups = []
    for places in held.values():
        mine, asked = [tables[i] for i in places], [schema.table[i] for i in places]
        where = mine[0].place
        methods = [t.method or schema.tables.method for t in asked]
        if any(m != methods[0] for m in methods):
            text = "these tables are linked and must have one method; put it into [tables.method], or set linked = false"
            faults.add(where, f"{text}: {', '.join(repr(t.name) for t in mine)}")
            continue
        with faults.at(where):
            link_tables(*(t.table for t in mine))
        method = None
        with faults.at(where):
            method = build_method(methods[0], asked, read, limit, mine[0].keys)
        if method is not None:
            whole = next((t.whole for t in asked if t.whole is not None), None)
            groups.append(TableGroup(tuple(mine), method, whole, schema.tables.exact_intervals))
    return groups


def chosen(plan: TablePlan, name: str | None) -> DeclaredTable:
    """Give a table of a plan by its name; the only one when none is named."""
    every = [t for g in plan.groups for t in g.tables]
    if name is None and len(every) == 1:
        return every[0]
    found = [t for t in every if t.name == name]
    if not found:
        text = unknown("table", name, plan.names) if name else f"name one of the tables: {', '.join(plan.names)}"
        raise TableError(f"{text}; use --table NAME")
    return found[0]
