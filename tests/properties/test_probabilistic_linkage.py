"""Properties of probabilistic linkage: probabilities, order, bounds."""

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import confide as cf
from confide.errors import ModelError

NAMES = ["a", "b", "c", "d"]


@st.composite
def files(draw):
    """Draw a file and a copy with errors, of which some records are left out."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n, levels, wrong = draw(st.integers(20, 120)), draw(st.integers(3, 9)), draw(st.floats(0.0, 0.3))
    data = {k: rng.integers(0, levels, n) for k in NAMES}
    parent = rng.permutation(n)[: draw(st.integers(10, n))]
    gone = draw(st.floats(0.0, 0.2))
    copies = {}
    for k, x in data.items():
        moved = np.where(rng.random(n) < wrong, rng.integers(0, levels, n), x)[parent]
        copies[k] = [None if lost else str(v) for v, lost in zip(moved, rng.random(parent.size) < gone, strict=True)]
    source = cf.Microdata.from_dict({k: [str(v) for v in x] for k, x in data.items()})
    return cf.Released.from_files(source, cf.Microdata.from_dict(copies), parent=parent)


def linked(released, **changes):
    """Link, where two classes of pairs can be told apart."""
    try:
        return cf.probabilistic_linkage(released, NAMES, **changes)
    except ModelError:
        assume(False)
        raise


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(files())
def test_probabilities_sum_to_one_and_links_keep_their_promises(released):
    found = linked(released)
    p = found.table.p
    np.testing.assert_allclose(np.asarray(p.sum(axis=0)).ravel() + found.table.null, 1.0, atol=1e-9)
    assert np.asarray(p.sum(axis=1)).max() <= 1 + 1e-6
    for weights in found.parameters:
        np.testing.assert_allclose([weights.m.sum(), weights.u.sum()], 1.0)
    source, record = found.links
    assert np.unique(source).size == source.size
    assert np.unique(record).size == record.size
    if source.size:
        linked_p = found.probability[found.decision == 2]
        assert np.mean(1 - linked_p) <= 0.01 + 1e-9
    assert found.expected_matches <= min(found.shape) + 1e-6


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(files(), st.integers(0, 100))
def test_the_order_of_records_and_variables_does_not_matter(released, seed):
    found = linked(released)
    rng = np.random.default_rng(seed)
    rows, order = rng.permutation(released.source.n), rng.permutation(released.data.n)
    place = np.argsort(rows)
    turned = cf.Released.from_files(
        released.source.take(rows), released.data.take(order), parent=place[released.parent[order]]
    )
    other = cf.probabilistic_linkage(turned, NAMES[::-1])
    np.testing.assert_allclose(found.share, other.share, rtol=1e-6)
    np.testing.assert_allclose(found.table.p[order][:, rows].toarray(), other.table.p.toarray(), atol=1e-3)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(files())
def test_a_stricter_bound_links_no_more(released):
    loose, strict = linked(released, false_match=0.1), linked(released, false_match=0.001)
    assert strict.links[0].size <= loose.links[0].size
    assert strict.limits.upper >= loose.limits.upper
