"""Plain answers for small tables: all roundings tried, all directions tried."""

from itertools import product

import numpy as np
from scipy.optimize import linprog


def nearest_rounding(system, base, steps=1, power=1.0):
    """Try all multiples of all cells; give the least distance, or None where none adds up."""
    x = system.values / base
    choices = []
    for u, least in zip(x, system.lower / base, strict=True):
        low, high = np.floor(u + 1e-12) - (steps - 1), np.ceil(u - 1e-12) + (steps - 1)
        choices.append([k for k in np.arange(low, high + 1) if k >= least])
    inner = [c for c in range(system.n) if not (system.equations[:, [c]].toarray() < 0).any()]
    rows = system.equations.toarray()
    total_of = [(int(np.flatnonzero(r < 0)[0]), np.flatnonzero(r > 0)) for r in rows]
    best = None
    for some in product(*(choices[c] for c in inner)):
        k = np.full(system.n, np.nan)
        k[inner] = some
        while np.isnan(k).any():
            for total, parts in total_of:
                if np.isnan(k[total]) and not np.isnan(k[parts]).any():
                    k[total] = k[parts].sum()
        if np.abs(rows @ k).max(initial=0) < 1e-9 and all(k[c] in choices[c] for c in range(system.n)):
            far = (np.abs(k * base - system.values) ** power).sum()
            best = far if best is None else min(best, far)
    return best


def nearest_adjustment(system, protection, weights, frozen=()):
    """Try all directions of sensitive cells; give the least distance, or None where none is possible."""
    n, s = system.n, protection.sensitive
    a = system.equations.toarray()
    best = None
    for ways in product((1, -1), repeat=s.size):
        up, down = [(0.0, h) for h in system.upper - system.values], [(0.0, low) for low in system.values - system.lower]
        closed = False
        for c in frozen:
            up[c] = down[c] = (0.0, 0.0)
        for c, way in zip(s, ways, strict=True):
            level = (protection.upper if way > 0 else protection.lower)[c]
            level = max(level, protection.sliding[c] / 2)
            own = (up if way > 0 else down)[c][1]
            closed |= level <= 0 or own < level - 1e-9
            up[c], down[c] = ((level, max(own, level)), (0.0, 0.0)) if way > 0 else ((0.0, 0.0), (level, max(own, level)))
        if closed:
            continue
        bounds = [(low, None if np.isinf(high) else high) for low, high in [*up, *down]]
        cost = np.concatenate([weights, weights])
        found = (
            linprog(cost, A_eq=np.hstack([a, -a]), b_eq=np.zeros(a.shape[0]), bounds=bounds)
            if a.shape[0]
            else linprog(cost, bounds=bounds)
        )
        if found.status == 0 and (best is None or found.fun < best):
            best = float(found.fun)
    assert n == system.values.size
    return best
