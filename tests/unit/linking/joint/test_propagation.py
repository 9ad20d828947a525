"""Message passing against a plain iteration, and the same for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from confide.errors import InternalError
from confide.linking.posterior.joint.layout import arrange
from confide.linking.posterior.joint.propagation import LEAST, power, propagate
from confide.linking.posterior.joint.sinkhorn import component_labels


def plain(table, leave, k, iterations):
    """Iterate p (1 - p)^k = W u v on dense arrays, with 1 - p as the sum of the others."""
    w, v, p = table.toarray(), np.ones(table.shape[1]), np.zeros(table.shape)
    null = np.zeros(table.shape[1])
    for _ in range(iterations):
        others = np.stack([np.delete(p, i, axis=1).sum(axis=1) for i in range(p.shape[1])], axis=1)
        beside = np.where(p.sum(axis=1, keepdims=True) > 0.5, others, 1.0)
        p = w * v / np.maximum(np.where(w > 0.0, beside, 1.0), LEAST) ** k
        p /= p.sum(axis=1, keepdims=True)
        spare = table.shape[1] - table.shape[0]
        scale = spare / (leave * v).sum() if spare else 1.0
        null = leave * v * scale
        v = v * scale / (p.sum(axis=0) + null)
    return p, null, v


def near(n, wide, seed):
    """Give weights of records that compete with their neighbours along a line, in one component."""
    rng = np.random.default_rng(seed)
    rows, columns = np.indices((n, wide))
    w = np.exp(rng.normal(size=(n, wide)) * 3.0) * (np.abs(rows * wide / n - columns) <= 6)
    return sparse.csr_array(w)


@pytest.mark.parametrize("k", [0.0, 0.5, 0.95])
@pytest.mark.parametrize(("n", "wide"), [(1, 1), (2, 2), (30, 30), (30, 45)])
def test_same_as_a_plain_iteration(n, wide, k):
    table = near(n, wide, seed=n)
    label, spare = component_labels(table.indptr, table.indices, wide)
    leave = np.full(wide, 0.3 if wide > n else 0.0)
    p, null, v, used = propagate(table.indptr, table.indices, table.data, leave, label, spare, k, 60, 0.0)
    truth = plain(table, leave, k, 60)
    assert used == 60
    found = sparse.csr_array((p, table.indices, table.indptr), shape=table.shape)
    assert found.toarray() == pytest.approx(truth[0], abs=1e-6)
    assert null == pytest.approx(truth[1], abs=1e-6)
    assert v == pytest.approx(truth[2], rel=1e-5)


def test_pairs_without_weight_are_as_if_not_there():
    table = near(40, 40, seed=2)
    w = table.data * (np.random.default_rng(3).random(table.nnz) < 0.8)
    w[table.indices == np.repeat(np.arange(40), np.diff(table.indptr))] = 1.0
    full = sparse.csr_array((w, table.indices, table.indptr), shape=table.shape)
    slim = sparse.csr_array(full.toarray())
    label, spare = component_labels(slim.indptr, slim.indices, 40)
    rest = np.zeros(40), label, spare, 0.95, 50, 1e-9
    p = propagate(full.indptr, full.indices, full.data, *rest)[0]
    assert (p[w == 0.0] == 0.0).all()
    assert (p[w > 0.0] == propagate(slim.indptr, slim.indices, slim.data, *rest)[0]).all()


def test_same_bytes_for_any_number_of_threads():
    n, width = 60_000, 14
    rng = np.random.default_rng(4)
    indices = ((np.arange(n)[:, None] + np.arange(width)) % (n + 100)).astype(np.int32).ravel()
    indptr, weight = np.arange(0, n * width + 1, width), np.exp(3.0 * rng.normal(size=n * width))
    graph = indptr, indices, weight, np.full(n + 100, 0.1), np.zeros(n + 100, np.int64), np.array([100]), 0.95, 12, 0.0
    assert arrange(indptr, indices, weight, n + 100).part.size > 3
    one = propagate(*graph, threads=1)
    for threads in (2, 3):
        assert all(np.array_equal(a, b) for a, b in zip(one, propagate(*graph, threads=threads), strict=True))
    assert np.add.reduceat(one[0], indptr[:-1]) == pytest.approx(np.ones(n), abs=1e-12)


def test_what_is_left_beside_a_large_p_does_not_cancel():
    table = sparse.csr_array(np.array([[1.0, 1e-30], [1e-30, 1.0]]))
    label, spare = component_labels(table.indptr, table.indices, 2)
    p, *_ = propagate(table.indptr, table.indices, table.data, np.zeros(2), label, spare, 0.5, 200, 0.0)
    assert p[[1, 2]] == pytest.approx(1e-60, rel=1e-6, abs=0.0)


def test_a_record_without_weight_is_an_error():
    with pytest.raises(InternalError, match="1 records have no pair with weight"):
        arrange(np.array([0, 1, 2]), np.array([0, 1]), np.array([1.0, 0.0]), 2)


@pytest.mark.parametrize("k", [0.0, 0.3, 0.95, 1.0])
def test_powers_are_near(k):
    how, x = power(k), 10.0 ** -np.linspace(0.0, 100.0, 1001)
    m, e = np.frexp(x)
    found = np.polynomial.polynomial.polyval(1.0 - m, how.series) * how.exponent[e + 1022]
    assert found == pytest.approx(x**-k, rel=2e-6)
