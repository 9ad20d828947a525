"""What is fixed of cells before a table is protected."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import numpy as np

from confide.errors import TableError
from confide.kit.ledger import reading
from confide.tables.cell_files import CellFile, open_cells
from confide.tables.table import Table
from confide.typing import AnyArray, IntArray

NOTHING: Mapping[int, float] = MappingProxyType({})
NO_LEVELS: Mapping[int, tuple[float, float]] = MappingProxyType({})
WORDS = {
    "s": "safe", "safe": "safe", "u": "sensitive", "unsafe": "sensitive", "sensitive": "sensitive", "p": "frozen",
    "protected": "frozen", "frozen": "frozen", "m": "previous", "ml": "previous", "previous": "previous", "c": "cost",
    "w": "cost", "cost": "cost", "pl": "level", "level": "level",
}  # fmt: skip
"""The words for what a line says, those of tau-ARGUS among them."""


@dataclass(frozen=True, slots=True, eq=False)
class APriori:
    """Statuses, costs and levels of cells that you know better than a rule; cells are places or masks.

    >>> APriori(safe=[3], frozen=[0]).cells("frozen", 5).tolist()
    [0]
    """

    safe: Iterable[int] | AnyArray = ()
    """Cells that are not sensitive, whatever the rule says."""
    frozen: Iterable[int] | AnyArray = ()
    """Cells that must be published."""
    sensitive: Iterable[int] | AnyArray = ()
    """Cells that are sensitive, whatever the rule says."""
    previous: Iterable[int] | AnyArray = ()
    """Cells that were not published last time; to take them again costs a tenth."""
    costs: Mapping[int, float] = field(default_factory=lambda: NOTHING)
    """What single cells cost, by their place."""
    levels: Mapping[int, tuple[float, float]] = field(default_factory=lambda: NO_LEVELS)
    """How far below and above the value the interval of single cells must reach, by their place."""
    share: float = 0.1
    """How far it must reach for `sensitive` cells without levels, as a share of the value."""
    notes: tuple[str, ...] = ()
    """What was left out when it was read."""

    @classmethod
    def read(cls, path: str | os.PathLike[str], table: Table, *, share: float = 0.1) -> APriori:
        r"""Read an a priori file: `.hst` as tau-ARGUS has it, or a table of cells with a header.

        A line of a `.hst` file holds the codes, a letter and numbers: `s` safe, `u` sensitive, `p` must be published, `c` or
        `w` and a cost, `pl` and two protection levels, `ml` suppressed before; empty codes are totals. A file with a header
        has a column for each dimension, and some of `status`, `cost`, `lower`, `upper`.

        >>> import tempfile, confide as cf
        >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3, 4]}), ["sex"], "x")
        >>> file = Path(tempfile.mkdtemp()) / "a.hst"
        >>> _ = file.write_text("f;u\nm;c;2.5\n;p\n")
        >>> found = APriori.read(file, table)
        >>> found.sensitive, found.frozen, dict(found.costs)
        ([1], [0], {2: 2.5})
        """
        file = Path(path)
        lines = _hst(file, table) if file.suffix.lower() == ".hst" else _columns(open_cells(file), table)
        held: dict[str, list[int]] = {k: [] for k in ("safe", "frozen", "sensitive", "previous")}
        costs: dict[int, float] = {}
        levels: dict[int, tuple[float, float]] = {}
        absent = 0
        for where, cell, word, numbers in lines:
            if cell < 0:
                absent += 1
            elif word == "cost":
                costs[cell] = _number(numbers, 1, where)[0]
            elif word == "level":
                low, high = _number(numbers, 2, where)
                levels[cell] = (low, high)
            else:
                held[word].append(cell)
        notes = (f"{absent:,} line(s) of {file.name!r} name cells to which nobody contributes; they are left out",)
        return cls(**held, costs=costs, levels=levels, share=share, notes=notes if absent else ())

    def cells(self, which: str, n: int) -> IntArray:
        """Give `safe`, `frozen`, `sensitive` or `previous` cells as sorted places of a table of n cells."""
        given = getattr(self, which)
        found = np.asarray(given if isinstance(given, np.ndarray) else list(given))
        if found.dtype == np.bool_:
            if found.shape != (n,):
                raise TableError(f"{which}: a mask of {found.size:,} for {n:,} cells; give one entry for each cell")
            return np.flatnonzero(found).astype(np.int64)
        places = np.unique(found.astype(np.int64)) if found.size else np.zeros(0, dtype=np.int64)
        if places.size and (places[0] < 0 or places[-1] >= n):
            raise TableError(f"{which}: cells are counted from 0 to {n - 1:,}; found {places[0]:,} to {places[-1]:,}")
        return places


Line = tuple[str, int, str, list[str]]
"""Where a line stands, its cell, what it says, and its numbers."""


def _hst(file: Path, table: Table) -> list[Line]:
    """Read the lines of a `.hst` file."""
    try:
        text = reading(file, TableError).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(f"cannot read {file.name!r} ({type(error).__name__}); check the path and the encoding") from None
    rows = [(i, line.strip()) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
    sign = ";" if any(";" in line for _, line in rows) else ","
    parts = [(i, [p.strip().strip('"') for p in line.split(sign)]) for i, line in rows]
    k = len(table.dimensions)
    short = [i for i, p in parts if len(p) <= k]
    if short:
        raise TableError(f"{file.name!r}, line {short[0]}: expected {k} code(s) and a status, set apart by {sign!r}")
    cells = CellFile(file.name, {n: [p[j] for _, p in parts] for j, n in enumerate(table.by)}).cells(table)
    return [
        (f"{file.name!r}, line {i}", int(c), _word(p[k], f"{file.name!r}, line {i}"), p[k + 1 :])
        for (i, p), c in zip(parts, cells, strict=True)
    ]


def _columns(file: CellFile, table: Table) -> list[Line]:
    """Read a file with a header; a row may say several things."""
    said = [c for c in ("status", "cost", "lower", "upper") if c in file.columns]
    if not said or (("lower" in said) != ("upper" in said)):
        raise TableError(
            f"{file.name!r} needs some of the columns status, cost, lower and upper (both); found {file.listed}"
        )
    found: list[Line] = []
    for i, cell in enumerate(file.cells(table).tolist()):
        where = f"{file.name!r}, row {i + 1}"
        got = {c: file.columns[c][i].strip() for c in said}
        if got.get("status"):
            found.append((where, cell, _word(got["status"], where), []))
        if got.get("cost"):
            found.append((where, cell, "cost", [got["cost"]]))
        if got.get("lower") or got.get("upper"):
            found.append((where, cell, "level", [got["lower"] or "0", got["upper"] or "0"]))
    return found


def _word(text: str, where: str) -> str:
    """Find what a status says."""
    if text.lower() not in WORDS:
        raise TableError(f"{where}: status {text!r} is not known; use one of {', '.join(WORDS)}")
    return WORDS[text.lower()]


def _number(texts: list[str], many: int, where: str) -> list[float]:
    """Read the numbers of a line."""
    try:
        found = [float(t) for t in texts[:many]]
    except ValueError:
        found = []
    if len(found) < many or not all(0 <= x < np.inf for x in found):
        raise TableError(f"{where}: expected {many} number(s) that are not negative after the status")
    return found
