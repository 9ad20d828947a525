"""A name for what a file holds: another one as soon as one value differs."""

from __future__ import annotations

import hashlib

import numpy as np

from confide.data.column import MISSING, NUMBER, Column
from confide.data.microdata import Microdata

ROWS = 1 << 20
"""So many rows are hashed at once."""


def content_digest(data: Microdata) -> str:
    """Give 256 bits that stand for all values of a file, in the order of its records.

    Roles and kinds do not count, nor do the order of columns and the codes of labels.

    >>> from confide.data.microdata import Microdata
    >>> one, other = (Microdata.from_dict({"income": [100, x]}) for x in (200, 201))
    >>> content_digest(one) == content_digest(other), len(content_digest(one))
    (False, 64)
    """
    digest = hashlib.sha256()
    for name in sorted(data.names):
        of_column = _of_column(data.columns[name])
        digest.update(f"{len(name.encode())}\x1f{name}\x1f".encode() + of_column)
    return digest.hexdigest()


def _of_column(column: Column) -> bytes:
    """Hash a column by its values: a word for each record's label, and its number."""
    digest = hashlib.sha256(f"{column.size}".encode())
    words = [_word(f"{type(label).__name__}\x1f{label!r}") for label in column.labels]
    table = np.array([*words, _word("missing"), _word("number")], dtype="<u8")
    assert (MISSING, NUMBER) == (-2, -1)
    for first in range(0, column.size, ROWS):
        part = slice(first, first + ROWS)
        digest.update(table[column.codes[part]].tobytes())
        numbers = np.where(np.isnan(column.numbers[part]), 0.0, column.numbers[part]) + 0.0
        digest.update(numbers.astype("<f8").tobytes())
    return digest.digest()


def _word(text: str) -> int:
    """Give 64 bits for a text."""
    return int.from_bytes(hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest(), "little")
