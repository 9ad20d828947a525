"""Coincidence vectors: in which variables pairs of records agree (Domingo-Ferrer and Torra 2004, section 2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.linking.distance.alike import coded_alike
from confide.linking.distance.part import both_columns, joint_codes
from confide.linking.distance.truth import KnownParent
from confide.release.released import Released
from confide.typing import FloatArray, IntArray

MOST_VARIABLES = 16
"""There are two to this many vectors."""


@dataclass(frozen=True, slots=True)
class CoincidenceVectors:
    """How many pairs of records have each coincidence vector."""

    variables: tuple[str, ...]
    """The variables compared; one bit for each, in this order."""
    all_pairs: dict[str, int]
    """Among all pairs of a released and a source record; vectors that do not occur are left out."""
    matched: dict[str, int]
    """Among the pairs that belong together."""

    @property
    def unmatched(self) -> dict[str, int]:
        """Among the pairs that do not belong together."""
        left = {v: c - self.matched.get(v, 0) for v, c in self.all_pairs.items()}
        return {v: c for v, c in left.items() if c}


def coincidence_vectors(released: Released, variables: Sequence[str], *, missing_agree: bool = False) -> CoincidenceVectors:
    """Count the coincidence vectors of all pairs and of the matched pairs.

    A bit is 1 where both records have the same value. Pairs are counted through the numbers of records that are alike
    in some variables, not one by one.

    Args:
        released: the released file with its source and parents.
        variables: the variables compared, 16 at most.
        missing_agree: whether two missing values agree.

    >>> import confide as cf
    >>> source = cf.Microdata.from_dict({"sex": ["m", "f"], "race": ["w", "w"]})
    >>> masked = cf.Microdata.from_dict({"sex": ["m", "m"], "race": ["w", "w"]})
    >>> found = coincidence_vectors(cf.Released.from_files(source, masked, same_order=True), ["sex", "race"])
    >>> found.all_pairs, found.matched
    ({'01': 2, '11': 2}, {'01': 1, '11': 1})
    """
    names = tuple(variables)
    if not 1 <= len(names) <= MOST_VARIABLES or len(set(names)) < len(names):
        raise IntruderError(f"name from 1 to {MOST_VARIABLES} different variables; found {len(names)}")
    alike = coded_alike(released)
    coded = [joint_codes(*both_columns(v, alike.source, alike.released))[:2] for v in names]
    y, z = ([_known(c[k], missing_agree=missing_agree) for c in coded] for k in (0, 1))
    pairs = KnownParent().pairs(released)
    bits = np.zeros(pairs.record.size, dtype=np.int64)
    for a, b in zip(z, y, strict=True):
        bits = 2 * bits + ((a[pairs.record] == b[pairs.source]) & (a[pairs.record] >= 0))
    return CoincidenceVectors(
        names, _named(_exactly(_at_least(z, y), len(names)), len(names)), _named(_tally(bits, len(names)), len(names))
    )


def _known(codes: FloatArray, *, missing_agree: bool) -> IntArray:
    """Give codes from 1, with 0 for a missing value that agrees with another, -1 for one that does not."""
    return np.where(np.isnan(codes), 0 if missing_agree else -1, np.nan_to_num(codes) + 1).astype(np.int64)


def _at_least(z: Sequence[IntArray], y: Sequence[IntArray]) -> list[int]:
    """Count the pairs that agree at least in each set of variables; the first variable is the highest bit."""
    d, n, m = len(z), z[0].size, y[0].size
    groups: list[tuple[IntArray, IntArray] | None] = [None] * 2**d
    groups[0] = (np.zeros(n, dtype=np.int64), np.zeros(m, dtype=np.int64))
    total = [n * m] + [0] * (2**d - 1)
    for subset in range(1, 2**d):
        low = subset & -subset
        before = groups[subset - low]
        assert before is not None
        j = d - low.bit_length()
        both = [np.where((g >= 0) & (c >= 0), g * (1 + max(int(z[j].max()), int(y[j].max()))) + c, -1)
                for g, c in zip(before, (z[j], y[j]), strict=True)]  # fmt: skip
        _, inverse = np.unique(np.concatenate(both), return_inverse=True)
        missing = bool(min(both[0].min(), both[1].min()) < 0)
        ours, theirs = inverse[:n] - missing, inverse[n:] - missing
        groups[subset] = (ours.astype(np.int64), theirs.astype(np.int64))
        size = int(inverse.max()) + 1
        counts = [np.bincount(g[g >= 0], minlength=size).astype(np.float64) for g in (ours, theirs)]
        exact = float(n) * float(m) < 2**53
        total[subset] = int(counts[0] @ counts[1]) if exact else sum(int(a) * int(b) for a, b in zip(*counts, strict=True))
        if subset & 1:  # no later set grows from this one
            groups[subset] = None
    return total


def _exactly(at_least: list[int], d: int) -> list[int]:
    """Count the pairs that agree exactly in each set of variables, by inclusion and exclusion."""
    count = list(at_least)
    for bit in range(d):
        for subset in range(2**d):
            if not subset >> bit & 1:
                count[subset] -= count[subset | 1 << bit]
    return count


def _tally(bits: IntArray, d: int) -> list[int]:
    """Count how often each vector occurs."""
    return [int(c) for c in np.bincount(bits, minlength=2**d)]


def _named(count: list[int], d: int) -> dict[str, int]:
    """Write vectors as strings of bits, those that occur."""
    return {format(v, f"0{d}b"): c for v, c in enumerate(count) if c}
