"""Assemble the evidence of all variables: blocks, record profiles, target profiles.

Evidence is a bipartite graph between targets and released records. It is never written out.
Records with the same evidence are one profile, targets about whom the same is known are one
profile, and only profiles of the same block are ever compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.packing import groups, pack
from confide.linking.arrays import Cats, Nums, Records, Tests
from confide.linking.kernels import GAUSS, NONE, TEST, running_ends, running_max
from confide.linking.pieces import (
    BeliefPiece,
    BlockPiece,
    BoundPiece,
    CatPiece,
    JointPiece,
    NumPiece,
    Piece,
    SamePiece,
    SetPiece,
    TestPiece,
    joint_codes,
    log_scales,
)
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Profiles of records and targets, and the arrays the inner loops read."""

    block_start: IntArray
    """The first record profile of each block; the last entry ends the list."""
    record_profile: IntArray
    """The profile of each released record."""
    record_first: IntArray
    """One released record of each profile."""
    block_of_record: IntArray
    """The block of each record profile."""
    target_profile: IntArray
    """The profile of each target."""
    target_first: IntArray
    """One target of each profile."""
    block_of_target: IntArray
    """The block of each target profile; -1: no record is consistent."""
    primary: int
    """What the records of a block are sorted by."""
    count: FloatArray
    """The number of records of each record profile."""
    weight: FloatArray
    """The sum of their survey weights."""
    cats: Cats
    """Perturbed categories."""
    nums: Nums
    """Perturbed numbers."""
    tests: Tests
    """What is known only partly."""
    constant: FloatArray
    """What every score of a record profile contains whatever the target: Jacobians."""

    @property
    def has_tests(self) -> bool:
        """Whether consistency depends on more than the block."""
        return bool(self.tests.lo.shape[0] or self.tests.code.shape[0] or self.tests.same_record.shape[0])

    def block_totals(self) -> tuple[FloatArray, FloatArray]:
        """Give the number of records and the sum of weights of each block."""
        return (
            np.add.reduceat(self.count, self.block_start[:-1]),
            np.add.reduceat(self.weight, self.block_start[:-1]),
        )

    def records(self, base: FloatArray) -> Records:
        """Give the record arrays of the inner loops for a base score per record profile."""
        left, right = np.empty_like(base), np.empty_like(base)
        running_max(base, self.block_start, left, right)
        return Records(base, left, right, self.count, self.weight)


def assemble(pieces: Sequence[Piece], n_records: int, n_targets: int, weights: FloatArray | None, *, units: bool) -> Graph:
    """Merge equal records and equal targets and sort records into blocks.

    Args:
        pieces: the evidence of each variable.
        n_records: the number of released records.
        n_targets: the number of targets.
        weights: survey weights of the released records.
        units: keep every record apart (beliefs were supplied record by record).
    """
    record_block, target_block = _blocks([p for p in pieces if isinstance(p, BlockPiece)], n_records, n_targets)
    tests = sorted((p for p in pieces if isinstance(p, TestPiece)), key=_out_of_order)
    sets = [p for p in pieces if isinstance(p, SetPiece)]
    same = [p for p in pieces if isinstance(p, SamePiece)]
    cats = [p for p in pieces if isinstance(p, CatPiece)]
    nums = [p for p in pieces if isinstance(p, NumPiece | JointPiece)]
    worked_out = [p for p in pieces if isinstance(p, BoundPiece | BeliefPiece)]
    moving: list[Piece] = [*tests, *nums, *sets, *cats, *same, *worked_out]
    primary = _primary(tests, nums, [*sets, *worked_out, *(p for p in same if p.tested or bool(np.any(p.target < 0)))])
    ids = [record_block, *(x for p in moving for x in _ids(p))]
    if units:
        ids.append(np.arange(n_records, dtype=np.int64))
    record_first, record_profile = groups(ids, n_records)
    block = record_block[record_first]
    used, starts = np.unique(block, return_index=True)
    number = np.full(int(max(record_block.max(initial=-1), target_block.max(initial=-1))) + 1, -1, dtype=np.int64)
    number[used] = np.arange(used.size)
    known = [p.target + 1 if isinstance(p, SamePiece) else p.target for p in moving if not isinstance(p, BlockPiece)]
    target_first, target_profile = groups([target_block, *known], n_targets)
    w = np.zeros(n_records) if weights is None else weights
    size = record_first.size
    block_start = np.append(starts, size).astype(np.int64)
    return Graph(
        block_start=block_start,
        record_profile=record_profile,
        record_first=record_first,
        block_of_record=number[block],
        target_profile=target_profile,
        target_first=target_first,
        block_of_target=number[target_block[target_first]],
        primary=primary,
        count=np.bincount(record_profile, minlength=size).astype(np.float64),
        weight=np.asarray(np.bincount(record_profile, weights=w, minlength=size), dtype=np.float64),
        cats=_cat_arrays(cats, number[block], used.size, record_first, target_first),
        nums=_num_arrays(nums, record_first, target_first),
        tests=_test_arrays(tests, sets, [p for p in same if p.tested], record_first, target_first, block_start),
        constant=_constants([*nums, *(p.number for p in pieces if isinstance(p, BoundPiece))], record_first),
    )


