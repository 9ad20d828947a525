"""Statements about one person that an intruder reads off a released file."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from confide.data.column import NUMBER
from confide.errors import IntruderError
from confide.risk.attacks.predicate_kernel import AT_LEAST, AT_MOST, CODE, EQUAL
from confide.risk.attacks.statements import Statements, Table
from confide.seeds import Stream
from confide.typing import BoolArray, FloatArray, IntArray

BATCH = 5_000
"""So many statements are tried at a time at least."""
MOST_SETS = 20_000
"""Where there are more sets of variables, they are drawn at random."""


class Predicates(Protocol):
    """Which statements the intruder tries."""

    def found(self, table: Table, numeric: BoolArray, wanted: int, seed: int) -> Statements:
        """Give statements that single out one released record each, no two the same, as many as wanted or as there are."""
        ...

    def guessed(self, table: Table, numeric: BoolArray, wanted: int, seed: int) -> Statements:
        """Give statements of the same form made without looking at records."""
        ...

    def describe(self) -> str:
        """Say it in words."""
        ...


@dataclass(frozen=True, slots=True)
class Univariate:
    """Statements about one variable: a value that one released record has, the smallest or largest, or missing.

    There is one statement about a released record at most.

    >>> Univariate().describe()
    'one variable'
    """

    def found(self, table: Table, numeric: BoolArray, wanted: int, seed: int) -> Statements:
        """Give all such statements, in random order where there are more than wanted."""
        column: list[IntArray] = []
        says: list[IntArray] = []
        value: list[FloatArray] = []
        for j, ordered in enumerate(numeric.tolist()):
            held = np.sort(table.numbers[j, table.codes[j] == NUMBER])
            distinct, times = np.unique(held, return_counts=True)
            what = np.full(distinct.size, EQUAL, dtype=np.int64)
            if ordered and distinct.size:
                what[-1], what[0] = AT_LEAST, AT_MOST
            codes, counts = np.unique(table.codes[j, table.codes[j] != NUMBER], return_counts=True)
            says += [what[times == 1], np.full(int(np.sum(counts == 1)), CODE, dtype=np.int64)]
            value += [distinct[times == 1], codes[counts == 1].astype(np.float64)]
            column.append(np.full(says[-1].size + says[-2].size, j, dtype=np.int64))
        made = Statements(np.concatenate(column)[:, None], np.concatenate(says)[:, None], np.concatenate(value)[:, None])
        order = Stream(seed, "univariate predicates").order(np.arange(made.many, dtype=np.int64))
        made = made.take(order)
        return made.take(_new(made, table, np.zeros(table.n, dtype=np.bool_))[:wanted])

    def guessed(self, table: Table, numeric: BoolArray, wanted: int, seed: int) -> Statements:
        """Give statements about a random variable with the value of a random record, in a random direction."""
        made = _blind(table, numeric, wanted, 1, Stream(seed, "univariate guesses"))
        turn = Stream(seed, "directions").uniform(np.arange(wanted, dtype=np.int64))[:, None]
        direction = np.select([turn < 1 / 3, turn < 2 / 3], [EQUAL, AT_MOST], AT_LEAST)
        return made._replace(says=np.where(np.isin(made.says, [AT_MOST, AT_LEAST]), direction, made.says))

    def describe(self) -> str:
        """Say it in words."""
        return "one variable"


@dataclass(frozen=True, slots=True)
class Multivariate:
    """Statements about several variables, chosen at random, that one released record satisfies.

    A category must be the same, or missing; a number above the median be as large at least, another as small at most. Every
    released record is tried once before one is tried again, and there is one statement about it at most.

    >>> Multivariate(3).describe()
    '3 variables'
    """

    columns: int = 3
    """How many variables a statement is about."""
    tries: int = 100
    """So many statements are tried at most, for each that is wanted."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        if self.columns < 1 or self.tries < 1:
            raise IntruderError(f"Multivariate: columns and tries must be 1 or more, found {self.columns} and {self.tries}")

    def found(self, table: Table, numeric: BoolArray, wanted: int, seed: int) -> Statements:
        """Try statements until enough single out one released record, or all have been tried."""
        self._check(table)
        stream = Stream(seed, "multivariate predicates")
        order = stream.order(np.arange(table.n, dtype=np.int64))
        possible = table.n * math.comb(table.p, self.columns)
        used = np.zeros(table.n, dtype=np.bool_)
        held: list[Statements] = []
        made, at, end = 0, 0, min(self.tries * wanted, possible)
        while made < min(wanted, table.n) and at < end:
            turn = np.arange(at, min(at + max(2 * (wanted - made), BATCH), end), dtype=np.int64)
            records = order[turn % table.n]
            columns = _columns_in_turn(table.p, self.columns, turn // table.n, records, turn, stream)
            tried = _statements(table, numeric, np.repeat(records[:, None], self.columns, axis=1), columns)
            new = _new(tried, table, used)
            held.append(tried.take(new[: wanted - made]))
            made, at = made + new.size, at + turn.size
        return Statements(*(np.concatenate(x) for x in zip(*held, strict=True)))

    def guessed(self, table: Table, numeric: BoolArray, wanted: int, seed: int) -> Statements:
        """Give statements whose values come each from another random record."""
        self._check(table)
        return _blind(table, numeric, wanted, self.columns, Stream(seed, "multivariate guesses"))

    def describe(self) -> str:
        """Say it in words."""
        return f"{self.columns} variables" if self.columns > 1 else "1 variable"

    def _check(self, table: Table) -> None:
        """Raise where there are fewer variables."""
        p = table.p
        if self.columns > p:
            raise IntruderError(
                f"Multivariate({self.columns}) needs {self.columns} variables, the files have {p} in common; "
                f"take Multivariate({p}) or Univariate()"
            )


def _new(made: Statements, table: Table, used: BoolArray) -> IntArray:
    """Give the places of statements that single out a record not used before, one for each record, and note these."""
    count, row = made.matches(table)
    alone = np.flatnonzero((count == 1) & ~used[row])
    first = np.sort(np.unique(row[alone], return_index=True)[1])
    used[row[alone]] = True
    return np.asarray(alone[first], dtype=np.int64)


def _columns_in_turn(p: int, wanted: int, lap: IntArray, records: IntArray, turn: IntArray, stream: Stream) -> IntArray:
    """Choose variables for each record: every set once, in another order for each, where the sets can be listed."""
    if math.comb(p, wanted) > MOST_SETS:
        return _columns(p, wanted, turn, stream)
    sets = np.array(list(itertools.combinations(range(p), wanted)), dtype=np.int64)
    shuffled = sets[Stream(stream.seed, "sets of variables").order(np.arange(len(sets), dtype=np.int64))]
    first = (stream.uniform(records) * len(sets)).astype(np.int64)
    return np.asarray(shuffled[(first + lap) % len(sets)], dtype=np.int64)


def _columns(p: int, wanted: int, keys: IntArray, stream: Stream) -> IntArray:
    """Choose different variables at random for each key, in the order of the file."""
    shuffled = np.column_stack([stream.uniform(keys, draw=1 + j) for j in range(p)])
    return np.sort(np.argsort(shuffled, axis=1, kind="stable")[:, :wanted], axis=1).astype(np.int64)


def _blind(table: Table, numeric: BoolArray, wanted: int, columns: int, stream: Stream) -> Statements:
    """Make statements of random variables with values of random records."""
    keys = np.arange(wanted, dtype=np.int64)
    chosen = _columns(table.p, columns, keys, stream)
    draws = [stream.uniform(keys, draw=1_000 + table.p + c) for c in range(columns)]
    records = np.minimum((np.column_stack(draws) * table.n).astype(np.int64), table.n - 1)
    return _statements(table, numeric, records, chosen)


def _statements(table: Table, numeric: BoolArray, records: IntArray, columns: IntArray) -> Statements:
    """Say of records what their values are, or on which side of the median."""
    middle = np.zeros(numeric.size)
    for j in np.flatnonzero(numeric):
        held = table.numbers[j, table.codes[j] == NUMBER]
        middle[j] = np.median(held) if held.size else 0.0
    code, number = table.codes[columns, records], table.numbers[columns, records]
    side = np.where(number > middle[columns], AT_LEAST, AT_MOST)
    says = np.where(code != NUMBER, CODE, np.where(numeric[columns], side, EQUAL))
    return Statements(columns, says.astype(np.int64), np.where(code != NUMBER, code, number).astype(np.float64))
