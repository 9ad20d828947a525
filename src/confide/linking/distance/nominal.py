"""The distance of two categories without order."""

from __future__ import annotations

from dataclasses import dataclass, field

from confide.data.microdata import Microdata
from confide.linking.distance.missing import MissingCosts, MissingRule
from confide.linking.distance.part import Part, both_columns, check_weight, joint_codes
from confide.linking.distance.tree.costs import NOMINAL
from confide.typing import Label


@dataclass(frozen=True, slots=True)
class NominalDistance:
    """Nought for equal values, one for different ones (Domingo-Ferrer and Torra 2004, Definition 1(1)).

    >>> NominalDistance("sex").between("m", "f")
    1.0
    """

    variable: str
    """The variable."""
    weight: float = 1.0
    """What the squared distance is multiplied by."""
    missing: MissingRule = field(default_factory=MissingCosts)
    """What a missing value counts."""

    def __post_init__(self) -> None:
        """Check the weight."""
        check_weight(f"NominalDistance({self.variable!r})", self.weight)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables compared."""
        return (self.variable,)

    def between(self, a: Label, b: Label) -> float:
        """Give the distance of two categories."""
        return float(a != b)

    def part(self, source: Microdata, released: Microdata) -> Part:
        """Give the codes of both files."""
        y, z, _ = joint_codes(*both_columns(self.variable, source, released))
        return Part(z[:, None], y[:, None], NOMINAL)
