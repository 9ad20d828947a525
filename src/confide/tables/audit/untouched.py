"""Which attackers learn nothing more: those who must allow for some proof of everything that is asked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array, csr_array, vstack

from confide.tables.attackers import Attacker
from confide.tables.audit.reach import Need
from confide.tables.audit.view import View
from confide.tables.protection import TOLERANCE
from confide.typing import BoolArray, FloatArray, IntArray

Known = tuple[IntArray, FloatArray, FloatArray]
"""Columns of which an attacker knows more than everybody, with the attacker's bounds."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What solutions prove: ends are numbered 3 j, 3 j + 1 and 3 j + 2 for down, up and width of column j."""

    rows: csr_array
    """The solutions, one in each row."""
    columns: csc_array
    """The same, to be read by columns."""
    need: Need
    """What is asked."""
    starts: IntArray
    """Where the ends of each solution begin."""
    ends: IntArray
    """The ends that each solution proves."""
    proofs: IntArray
    """How many solutions prove each end."""
    short: frozenset[int]
    """Ends that none of them proves."""
    view: View

    @classmethod
    def of(cls, view: View, need: Need) -> Shown:
        """Gather the solutions known so far and what each of them proves of what is asked."""
        n = view.reduced.low.size
        parts = [_wide(b.table(), b.columns, n) for b in view.blocks]
        w = csr_array(vstack(parts)) if parts else csr_array((0, n))
        row = np.repeat(np.arange(w.shape[0]), np.diff(w.indptr))
        levels = (need.low, need.high, need.wide)
        rows, ends = [], []
        for side, (far, level) in enumerate(zip((-w.data, w.data, np.abs(w.data)), levels, strict=True)):
            least = level[w.indices]
            at = np.flatnonzero((least > 0) & (far >= least * (1 - TOLERANCE)))
            rows.append(row[at])
            ends.append(3 * w.indices[at].astype(np.int64) + side)
        of, end = np.concatenate(rows), np.concatenate(ends)
        order = np.argsort(of, kind="stable")
        starts = np.searchsorted(of[order], np.arange(w.shape[0] + 1))
        proofs = np.bincount(end, minlength=3 * n)
        short = np.flatnonzero((np.stack(levels, axis=1).ravel() > 0) & (proofs == 0)) if n else np.zeros(0, dtype=np.int64)
        return cls(w, csc_array(w), need, starts, end[order], proofs, frozenset(short.tolist()), view)

    def enough_for(self, attacker: Attacker, known: Known) -> bool:
        """Say whether all that is asked is proven by solutions that an attacker must allow for.

        True is a proof; False says that more must be looked at.
        """
        columns, low, high = known
        lost = [np.zeros(0, dtype=np.int64)]
        w = self.columns
        for j, least, most in zip(columns.tolist(), low.tolist(), high.tolist(), strict=True):
            rows, d = w.indices[w.indptr[j] : w.indptr[j + 1]], w.data[w.indptr[j] : w.indptr[j + 1]]
            lost.append(rows[_beyond(d, least, most)])
        gone = np.unique(np.concatenate(lost))
        size = self.starts[gone + 1] - self.starts[gone]
        at = np.repeat(self.starts[gone] - np.concatenate([[0], np.cumsum(size)[:-1]]), size) + np.arange(size.sum())
        ends, count = np.unique(self.ends[at], return_counts=True)
        open_ = sorted(self.short.union(ends[count >= self.proofs[ends]].tolist()))
        return all(self._rescued(e, attacker, known) for e in open_)

    def _rescued(self, end: int, attacker: Attacker, known: Known) -> bool:
        """Say whether an end needs no proof from this attacker, or some solution made smaller is one."""
        columns, low, high = known
        j, side = divmod(end, 3)
        need = self.need
        asked = self.view.need_from(attacker, j) if (columns == j).any() else (need.low[j], need.high[j], need.wide[j])
        level = float(asked[side])
        if level <= 0:
            return True
        w = self.columns
        rows, d = w.indices[w.indptr[j] : w.indptr[j + 1]], w.data[w.indptr[j] : w.indptr[j + 1]]
        d = (-d, d, np.abs(d))[side]
        far = np.flatnonzero(d >= level * (1 - TOLERANCE))
        if not far.size:
            return False
        part = self.rows[rows[far]][:, columns].toarray() * (np.minimum(level / d[far], 1.0))[:, None]
        return bool((~_beyond(part, low, high)).all(axis=1).any())


def _beyond(d: FloatArray, least: FloatArray | float, most: FloatArray | float) -> BoolArray:
    """Say which amounts lie outside bounds, by more than rounding."""
    slack = 1e-9 * np.abs(d)
    return np.asarray((d < least - slack) | (d > most + slack), dtype=np.bool_)


def _wide(w: csr_array, columns: IntArray, n: int) -> csr_array:
    """Write the solutions of a block in the columns of the whole."""
    return csr_array((w.data, columns[w.indices], w.indptr), shape=(w.shape[0], n))
