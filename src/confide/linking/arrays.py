"""The arrays the inner loops read, with names."""

from __future__ import annotations

from typing import NamedTuple

from confide.typing import BoolArray, FloatArray, IntArray


class Records(NamedTuple):
    """Record profiles, sorted by block and by the primary variable."""

    base: FloatArray
    """The part of a score that does not depend on the target: Jacobian minus log m."""
    left: FloatArray
    """The largest base from the start of the block up to here."""
    right: FloatArray
    """The largest base from here to the end of the block."""
    size: FloatArray
    """The number of records."""
    weight: FloatArray
    """The sum of their survey weights."""


class Cats(NamedTuple):
    """Perturbed categories. A combination is a set of released codes that occurs in a block."""

    combination: IntArray
    """The combination of each record profile."""
    start: IntArray
    """The first combination of each block; the last entry ends the list."""
    code: IntArray
    """The released code, variables by combinations."""
    row: IntArray
    """The row of the table, variables by target profiles."""
    offset: IntArray
    """Where the table of a variable starts."""
    width: IntArray
    """How many codes a variable has."""
    table: FloatArray
    """Log probabilities of codes, all tables one after another."""


class Nums(NamedTuple):
    """Perturbed numbers: intervals of records against nodes of targets."""

    a: FloatArray
    """The lower end, variables by record profiles; NaN: the record says nothing here."""
    b: FloatArray
    """The upper end; equal to the lower one for a number released as drawn."""
    start: IntArray
    """The first node, variables by target profiles."""
    stop: IntArray
    """One past the last node."""
    centre: FloatArray
    """The centre of each node."""
    half: FloatArray
    """Half the width within which the centre is uniform; 0 for a plain normal."""
    per_sd: FloatArray
    """One over its standard deviation; 0: nothing is known here."""
    log_sd: FloatArray
    """The log of its standard deviation times sqrt(2 pi)."""
    log_weight: FloatArray
    """Its log weight, less the log of the normaliser of the noise."""
    peak: FloatArray
    """For each target profile, a bound on the sum of all variables' log likelihoods."""


class Tests(NamedTuple):
    """What is known only partly: intervals that must meet, sets that must hold."""

    lo: FloatArray
    """The lower end of the record's interval, variables by record profiles."""
    hi: FloatArray
    """The upper end."""
    least: FloatArray
    """The smallest lower end of the first variable from each record profile to the end of its block."""
    most: FloatArray
    """Its largest upper end from the start of the block up to each record profile."""
    target_lo: FloatArray
    """The lower end of the target's interval, variables by target profiles."""
    target_hi: FloatArray
    """The upper end."""
    code: IntArray
    """The released code, variables by record profiles."""
    row: IntArray
    """The row of `allowed`, variables by target profiles."""
    allowed: BoolArray
    """Whether a code is possible: variables by rows by codes."""
    same_record: IntArray
    """The code of a value that may be blank, variables by record profiles; -1: blank."""
    same_target: IntArray
    """The code that the target has, variables by target profiles; -1: not known."""


class Tables(NamedTuple):
    """What was worked out for targets and records beforehand, and values that may be blank."""

    offset: IntArray
    """Where a target's values start, tables by target profiles, less the first record of its block."""
    value: FloatArray
    """Log likelihoods, all tables one after another; a record's stands at the offset plus its profile."""
    record: IntArray
    """The code of a value that may be blank, variables by record profiles; -1: blank."""
    target: IntArray
    """The code that the target has, variables by target profiles; -1: not known."""
    blank: FloatArray
    """The log chance that the target's value is left blank, variables by target profiles."""
    shown: FloatArray
    """The log chance that it is not."""
    open: FloatArray
    """The log of v of each target profile's kind: how many people of it are left for records with blanks (`remaining`)."""
    row: IntArray
    """The row of `expected` for each target profile."""
    expected: FloatArray
    """The log of the sum over kinds of v and the chance of what is shown, rows by record profiles; none: everyone counts."""
