"""How many records share a combination of keys, in the file and in the population."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import IntruderError
from confide.risk.frequency.cells import cell_sizes, cells_of, coded
from confide.risk.frequency.keys import File, Keys, key_names, records_of_file, survey_weights
from confide.risk.frequency.missing import AS_LEVEL, Missing, MissingAsWildcard
from confide.risk.frequency.wildcards import wildcard_counts
from confide.typing import AnyArray, BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """The frequency counts of the keys, record by record."""

    f: AnyArray
    """How many records of the file agree with each record on the keys, itself among them."""
    F: FloatArray | None
    """The sum of their survey weights: about how many people of the population; None without weights."""
    keys: tuple[str, ...]
    """The variables on which records agree."""
    cells: int
    """The number of different combinations, a missing value being one of its own."""
    missing: Missing
    """What a missing value says."""

    @property
    def n(self) -> int:
        """The number of records."""
        return int(self.f.size)

    @property
    def unique(self) -> BoolArray:
        """Which records nobody agrees with."""
        return np.equal(self.f, 1)

    @property
    def uniques(self) -> int:
        """How many records nobody agrees with."""
        return int(np.count_nonzero(self.unique))

    def violates(self, k: int) -> int:
        """Count the records that fewer than k records agree with, themselves included."""
        return below(self.f, k)

    def __repr__(self) -> str:
        """Say how many records are alone, and how many are in small company."""
        weighed = "" if self.F is None else f"; smallest F {self.F.min():.6g}"
        return (
            f"Frequencies({self.n:,} records, {self.cells:,} combinations of {', '.join(self.keys)}; "
            f"{self.uniques:,} unique, {self.violates(3):,} below 3, {self.violates(5):,} below 5{weighed}; "
            f"{self.missing.describe()})"
        )


@dataclass(frozen=True, slots=True, eq=False)
class KAnonymity:
    """How many records agree with each record: k-anonymity (Samarati and Sweeney 1998).

    The file is k-anonymous when `value` is at least k.
    """

    name: ClassVar[str] = "k_anonymity"
    title: ClassVar[str] = "k-anonymity"
    larger_is_riskier: ClassVar[bool] = False

    per_record: AnyArray
    """f, the number of records that agree, itself among them."""

    @property
    def value(self) -> float:
        """The smallest f: the largest k for which the file is k-anonymous."""
        return float(self.per_record.min())

    def below(self, k: int) -> int:
        """Count the records with an f below k."""
        return below(self.per_record, k)

    def __repr__(self) -> str:
        """Say the k, and how many records are below a few common ones."""
        counts = ", ".join(f"{self.below(k):,} below {k}" for k in (2, 3, 5, 10))
        return f"KAnonymity(k = {self.value:g}; of {self.per_record.size:,} records {counts})"


def frequencies(data: File, keys: Keys = None, *, missing: Missing = AS_LEVEL, weights: bool | None = None) -> Frequencies:
    """Count, for every record, the records that agree with it on the keys.

    Args:
        data: a source file, or a released one.
        keys: the variables an intruder knows; those declared as keys when None.
        missing: `MissingAsLevel()`, or `MissingAsWildcard()`, with which a missing value agrees with every value.
        weights: whether to add up survey weights; when None, if there are any.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m", "m"], "job": ["cook", "cook", "cook", None]})
    >>> cf.frequencies(data, ["sex", "job"]).f.tolist()
    [2, 2, 1, 1]
    >>> cf.frequencies(data, ["sex", "job"], missing=cf.MissingAsWildcard()).f.tolist()
    [2, 2, 2, 2]
    """
    file = records_of_file(data)
    names = key_names(file, keys)
    weighed = file.weights is not None if weights is None else weights
    w = survey_weights(file) if weighed else None
    columns = [coded(file.columns[name]) for name in names]
    wild = isinstance(missing, MissingAsWildcard) and any(c.has_missing for c in columns)
    if w is None and not wild:
        f, many = cell_sizes(columns)
        return Frequencies(f, None, names, many, missing)
    cells = cells_of(columns)
    total = None if w is None else cells.sums(w)
    size: AnyArray = cells.size
    if isinstance(missing, MissingAsWildcard) and wild:
        blank = np.zeros(size.size) if total is None else total
        counted, added = wildcard_counts(columns, cells, blank, missing.share)
        size = np.rint(counted).astype(np.int64) if missing.share == 1 else counted
        total = None if total is None else added
    return Frequencies(size[cells.of], None if total is None else total[cells.of], names, cells.size.size, missing)


def k_anonymity(data: File, keys: Keys = None, *, missing: Missing = AS_LEVEL) -> KAnonymity:
    """Find the largest k for which the file is k-anonymous, and each record's own.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m", "m", "m"]})
    >>> cf.k_anonymity(data, "sex").value
    2.0
    """
    return KAnonymity(frequencies(data, keys, missing=missing, weights=False).f)


def below(counts: AnyArray, k: float) -> int:
    """Count the records below k."""
    if not 1 <= k < math.inf:
        raise IntruderError(f"k counts records and must be 1 or more, found {k}")
    return int(np.count_nonzero(counts < k))
