"""Cluster-corrected propagation against the exact programmes."""

import numpy as np
import pytest
from scipy import sparse

from confide.errors import LikelihoodError
from confide.linking.posterior.joint import cluster
from confide.linking.posterior.joint.cluster import cluster_corrected
from confide.linking.posterior.joint.exact import exact_marginals
from confide.linking.posterior.joint.feasible import check_sparse
from confide.linking.posterior.joint.propagation import propagate
from confide.linking.posterior.joint.sinkhorn import component_labels, project, scaled_weights
from confide.linking.posterior.joint.subset import subset_marginals


def as_table(log_f):
    log_f = np.asarray(log_f, dtype=float)
    rows, columns = np.nonzero(log_f > -np.inf)
    return check_sparse(sparse.csr_array((log_f[rows, columns], (rows, columns)), shape=log_f.shape))


def dense(table, data):
    full = np.zeros(table.shape)
    full[np.repeat(np.arange(table.shape[0]), np.diff(table.indptr)), table.indices] = data
    return full


def approximate(log_f, **options):
    table = as_table(log_f)
    found = cluster_corrected(table, **options)
    return dense(table, found.p), dense(table, found.error(records_of(table)))


def records_of(table):
    return np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))


def instance(rng, wide, dimensions, share, noise):
    n = max(2, round(wide * share))
    x = rng.normal(size=(wide, dimensions))
    if rng.random() < 0.5:
        x = np.exp(x)
        x = (x - x.mean(axis=0)) / x.std(axis=0)
    y = x[rng.permutation(wide)[:n]] + noise * rng.normal(size=(n, dimensions))
    return -0.5 * ((y[:, None] - x[None]) ** 2).sum(axis=-1) / noise**2


