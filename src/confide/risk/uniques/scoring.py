"""What a minimal sample unique counts, by its number of keys."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class ElliotScore:
    """A set of k among M keys counts (M - k) (M - k - 1) ... (M - m), m being the largest size searched, below M.

    Searched to the end this is (M - k)!: the number of ways to go from the set to all keys, one key at a time. Elliot,
    Manning, Mayes, Gurd and Bane (2005), SUDA: a program for detecting special uniques.

    >>> ElliotScore().weights(3, 3).tolist()
    [0.0, 2.0, 1.0, 1.0]
    """

    def weights(self, keys: int, largest: int) -> FloatArray:
        """Give what sets of 0, 1, ... keys count."""
        end = min(largest, keys - 1)
        found = [float(math.prod(keys - i for i in range(k, end + 1))) for k in range(1, keys + 1)]
        return np.array([0.0, *(w if k <= largest else 0.0 for k, w in enumerate(found, 1))])

    def describe(self) -> str:
        """Say it in words."""
        return "Elliot's scores"


@dataclass(frozen=True, slots=True)
class SupersetScore:
    """A set of k among M keys counts (2^(M - k) - 1) / C(M, k): the larger sets that hold it, over the sets of its size.

    What the first programs did, and sdcMicro does with original_scores=FALSE. A set of all keys counts nothing.

    >>> SupersetScore().weights(3, 3).round(3).tolist()
    [0.0, 1.0, 0.333, 0.0]
    """

    def weights(self, keys: int, largest: int) -> FloatArray:
        """Give what sets of 0, 1, ... keys count."""
        found = [(2.0 ** (keys - k) - 1.0) / math.comb(keys, k) if 0 < k <= largest else 0.0 for k in range(keys + 1)]
        return np.array(found)

    def describe(self) -> str:
        """Say it in words."""
        return "superset scores"


Scoring = ElliotScore | SupersetScore
ELLIOT = ElliotScore()
