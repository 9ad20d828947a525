"""How far each column of a reduced system can move: ends that are proven from inside and from outside.

Every solution of the system shows that all its columns can go at least that far, not only the one it was sought for.
Ends that follow from single equations, or that a programme found, show that a column can go no farther. Where both meet,
nothing is left to solve.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_array

from confide.tables.audit.model import WarmModel
from confide.tables.protection import TOLERANCE
from confide.typing import BoolArray, FloatArray, IntArray

CLOSE = 1e-7
"""Ends nearer than this share of the amounts are taken as equal; it is the solver's tolerance."""
POOL = 30_000_000
"""How many nonzero numbers of solutions are kept for later attackers."""
DOUBTFUL, SURE = 12, 2
"""How many ends are tried alone before all are pushed together, after a search that failed and after one that did not."""


@dataclass(slots=True, eq=False)
class Need:
    """How far columns must be able to move; infinite: the exact end is wanted, 0: nothing is."""

    low: FloatArray
    high: FloatArray
    wide: FloatArray


@dataclass(slots=True, eq=False)
class Doubts:
    """What failed before, where one end that fails is enough to know."""

    ends: FloatArray
    """How often each lower end, then each upper end, was found to fail."""
    tries: int = SURE

    def note(self, failed: IntArray | None) -> None:
        """Keep which ends failed; None: none did."""
        self.tries = SURE if failed is None else DOUBTFUL
        if failed is not None:
            self.ends[failed] += 1.0


@dataclass(slots=True, eq=False)
class Reach:
    """Ends of all columns: `low`, `high` are attained by solutions, `out_low`, `out_high` cannot be passed."""

    low: FloatArray
    high: FloatArray
    out_low: FloatArray
    out_high: FloatArray
    slack: FloatArray
    """What counts as equal, for each column."""

    @classmethod
    def start(cls, low: FloatArray, high: FloatArray) -> Reach:
        """Begin with the true values as the only solution."""
        size = np.where(np.isfinite(low), -low, 0.0) + np.where(np.isfinite(high), high, 0.0)
        zero = np.zeros(low.size)
        return cls(zero, zero.copy(), low.copy(), high.copy(), CLOSE * np.maximum(size, 1e-300))

    def learn(self, d: FloatArray) -> None:
        """Take in a solution."""
        np.minimum(self.low, d, out=self.low)
        np.maximum(self.high, d, out=self.high)

    def pending(self, need: Need) -> tuple[BoolArray, BoolArray]:
        """Say which lower and which upper ends are still to be found."""
        narrow = self.high - self.low < need.wide * (1 - TOLERANCE)
        low = (self.low > self.out_low + self.slack) & (narrow | (-self.low < need.low * (1 - TOLERANCE)))
        high = (self.high < self.out_high - self.slack) & (narrow | (self.high < need.high * (1 - TOLERANCE)))
        return low, high

    def short(self, need: Need) -> bool:
        """Say whether some column is known not to go as far as needed."""
        low, high = self.out_low + self.slack, self.out_high - self.slack
        far = (-low < need.low * (1 - TOLERANCE) - 2 * self.slack) | (high < need.high * (1 - TOLERANCE) - 2 * self.slack)
        return bool((far | (high - low < need.wide * (1 - TOLERANCE) - 4 * self.slack)).any())


@dataclass(slots=True, eq=False)
class Block:
    """Components that are solved in one programme: one bound of each at a time."""

    columns: IntArray
    """The columns of the reduced system."""
    component: IntArray
    """The component of each of them."""
    matrix: csr_array
    reach: Reach
    low: FloatArray
    high: FloatArray
    pool: list[tuple[IntArray, FloatArray]] = field(default_factory=list)
    """Solutions found, as places and amounts that are not 0."""
    kept: int = 0
    stacked: csr_array | None = None
    """Solutions found, as a sparse table, for attackers."""
    _model: WarmModel | None = None

    @property
    def model(self) -> WarmModel:
        """The programme, made when first asked for."""
        if self._model is None:
            self._model = WarmModel(self.matrix, self.low, self.high)
        return self._model

    @property
    def solved(self) -> int:
        """How many programmes were solved."""
        return 0 if self._model is None else self._model.solved

    @property
    def pivots(self) -> int:
        """How many pivots that took."""
        return 0 if self._model is None else self._model.pivots

    def learn(self, d: FloatArray, reach: Reach) -> None:
        """Take in a solution and keep it for later attackers."""
        reach.learn(d)
        at = np.flatnonzero(d)
        self._keep(at, d[at])


    def learn_at(self, places: IntArray, amounts: FloatArray) -> None:
        """Take in a solution for everybody that moves a few columns."""
        d = np.clip(amounts, self.low[places], self.high[places])
        self.reach.low[places] = np.minimum(self.reach.low[places], d)
        self.reach.high[places] = np.maximum(self.reach.high[places], d)
        self._keep(places, d)

    def _keep(self, places: IntArray, amounts: FloatArray) -> None:
        """Keep a solution for later attackers, while there is room."""
        if self.kept + places.size <= POOL:
            self.kept += places.size
            self.pool.append((places, amounts))

    def table(self) -> csr_array:
        """Give the solutions that are kept, one in each row."""
        if self.stacked is None or self.stacked.shape[0] < 0.9 * len(self.pool):
            ends = np.cumsum([0] + [p.size for p, _ in self.pool])
            amounts = np.concatenate([x for _, x in self.pool]) if self.pool else np.zeros(0)
            places = np.concatenate([p for p, _ in self.pool]) if self.pool else np.zeros(0, dtype=np.int64)
            self.stacked = csr_array((amounts, places, ends), shape=(len(self.pool), self.columns.size))
        return self.stacked


