"""How names that came from a file or a plan are shown: nothing in them moves a cursor, or becomes a formula."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that spreadsheets compute."""


def shown(text: str, *, lines: bool = False) -> str:
    r"""Write control characters, and those that turn the direction of text, as escapes.

    Args:
        text: what is shown.
        lines: whether ends of lines stay; they do not within a name.

    >>> shown("a\x1b[31mred\nb"), shown("ends\nhere", lines=True), shown("año")
    ('a\\x1b[31mred\\nb', 'ends\nhere', 'año')
    """
    if text.isprintable():
        return text
    kept = "\n" if lines else ""
    return "".join(
        c.encode("unicode_escape").decode() if c not in kept and unicodedata.category(c) in _MOVING else c for c in text
    )


_MOVING = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def defused(frame: pl.DataFrame) -> pl.DataFrame:
    """Give a frame for people to open: texts and heads that a spreadsheet would compute begin with an apostrophe.

    >>> import polars as pl
    >>> defused(pl.DataFrame({"=x": ["=1+1", "plain", None], "n": [-1, 2, 3]})).rows()
    [("'=1+1", -1), ('plain', 2), (None, 3)]
    """
    import polars as pl

    columns = []
    for column in frame.get_columns():
        one = column
        if one.dtype == pl.String:
            one = pl.Series(one.name, [_apart(x) for x in one.to_list()], dtype=pl.String)
        columns.append(one.alias(_apart(one.name) or ""))
    return pl.DataFrame(columns)


def _apart(text: str | None) -> str | None:
    """Set an apostrophe before what a spreadsheet would compute."""
    return f"'{text}" if text is not None and text.startswith(FORMULA) else text
