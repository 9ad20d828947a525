"""The distance of two texts, by a string distance of rapidfuzz (an optional dependency)."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.distance.missing import MissingCosts, MissingRule
from confide.linking.distance.part import Part, both_columns, check_weight, joint_codes, used_codes
from confide.linking.distance.tree.costs import TABLE
from confide.linking.memory import needs_memory
from confide.typing import FloatArray


class StringDistance(Protocol):
    """A distance of texts between 0 and 1."""

    def table(self, a: Sequence[str], b: Sequence[str]) -> FloatArray:
        """Give the distance of every text of one list from every text of another."""
        ...


@dataclass(frozen=True, slots=True)
class Levenshtein:
    """The number of insertions, deletions and replacements, over the length of the longer text."""

    module: ClassVar[str] = "Levenshtein"

    def table(self, a: Sequence[str], b: Sequence[str]) -> FloatArray:
        """Give all distances."""
        return _cdist(self.module, a, b)

    def pairs(self, a: Sequence[str], b: Sequence[str]) -> FloatArray:
        """Give the distance of each text of one list from the one at its place in another."""
        return _cdist(self.module, a, b, paired=True)


@dataclass(frozen=True, slots=True)
class JaroWinkler:
    """One minus the similarity of Jaro and Winkler, which favours texts that begin alike."""

    module: ClassVar[str] = "JaroWinkler"

    def table(self, a: Sequence[str], b: Sequence[str]) -> FloatArray:
        """Give all distances."""
        return _cdist(self.module, a, b)

    def pairs(self, a: Sequence[str], b: Sequence[str]) -> FloatArray:
        """Give the distance of each text of one list from the one at its place in another."""
        return _cdist(self.module, a, b, paired=True)


@dataclass(frozen=True, slots=True)
class TextDistance:
    """A string distance, for names and addresses that may be misspelt (Domingo-Ferrer and Torra 2004, Definition 1(1)).

    Needs the package rapidfuzz: `pip install confide[text]`.
    """

    variable: str
    """The variable."""
    using: StringDistance = field(default_factory=Levenshtein)
    """`Levenshtein()`, `JaroWinkler()` or an object of yours with the same method."""
    weight: float = 1.0
    """What the squared distance is multiplied by."""
    missing: MissingRule = field(default_factory=MissingCosts)
    """What a missing value counts."""

    def __post_init__(self) -> None:
        """Check the weight."""
        check_weight(f"TextDistance({self.variable!r})", self.weight)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables compared."""
        return (self.variable,)

    def between(self, a: str, b: str) -> float:
        """Give the distance of two texts."""
        return float(self.using.table([a], [b])[0, 0])

    def part(self, source: Microdata, released: Microdata) -> Part:
        """Give the codes of both files, and the table of distances of their texts."""
        y, z, values = joint_codes(*both_columns(self.variable, source, released))
        (ours, y), (theirs, z) = used_codes(y), used_codes(z)
        check_table(self.variable, theirs.size, ours.size)
        texts = [[str(values[i]) for i in codes] for codes in (theirs, ours)]
        table = checked_table(self.variable, self.using.table(*texts), theirs.size, ours.size)
        return Part(z[:, None], y[:, None], TABLE, table=self.weight * table**2)


def check_table(name: str, rows: int, columns: int) -> None:
    """Raise when a table of distances of distinct values would not fit in memory."""
    what = f"distances of {rows:,} released from {columns:,} source values of {name!r}"
    needs_memory(16 * rows * columns, what, instead="link within blocks, or take NominalDistance")


def checked_table(name: str, table: Any, rows: int, columns: int) -> FloatArray:
    """Raise unless a table holds finite distances of all values."""
    found = np.asarray(table, dtype=np.float64)
    if found.shape != (rows, columns):
        raise IntruderError(f"the distance of {name!r} gave a table of {found.shape}; it must be {rows} by {columns}")
    if not bool(np.all(np.isfinite(found) & (found >= 0))):
        raise IntruderError(
            f"the distance of {name!r} gave negative, infinite or NaN values; distances are finite and not negative"
        )
    return found


def _cdist(module: str, a: Sequence[str], b: Sequence[str], *, paired: bool = False) -> FloatArray:
    """Ask rapidfuzz, on all cores."""
    try:
        process = importlib.import_module("rapidfuzz.process")
        scorer = getattr(importlib.import_module("rapidfuzz.distance"), module)
    except ImportError as error:
        raise IntruderError(
            "string distances need the package rapidfuzz; install confide[text], or compare texts by NominalDistance, "
            "or by a function of yours with GivenDistance"
        ) from error
    if not (a and b):
        return np.zeros(0 if paired else (len(a), len(b)))
    compare = process.cpdist if paired else process.cdist
    found = compare(list(a), list(b), scorer=scorer.normalized_distance, dtype=np.float64, workers=-1)
    return np.asarray(found, dtype=np.float64)
