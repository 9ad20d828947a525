"""How pairs that are no matches agree: from the pairs in blocks, or from pairs of all records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from confide.linking.probabilistic.blocks import Blocked
from confide.linking.probabilistic.comparison import Compared
from confide.linking.probabilistic.kernels import Candidates
from confide.linking.probabilistic.truncation import Truncation
from confide.seeds import Stream
from confide.typing import AnyArray, IntArray


@dataclass(frozen=True, slots=True)
class WithinBlocks:
    """Estimate how other pairs agree from the pairs in blocks, together with all else, by EM.

    Right where blocks are made by variables that are not compared: agreements may depend on the block.
    """


@dataclass(frozen=True, slots=True)
class AmongAllPairs:
    """Take how other pairs agree from pairs of all records, and reckon with what blocks hide.

    Right where blocks are made by variables that are compared, too: within such blocks agreements are not independent,
    though they are among all pairs. Matches outside the blocks are allowed for.
    """

    records: int = 2_000
    """Pairs of so many records drawn from each file are compared; of smaller files, all."""


Chance: TypeAlias = WithinBlocks | AmongAllPairs
"""How the agreement of other pairs is found."""


class AllPairs(NamedTuple):
    """How pairs of all records agree."""

    level: AnyArray
    """The patterns of the sample, patterns by comparisons."""
    many: IntArray
    """How many pairs of the sample have each."""
    total: float
    """The number of all pairs."""
    truncation: Truncation | None
    """Which agreements bring pairs into blocks."""


def drawn_pairs(parts: Sequence[Compared], records: int, seed: int, *, within: bool) -> Blocked:
    """Give all pairs of some records of each file, drawn at random.

    Args:
        parts: the comparisons.
        records: how many records are drawn from each file.
        seed: of the draw.
        within: whether both files are the same.
    """
    n, m = parts[0].source.size, parts[0].released.size
    rows, order = _drawn(n, records, seed, "source"), _drawn(m, records, seed, "released")
    if within:
        order = rows
    low = np.arange(1, rows.size + 1) if within else np.zeros(rows.size, dtype=np.int64)
    high = np.full(rows.size, order.size)
    none = np.zeros((1, n), dtype=np.int32), np.zeros((1, m), dtype=np.int32)
    zero = np.zeros(rows.size, dtype=np.int64)
    candidates = Candidates(rows, zero, low.astype(np.int64), high.astype(np.int64), order, *none)
    return Blocked(candidates, (), int((high - low).sum()))


def _drawn(n: int, records: int, seed: int, file: str) -> IntArray:
    """Draw records, in the order of the file."""
    return np.sort(Stream(seed, f"pairs of all records, {file}").order(np.arange(n, dtype=np.int64))[:records])
