"""Risks of a file against tables of all pairs, written down as defined."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import confide as cf


@st.composite
def files(draw, low=-4):
    """Whole numbers, so that ties are frequent and distances exact."""
    d, n, wide = draw(st.integers(1, 3)), draw(st.integers(1, 8)), draw(st.integers(1, 8))
    whole = st.integers(low, 6)
    released = draw(st.lists(st.lists(whole, min_size=d, max_size=d), min_size=n, max_size=n))
    source = draw(st.lists(st.lists(whole, min_size=d, max_size=d), min_size=wide, max_size=wide))
    parent = draw(st.lists(st.integers(0, wide - 1), min_size=n, max_size=n))
    weights = draw(st.none() | st.lists(st.integers(1, 5), min_size=d, max_size=d))
    return np.array(released, dtype=float), np.array(source, dtype=float), parent, weights


def by_definition(table, parent):
    matched, closer = [], []
    for row, i in zip(table, parent, strict=True):
        others = [x for k, x in enumerate(row) if k != i]
        matched.append(all(row[i] < x for x in others))
        closer.append(sum(x < row[i] for x in others))
    return matched, closer


@given(files(), st.sampled_from([1, 2]))
@settings(max_examples=300, deadline=None)
def test_matching_equals_the_table_of_all_pairs(file, power):
    z, y, parent, weights = file
    distance = (cf.AbsoluteDistance if power == 1 else cf.SquaredDistance)(weights)
    w = np.ones(z.shape[1]) if weights is None else np.array(weights)
    table = (w * np.abs(z[:, None] - y[None]) ** power).sum(axis=2)
    matched, closer = by_definition(table, parent)
    for how in (distance, lambda a, b: (w * np.abs(a[:, None] - b[None]) ** power).sum(axis=2)):
        risk = cf.risk_of_matching(z, y, parent, how, count_closer=True)
        assert risk.per_record.tolist() == matched
        assert risk.closer.tolist() == closer
    assert np.allclose(distance(z, y), table)


@given(files(low=1))
@settings(max_examples=200, deadline=None)
def test_log_matching_equals_ratios_in_whole_numbers(file):
    """The distance is the logarithm of a product of ratios, which whole numbers compare exactly."""
    z, y, parent, weights = file
    w = [1] * z.shape[1] if weights is None else weights
    up = np.array([[[max(a, b) ** k for a, b, k in zip(r, s, w, strict=True)] for s in y] for r in z], dtype=object)
    down = np.array([[[min(a, b) ** k for a, b, k in zip(r, s, w, strict=True)] for s in y] for r in z], dtype=object)
    over, under = (np.array([[int(np.prod(c)) for c in r] for r in x], dtype=object) for x in (up, down))
    risk = cf.risk_of_matching(z, y, parent, cf.LogDistance(weights))
    for j, i in enumerate(parent):
        closer = all(over[j, i] * under[j, k] < over[j, k] * under[j, i] for k in range(len(y)) if k != i)
        assert risk.per_record[j] == closer


@st.composite
def links(draw):
    """Probabilities in fortieths: ties are frequent, and a record's sum to at most one."""
    n, wide = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    parts = draw(st.lists(st.lists(st.integers(0, 6), min_size=wide, max_size=wide), min_size=n, max_size=n))
    parent = draw(st.lists(st.integers(0, wide - 1), min_size=n, max_size=n))
    return np.array(parts) / 40, parent, draw(st.integers(0, 6)) / 40


@given(links())
@settings(max_examples=200, deadline=None)
def test_file_risks_equal_their_definitions(case):
    p, parent, level = case
    best = [max(column) for column in p.T]
    expected = []
    for j, i in enumerate(parent):
        acts = p[j, i] > 0 and p[j, i] >= level and p[j, i] == best[i]
        expected.append(1 / list(p[:, i]).count(best[i]) if acts else 0.0)
    for kind in (np.asarray, sparse.csr_array):
        risks = cf.perceived_risks(kind(p), level)
        assert risks.per_respondent.tolist() == best
        assert risks.at_or_above == sum(b >= level for b in best)
        found = cf.true_identification(kind(p), parent, level)
        assert found.per_record.tolist() == expected
        assert found.probability.tolist() == [p[j, i] for j, i in enumerate(parent)]
