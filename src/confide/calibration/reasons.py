"""Which assumptions of an intruder cannot hold, so that probabilities do not come true as stated."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from confide.calibration.amounts import has_classes, of_amounts
from confide.intruder.beliefs.fitted import FittedBeliefs
from confide.intruder.beliefs.supplied import SuppliedBeliefs
from confide.intruder.intruder import Intruder, Regression
from confide.intruder.knowledge import Between, Bracket, Exactly, OneOf, Roughly, Within
from confide.intruder.matching import WithoutReplacement
from confide.intruder.population import AtLeast, FromWeights, KnownChance
from confide.intruder.supposing import supposes_otherwise
from confide.release.channel import Deterministic, Discrete, Kernel
from confide.release.methods.simulate import Simulate
from confide.release.released import Released
from confide.risk.population.people.loglinear import LogLinearPopulation
from confide.risk.population.people.negative_binomial import NegativeBinomialPopulation
from confide.risk.population.people.pitman import PitmanPopulation

CENTRED = "{} is centred on the true value, no error is drawn: probabilities are not those of an intruder who may be off"
AT_FACE = "released values are taken at face value: records that were changed are missed or mistaken"
ALONE = "only the target's record is taken as altered: records that look like nobody's are believed too much"
WEIGHTS = "the number of people like the target is read from the weights of the very records that fit"
CHANCE = "how common the keys are is read from the very file that holds the record, and a chance is all that is known"
PLUGIN = "the parameters of the model of the population are fitted to the file and taken as known"
ONE_SIDED = (
    "errors of the weights can lower the number of right links and not raise it: of a list of all people it is too small by "
    "about {:.2g} per cent (0.4 / sqrt(records))"
)
BOUND = "the number of people like the target is a lower bound: probabilities are upper limits"
PRODUCT = "the dependence of swapped categories is left out (product of dot products)"
OVERLAP = "a record whose interval of {} only overlaps the bounds that are known counts in full"
CLASS = "whether {}, which is known roughly, is coded or zero is read from its true value"
CUT_OFF = "amounts of {} within a cut are fitted as if they were not cut off there"
STRATUM = "{} is seen and not known; given the true {}, it is taken to be independent of what else is known"
UNSEEN = "{} is not known; given the true {}, it is taken to be independent of what else is known"
LOST = "what is known of {} is not used: {} was swapped within it and others together, some of them masked or left out later"
BLANKS = "every record with a blank in {} counts in full among those that meet the bounds"
RIVALS = (
    "those not on the list are taken to be like all people; where it holds all of whom what is told of {} is true, they "
    "are not"
)
RARE = (
    "how common values of {} are is read from the source file, and people who are not in it are looked for: values that are "
    "rare there are taken for more common than they are"
)
FEW = 5
"""So many people in the source file at least tell how common a value is."""
COPIES = "simulated records are taken for new people; these are copies of people in the file"
SHARE = "one share of those released is taken for all who agree in what is not perturbed, with beliefs fitted to all people"
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
    reasons += _of_population(intruder)
    if isinstance(intruder.beliefs, FittedBeliefs) and intruder.beliefs.product_of_dot_products:
        reasons.append(PRODUCT)
    return (*reasons, *(_of_release(intruder, released) if released is not None else ()))


def _of_population(intruder: Intruder) -> list[str]:
    """Name what fails in how the number of people like a target, or their share, is told."""
    population = intruder.population
    fitted = isinstance(population, LogLinearPopulation | NegativeBinomialPopulation)
    if fitted or (isinstance(population, PitmanPopulation) and population.theta is None):
        return [PLUGIN]
    from_file = isinstance(population, KnownChance) and population.chance < 1
    if from_file and not isinstance(intruder.beliefs, SuppliedBeliefs):
        return [CHANCE]
    return [BOUND] if isinstance(population, AtLeast) else []


def _has_blanks(released: Released, name: str) -> bool:
    """Say whether cells of a released variable are blank."""
    column = released.data.columns.get(name)
    return column is not None and bool(column.is_missing.any())


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
    blank = [n for n in (*bounded, *rough) if n not in released.perturbed and _has_blanks(released, n)]
    reasons += [BLANKS.format(", ".join(blank))] if blank else []
    noisy = [n for n in rough if has_classes(released, n)]
    reasons += [CLASS.format(", ".join(noisy))] if noisy else []
    cut = [n for n in (*bounded, *rough) if _is_cut(released, n)] if isinstance(intruder.beliefs, FittedBeliefs) else []
    reasons += [CUT_OFF.format(", ".join(cut))] if cut else []
    rivals = _selected(intruder, released) if isinstance(intruder.matching, WithoutReplacement) else []
    reasons += [RIVALS.format(", ".join(rivals))] if rivals and not intruder.target_in_file else []
    copies = any(isinstance(m, Simulate) for m in released.methods) and not intruder.target_in_file
    strata = _unknown_strata(intruder, released)
    seen = [(s, name) for s, name in strata if s in released.data.columns and not _altered(released, s)]
    reasons += [STRATUM.format(s, name) for s, name in seen]
    reasons += [UNSEEN.format(s, name) for s, name in strata if (s, name) not in seen and len(intruder.items) > 1]
    reasons += [LOST.format(s, name) for s, name in _lost_strata(intruder, released)]
    if isinstance(intruder.beliefs, FittedBeliefs):
        reasons += _of_fit(intruder, released, strata_unknown=bool(strata))
    by_weights = not intruder.target_in_file and isinstance(intruder.population or FromWeights(), FromWeights)
    if by_weights and isinstance(intruder.matching, WithoutReplacement):
        reasons.append(ONE_SIDED.format(40 / np.sqrt(released.data.n)))
    return reasons + ([COPIES] if copies else [])


def _of_fit(intruder: Intruder, released: Released, *, strata_unknown: bool) -> list[str]:
    """Name what fails of beliefs that are fitted to the source file."""
    weighed = _weighed(intruder, released)
    reasons = of_amounts(weighed, released) if intruder.models_others else []
    if intruder.target_in_file:
        return reasons
    rare = [n for n in weighed if _is_rare(released, n)] if intruder.models_others else []
    reasons += [RARE.format(", ".join(rare))] if rare else []
    return reasons + ([SHARE] if strata_unknown or _swapped_with_others(intruder, released) else [])


def _weighed(intruder: Intruder, released: Released) -> list[str]:
    """Give the variables that are known, or of which something is believed."""
    believed = intruder.unavailable
    if isinstance(believed, Regression):
        return list(dict.fromkeys((*intruder.variables, *released.data.names)))
    return [*intruder.variables, *(believed if isinstance(believed, Mapping) else ())]


def _is_rare(released: Released, name: str) -> bool:
    """Say whether a category was swapped of which the source file, all of whose people are released, has rare levels."""
    source = released.source
    swapped = any(isinstance(s.channels.get(name), Discrete) for s in released.steps)
    if not swapped or source is None or name not in source.columns:
        return False
    everybody = np.unique(released.parent[released.parent >= 0]).size == source.n
    return everybody and int(np.bincount(source.columns[name].profile()[0]).min(initial=FEW)) < FEW


def _selected(intruder: Intruder, released: Released) -> list[str]:
    """Give the altered variables of which something is told that is not true of everybody."""
    told = [i.variable for i in intruder.items if isinstance(i, OneOf | Between | Bracket)]
    believed = intruder.unavailable if isinstance(intruder.unavailable, Mapping) else {}
    told += [name for name, how in believed.items() if isinstance(how, OneOf)]
    return [name for name in dict.fromkeys(told) if _altered(released, name)]

def _unknown_strata(intruder: Intruder, released: Released) -> list[tuple[str, str]]:
    """Give the strata of swaps that are not known, each with the swapped variable, which is."""
    exact = {i.variable for i in intruder.items if isinstance(i, Exactly)}
    within = [(c, name) for s in released.steps for name, c in s.channels.items() if isinstance(c, Discrete)]
    return [(s, name) for c, name in within if name in intruder.variables for s in c.stratum if s not in exact]


def _lost_strata(intruder: Intruder, released: Released) -> list[tuple[str, str]]:
    """Give the strata that are known to no avail, each with the variable swapped within it and others."""
    exact = {i.variable for i in intruder.items if isinstance(i, Exactly)}
    found = list[tuple[str, str]]()
    for k, step in enumerate(released.steps):
        for name, c in step.channels.items():
            if isinstance(c, Discrete) and len(c.stratum) > 1 and name in intruder.variables:
                masked = any(s in more.channels for more in released.steps[k + 1 :] for s in c.stratum)
                found += [(s, name) for s in c.stratum if s in exact and (masked or s not in released.data.columns)]
    return found


def _altered(released: Released, name: str) -> bool:
    """Say whether anything is done to a variable."""
    return any(name in s.channels for s in released.steps)


def _swapped_with_others(intruder: Intruder, released: Released) -> bool:
    """Say whether a swapped category is known, and more that is perturbed is known or believed."""
    swapped = {n for s in released.steps for n, c in s.channels.items() if isinstance(c, Discrete)} & set(intruder.variables)
    believed = intruder.unavailable
    more = believed is not None and bool(released.perturbed - set(intruder.variables))
    return bool(swapped) and (more or len(released.perturbed & set(intruder.variables)) > 1)
