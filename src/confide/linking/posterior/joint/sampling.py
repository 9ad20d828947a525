"""Two chains over matchings, run until the answer is as certain as asked (see `chain` and `shrinkage`).

They start apart, each from its own random matching, so that their difference says how far to trust their mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from confide.errors import InternalError, LikelihoodError
from confide.linking.parallel import cores
from confide.linking.posterior.joint.chain import (
    COUNT,
    LINE,
    LONGEST,
    MORE,
    Odds,
    State,
    heaviest_first,
    insert,
    lines,
    run_chain,
    shares,
)
from confide.linking.posterior.joint.cluster import NOTHING
from confide.linking.posterior.joint.matching import complete
from confide.linking.posterior.joint.scaling import best_matching
from confide.seeds import Stream
from confide.typing import AnyArray, FloatArray, IntArray

T = TypeVar("T")
R = TypeVar("R")
HOPS, SHORT_WORMS = 0.3, 0.1
"""Hops of worms for each record and sweep, and short worms for each respondent; from .3 to .6 and from .05 to .2 the
variance for the same time is about the same."""
WORMS = 100.0
"""Worms in each of the first TRIAL sweeps; then as many as make HOPS, at most MOST_WORMS a record."""
MOST_WORMS, TRIAL = 0.1, 3
SURE = 0.99
"""Records with a pair more probable than this hardly ever move."""
SETTLING = 30
"""Sweeps before counting starts."""
SLICE = 12_000_000
"""Steps between two looks at the clock."""


@dataclass(slots=True, eq=False)
class Chain:
    """Where a chain is, and how long each pair has been held."""

    now: State
    state: AnyArray
    """Of the generator."""
    worms: float
    """For each record and sweep."""
    clock: int = 0
    started: int = 0
    hops: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """What both chains walk on: the graph and the weights of its pairs."""

    odds: Odds
    respondents: int
    values: FloatArray
    """Log densities of the pairs."""

    @property
    def records(self) -> int:
        """The number of records."""
        return int(self.odds.indptr.size) - 1

    def start(self, seed: int, which: int) -> Chain:
        """Give a chain at a random matching, made whole by augmenting paths."""
        words = Stream(seed, "matchings").words(np.array([which], dtype=np.int64))
        state, indptr, indices = words.astype(np.uint64), self.odds.indptr, self.odds.respondent
        held = insert(self.odds, self.respondents, state)
        mate = np.where(held >= 0, indices[np.maximum(held, 0)], -1).astype(np.int64)
        holder = np.full(self.respondents, -1)
        holder[mate[mate >= 0]] = np.flatnonzero(mate >= 0)
        complete(indptr, indices, mate, holder)
        if (mate < 0).any():
            raise InternalError("no matching was found where one exists")
        held = self._pairs_of(mate, held)
        if (self._weights(held) <= NOTHING).any():  # so extreme a range that a random start would be next to impossible
            u, v, values = np.empty(held.size), np.empty(self.respondents), self.values[self.odds.place]
            best_matching(indptr, indices.astype(np.int64), values, u, v, mate)
            held = self._pairs_of(mate, held)
            holder[:] = -1
            holder[mate] = np.arange(mate.size)
        line = _aligned(held.size)
        now = State(line, line.view(np.float32), holder.astype(np.int32), np.zeros(indices.size, np.int32))
        lines(self.odds, held, now.line, now.real)
        return Chain(now, state, min(MOST_WORMS, WORMS / held.size))

    def _weights(self, held: IntArray) -> FloatArray:
        """Give the weights of some pairs, one of each record."""
        heavier = np.where(held > self.odds.indptr[:-1], self.odds.tail[np.maximum(held - 1, 0)], 1.0)
        return np.asarray(heavier - self.odds.tail[held], dtype=np.float64)

    def _pairs_of(self, mate: IntArray, held: IntArray) -> IntArray:
        """Give the pair of each record and its respondent; held are those of most of them."""
        indptr, indices, held = self.odds.indptr, self.odds.respondent, held.copy()
        for j in np.flatnonzero((held < 0) | (indices[np.maximum(held, 0)] != mate)):
            held[j] = indptr[j] + np.flatnonzero(indices[indptr[j] : indptr[j + 1]] == mate[j])[0]
        return held

    def run(self, chain: Chain, sweeps: int) -> None:
        """Let a chain go on."""
        longest = LONGEST + MORE * self.records
        found = run_chain(sweeps, chain.worms, SHORT_WORMS, chain.clock, self.odds, chain.now, longest, chain.state)
        chain.clock, chain.started, chain.hops = found[0], chain.started + found[1], chain.hops + found[2]

    def shares(self, chains: Sequence[Chain]) -> tuple[FloatArray, ...]:
        """Give the share of sweeps after which each chain held each pair, in the order of the table."""
        return tuple(shares(self.odds, chain.now) for chain in chains)

    def settle(self, chain: Chain, sweeps: int = SETTLING) -> None:
        """Let a chain forget its start, and see how long worms are."""
        for more in (TRIAL, sweeps // 2, sweeps - sweeps // 2):
            self.run(chain, more)
            chain.worms = min(MOST_WORMS, HOPS * (chain.started + 1) / (chain.hops + 1))
        chain.clock = 0
        chain.now.line[:, COUNT : COUNT + 4] = 0
        chain.now.rest[:] = 0


def _aligned(records: int) -> AnyArray:
    """Give room for the records' lines, each in one line of the cache and not across two."""
    room = np.empty((records + 1) * LINE, np.int32)
    at = -room.ctypes.data // room.itemsize % LINE
    return room[at : at + records * LINE].reshape(records, LINE)


def walk(table: Any, weight: FloatArray, leave: FloatArray, p: FloatArray) -> Walk:
    """Prepare a walk on a CSR table with sorted respondents.

    Args:
        table: the pairs.
        weight: of each pair.
        leave: of leaving each respondent out.
        p: roughly how probable each pair is; records that are nearly sure swap less often.
    """
    if weight.size >= np.iinfo(np.int32).max:
        raise LikelihoodError(f"{weight.size:,} possible pairs are too many for chains; set tolerance=math.inf")
    indptr, pairs = table.indptr.astype(np.int64), weight.size
    respondent, tail, place = np.empty(pairs, np.int32), np.empty(pairs, np.float32), np.empty(pairs, np.int32)
    heaviest_first(indptr, table.indices, weight, respondent, tail, place)
    often = np.flatnonzero(np.maximum.reduceat(p, indptr[:-1]) <= SURE).astype(np.int32)
    return Walk(Odds(indptr, respondent, tail, place, often, leave), table.shape[1], table.data)


def both(work: Callable[[T], R], pair: Sequence[T]) -> list[R]:
    """Do the same for both chains, side by side where there are cores for it."""
    if cores() == 1:
        return [work(one) for one in pair]
    with ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(work, pair))
