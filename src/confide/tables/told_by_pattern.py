"""What the pattern of a published table tells without any value: who is in a line is known to be in its one cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import FEWEST
from confide.tables.equations import find_cells
from confide.typing import BoolArray, IntArray

if TYPE_CHECKING:
    from confide.tables.protected import ProtectedTable

LISTED = 3
"""So many lines are named."""


@dataclass(frozen=True, slots=True)
class OneCell:
    """A line of a table all of whose respondents are in one cell, which its empty cells give away."""

    dimension: str
    """The dimension along which the line runs: what is learned."""
    total: int
    """The place of the line's total: of whom it is learned."""
    cell: int
    """The place of the one cell that is not empty."""
    suppressed: bool
    """Whether that cell is left out, so that hiding its value hides nothing of this."""


def lines_in_one_cell(protected: ProtectedTable) -> tuple[OneCell, ...]:
    """Find the lines of a published table that have one cell which is not empty.

    A line is a total with the codes right below it in one dimension, of which the table could have two or more. A cell is
    empty to readers when it is not in the table, or is published as 0 in a table of counts, or one to which nobody
    contributes; a cell that is left out is not. Whoever is known to be in the line is then known to have the code of the
    one cell, whether its value is published or not (group disclosure). Where a method changes values a published 0 is
    taken for no empty cell.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"town": list("aaaabbbb"), "ill": ["yes"] * 4 + ["yes", "no", "no", "no"]})
    >>> table = cf.tabulate(data, ["town", "ill"])
    >>> found = lines_in_one_cell(cf.protect_table(table, cf.MinimumFrequency(2)))
    >>> [(x.dimension, table.cell_name(x.total), table.cell_name(x.cell)) for x in found]
    [('town', 'Total x no', 'b x no'), ('ill', 'a x Total', 'a x yes')]
    """
    t = protected.table
    if t.sums is not None:
        return ()
    there, hidden = _not_empty(protected), protected.suppressed
    found: dict[tuple[int, int, int], OneCell] = {}
    for d, dimension in enumerate(t.dimensions):
        for parents in dimension.parents:
            possible = np.bincount(parents[parents >= 0], minlength=dimension.size)
            above = parents[t.codes[:, d]]
            part = np.flatnonzero((above >= 0) & there)
            wanted = t.codes[part].copy()
            wanted[:, d] = above[part]
            total = find_cells(t.codes, wanted, t.dimensions) if part.size else part
            part, total = part[total >= 0], total[total >= 0]
            alone = np.bincount(total, minlength=t.n)[total] == 1
            for cell, line in _pairs(part, total, alone & (possible[t.codes[total, d]] > 1) & there[total]):
                found[line, cell, d] = OneCell(dimension.name, line, cell, bool(hidden[cell]))
    return tuple(sorted(found.values(), key=lambda x: (x.total, x.cell)))


def told_by_pattern(protected: ProtectedTable) -> tuple[str, ...]:
    """Warn where the empty cells and those left out tell by themselves in which cell all respondents of a line are.

    Lines of fewer than ten respondents are counted and not named.
    """
    lines = lines_in_one_cell(protected)
    if not lines:
        return ()
    t, hidden = protected.table, sum(x.suppressed for x in lines)
    many = np.zeros(t.n) if t.respondents is None else t.respondents
    # lines whose one cell is left out first: there somebody thought that something is hidden
    first = sorted((x for x in lines if many[x.cell] >= FEWEST), key=lambda x: not x.suppressed)[:LISTED]
    named = "".join(f", such as that all of {t.cell_name(x.total)} are in {t.cell_name(x.cell)}" for x in first[:1])
    named += "".join(f", all of {t.cell_name(x.total)} in {t.cell_name(x.cell)}" for x in first[1:])
    told = (
        f"empty cells tell, without any value, in which cell all respondents of {len(lines):,} line(s) are, {hidden:,} of "
        f"these cells left out{named}. Whoever knows that somebody is in such a line learns the rest; put codes together, "
        "or take a method that changes values"
    )
    return (told,)


def _not_empty(protected: ProtectedTable) -> BoolArray:
    """Say which cells are not empty to readers."""
    t = protected.table
    if protected.changes:
        return np.ones(t.n, dtype=np.bool_)
    nobody = t.respondents == 0 if t.respondents is not None else np.full(t.n, t.counts)
    return np.asarray(~((protected.values == 0) & nobody), dtype=np.bool_)


def _pairs(part: IntArray, total: IntArray, which: BoolArray) -> list[tuple[int, int]]:
    """Give chosen parts with their totals."""
    return list(zip(part[which].tolist(), total[which].tolist(), strict=True))
