"""The audit of a pattern: what attackers can deduce of the cells that are not published."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from confide.errors import TableError
from confide.linking.parallel import Progress, silent
from confide.tables.attackers import Attacker
from confide.tables.audit.insider import known_columns, seen_by
from confide.tables.audit.nearby import LARGE, nearby_proofs
from confide.tables.audit.result import EXTERNAL, Audit, Exposed, Intervals
from confide.tables.audit.untouched import Shown
from confide.tables.audit.view import look, settle_all
from confide.tables.audit.witness import Witness, take_in
from confide.tables.own import with_own_conclusions
from confide.tables.own_limits import OwnLimits
from confide.tables.protection import TOLERANCE, Protection
from confide.tables.system import System
from confide.typing import AnyArray, FloatArray, IntArray


def audit(
    system: System,
    suppressed: Iterable[int] | AnyArray,
    protection: Protection | None = None,
    attackers: Sequence[Attacker] = (),
    *,
    exact: bool = True,
    witnesses: Sequence[Witness] = (),
    progress: Progress = silent,
) -> Audit:
    """Find the interval that each attacker can deduce for each suppressed cell.

    Only suppressed cells enter. Cells that single equations determine are fixed, cells that can only move together are
    merged, and what hangs together is solved by one linear programme that is kept and solved again from where it stood.
    Ends of intervals that earlier solutions have shown are not sought again.

    Args:
        system: the cells and their equations.
        suppressed: the cells that are not published, as places or a mask.
        protection: what must remain unknown; None: that no suppressed cell can be computed.
        attackers: others beside the external one, who know cells or contributions. Of them, only sensitive cells are asked.
        exact: whether the exact intervals are wanted; if not, a search ends as soon as protection is proven.
        witnesses: changes of cells that keep all sums, which prove how far cells can go; they are checked, and only used
            to have less to solve.
        progress: called with how much of how much is done.

    >>> import numpy as np
    >>> values = np.array([20.0, 9, 11, 8, 3, 5, 12, 6, 6])
    >>> sums = np.array([[-1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, -1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, -1, 1, 1],
    ...                  [-1, 0, 0, 1, 0, 0, 1, 0, 0], [0, -1, 0, 0, 1, 0, 0, 1, 0], [0, 0, -1, 0, 0, 1, 0, 0, 1]])
    >>> table = System(values, sums)
    >>> audit(table, [4, 5, 7, 8]).interval(4)
    (0.0, 8.0)
    >>> audit(table, [4, 5]).determined.tolist()
    [4, 5]
    """
    limits = OwnLimits(system)
    return judge(system, suppressed, protection, attackers, limits, exact=exact, witnesses=witnesses, progress=progress)


def judge(
    system: System,
    suppressed: Iterable[int] | AnyArray,
    protection: Protection | None,
    attackers: Sequence[Attacker],
    limits: OwnLimits | None,
    *,
    exact: bool,
    witnesses: Sequence[Witness],
    progress: Progress = silent,
) -> Audit:
    """Audit a pattern; without limits, cells are exposed too that several equations together give away in any case."""
    cells = system.cells(suppressed, "suppressed")
    asked = Protection.not_exact(system, cells) if protection is None else protection
    if asked.lower.size != system.n:
        raise TableError(f"protection levels for {asked.lower.size:,} cells, and there are {system.n:,}; give one for each")
    names = [a.name for a in attackers]
    if len(set(names)) < len(names) or EXTERNAL in names:
        raise TableError("attackers must have names of their own, other than 'external'; name them with Attacker(name=...)")
    who = with_own_conclusions(system, attackers)
    view = look(system, cells, asked)
    take_in(view, witnesses)
    if not exact and not witnesses and cells.size > LARGE:
        take_in(view, nearby_proofs(system, cells, asked, progress))
    settle_all(view, exact=exact, progress=progress)
    low, high = view.ends(*view.reach(), np.arange(cells.size))
    values = system.values[cells]
    rounds = system.whole and exact
    low, high = inward(values, values + low, values + high) if rounds else (values + low, values + high)
    found = _published(system, asked, cells) + _exposed(system, asked, EXTERNAL, cells, (low, high))
    others: dict[str, Intervals] = {}
    shown = Shown.of(view, view.need(exact=False, every=False)) if who and not exact else None
    for attacker in who:
        known = known_columns(view, attacker)
        safe = shown is not None and shown.enough_for(attacker, known)
        own = Intervals.none() if safe else seen_by(view, attacker, known, exact=exact)
        own = others[attacker.name] = Intervals(own.at, *inward(values[own.at], own.low, own.high)) if rounds else own
        found += _exposed_to(system, asked, attacker, cells[own.at], (own.low, own.high), limits)
    return Audit(system, asked, cells, low, high, exact, others, tuple(found), view.solved)


def inward(values: FloatArray, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Round the ends of intervals towards the values, which are known to be whole.

    >>> x = np.array([3.0])
    >>> [end.tolist() for end in inward(x, np.array([1.4]), np.array([3.9999999]))]
    [[2.0], [4.0]]
    """
    down, up = (TOLERANCE * np.maximum(1.0, np.abs(values - end)) for end in (low, high))
    return np.ceil(low - down), np.floor(high + up)


def _published(system: System, asked: Protection, cells: IntArray) -> list[Exposed]:
    """List sensitive cells that are not suppressed at all."""
    open_ = np.setdiff1d(asked.sensitive, cells)
    return _exposed(system, asked, EXTERNAL, open_, (system.values[open_], system.values[open_]))


def _exposed_to(
    system: System, asked: Protection, attacker: Attacker, cells: IntArray, ends: tuple[FloatArray, FloatArray],
    limits: OwnLimits | None,
) -> list[Exposed]:  # fmt: skip
    """List the cells of which an attacker learns too much, and would not from what it knows itself."""
    first = _exposed(system, asked, attacker.name, cells, ends, attacker.room(system, cells))
    if limits is None:
        return first
    for e in first:
        down, up = (float(z[0]) for z in attacker.room(system, np.array([e.cell])))
        levels = min(e.lower, down), min(e.upper, up), min(e.sliding, down + up)
        attacker = limits.added(attacker, e.cell, levels) or attacker
    return _exposed(system, asked, attacker.name, cells, ends, attacker.room(system, cells))


def _exposed(
    system: System, asked: Protection, attacker: str, cells: IntArray, ends: tuple[FloatArray, FloatArray],
    most: tuple[FloatArray, FloatArray] | None = None,
) -> list[Exposed]:
    """List the cells whose interval is narrower than asked, or than what the attacker knows by itself allows."""
    x = system.values[cells]
    bad = np.flatnonzero(~asked.met(cells, x - ends[0], ends[1] - x, most))
    return [
        Exposed(
            attacker, c, system.name(c), float(ends[0][k]), float(ends[1][k]),
            float(asked.lower[c]), float(asked.upper[c]), float(asked.sliding[c]),
        )
        for k, c in zip(bad.tolist(), cells[bad].tolist(), strict=True)
    ]  # fmt: skip
