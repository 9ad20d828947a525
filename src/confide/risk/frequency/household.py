"""Household risk: when one member is found, all are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from confide.data.codebook import Role
from confide.errors import DeclarationError, IntruderError
from confide.risk.frequency.cells import cells_of, coded
from confide.risk.frequency.keys import File, records_of_file
from confide.risk.per_record import RecordRisk
from confide.typing import AnyArray, FloatArray


class PerRecord(Protocol):
    """Anything with a risk for each record."""

    @property
    def per_record(self) -> AnyArray:
        """The risk of each record."""
        ...


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HouseholdRisk(RecordRisk):
    """The probability that at least one member of the record's household is found."""

    name: ClassVar[str] = "household_risk"
    title: ClassVar[str] = "Household risk"
    counted: ClassVar[str] = "people expected to be found"

    households: int
    """The number of households."""

    def notes(self) -> str:
        """Say how many households there are."""
        return f" in {self.households:,} households"


def household_risk(data: File, risk: PerRecord | FloatArray) -> HouseholdRisk:
    """Give 1 - prod(1 - r) over the members of each household, as if members were found independently.

    Args:
        data: a file that declares a household.
        risk: what `individual_risk`, `prosecutor_risk` or `journalist_risk` gave, or a probability for each record.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"home": ["a", "a", "b"]}).declare(household="home")
    >>> cf.household_risk(data, np.array([0.5, 0.5, 0.1])).per_record.round(3).tolist()
    [0.75, 0.75, 0.1]
    """
    file = records_of_file(data)
    names = file.with_role(Role.HOUSEHOLD)
    if len(names) != 1:
        found = f"{len(names)} are declared" if names else "none is declared"
        raise DeclarationError(f"household risk needs one household variable, {found}; declare(household=...) names it")
    r = np.asarray(getattr(risk, "per_record", risk), dtype=np.float64)
    if r.shape != (file.n,):
        raise IntruderError(f"household risk needs a risk for each of {file.n:,} records, found shape {r.shape}")
    if not bool(np.all((r >= 0) & (r <= 1))):
        raise IntruderError("household risk needs probabilities between 0 and 1; give a risk, not a count")
    column = coded(file.columns[names[0]])
    if column.has_missing:
        lost = int(column.is_missing.sum())
        raise DeclarationError(
            f"household {names[0]!r} is missing for {lost:,} of {file.n:,} records; one is needed for each"
        )
    cells = cells_of([column])
    with np.errstate(divide="ignore"):
        unfound = cells.sums(np.log1p(-r))
    return HouseholdRisk(-np.expm1(unfound)[cells.of], cells.size.size)
