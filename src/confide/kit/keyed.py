"""Random numbers that nobody can guess who does not hold the secret: AES-256 over counters (FIPS 197, SP 800-38A).

Every number is a function of the secret, the purpose, the key of the record and the number of the draw. It does not depend
on the order of records, on chunks, threads or engines. Without the secret the numbers cannot be told from truly random
ones, as far as is publicly known; trying all secrets is out of reach.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from scipy.special import ndtri

from confide.seeds import Stream
from confide.typing import FloatArray, IntArray

CHUNK = 1 << 17
"""So many blocks are enciphered at once: they stay in the processor's cache."""
DENSE = 4
"""Keys are dense where they fill one place in so many of those between the smallest and the largest."""

Words = np.ndarray[tuple[int], np.dtype[np.uint64]]


def enciphered(key: bytes, blocks: bytes) -> bytes:
    """Encipher blocks of 16 bytes, each by itself.

    >>> enciphered(bytes(range(32)), bytes.fromhex("00112233445566778899aabbccddeeff")).hex()
    '8ea2b7ca516745bfeafc49904b496089'
    """
    # blocks are counters, none comes twice
    cipher = Cipher(algorithms.AES256(key), modes.ECB()).encryptor()  # noqa: S305
    return cipher.update(blocks) + cipher.finalize()


def key_stream(key: bytes, counter: bytes, size: int) -> Words:
    """Encipher counters that follow each other (CTR), and read two words from each block, the lower byte first.

    Args:
        key: 256 bits.
        counter: the first block, 128 bits, the higher byte first.
        size: the number of words, an even one.
    """
    out, zeros = np.empty(size, dtype="<u8"), bytes(16 * CHUNK)
    target = out.data.cast("B")
    cipher = Cipher(algorithms.AES256(key), modes.CTR(counter)).encryptor()
    for first in range(0, 8 * size, len(zeros)):
        part = target[first : first + len(zeros)]
        cipher.update_into(zeros[: len(part)], part)
    return out


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class KeyedDraws:
    """Random numbers for one purpose, addressed by record key and draw.

    >>> stream = KeyedDraws(bytes(32))
    >>> keys = np.arange(3)
    >>> bool((stream.uniform(keys) == stream.uniform(keys)).all())
    True
    >>> bool((stream.uniform(keys, draw=1) == stream.uniform(keys)).any())
    False
    """

    key: bytes
    """The 256 bits for this purpose."""

    def words(self, keys: IntArray, draw: int = 0) -> Words:
        """Give one 64-bit word for each record key: a half of block (draw, key / 2)."""
        if keys.size == 0:
            return np.zeros(0, dtype=np.uint64)
        low, high = int(keys.min()), int(keys.max())
        if low < 0:
            raise ValueError("record keys are 0 or more")
        if high - low >= DENSE * keys.size:
            return self._scattered(keys.astype(np.uint64), draw)
        first = low - low % 2
        words = key_stream(self.key, draw.to_bytes(8, "big") + (first // 2).to_bytes(8, "big"), high + 2 - first - high % 2)
        return words[low - first : high + 1 - first] if _is_run(keys, low, high) else words[keys - first]

    def _scattered(self, keys: Words, draw: int) -> Words:
        """Give the words of keys that lie far apart."""
        plain = np.empty((keys.size, 2), dtype=">u8")
        plain[:, 0], plain[:, 1] = draw, keys >> np.uint64(1)
        block = np.frombuffer(enciphered(self.key, plain.tobytes()), dtype="<u8").reshape(-1, 2)
        return block[np.arange(keys.size), (keys & np.uint64(1)).astype(np.intp)]

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


Draws = Stream | KeyedDraws
"""Random numbers for a step: from a secret, or from an integer seed that anyone can guess."""


def _is_run(keys: IntArray, low: int, high: int) -> bool:
    """Say whether keys follow each other."""
    return high - low + 1 == keys.size and int(keys[0]) == low and bool(np.all(keys[1:] - keys[:-1] == 1))
