"""A Markov chain over matchings, with swap and worm moves: unbiased, where propagation is not.

A state gives every record a different respondent; its weight is the product of the pairs' weights, the law of
Duncan and Lambert (1987, eq. 4.1). Two moves leave that law unchanged.

- Swap: one record after the other picks a respondent in proportion to its weights. Where that is free, it moves;
  where another record holds it, the two exchange respondents with Metropolis' probability. Swaps alone do not mix.
- Worm: a random respondent is let go by its record, which picks another; the record that held it picks next, until one
  picks a respondent who is free. A record picks anybody but whom it had, in proportion to its weights, and keeps that
  choice with Metropolis' probability (Liu 1996): worms that turn back less get further. Opening, every step and closing
  are in detailed balance. A worm that finds no end is undone: its reversal is as long, so that balance is kept.

Most worms close at once; few go through the whole file and take nearly all the hops, so that only a few can be afforded
in each sweep. They carry the slowest modes, but where a file is neither dense nor thin, most changes take some ten records,
and there they seldom are. Short worms, undone after some hops, start everywhere instead, in the part of the file where the
swaps have just been: for a million records, the same variance takes half the time.

All that a step needs of a record is in one line of the cache: its four heaviest pairs and which one it has. The loops
are written without branches where a processor could not foresee them.

Weights are scaled, so that records which want the same respondent above all still find another one. Where
respondents may be left out, the multipliers of the free ones are part of a state's weight: a move that ends at another
free respondent is accepted with Metropolis' probability, the ratio of the two multipliers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from confide.linking.posterior.joint.generator import after, uniform
from confide.linking.posterior.joint.prefetch import prefetch
from confide.typing import AnyArray, FloatArray, IntArray

LONGEST, MORE = 20_000, 4
"""A worm is undone after so many hops, and so many more for each record; in three dimensions those that leave their
neighbourhood take .6 hops a record."""
INSERTING = 20
"""So many hops a record are made in all to bring the last records into a matching."""
AHEAD = 64
"""So many records pick before the first of them swaps, so that memory can be asked for."""
SHORT = 32
"""Short worms are undone after so many hops."""
BLOCK = 4096
"""So many records swap before short worms start among about as many respondents: both are then in the cache."""
RARELY = 8
"""Records that hardly ever move swap once in so many sweeps."""
NEAR = np.uint64(4)
"""So many pairs of a record are in its line."""
ZERO, ONE, NONE, ALL = np.uint64(0), np.uint64(1), np.float32(0.0), np.float32(1.0)
RESPONDENT, TAIL, COUNT, START, LENGTH, HELD, LINE = 0, 4, 9, 13, 14, 15, 16
"""What stands where in a record's line. TAIL: from here on 1, then for each pair the sum of the lighter ones' weights."""
TAILS = np.uint64(TAIL)


class Odds(NamedTuple):
    """What a record picks from: its pairs, the heaviest first, weights as shares of the record's.

    Only sums of the lighter pairs' weights are kept, which are as precise for small weights as for large ones.
    """

    indptr: IntArray
    """Where each record starts."""
    respondent: AnyArray
    """Of each pair."""
    tail: AnyArray
    """The sum of the weights of the record's lighter pairs."""
    place: AnyArray
    """Where each pair is in the table it came from."""
    often: AnyArray
    """Records that swap in every sweep."""
    leave: FloatArray
    """The weight of leaving each respondent out."""


class State(NamedTuple):
    """Where a chain is."""

    line: AnyArray
    """For each record its four heaviest pairs, after how many sweeps it had each, and which pair it has."""
    real: AnyArray
    """The same memory read as floats."""
    holder: AnyArray
    """The record of each respondent, -1: free."""
    rest: AnyArray
    """After how many sweeps each of the lighter pairs was held."""


