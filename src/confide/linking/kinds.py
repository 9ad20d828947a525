"""Kinds of people: what is not altered tells them apart, and blanks leave several kinds possible (HELD, D and E).

A record j with blanks may be of any kind that agrees with what it shows. How probable each is follows from the
reference, the people of the source file:

    Pr(j is of kind k, z_j) = b_jk v_k Pr(z^C_j | k),

with b_jk the chance of j's blanks and of what it shows, one where blanks tell nothing. Two readings of v: how common the
kind is in the block (v_k = F_k / F_B), for who knows shares only; or how many of its people are left when those whose
records show everything are taken away (see `remaining`), for who counts the people of each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.data.packing import groups, pack
from confide.linking.graph import Graph
from confide.linking.memory import needs_memory
from confide.linking.pieces import BlockPiece, Piece, SamePiece, joint_codes
from confide.linking.remaining import Pairs, Shares, remaining, spread
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """Record profiles and the people of the reference, sorted by what is not altered."""

    columns: tuple[Column, ...]
    """One row for each kind: the covariates of the beliefs about it."""
    of_record: IntArray
    """The kind of each record profile; its blanks are values of their own."""
    block: IntArray
    """The block of each record profile."""
    count: FloatArray
    """The number of records of each profile."""
    code: IntArray
    """The values that may be blank, variables by record profiles; -1: blank."""
    chances: tuple[FloatArray | None, ...]
    """The chance that each code of each variable is left blank; None: blanks tell nothing."""
    cell_kind: IntArray
    """The kind of each cell of the reference, the source file."""
    cell_block: IntArray
    """Its block."""
    cell_code: IntArray
    """Its values that may be blank, variables by cells; -1: not there."""
    cell_count: FloatArray
    """How many people it holds."""
    cell_weight: FloatArray
    """The mean survey weight of its people; nan: not known."""
    counted: bool
    """Whether the people of each kind are counted in a source file."""

    @property
    def block_count(self) -> FloatArray:
        """The number of people of the reference in each block."""
        size = int(max(self.block.max(initial=-1), self.cell_block.max(initial=-1))) + 1
        return np.asarray(np.bincount(self.cell_block, weights=self.cell_count, minlength=size), dtype=np.float64)

    def completions(self, unknown: BoolArray, *, closed: bool, answered: bool) -> Completions:
        """Find the kinds that each record may be of, when some variables are not looked at.

        Args:
            unknown: the variables that are not looked at.
            closed: whether the people of each kind are counted, and those whose records show all are taken away.
            answered: whether targets are known to have a value in the source file; otherwise people whose value is missing
                there are spread over the kinds they may be of.
        """
        code = np.where(unknown[:, None], -1, self.code)
        cell_code = np.where(unknown[:, None], -1, self.cell_code)
        cell_count = self.cell_count
        if not answered:
            lacking = np.any((cell_code < 0) & ~unknown[:, None], axis=0)
            cell_count = spread(cell_count, self.cell_block, cell_code, lacking, ~unknown)
        blank = code < 0
        _, pattern = groups([row.astype(np.int64) for row in blank], code.shape[1])
        alike = [np.flatnonzero(pattern == p) for p in np.unique(pattern)]
        live = np.flatnonzero(cell_count > 0)
        parts = [self._agreeing(rows, blank[:, rows[0]], unknown, cell_code, live) for rows in alike]
        record, cell, weight = (np.concatenate(x) for x in zip(*parts, strict=True))
        full = ~np.any(blank & ~unknown[:, None], axis=0)
        kind = Pairs(record, cell, weight, self.count, self.block, full, cell_count, self.cell_block, cell_code[~unknown])
        found = remaining(kind, counted=self.counted) if closed else kind.shares()
        order = np.argsort(record, kind="stable")
        return Completions(
            record[order], self.cell_kind[cell[order]], (weight + found.log_share)[order], found, self.cell_weight
        )

    def _agreeing(
        self, rows: IntArray, blank: BoolArray, unknown: BoolArray, cell_code: IntArray, live: IntArray
    ) -> tuple[IntArray, IntArray, FloatArray]:
        """Pair records that are blank in the same variables with the cells that agree with them."""
        shown = np.flatnonzero(~blank)
        left = [self.block[rows], *(self.code[k, rows] + 1 for k in shown)]
        right = [self.cell_block[live], *(cell_code[k, live] + 1 for k in shown)]
        sizes = [int(max(a.max(initial=0), b.max(initial=0))) + 1 for a, b in zip(left, right, strict=True)]
        key = pack([np.concatenate([a, b]) for a, b in zip(left, right, strict=True)], sizes)
        mine, theirs = key[: rows.size], key[rows.size :]
        order = np.argsort(theirs, kind="stable")
        low, high = np.searchsorted(theirs[order], mine, "left"), np.searchsorted(theirs[order], mine, "right")
        many = high - low
        needs_memory(80 * int(many.sum()), "the kinds that records with blanks may be of")
        start = np.concatenate([[0], np.cumsum(many)]).astype(np.int64)
        place = np.arange(start[-1]) - np.repeat(start[:-1], many) + np.repeat(low, many)
        cell, record = live[order[place]], np.repeat(rows, many)
        weight = np.zeros(cell.size)
        for k, chance in enumerate(self.chances):
            if chance is not None and not unknown[k]:
                b = chance[np.maximum(cell_code[k, cell], 0)]
                with np.errstate(divide="ignore"):
                    weight = weight + np.where(cell_code[k, cell] < 0, 0.0, np.log(b if blank[k] else 1.0 - b))
        return record, cell, weight


@dataclass(frozen=True, slots=True, eq=False)
class Completions:
    """The kinds that each record profile may be of, and how probable they are within the block."""

    record: IntArray
    """The record profile of each pair, increasing."""
    kind: IntArray
    """A kind that agrees with it."""
    log_weight: FloatArray
    """The log of its share, times the chance of the blanks."""
    found: Shares
    """How the shares came about."""
    cell_weight: FloatArray
    """The mean survey weight of the people of each cell."""

    def total(self, log_likelihood: FloatArray, size: int) -> FloatArray:
        """Add up the pairs of each record profile.

        Args:
            log_likelihood: log Pr(z^C | kind) of each pair.
            size: the number of record profiles.
        """
        value = self.log_weight + log_likelihood
        top = np.full(size, -np.inf)
        np.maximum.at(top, self.record, value)
        safe = np.where(np.isneginf(top), 0.0, top)
        with np.errstate(divide="ignore"):
            return np.asarray(
                safe + np.log(np.bincount(self.record, np.exp(value - safe[self.record]), minlength=size)), dtype=np.float64
            )


def kinds_of(pieces: Sequence[Piece], graph: Graph, weights: FloatArray | None) -> Kinds:
    """Sort record profiles and source records by what is not altered.

    Args:
        pieces: the evidence of each variable.
        graph: profiles and blocks.
        weights: the survey weights of the source records, where they are known.
    """
    blocks = [p for p in pieces if isinstance(p, BlockPiece)]
    same = [p for p in pieces if isinstance(p, SamePiece) and not p.tested]
    first = graph.record_first
    sources = [p.source for p in blocks] + [p.source_values for p in same]
    records = [p.record.take(first) for p in blocks] + [p.values.take(first) for p in same]
    n = sources[0].size if sources and all(s is not None for s in sources) and sources[0] is not None else 0
    block_ids, ids = [np.zeros(n + first.size, dtype=np.int64)], list[IntArray]()
    columns: list[Column] = []
    for i, (source, record) in enumerate(zip(sources, records, strict=True)):
        column = record if n == 0 or source is None else source.append(record)
        left, _, _ = joint_codes(column, column.take(np.zeros(0, dtype=np.int64)))
        (block_ids if i < len(blocks) else ids).append(left)
        if i >= len(blocks) or blocks[i].covariate:
            columns.append(column)
    _, block = groups(block_ids, n + first.size)
    number = np.full(int(block.max(initial=-1)) + 1, -1, dtype=np.int64)
    number[block[n:]] = graph.block_of_record
    here = number[block]
    member, kind = groups([*block_ids, *ids], n + first.size)
    code = np.stack([p.record[first] for p in same]) if same else np.zeros((0, first.size), dtype=np.int64)
    whole = np.all(code >= 0, axis=0)
    # records of kinds that the source does not hold are people, too
    seen = np.zeros(member.size, dtype=np.bool_)
    seen[kind[:n]] = True
    count = np.bincount(kind[:n], minlength=member.size).astype(np.float64)
    extra = whole & ~seen[kind[n:]]
    np.add.at(count, kind[n:][extra], graph.count[extra])
    cells = np.flatnonzero((count > 0) & (here[member] >= 0))
    of_cell = member[cells]
    none = np.zeros(0, dtype=np.int64)
    both = [np.concatenate([p.source if p.source is not None and n else none, p.record[first]]) for p in same]
    mean = np.full(member.size, np.nan)
    if weights is not None and n:
        with np.errstate(invalid="ignore"):
            mean = np.bincount(kind[:n], weights=weights, minlength=member.size) / np.where(seen, count, np.nan)
    return Kinds(
        columns=tuple(c.take(member) for c in columns),
        of_record=kind[n:],
        block=graph.block_of_record,
        count=graph.count,
        code=code,
        chances=tuple(p.chance for p in same),
        cell_kind=cells,
        cell_block=here[of_cell],
        cell_code=np.stack([x[of_cell] for x in both]) if both else np.zeros((0, cells.size), dtype=np.int64),
        cell_count=count[cells],
        cell_weight=mean[cells],
        counted=n > 0,
    )
