"""Answer eq. (4.1): all released records compete for all respondents (Duncan and Lambert 1987).

The evidence graph is split into connected components. Each is answered exactly by the cheapest
programme that can; the others by propagation with cluster correction and by two chains, with an estimate of the
error of every entry.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from confide.errors import LikelihoodError
from confide.intruder.appearance.appearance import Appearance
from confide.linking.candidates.found import MASS, Candidates, completed, find_candidates, unsure
from confide.linking.parallel import Progress, rising, share_of, silent
from confide.linking.posterior.joint.approximate import Approximate, Effort, approximate
from confide.linking.posterior.joint.batch import solve_small
from confide.linking.posterior.joint.components import Components, split, unmatched
from confide.linking.posterior.joint.exact import exact_pairs, null_links, work_allowed
from confide.linking.posterior.joint.feasible import check_pairs, check_possible, check_sparse
from confide.linking.posterior.joint.result import APPROXIMATE, SAMPLED, Diagnostics, JointLinks
from confide.typing import FloatArray

ROUNDING = 1e-12
"""The error of an exact answer."""


def link_probabilities(
    densities: Any,
    records: Any = None,
    *,
    log: bool = False,
    weights: Any = None,
    tolerance: float | None = None,
    seconds: float | None = None,
    seed: int = 0,
    mass: float = MASS,
    work: float | None = None,
    progress: Progress = silent,
) -> JointLinks:
    """Give the probability that each released record is each respondent's, eq. (4.1).

    A random injective map from records to respondents has probability proportional to the product
    of the densities it picks; these are its marginals, ratios of permanents. Components of the graph of
    possible pairs are answered exactly where a programme can, otherwise approximately. An interruption (Ctrl-C) while
    chains run gives the best answer so far, marked as interrupted.

    Args:
        densities: F[j, i], the density of released record j under respondent i; a table, or a
            sparse one in which pairs that are not stored are impossible. Or beliefs about how each respondent's
            record would appear, such as `NormalAppearance`; candidates are then found here.
        records: the released records, where beliefs are given.
        log: whether log densities are given.
        weights: how much more likely each respondent is to be released; None: all alike.
        tolerance: the root mean square error allowed over pairs with p above .05, where the answer is approximate;
            None: .01, and every component of up to 22 records is answered exactly, whatever it takes. Infinite:
            propagation alone.
        seconds: stop chains after so many seconds, met or not; the answer then depends on the machine.
        seed: of the chains: one seed, one answer.
        mass: where beliefs are given, the probability with which a respondent's own record may be missed among its
            candidates; what is left out is estimated and added to the errors.
        work: the most elementary operations for an exact answer to one component; about 6e8 pass in
            a second. None: 4e9.
        progress: called with how much of how much is done.

    >>> links = link_probabilities(np.array([[0.0086, 0.0569], [0.0002, 0.0122]]))
    >>> links.p.round(2).tolist(), links.null.round(12).tolist()
    ([[0.9, 0.1], [0.1, 0.9]], [0.0, 0.0])
    >>> from confide.intruder.appearance.normal import NormalAppearance
    >>> link_probabilities(NormalAppearance([0.0, 1.0], sd=1.0), [0.1, 1.2]).p.toarray().round(2).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    began, effort, progress = time.monotonic(), _effort(tolerance, seconds, seed), rising(progress)
    given = _given(densities, records, mass, log=log, weights=weights, progress=share_of(progress, 0.0, 0.1))
    if work is None and tolerance is None and seconds is None:
        work = math.inf
    answer, off, counts, guess = _answered(given, effort, work, began, progress)
    dropped = None
    if given.found is not None:
        answer, off, dropped = _put_back(answer, given.found), _put_back(off, given.found), given.found.dropped
        off.data = np.minimum(off.data + np.repeat(dropped, np.diff(off.indptr)), 1.0)
    null = null_links(answer)
    if given.found is None and not sparse.issparse(densities):
        answer, off = np.asarray(answer.todense()), np.asarray(off.todense())
    return JointLinks(answer, null, off, tuple(sorted(counts.items())), _diagnostics(guess, effort, dropped))


class _Given(NamedTuple):
    """What is to be answered."""

    table: Any
    """Checked log densities, CSR."""
    parts: Components
    found: Candidates | None
    """How the candidates were found, where that was done here; the table is then in its order."""


def _given(densities: Any, records: Any, mass: float, *, log: bool, weights: Any, progress: Progress) -> _Given:
    """Check what was given, or find candidates, and split the graph."""
    if isinstance(densities, Appearance):
        return _believed(densities, records, mass, weights, progress)
    if callable(densities):
        raise LikelihoodError(
            "a function says nothing of how many respondents there are; give FunctionAppearance(function, respondents) "
            "and the released records"
        )
    if records is not None:
        raise LikelihoodError("records are taken only with beliefs such as NormalAppearance; give densities alone")
    table = check_pairs(log_table(densities, log=log, weights=weights))
    check_possible(table)
    parts = split(table)
    if unmatched(parts)[0].size:
        check_sparse(table)
    return _Given(table, parts, None)


