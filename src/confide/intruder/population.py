"""How many people in the population would look like the target: N_t (Reiter 2005, section 3.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from confide.data.codebook import Kind
from confide.data.convert import as_kind
from confide.data.microdata import Microdata
from confide.errors import DeclarationError, IntruderError, unknown
from confide.intruder.population_model import PopulationModel
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class FromWeights:
    """N_t is the sum of the survey weights of the records consistent with the target.

    For a target with one or two consistent records this is a poor guess, and the risk is understated, several times
    where many combinations are rare: a combination that is seen once is likely to be rarer than the weight says. Results say
    how many targets are concerned; `LogLinearPopulation()` and `PitmanPopulation()` read the whole file instead.
    """

    def describe(self) -> str:
        """Say it in words."""
        return "estimated from the survey weights of consistent records"


@dataclass(frozen=True, slots=True)
class Constant:
    """N_t is the same number for every target."""

    n: float
    """The number of people in the population who are consistent with the target."""

    def __post_init__(self) -> None:
        """Check the number."""
        _check("Constant", self.n)

    def describe(self) -> str:
        """Say it in words."""
        return f"taken as {self.n:g} for every target"


@dataclass(frozen=True, slots=True)
class AtLeast:
    """N_t is unknown but not below a bound: probabilities are then upper limits.

    N_t counts the people who agree with the target on the known variables that are not perturbed. A
    release that perturbs more of them leaves more such people, so the same bound is then more
    cautious.
    """

    n: float
    """The smallest number of people in the population who are consistent with a target."""

    def __post_init__(self) -> None:
        """Check the number."""
        _check("AtLeast", self.n)

    def describe(self) -> str:
        """Say it in words."""
        return f"unknown, at least {self.n:g}; probabilities are upper limits"


@dataclass(frozen=True, slots=True, eq=False)
class PopulationTable:
    """N_t is looked up in a table of the population, e.g. from a census.

    The table holds some of the variables the intruder knows, coded as in the source file, and a
    count. It goes through the same recodes as the release.
    """

    table: Microdata
    """One row per combination of values."""
    count: str = "count"
    """The variable that holds the number of people."""

    def __post_init__(self) -> None:
        """Check the counts."""
        if self.count not in self.table.columns:
            raise IntruderError(f"PopulationTable: {unknown('variable', self.count, self.table.names)}")
        if not bool((self.counts >= 0).all()):
            raise IntruderError(f"PopulationTable: {self.count!r} must hold a number of 0 or more in every row")

    @property
    def counts(self) -> FloatArray:
        """The number of people of each row."""
        try:
            return as_kind(self.table.columns[self.count], Kind.CONTINUOUS, self.count).numbers
        except DeclarationError as error:
            raise IntruderError(f"PopulationTable: {error}") from None

    def describe(self) -> str:
        """Say it in words."""
        names = ", ".join(n for n in self.table.names if n != self.count)
        return f"looked up in a population table by {names}"


@dataclass(frozen=True, slots=True)
class KnownChance:
    """The chance that a target is in the file is known; every record is then equally likely to be the target's.

    The evidence includes all known variables, also those that are not altered, against how common they are: in the
    source file, or by the supplied beliefs, which must then speak of all of them.

    >>> KnownChance(0.1).describe()
    'not used: the chance that a target is in the file is known to be 0.1'
    """

    chance: float
    """The probability that a target is in the released file."""

    def __post_init__(self) -> None:
        """Check the probability."""
        if isinstance(self.chance, bool) or not isinstance(self.chance, int | float) or not 0 < self.chance <= 1:
            raise IntruderError(
                f"KnownChance: the chance lies above 0 and is at most 1, found {self.chance!r}"
            )

    def describe(self) -> str:
        """Say it in words."""
        return f"not used: the chance that a target is in the file is known to be {self.chance:g}"


Population = FromWeights | Constant | AtLeast | PopulationTable | KnownChance | PopulationModel


def _check(name: str, n: float) -> None:
    """Raise on a number of people below one."""
    if not (math.isfinite(n) and n >= 1):
        raise IntruderError(f"{name}: the number of people must be 1 or more, found {n}")
