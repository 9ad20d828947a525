"""Answer eq. (4.1): all released records compete for all respondents (Duncan and Lambert 1987).

The evidence graph is split into connected components; each is answered exactly by the cheapest
programme that can. A component that no exact programme can answer within the work limit is named,
and no number is given for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from confide.errors import LikelihoodError
from confide.linking.parallel import Progress, silent
from confide.linking.posterior.joint.batch import solve_small
from confide.linking.posterior.joint.components import split
from confide.linking.posterior.joint.exact import WORK, exact_marginals, null_links
from confide.linking.posterior.joint.feasible import check_sparse
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class JointLinks:
    """Link probabilities of all records and all respondents at once."""

    p: Any
    """P(record j is respondent i's), records by respondents; dense for dense densities, else CSR."""
    null: FloatArray
    """The probability that each respondent was not released: the null link."""
    methods: tuple[tuple[str, int], ...]
    """How many components each method answered."""
    error: float = 1e-12
    """A bound on the error of every entry; all methods used are exact up to rounding."""

    @property
    def largest(self) -> FloatArray:
        """The largest probability of each respondent: the perceived risk."""
        top = self.p.max(axis=0)
        return np.asarray(top.todense() if sparse.issparse(top) else top, dtype=np.float64).ravel()

    def __repr__(self) -> str:
        """Say how large it is and how it was answered."""
        n, wide = self.p.shape
        how = ", ".join(f"{count:,} by {name}" for name, count in self.methods)
        return f"JointLinks({n:,} records, {wide:,} respondents; components: {how}; error at most {self.error:g})"


def link_probabilities(
    densities: Any, *, log: bool = False, weights: Any = None, work: float = WORK, progress: Progress = silent
) -> JointLinks:
    """Give the probability that each released record is each respondent's, eq. (4.1).

    A random injective map from records to respondents has probability proportional to the product
    of the densities it picks; these are its marginals, ratios of permanents.

    Args:
        densities: F[j, i], the density of released record j under respondent i; a table, or a
            sparse one in which pairs that are not stored are impossible.
        log: whether log densities are given.
        weights: how much more likely each respondent is to be released; None: all alike.
        work: the most elementary operations for one component; about 3e8 pass in a second.
        progress: called with how many of how many components are done.

    >>> links = link_probabilities(np.array([[0.0086, 0.0569], [0.0002, 0.0122]]))
    >>> links.p.round(2).tolist(), links.null.round(12).tolist()
    ([[0.9, 0.1], [0.1, 0.9]], [0.0, 0.0])
    """
    dense = not sparse.issparse(densities)
    table = check_sparse(_log_table(densities, log=log, weights=weights))
    parts = split(table)
    p = np.zeros(table.nnz)
    done = solve_small(parts, p)
    counts = {"subset": int(done.sum())} if done.any() else {}
    left = np.flatnonzero(~done)
    too_large = []
    for k, c in enumerate(left):
        progress(k, left.size)
        component = parts[int(c)]
        found = exact_marginals(component.sparse(), work=work)
        if found is None:
            too_large.append(component.records.size)
            continue
        p[component.source] = found[0].data
        counts[found[1]] = counts.get(found[1], 0) + 1
    if too_large:
        raise LikelihoodError(
            f"{len(too_large)} component(s) of the evidence graph are too large for an exact answer, the largest with "
            f"{max(too_large):,} records that compete; raise work, give sharper densities (zero where a pair is "
            "impossible), or use the named approximations isolated and product_form"
        )
    progress(1, 1)
    answer = sparse.csr_array((p, table.indices, table.indptr), shape=table.shape)
    full = np.asarray(answer.todense(), dtype=np.float64) if dense else answer
    return JointLinks(full, null_links(answer), tuple(sorted(counts.items())))


def _log_table(densities: Any, *, log: bool, weights: Any) -> Any:
    """Give the log densities as a sparse table, with the release weights in them."""
    if sparse.issparse(densities):
        table = sparse.csr_array(densities, copy=True, dtype=np.float64)
    else:
        f = np.atleast_2d(np.asarray(densities, dtype=np.float64))
        if f.ndim != 2:
            raise LikelihoodError(f"densities must be a table of records by respondents; found {f.ndim} dimensions")
        rows, columns = np.nonzero(~np.isneginf(f) if log else f != 0)
        table = sparse.csr_array((f[rows, columns], (rows, columns)), shape=f.shape)
    if not log:
        if np.isnan(table.data).any() or bool(np.any(table.data < 0)):
            raise LikelihoodError("densities must not be negative or NaN; an impossible pair has density 0")
        with np.errstate(divide="ignore"):
            table.data = np.log(table.data)
    if weights is not None:
        w = np.asarray(weights, dtype=np.float64)
        if w.shape != (table.shape[1],) or not bool(np.all(np.isfinite(w) & (w > 0))):
            raise LikelihoodError(f"weights must be one positive number for each of the {table.shape[1]} respondents")
        table.data = table.data + np.log(w)[table.indices]
    return table
