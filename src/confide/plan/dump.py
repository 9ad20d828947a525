"""Write plan files by software: the way back from a schema to TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from confide.plan.schema import PlanSchema

TABLES_IN = {
    "": ("data", "report", "output", "limits", "map", "tables"),
    "data": ("roles", "kinds", "order", "labels", "coded"),
    "tables": ("method",),
    "table": ("hierarchies", "method"),
}
"""Tables that get a header of their own, by the table they stand in."""
LISTS_IN = {
    "": ("release", "intruder", "targets", "harm", "measure", "utility", "table"),
    "release": ("methods",),
    "map": ("vary", "worst"),
    "table": ("rule",),
    "tables": ("rule",),
}
"""Lists of tables that get double brackets, by the table they stand in."""


def plan_to_toml(plan: PlanSchema) -> str:
    r"""Write a plan as TOML; reading it again gives an equal plan.

    >>> from confide.plan.load import parse_plan
    >>> plan = parse_plan('[data]\npath = "people.csv"\n[[intruder]]\nknows = ["sex"]')
    >>> print(plan_to_toml(plan))
    [data]
    path = "people.csv"
    <BLANKLINE>
    [[intruder]]
    knows = ["sex"]
    <BLANKLINE>
    >>> parse_plan(plan_to_toml(plan)) == plan
    True
    """
    tables = plan.model_dump(exclude_defaults=True, by_alias=True)
    if plan.report is not None:
        tables.setdefault("report", {})
    return "\n".join(_lines(tables, "", "")).lstrip("\n") + "\n"


def _lines(table: dict[str, Any], path: str, place: str) -> Iterator[str]:
    """Write the keys of a table, then the tables in it."""
    inner, lists = TABLES_IN.get(place, ()), LISTS_IN.get(place, ())
    for name, value in table.items():
        if name not in inner and name not in lists:
            yield f"{key(name)} = {value_text(value)}"
    for name, value in table.items():
        full = f"{path}.{key(name)}".lstrip(".")
        below = name if place == "" else f"{place}.{name}"
        if name in inner:
            yield from ("", f"[{full}]", *_lines(value, full, below))
        elif name in lists:
            for item in value:
                yield from ("", f"[[{full}]]", *_lines(item, full, below))


def key(name: str) -> str:
    """Write a key, with quotes where it needs them.

    >>> key("age"), key("Marital status")
    ('age', '"Marital status"')
    """
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else value_text(name)


def value_text(value: Any) -> str:
    """Write a value on one line.

    >>> value_text({"variable": "income", "low": 1e5}), value_text([True, float("inf")])
    ('{ variable = "income", low = 100000.0 }', '[true, inf]')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dict):
        inside = ", ".join(f"{key(k)} = {value_text(v)}" for k, v in value.items() if v is not None)
        return f"{{ {inside} }}" if inside else "{}"
    return f"[{', '.join(value_text(v) for v in value)}]"
