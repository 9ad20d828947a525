"""Complete a released file at the leaves: a category of several values becomes values, as a reader would guess them."""

from __future__ import annotations

import numpy as np

from confide.data.column import Column
from confide.seeds import Stream
from confide.typing import IntArray
from confide.utility.files import Files
from confide.utility.leaves import Leaves


def completed(files: Files, name: str, leaves: Leaves, seed: int) -> Column:
    """Give the released variable with a source value in place of each category that stands for several.

    The values of a category occur in their shares, as nearly as whole records allow; which record gets which is by chance.
    What no source value leads to stays as it is.

    Args:
        files: both files.
        name: the variable.
        leaves: what its released values stand for.
        seed: which record gets which value.

    >>> import confide as cf
    >>> from confide.utility.files import files_of
    >>> from confide.utility.leaves import leaves_of
    >>> data = cf.Microdata.from_dict({"edu": ["a", "a", "a", "b", "c"]})
    >>> masked = cf.Release(cf.Recode("edu", mapping={"a": "ab", "b": "ab", "c": "c"})).apply(data, seed=1)
    >>> files = files_of(masked, "a measure", weights=True)
    >>> sorted(completed(files, "edu", leaves_of(files, "edu", cf.SpreadEvenly()), 0).values())
    ['a', 'a', 'b', 'b', 'c']
    """
    source, released = files.source.columns[name], files.released.columns[name]
    leaf = _allotted(leaves, Stream(seed, f"completed {name}"))
    values = source.take(leaves.first).append(released)
    return values.take(np.where(leaf >= 0, leaf, leaves.first.size + np.arange(released.size)))


def _allotted(leaves: Leaves, stream: Stream) -> IntArray:
    """Give each released record a leaf of its category, in order of chance; -1 where it has none."""
    rows = np.flatnonzero(leaves.codes >= 0)
    words = stream.words(rows.astype(np.int64))
    rows = rows[np.lexsort((words, leaves.codes[rows]))]
    code = leaves.codes[rows]
    count = np.bincount(code, minlength=leaves.groups)
    rank = np.arange(rows.size) - (np.cumsum(count) - count)[code]
    by_group = np.argsort(leaves.group, kind="stable")
    # the end of each leaf's stretch on a line where every category has length one
    ends = np.cumsum(leaves.share[by_group])
    place = np.searchsorted(ends, code + (rank + 0.5) / count[code])
    found = np.full(leaves.codes.size, -1, dtype=np.int64)
    found[rows] = by_group[np.minimum(place, ends.size - 1)]
    return found
