"""What probabilistic linkage of a released file gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from confide.errors import IntruderError
from confide.linking.posterior.joint.exact import null_links
from confide.linking.posterior.joint.result import JointLinks
from confide.linking.posterior.joint.solve import link_probabilities
from confide.linking.probabilistic.pairs_found import LINK, PairsFound
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProbabilisticLinkage(PairsFound):
    """Released records linked to source records by how they agree (Fellegi and Sunter 1969; Domingo-Ferrer and Torra 2004)."""

    name: ClassVar[str] = "probabilistic_linkage"
    title: ClassVar[str] = "linked correctly, probabilistic"
    larger_is_riskier: ClassVar[bool] = True

    shape: tuple[int, int]
    """The number of released and of source records."""
    parent: IntArray | None
    """The source record each released record belongs to, negative: nobody's; None where not known."""
    one_to_one: bool
    """Whether every record has one link at most."""
    released_share: float
    """The share of source records with candidates that have a match among them, when each has one at most."""

    @property
    def per_record(self) -> FloatArray:
        """Whether each released record is linked to the source record it belongs to; 1/k where it has k links."""
        if self.right is None:
            raise IntruderError("the parents of the released records are not known; give parent=[...] to Released.from_files")
        linked = self.decision == LINK
        many = np.bincount(self.released[linked], minlength=self.shape[0])
        right = np.bincount(self.released[linked & self.right], minlength=self.shape[0])
        return np.asarray(right / np.maximum(many, 1), dtype=np.float64)

    @property
    def value(self) -> float:
        """The share of released records that are linked correctly (Domingo-Ferrer and Torra 2004, section 2.2)."""
        return float(self.per_record.mean())

    def link_probabilities(self, *, tolerance: float = math.inf, seed: int = 0) -> JointLinks:
        """Give the probability that each released record is each source record's, and the null link.

        Pairs compete: every record has one match at most. A set of links has a probability proportional to the product
        of the odds of its pairs, and these are its marginals, eq. (4.1) of Duncan and Lambert (1987) with a place for
        every record that is nobody's. Probabilities of a source record and its null link sum to one. The table feeds
        `perceived_risks`, `true_identification`, `identification_table` and `harm_of`.

        Args:
            tolerance: as for `link_probabilities`; infinite: propagation alone where there is no exact answer.
            seed: of the chains, with a finite tolerance.
        """
        n, wide = self.shape
        own = np.arange(n)
        shift = -sum(np.log1p(-min(self.released_share * wide / k, k / (k + 1))) for k in (wide, n))
        table = sparse.csr_array(
            (
                np.concatenate([self.log_odds + shift, np.zeros(n)]),
                (np.concatenate([self.released, own]), np.concatenate([self.source, wide + own])),
            ),
            shape=(n, wide + n),
        )
        found = link_probabilities(table, log=True, tolerance=tolerance, seed=seed)
        p, error = sparse.csr_array(found.p)[:, :wide], sparse.csr_array(found.error)[:, :wide]
        return JointLinks(p, null_links(p), error, found.methods, found.diagnostics)
