"""Count the records that satisfy predicates."""

from __future__ import annotations

from numba import njit

from confide.data.column import NUMBER
from confide.typing import FloatArray, IntArray

CODE, EQUAL, AT_MOST, AT_LEAST = 0, 1, 2, 3
"""What a condition says: a category or missing, a number, a largest number, a smallest number."""


@njit(cache=True, nogil=True)
def satisfies(number: float, code: int, says: int, value: float) -> bool:
    """Say whether a value satisfies a condition."""
    if says == CODE:
        return code == value
    if code != NUMBER:
        return False
    if says == EQUAL:
        return number == value
    return number <= value if says == AT_MOST else number >= value


@njit(cache=True, nogil=True)
def count_matches(
    first: int, last: int, numbers: FloatArray, codes: IntArray, order: IntArray, column: IntArray, says: IntArray,
    value: FloatArray, begin: IntArray, end: IntArray, most: int, count: IntArray, row: IntArray,
) -> None:  # fmt: skip
    """Count the records that satisfy all conditions of each predicate, and keep one of them.

    Args:
        first: the first predicate.
        last: the end.
        numbers: variables by records.
        codes: the same; categories, NUMBER or MISSING.
        order: the records of each variable, sorted.
        column: the variable of each condition, predicates by conditions.
        says: what each says.
        value: the number or the code.
        begin: where those that satisfy the condition alone begin in the order of its variable.
        end: where they end.
        most: counting stops above this.
        count: filled.
        row: filled with a record that satisfies all; -1: none.
    """
    for k in range(first, last):
        # go through those who satisfy the rarest condition
        rare = 0
        for c in range(1, column.shape[1]):
            if end[k, c] - begin[k, c] < end[k, rare] - begin[k, rare]:
                rare = c
        found, row[k] = 0, -1
        for t in range(begin[k, rare], end[k, rare]):
            i = order[column[k, rare], t]
            holds = True
            for c in range(column.shape[1]):
                j = column[k, c]
                if not satisfies(numbers[j, i], codes[j, i], says[k, c], value[k, c]):
                    holds = False
                    break
            if holds:
                found += 1
                row[k] = i
                if found > most:
                    break
        count[k] = found
