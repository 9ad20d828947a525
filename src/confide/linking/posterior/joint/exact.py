"""The exact answer to eq. (4.1) for one component, by the cheapest programme that can give it.

Work is estimated as elementary operations before anything is computed; about 6e8 pass in a second.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from confide.linking.posterior.joint.feasible import check_dense, check_sparse
from confide.linking.posterior.joint.frontier import MOST_WIDTH, Order, frontier_marginals, frontier_order
from confide.linking.posterior.joint.subset import MOST_RECORDS, MOST_STATES, subset_marginals, subset_states
from confide.linking.posterior.joint.types import MOST_STATES as MOST_TYPES
from confide.linking.posterior.joint.types import count_types, many_types, merge_types, type_marginals, type_states
from confide.typing import AnyArray, FloatArray

WORK = 4e9
ALWAYS = 22
"""Components of so many records are answered exactly, unless the caller sets a tolerance or a limit."""
LITTLE = 1e6
"""Below this much work nobody looks for equal records or respondents."""


def exact_marginals(log_f: Any, work: float = WORK, order: AnyArray | None = None) -> tuple[Any, str] | None:
    """Give all P(record j is respondent i's) of one component and the method, or None when that costs too much.

    A dense table gives a dense answer, a CSR table (log densities stored, others impossible) the
    probabilities of its stored pairs as CSR. Methods: 'alone', 'types', 'subset', 'frontier'.

    Args:
        log_f: log densities, records by respondents.
        work: the most elementary operations.
        order: an order of respondents along which evidence is local, where one is known.

    >>> exact_marginals(np.log([[1.0, 3.0], [1.0, 1.0]]))[0].round(12).tolist()
    [[0.25, 0.75], [0.75, 0.25]]
    """
    if not sparse.issparse(log_f):
        dense = check_dense(log_f)
        rows, columns = np.nonzero(dense > -np.inf)
        table = sparse.csr_array((dense[rows, columns], (rows, columns)), shape=dense.shape)
        found = _solve(table, work, order)
        if found is None:
            return None
        full = np.zeros(dense.shape)
        full[rows, columns] = found[0]
        return full, found[1]
    table = check_sparse(log_f)
    found = _solve(table, work, order)
    if found is None:
        return None
    return sparse.csr_array((found[0], table.indices, table.indptr), shape=table.shape), found[1]


def exact_pairs(table: Any, work: float = WORK) -> tuple[FloatArray, str] | None:
    """Give the same for the stored pairs of a CSR table that was checked and has a matching."""
    return _solve(table, work, None)


def work_allowed(records: int, work: float | None) -> float:
    """Give the most work for a component: WORK where nothing is asked; no limit holds for up to 22 records only.

    >>> work_allowed(22, np.inf), work_allowed(23, np.inf), work_allowed(23, 1e12)
    (inf, 4000000000.0, 1000000000000.0)
    """
    if work is None or (np.isinf(work) and records > ALWAYS):
        return WORK
    return work


def null_links(p: Any) -> FloatArray:
    """Give the probability that each respondent was not released: 1 minus the column sums.

    >>> null_links(np.array([[0.25, 0.5, 0.25]])).tolist()
    [0.75, 0.5, 0.75]
    """
    return np.clip(1.0 - np.asarray(p.sum(axis=0), dtype=np.float64).reshape(-1), 0.0, 1.0)


def _solve(table: Any, work: float, order: AnyArray | None) -> tuple[FloatArray, str] | None:
    """Try the programmes, cheapest first."""
    n, wide = table.shape
    if n == 0 or n == wide == 1:
        return np.ones(table.nnz), "alone"
    if n == 1:
        weight = np.exp(table.data - table.data.max())
        return weight / weight.sum(), "alone"
    plan = None
    if np.bincount(table.indices, minlength=1).max() <= MOST_WIDTH:  # all records of a respondent are open when it passes
        plan = frontier_order(table.indptr, table.indices, wide, order)
    costs = _costs(table, plan)
    rows = np.repeat(np.arange(n), np.diff(table.indptr))
    for method in sorted(costs, key=lambda name: costs[name]):
        if costs[method] > work:
            return None
        if method == "frontier":
            p = frontier_marginals(table.indptr, table.indices, table.data, wide, plan)
            if p is not None:
                return p, method
        elif method == "types":
            merged = merge_types(table)
            by_type = type_marginals(merged.log_f, merged.record_counts, merged.respondent_counts)
            return by_type[merged.record_type[rows], merged.respondent_type[table.indices]], method
        else:
            return subset_marginals(_filled(table))[rows, table.indices], method
    return None


def _costs(table: Any, plan: Order | None) -> dict[str, float]:
    """Estimate the operations of every programme that could answer."""
    n, wide = table.shape
    costs: dict[str, float] = {}
    if plan is not None and plan.width <= MOST_WIDTH:
        costs["frontier"] = plan.states * (3.0 + table.nnz / wide) * 0.6 + 100.0 * table.nnz
    if n <= MOST_RECORDS and subset_states(n, wide) <= MOST_STATES:
        costs["subset"] = subset_states(n, wide) * (n / 2 + 1.0) * 2.0
    if min(costs.values(), default=np.inf) < LITTLE:
        return costs
    if many_types(table):
        return costs
    record_counts, respondent_counts = count_types(table)
    over_respondents, over_records = type_states(record_counts, respondent_counts)
    if min(over_respondents, over_records) <= MOST_TYPES:
        kinds = respondent_counts.size if over_respondents <= over_records else record_counts.size + 1
        costs["types"] = 8.0 * min(over_respondents, over_records) * kinds
    return costs


def _filled(table: Any) -> FloatArray:
    dense = np.full(table.shape, -np.inf)
    dense[np.repeat(np.arange(table.shape[0]), np.diff(table.indptr)), table.indices] = table.data
    return dense
