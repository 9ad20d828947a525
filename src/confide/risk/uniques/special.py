"""Sample uniques, and the special ones among them.

Elliot, Skinner and Dale (1998), Special uniques, random uniques and sticky populations; Elliot, Manning and Ford (2002), A
computational algorithm for handling the special uniques problem.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import DeclarationError
from confide.risk.frequency.counts import frequencies
from confide.risk.frequency.keys import File, Keys, key_names, records_of_file
from confide.risk.frequency.missing import AS_LEVEL, Missing
from confide.typing import BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class SampleUniques:
    """The records that nobody agrees with on all keys."""

    name: ClassVar[str] = "sample_uniques"
    title: ClassVar[str] = "Sample uniques"
    larger_is_riskier: ClassVar[bool] = True

    per_record: BoolArray
    """Whether a record is one of them."""

    @property
    def value(self) -> float:
        """The share of records."""
        return float(self.per_record.mean())

    @property
    def count(self) -> int:
        """The number of records."""
        return int(np.count_nonzero(self.per_record))

    def __repr__(self) -> str:
        """Say how many there are."""
        return f"{type(self).__name__}({self.count:,} of {self.per_record.size:,} records)"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpecialUniques(SampleUniques):
    """The records that are unique on all keys and on some of them already: their uniqueness is less likely to be chance."""

    name: ClassVar[str] = "special_uniques"
    title: ClassVar[str] = "Special uniques"


def sample_uniques(data: File, keys: Keys = None, *, missing: Missing = AS_LEVEL) -> SampleUniques:
    """Find the records that nobody agrees with on all keys.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m", "m"], "job": ["cook", "vet", "cook", "cook"]})
    >>> cf.sample_uniques(data, ["sex", "job"])
    SampleUniques(2 of 4 records)
    """
    return SampleUniques(frequencies(data, keys, missing=missing, weights=False).unique)


def special_uniques(data: File, keys: Keys = None, *, missing: Missing = AS_LEVEL) -> SpecialUniques:
    """Find the records that are unique on fewer than all keys.

    Whoever is unique on some keys is unique on more of them, so it is enough to leave out one key at a time.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m", "m"], "job": ["cook", "vet", "cook", "cook"]})
    >>> cf.special_uniques(data, ["sex", "job"]).per_record.tolist()
    [False, True, False, False]
    """
    file = records_of_file(data)
    names = key_names(file, keys)
    if len(names) == 1:
        raise DeclarationError("special uniques are unique on some of the keys; name at least two")
    found = np.zeros(file.n, dtype=np.bool_)
    for left_out in names:
        rest = [name for name in names if name != left_out]
        found |= frequencies(file, rest, missing=missing, weights=False).unique
    return SpecialUniques(found)
