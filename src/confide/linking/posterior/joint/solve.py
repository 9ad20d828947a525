"""Answer eq. (4.1): all released records compete for all respondents (Duncan and Lambert 1987).

The evidence graph is split into connected components. Each is answered exactly by the cheapest
programme that can; the others by propagation with cluster correction, with an estimate of the error of
every entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from confide.errors import LikelihoodError
from confide.linking.parallel import Progress, phase_of, silent
from confide.linking.posterior.joint.batch import solve_small
from confide.linking.posterior.joint.cluster import cluster_corrected
from confide.linking.posterior.joint.components import split
from confide.linking.posterior.joint.exact import WORK, exact_marginals, null_links
from confide.linking.posterior.joint.feasible import check_sparse
from confide.typing import FloatArray

ROUNDING = 1e-12
"""The error of an exact answer."""


@dataclass(frozen=True, slots=True, eq=False)
class JointLinks:
    """Link probabilities of all records and all respondents at once."""

    p: Any
    """P(record j is respondent i's), records by respondents; dense for dense densities, else CSR."""
    null: FloatArray
    """The probability that each respondent was not released: the null link."""
    error: Any
    """The error of every entry: rounding for exact answers, else an estimate that held for at least 98
    per cent of records where the truth is known. Arranged as `p`."""
    methods: tuple[tuple[str, int], ...]
    """How many components each method answered."""

    @property
    def largest(self) -> FloatArray:
        """The largest probability of each respondent: the perceived risk."""
        top = self.p.max(axis=0)
        return np.asarray(top.todense() if sparse.issparse(top) else top, dtype=np.float64).ravel()

    @property
    def largest_error(self) -> float:
        """The largest error of any entry."""
        return float(self.error.max())

    @property
    def is_exact(self) -> bool:
        """Whether every component was answered exactly."""
        return all(name != "cluster-corrected propagation" for name, _ in self.methods)

    def __repr__(self) -> str:
        """Say how large it is, how it was answered and how far to trust it."""
        n, wide = self.p.shape
        how = ", ".join(f"{count:,} by {name}" for name, count in self.methods)
        return f"JointLinks({n:,} records, {wide:,} respondents; components: {how}; error at most {self.largest_error:.3g})"


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
        work: the most elementary operations for an exact answer to one component; about 6e8 pass in
            a second. Components that need more are approximated.
        progress: called with how much of how much is done.

    >>> links = link_probabilities(np.array([[0.0086, 0.0569], [0.0002, 0.0122]]))
    >>> links.p.round(2).tolist(), links.null.round(12).tolist()
    ([[0.9, 0.1], [0.1, 0.9]], [0.0, 0.0])
    """
    dense = not sparse.issparse(densities)
    table = check_sparse(log_table(densities, log=log, weights=weights))
    parts = split(table)
    p, error = np.zeros(table.nnz), np.full(table.nnz, ROUNDING)
    done = solve_small(parts, p)
    counts = {"subset": int(done.sum())} if done.any() else {}
    left = np.flatnonzero(~done)
    for k, c in enumerate(left):
        component = parts[int(c)]
        part = component.sparse()
        found = exact_marginals(part, work=work)
        if found is not None:
            p[component.source], name = found[0].data, found[1]
        else:
            name = "cluster-corrected propagation"
            p[component.source], error[component.source] = cluster_corrected(part, progress=phase_of(progress, k, left.size))
        counts[name] = counts.get(name, 0) + 1
        progress(k + 1, left.size)
    shape = (table.indices, table.indptr)
    answer, off = (sparse.csr_array((x, *shape), shape=table.shape) for x in (p, error))
    null = null_links(answer)
    if dense:
        return JointLinks(np.asarray(answer.todense()), null, np.asarray(off.todense()), _sorted(counts))
    return JointLinks(answer, null, off, _sorted(counts))


def _sorted(counts: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """Give the methods in alphabetical order."""
    return tuple(sorted(counts.items()))


def log_table(densities: Any, *, log: bool, weights: Any = None) -> Any:
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
