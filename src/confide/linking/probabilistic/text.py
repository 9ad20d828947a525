"""Levels of similarity of two texts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.distance.text import JaroWinkler, StringDistance, checked_table
from confide.linking.probabilistic.comparison import (
    NEAR,
    TABLE,
    Compared,
    MissingLevel,
    NoInformation,
    codes_of,
    same_share,
)
from confide.linking.probabilistic.frequency import rarity_of
from confide.typing import AnyArray, FloatArray, IntArray

MOST_CELLS = 1 << 27
"""Up to so many pairs of different texts are compared beforehand; of more, only those that candidate pairs hold."""
PART = 1 << 22
"""So many similarities are held at a time."""


@dataclass(frozen=True, slots=True)
class TextAgreement:
    """Texts are the same, alike to a degree, or different. Needs rapidfuzz: `pip install confide[text]`.

    >>> TextAgreement("surname", at=(0.9, 0.7)).labels
    ('different', 'similarity 0.7 or more', 'similarity 0.9 or more', 'same')
    """

    variable: str
    """The variable."""
    at: tuple[float, ...] = (0.92, 0.8)
    """The similarity, one minus the string distance, from which on texts are alike; one level for each, decreasing."""
    using: StringDistance = field(default_factory=JaroWinkler)
    """`JaroWinkler()`, `Levenshtein()` or an object of yours with the same method."""
    by_frequency: bool = False
    """Whether agreement on a rare text weighs more than on a common one (Winkler)."""
    missing: MissingLevel = field(default_factory=NoInformation)
    """What a missing value says: `NoInformation()` or `OwnLevel()`."""

    def __post_init__(self) -> None:
        """Check the levels."""
        cuts = np.asarray(self.at, dtype=np.float64)
        if not bool(np.all((cuts > 0) & (cuts < 1)) and np.all(np.diff(cuts) < 0)):
            raise IntruderError(f"{self.variable!r}: similarities lie between 0 and 1 and decrease; found at={self.at}")

    @property
    def labels(self) -> tuple[str, ...]:
        """What the levels mean."""
        return ("different", *(f"similarity {a:g} or more" for a in reversed(self.at)), "same")

    def compared(self, source: Microdata, released: Microdata, pairs: int = MOST_CELLS) -> Compared:
        """Give codes of both files, and the levels of all pairs of texts where there are not too many.

        Args:
            source: the source file.
            released: the released file.
            pairs: how many pairs of records are compared; of many more different texts, only theirs are.
        """
        y, z, values = codes_of(self.variable, source, released)
        texts = tuple(str(v) for v in values)
        rarity, cuts, same = rarity_of(y, z) if self.by_frequency else None, np.asarray(self.at), same_share(y, z)
        held = [np.unique(c[c >= 0]) for c in (y, z)]
        if held[0].size * held[1].size > min(MOST_CELLS, 2 * pairs) and hasattr(self.using, "pairs"):
            return Compared(
                self.variable, NEAR, self.labels, y, z, self.missing, cuts=cuts, texts=texts, same=same, rarity=rarity
            )
        if held[0].size * held[1].size > 8 * MOST_CELLS:
            raise IntruderError(
                f"{self.variable!r} has {held[0].size:,} by {held[1].size:,} different texts; a table of their similarities "
                "would be too large. Give the string distance a method pairs(a, b), or take JaroWinkler()"
            )
        y, z = (_placed(c, h) for c, h in zip((y, z), held, strict=True))
        rarity = None if rarity is None else rarity[held[0]]
        table = self._table([texts[i] for i in held[0]], [texts[i] for i in held[1]], held)
        return Compared(
            self.variable, TABLE, self.labels, y, z, self.missing, cuts=cuts, table=table, same=same, rarity=rarity
        )

    def _table(self, ours: list[str], theirs: list[str], held: list[IntArray]) -> AnyArray:
        """Give the level of every pair of texts, some rows at a time."""
        table = np.empty((len(ours), len(theirs)), dtype=np.int8)
        step = max(1, PART // max(len(theirs), 1))
        for i in range(0, len(ours), step):
            part = ours[i : i + step]
            d = checked_table(self.variable, self.using.table(part, theirs), len(part), len(theirs))
            table[i : i + step] = levels_of(d, np.asarray(self.at))
            table[i : i + step][held[0][i : i + step, None] == held[1]] = len(self.at) + 1
        return table


def levels_of(distance: FloatArray, at: FloatArray) -> AnyArray:
    """Give the level of texts at some distance that are not the same."""
    level = np.zeros(distance.shape, dtype=np.int8)
    for a in at:
        level += distance <= 1 - a + 1e-12
    return level


def _placed(codes: IntArray, held: IntArray) -> IntArray:
    """Give the place of every code among those that occur; what is missing stays."""
    return np.where(codes >= 0, np.searchsorted(held, codes), codes).astype(np.int64)
