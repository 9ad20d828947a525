"""Write a source variable in the categories of the release."""

from __future__ import annotations

import numpy as np

from confide.data.column import MISSING, NUMBER, Column
from confide.release.channel import Deterministic
from confide.release.released import Released
from confide.typing import IntArray


def in_released_coding(released: Released, source: Column, name: str) -> Column:
    """Give the source values as the release writes them, before anything random happens to them.

    Numbers that stay numbers are left as they are. Recodes and topcodes of a declared release are
    repeated; of a release that others made, the categories are learned from pairs of records.
    Values of which nothing can be learned are missing.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"age": [43, 39, 40]}).declare(kinds={"age": "integer"})
    >>> masked = cf.Release(cf.Recode("age", width=5), cf.Swap("age", rate=1.0)).apply(data, seed=1)
    >>> in_released_coding(masked, data.column("age"), "age").values()
    ['40-44', '35-39', '40-44']
    """
    column = released.data.columns[name]
    if not (column.codes >= 0).any() and not (source.codes >= 0).any():
        return source
    if released.steps:
        channels = (step.channels.get(name) for step in released.steps)
        coded = source
        for channel in channels:
            if isinstance(channel, Deterministic):
                coded = channel.push(coded)
        return coded
    return learned_coding(source, column, released.parent)


def learned_coding(source: Column, released: Column, parent: IntArray) -> Column:
    """Give each source value the category in which it is released most often.

    A category that both files hold means the same in both.

    >>> source, released = Column.of_numbers([1.0, 2.0, 8.0]), Column.of_labels(["low", "low", "high"])
    >>> learned_coding(source, released, np.arange(3)).values()
    ['low', 'low', 'high']
    """
    positions, distinct = source.profile()
    known = np.flatnonzero((parent >= 0) & ~released.is_missing)
    wide = len(released.labels) + 1
    pair = positions[parent[known]] * wide + released.codes[known] + 1
    values, counts = np.unique(pair, return_counts=True)
    best = np.full(distinct.size, MISSING, dtype=np.int64)
    # the last to be written is the most frequent; of equals, the first in order
    order = np.lexsort((-values, counts))
    best[values[order] // wide] = values[order] % wide - 1
    labels = tuple(dict.fromkeys((*released.labels, *source.labels)))
    in_both = {released.labels[c] for c in np.unique(released.codes[released.codes >= 0])} & set(source.labels)
    own = np.array([labels.index(x) if x in in_both else -1 for x in source.labels], dtype=np.int64)
    coded = distinct.codes >= 0
    best[coded & (best == NUMBER)] = MISSING
    if own.size:
        alike = np.where(coded, own[np.where(coded, distinct.codes, 0)], -1)
        best = np.where(alike >= 0, alike, best)
    best[distinct.is_missing] = MISSING
    codes = best[positions]
    return Column(np.where(codes == NUMBER, source.numbers, np.nan), codes, labels)
