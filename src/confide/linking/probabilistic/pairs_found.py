"""Candidate pairs with their probabilities and what was decided about them; for two files or one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.linking.probabilistic.errors import Limits
from confide.linking.probabilistic.weights import LevelWeights
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl

LINK, POSSIBLE, NO_LINK = 2, 1, 0


@dataclass(frozen=True, slots=True, eq=False)
class PairsFound:
    """Pairs of noticeable probability, and how they were decided."""

    parameters: tuple[LevelWeights, ...]
    """How often matches and other pairs reach each level, for each comparison."""
    share: float
    """The share of candidate pairs that are matches, as estimated."""
    candidate_pairs: int
    """The number of candidate pairs."""
    steps: int
    """How many steps EM took."""
    at_bound: bool
    """Whether the share of matches is as large as one match for each record allows: it may be larger or the classes
    may be no matches. Compare more variables."""
    source: IntArray
    """The source record of each pair that was kept; for one file, the pair's first record."""
    released: IntArray
    """The released record of each pair; for one file, the pair's second record."""
    log_odds: FloatArray
    """The log odds that the pair is a match, seen on its own."""
    probability: FloatArray
    """The probability that the pair is a match; of pairs that compete, where links are one to one."""
    left_out: FloatArray
    """For each source record, the sum of the probabilities of its pairs that were not kept."""
    limits: Limits
    """The probabilities from which on pairs are links, and below which they are none."""
    decision: IntArray
    """2: a link; 1: a possible link; 0: none."""
    right: BoolArray | None
    """Whether each pair belongs together; None where the truth is not known."""
    true_pairs: int | None
    """How many pairs of records belong together, also outside the blocks; None where the truth is not known."""

    @property
    def expected_matches(self) -> float:
        """How many candidate pairs are matches, as estimated."""
        return self.share * self.candidate_pairs

    @property
    def links(self) -> tuple[IntArray, IntArray]:
        """The source and the released records of the links."""
        linked = self.decision == LINK
        return self.source[linked], self.released[linked]

    @property
    def possible_links(self) -> tuple[IntArray, IntArray]:
        """The source and the released records of the possible links, for a clerk to decide."""
        possible = self.decision == POSSIBLE
        return self.source[possible], self.released[possible]

    @property
    def precision(self) -> float | None:
        """The share of links that are right; None where there are none or the truth is not known."""
        linked = int(np.sum(self.decision == LINK))
        return None if self.right is None or not linked else float(np.sum(self.right & (self.decision == LINK)) / linked)

    @property
    def recall(self) -> float | None:
        """The share of pairs that belong together that are linked; None where the truth is not known."""
        if self.right is None or not self.true_pairs:
            return None
        return float(np.sum(self.right & (self.decision == LINK)) / self.true_pairs)

    @property
    def f_score(self) -> float | None:
        """The harmonic mean of precision and recall."""
        if self.precision is None or self.recall is None:
            return None
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each pair that was kept."""
        import polars as pl

        names = np.array(["non-link", "possible link", "link"])
        columns = {
            "source": self.source,
            "released": self.released,
            "log_odds": self.log_odds,
            "probability": self.probability,
            "decision": names[self.decision],
        }
        return pl.DataFrame(columns if self.right is None else columns | {"right": self.right})

    def __repr__(self) -> str:
        """Say how many pairs were decided how."""
        linked, possible = (int(np.sum(self.decision == d)) for d in (LINK, POSSIBLE))
        text = (
            f"{type(self).__name__}({self.candidate_pairs:,} candidate pairs, {self.expected_matches:,.6g} matches expected"
            f"{', as many as there can be' if self.at_bound else ''}; "
            f"{linked:,} links, {possible:,} possible links"
        )
        if self.precision is not None:
            text += f"; precision {self.precision:.4f}, recall {self.recall:.4f}"
        return text + ")"
