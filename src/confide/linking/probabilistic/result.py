"""What probabilistic linkage of a released file gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import IntruderError
from confide.linking.posterior.joint.result import JointLinks
from confide.linking.probabilistic.best import BestLinks
from confide.linking.probabilistic.pairs_found import LINK, PairsFound
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProbabilisticLinkage(PairsFound):
    """Released records linked to source records by how they agree (Domingo-Ferrer and Torra 2004, section 2.2).

    As a measure of risk it counts the best link of every record: to the source record it agrees with most, with chance where
    several tie. How few links keep the bounds on errors says nothing about that risk; `share_linked` counts those.
    """

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
    best: BestLinks
    """Finds the best link of every released record when it is asked for."""

    @property
    def per_record(self) -> FloatArray:
        """The probability that each released record's best link is right: 1/m where m source records agree most with it."""
        self._check_truth()
        return self.best.found.right

    @property
    def value(self) -> float:
        """The share of released records whose best link is right (Domingo-Ferrer and Torra 2004, section 2.2)."""
        return float(self.per_record.mean())

    @property
    def linked_right(self) -> FloatArray:
        """Whether each released record is linked, within the bounds on errors, to its own source record; 1/k of k links."""
        self._check_truth()
        linked = self.decision == LINK
        many = np.bincount(self.released[linked], minlength=self.shape[0])
        right = np.bincount(self.released[linked & np.asarray(self.right)], minlength=self.shape[0])
        return np.asarray(right / np.maximum(many, 1), dtype=np.float64)

    @property
    def share_linked(self) -> float:
        """The share of released records that are linked, within the bounds on errors, and rightly."""
        return float(self.linked_right.mean())

    def _check_truth(self) -> None:
        """Raise where it is not known whose record is whose."""
        if self.right is None:
            raise IntruderError(
                "the parents of released records are not known; give parent=[...] or same_order=True to Released.from_files"
            )
