"""How many targets look identified to the intruder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.intruder.exceeds import exceeds
from confide.linking.summary import Summary
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class PerceivedIdentifications:
    """The number of targets with a record more probable than a threshold (Reiter 2005, 4.3 (i)).

    Perceived, because the most probable record need not be the target's own. The threshold is
    strict (convention 8), and a probability within rounding of it is not above it.

    >>> summary = Summary.of_matrix(np.array([[0.5, 0.5], [0.2, 0.8]]), [0, 1])
    >>> PerceivedIdentifications(0.5).value(summary)
    1.0
    """

    threshold: float = 0.2
    """The probability above which an identification is declared."""

    def __post_init__(self) -> None:
        """Check the threshold."""
        if not 0 <= self.threshold < 1:
            raise IntruderError(f"the threshold is a probability of at least 0 and below 1, found {self.threshold}")

    name = "perceived"
    is_count = True
    larger_is_riskier = True
    tells_unknown = True

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return f"Prob. > {self.threshold:g}"

    def per_target(self, summary: Summary) -> FloatArray:
        """Say whether a target's best record is above the threshold."""
        return np.asarray(exceeds(summary.best, self.threshold), dtype=np.float64)

    def value(self, summary: Summary) -> float:
        """Count the targets above the threshold."""
        return float(self.per_target(summary).sum())

    def baseline(self, summary: Summary) -> float:
        """Count them when every record is equally probable."""
        return summary.n * float(exceeds(1.0 / max(summary.records, 1), self.threshold))
