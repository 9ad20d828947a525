"""What regressions of noisy amounts leave out, so that probabilities do not come true as stated."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from confide.release.channel import Kernel
from confide.release.released import Released
from confide.typing import FloatArray

APART = "the noisy numbers {} are taken to be independent of each other, given what is not masked and the categories"
SIGNS = "amounts of {} are not all of one sign, so that they are fitted on the plain scale, however skewed they are"


def of_amounts(weighed: Collection[str], released: Released) -> list[str]:
    """Name what the regressions of noisy amounts leave out.

    Args:
        weighed: the variables that are known, or of which something is believed.
        released: the released file.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"pay": [-3.0, 1.0, 2.0, 1000.0]}).declare(kinds={"pay": "continuous"})
    >>> of_amounts(["pay"], cf.Release(cf.Noise("pay", sd=2)).apply(data, seed=1))[0][:38]
    'amounts of pay are not all of one sign'
    """
    source = released.source
    if source is None:
        return []
    noisy = [n for n in source.names if n in weighed and any(isinstance(s.channels.get(n), Kernel) for s in released.steps)]
    reasons = [APART.format(" and ".join(noisy))] if _depend(released, noisy) else []
    mixed = [n for n in noisy if _signs(source.columns[n].numbers, zeros=not has_classes(released, n))]
    reasons += [SIGNS.format(", ".join(mixed))] if mixed else []
    return reasons


def has_classes(released: Released, name: str) -> bool:
    """Say whether the released file shows, beside noisy numbers, which values were coded or kept as zero."""
    kernels = [k for s in released.steps if isinstance(k := s.channels.get(name), Kernel)]
    column = released.data.columns.get(name)
    if not kernels or column is None:
        return False
    zeros = any(k.keep_zero for k in kernels) and bool(np.any(column.numbers == 0))
    return zeros or bool(np.any(column.codes >= 0))


def _depend(released: Released, names: list[str]) -> bool:
    """Say whether amounts are correlated beyond chance, in the source file."""
    assert released.source is not None
    columns = [released.source.columns[n].numbers for n in names]
    if len(columns) < 2:
        return False
    some = np.all(np.isfinite(columns), axis=0)
    ranks = np.argsort(np.argsort([x[some] for x in columns], axis=1), axis=1).astype(np.float64)
    if ranks.shape[1] < 3:
        return False
    r = np.abs(np.corrcoef(ranks)) - np.eye(len(names))
    return float(r.max()) > 4.0 / float(np.sqrt(ranks.shape[1]))


def _signs(x: FloatArray, *, zeros: bool) -> bool:
    """Say whether skewed amounts are fitted on the plain scale, for the few of them that are not of the sign of most."""
    x = x[np.isfinite(x) & (zeros | np.not_equal(x, 0.0))]
    if x.size < 3 or bool(np.all(x > 0)) or bool(np.all(x < 0)):
        return False
    d = x - x.mean()
    return bool(abs(np.mean(d**3)) > np.mean(d**2) ** 1.5)
