"""A risk for each record, and what is read off it for the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import IntruderError
from confide.intruder.exceeds import exceeds
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class RecordRisk:
    """A probability for each record; the classical measures are of this kind."""

    larger_is_riskier: ClassVar[bool] = True
    counted: ClassVar[str] = "right picks expected"
    """What the sum counts, in words."""

    per_record: FloatArray
    """The probability of each record."""

    @property
    def value(self) -> float:
        """The figure of the file: the mean, unless the measure says otherwise."""
        return self.average

    @property
    def highest(self) -> float:
        """The largest probability of any record."""
        return float(self.per_record.max())

    @property
    def lowest(self) -> float:
        """The smallest probability of any record."""
        return float(self.per_record.min())

    @property
    def average(self) -> float:
        """The mean probability."""
        return float(self.per_record.mean())

    @property
    def expected(self) -> float:
        """The sum: how many to expect when every record is tried."""
        return float(self.per_record.sum())

    def above(self, threshold: float) -> int:
        """Count the records with a probability above a threshold."""
        if not 0 <= threshold < 1:
            raise IntruderError(f"the threshold is a probability of at least 0 and below 1, found {threshold}")
        return int(np.count_nonzero(exceeds(self.per_record, threshold)))

    def notes(self) -> str:
        """Say what else is to be known about the figures; it follows the number of records."""
        return ""

    def __repr__(self) -> str:
        """Say the highest and the average probability."""
        return (
            f"{type(self).__name__}({self.per_record.size:,} records{self.notes()}; highest {self.highest:.4g}, "
            f"average {self.average:.4g}, {self.expected:,.6g} {self.counted}; {self.above(0.2):,} above 0.2)"
        )