def _out_of_order(piece: TestPiece) -> int:
    """Count the ends of intervals that are below the ones before: the search is the narrower the fewer there are."""
    return sum(int(np.sum(x[1:] < x[:-1])) for x in (piece.lo, piece.hi))


def _primary(tests: Sequence[TestPiece], nums: Sequence[NumPiece | JointPiece], others: Sequence[Piece]) -> int:
    """Choose what the records of a block are sorted by."""
    if tests:
        return TEST
    return GAUSS if nums and not others and _in_order(nums[0]) and all(_speaks(p) for p in nums) else NONE


def _in_order(piece: NumPiece | JointPiece) -> bool:
    """Say whether the ends of a number's intervals increase with their ids, as the walk from the target's value needs."""
    return isinstance(piece, JointPiece) or all(bool(np.all(x[1:] >= x[:-1])) for x in (piece.a, piece.b))


def _speaks(piece: NumPiece | JointPiece) -> bool:
    """Say whether every record shows something of a number."""
    return not bool(np.isnan(piece.a if isinstance(piece, NumPiece) else piece.rotated).any())


def _ids(piece: Piece) -> tuple[IntArray, ...]:
    """Give what tells the records apart in a piece."""
    if isinstance(piece, SamePiece):
        return (piece.record + 1,)
    assert not isinstance(piece, BlockPiece)
    return piece.record if isinstance(piece, BeliefPiece) else (piece.record,)


def _blocks(pieces: Sequence[BlockPiece], n_records: int, n_targets: int) -> tuple[IntArray, IntArray]:
    """Number the combinations of values on which record and target must agree."""
    ids = [np.zeros(n_records + n_targets, dtype=np.int64)]
    sizes = [1]
    for piece in pieces:
        left, right, size = joint_codes(piece.record, piece.target)
        ids.append(np.concatenate([left, right]))
        sizes.append(size)
    _, block = np.unique(pack(ids, sizes), return_inverse=True)
    block = block.ravel().astype(np.int64)
    return block[:n_records], block[n_records:]


def _cat_arrays(cats: Sequence[CatPiece], block: IntArray, blocks: int, records: IntArray, targets: IntArray) -> Cats:
    """Give the combinations of released codes in each block, and the tables of the targets."""
    codes = [p.record[records] for p in cats]
    first, combination = groups([block, *codes], block.size)
    width = np.array([p.rows.shape[1] for p in cats], dtype=np.int64)
    sizes = [p.rows.size for p in cats]
    return Cats(
        combination=combination,
        start=np.searchsorted(block[first], np.arange(blocks + 1)).astype(np.int64),
        code=stack([c[first] for c in codes], first.size),
        row=stack([p.target[targets] for p in cats], targets.size),
        offset=np.concatenate([[0], np.cumsum(sizes)])[: len(cats)].astype(np.int64),
        width=width,
        table=np.concatenate([p.rows.ravel() for p in cats]) if cats else np.zeros(0),
    )


