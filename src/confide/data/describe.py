"""Show what a file holds without showing a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confide.data.inference import count_distinct
from confide.kit.shown import shown

if TYPE_CHECKING:
    from confide.data.microdata import Microdata

_HEAD = ("variable", "kind", "role", "distinct", "missing")
_TEXTS = 3


def describe(microdata: Microdata) -> str:
    """Write a table of the variables: kind, role, distinct values and missing values.

    What was guessed carries a star. Counts are all that is shown of the values.

    >>> import polars as pl
    >>> from confide.data.frames import from_frame
    >>> print(describe(from_frame(pl.DataFrame({"sex": ["m", "f", None]}), name="people")))
    people: 3 records, 1 variable
    <BLANKLINE>
    variable  kind      role  distinct  missing
    sex       nominal*  key*         2        1
    <BLANKLINE>
    * inferred; say otherwise with .declare(key=[...], sensitive=[...], kinds={"sex": "nominal"})
    """
    rows = [_HEAD, *(_row(microdata, name) for name in microdata.names)]
    widths = [max(len(row[j]) for row in rows) for j in range(len(_HEAD))]
    table = ["  ".join(row[j].ljust(w) if j < _TEXTS else row[j].rjust(w) for j, w in enumerate(widths)) for row in rows]
    lines = [_title(microdata), "", *table]
    guessed = [v for v in microdata.variables.values() if v.inferred]
    if guessed:
        example = f'kinds={{"{shown(guessed[0].name)}": "{guessed[0].kind.value}"}}'
        lines += ["", f"* inferred; say otherwise with .declare(key=[...], sensitive=[...], {example})"]
    return "\n".join(lines)


def _title(microdata: Microdata) -> str:
    """Name the file and its size."""
    n, p = microdata.n, len(microdata.names)
    return f"{microdata.name}: {n:,} record{'s' * (n != 1)}, {p} variable{'s' * (p != 1)}"


def _row(microdata: Microdata, name: str) -> tuple[str, ...]:
    """Describe one variable."""
    variable, column = microdata.variables[name], microdata.columns[name]
    kind = variable.kind.value + "*" * ("kind" in variable.inferred)
    role = variable.role.value + "*" * ("role" in variable.inferred)
    return shown(name), kind, role, f"{count_distinct(column):,}", f"{int(column.is_missing.sum()):,}"
