"""To which group the snooper can isolate the target (Duncan, Keller-McNulty and Stokes, section IV)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnowsPopulation:
    """The target is like the population; whether it is in the sample is not known.

    A percentile is that of the population. An extreme is fixed at its expected value.
    """

    label = "population known"


@dataclass(frozen=True, slots=True)
class KnowsSample:
    """The target is in the sample; a percentile or an extreme is the sample's own.

    Section V calls this position knowledge: the value is read off the same place of the masked values.
    """

    label = "position known"


@dataclass(frozen=True, slots=True)
class KnowsRecord:
    """The snooper knows which masked record is the target's. Section V calls this index knowledge."""

    label = "record known"


SnooperKnowledge = KnowsPopulation | KnowsSample | KnowsRecord
