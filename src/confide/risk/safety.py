"""Against which intruders is a release safe? A map over a family of them (Duncan and Lambert 1987, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from confide.errors import IntruderError
from confide.intruder.columns import less
from confide.intruder.decision import Losses
from confide.linking.parallel import Progress, silent
from confide.linking.posterior.joint.exact import WORK
from confide.linking.posterior.joint.result import JointLinks
from confide.linking.posterior.joint.solve import link_probabilities
from confide.risk.matching import both_files
from confide.risk.matching import parents as parents_of
from confide.risk.safety_family import Family, Knowledge, KnownValues, LognormalFamily, believed
from confide.seeds import Stream
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl

MOST_PAIRS = 4_000_000
"""How many pairs of records and respondents a map is made for."""


@dataclass(frozen=True, slots=True, eq=False)
class SafetyMap:
    """What the intruders of a family do: one row per share of known respondents, one column per precision."""

    precisions: FloatArray
    """The relative sd of the beliefs."""
    knowledge: FloatArray
    """The share of respondents whom the intruder can place."""
    linked: FloatArray
    """The share of respondents who are linked to a record."""
    correct: FloatArray
    """The share of respondents who are linked to their own record."""
    largest: FloatArray
    """The largest perceived risk of any respondent."""
    error: FloatArray
    """The largest error of a link probability; rounding where it was computed exactly."""
    linked_at_least: FloatArray
    """The share who are linked whichever way the errors go."""
    linked_at_most: FloatArray
    """The share who are linked if all errors go the intruder's way."""
    losses: Losses
    """What it costs the intruder to miss and to err."""
    allowed: float
    """The share of respondents who may be linked in a release that is called safe."""
    respondents: int
    """N."""
    records: int
    """n."""

    @property
    def safe(self) -> BoolArray:
        """Against which intruders the release is safe: at most the allowed share is linked, errors included."""
        return np.asarray(self.linked_at_most <= self.allowed + 1e-12, dtype=np.bool_)

    @property
    def unsure(self) -> BoolArray:
        """Where the errors of the link probabilities leave open whether it is safe."""
        return np.asarray(~self.safe & (self.linked_at_least <= self.allowed + 1e-12), dtype=np.bool_)

    def to_frame(self) -> pl.DataFrame:
        """Give one row per intruder."""
        import polars as pl

        shape = self.linked.shape
        return pl.DataFrame(
            {
                "knowledge": np.repeat(self.knowledge, shape[1]),
                "precision": np.tile(self.precisions, shape[0]),
                "linked": self.linked.ravel(),
                "correct": self.correct.ravel(),
                "largest_probability": self.largest.ravel(),
                "error": self.error.ravel(),
                "linked_at_least": self.linked_at_least.ravel(),
                "linked_at_most": self.linked_at_most.ravel(),
                "safe": self.safe.ravel(),
                "unsure": self.unsure.ravel(),
            }
        )

    def plot(self, path: str | Path) -> Path:
        """Draw the map into a file, by its ending as SVG or PNG; a file that is there is replaced."""
        from confide.risk.safety_chart import draw

        return draw(self, Path(path))

    def __repr__(self) -> str:
        """Show the share linked and, in brackets, linked correctly, for every intruder."""
        ratio = self.losses.wrong / self.losses.missed if self.losses.missed else float("inf")
        size = f"{self.records:,} records of {self.respondents:,} respondents"
        lines = [
            f"Safety map: {size}; a wrong link costs {ratio:.4g} times a missed one",
            "respondents linked (linked correctly), by the share known and the precision of beliefs",
            " " * 8 + "".join(f"{f'sd {s:g}':>18}" for s in self.precisions),
        ]
        for k, share in enumerate(self.knowledge):
            cells = (cell_text(self, k, s) for s in range(self.precisions.size))
            lines.append(f"{share:>7.4g} " + "".join(f"{c:>18}" for c in cells))
        left = "; ?: the errors of the probabilities leave it open" if bool(self.unsure.any()) else ""
        lines.append(f"safe: at most {self.allowed:.2%} linked{left}")
        return "\n".join(lines)


def cell_text(found: SafetyMap, k: int, s: int) -> str:
    """Write one cell: safe, or how many are linked and linked correctly."""
    shown = f"{found.linked[k, s]:.1%} ({found.correct[k, s]:.1%})"
    if found.safe[k, s]:
        return "safe" if found.linked_at_most[k, s] == 0 else f"safe {shown}"
    return f"? {shown}" if found.unsure[k, s] else shown


