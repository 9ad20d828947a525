"""A largest matching against scipy's, and what it leaves over."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import maximum_bipartite_matching

from confide.linking.posterior.joint.components import split, unmatched
from confide.linking.posterior.joint.matching import complete, largest_matching, likely_matching


def graph(n, wide, share, seed):
    return sparse.csr_array(np.random.default_rng(seed).random((n, wide)) < share).astype(np.int8)


def check(table, values=None):
    """Check that matchings, also with densities, are such and as large as scipy's; give the one without."""
    pairs, wide = (table.indptr.astype(np.int64), table.indices), table.shape[1]
    values = np.random.default_rng(table.nnz).normal(size=table.nnz) if values is None else values
    check_one(table, *likely_matching(*pairs, values, wide))
    return check_one(table, *largest_matching(*pairs, wide))


def check_one(table, mate, holder):
    """Check one matching; give it."""
    taken = np.flatnonzero(mate >= 0)
    assert (holder[mate[taken]] == taken).all()
    assert (holder >= 0).sum() == taken.size
    assert all(i in table.indices[table.indptr[j] : table.indptr[j + 1]] for j, i in zip(taken, mate[taken], strict=True))
    if table.shape[0] and table.shape[1]:
        assert taken.size == (maximum_bipartite_matching(table, perm_type="column") >= 0).sum()
    return mate, holder


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 30), st.integers(1, 30), st.floats(0.0, 0.4), st.integers(0, 10**6))
def test_as_large_as_scipy_s(n, wide, share, seed):
    check(graph(n, wide, share, seed))


@pytest.mark.parametrize("share", [0.5, 1.0, 1.5, 3.0])
def test_large_sparse_graphs_around_the_threshold_of_being_perfect(share):
    n = 3000
    rng = np.random.default_rng(int(10 * share))
    count = int(share * n)
    pairs = np.unique(np.column_stack([rng.integers(n, size=count), rng.integers(n, size=count)]), axis=0)
    check(sparse.csr_array((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(n, n)))


def test_a_long_augmenting_path():
    """Record j takes j first; the last record pushes all others on by one."""
    n = 500
    indptr = np.append(np.arange(0, 2 * n + 1, 2), 2 * n + 1)
    indices = np.append(np.column_stack([np.arange(n), np.arange(1, n + 1)]).ravel(), 0).astype(np.int32)
    mate, holder = np.append(np.arange(n), -1), np.append(np.arange(n), -1)
    complete(indptr, indices, mate, holder)
    assert mate.tolist() == [*range(1, n + 1), 0]
    assert holder.tolist() == [n, *range(n)]


@pytest.mark.parametrize("n", [1, 2, 400])
def test_all_want_the_same_in_the_same_order(n):
    """Every record displaces the one before from everybody: courting ends all the same."""
    liking = np.add.outer(np.arange(n), np.arange(n)).astype(float)
    check(sparse.csr_array(np.ones((n, n), np.int8)), liking.ravel())
    check(sparse.csr_array(np.ones((n, n), np.int8)), np.zeros(n * n))


def test_nobody_and_one():
    assert [x.size for x in largest_matching(np.zeros(1, np.int64), np.zeros(0, np.int32), 0)] == [0, 0]
    mate, holder = largest_matching(np.zeros(3, np.int64), np.zeros(0, np.int32), 2)
    assert mate.tolist() == holder.tolist() == [-1, -1]
    mate, holder = largest_matching(np.array([0, 1]), np.array([1], dtype=np.int32), 3)
    assert mate.tolist() == [1]
    assert holder.tolist() == [-1, 0, -1]


def test_three_records_for_two_respondents():
    mate, holder = check(sparse.csr_array(np.array([[1, 1, 0], [1, 1, 0], [1, 1, 0]], dtype=np.int8)))
    assert sorted(mate.tolist()) == [-1, 0, 1]
    assert holder[2] == -1


def test_what_is_left_over_is_numbered_as_in_the_whole_table():
    rows, columns = [0, 1, 2, 2, 4, 4, 3], [5, 5, 0, 1, 3, 4, 2]
    table = sparse.csr_array((np.zeros(7), (rows, columns)), shape=(5, 7))
    records, respondents = unmatched(split(table))
    assert records.tolist() in ([0], [1])
    assert len(respondents) == 2
    assert respondents[0] in {0, 1}
    assert respondents[1] in {3, 4}


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 20), st.integers(1, 20), st.floats(0.05, 0.5), st.integers(0, 10**6))
def test_as_many_are_left_over_as_scipy_leaves(n, wide, share, seed):
    found = graph(n, wide, share, seed)
    found = found[np.diff(found.indptr) > 0]
    table = sparse.csr_array((np.zeros(found.nnz), found.indices, found.indptr), shape=found.shape)
    if not table.shape[0]:
        return
    matched = int((maximum_bipartite_matching(found, perm_type="column") >= 0).sum())
    records, respondents = unmatched(split(table))
    assert records.size == table.shape[0] - matched
    assert respondents.size == np.unique(table.indices).size - matched