def _num_arrays(nums: Sequence[NumPiece | JointPiece], records: IntArray, targets: IntArray) -> Nums:
    """Give intervals of records and nodes of targets for the perturbed numbers."""
    a, b, start, stop, centre, half, sd, weight = [], [], [], [], [], [], [], []
    peak, used = np.zeros(targets.size), 0
    for piece in nums:
        if isinstance(piece, NumPiece):
            a.append(piece.a[piece.record[records]])
            b.append(piece.b[piece.record[records]])
            nodes, which = piece.nodes, piece.target[targets]
            start.append(used + nodes.start[which])
            stop.append(used + nodes.start[which + 1])
            centre.append(nodes.centre)
            half.append(nodes.half)
            sd.append(nodes.sd)
            weight.append(nodes.log_weight)
            peak = peak + nodes.peaks()[which]
            used += nodes.centre.size
        else:
            for z, c in zip(piece.rotated, piece.centres, strict=True):
                a.append(z[piece.record[records]])
                b.append(a[-1])
                start.append(used + piece.target[targets])
                stop.append(start[-1] + 1)
                centre.append(c)
                half.append(np.zeros(c.size))
                sd.append(np.ones(c.size))
                weight.append(np.zeros(c.size))
                used += c.size
    joined = [np.concatenate(x) if x else np.zeros(0) for x in (centre, half, sd, weight)]
    return Nums(
        stack_float(a, records.size),
        stack_float(b, records.size),
        stack(start, targets.size),
        stack(stop, targets.size),
        joined[0],
        joined[1],
        1.0 / joined[2],
        log_scales(joined[2]),
        joined[3],
        peak,
    )


def _test_arrays(
    tests: Sequence[TestPiece],
    sets: Sequence[SetPiece],
    same: Sequence[SamePiece],
    records: IntArray,
    targets: IntArray,
    block_start: IntArray,
) -> Tests:
    """Give intervals and sets for what is known only partly, and values that may be blank."""
    lo = stack_float([p.lo[p.record[records]] for p in tests], records.size)
    hi = stack_float([p.hi[p.record[records]] for p in tests], records.size)
    least, most = np.empty(records.size), np.empty(records.size)
    if tests:
        running_ends(lo[0], hi[0], block_start, least, most)
    rows = max((p.allowed.shape[0] for p in sets), default=0)
    width = max((p.allowed.shape[1] for p in sets), default=0)
    allowed = np.zeros((len(sets), rows, width), dtype=np.bool_)
    for q, piece in enumerate(sets):
        allowed[q, : piece.allowed.shape[0], : piece.allowed.shape[1]] = piece.allowed
    return Tests(
        lo,
        hi,
        least,
        most,
        stack_float([p.target_lo[p.target[targets]] for p in tests], targets.size),
        stack_float([p.target_hi[p.target[targets]] for p in tests], targets.size),
        stack([p.record[records] for p in sets], records.size),
        stack([p.target[targets] for p in sets], targets.size),
        allowed,
        stack([p.record[records] for p in same], records.size),
        stack([p.target[targets] for p in same], targets.size),
    )


def _constants(nums: Sequence[NumPiece | JointPiece], records: IntArray) -> FloatArray:
    """Add up the Jacobians of each record profile."""
    total = np.zeros(records.size)
    for piece in nums:
        total = total + (piece.jacobian[piece.record[records]] if isinstance(piece, NumPiece) else -piece.log_det)
    return total


def stack(rows: Sequence[IntArray], n: int) -> IntArray:
    """Stack rows of integers; none gives an empty stack."""
    return np.ascontiguousarray(np.stack(rows)) if rows else np.zeros((0, n), dtype=np.int64)


def stack_float(rows: Sequence[FloatArray], n: int) -> FloatArray:
    """Stack rows of numbers; none gives an empty stack."""
    return np.ascontiguousarray(np.stack(rows)) if rows else np.zeros((0, n))
