"""Named approximations to eq. (4.1), for comparison only.

F[j, i] is the density of released record j under respondent i. The exact answer is
`confide.link_probabilities`.
"""

from __future__ import annotations

import numpy as np

from confide.errors import LikelihoodError
from confide.typing import FloatArray


def isolated(f: FloatArray) -> FloatArray:
    """Consider every released record by itself (Duncan and Lambert 1987, eq. 4.2).

    It ignores that records compete for respondents: it can be far too small (.15 where the sum
    must be one) and far too large (.968 for .855).

    >>> isolated(np.array([[1.0, 3.0], [1.0, 1.0]])).tolist()
    [[0.25, 0.75], [0.5, 0.5]]
    """
    f = checked(f)
    return np.asarray(f / f.sum(axis=1, keepdims=True), dtype=np.float64)


def product_form(f: FloatArray, target: int = 0) -> FloatArray:
    """Approximate the probability that each record is one target's (Duncan and Lambert 1987, eq. 4.3).

    Exact for two released records; otherwise it takes the other records as drawn with
    replacement.

    Args:
        f: densities, records by respondents.
        target: the respondent looked for.
    """
    f = checked(f)
    order = [target, *(i for i in range(f.shape[1]) if i != target)]
    g = f[:, order]
    others = g[:, 1:].sum(axis=1)
    n = g.shape[0]
    out = np.empty(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        # factors[j, i]: how the choice of respondent i elsewhere changes what is left for record j
        factors = 1 + (g[:, :1] - g) / others[:, None]
    for j in range(n):
        rest = np.prod(np.delete(factors, j, axis=0), axis=0)
        out[j] = g[j, 0] / float(np.sum(g[j] * rest))
    return out


def checked(f: FloatArray) -> FloatArray:
    """Raise unless these are densities under which every record is possible."""
    f = np.atleast_2d(np.asarray(f, dtype=np.float64))
    if not bool(np.all(np.isfinite(f))) or bool(np.any(f < 0)):
        raise LikelihoodError("densities must be finite and not negative")
    impossible = np.flatnonzero(f.sum(axis=1) == 0)
    if impossible.size:
        raise LikelihoodError(
            f"{impossible.size} released record(s) are impossible under every respondent, "
            f"the first being number {impossible[0]}"
        )
    return f
