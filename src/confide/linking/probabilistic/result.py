"""What probabilistic linkage of a released file gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import IntruderError
from confide.linking.posterior.joint.result import JointLinks
from confide.linking.probabilistic.pairs_found import LINK, PairsFound
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProbabilisticLinkage(PairsFound):
    """Released records linked to source records by how they agree (Domingo-Ferrer and Torra 2004, section 2.2)."""

    name: ClassVar[str] = "probabilistic_linkage"
    title: ClassVar[str] = "Linked by agreement"
    larger_is_riskier: ClassVar[bool] = True

    shape: tuple[int, int]
    """The number of released and of source records."""
    parent: IntArray | None
    """The source record each released record belongs to, negative: nobody's; None where not known."""
    one_to_one: bool
    """Whether every record has one link at most."""
    matched_share: float
    """The share of source records that have a match among their candidates, when each has one at most."""
    table: JointLinks
    """The probability that each released record is each source record's, and the null link, when all pairs compete.

    Every record has one match at most. A set of links has a probability proportional to the product of the odds of its
    pairs, and these are its marginals: eq. (4.1) of Duncan and Lambert (1987) with a place for every record that is
    nobody's. The probabilities of a source record and its null link sum to one. `perceived_risks`, `true_identification`,
    `identification_table` and `harm_of` read the table.
    """

    @property
    def per_record(self) -> FloatArray:
        """Whether each released record is linked to the source record it belongs to; 1/k where it has k links."""
        if self.right is None:
            raise IntruderError("the parents of released records are not known; give parent=[...] to Released.from_files")
        linked = self.decision == LINK
        many = np.bincount(self.released[linked], minlength=self.shape[0])
        right = np.bincount(self.released[linked & self.right], minlength=self.shape[0])
        return np.asarray(right / np.maximum(many, 1), dtype=np.float64)

    @property
    def value(self) -> float:
        """The share of released records that are linked correctly (Domingo-Ferrer and Torra 2004, section 2.2)."""
        return float(self.per_record.mean())
