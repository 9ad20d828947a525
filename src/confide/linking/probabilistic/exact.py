"""Agreement on the very value."""

from __future__ import annotations

from dataclasses import dataclass, field

from confide.data.microdata import Microdata
from confide.linking.probabilistic.comparison import SAME, Compared, MissingLevel, NoInformation, codes_of, same_share
from confide.linking.probabilistic.frequency import rarity_of


@dataclass(frozen=True, slots=True)
class ExactAgreement:
    """Two records agree in a variable or do not.

    >>> ExactAgreement("sex").variable
    'sex'
    """

    variable: str
    """The variable."""
    by_frequency: bool = False
    """Whether agreement on a rare value weighs more than on a common one (Winkler)."""
    missing: MissingLevel = field(default_factory=NoInformation)
    """What a missing value says: `NoInformation()` or `OwnLevel()`."""

    def compared(self, source: Microdata, released: Microdata, pairs: int = 0) -> Compared:
        """Give the codes of both files."""
        del pairs
        y, z, _ = codes_of(self.variable, source, released)
        rarity = rarity_of(y, z) if self.by_frequency else None
        return Compared(self.variable, SAME, ("different", "same"), y, z, self.missing, same=same_share(y, z), rarity=rarity)
