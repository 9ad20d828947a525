"""Which assumptions of an intruder cannot hold, so that probabilities do not come true as stated."""

from __future__ import annotations

import numpy as np

from confide.intruder.beliefs.fitted import FittedBeliefs
from confide.intruder.intruder import Intruder, Regression
from confide.intruder.knowledge import Between, Bracket, Exactly, Roughly, Within
from confide.intruder.population import AtLeast, FromWeights
from confide.intruder.supposing import supposes_otherwise
from confide.release.channel import Deterministic, Discrete, Kernel
from confide.release.methods.simulate import Simulate
from confide.release.released import Released
from confide.typing import FloatArray

CENTRED = "{} is centred on the true value, no error is drawn: probabilities are not those of an intruder who may be off"
AT_FACE = "released values are taken at face value: records that were changed are missed or mistaken"
ALONE = "only the target's record is taken as altered: records that look like nobody's are believed too much"
WEIGHTS = "the number of people like the target is read from the weights of the very records that fit"
BOUND = "the number of people like the target is a lower bound: probabilities are upper limits"
PRODUCT = "the dependence of swapped categories is left out (product of dot products)"
OVERLAP = "a record whose interval of {} only overlaps the bounds that are known counts in full"
CLASS = "whether {}, which is known roughly, is coded or zero is read from its true value"
CUT_OFF = "amounts of {} within a cut are fitted as if they were not cut off there"
STRATUM = "{} is seen and not known; given the true {}, it is taken to be independent of what else is known"
COPIES = "simulated records are taken for new people; these are copies of people in the file"
SHARE = "one share of those released is taken for all who agree in what is not perturbed, with beliefs fitted to all people"
APART = "the noisy numbers {} are taken to be independent of each other, given what is not masked and the categories"
SIGNS = "amounts of {} are not all of one sign, so that they are fitted on the plain scale, however skewed they are"
SUPPOSED = "the masking is what the intruder supposes, not what was done"


def failing_assumptions(intruder: Intruder, released: Released | None = None) -> tuple[str, ...]:
    """Name what keeps an intruder's probabilities from coming true as often as stated; empty: nothing is known to.

    Args:
        intruder: who looks.
        released: what at; None: only what holds of any file is named.

    >>> failing_assumptions(Intruder(knows=["sex", Within("income", 20)]))[0][:33]
    'Within is centred on the true val'
    >>> failing_assumptions(Intruder(knows=["sex"]))
    ()
    """
    centred = dict.fromkeys(type(i).__name__ for i in intruder.items if isinstance(i, Within | Roughly))
    reasons = [CENTRED.format(name) for name in centred]
    if not intruder.understands_masking:
        reasons.append(AT_FACE)
    if not intruder.models_others:
        reasons.append(ALONE)
    if intruder.supposes is not None and (released is None or supposes_otherwise(intruder, released)):
        reasons.append(SUPPOSED)
    if not intruder.target_in_file and isinstance(intruder.population or FromWeights(), FromWeights):
        reasons.append(WEIGHTS)
    if isinstance(intruder.population, AtLeast):
        reasons.append(BOUND)
    if isinstance(intruder.beliefs, FittedBeliefs) and intruder.beliefs.product_of_dot_products:
        reasons.append(PRODUCT)
    return (*reasons, *(_of_release(intruder, released) if released is not None else ()))


def _has_classes(released: Released, name: str) -> bool:
    """Say whether the released file shows, beside noisy numbers, which values were coded or kept as zero."""
    kernels = [k for s in released.steps if isinstance(k := s.channels.get(name), Kernel)]
    column = released.data.columns.get(name)
    if not kernels or column is None:
        return False
    zeros = any(k.keep_zero for k in kernels) and bool(np.any(column.numbers == 0))
    return zeros or bool(np.any(column.codes >= 0))


def _is_cut(released: Released, name: str) -> bool:
    """Say whether a number was coded beyond a cut, or replaced, before noise was added."""
    channels = [c for s in released.steps if (c := s.channels.get(name)) is not None]
    before = [c for i, c in enumerate(channels) if any(isinstance(k, Kernel) for k in channels[i:])]
    passed = [c.passes() for c in before if isinstance(c, Deterministic)]
    return any(bool(np.isfinite(ends).any()) for ends in passed)


def _of_release(intruder: Intruder, released: Released) -> list[str]:
    """Name what fails in the file at hand."""
    bounded = [i.variable for i in intruder.items if isinstance(i, Between | Bracket)]
    masked = [n for n in bounded if any(n in s.channels for s in released.steps) and n not in released.perturbed]
    reasons = [OVERLAP.format(", ".join(masked))] if masked else []
    rough = [i.variable for i in intruder.items if isinstance(i, Within | Roughly)]
    noisy = [n for n in rough if _has_classes(released, n)]
    reasons += [CLASS.format(", ".join(noisy))] if noisy else []
    cut = [n for n in (*bounded, *rough) if _is_cut(released, n)] if isinstance(intruder.beliefs, FittedBeliefs) else []
    reasons += [CUT_OFF.format(", ".join(cut))] if cut else []
    copies = any(isinstance(m, Simulate) for m in released.methods) and not intruder.target_in_file
    strata = _unknown_strata(intruder, released)
    seen = [(s, name) for s, name in strata if s in released.data.columns and not _altered(released, s)]
    reasons += [STRATUM.format(s, name) for s, name in seen]
    fitted = isinstance(intruder.beliefs, FittedBeliefs) and not intruder.target_in_file
    reasons += [SHARE] if fitted and (strata or _swapped_with_others(intruder, released)) else []
    reasons += _of_amounts(intruder, released) if isinstance(intruder.beliefs, FittedBeliefs) else []
    return reasons + ([COPIES] if copies else [])


def _of_amounts(intruder: Intruder, released: Released) -> list[str]:
    """Name what the regressions of noisy amounts leave out."""
    source, weighed = released.source, set(intruder.variables)
    if source is None or not intruder.models_others:
        return []
    weighed |= released.perturbed if isinstance(intruder.unavailable, Regression) else set()
    noisy = [n for n in source.names if n in weighed and any(isinstance(s.channels.get(n), Kernel) for s in released.steps)]
    reasons = [APART.format(" and ".join(noisy))] if _depend(released, noisy) else []
    mixed = [n for n in noisy if _signs(source.columns[n].numbers, zeros=not _has_classes(released, n))]
    reasons += [SIGNS.format(", ".join(mixed))] if mixed else []
    return reasons


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


def _unknown_strata(intruder: Intruder, released: Released) -> list[tuple[str, str]]:
    """Give the strata of swaps that are not known, each with the swapped variable, which is."""
    exact = {i.variable for i in intruder.items if isinstance(i, Exactly)}
    within = [(c, name) for s in released.steps for name, c in s.channels.items() if isinstance(c, Discrete)]
    return [(s, name) for c, name in within if name in intruder.variables for s in c.stratum if s not in exact]


def _altered(released: Released, name: str) -> bool:
    """Say whether anything is done to a variable."""
    return any(name in s.channels for s in released.steps)


def _swapped_with_others(intruder: Intruder, released: Released) -> bool:
    """Say whether a swapped category is known, and more that is perturbed is known or believed."""
    swapped = {n for s in released.steps for n, c in s.channels.items() if isinstance(c, Discrete)} & set(intruder.variables)
    believed = intruder.unavailable
    more = believed is not None and bool(released.perturbed - set(intruder.variables))
    return bool(swapped) and (more or len(released.perturbed & set(intruder.variables)) > 1)
