"""Secondary suppression on the whole system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from confide.errors import TableError
from confide.linking.parallel import Progress, silent
from confide.tables.attackers import Attacker
from confide.tables.audit.audit import audit
from confide.tables.own import with_own_conclusions
from confide.tables.protect.clock import Clock, Late
from confide.tables.protect.methods import Heuristic, Method
from confide.tables.protect.pattern import Pattern
from confide.tables.protect.proofs import Task
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.typing import AnyArray, FloatArray

AGAIN = 0.1
"""What a cell of the previous pattern costs, as a share of its own cost."""


def suppress(
    system: System,
    sensitive: Iterable[int] | AnyArray | None = None,
    protection: Protection | None = None,
    *,
    costs: AnyArray | None = None,
    frozen: Iterable[int] | AnyArray = (),
    safe: Iterable[int] | AnyArray = (),
    previous: Iterable[int] | AnyArray = (),
    attackers: Sequence[Attacker] = (),
    method: Method = Heuristic(),  # noqa: B008  frozen
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Pattern:
    """Find cells to suppress beside the sensitive ones, so that no attacker learns more of these than is allowed.

    The pattern is audited, and what the audit finds is repaired, before it is given back. The same input gives the same
    pattern, unless a time limit ends the search. With a time limit, or when interrupted, the best pattern found so far is
    given back, with `finished` False; where there is none yet the interruption is raised.

    Args:
        system: the cells and their equations, of one table or of several linked ones.
        sensitive: the sensitive cells; None: those with protection levels.
        protection: what must remain unknown of them; None: that none can be computed.
        costs: what a suppressed cell costs; None: the system's costs, `np.ones(system.n)`: the number of cells counts.
        frozen: cells that must be published.
        safe: cells that count as not sensitive all the same.
        previous: cells suppressed in the previous period; to take them again costs a tenth.
        attackers: others beside the external one.
        method: `Heuristic()`, or `Exact()` for small and medium systems.
        time_limit: seconds.
        progress: called with how much of how much is done.

    >>> from confide.tables.nested import nested_system
    >>> table = nested_system([[3, 5, 9], [6, 6, 7], [8, 2, 7]])
    >>> pattern = suppress(table, [5], Protection.of(table, [5], 0.2))
    >>> pattern.suppressed.tolist(), pattern.audit.clean
    ([5, 6, 13, 14], True)
    """
    if protection is None:
        if sensitive is None:
            raise TableError("name the sensitive cells, or give protection levels, or both")
        protection = Protection.not_exact(system, sensitive)
    if protection.lower.size != system.n:
        raise TableError(
            f"protection levels for {protection.lower.size:,} cells, and there are {system.n:,}; give one for each"
        )
    primary = system.cells(protection.sensitive if sensitive is None else sensitive, "sensitive")
    let = system.cells(safe, "safe")
    primary = np.setdiff1d(primary, let)
    usable = np.ones(system.n, dtype=np.bool_)
    usable[system.cells(frozen, "frozen")] = False
    both = primary[~usable[primary]]
    if both.size:
        raise TableError(
            f"{both.size:,} cell(s) are sensitive and frozen at once: {system.listed(both)}; name them safe, or do not "
            "freeze them"
        )
    asked = _only(protection, primary)
    search = _costs(system, costs)
    search[system.cells(previous, "previous")] *= AGAIN
    task = Task(system, asked, primary, usable, search, list(with_own_conclusions(system, attackers)))
    try:
        found = method.search(task, Clock(time_limit), progress)
    except Late:
        raise TableError(
            f"no pattern that protects was found within {time_limit:g} seconds, for {system.n:,} cells, {primary.size:,} of "
            "them sensitive; give more time"
        ) from None
    chosen = np.flatnonzero(found.suppressed)
    proof = audit(system, chosen, asked, attackers, exact=False, witnesses=found.witnesses)
    secondary = np.setdiff1d(chosen, primary)
    return Pattern(system, primary, secondary, search, found.bound, proof, found.finished)


def _only(protection: Protection, primary: AnyArray) -> Protection:
    """Keep the levels of primary cells."""
    mask = np.zeros(protection.lower.size)
    mask[primary] = 1.0
    return Protection(protection.lower * mask, protection.upper * mask, protection.sliding * mask)


def _costs(system: System, costs: AnyArray | None) -> FloatArray:
    """Check the costs."""
    found = np.array(system.costs if costs is None else costs, dtype=np.float64)
    if found.shape != (system.n,) or not bool(np.all(np.isfinite(found) & (found >= 0))):
        raise TableError("costs must be finite and not negative, one for each cell; freeze a cell that must be published")
    return found
