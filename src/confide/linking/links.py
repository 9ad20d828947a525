"""Link probabilities: the one object that risk and harm read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import IntruderError
from confide.linking.evidence import Evidence
from confide.linking.kernels import TIE
from confide.linking.matched import Matched
from confide.linking.row import LinkRow, score_parts
from confide.linking.summary import Summary
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl

TRUE_COLUMNS = ("own_probability", "own_is_best", "others_at_least_as_probable")
"""The columns of a frame that rest on the target's own record."""


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """For every target, how probable each released record and the null link are.

    Probabilities of single records are computed when asked for (`row`), or read from a table where
    matching was without replacement; what the file-level measures need is kept for every target.
    """

    evidence: Evidence
    """What the probabilities rest on."""
    best: FloatArray
    """The largest probability of a released record."""
    at_best: IntArray
    """How many records have it."""
    own: FloatArray
    """The probability of the target's own record; 0 when it has none in the file, NaN where that is not known."""
    own_is_best: BoolArray
    """Whether the target's own record has the largest probability; False where it is not known."""
    others_at_least: IntArray
    """How many other records are at least as probable as the own one; without one, how many are possible."""
    null: FloatArray
    """The probability of the null link."""
    sample_matches: IntArray
    """n_t, the number of records consistent with the target."""
    population_matches: FloatArray
    """N_t, the number of people consistent with the target; of a model the harmonic number 1/E(1/N_t), nan where n_t = 0."""
    log_total: FloatArray
    """The log of the normalising sum; 0 where matching was without replacement."""
    matched: Matched | None = None
    """How all records were matched with all targets; None: with replacement."""
    people_notes: tuple[str, ...] = ()
    """What a model of N_t says of its fit."""

    @property
    def n(self) -> int:
        """The number of targets."""
        return int(self.best.size)

    @property
    def summary(self) -> Summary:
        """What file-level measures read."""
        in_file = self.evidence.own_records >= 0
        records = self.evidence.released.data.n
        known = self.evidence.truth_known
        return Summary(self.best, self.at_best, self.own, self.own_is_best, self.null, records, in_file, known)

    @property
    def fits_none(self) -> BoolArray:
        """Which targets in the file no released record can belong to: the intruder knows they are there, or they are."""
        if self.matched is not None:
            return np.zeros(self.n, dtype=np.bool_)
        there = np.bool_(self.evidence.intruder.target_in_file) | (self.evidence.own_records >= 0)
        return np.asarray((self.best == 0) & there, dtype=np.bool_)

    @property
    def contradicted(self) -> int:
        """How many targets in the file no released record can belong to."""
        return int(np.sum(self.fits_none))

    @property
    def without_own(self) -> BoolArray:
        """Which targets have a record in the file that cannot be theirs for the intruder: what happened is ruled out.

        Who takes released values at face value errs where they were altered; those count to whom no record fits.
        """
        there = self.evidence.own_records >= 0
        if self.matched is not None and not self.matched.is_exact:
            return np.zeros(self.n, dtype=np.bool_)
        chance = self.own if self.evidence.intruder.understands_masking else self.best
        return np.asarray(there & (chance == 0), dtype=np.bool_)

    @property
    def ruled_out(self) -> int:
        """How many targets have a record in the file that cannot be theirs for the intruder."""
        return int(np.sum(self.without_own))

    def row(self, target: int) -> LinkRow:
        """Give the candidates of one target with their probabilities.

        Args:
            target: the target's place among the targets, from 0.
        """
        if not 0 <= target < self.n:
            raise IntruderError(f"there is no target {target}; there are {self.n}, counted from 0")
        parts = score_parts(self.evidence, target)
        if self.matched is not None:
            graph = self.evidence.graph
            p = self.matched.of_profiles(int(graph.target_profile[target]), graph.count.size)[graph.record_profile]
        else:
            p = np.exp(np.where(parts.consistent, parts.log_score - self.log_total[target], -np.inf))
        best = float(p.max(initial=0.0))
        own = int(self.evidence.own_records[target])
        return LinkRow(
            p=p,
            null=float(self.null[target]),
            own=own if own >= 0 else None,
            at_best=np.flatnonzero((p > 0) & (p >= best * (1 - TIE))).astype(np.int64),
            sample_matches=int(self.sample_matches[target]),
            population_matches=float(self.population_matches[target]),
            parts=parts,
        )

    def to_frame(self) -> pl.DataFrame:
        """Give one row per target; its row in the source file comes first, -1 for who is not in it, -2 where not known.

        What rests on the target's own record is null where it is not known which that is.
        """
        import polars as pl

        known = pl.Series(self.evidence.truth_known)
        return pl.DataFrame(
            {
                "target": self.evidence.target_rows,
                "best_probability": self.best,
                "records_at_best": self.at_best,
                "own_probability": self.own,
                "own_is_best": self.own_is_best,
                "others_at_least_as_probable": self.others_at_least,
                "null_probability": self.null,
                "sample_matches": self.sample_matches,
                "population_matches": self.population_matches,
            }
        ).with_columns(pl.when(known).then(pl.col(name)).alias(name) for name in TRUE_COLUMNS)