def safety_map(
    source: Any,
    released: Any,
    parents: Sequence[int] | IntArray,
    *,
    precisions: Sequence[float] = (0.05, 0.1, 0.2, 0.5, 1.0),
    knowledge: Sequence[float] = (0.0, 0.25, 0.5, 1.0),
    losses: Losses | None = None,
    allowed: float = 0.0,
    family: Family | None = None,
    known: Knowledge | None = None,
    seed: int = 0,
    work: float = WORK,
    progress: Progress = silent,
) -> SafetyMap:
    """Say against which intruders of a family a release is safe.

    Each intruder believes that a respondent's record appears around what is known, with a relative
    precision; of the respondents that cannot be placed only the population's distribution is known.
    All records compete for all respondents, eq. (4.1), and the intruder decides for each respondent.

    Args:
        source: the numbers of each respondent; a row of numbers, or one column per attribute.
        released: the numbers of each released record, in the same columns.
        parents: the respondent each record belongs to, counted from 0.
        precisions: the relative sds of the beliefs.
        knowledge: the shares of respondents whom the intruder can place; a smaller share is part of a larger one.
        losses: what it costs to miss and to err; None: the same.
        allowed: the share of respondents who may be linked in a release that is called safe.
        family: how beliefs spread; None: by a factor, LognormalFamily().
        known: what is known of those the intruder can place; None: their values, KnownValues().
        seed: who can be placed.
        work: the most elementary operations for an exact answer, as in `link_probabilities`.
        progress: called with how much of how much is done.

    >>> source = [10.0, 20.0, 40.0, 80.0]
    >>> found = safety_map(source, [11.0, 75.0], [0, 3], precisions=[0.1, 2.0], knowledge=[0, 1])
    >>> found.safe.tolist(), found.correct.tolist()
    ([[True, True], [False, True]], [[0.0, 0.0], [0.5, 0.0]])
    """
    y, x, parent = _checked(source, released, parents)
    sds, shares = _axis(precisions, "precisions", 0.0, np.inf), _axis(knowledge, "knowledge", -1.0, 1.0)
    if not bool(np.all(shares >= 0)) or not 0 <= allowed <= 1:
        raise IntruderError("knowledge and allowed are shares of respondents, from 0 to 1")
    losses = Losses() if losses is None else losses
    y, x = (LognormalFamily() if family is None else family).scaled(y, x)
    centres = (KnownValues() if known is None else known).centres(y)
    people = np.arange(y.shape[0], dtype=np.int64)
    place = np.empty_like(people)
    place[Stream(seed, "who is known").order(people)] = people
    cells = []
    for share in shares:
        for sd in sds:
            table = believed(x, centres, float(sd), place < round(share * people.size))
            cells.append(_cell(link_probabilities(table, log=True, work=work), parent, losses))
            progress(len(cells), shares.size * sds.size)
    figures = np.asarray(cells, dtype=np.float64).T.reshape(6, shares.size, sds.size)
    linked, correct, largest, error, low, high = figures
    return SafetyMap(sds, shares, linked, correct, largest, error, low, high, losses, float(allowed), y.shape[0], x.shape[0])


def _cell(links: JointLinks, parent: IntArray, losses: Losses) -> tuple[float, ...]:
    """Reduce one intruder's link probabilities to figures."""
    people = np.arange(links.p.shape[1])
    decided = losses.decide_all(links.p, slack=1e-9 + float(links.error.sum(axis=0).max()))
    right = decided.links & (parent[np.maximum(decided.record, 0)] == people)
    ends = [_linked(links.p + sign * links.error, links, losses) for sign in (-1.0, 1.0)]
    return (
        float(decided.links.mean()),
        float(right.mean()),
        float(min(links.largest.max(), 1.0)),
        links.largest_error,
        *ends,
    )


def _linked(p: FloatArray, links: JointLinks, losses: Losses) -> float:
    """Give the share linked, were the probabilities off by their errors."""
    best = np.clip(p.max(axis=0), 0.0, 1.0)
    moved = best - links.largest
    total = np.clip(links.p.sum(axis=0) + moved, best, 1.0)
    return float(less(losses.wrong * (1.0 - best), losses.missed * total).mean())


def _checked(source: Any, released: Any, parents: Sequence[int] | IntArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Check the values and give them as tables, one column per attribute."""
    x, y = both_files(released, source)
    parent = parents_of(parents, x.shape[0], y.shape[0])
    if np.unique(parent).size < parent.size:
        raise IntruderError("each record belongs to another respondent; some parents are named twice")
    if x.shape[0] * y.shape[0] > MOST_PAIRS:
        raise IntruderError(
            f"{x.shape[0]:,} records and {y.shape[0]:,} respondents are more than {MOST_PAIRS:,} pairs; give a random part"
        )
    return y, x, parent


def _axis(values: Sequence[float], name: str, low: float, high: float) -> FloatArray:
    """Check one axis of the map."""
    axis = np.asarray(values, dtype=np.float64)
    if axis.ndim != 1 or axis.size == 0 or not bool(np.all(np.isfinite(axis) & (axis > low) & (axis <= high))):
        raise IntruderError(f"{name} must be finite numbers, {'positive' if high > 1 else 'from 0 to 1'}, at least one")
    return axis
