"""The programmes against each other where enumeration cannot reach, their choice, and their cost."""

import numpy as np
import pytest
from scipy import sparse

from confide.errors import LikelihoodError
from confide.linking.posterior.joint.batch import solve_small
from confide.linking.posterior.joint.components import split
from confide.linking.posterior.joint.exact import exact_marginals, null_links
from confide.linking.posterior.joint.feasible import check_sparse
from confide.linking.posterior.joint.frontier import frontier_marginals, frontier_order, frontier_width
from confide.linking.posterior.joint.subset import subset_marginals
from confide.linking.posterior.joint.types import merge_types, type_marginals, type_states


def banded(rng, respondents, records, width, noise=1.0):
    """One-dimensional evidence: each record's candidates are a window around its own respondent."""
    x = np.sort(rng.random(respondents)) * respondents
    own = np.sort(rng.permutation(respondents)[:records])
    rows = [np.arange(max(0, i - width // 2), min(respondents, i - width // 2 + width)) for i in own]
    seen = x[own] + noise * rng.normal(size=records)
    values = [-0.5 * ((y - x[row]) / noise) ** 2 for y, row in zip(seen, rows, strict=True)]
    indptr = np.concatenate(([0], np.cumsum([row.size for row in rows])))
    return sparse.csr_array((np.concatenate(values), np.concatenate(rows), indptr), shape=(records, respondents))


def filled(table):
    dense = np.full(table.shape, -np.inf)
    dense[np.repeat(np.arange(table.shape[0]), np.diff(table.indptr)), table.indices] = table.data
    return dense


def by_frontier(table, order=None):
    p = frontier_marginals(table.indptr, table.indices, table.data, table.shape[1], order)
    return sparse.csr_array((p, table.indices, table.indptr), shape=table.shape).toarray()


@pytest.mark.parametrize(("records", "respondents"), [(16, 16), (14, 20), (12, 40)])
def test_subset_equals_frontier(records, respondents):
    rng = np.random.default_rng(records)
    table = banded(rng, respondents, records, 7)
    p = subset_marginals(filled(table))
    np.testing.assert_allclose(by_frontier(table), p, rtol=1e-12, atol=1e-150)
    np.testing.assert_allclose(by_frontier(table, rng.permutation(respondents)), p, rtol=1e-12, atol=1e-150)


@pytest.mark.parametrize(
    ("record_counts", "respondent_counts"), [([1] * 12, [4, 4, 4]), ([5, 5], [1] * 14), ([4, 6], [8, 9])]
)
def test_subset_equals_types_equals_frontier(record_counts, respondent_counts):
    rng = np.random.default_rng(7)
    log_f = 3 * rng.normal(size=(len(record_counts), len(respondent_counts)))
    p = type_marginals(log_f, record_counts, respondent_counts)
    full = np.repeat(np.repeat(log_f, record_counts, axis=0), respondent_counts, axis=1)
    spread = np.repeat(np.repeat(p, record_counts, axis=0), respondent_counts, axis=1)
    np.testing.assert_allclose(subset_marginals(full), spread, rtol=1e-12)
    np.testing.assert_allclose(by_frontier(sparse.csr_array(full + 100.0)), spread, rtol=1e-11)
    assert merge_types(full).record_counts.sum() == sum(record_counts)


@pytest.mark.parametrize("records", [10, 100, 198])
def test_three_types(records):
    log_f = np.random.default_rng(records).normal(size=(records, 3))
    p = type_marginals(log_f, [1] * records, [66, 66, 66])
    np.testing.assert_allclose(66 * p.sum(axis=1), 1, rtol=1e-13)
    assert (p.sum(axis=0) <= 1 + 1e-12).all()
    if records == 198:
        np.testing.assert_allclose(p.sum(axis=0), 1, rtol=1e-12)


def test_counting_records_equals_counting_respondents():
    log_f = np.random.default_rng(0).normal(size=(2, 3)) * 30
    r, m = np.array([9, 30]), np.array([20, 5, 33])
    assert type_states(r, m)[0] != type_states(r, m)[1]
    p = type_marginals(log_f, r, m)
    split_types = type_marginals(np.repeat(log_f, r, axis=0), np.ones(39, dtype=int), m)
    np.testing.assert_allclose(split_types[[0, 9]], p, rtol=1e-12)
    np.testing.assert_allclose(split_types[[8, 38]], p, rtol=1e-12)


def test_types_where_counts_overflow_doubles():
    """Half of the records must take one type, though far more orders favour a mixture at first."""
    n = 2000
    log_f = np.array([[0.0, 0.0], [-100.0, 0.0]])
    p = type_marginals(log_f, [n // 2, n // 2], [n // 2, n // 2])
    np.testing.assert_allclose(p * (n // 2), np.eye(2), atol=1e-12)
    assert type_marginals(np.zeros((1, 2)), [500], [4000, 1000]) == pytest.approx(np.full((1, 2), 1 / 5000), rel=1e-12)


@pytest.mark.parametrize("n", [20, 22])
def test_dense_sums(n):
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    p, method = exact_marginals(-0.5 * ((x[:, None] + 0.5 * rng.normal(size=(n, 1)) - x) / 0.5) ** 2)
    assert method == "subset"
    np.testing.assert_allclose(p.sum(axis=0), 1, rtol=1e-13)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-13)


@pytest.mark.parametrize("records", [10_000, 9_000])
def test_long_band(records):
    rng = np.random.default_rng(1)
    table = banded(rng, 10_000, records, 10)
    shuffled = sparse.csr_array(table[:, rng.permutation(10_000)])
    answer = exact_marginals(table)
    assert answer is not None
    p, method = answer
    assert method == "frontier"
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
    assert p.sum(axis=0).max() < 1 + 1e-12
    assert null_links(p).sum() == pytest.approx(10_000 - records, abs=1e-8)
    found = frontier_order(shuffled.indptr, shuffled.indices, 10_000)
    assert found.width <= 2 * frontier_width(table.indptr, table.indices, 10_000, np.arange(10_000))


@pytest.mark.parametrize(("records", "noise"), [(3000, 1e-3), (3000, 30.0), (2900, 1e-3), (2000, 0.1)])
def test_long_band_with_any_noise(records, noise):
    """Log densities range to 1e7; or the windows' ends cut through likely candidates."""
    p = exact_marginals(banded(np.random.default_rng(3), 3000, records, 8, noise), order=np.arange(3000))
    assert p is not None
    np.testing.assert_allclose(p[0].sum(axis=1), 1, rtol=1e-12)
    assert p[0].sum(axis=0).max() < 1 + 1e-12


def two_phases(units):
    """A ring that stays or moves on as a whole; the first half is rich in ways when it stays, the second when it moves.

    Unit t: records 2t and 2t + 1, respondents 2t and 2t + 1. All densities are 1.
    """
    links = []
    for t in range(units):
        record, other, a, b, following = 2 * t, 2 * t + 1, 2 * t, 2 * t + 1, (2 * t + 2) % (2 * units)
        links += [(other, a), (other, b), (record, a), (record, following)]
        if t < units // 2:
            links.append((record, b))
        if (t + 1) % units >= units // 2:
            links.append((record, following + 1))
    rows, columns = np.array(sorted(links)).T
    return sparse.csr_array((np.zeros(rows.size), (rows, columns)), shape=(2 * units, 2 * units))


@pytest.mark.parametrize("units", [6, 1000, 2400, 6000])
def test_frontier_never_answers_wrongly_when_weights_range_too_far(units):
    """Each phase has 2^(units / 2) ways, all on one half: doubles lose one phase in each direction."""
    table = two_phases(units)
    order = np.arange(2 * units)
    p = frontier_marginals(table.indptr, table.indices, table.data, 2 * units, order)
    assert (p is None) == (units > 1000)
    if units == 6:
        np.testing.assert_allclose(by_frontier(table, order), subset_marginals(filled(table)), rtol=1e-12)
    if p is not None:
        stays = sparse.csr_array((p, table.indices, table.indptr), shape=table.shape)
        for t in range(0, units, 97):
            assert sum(stays[2 * t, i] for i in (2 * t, 2 * t + 1)) == pytest.approx(0.5, rel=1e-10)


def test_types_win_where_many_are_equal():
    log_f = np.repeat(np.random.default_rng(0).normal(size=(40, 2)), 30, axis=1)
    p, method = exact_marginals(log_f)
    assert method == "types"
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)


def test_nothing_exact_within_the_limit():
    log_f = np.random.default_rng(0).normal(size=(40, 40))
    assert exact_marginals(log_f) is None
    assert exact_marginals(log_f[:20, :20], work=1e5) is None
    indptr, indices = np.arange(0, 40 * 40 + 1, 40), np.tile(np.arange(40), 40)
    with pytest.raises(LikelihoodError, match="40 records are open at once"):
        frontier_marginals(indptr, indices, log_f.ravel(), 40)
    with pytest.raises(LikelihoodError, match="too many for subsets"):
        subset_marginals(log_f)
    with pytest.raises(LikelihoodError, match="too many states"):
        type_marginals(log_f, [1] * 40, [1] * 40)


def test_components_are_apart():
    rng = np.random.default_rng(2)
    blocks = [rng.normal(size=shape) for shape in [(1, 1), (3, 3), (2, 4), (1, 3), (5, 6), (15, 15)]]
    rows, columns = rng.permutation(27), rng.permutation(33)
    dense, truth, at = np.full((27, 33), -np.inf), np.zeros((27, 33)), (0, 0)
    for block in blocks:
        where = np.ix_(rows[at[0] : at[0] + block.shape[0]], columns[at[1] : at[1] + block.shape[1]])
        dense[where], truth[where] = block, subset_marginals(block)
        at = (at[0] + block.shape[0], at[1] + block.shape[1])
    stored = np.nonzero(dense > -np.inf)
    table = check_sparse(sparse.csr_array((dense[stored], stored), shape=dense.shape))
    parts = split(table)
    assert sorted((c.records.size, c.respondents.size) for c in parts) == sorted(b.shape for b in blocks)
    p = np.full(table.nnz, np.nan)
    solved = solve_small(parts, p)
    assert solved.sum() == 5
    for part, small in zip(parts, solved, strict=True):
        assert (dense[np.ix_(part.records, part.respondents)] == part.dense()).all()
        if not small:
            p[part.source] = exact_marginals(part.sparse())[0].data
    full = sparse.csr_array((p, table.indices, table.indptr), shape=table.shape).toarray()
    np.testing.assert_allclose(full, truth, rtol=1e-12)
    assert null_links(full)[columns[32]] == 1
    assert parts[-1].records.tolist() == parts[len(parts) - 1].records.tolist()
    with pytest.raises(IndexError):
        parts[len(parts)]