@njit(cache=True, nogil=True)
def heaviest_first(
    indptr: IntArray, indices: AnyArray, weight: FloatArray, respondent: AnyArray, tail: AnyArray, place: AnyArray
) -> None:
    """Fill respondent, tail and place of `Odds`."""
    for j in range(indptr.size - 1):
        first, last, total = indptr[j], indptr[j + 1], 0.0
        for e in range(first, last):
            q = e
            while q > first and weight[place[q - 1]] < weight[e]:
                place[q] = place[q - 1]
                q -= 1
            place[q] = e
            total += weight[e]
        after = 0.0
        for q in range(last - 1, first - 1, -1):
            respondent[q], tail[q] = indices[place[q]], after / total
            after += weight[place[q]]


@njit(cache=True, nogil=True)
def lines(odds: Odds, held: IntArray, line: AnyArray, real: AnyArray) -> None:
    """Fill the lines of records that have these pairs."""
    for j in range(held.size):
        first, last = odds.indptr[j], odds.indptr[j + 1]
        line[j, START], line[j, LENGTH], line[j, HELD] = first, last - first, held[j] - first
        real[j, TAIL] = 1.0
        for p in range(4):
            line[j, COUNT + p] = 0
            inside = first + p < last
            line[j, RESPONDENT + p] = odds.respondent[first + p] if inside else -1
            real[j, TAIL + 1 + p] = odds.tail[first + p] if inside else 0.0


@njit(cache=True, nogil=True, inline="always")
def _near(x: float, one: float, two: float, three: float, four: float) -> Any:
    """Count how many of four numbers, the largest first, are above x."""
    first = np.uint64(x < one)
    second = first & np.uint64(x < two)
    third = second & np.uint64(x < three)
    return first + second + third + (third & np.uint64(x < four))


@njit(cache=True, nogil=True)
def _picks(records: AnyArray, odds: Odds, now: State, picked: AnyArray, wanted: AnyArray, s: Any) -> Any:
    """Fill the pair each of some records picks and its respondent, and ask for the memory that it takes to swap."""
    respondent, tail = odds.respondent, odds.tail
    line, real, holder, _ = now
    for q in range(records.size):
        j = np.uint64(records[q])
        s = after(s)
        x, first = uniform(s), np.uint64(line[j, START])
        new = _near(x, real[j, TAIL + 1], real[j, TAIL + 2], real[j, TAIL + 3], real[j, TAIL + 4])
        if new == NEAR:
            while x < tail[first + new]:
                new += ONE
        picked[q], wanted[q] = new, line[j, new] if new < NEAR else respondent[first + new]
        prefetch(holder, wanted[q])
    for q in range(records.size):
        prefetch(line, LINE * np.int64(holder[wanted[q]]))
    return s


@njit(cache=True, nogil=True)
def _swaps(records: AnyArray, odds: Odds, now: State, s: Any) -> Any:
    """Let some records move to, or exchange for, a respondent they pick, one by one; give the generator's state.

    One long loop: calls with so many arrays would take longer than what they do.
    """
    _, respondent, tail, _, _, leave = odds
    line, real, holder, _ = now
    picked, wanted = np.empty(AHEAD, np.uint64), np.empty(AHEAD, np.int32)
    for at in range(records.size):
        if at % AHEAD == 0:
            s = _picks(records[at : at + AHEAD], odds, now, picked, wanted, s)
        r = records[at]
        j, new, i = np.uint64(r), picked[at % AHEAD], wanted[at % AHEAD]
        first, old = np.uint64(line[j, START]), np.uint64(line[j, HELD])
        a = line[j, old] if old < NEAR else respondent[first + old]
        other = holder[np.uint64(i)]
        s = after(s)
        if other < 0:
            if uniform(s) * leave[i] < leave[a]:
                line[j, HELD], holder[i], holder[a] = new, r, -1
            continue
        k = np.uint64(other)
        first, had = np.uint64(line[k, START]), np.uint64(line[k, HELD])
        least = (
            real[k, TAILS + had] - real[k, TAILS + ONE + had] if had < NEAR else tail[first + had - ONE] - tail[first + had]
        )
        least *= uniform(s)
        q = NEAR - ONE if line[k, 3] == a else NEAR
        q = ONE + ONE if line[k, 2] == a else q
        q = ONE if line[k, 1] == a else q
        q = ZERO if line[k, 0] == a else q
        share = real[k, TAILS + q] - real[k, TAILS + ONE + q]
        share = share if q < NEAR else NONE
        if (q == NEAR) & (least < real[k, TAIL + 4]):
            end = np.uint64(line[k, LENGTH])
            while q < end and respondent[first + q] != a:
                q += ONE
            share = tail[first + q - ONE] - tail[first + q] if q < end else NONE
        moves = least < share
        line[k, HELD] = q if moves else had
        line[j, HELD] = new if moves else old
        holder[np.uint64(a)] = other if moves else r
        holder[np.uint64(i)] = r if moves else other
    return s


