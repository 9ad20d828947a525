"""What every comparison gives: codes or numbers of both files, and how a pair's level of agreement is read off them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.distance.part import both_columns, joint_codes
from confide.typing import AnyArray, FloatArray, IntArray, Label

SAME, TABLE, NEAR, NUMBER, DATE = range(5)
"""Equal codes; a table of levels by codes; a list of the code pairs above level 0; differences; parts of dates."""
NONE = -1
"""The code of a missing value."""


@dataclass(frozen=True, slots=True)
class NoInformation:
    """A pair with a missing value says nothing about this variable: its weight is that of the other variables."""


@dataclass(frozen=True, slots=True)
class OwnLevel:
    """A pair with a missing value has a level of its own, which weighs what it is found to weigh."""


MissingLevel: TypeAlias = NoInformation | OwnLevel
"""What a missing value says."""


class NearValues(NamedTuple):
    """Which pairs of codes agree above level 0, in an open hash table."""

    key: IntArray
    """The source code times the number of codes plus the released code; -1: free."""
    level: AnyArray
    """Their levels."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A variable as the loops read it. Levels count from 0, disagreement, to the fullest agreement; then comes missing."""

    name: str
    """What the comparison is called in tables."""
    kind: int
    """How levels are found."""
    labels: tuple[str, ...]
    """What each level means, from disagreement to the fullest agreement."""
    source: IntArray
    """The code of each source record; NONE where missing."""
    released: IntArray
    """The code of each released record."""
    missing: MissingLevel
    """What a missing value says."""
    source_numbers: FloatArray | None = None
    """Numbers, where they are compared; NaN where missing."""
    released_numbers: FloatArray | None = None
    cuts: FloatArray = field(default_factory=lambda: np.zeros(0))
    """Differences up to which each level above 0 reaches, from the highest level on."""
    table: AnyArray | None = None
    """Levels by source and released codes."""
    texts: tuple[str, ...] = ()
    """What codes stand for, where levels of text are found for candidate pairs only."""
    same: float | None = None
    """The share of all pairs that agree fully, where that is known from the frequencies of values."""
    rarity: FloatArray | None = None
    """For each source code, what full agreement on it weighs more than full agreement in general, on the log scale."""

    @property
    def levels(self) -> int:
        """The number of levels, without the one for missing values."""
        return len(self.labels)


class Comparison(Protocol):
    """How two records agree in a variable."""

    @property
    def variable(self) -> str:
        """The variable compared."""
        ...

    def compared(self, source: Microdata, released: Microdata, pairs: int = ...) -> Compared:
        """Give what both files hold.

        Args:
            source: the source file.
            released: the released file.
            pairs: about how many pairs of records are compared, which may decide what is prepared.
        """
        ...


def codes_of(name: str, source: Microdata, released: Microdata) -> tuple[IntArray, IntArray, tuple[Label, ...]]:
    """Code a variable alike in both files, NONE where missing, and give the values that the codes stand for."""
    y, z, values = joint_codes(*both_columns(name, source, released))
    return _whole(y), _whole(z), values


def same_share(source: IntArray, released: IntArray) -> float:
    """Give the share of pairs with the same code, among those where none is missing.

    >>> same_share(np.array([0, 0, 1, -1]), np.array([0, 1]))
    0.5
    """
    size = 1 + max(int(source.max(initial=-1)), int(released.max(initial=-1)))
    counts = [np.bincount(c[c >= 0], minlength=size).astype(np.float64) for c in (source, released)]
    pairs = counts[0].sum() * counts[1].sum()
    return float(counts[0] @ counts[1] / pairs) if pairs else 0.0


def cuts_of(name: str, within: tuple[float, ...]) -> FloatArray:
    """Check the ends of levels: finite, not negative, increasing."""
    cuts = np.asarray(within, dtype=np.float64)
    if cuts.ndim != 1 or not cuts.size or not bool(np.all(np.isfinite(cuts) & (cuts >= 0)) and np.all(np.diff(cuts) > 0)):
        raise IntruderError(f"{name!r}: levels reach up to increasing differences from 0 on; found within={within}")
    return cuts


def _whole(codes: FloatArray) -> IntArray:
    """Give whole codes, NONE where missing."""
    return np.where(np.isnan(codes), NONE, np.nan_to_num(codes)).astype(np.int64)
