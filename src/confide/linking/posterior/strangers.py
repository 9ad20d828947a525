"""Whose a record may be besides the targets': people who are not on the list, and nobody (simulated records).

A block holds n records and T targets; N people of the population look like its records, K = N - T of
them strangers to the intruder; a share s of the records is simulated. Against a random person a
stranger, or a simulated record, has likelihood ratio one, so a matching in which k records are targets'
has probability proportional to the product of their scores a u / m times

    W(k) = sum over l of C(n - k, l) s^(n-k-l) (1-s)^(k+l) (K)_l / (N)_(k+l),

with l records of strangers and (K)_l = K (K-1) ... (K-l+1). The odds c(k) = W(k-1) / W(k) that a record is
nobody's on the list are K - n + k where nothing is simulated. For one target c(1) gives Reiter's eq. (1)
with the priors of his section 3.1.

When the odds are those of K' identical respondents, c(k) = K' - n + k with whole K', these are added to
the table and the answer is exact. Otherwise each record gets a respondent of its own that stands for all
strangers, with c at the expected number of records that are targets', given that the target at hand has
one: 'expected strangers'. It is exact for one target or one record. The error it leaves is taken as p times
the squared slope of log c times 2 + 2 var(k); small blocks are answered exactly instead (`small`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, logsumexp

from confide.typing import BoolArray, FloatArray, IntArray

MOST_TIMES = 4
FEW_PAIRS = 400
"""Strangers are added one by one up to four times the records of the block, or up to 400 pairs."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """The numbers of every block, and how its strangers enter the table."""

    n: IntArray
    """Released records."""
    targets: IntArray
    """Targets."""
    people: FloatArray
    """People like the records, strangers and targets; 0 where every record is a target's or nobody's."""
    simulated: float
    """The share of simulated records where their number in a block is not known."""
    copies: IntArray
    """Respondents that stand for strangers or simulated records one by one."""
    private: BoolArray
    """Whether each record has a respondent of its own that stands for all of them."""
    moving: BoolArray
    """Whether the weight of the respondents depends on how many records are expected to be targets'."""


def blocks_of(n: IntArray, targets: IntArray, people: FloatArray | None, simulated: float, *, all_in_file: bool) -> Blocks:
    """Choose how strangers and simulated records enter the table.

    Args:
        n: records of each block.
        targets: targets of each block.
        people: the people like them; None: no strangers.
        simulated: the share of simulated records.
        all_in_file: whether every target has a record, so that the number of simulated ones is known.
    """
    off = np.zeros(n.size, dtype=np.bool_)
    if people is None and (simulated == 0.0 or all_in_file):
        copies = np.maximum(n - targets, 0) if simulated else np.zeros_like(n)
        return Blocks(n, targets, np.zeros(n.size), 0.0, copies, off, off)
    big = np.maximum(people if people is not None else 0.0, targets).astype(np.float64)
    strangers = big - targets
    copies = np.ceil(strangers - 1e-9).astype(np.int64)
    # one target or one record: at most one pair, so that one respondent says all, where its weight is not zero
    single = (np.minimum(n, targets) <= 1) & ((strangers - n + 1 > 1e-9) | (simulated > 0.0))
    few = (copies <= MOST_TIMES * n) | (copies * n <= FEW_PAIRS)
    private = single | ~few if simulated == 0.0 else ~off
    whole = np.abs(copies - strangers) < 1e-9
    private &= (targets > 0) & ~(whole & (copies == 0) if simulated == 0.0 else off)
    moving = (private & ~single) | (~private & ~whole & (targets > 0))
    return Blocks(n, targets, big, simulated, np.where(private | (targets == 0), 0, copies), private, moving)


def log_weight(k: int, n: int, targets: int, people: float, simulated: float) -> float:
    """Give log W(k) of one block.

    >>> round(float(np.exp(log_weight(0, 2, 1, 5.0, 0.0) - log_weight(1, 2, 1, 5.0, 0.0))), 12)
    3.0
    """
    strangers = people - targets
    first = 0 if simulated else n - k
    others = np.arange(first, n - k + 1, dtype=np.float64)
    others = others[strangers - others > -1.0 + 1e-9]
    if others.size == 0 or k > people + 1e-9:
        return -np.inf
    ways = gammaln(n - k + 1.0) - gammaln(others + 1.0) - gammaln(n - k - others + 1.0)
    ways += _falling(strangers, others) - _falling(people, k + others)
    if simulated:
        ways += (n - k - others) * np.log(simulated) + (k + others) * np.log1p(-simulated)
    return float(logsumexp(ways))


def _falling(x: float, steps: FloatArray) -> FloatArray:
    """Give the log of x (x - 1) ... (x - steps + 1)."""
    return np.asarray(gammaln(x + 1.0) - gammaln(np.maximum(x - steps, -0.999999) + 1.0), dtype=np.float64)


def log_odds(blocks: Blocks, b: int, k: FloatArray) -> tuple[FloatArray, float]:
    """Give log c at numbers of matched records, whole or not, and its slope there.

    What identical respondents (`copies`) say by themselves is left out.
    """
    n, targets, people = int(blocks.n[b]), int(blocks.targets[b]), float(blocks.people[b])
    copies = int(blocks.copies[b])
    least = 1.0 if blocks.private[b] else max(1.0, n - copies + 1.0)
    k = np.clip(k, least, max(float(min(n, targets)), least))
    if blocks.simulated == 0.0:
        odds = people - targets - n + k
        if blocks.private[b]:
            return np.log(odds), 1.0 / float(odds.min())
        by_copies = copies - n + k
        return np.log(odds) - np.log(by_copies), float(np.max(1.0 / odds - 1.0 / by_copies))
    whole = np.arange(max(int(np.floor(k.min())) - 1, 1), int(np.ceil(k.max())) + 2)
    whole = whole[whole <= min(n, targets)]
    weights = [log_weight(int(w), n, targets, people, blocks.simulated) for w in (whole[0] - 1, *whole)]
    steps = -np.diff(weights)
    slope = float(np.abs(np.diff(steps)).max(initial=0.0)) if whole.size > 1 else 0.0
    return np.interp(k, whole, steps), slope


def log_total(blocks: Blocks, b: int, score: float) -> FloatArray:
    """Give the log probabilities, not normalised, of k = 0, 1, ... where all pairs of a block have one score."""
    n, targets = int(blocks.n[b]), int(blocks.targets[b])
    k = np.arange(min(n, targets) + 1, dtype=np.float64)
    ways = gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0) + _falling(float(targets), k) + k * score
    if blocks.people[b] == 0.0:
        # n - k records are left to the copies, all of which are used or none are there
        return np.asarray(np.where(n - k == blocks.copies[b], ways, -np.inf), dtype=np.float64)
    w = [log_weight(int(i), n, targets, float(blocks.people[b]), blocks.simulated) for i in k]
    return np.asarray(ways + np.asarray(w), dtype=np.float64)