def settle(block: Block, reach: Reach, need: Need, tick: Callable[[], None], *, doubts: Doubts | None = None) -> None:
    """Find the ends that are needed.

    First whole groups of ends are pushed at once; then one end of each component at a time. With `doubts`, ends
    that are likely to fail come first, the search stops at the first that does, and that is noted.
    """
    if not _any(reach, need):
        return
    if np.isinf(need.low).any() or np.isinf(need.high).any():
        _endless(block, reach)
    if doubts is not None:
        for _ in range(doubts.tries):
            picks = _doubtful(reach, need, doubts.ends)
            if not picks.size or not _push_singly(block, reach, need, picks, tick):
                doubts.note(picks if picks.size else None)
                return
    _push_together(block, reach, need, tick)
    while True:
        low, high = reach.pending(need)
        wanted = np.concatenate([np.flatnonzero(low), np.flatnonzero(high) + low.size])
        if not wanted.size:
            break
        wanted = wanted[np.argsort(wanted % low.size, kind="stable")]
        first = np.unique(block.component[wanted % low.size], return_index=True)[1]
        if not _push_singly(block, reach, need, wanted[first], tick) and doubts is not None:
            doubts.note(wanted[first])
            return
    if doubts is not None:
        doubts.note(None)


def _push_together(block: Block, reach: Reach, need: Need, tick: Callable[[], None]) -> None:
    """Push all ends of a side at once, as long as that helps."""
    for _ in range(6):
        before = _count(reach, need)
        if before < 12:
            return
        for side in (0, 1):
            wanted = np.flatnonzero(reach.pending(need)[side])
            if wanted.size:
                block.learn(_pushed(block, reach, need, wanted, np.full(wanted.size, side == 1))[0], reach)
                tick()
        if _count(reach, need) > 0.9 * before:
            return


def _push_singly(block: Block, reach: Reach, need: Need, picks: IntArray, tick: Callable[[], None]) -> bool:
    """Push one end of each component as far as it goes; say whether nothing is known to be short of its need."""
    n = reach.low.size
    at, up = picks % n, picks >= n
    d, ends = _pushed(block, reach, need, at, up)
    block.learn(d, reach)
    reach.out_high[at[up & ends]] = reach.high[at[up & ends]]
    reach.out_low[at[~up & ends]] = reach.low[at[~up & ends]]
    tick()
    return not reach.short(need)


def _doubtful(reach: Reach, need: Need, doubts: FloatArray) -> IntArray:
    """Give the end, as its column or the number of columns + its column, that failed most often before.

    Among those that failed as often, the one of which most is asked of what is known to be possible.
    """
    low, high = reach.pending(need)
    wanted = np.concatenate([np.flatnonzero(low), np.flatnonzero(high) + low.size])
    asked = np.concatenate([np.maximum(need.low, need.wide), np.maximum(need.high, need.wide)])
    out = np.concatenate([-reach.out_low, reach.out_high])
    return wanted[np.lexsort((-(asked[wanted] / out[wanted]), -doubts[wanted]))][:1]


def _pushed(block: Block, reach: Reach, need: Need, at: IntArray, up: BoolArray) -> tuple[FloatArray, BoolArray]:
    """Push columns down or up, and say which go no farther; what nothing is known to stop ends a little beyond the need."""
    model = block.model
    free = np.isinf(np.where(up, reach.out_high[at], reach.out_low[at]))
    if not free.any():
        return model.minimise(at, np.where(up, -1.0, 1.0)), np.ones(at.size, dtype=np.bool_)
    stop = at[free]
    far = 2.0 * (need.low[at] + need.high[at] + need.wide[at])
    before = model.low[stop], model.high[stop]
    model.bound(stop, np.maximum(before[0], -far[free]), np.minimum(before[1], far[free]))
    d = model.minimise(at, np.where(up, -1.0, 1.0))
    model.bound(stop, *before)
    return d, ~free | (np.abs(d[at]) < far * (1 - CLOSE))


def _any(reach: Reach, need: Need) -> bool:
    return any(bool(side.any()) for side in reach.pending(need))


def _count(reach: Reach, need: Need) -> int:
    return sum(int(side.sum()) for side in reach.pending(need))


def _endless(block: Block, reach: Reach) -> None:
    """Find the columns that can grow or fall without end: those that some direction moves for ever."""
    if np.isfinite(reach.out_low).all() and np.isfinite(reach.out_high).all():
        return
    low, high = np.where(np.isfinite(block.low), 0.0, -1.0), np.where(np.isfinite(block.high), 0.0, 1.0)
    cone = WarmModel(block.matrix, low, high)
    for sign in (1.0, -1.0):
        tried = np.zeros(low.size, dtype=np.bool_)
        together = True
        while True:
            out, got = (reach.out_high, reach.high) if sign > 0 else (-reach.out_low, -reach.low)
            wanted = np.flatnonzero(np.isinf(out) & np.isfinite(got) & ~tried)
            if not wanted.size:
                break
            # columns that are free both ways may cancel in a sum, and are tried one by one
            chosen = wanted if together else wanted[:1]
            ray = cone.minimise(chosen, np.full(chosen.size, -sign))
            ray[np.abs(ray) < CLOSE] = 0.0
            _follow(reach, ray, low, high)
            if not (sign * ray[chosen] > 0).any():
                tried[chosen if not together else wanted[~((low[wanted] < 0) & (high[wanted] > 0))]] = True
                together = False


def _follow(reach: Reach, ray: FloatArray, low: FloatArray, high: FloatArray) -> None:
    """Take in a direction without end, and its opposite where that is one too."""
    reach.low[ray < 0], reach.high[ray > 0] = -np.inf, np.inf
    if bool(((-ray >= low) & (-ray <= high)).all()):
        reach.low[ray > 0], reach.high[ray < 0] = -np.inf, np.inf