def _answered(
    given: _Given, effort: Effort, work: float | None, began: float, progress: Progress
) -> tuple[Any, Any, dict[str, int], Approximate | None]:
    """Answer every component; give probabilities, errors, how many each method answered, and the approximate part."""
    table, parts, exact = given.table, given.parts, share_of(progress, 0.1, 0.2)
    p, error = np.zeros(table.nnz), np.full(table.nnz, ROUNDING)
    done = solve_small(parts, p)
    counts = {"subset": int(done.sum())} if done.any() else {}
    left, hard = np.flatnonzero(~done), []
    for k, c in enumerate(left):
        component = parts[int(c)]
        found = exact_pairs(component.sparse(), work_allowed(component.records.size, work))
        if found is None:
            hard.append(c)
        else:
            p[component.source] = found[0]
            counts[found[1]] = counts.get(found[1], 0) + 1
        exact(k + 1, left.size)
    guess = None
    if hard:
        part, label, spare = parts.joined(np.array(hard))
        guess = approximate(part, (label, spare), effort, began, share_of(progress, 0.2, 1.0))
        p[part.source], error[part.source] = guess.p, guess.error
        counts[SAMPLED if guess.sweeps else APPROXIMATE] = len(hard)
    progress(1000, 1000)
    answer, off = (sparse.csr_array((x, table.indices, table.indptr), shape=table.shape) for x in (p, error))
    return answer, off, counts, guess


def _effort(tolerance: float | None, seconds: float | None, seed: int) -> Effort:
    """Check how certain and how long."""
    if tolerance is not None and not tolerance > 0:
        raise LikelihoodError(f"tolerance must be positive, such as .01; found {tolerance}")
    if seconds is not None and not seconds > 0:
        raise LikelihoodError(f"seconds must be positive; found {seconds}")
    return Effort(0.01 if tolerance is None else float(tolerance), seconds, int(seed))


def _believed(beliefs: Appearance, records: Any, mass: float, weights: Any, progress: Progress) -> _Given:
    """Find candidates; give the table in their order, neighbours close to each other.

    Where records cannot be matched for want of candidates, they are compared with everybody.
    """
    if records is None:
        raise LikelihoodError(f"{type(beliefs).__name__} says how records appear; give the released records, too")
    z = np.asarray(records, dtype=np.float64)
    z = z[:, None] if z.ndim == 1 else z
    found = find_candidates(beliefs, z, mass, progress)
    raw = found.table
    for last in (False, False, True):
        check_possible(raw)
        table = weighted(check_pairs(raw), weights)[found.records][:, found.respondents]
        table.sort_indices()
        parts = split(table, ordered=True)
        lonely, missing = unmatched(parts)
        if not lonely.size:
            break
        if last:
            check_sparse(raw)
        lonely, missing = found.records[lonely], found.respondents[missing]
        nobody = np.flatnonzero(np.bincount(raw.indices, minlength=raw.shape[1]) == 0)
        missing = np.union1d(missing, nobody) if raw.shape[0] == raw.shape[1] else missing[:0]
        raw = completed(raw, lonely, missing, beliefs, z, math.inf)
        found = replace(found, dropped=unsure(raw, lonely, missing, found.dropped))
    return _Given(table, parts, found)


def _put_back(answer: Any, found: Candidates) -> Any:
    """Arrange records and respondents as they came."""
    rows, columns = np.empty_like(found.records), np.empty_like(found.respondents)
    rows[found.records], columns[found.respondents] = np.arange(rows.size), np.arange(columns.size)
    back = answer[rows][:, columns]
    back.sort_indices()
    return back


def _diagnostics(guess: Approximate | None, effort: Effort, dropped: FloatArray | None) -> Diagnostics:
    """Say how far the answer may be trusted."""
    if guess is None:
        return Diagnostics(dropped=dropped)
    tolerance = effort.tolerance if math.isfinite(effort.tolerance) else None
    return Diagnostics(
        guess.rms, guess.agreement, guess.sweeps, guess.residual, tolerance, guess.met, guess.interrupted, dropped
    )


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
    return weighted(table, weights)


def weighted(table: Any, weights: Any) -> Any:
    """Put the release weights into a table of log densities, in place."""
    if weights is not None:
        w = np.asarray(weights, dtype=np.float64)
        if w.shape != (table.shape[1],) or not bool(np.all(np.isfinite(w) & (w > 0))):
            raise LikelihoodError(f"weights must be one positive number for each of the {table.shape[1]} respondents")
        table.data = table.data + np.log(w)[table.indices]
    return table
