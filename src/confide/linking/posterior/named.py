"""Named approximations to eq. (4.1), for comparison only.

F[j, i] is the density of released record j under respondent i; densities or log densities, a table or a
sparse one, as for `confide.link_probabilities`, which gives the answer itself. With

    q[j, i] = F[j, i] / sum over respondents of F[j, .]

the three are close relatives: (4.2) is q; Lambert's section 5 is q[j, i] times the product over the
other records of 1 - q[., i]; and (4.3) is Lambert's, scaled so that each record's sum to one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from confide.errors import LikelihoodError
from confide.linking.posterior.joint.feasible import check_pairs, check_possible, named
from confide.linking.posterior.joint.solve import log_table
from confide.typing import FloatArray, IntArray


def isolated(f: Any, *, log: bool = False) -> Any:
    """Consider every released record by itself (Duncan and Lambert 1987, eq. 4.2).

    It ignores that records compete for respondents: it can be far too small (.15 where the sum
    must be one) and far too large (.968 for .855).

    Args:
        f: densities, records by respondents; a table or a sparse one. The answer is arranged alike.
        log: whether log densities are given.

    >>> isolated(np.array([[1.0, 3.0], [1.0, 1.0]])).round(12).tolist()
    [[0.25, 0.75], [0.5, 0.5]]
    """
    table = _pairs(f, log=log)
    return _arranged(table, np.exp(table.data - _per_pair(table, _log_sums(table))), f)


def with_replacement(f: Any, *, log: bool = False, as_printed: bool = False) -> Any:
    """Take the records as drawn with replacement (Lambert 1993, section 5, before eq. 2).

    The probability that record j is respondent i's and no other record is: (4.2) times the chance
    that the others are not i's. So a respondent's probabilities depend on all records, as in (4.1) and
    not in (4.2), but a record's need not sum to one. It is meant for few records out of many
    respondents; elsewhere it may exceed one.

    The printed formula lacks the factor (N / (N - 1))^(n - 1): with equal densities it does not give
    1/N. The factor is put in here; the order of the records, which is what Lambert uses, is the same.

    Args:
        f: densities, records by respondents; a table or a sparse one. The answer is arranged alike.
        log: whether log densities are given.
        as_printed: leave the factor out, as the paper does.

    >>> with_replacement(np.ones((3, 6))).round(6)[0, 0], with_replacement(np.ones((3, 6)), as_printed=True).round(6)[0, 0]
    (np.float64(0.166667), np.float64(0.115741))
    """
    table = _pairs(f, log=log)
    n, wide = table.shape
    if wide == 1 and n > 1:
        raise LikelihoodError(f"more records than respondents: {n} records, 1 respondent")
    factor = 0.0 if as_printed or n == 1 else -(n - 1) * np.log1p(-1 / wide)
    return _arranged(table, np.exp(_log_alone(table) + factor), f)


def product_form(f: Any, target: int = 0, *, log: bool = False) -> FloatArray:
    """Approximate the probability that each record is one target's (Duncan and Lambert 1987, eq. 4.3).

    Exact for two released records; otherwise it takes the other records as drawn with
    replacement. It is `with_replacement`, scaled so that each record's probabilities sum to one.

    Args:
        f: densities, records by respondents; a table or a sparse one.
        target: the respondent looked for.
        log: whether log densities are given.

    >>> product_form(np.array([[0.0086, 0.0569], [0.0002, 0.0122]])).round(2).tolist()
    [0.9, 0.1]
    """
    table = _pairs(f, log=log)
    n, wide = table.shape
    if not -wide <= target < wide:
        raise LikelihoodError(f"there is no respondent {target}: {wide} respondents, counted from 0")
    alone = _log_alone(table)
    sums = _log_sums(sparse.csr_array((alone, table.indices, table.indptr), shape=table.shape))
    lost = np.flatnonzero(np.isneginf(sums))
    if lost.size:
        raise LikelihoodError(
            f"the release is impossible: whoever could have produced these records (counted from 0: {named(lost)}) "
            "has surely produced another"
        )
    out = np.zeros(n)
    mine = table.indices == target % wide
    out[_rows(table)[mine]] = np.exp(alone - _per_pair(table, sums))[mine]
    return out


def _pairs(f: Any, *, log: bool) -> Any:
    """Give the log densities of the possible pairs; raise unless every record is possible."""
    table = check_pairs(log_table(f, log=log))
    if not all(table.shape):
        raise LikelihoodError(f"densities of {table.shape[0]} records under {table.shape[1]} respondents; give at least one")
    check_possible(table)
    return table


def _log_alone(table: Any) -> FloatArray:
    """Give log of q[j, i] prod over k != j of (1 - q[k, i]) for every pair.

    1 - q is summed from the other respondents, so that it is right where q is nearly one.
    """
    sums = _log_sums(table)
    log_q = table.data - _per_pair(table, sums)
    with np.errstate(divide="ignore"):
        log_rest = np.log1p(-np.minimum(np.exp(log_q), 1.0))
    top = _first_best(table)
    others = table.data.copy()
    others[top] = -np.inf
    log_rest[top] = _log_sums(sparse.csr_array((others, table.indices, table.indptr), shape=table.shape)) - sums
    sure = np.isneginf(log_rest)
    log_rest[sure] = 0.0
    wide = table.shape[1]
    product = np.bincount(table.indices, log_rest, wide)[table.indices] - log_rest
    elsewhere = np.bincount(table.indices, sure, wide)[table.indices] - sure
    return np.asarray(np.where(elsewhere > 0, -np.inf, log_q + product), dtype=np.float64)


def _first_best(table: Any) -> IntArray:
    """Give where each record's largest log density stands, the first among equals."""
    best = np.flatnonzero(table.data == _per_pair(table, np.maximum.reduceat(table.data, table.indptr[:-1])))
    _, first = np.unique(_rows(table)[best], return_index=True)
    return np.asarray(best[first], dtype=np.int64)


def _log_sums(table: Any) -> FloatArray:
    """Give log of each record's sum of exp; every record has at least one pair."""
    top = np.maximum.reduceat(table.data, table.indptr[:-1])
    shift = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        sums = np.log(np.add.reduceat(np.exp(table.data - _per_pair(table, shift)), table.indptr[:-1]))
    return np.asarray(sums + shift, dtype=np.float64)


def _per_pair(table: Any, per_record: FloatArray) -> FloatArray:
    """Repeat a number of each record for each of its pairs."""
    return np.repeat(per_record, np.diff(table.indptr))


def _rows(table: Any) -> IntArray:
    """Give the record of each pair."""
    return np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))


def _arranged(table: Any, values: FloatArray, like: Any) -> Any:
    """Give the values as the densities came: a table, or CSR."""
    out = sparse.csr_array((values, table.indices, table.indptr), shape=table.shape)
    return out if sparse.issparse(like) else np.asarray(out.todense())