@njit(cache=True, nogil=True)
def _worm(start: int, odds: Odds, now: State, path: AnyArray, s: Any) -> tuple[Any, int, Any, Any]:
    """Let a record start a worm; give the generator's state, the hops, the last record to pick and whom it displaced.

    path is filled with the records and what they had.
    """
    _, respondent, tail, _, _, _ = odds
    line, real, holder, _ = now
    hops, k = 0, np.uint64(start)
    had = np.uint64(line[k, HELD])
    holder[line[k, had] if had < NEAR else respondent[np.uint64(line[k, START]) + had]] = -1
    other, end = np.int32(start), np.int32(start)
    while other >= 0 and hops < path.shape[0]:
        end, k = other, np.uint64(other)
        s = after(s)
        first, old, rest = np.uint64(line[k, START]), np.uint64(line[k, HELD]), real[k, TAIL + 1]
        if old < NEAR:
            own, below = real[k, TAILS + old] - real[k, TAILS + ONE + old], real[k, TAILS + ONE + old]
        else:
            own, below = tail[first + old - ONE] - tail[first + old], tail[first + old]
        free = rest if old == ZERO else ALL - own
        x = uniform(s) * free
        x = x + own if x >= below else x
        new = _near(x, real[k, TAIL + 1], real[k, TAIL + 2], real[k, TAIL + 3], real[k, TAIL + 4])
        if new == NEAR:
            while x < tail[first + new]:
                new += ONE
            share, below = tail[first + new - ONE] - tail[first + new], tail[first + new]
        else:
            share, below = real[k, TAILS + new] - real[k, TAILS + ONE + new], real[k, TAILS + ONE + new]
        back = rest if new == ZERO else ALL - share
        turns = (free < back) & ((x - below) * back >= free * share)
        new = old if turns else new
        path[np.uint64(hops), 0], path[np.uint64(hops), 1] = end, old
        hops += 1
        i = np.uint64(line[k, new] if new < NEAR else respondent[first + new])
        other = holder[i]
        line[k, HELD], holder[i] = new, end
    return s, hops, end, other


@njit(cache=True, nogil=True)
def _whom(j: int, odds: Odds, now: State) -> int:
    """Give the respondent a record has."""
    return odds.respondent[np.int64(now.line[j, START]) + now.line[j, HELD]]


@njit(cache=True, nogil=True)
def _worms(many: int, low: int, high: int, odds: Odds, now: State, path: AnyArray, s: Any) -> tuple[Any, int]:
    """Let random respondents from low to high start worms; give the generator's state and the number of hops.

    A worm that is longer than path, room to undo it, or lets go of a respondent from elsewhere in the end, which no reversal
    could start with, is undone. Where nobody is spare, worms end where they began: those of each respondent keep the law by
    themselves, and starts are spread evenly.
    """
    line, holder, leave, total = now.line, now.holder, odds.leave, 0
    full, step = line.shape[0] == holder.size, (high - low) / max(many, 1)
    for t in range(many):
        s = after(s)
        a = low + min(int((t + uniform(s) if full else many * uniform(s)) * step), high - low - 1)
        start = holder[a]
        if start < 0:
            continue
        s, hops, end, other = _worm(start, odds, now, path, s)
        total += hops
        undone, i = other >= 0, _whom(end, odds, now)
        if other >= 0:
            holder[i] = other
        elif i != a:
            s = after(s)
            undone = not low <= i < high or uniform(s) * leave[i] >= leave[a]
            if undone:
                holder[i] = -1
        if undone:
            for q in range(hops - 1, -1, -1):
                line[path[q, 0], HELD] = path[q, 1]
                holder[_whom(path[q, 0], odds, now)] = path[q, 0]
    return s, total


