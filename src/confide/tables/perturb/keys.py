"""Record keys and cell keys (Fraser and Wooton 2005): the same records have the same noise in every table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import TableError, unknown
from confide.kit.keyed import Draws
from confide.kit.secret import Secret
from confide.seeds import Stream
from confide.tables.labels import numbers_of
from confide.typing import FloatArray, IntArray

HALF = 26
"""A key has two halves of so many binary digits; sums of each are exact for files of up to 2^27 records."""


@dataclass(frozen=True, slots=True)
class RecordKeys:
    """A number from 0 to less than 1 for each record, from a secret and the record's place in the file.

    Whoever knows the keys takes the noise away: an integer seed, which anyone can guess, is for tests and studies.
    Records that move to another place get another key: keep keys in a column of the file, and name the column, when
    tables are made from files whose rows differ.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "m"]})
    >>> keys = RecordKeys(seed=1).of(data)
    >>> keys.shape, bool(((keys >= 0) & (keys < 1)).all())
    ((2,), True)
    """

    secret: Secret | None = None
    """What the keys hang on; None, and no seed: a fresh one, kept as long as this object."""
    seed: int | None = None
    """An integer in place of it, for tests and studies."""

    def __post_init__(self) -> None:
        """Take a fresh secret where there is nothing."""
        if self.secret is not None and self.seed is not None:
            raise TableError("RecordKeys takes a secret, or a seed for tests and studies, not both")
        if self.secret is not None and not isinstance(self.secret, Secret):
            raise TableError(f"RecordKeys takes a Secret, as Secret.fresh() makes it, found {type(self.secret).__name__}")
        if self.seed is not None and (isinstance(self.seed, bool) or not isinstance(self.seed, int)):
            raise TableError(f"RecordKeys: seed must be an integer, found {type(self.seed).__name__}")
        if self.secret is None and self.seed is None:
            object.__setattr__(self, "secret", Secret.fresh())

    def of(self, file: Microdata) -> FloatArray:
        """Give the keys, such as to keep them in the file."""
        words = self.draws("record keys").words(np.arange(file.n, dtype=np.int64))
        return (words >> np.uint64(64 - 2 * HALF)).astype(np.float64) / 2.0 ** (2 * HALF)

    def draws(self, purpose: str) -> Draws:
        """Give the random numbers for a purpose."""
        return Stream(self.seed or 0, purpose) if self.secret is None else self.secret.draws(purpose)


def record_keys(file: Microdata, keys: RecordKeys | str) -> FloatArray:
    """Give the keys of records, from a seed or from a column of the file."""
    if isinstance(keys, RecordKeys):
        return keys.of(file)
    if keys not in file.columns:
        raise TableError(unknown("variable", keys, file.names))
    found = numbers_of(file, keys)
    bad = int(((found < 0) | (found >= 1)).sum())
    if bad:
        raise TableError(f"record keys lie from 0 to less than 1; {keys!r} does not for {bad:,} of {file.n:,} records")
    return found


def halves(keys: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Cut keys into their first and their last digits, as whole numbers whose sums are exact."""
    whole = np.floor(keys * 2.0 ** (2 * HALF)).astype(np.int64)
    first = whole >> HALF
    return first.astype(np.float64), (whole - (first << HALF)).astype(np.float64)


def cell_keys_of(sums: FloatArray) -> IntArray:
    """Give the fractional part of the sums of keys, in units of 2^-52, from the sums of both halves.

    >>> both = [np.atleast_1d(h.sum()) for h in halves(np.array([0.75, 0.5]))]
    >>> (cell_keys_of(np.stack(both)) / 2**52).tolist()
    [0.25]
    """
    first, last = np.rint(sums).astype(np.int64)
    return np.asarray(((first % (1 << HALF)) * (1 << HALF) + last) % (1 << (2 * HALF)), dtype=np.int64)


def for_counts(cell_keys: IntArray) -> FloatArray:
    """Give the numbers from 0 to less than 1 by which the noise of counts is looked up: all digits."""
    return cell_keys / 2.0 ** (2 * HALF)


def for_magnitudes(cell_keys: IntArray) -> FloatArray:
    """Give those for magnitudes: the last digits, which say nothing of the noise of counts."""
    return (cell_keys % (1 << HALF)) / 2.0**HALF
