"""What linking by distance gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse

from confide.errors import IntruderError
from confide.linking.distance.neighbours import Neighbours
from confide.linking.distance.truth import written_out
from confide.typing import FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class DistanceLinkage:
    """Released records linked to the nearest source records (Domingo-Ferrer and Torra 2004, section 2.1).

    Source records that are equally near share the link: each is taken with probability 1/m.
    """

    name: ClassVar[str] = "distance_linkage"
    title: ClassVar[str] = "Linked by distance"
    larger_is_riskier: ClassVar[bool] = True

    variables: tuple[str, ...]
    """The variables linked by."""
    correct: FloatArray
    """The probability that each released record is linked to the one it belongs to."""
    distance: FloatArray
    """How far each is from its nearest source record; inf: none can be compared with it."""
    second: FloatArray
    """How far each is from the second nearest; the same where several are nearest, inf where there is no other."""
    ties: IntArray
    """How many source records are equally near."""
    parent_distance: FloatArray
    """How far each is from the record it belongs to; NaN where that is nobody, or several."""
    respondents: int
    """The number of source records."""
    neighbours: Neighbours
    """Finds the nearest records again when they are asked for."""
    closer: IntArray | None = None
    """How many source records are closer than the own one, -1 where there is none; None where not asked."""
    assigned: IntArray | None = None
    """The source record of each in a one-to-one assignment, -1 where none was left; None: linked with replacement."""
    candidates: int | None = None
    """Among how many nearest records the assignment was made, an approximation; None: among all."""

    @property
    def n(self) -> int:
        """The number of released records."""
        return int(self.correct.size)

    @property
    def expected(self) -> float:
        """How many records are linked correctly, on average over picks among equals."""
        return float(self.correct.sum())

    @property
    def share(self) -> float:
        """The share of records linked correctly: the paper's measure of risk."""
        return float(self.correct.mean())

    @property
    def value(self) -> float:
        """The share of records linked correctly."""
        return self.share

    @property
    def per_record(self) -> FloatArray:
        """The probability that each released record is linked to the one it belongs to."""
        return self.correct

    @property
    def certain(self) -> int:
        """How many records are linked correctly without a tie."""
        return int(np.sum(self.correct > 1 - 1e-12))

    def nearest(self, record: int) -> IntArray:
        """Give the source records that a released record is linked to.

        Args:
            record: the released record, counted from 0.
        """
        if not 0 <= record < self.n:
            raise IntruderError(f"there is no released record {record}; there are {self.n}, counted from 0")
        if self.assigned is not None:
            return self.assigned[[record]] if self.assigned[record] >= 0 else np.zeros(0, dtype=np.int64)
        file = self.neighbours.search.source
        row = self.neighbours.search.released.which[[record]]
        members = [file.order[file.begin[k] : file.begin[k + 1]] for k in self.neighbours.lists(row)[1]]
        return np.sort(np.concatenate(members)) if members else np.zeros(0, dtype=np.int64)

    def links(self) -> Any:
        """Give link probabilities, released records by source records, as a sparse table.

        Each of m equally near records has probability 1/m. `perceived_risks` and `true_identification` read the table.
        Its size is the number of ties; a table that would not fit in memory is refused.
        """
        shape = (self.n, self.respondents)
        if self.assigned is not None:
            rows = np.flatnonzero(self.assigned >= 0)
            return sparse.csr_array((np.ones(rows.size), (rows, self.assigned[rows])), shape=shape)
        _, source = written_out(self.neighbours, "a table of links")
        many = np.where(np.isfinite(self.distance), self.ties, 0)
        start = np.concatenate([[0], np.cumsum(many)])
        return sparse.csr_array((np.repeat(1 / np.maximum(many, 1), many), source, start), shape=shape)

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each released record."""
        import polars as pl

        columns: dict[str, Any] = {
            "record": np.arange(self.n),
            "correct": self.correct,
            "distance": self.distance,
            "second_distance": self.second,
            "ties": self.ties,
            "parent_distance": self.parent_distance,
        }
        if self.closer is not None:
            columns["closer"] = self.closer
        if self.assigned is not None:
            columns["assigned"] = self.assigned
        return pl.DataFrame(columns)

    def __repr__(self) -> str:
        """Say how many records are linked correctly."""
        how = ""
        if self.assigned is not None:
            how = ", one to one" + (f" among {self.candidates} nearest (approximate)" if self.candidates else "")
        return (
            f"DistanceLinkage({self.expected:,.6g} of {self.n:,} records linked correctly by "
            f"{', '.join(self.variables)}, share {self.share:.4g}{how})"
        )
