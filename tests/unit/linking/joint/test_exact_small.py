"""The exact programmes against enumeration of all injective maps."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confide.linking.posterior.joint.exact import exact_marginals, null_links
from confide.linking.posterior.joint.frontier import frontier_marginals
from confide.linking.posterior.joint.scaling import dense_weights
from confide.linking.posterior.joint.subset import subset_marginals
from confide.linking.posterior.joint.types import merge_types, type_marginals


def enumerated(log_f):
    """All marginals by enumeration; sums of logs are rounded once, so that any range is exact."""
    log_f = np.asarray(log_f, dtype=float)
    n, wide = log_f.shape
    maps = [s for s in itertools.permutations(range(wide), n) if all(log_f[j, i] > -np.inf for j, i in enumerate(s))]
    logs = [[log_f[j, i] for j, i in enumerate(s)] for s in maps]
    best = max(logs, key=math.fsum)
    parts = [[[] for _ in range(wide)] for _ in range(n)]
    for s, terms in zip(maps, logs, strict=True):
        weight = math.exp(math.fsum([*terms, *(-x for x in best)]))
        for j, i in enumerate(s):
            parts[j][i].append(weight)
    p = np.array([[math.fsum(cell) for cell in row] for row in parts])
    return p / np.array([[math.fsum(itertools.chain(*row))] for row in parts])


def by_types(log_f):
    merged = merge_types(log_f)
    return merged.spread(type_marginals(merged.log_f, merged.record_counts, merged.respondent_counts))


def by_frontier(log_f, order=None):
    log_f = np.asarray(log_f, dtype=float)
    possible = log_f > -np.inf
    indptr = np.concatenate(([0], np.cumsum(possible.sum(axis=1))))
    out = frontier_marginals(indptr, np.nonzero(possible)[1], log_f[possible], log_f.shape[1], order)
    p = np.zeros(log_f.shape)
    p[possible] = out
    return p


PROGRAMMES = [subset_marginals, by_types, by_frontier, lambda log_f: exact_marginals(log_f)[0]]
each = pytest.mark.parametrize("programme", PROGRAMMES, ids=["subset", "types", "frontier", "exact"])


def close(p, q, rtol=1e-12):
    np.testing.assert_allclose(p, q, rtol=rtol, atol=1e-150)


def with_gaps(rng, n, wide, spread, gaps):
    log_f = spread * rng.normal(size=(n, wide))
    log_f[rng.random((n, wide)) < gaps] = -np.inf
    log_f[np.arange(n), rng.permutation(wide)[:n]] = rng.normal(size=n)
    return log_f


@each
@pytest.mark.parametrize(("n", "wide"), [(1, 1), (1, 7), (2, 2), (3, 3), (2, 6), (4, 5), (5, 5), (5, 7), (6, 6), (7, 8)])
@pytest.mark.parametrize("gaps", [0.0, 0.5])
def test_enumeration(programme, n, wide, gaps):
    log_f = with_gaps(np.random.default_rng(n * wide), n, wide, 3.0, gaps)
    close(programme(log_f), enumerated(log_f))


@each
def test_two_by_two_closed_form(programme):
    a, b, c, d = 0.008581626313996367, 0.05690844456393787, 0.0002244457037474214, 0.012150169155159254
    p = a * d / (a * d + b * c)
    close(programme(np.log([[a, b], [c, d]])), [[p, 1 - p], [1 - p, p]])


@each
@pytest.mark.parametrize(("n", "wide"), [(4, 4), (4, 6), (3, 7)])
@pytest.mark.parametrize("spread", [1e3, 1e5, 5e5])
def test_extreme_ranges(programme, n, wide, spread):
    rng = np.random.default_rng(int(spread) + wide)
    # close competitors on top of an enormous range that rows and columns share, and cells far away
    log_f = spread * rng.random((n, 1)) - spread * rng.random((1, wide)) * (n == wide) + rng.normal(size=(n, wide))
    log_f[rng.random((n, wide)) < 0.2] -= spread
    log_f[0, 1] = -np.inf
    close(programme(log_f), enumerated(log_f))


@each
def test_extreme_columns_when_some_are_left_out(programme):
    rng = np.random.default_rng(5)
    log_f = rng.normal(size=(3, 5)) + np.array([0.0, -4e5, -4e5 + 1.0, -5e5, -5e5 + 0.5])
    close(programme(log_f), enumerated(log_f))


@each
@pytest.mark.parametrize(("n", "wide"), [(1, 5), (4, 4), (5, 9), (8, 8)])
def test_equal_densities(programme, n, wide):
    close(programme(np.full((n, wide), -3.7)), np.full((n, wide), 1 / wide))


@each
def test_forced_pairs(programme):
    log_f = np.full((4, 4), -np.inf)
    log_f[np.arange(4), [2, 0, 3, 1]] = [5.0, -700.0, 0.0, 1e4]
    assert (programme(log_f) == np.isfinite(log_f)).all()
    lower = np.where(np.tri(5, dtype=bool), np.random.default_rng(0).normal(size=(5, 5)), -np.inf)
    close(programme(lower), np.eye(5))


@each
@pytest.mark.parametrize("copies", [1, 2, 3])
def test_duplicated_respondents_share(programme, copies):
    log_f = np.random.default_rng(1).normal(size=(3, 3))
    log_f = np.column_stack([log_f, *[log_f[:, 0]] * copies])
    p = programme(log_f)
    close(p, enumerated(log_f))
    for column in range(3, 3 + copies):
        close(p[:, column], p[:, 0])


@each
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.tuples(st.integers(1, 5), st.integers(0, 2)),
    spread=st.sampled_from([0.1, 2.0, 50.0, 1e4]),
    gaps=st.sampled_from([0.0, 0.3, 0.8]),
)
@settings(max_examples=25, deadline=None)
def test_any_table(programme, seed, shape, spread, gaps):
    n, wide = shape[0], shape[0] + shape[1]
    rng = np.random.default_rng(seed)
    log_f = with_gaps(rng, n, wide, spread, gaps)
    p = programme(log_f)
    close(p, enumerated(log_f))
    rows, columns = rng.permutation(n), rng.permutation(wide)
    close(programme(log_f[np.ix_(rows, columns)]), p[np.ix_(rows, columns)])
    close(programme(log_f + rng.integers(-9, 10, size=(n, 1))), p, rtol=1e-10)
    if n == wide:
        close(programme(log_f + rng.integers(-9, 10, size=(1, n))), p, rtol=1e-10)


@given(
    seed=st.integers(0, 2**32 - 1), n=st.integers(1, 6), more=st.integers(0, 3), spread=st.sampled_from([1.0, 100.0, 5e5])
)
@settings(max_examples=60, deadline=None)
def test_potentials(seed, n, more, spread):
    log_f = with_gaps(np.random.default_rng(seed), n, n + more, spread, 0.3)
    found, weight, leave, u, v = dense_weights(log_f)
    assert found
    slack = u[:, None] + v - log_f
    assert (slack >= -1e-9 * max(spread, 1)).all()
    assert (v >= 0).all()
    assert (leave <= 1).all()
    assert (np.count_nonzero(v == 0) >= more) or n == 0
    from scipy.optimize import linear_sum_assignment

    best = linear_sum_assignment(np.where(log_f > -np.inf, -log_f, 1e12))
    assert weight[best].min() > 1 - 1e-6
    unused = np.setdiff1d(np.arange(n + more), best[1])
    np.testing.assert_allclose(leave[unused], 1, rtol=1e-6)


def test_null_links():
    log_f = np.random.default_rng(3).normal(size=(3, 6))
    p = subset_marginals(log_f)
    close(p.sum(axis=1), np.ones(3))
    assert null_links(p).sum() == pytest.approx(3, abs=1e-12)
    assert null_links(subset_marginals(log_f[:, :3])) == pytest.approx(0, abs=1e-12)


def test_release_weights_matter_only_when_unequal():
    log_f = np.random.default_rng(4).normal(size=(3, 6))
    close(subset_marginals(log_f + 2.5), subset_marginals(log_f), rtol=1e-11)
    weighted = log_f + np.array([2.0, 0, 0, 0, 0, 0])
    close(subset_marginals(weighted), enumerated(weighted))
    assert null_links(subset_marginals(weighted))[0] < null_links(subset_marginals(log_f))[0]
