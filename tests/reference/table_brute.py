"""Plain answers for small tables: one fresh programme for each bound, all patterns tried."""

from itertools import combinations

import numpy as np
from scipy.optimize import linprog


def interval(system, suppressed, cell, known=None):
    """Bound one cell over all cells, published ones fixed; known: cell -> (lower, upper)."""
    x = system.values
    low, high = x.copy(), x.copy()
    s = np.asarray(list(suppressed), dtype=int)
    low[s], high[s] = system.lower[s], system.upper[s]
    for c, (a, b) in (known or {}).items():
        low[c], high[c] = max(low[c], a), min(high[c], b)
    ends = []
    for sign in (1.0, -1.0):
        cost = np.zeros(system.n)
        cost[cell] = sign
        bounds = [(None if np.isinf(a) else a, None if np.isinf(b) else b) for a, b in zip(low, high, strict=True)]
        found = linprog(cost, A_eq=system.equations.toarray(), b_eq=np.zeros(system.equations.shape[0]), bounds=bounds)
        ends.append(-sign * np.inf if found.status in (3, 4) else sign * found.fun)
    return tuple(ends)


def protected(system, suppressed, protection, attackers=()):
    """Judge a pattern by fresh programmes."""
    views = [{}] + [{c: (a.lower.get(c, -np.inf), a.upper.get(c, np.inf)) for c in a.cells} for a in attackers]
    for known in views:
        exact = {c for c, (a, b) in known.items() if a == b}
        for s in protection.sensitive:
            if s not in suppressed:
                return False
            if s in exact:
                continue
            low, high = interval(system, suppressed, s, known)
            x, slack = system.values[s], 1e-6 * max(1.0, abs(system.values[s]))
            # nobody can be kept from what the own knowledge tells when nothing at all is published
            least, most = interval(system, range(system.n), s, known) if known else (-np.inf, np.inf)
            short = low > max(x - protection.lower[s], least) + slack or high < min(x + protection.upper[s], most) - slack
            if short or high - low < min(protection.sliding[s], most - least) * (1 - 1e-6) - 1e-9:
                return False
    return True


def cheapest(system, protection, attackers=(), frozen=()):
    """Try all patterns in the order of their cost; None where none protects."""
    must = set(protection.sensitive.tolist())
    free = [c for c in range(system.n) if c not in must and c not in frozen]
    patterns = [must | set(extra) for k in range(len(free) + 1) for extra in combinations(free, k)]
    patterns.sort(key=lambda p: sum(system.costs[c] for c in p))
    for p in patterns:
        if protected(system, sorted(p), protection, attackers):
            return sum(system.costs[c] for c in p), p
    return None
