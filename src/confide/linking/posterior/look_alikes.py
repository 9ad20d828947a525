"""The posterior of one target whose look-alikes are counted by a model (Reiter 2005, eq. 1 with the prior of 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError, LikelihoodError
from confide.intruder.population_model import PopulationFrequency
from confide.typing import FloatArray

Frequency = Callable[[int], PopulationFrequency]
"""What a model says of F given f, such as `lambda f: poisson_frequency(f, 4.5, 0.2)`."""


@dataclass(frozen=True, slots=True)
class MixedOverPeople:
    """The prior averaged over N_t: E(1/N_t | n_t) for each consistent record. Exact."""

    def number(self, frequency: PopulationFrequency) -> float:
        """Give the N_t that stands for all."""
        return float(frequency.harmonic[0])


@dataclass(frozen=True, slots=True)
class PlugInPeople:
    """An approximation: N_t replaced by E(N_t | n_t). Links come out too improbable (Jensen's inequality)."""

    def number(self, frequency: PopulationFrequency) -> float:
        """Give E(N_t | n_t)."""
        return float(frequency.mean[0])


MIXED = MixedOverPeople()


def look_alike_posterior(
    evidence: Sequence[float] | FloatArray, frequency: Frequency, people: MixedOverPeople | PlugInPeople = MIXED
) -> tuple[FloatArray, float]:
    """Give the probability of each consistent record, and of the null link, for one target.

    Args:
        evidence: the likelihood ratio of each consistent record: of its released values if it is the target's, against
            those of a stranger's record. Variables that define consistency are left out.
        frequency: the model of N_t; it is not asked where no record is consistent, the null link then being certain.
        people: `MixedOverPeople()`, or the approximation `PlugInPeople()`.

    >>> import confide as cf
    >>> p, null = look_alike_posterior([0.764], lambda f: cf.poisson_frequency(f, 4.5, 0.2))
    >>> p.round(4).tolist(), round(null, 4)
    ([0.2205], 0.7795)
    """
    ratio = np.asarray(evidence, dtype=np.float64).ravel()
    if ratio.size == 0:
        return ratio, 1.0
    if not bool((np.isfinite(ratio) & (ratio >= 0)).all()):
        raise IntruderError("evidence holds a likelihood ratio for each consistent record: finite and 0 or more")
    outside = max(people.number(frequency(ratio.size)) - ratio.size, 0.0)
    total = float(ratio.sum()) + outside
    if total == 0:
        raise LikelihoodError(
            "the target must be one of the people whose records are consistent, yet each of these has a likelihood of 0; "
            "what is known of the target or of the masking cannot be right"
        )
    return ratio / total, outside / total
