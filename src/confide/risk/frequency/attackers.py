"""Prosecutor, journalist and marketer: three who know the keys, and what each of them can hope for.

El Emam and Dankar (2008), Protecting privacy using k-anonymity; Dankar and El Emam (2010), A method for evaluating marketer
re-identification risk; the names are also those of ARX.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.risk.frequency.counts import below, frequencies
from confide.risk.frequency.keys import File, Keys
from confide.risk.frequency.missing import AS_LEVEL, Missing
from confide.risk.frequency.population import FROM_WEIGHTS, Known, population_counts
from confide.risk.per_record import RecordRisk
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Picks(RecordRisk):
    """Whoever wants one person goes for the record at most risk."""

    @property
    def value(self) -> float:
        """The largest probability of any record."""
        return self.highest


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProsecutorRisk(_Picks):
    """The prosecutor knows that the target is in the file: 1 / f."""

    name: ClassVar[str] = "prosecutor"
    title: ClassVar[str] = "Prosecutor risk"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JournalistRisk(_Picks):
    """The journalist wants anyone, and does not know who is in the file: 1 / F."""

    name: ClassVar[str] = "journalist"
    title: ClassVar[str] = "Journalist risk"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MarketerRisk(RecordRisk):
    """The marketer links every record and wants many right: the average of 1 / F, or of 1 / f."""

    name: ClassVar[str] = "marketer"
    title: ClassVar[str] = "Marketer risk"


@dataclass(frozen=True, slots=True, eq=False)
class KMap:
    """How many people of the population agree with each record: k-map (Sweeney 2002)."""

    name: ClassVar[str] = "k_map"
    title: ClassVar[str] = "k-map"
    larger_is_riskier: ClassVar[bool] = False

    per_record: FloatArray
    """F, the number of people who agree with the record."""

    @property
    def value(self) -> float:
        """The smallest F: the largest k for which the file is a k-map."""
        return float(self.per_record.min())

    def below(self, k: float) -> int:
        """Count the records with an F below k."""
        return below(self.per_record, k)

    def __repr__(self) -> str:
        """Say the k, and how many records are below a few common ones."""
        counts = ", ".join(f"{self.below(k):,} below {k}" for k in (2, 3, 5, 10))
        return f"KMap(k = {self.value:.6g}; of {self.per_record.size:,} records {counts})"


def prosecutor_risk(data: File, keys: Keys = None, *, missing: Missing = AS_LEVEL) -> ProsecutorRisk:
    """Give 1 / f: the intruder knows that the target is in the file and picks among the f records that agree.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m"]})
    >>> cf.prosecutor_risk(data, "sex").per_record.tolist()
    [0.5, 0.5, 1.0]
    """
    return ProsecutorRisk(1.0 / frequencies(data, keys, missing=missing, weights=False).f)


def journalist_risk(
    data: File, keys: Keys = None, population: Known = FROM_WEIGHTS, *, missing: Missing = AS_LEVEL
) -> JournalistRisk:
    """Give 1 / F: the intruder picks among the F people of the population who agree with a record.

    Args:
        data: a source file, or a released one.
        keys: the variables an intruder knows; those declared as keys when None.
        population: `FromWeights()`, the sum of survey weights and at least f, or a `PopulationTable`.
        missing: what a missing key value says.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m"]})
    >>> people = cf.Microdata.from_dict({"sex": ["f", "m"], "count": [8, 4]})
    >>> cf.journalist_risk(data, "sex", cf.PopulationTable(people)).per_record.tolist()
    [0.125, 0.125, 0.25]
    """
    return JournalistRisk(_inverse(data, keys, population, missing))


def marketer_risk(
    data: File, keys: Keys = None, population: Known | None = None, *, missing: Missing = AS_LEVEL
) -> MarketerRisk:
    """Give the share of records linked correctly by someone who links them all.

    Args:
        data: a source file, or a released one.
        keys: the variables an intruder knows; those declared as keys when None.
        population: `FromWeights()`, or a `PopulationTable`; None when the file is the population.
        missing: what a missing key value says.

    >>> import confide as cf
    >>> round(cf.marketer_risk(cf.Microdata.from_dict({"sex": ["f", "f", "m"]}), "sex").value, 4)
    0.6667
    """
    if population is None:
        return MarketerRisk(prosecutor_risk(data, keys, missing=missing).per_record)
    return MarketerRisk(_inverse(data, keys, population, missing))


def k_map(data: File, keys: Keys = None, population: Known = FROM_WEIGHTS, *, missing: Missing = AS_LEVEL) -> KMap:
    """Find the largest k such that every record agrees with k people of the population.

    Args:
        data: a source file, or a released one.
        keys: the variables an intruder knows; those declared as keys when None.
        population: `FromWeights()`, the sum of survey weights and at least f, or a `PopulationTable`.
        missing: what a missing key value says.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m"], "w": [3.0, 5.0, 4.0]}).declare(weight="w")
    >>> cf.k_map(data, "sex").value
    4.0
    """
    return KMap(population_counts(data, keys, population, missing)[1])


def _inverse(data: File, keys: Keys, population: Known, missing: Missing) -> FloatArray:
    """Give 1 / F, at most one."""
    _, total = population_counts(data, keys, population, missing)
    return np.asarray(np.minimum(1.0 / total, 1.0))
