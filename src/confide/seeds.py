"""The only source of randomness: (seed, step, record key) → stream.

Every random number is a pure function of the seed, the name of the step that asks, the key of
the record it is for and the number of the draw. It does not depend on the order of records, on
chunks, threads or engines, so one integer seed gives the same bytes everywhere.

The mixing function is the finaliser of SplitMix64 (Steele, Lea and Flood 2014), applied once for
each of the four parts.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from confide.typing import FloatArray, IntArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)


def _mix(x: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Finalise 64-bit words so that close inputs give unrelated outputs."""
    x = x + _GOLDEN
    x = (x ^ (x >> np.uint64(30))) * _MIX1
    x = (x ^ (x >> np.uint64(27))) * _MIX2
    return x ^ (x >> np.uint64(31))


@dataclass(frozen=True, slots=True)
class Stream:
    """Random numbers for one step, addressed by record key and draw.

    >>> stream = Stream(7, "noise tax")
    >>> keys = np.arange(3)
    >>> bool((stream.uniform(keys) == stream.uniform(keys)).all())
    True
    >>> bool((stream.uniform(keys, draw=1) == stream.uniform(keys)).any())
    False
    """

    seed: int
    """The user's integer seed."""
    step: str
    """The name of the step that asks, unique within a release."""

    def words(self, keys: IntArray, draw: int = 0) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        """Give one 64-bit word for each record key."""
        digest = hashlib.blake2b(f"{self.seed}\x1f{self.step}".encode(), digest_size=8).digest()
        start = np.array([int.from_bytes(digest, "little")], dtype=np.uint64)
        with np.errstate(over="ignore"):
            state = _mix(start + np.uint64(draw) * _MIX1)
            return _mix(_mix(keys.astype(np.uint64) ^ state) + state)

    def uniform(self, keys: IntArray, draw: int = 0) -> FloatArray:
        """Give one number in the open interval (0, 1) for each record key."""
        top = (self.words(keys, draw) >> np.uint64(11)).astype(np.float64)
        return (top + 0.5) * 2.0**-53

    def normal(self, keys: IntArray, draw: int = 0) -> FloatArray:
        """Give one standard normal number for each record key."""
        return np.asarray(ndtri(self.uniform(keys, draw)), dtype=np.float64)

    def order(self, keys: IntArray, draw: int = 0) -> IntArray:
        """Give the positions of the keys in random order."""
        return np.lexsort((keys, self.words(keys, draw))).astype(np.int64)
