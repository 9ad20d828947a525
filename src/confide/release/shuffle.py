"""Records in random order: their place must not tell whose they are."""

from __future__ import annotations

import numpy as np

from confide.data.codebook import Kind, Role
from confide.data.column import Column
from confide.release.chance import Chance
from confide.release.method import Draft


def shuffled(draft: Draft, chance: Chance) -> Draft:
    """Put records into random order, and number households anew as they come.

    Args:
        draft: the masked file.
        chance: what the order hangs on; it has numbers of its own.
    """
    order = chance.draws("order of records").order(draft.keys)
    data = draft.data.take(order)
    for name in data.with_role(Role.HOUSEHOLD):
        place, distinct = data.columns[name].profile()
        missing = distinct.is_missing[place]
        _, first = np.unique(place, return_index=True)
        rank = np.empty(distinct.size, dtype=np.int64)
        rank[place[np.sort(first)]] = np.arange(distinct.size)
        numbers = np.where(missing, np.nan, rank[place] + 1.0)
        data = data.with_columns({name: Column.of_numbers(numbers.tolist())}, {name: Kind.INTEGER})
    return Draft(data, draft.parent[order], draft.keys[order])
