"""The evidence one variable gives, in a form the inner loops can use.

Records and targets are described by small integers (ids) and a table for each id, so that equal
values are computed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from confide.data.column import MISSING, NUMBER, Column
from confide.intruder.beliefs.prior import UnitPrior
from confide.linking.compose import Composite
from confide.release.channel import Kernel
from confide.typing import BoolArray, FloatArray, IntArray, Label

ONE_OF = "(one of those known)"
"""The name of levels that are taken as one."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockPiece:
    """A variable on which record and target must agree (z^Ad)."""

    name: str
    record: Column
    target: Column
    source: Column | None
    """The same for the source records, to fit beliefs on."""
    of_class: bool = False
    """Whether these are the classes of a noisy variable."""
    covariate: bool = True
    """Whether beliefs about altered variables are given it; a category among them may say the same by itself."""
    merged: Mapping[Label, float] | None = None
    """The levels that are taken as one, since the target is known to have one of them, and how many people have each."""


@dataclass(frozen=True, slots=True, eq=False)
class CatPiece:
    """A perturbed category: rows of log probabilities of released codes."""

    name: str
    record: IntArray
    """The released code of each record (stratum and level)."""
    target: IntArray
    """The row of each target."""
    rows: FloatArray
    """Log Pr(released code | what is known), rows by codes."""
    channel: FloatArray
    """Log Pr(released code | true level), levels by codes."""
    levels: tuple[Label, ...]
    """The true levels."""
    source: IntArray | None
    """The true level of each source record."""
    stratum: str | None = None
    """The category whose true level picks the rows of `channel`, strata first; None: there is one."""
    of_class: bool = False
    """Whether the levels are classes of a noisy variable, which supplied beliefs speak of by themselves."""
    visible: bool = False
    """Whether record and target must agree on what is released, so that beliefs are conditioned on it."""
    numbers: tuple[FloatArray, FloatArray] | None = None
    """The first and the last number that each level stands for; None: levels are no numbers, or it is not known."""


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """Where a target's released number lies: mixtures of normals and blurred normals, by target id."""

    start: IntArray
    """The first node of each id; the last entry ends the list."""
    centre: FloatArray
    half: FloatArray
    """Half the width within which the centre is uniform; 0 for a plain normal."""
    sd: FloatArray
    """The standard deviation; infinite: the node says nothing."""
    log_weight: FloatArray

    @classmethod
    def single(cls, centre: FloatArray, sd: FloatArray, log_weight: FloatArray) -> Nodes:
        """Make one node for each id."""
        return cls(np.arange(centre.size + 1, dtype=np.int64), centre, np.zeros(centre.size), sd, log_weight)

    def peaks(self) -> FloatArray:
        """Bound, for each id, the largest log density or mass anywhere."""
        log_s = log_scales(self.sd)
        top = self.log_weight + np.maximum(0.0, -log_s)
        counts = np.diff(self.start)
        best = np.maximum.reduceat(top, self.start[:-1]) if top.size else np.zeros(0)
        return np.asarray(best + np.log(counts), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class NumPiece:
    """A perturbed number: intervals of records against nodes of targets."""

    name: str
    record: IntArray
    """The id of each record's interval, increasing with it."""
    a: FloatArray
    """The lower end of each interval, on the scale of the noise."""
    b: FloatArray
    """The upper end."""
    jacobian: FloatArray
    """The log Jacobian of each interval that is a point."""
    state: IntArray
    """0: the class says all; 1: perturbed; 2: perturbed below zero; 3: released as it is."""
    low: FloatArray
    """The lower end of the true values in the class of each interval."""
    high: FloatArray
    """The upper end."""
    target: IntArray
    """The id of what is known about each target."""
    nodes: Nodes
    """The nodes of each target id."""
    kernel: Kernel | None
    """The noise; None when the number is released as it is."""
    composite: Composite
    source: tuple[FloatArray, BoolArray] | None
    """The source records' values, and which of them are perturbed."""
    visible: bool = True
    """Whether the class of a record is known, so that beliefs are conditioned on it (convention 8)."""
    merged: BoolArray | None = None
    """Which ids a kept zero is released as, beside perturbed numbers; None: none."""
    known: FloatArray | None = None
    """The true number of each target id, where it is known exactly; NaN: the class says all; None: it is not known so."""

    @property
    def says(self) -> BoolArray:
        """Which ids say more than their class."""
        return self.state > 0


@dataclass(frozen=True, slots=True, eq=False)
class SamePiece:
    """A value that is not altered but may be left blank: a blank agrees with everybody."""

    name: str
    record: IntArray
    """The code of each record's value; -1: blank."""
    target: IntArray
    """The code of each target's; -1: not known."""
    source: IntArray | None
    """The code of each source record's."""
    values: Column
    """The records' values as a covariate."""
    target_values: Column
    """The targets' values as a covariate."""
    source_values: Column | None
    """The source records' values as a covariate."""
    chance: FloatArray | None = None
    """The chance that each code is left blank, as the intruder understands it; None: blanks tell nothing."""
    tested: bool = False
    """Whether it decides on consistency and no more: released values are taken at face value."""
    of_class: bool = False
    """Whether these are the classes of a noisy variable."""
    merged: bool = False
    """Whether levels are taken as one, since the target is known to have one of them."""

    def log_chance(self, codes: IntArray) -> tuple[FloatArray, FloatArray]:
        """Give the log chances that values are blank and that they are not; 0 where nothing is known."""
        if self.chance is None:
            return np.zeros(codes.size), np.zeros(codes.size)
        b = np.where(codes >= 0, self.chance[np.maximum(codes, 0)], 0.0)
        with np.errstate(divide="ignore"):
            blank, shown = np.log(b), np.log1p(-b)
        return np.where(codes >= 0, blank, 0.0), np.where(codes >= 0, shown, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class BeliefPiece:
    """Altered variables of which the intruder holds beliefs about the target (section 3.3)."""

    parts: tuple[CatPiece | NumPiece, ...]
    """What was done to them, as the beliefs about the target speak of it; their own targets are not used."""
    strangers: tuple[CatPiece | NumPiece, ...]
    """The same as the beliefs about strangers speak of it."""
    prior: UnitPrior
    """The beliefs, by kind of target or by record."""
    kind: IntArray
    """The kind of each target: its row of the prior."""
    by_record: bool = False
    """Whether the rows of the prior are those of the records."""
    known: bool = False
    """Whether this is knowledge of the target (3.2), rather than a model of what is not known (3.3)."""

    @property
    def target(self) -> IntArray:
        """The kind of each target."""
        return self.kind

    @property
    def record(self) -> tuple[IntArray, ...]:
        """The ids of each record, by variable."""
        return tuple(p.record for p in self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class BoundPiece:
    """A noisy number known only within bounds: its prior, restricted to them, meets the noise (3.3)."""

    number: NumPiece
    """The released numbers; its nodes are not used."""
    low: FloatArray
    """The lower bound of each target id."""
    high: FloatArray
    """The upper bound."""
    target: IntArray
    """The id of each target's bounds."""
    classes: CatPiece | None = None
    """Its classes, as beliefs that are fitted speak of them; None: there is no file to fit them to."""
    inside: FloatArray | None = None
    """Log shares of the people of each class who are within the bounds, target ids by levels of the class."""

    @property
    def name(self) -> str:
        """The variable."""
        return self.number.name

    @property
    def record(self) -> IntArray:
        """The id of each record's interval."""
        return self.number.record


@dataclass(frozen=True, slots=True, eq=False)
class JointPiece:
    """Several numbers with correlated noise, made independent by rotation."""

    names: tuple[str, ...]
    record: IntArray
    """The id of each record."""
    rotated: FloatArray
    """Rotated released numbers, variables by ids."""
    target: IntArray
    centres: FloatArray
    """Rotated true numbers, variables by target ids."""
    true: FloatArray
    """True numbers, variables by target ids."""
    log_det: float
    """The log determinant of the rotation."""
    released: FloatArray
    """Released numbers, variables by ids."""
    covariance: FloatArray
    """The covariance of the noise."""
    source: FloatArray | None
    """The source records' numbers, variables by records."""


@dataclass(frozen=True, slots=True, eq=False)
class TestPiece:
    """A number known only within bounds: the record's interval must meet the target's."""

    name: str
    record: IntArray
    lo: FloatArray
    hi: FloatArray
    target: IntArray
    target_lo: FloatArray
    target_hi: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class SetPiece:
    """A category known only to be one of several."""

    name: str
    record: IntArray
    target: IntArray
    allowed: BoolArray
    """Target ids by record codes."""
    prior: FloatArray | None = None
    """The probability of each record code, where one was given."""


Piece = BlockPiece | SamePiece | CatPiece | NumPiece | BoundPiece | BeliefPiece | JointPiece | TestPiece | SetPiece


def log_scales(sd: FloatArray) -> FloatArray:
    """Give the logs of standard deviations times sqrt(2 pi); 0 for infinite ones, which say nothing.

    >>> log_scales(np.array([1.0, np.inf])).round(3).tolist()
    [0.919, 0.0]
    """
    return np.where(np.isinf(sd), 0.0, np.log(sd) + 0.5 * np.log(2 * np.pi))


def distinct_pairs(first: FloatArray, second: FloatArray) -> tuple[IntArray, IntArray]:
    """Give ids of equal pairs, ordered by the first then the second, and one row of each.

    NaN sorts last and equals NaN.
    """
    order = np.lexsort((second, first))
    a, b = first[order], second[order]
    with np.errstate(invalid="ignore"):
        same = ((a[1:] == a[:-1]) | (np.isnan(a[1:]) & np.isnan(a[:-1]))) & (
            (b[1:] == b[:-1]) | (np.isnan(b[1:]) & np.isnan(b[:-1]))
        )
    new = np.concatenate([[True], ~same]) if order.size else np.zeros(0, dtype=np.bool_)
    ids = np.empty(order.size, dtype=np.int64)
    ids[order] = np.cumsum(new) - 1
    return ids, order[new]


def joint_codes(left: Column, right: Column) -> tuple[IntArray, IntArray, int]:
    """Give both columns codes in which equal values have equal codes, and how many codes there are."""
    labels = tuple(dict.fromkeys((*left.labels, *right.labels)))
    a, b = left.relabelled(labels), right.relabelled(labels)
    if not (a.is_number.any() or b.is_number.any()):
        return a.codes + 2, b.codes + 2, len(labels) + 2
    numbers = np.concatenate([a.numbers, b.numbers])
    codes = np.concatenate([a.codes, b.codes])
    number = codes == -1
    distinct, inverse = np.unique(numbers[number], return_inverse=True)
    codes = codes + 2
    codes[number] = len(labels) + 2 + inverse
    return codes[: left.size], codes[left.size :], len(labels) + 2 + distinct.size


def same_column_value(record: Column, target: Column, t: int) -> BoolArray:
    """Say which records hold the value of target t."""
    code = int(target.codes[t])
    if code == NUMBER:
        same: BoolArray = record.is_number & np.equal(record.numbers, target.numbers[t])
        return same
    if code == MISSING:
        return record.is_missing
    label = target.labels[code]
    return np.equal(record.codes, record.labels.index(label) if label in record.labels else -99)
