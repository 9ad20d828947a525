"""How many people are population uniques, estimated from the sizes of the cells of a sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.risk.frequency.keys import File, Keys
from confide.risk.frequency.missing import AS_LEVEL, Missing
from confide.risk.per_record import RecordRisk
from confide.risk.population.fit import Model, PopulationFit
from confide.risk.population.pitman import Pitman
from confide.risk.population.sizes import Sizes, partition, people
from confide.typing import BoolArray

PITMAN = Pitman()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PopulationUniques(RecordRisk):
    """The probability of each record that it is a population unique, and what the model says of the population.

    All sample uniques have the same probability, `fitted.probability`; a record in company is no population unique.
    """

    name: ClassVar[str] = "population_uniques"
    title: ClassVar[str] = "Population uniques"
    counted: ClassVar[str] = "population uniques expected in the file"

    unique: BoolArray
    """Which records are sample uniques."""
    sizes: Sizes
    """How many cells have which size, and the size of the population."""
    fitted: PopulationFit
    """The model and its figures."""

    @property
    def uniques(self) -> float:
        """The expected number of population uniques."""
        return self.fitted.uniques

    @property
    def share(self) -> float:
        """The expected share of population uniques among all people."""
        return self.fitted.uniques / self.sizes.population

    @property
    def tau1(self) -> float:
        """The number of sample uniques expected to be population uniques."""
        return self.expected

    @property
    def tau2(self) -> float:
        """The sum of E(1/F) over sample uniques: right picks expected when each is linked."""
        return float(self.unique.sum()) * self.fitted.inverse

    def __repr__(self) -> str:
        """Say the estimates, the model and how well it meets the sample."""
        fitted, error = self.fitted, self.fitted.standard_error
        found = ", ".join(f"{name} {value:.5g}" for name, value in fitted.parameters.items())
        sure = "" if error is None else f", standard error {error:,.3g}"
        return (
            f"PopulationUniques({fitted.model.describe()}{': ' if found else ''}{found}; {fitted.uniques:,.1f} of "
            f"{self.sizes.population:,.0f} people are unique{sure}; of {int(self.unique.sum()):,} sample uniques "
            f"{self.tau1:,.1f} are population uniques, {self.tau2:,.1f} right picks expected; the model expects "
            f"{fitted.sample_uniques:,.1f} sample uniques)"
        )


def population_uniques(
    data: File,
    keys: Keys = None,
    model: Model = PITMAN,
    *,
    population_size: float | None = None,
    missing: Missing = AS_LEVEL,
) -> PopulationUniques:
    """Estimate how many people, and how many sample uniques, are population uniques.

    Args:
        data: a source file, or a released one: a simple random sample of people.
        keys: the variables an intruder knows; those declared as keys when None.
        model: `Pitman()`, `Ewens()`, `Zayatz()`, `SlideNegativeBinomial()` or `DankarRule()`.
        population_size: the number of people; the sum of survey weights when None.
        missing: a missing value is a level of its own; as a wildcard it is refused where there is one.

    Raises:
        ModelError: the model cannot be fitted; there is then no estimate.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"job": ["a", "b", "c", "d", "d", "e", "e", "e", "f", "f"]})
    >>> found = cf.population_uniques(data, "job", cf.Ewens(), population_size=100)
    >>> round(found.uniques, 2), round(found.tau1, 2)
    (5.08, 0.41)
    """
    _, _, cells = partition(data, keys, missing)
    sizes = Sizes.count(cells.size, people(data, population_size))
    fitted = model.fit(sizes)
    unique = (cells.size == 1)[cells.of]
    return PopulationUniques(np.where(unique, fitted.probability, 0.0), unique, sizes, fitted)
