"""Two chains over matchings, run until the answer is as certain as asked (see `chain` and `shrinkage`).

They start apart, each from its own random matching, so that their difference says how far to trust their mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import InternalError, LikelihoodError
from confide.linking.parallel import cores
from confide.linking.posterior.joint.chain import LONGEST, Odds, cumulated, insert, run_chain
from confide.linking.posterior.joint.cluster import NOTHING
from confide.linking.posterior.joint.matching import complete
from confide.linking.posterior.joint.scaling import best_matching
from confide.seeds import Stream
from confide.typing import AnyArray, FloatArray, IntArray

HOPS = 1.2
"""Hops of worms for each record and sweep; from .5 to 3 the variance for the same time is about the same."""
WORMS = 0.001
"""Worms for each record and sweep in the first TRIAL sweeps; then as many as make HOPS, at most MOST_WORMS."""
MOST_WORMS, TRIAL = 0.1, 3
SURE = 0.99
"""Records with a pair more probable than this hardly ever move."""
SETTLING = 30
"""Sweeps before counting starts."""
SLICE = 4_000_000
"""Steps between two looks at the clock."""


@dataclass(slots=True, eq=False)
class Chain:
    """Where a chain is, and how long each pair has been held."""

    held: AnyArray
    holder: AnyArray
    since: AnyArray
    stay: AnyArray
    state: AnyArray
    clock: int = 0
    hops: int = 0
    worms: float = WORMS


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
        state, indptr, indices = words.astype(np.uint64), self.odds.indptr, self.odds.indices
        held = insert(self.odds, self.respondents, state)
        mate = np.where(held >= 0, indices[np.maximum(held, 0)], -1).astype(np.int64)
        holder = np.full(self.respondents, -1)
        holder[mate[mate >= 0]] = np.flatnonzero(mate >= 0)
        complete(indptr, indices, mate, holder)
        if (mate < 0).any():
            raise InternalError("no matching was found where one exists")
        held = self._pairs_of(mate, held)
        if (self.odds.weight[held] <= NOTHING).any():  # so extreme a range that a random start would be next to impossible
            u, v = np.empty(held.size), np.empty(self.respondents)
            best_matching(indptr, indices.astype(np.int64), self.values, u, v, mate)
            held = self._pairs_of(mate, held)
            holder[:] = -1
            holder[mate] = np.arange(mate.size)
        since, stay = np.zeros(held.size, np.int32), np.zeros(indices.size, np.int32)
        return Chain(held.astype(np.int32), holder.astype(np.int32), since, stay, state)

    def _pairs_of(self, mate: IntArray, held: IntArray) -> IntArray:
        """Give the pair of each record and its respondent; held are those of most of them."""
        indptr, indices = self.odds.indptr, self.odds.indices
        held = held.copy()
        for j in np.flatnonzero((held < 0) | (indices[np.maximum(held, 0)] != mate)):
            held[j] = indptr[j] + np.searchsorted(indices[indptr[j] : indptr[j + 1]], mate[j])
        return held

    def run(self, chain: Chain, sweeps: int) -> None:
        """Let a chain go on."""
        state = (chain.held, chain.holder, chain.since, chain.stay)
        chain.clock, hops = run_chain(sweeps, chain.worms, chain.clock, self.odds, *state, LONGEST, chain.state)
        chain.hops += hops

    def settle(self, chain: Chain, sweeps: int = SETTLING) -> None:
        """Let a chain forget its start, and see how long worms are."""
        self.run(chain, TRIAL)
        for more in (TRIAL, sweeps):
            length = chain.hops / (chain.worms * chain.clock * self.records + 1.0)
            chain.worms = min(MOST_WORMS, HOPS / max(length, 1.0))
            chain.hops, chain.clock = 0, 0
            chain.since[:] = 0
            self.run(chain, more)
        chain.stay[:] = 0
        chain.since[:] = 0
        chain.clock = 0


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
    indptr, indices = table.indptr.astype(np.int64), table.indices.astype(np.int32)
    top, first, heap = cumulated(indptr, weight)
    rare = np.maximum.reduceat(p, indptr[:-1]) > SURE
    return Walk(Odds(indptr, indices, weight.astype(np.float32), top, first, heap, rare, leave), table.shape[1], table.data)


def shares(chains: Sequence[Chain]) -> tuple[FloatArray, ...]:
    """Give the share of time each chain held each pair.

    After a run, `since` is the clock, even where an interruption came before the chain's own was set.
    """
    return tuple(chain.stay * (1.0 / chain.since[0]) for chain in chains)


def both(work: Callable[[Chain], None], chains: Sequence[Chain]) -> None:
    """Do the same with both chains, side by side where there are cores for it."""
    if cores() == 1:
        for chain in chains:
            work(chain)
        return
    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(work, chains))
