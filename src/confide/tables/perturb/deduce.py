"""What can be deduced of true values from published ones that are known to be near them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.linking.parallel import Progress, silent
from confide.tables.attackers import Attacker
from confide.tables.audit.audit import audit
from confide.tables.audit.nearby import nearby_proofs
from confide.tables.audit.result import Audit
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.typing import FloatArray

WHOLE = 1e-6
"""How near a whole number an end must be to be taken for it."""


def deduced(
    system: System, low: FloatArray, high: FloatArray, protection: Protection | None = None, *, exact: bool = True
) -> Audit:
    """Find the interval of each true value, for one who knows how near the published values are and that true ones add up.

    No cell is published as it is, so all count as suppressed. Without protection levels a cell is exposed when its value
    can be computed.

    Args:
        system: the true cells.
        low: what each cell is known to be at least, beside the system's own bounds.
        high: what it is known to be at most.
        protection: what must remain unknown.
        exact: whether the exact intervals are wanted; if not, only whether protection holds is found, which is faster.

    >>> system = System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]))
    >>> found = deduced(system, np.array([8.0, 1, 5]), np.array([12.0, 9, 10]))
    >>> found.low.tolist(), found.high.tolist()
    ([8.0, 1.0, 5.0], [12.0, 7.0, 10.0])
    """
    public = seen(system, low, high)
    if protection is not None and not exact:
        return judged(public, protection)
    return audit(public, np.arange(system.n), protection, exact=exact)


def judged(public: System, protection: Protection, attackers: Sequence[Attacker] = (), progress: Progress = silent) -> Audit:
    """Find whether protection holds, first by proofs near each cell, as most cells have room."""
    x, s, every = public.values, protection.sensitive, np.arange(public.n)
    held = protection.met(s, x[s] - public.lower[s], public.upper[s] - x[s])
    open_ = np.zeros(public.n)
    open_[s[held]] = 1.0
    possible = Protection(protection.lower * open_, protection.upper * open_, protection.sliding * open_)
    proofs = nearby_proofs(public, every, possible, progress)
    return audit(public, every, protection, attackers, exact=False, witnesses=proofs, progress=progress)


def seen(system: System, low: FloatArray, high: FloatArray) -> System:
    """Give the cells with what everybody knows of them once others are published in their place."""
    return System(
        system.values, system.equations, np.maximum(system.lower, low), np.minimum(system.upper, high), system.costs,
        system.names, system.grid, tolerance=system.tolerance, whole=system.whole,
    )  # fmt: skip


def inward(found: Audit, *, whole: bool) -> tuple[FloatArray, FloatArray]:
    """Give the ends of intervals; where values are known to be whole, the whole numbers inside."""
    if not whole:
        return found.low.copy(), found.high.copy()
    return np.ceil(found.low - WHOLE) + 0.0, np.floor(found.high + WHOLE) + 0.0


def all_whole(values: FloatArray) -> bool:
    """Say whether all values are whole numbers, as counts are.

    >>> all_whole(np.array([3.0, 0.0])), all_whole(np.array([0.5]))
    (True, False)
    """
    return bool(np.all(values == np.rint(values)))
