"""Columns with the keys of records: whoever has them takes the noise of tables away, so they are released with nothing."""

from __future__ import annotations

from confide.plan.faults import Faults
from confide.plan.schema import DataTable, PlanSchema
from confide.plan.schema_tables import TableTable


def key_columns(schema: PlanSchema) -> tuple[str, ...]:
    """Give the columns that `CellKeys` takes the keys of records from."""
    methods = (schema.tables.method, *(t.method for t in schema.table if t.method is not None))
    return tuple(dict.fromkeys(m.keys for m in methods if m.keys is not None))


def with_keys(data: DataTable, schema: PlanSchema, faults: Faults) -> DataTable:
    """Make the columns with keys of records identifiers, and note every other use of them.

    Args:
        data: the source file as the plan has it.
        schema: the plan.
        faults: where faults are noted.
    """
    columns = key_columns(schema)
    if not columns:
        return data
    for name in columns:
        _unused(name, data, schema, faults)
    roles = data.roles
    more = [n for n in columns if n not in roles.identifier]
    return data.model_copy(update={"roles": roles.model_copy(update={"identifier": [*roles.identifier, *more]})})


def _unused(name: str, data: DataTable, schema: PlanSchema, faults: Faults) -> None:
    """Note where a column with keys is used for something else."""
    text = f"{name!r} holds the keys of records, with which the noise of tables is taken away; use it for nothing else"
    for role, names in data.roles.model_dump(exclude={"identifier"}).items():
        if name in ([names] if isinstance(names, str) else names or []):
            faults.add(f"data.roles.{role}", text)
    for i, table in enumerate(schema.table, 1):
        for key in _uses(name, table):
            faults.add(f"table[{i}].{key}", text)
    for i, intruder in enumerate(schema.intruder, 1):
        if name in [k.variable for k in intruder.knows or ()]:
            faults.add(f"intruder[{i}].knows", text)


def _uses(name: str, table: TableTable) -> list[str]:
    """List the keys of a table that name a column."""
    own = table.model_dump(include={"value", "weight", "holding", "waiver", "request"})
    return [*(["by"] if name in table.by else []), *(k for k, v in own.items() if v == name)]
