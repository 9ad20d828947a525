"""Read and check what the user says about appearances."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from confide.errors import IntruderError
from confide.typing import FloatArray, IntArray


def as_table(values: npt.ArrayLike, what: str) -> FloatArray:
    """Give finite numbers as a table with one row per respondent; a plain list is one variable.

    >>> as_table([1, 2, 3], "centre").shape
    (3, 1)
    """
    try:
        table = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise IntruderError(f"{what} must be a table of numbers, respondents by variables") from None
    table = table.reshape(-1, 1) if table.ndim < 2 else table
    if table.ndim != 2 or 0 in table.shape:
        raise IntruderError(
            f"{what} must have one row for each respondent and one column for each variable; found shape {table.shape}"
        )
    _finite(table, what)
    return frozen(table)


def as_spread(values: npt.ArrayLike, shape: tuple[int, int], what: str) -> FloatArray:
    """Give positive numbers for respondents by variables, from one number, one per variable, or one each.

    >>> as_spread([1, 2], (3, 2), "sd").tolist()
    [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]
    """
    respondents, variables = shape
    try:
        spread = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise IntruderError(f"{what} must be one or more numbers") from None
    if variables == 1 and spread.shape == (respondents,):
        spread = spread[:, None]
    if spread.shape not in {(), (1,), (variables,), shape}:
        raise IntruderError(
            f"{what} must be one number, one for each of the {variables} variables, or a table of {respondents} "
            f"respondents by {variables} variables; found shape {spread.shape}"
        )
    _finite(spread, what)
    if bool(np.any(spread <= 0)):
        raise IntruderError(f"{what} must be positive; {int(np.sum(spread <= 0))} of {spread.size} numbers are not")
    return frozen(np.broadcast_to(spread, shape))


def as_covariance(values: npt.ArrayLike, shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    """Give covariances, one for all or one for each respondent, and their lower Cholesky factors."""
    respondents, d = shape
    try:
        covariance = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise IntruderError("covariance must be a square table of numbers") from None
    if covariance.shape not in {(d, d), (respondents, d, d)}:
        raise IntruderError(
            f"covariance must be {d} by {d}, or one such table for each of the {respondents} respondents; "
            f"found shape {covariance.shape}"
        )
    _finite(covariance, "covariance")
    size = np.abs(covariance).max()
    if bool(np.any(np.abs(covariance - np.swapaxes(covariance, -1, -2)) > 1e-10 * size)):
        raise IntruderError("covariance must be symmetric; use (c + c.T) / 2 if it is so but for rounding")
    try:
        return frozen(covariance), np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)
    except np.linalg.LinAlgError:
        lowest = np.atleast_1d(np.linalg.eigvalsh(covariance)[..., 0])
        who = f" of respondent {int(lowest.argmin())} (counted from 0)" if covariance.ndim == 3 else ""
        raise IntruderError(
            f"the covariance{who} is not positive definite: its smallest eigenvalue is {lowest.min():.3g}; "
            "drop a variable that the others determine, or give sd instead"
        ) from None


def as_records(records: npt.ArrayLike, variables: int, what: str = "records") -> FloatArray:
    """Give released records, or codes of respondents, as a table."""
    try:
        table = np.asarray(records, dtype=np.float64)
    except (TypeError, ValueError):
        raise IntruderError(f"{what} must be a table of numbers, one column for each variable") from None
    if table.ndim < 2 and variables == 1:
        table = table.reshape(-1, 1)
    if table.ndim != 2 or table.shape[1] != variables:
        raise IntruderError(f"{what} must have {variables} columns, one for each variable; found shape {table.shape}")
    return table


def as_finite_records(records: npt.ArrayLike, variables: int) -> FloatArray:
    """Give released records without missing or infinite values."""
    table = as_records(records, variables)
    if not bool(np.all(np.isfinite(table))):
        rows = int(np.sum(~np.isfinite(table).all(axis=1)))
        raise IntruderError(
            f"{rows} of {table.shape[0]} records hold missing or infinite values, for which these beliefs have no density; "
            "leave the records or the variable out, or use FunctionAppearance"
        )
    return table


def check_pairs(n: int, respondents: int, record: IntArray, respondent: IntArray) -> tuple[IntArray, IntArray]:
    """Give the numbers of records and respondents of pairs, one after the other."""
    pairs = []
    for numbers, size, what in ((record, n, "records"), (respondent, respondents, "respondents")):
        index = np.asarray(numbers)
        if index.ndim != 1 or not (np.issubdtype(index.dtype, np.integer) or index.size == 0):
            raise IntruderError(f"pairs need a plain list of the numbers of their {what}")
        if index.size and not (int(index.min()) >= 0 and int(index.max()) < size):
            raise IntruderError(f"a pair names one of the {what} outside 0 to {size - 1}")
        pairs.append(index.astype(np.int64, copy=False))
    if pairs[0].size != pairs[1].size:
        raise IntruderError(f"{pairs[0].size} records are paired with {pairs[1].size} respondents; give one for each")
    return pairs[0], pairs[1]


def check_mass(mass: float) -> float:
    """Give a probability that may be left outside."""
    if not (math.isfinite(mass) and 0 <= mass < 1):
        raise IntruderError(f"mass is the probability outside a box, at least 0 and below 1; found {mass}")
    return float(mass)


def shared_mass(mass: float, share: float) -> float:
    """Give the mass that independent parts may each leave out so that all together leave out `mass`.

    >>> round(shared_mass(0.19, 0.5), 12)
    0.1
    """
    return -math.expm1(share * math.log1p(-mass))


def frozen(array: FloatArray) -> FloatArray:
    """Give an array that cannot be written to."""
    array = np.ascontiguousarray(array, dtype=np.float64)
    array.setflags(write=False)
    return array


def _finite(values: FloatArray, what: str) -> None:
    """Raise on missing and infinite numbers."""
    if not bool(np.all(np.isfinite(values))):
        raise IntruderError(f"{what} holds {int(np.sum(~np.isfinite(values)))} missing or infinite numbers of {values.size}")
