"""Which pairs of records are compared at all: blocking rules, their union without double counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.probabilistic.comparison import codes_of
from confide.linking.probabilistic.kernels import Candidates
from confide.typing import IntArray

MOST_PAIRS = 5_000_000_000
"""More pairs are not compared unless asked for: it would take minutes to hours."""

Rules = Sequence[str] | Sequence[Sequence[str]] | None
"""Variables that must agree; or several such lists, of which one must."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocked:
    """Candidate pairs of two files, or of one."""

    candidates: Candidates
    """Places of source records, each with its released records."""
    rules: tuple[tuple[str, ...], ...]
    """The variables of each rule; empty: all pairs."""
    stretches: int
    """The number of pairs, those that several rules bring counted several times."""

    def spans(self, pairs: int) -> IntArray:
        """Cut the places into spans of about so many pairs."""
        done = np.cumsum(self.candidates.high - self.candidates.low) // max(pairs, 1)
        return np.concatenate([[0], np.flatnonzero(np.diff(done)) + 1, [done.size]]).astype(np.int64)


def rules_of(block: Rules) -> tuple[tuple[str, ...], ...]:
    """Give blocking rules as tuples of names.

    >>> rules_of(["sex", "race"]), rules_of([["sex"], ["surname", "suburb"]]), rules_of(None)
    ((('sex', 'race'),), (('sex',), ('surname', 'suburb')), ())
    """
    if block is None or not len(block):
        return ()
    if isinstance(block, str):
        return ((block,),)
    if all(isinstance(b, str) for b in block):
        return (tuple(str(b) for b in block),)
    rules = tuple((r,) if isinstance(r, str) else tuple(r) for r in block)
    if not all(rules):
        raise IntruderError("a blocking rule names no variable; give block=None to compare all pairs")
    return rules


def blocked(source: Microdata, released: Microdata, block: Rules, *, most: int, within: bool = False) -> Blocked:
    """Find the candidate pairs; refuse where there are too many.

    Args:
        source: the source file.
        released: the released file; the same for `within`.
        block: the rules.
        most: the most pairs allowed.
        within: whether pairs of records of one file are compared, each once.
    """
    rules = rules_of(block)
    blocks = [_blocks(rule, source, released) for rule in rules] or [
        (np.zeros(source.n, dtype=np.int64), np.zeros(released.n, dtype=np.int64))
    ]
    stretches = [_stretches(y, z, within=within) for y, z in blocks]
    total = sum(int((high - low).sum()) for _, low, high, _ in stretches)
    if total > most:
        found = f"{source.n:,} by {released.n:,} records" + (f" blocked by {' or '.join(map(str, rules))}" if rules else "")
        raise IntruderError(
            f"{found} are {total:,} pairs, a table of which would take {8 * total / 2**30:,.1f} GB; {most:,} are the most. "
            "Give block=[...], variables that must agree, or more of them; or raise most_pairs"
        )
    if total == 0:
        raise IntruderError("no two records fall into the same block; block by other variables, or see how they are coded")
    begin = np.concatenate([[0], np.cumsum([o.size for *_, o in stretches])[:-1]])
    candidates = Candidates(
        np.concatenate([s[0] for s in stretches]),
        np.repeat(np.arange(len(stretches)), [s[0].size for s in stretches]),
        np.concatenate([s[1] + b for s, b in zip(stretches, begin, strict=True)]),
        np.concatenate([s[2] + b for s, b in zip(stretches, begin, strict=True)]),
        np.concatenate([s[3] for s in stretches]),
        np.array([y for y, _ in blocks]).astype(np.int32),
        np.array([z for _, z in blocks]).astype(np.int32),
    )
    return Blocked(candidates, rules, total)


def _blocks(rule: tuple[str, ...], source: Microdata, released: Microdata) -> tuple[IntArray, IntArray]:
    """Give the block of every record of both files; negative where a value is missing."""
    n = source.n
    joint = np.zeros(n + released.n, dtype=np.int64)
    missing = np.zeros(joint.size, dtype=np.bool_)
    for name in rule:
        y, z, values = codes_of(name, source, released)
        codes = np.concatenate([y, z])
        missing |= codes < 0
        _, joint = np.unique(joint * (len(values) + 1) + np.maximum(codes, 0), return_inverse=True)
    joint = np.where(missing, -1, joint)
    return joint[:n], joint[n:]


def _stretches(y: IntArray, z: IntArray, *, within: bool) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Give source records block by block, where the released records of each begin and end, and those block by block."""
    order = np.argsort(z, kind="stable")
    held = z[order]
    row = np.argsort(y, kind="stable")
    row = row[y[row] >= 0]
    low, high = np.searchsorted(held, y[row], "left"), np.searchsorted(held, y[row], "right")
    if within:
        # both orders are the same: a record is compared with those behind it
        low = np.arange(row.size) + int(np.sum(z < 0)) + 1
    some = high > low
    return row[some].astype(np.int64), low[some].astype(np.int64), high[some].astype(np.int64), order.astype(np.int64)