@njit(cache=True, nogil=True)
def _swept(records: AnyArray, short: float, odds: Odds, now: State, path: AnyArray, s: Any) -> Any:
    """Let records swap and short worms start, one part of the file after the other; give the generator's state."""
    wide, at = now.holder.size, 0
    blocks = (now.line.shape[0] + BLOCK - 1) // BLOCK
    for b in range(blocks):
        low, high, end = b * wide // blocks, (b + 1) * wide // blocks, at
        while end < records.size and records[end] < (b + 1) * BLOCK:
            end += 1
        s = _swaps(records[at:end], odds, now, s)
        at = end
        s = after(s)
        s, _ = _worms(int((high - low) * short + uniform(s)), low, high, odds, now, path[:SHORT], s)
    return s


@njit(cache=True, nogil=True)
def _counted(now: State) -> None:
    """Count the pairs that are held now."""
    line, _, _, rest = now
    for j in range(line.shape[0]):
        p = line[j, HELD]
        if p < 4:
            line[j, COUNT + p] += 1
        else:
            rest[line[j, START] + p] += 1


@njit(cache=True, nogil=True)
def insert(odds: Odds, respondents: int, state: AnyArray) -> IntArray:
    """Give the pair of each record in a matching near a typical one, -1 where none was found.

    One record after the other picks a respondent; whom it displaces picks again, for LONGEST hops at most. Those who find
    none go further in the end, INSERTING hops a record in all.
    """
    n, s = odds.indptr.size - 1, state[0]
    held, holder, left = np.full(n, -1), np.full(respondents, -1), INSERTING * n
    for far in (False, True):
        for j in range(n):
            k, hops = j, left if far else LONGEST
            while held[k] < 0 and hops > 0:
                s = after(s)
                x, e = uniform(s), odds.indptr[k]
                while x < odds.tail[e]:
                    e += 1
                i = odds.respondent[e]
                other = holder[i]
                held[k], holder[i] = e, k
                hops -= 1
                if other >= 0:
                    k = other
                    held[k] = -1
            left = hops if far else left
    state[0] = s
    return held


@njit(cache=True, nogil=True)
def run_chain(
    sweeps: int, worms: float, short: float, clock: int, odds: Odds, now: State, longest: int, state: AnyArray
) -> tuple[int, int, int]:
    """Run a chain for so many sweeps, a step for each record; give the clock, the number of worms and of their hops.

    Args:
        sweeps: how many.
        worms: how many worms a record and sweep.
        short: how many short ones a respondent and sweep.
        clock: the sweeps done so far.
        odds: what records pick from.
        now: where the chain is.
        longest: hops after which a worm is undone.
        state: of the generator.
    """
    n, started, total, s = now.line.shape[0], 0, 0, state[0]
    path, everyone = np.empty((longest, 2), np.int32), np.arange(n).astype(np.int32)
    for _ in range(sweeps):
        s = _swept(everyone if clock % RARELY == 0 else odds.often, short, odds, now, path, s)
        s = after(s)
        many = int(n * worms + uniform(s))
        s, hops = _worms(many, 0, now.holder.size, odds, now, path, s)
        _counted(now)
        clock, started, total = clock + 1, started + many, total + hops
    state[0] = s
    return clock, started, total


@njit(cache=True, nogil=True)
def shares(odds: Odds, now: State) -> FloatArray:
    """Give the share of sweeps after which each pair was held, in the order of the table."""
    found = np.empty(odds.place.size)
    for j in range(odds.indptr.size - 1):
        first, last, total = odds.indptr[j], odds.indptr[j + 1], 0
        for e in range(first, last):
            many = now.line[j, COUNT + e - first] if e < first + 4 else now.rest[e]
            total += many
            found[odds.place[e]] = many
        for e in range(first, last):
            found[e] /= total
    return found