def instances(count, seed):
    rng = np.random.default_rng(seed)
    for t in range(count):
        wide, dimensions, share = (10, 16, 20)[t % 3], (1, 3)[t // 3 % 2], (1.0, 0.5, 0.1)[t // 6 % 3]
        yield instance(rng, wide, dimensions, share, np.exp(rng.uniform(np.log(0.01), np.log(2.0))))


def line(n, wide, noise, seed, cut):
    """Respondents along a line, one apart on average; pairs further apart than cut sd are impossible."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, wide, size=wide))
    y = x[np.sort(rng.permutation(wide)[:n])] + noise * rng.normal(size=n)
    away = (y[:, None] - x) / noise
    return np.where(np.abs(away) < cut, -0.5 * away**2, -np.inf)


def worst(table, difference):
    return np.maximum.reduceat(difference, table.indptr[:-1])


@pytest.mark.slow
def test_accuracy_and_coverage_on_random_instances():
    errors, isolated, covered = [], [], []
    for log_f in instances(90, seed=1987):
        truth = subset_marginals(log_f)
        p, error = approximate(log_f)
        alone = np.exp(log_f - log_f.max(axis=1, keepdims=True))
        alone /= alone.sum(axis=1, keepdims=True)
        errors.append(np.abs(p - truth).max(axis=1))
        isolated.append(np.abs(alone - truth).max(axis=1))
        covered.append((np.abs(p - truth) <= error).all(axis=1))
        assert p.sum(axis=1) == pytest.approx(np.ones(len(p)), abs=1e-9)
        assert p.sum(axis=0).max() < 1.005
    errors, isolated, covered = (np.concatenate(parts) for parts in (errors, isolated, covered))
    assert errors.mean() <= 0.0015
    assert errors.max() <= 0.05
    assert covered.mean() >= 0.98
    assert isolated.mean() > 20 * errors.mean()
    assert isolated.max() > 0.8


@pytest.mark.parametrize(
    ("n", "wide", "noise", "mean", "most"),
    [(300, 300, 0.05, 1e-6, 1e-4), (300, 300, 0.3, 0.0005, 0.02), (300, 300, 0.8, 0.006, 0.12), (270, 300, 0.8, 0.01, 0.15),
     (150, 300, 0.8, 0.002, 0.05)],
)  # fmt: skip
def test_along_a_line_against_the_frontier_programme(n, wide, noise, mean, most):
    table = as_table(line(n, wide, noise, seed=4, cut=4.5))
    truth, _ = exact_marginals(table, work=1e11)
    found = cluster_corrected(table)
    wrong, error = np.abs(found.p - truth.data), found.error(records_of(table))
    assert worst(table, wrong).mean() <= mean
    assert wrong.max() <= most
    assert np.mean(worst(table, wrong - error) <= 0) >= 0.97


def test_half_for_a_confusable_pair_where_belief_propagation_drifts():
    log_f = np.array([[0.0, -1e-3, -40.0], [0.0, 1e-3, -40.0], [-40.0, -40.0, 0.0]])
    log_f[0, 1] = 0.05
    table = as_table(log_f)
    p, _ = approximate(log_f)
    assert p == pytest.approx(subset_marginals(log_f), abs=1e-9)
    assert np.abs(p[:2, :2] - 0.5).max() < 0.02
    label, spare = component_labels(table.indptr, table.indices, 3)
    weight, leave = scaled_weights(table.indptr, table.indices, table.data, label, spare)
    bethe, *_ = propagate(table.indptr, table.indices, weight, leave, label, spare, 1.0, 5000, 1e-12)
    assert np.abs(dense(table, bethe)[:2, :2] - p[:2, :2]).max() > 0.02
    half, *_ = propagate(table.indptr, table.indices, weight, leave, label, spare, 0.5, 5000, 1e-12)
    assert dense(table, half) == pytest.approx(p, abs=1e-3)


def test_exact_when_everybody_is_in_the_cluster():
    rng = np.random.default_rng(5)
    for n, wide in [(1, 1), (1, 4), (2, 2), (3, 7), (8, 8), (9, 9), (9, 12)]:
        log_f = rng.normal(size=(n, wide)) * 2
        truth = subset_marginals(log_f)
        assert approximate(log_f, faint=0.0)[0] == pytest.approx(truth, abs=1e-6)
        assert approximate(log_f)[0] == pytest.approx(truth, abs=2e-4)


def test_order_of_records_and_respondents_does_not_matter():
    rng = np.random.default_rng(8)
    for share in (1.0, 0.6):
        log_f = instance(rng, 18, 3, share, 0.4)
        p, error = approximate(log_f)
        rows, columns = rng.permutation(log_f.shape[0]), rng.permutation(log_f.shape[1])
        moved, moved_error = approximate(log_f[rows][:, columns])
        assert moved == pytest.approx(p[rows][:, columns], abs=1e-9)
        assert moved_error == pytest.approx(error[rows][:, columns], abs=1e-7)


def test_scales_of_records_do_not_matter_nor_those_of_respondents_when_all_are_released():
    rng = np.random.default_rng(9)
    log_f = instance(rng, 16, 1, 1.0, 0.3)
    p, _ = approximate(log_f)
    assert approximate(log_f + 50 * rng.normal(size=(16, 1)))[0] == pytest.approx(p, abs=1e-8)
    assert approximate(log_f + rng.normal(size=16))[0] == pytest.approx(p, abs=1e-3)


def test_one_answer_whatever_the_chunks(monkeypatch):
    table = as_table(line(200, 200, 0.6, seed=2, cut=4.0))
    first = cluster_corrected(table)
    monkeypatch.setattr(cluster, "CHUNK", 7)
    for left, right in zip(first, cluster_corrected(table), strict=True):
        assert np.array_equal(left, right)


def test_components_are_answered_as_if_alone():
    rng = np.random.default_rng(3)
    one, two = instance(rng, 10, 1, 1.0, 0.5), instance(rng, 12, 1, 0.5, 0.5)
    both = np.full((16, 22), -np.inf)
    both[:10, :10], both[10:, 10:] = one, two
    p, _ = approximate(both)
    assert p[:10, :10] == pytest.approx(approximate(one)[0], abs=1e-9)
    assert p[10:, 10:] == pytest.approx(approximate(two)[0], abs=1e-9)


@pytest.mark.parametrize("span", [1e3, 5e5])
@pytest.mark.parametrize("wide", [12, 15])
def test_extreme_ranges(span, wide):
    rng = np.random.default_rng(11)
    log_f = span * rng.normal(size=(12, wide))
    log_f[rng.random((12, wide)) < 0.2] = -np.inf
    log_f[np.arange(12), np.arange(12)] = span * rng.normal(size=12)
    p, error = approximate(log_f)
    assert np.isfinite(p).all()
    assert (np.abs(p - subset_marginals(log_f)) <= error).all()


def test_forced_pairs():
    log_f = np.array([[0.0, -np.inf, -np.inf], [1.0, 0.0, -np.inf], [1.0, 2.0, 0.0]])
    assert approximate(log_f)[0] == pytest.approx(np.eye(3), abs=1e-9)


def test_sinkhorn_makes_a_table_that_sums_to_one():
    rng = np.random.default_rng(6)
    for share in (1.0, 0.5):
        table = as_table(instance(rng, 14, 3, share, 1.0))
        label, spare = component_labels(table.indptr, table.indices, 14)
        weight, leave = scaled_weights(table.indptr, table.indices, table.data, label, spare, 400)
        p = dense(table, weight)
        assert p.sum(axis=1) == pytest.approx(np.ones(len(p)), abs=1e-9)
        assert p.sum(axis=0) + leave == pytest.approx(np.ones(14), abs=1e-6)
        moved, off = project(table.indptr, table.indices, weight * rng.uniform(0.5, 1.5, weight.size), leave, 1000, 1e-10)
        assert off <= 1e-10
        assert dense(table, moved).sum(axis=1) == pytest.approx(np.ones(len(p)), abs=1e-9)


def test_the_size_is_checked():
    with pytest.raises(LikelihoodError, match="size of a cluster"):
        cluster_corrected(as_table(np.zeros((2, 2))), size=1)
