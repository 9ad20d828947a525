"""Counts under wildcards equal those by comparing all pairs; relations between the classical measures."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf


@st.composite
def files(draw):
    n, wide = draw(st.integers(1, 25)), draw(st.integers(1, 5))
    value = st.sampled_from([None, "a", "b", "c"])
    names = [f"k{i}" for i in range(wide)]
    columns = {name: cf.Column.of_labels(draw(st.lists(value, min_size=n, max_size=n)), "abc") for name in names}
    weights = draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))
    data = cf.Microdata.from_dict({**{name: ["a"] * n for name in names}, "w": [float(w) for w in weights]})
    return data.with_columns(columns).declare(key=names, weight="w")


def agreement(data, *, wildcard):
    codes = np.column_stack([data.columns[k].codes for k in data.with_role(cf.Role.KEY)])
    same = codes[:, None] == codes[None]
    if wildcard:
        same |= (codes < 0)[:, None] | (codes < 0)[None]
    return same.all(axis=2), codes


@settings(deadline=None)
@given(files(), st.sampled_from([1.0, 0.5]))
def test_counts_equal_all_pairs(data, share):
    w = data.weights
    match, _ = agreement(data, wildcard=False)
    level = cf.frequencies(data)
    assert level.f.tolist() == match.sum(axis=1).tolist()
    assert level.F.tolist() == (match @ w).tolist()
    wide, codes = agreement(data, wildcard=True)
    credit = np.where(match | (codes >= 0).all(axis=1)[None], 1.0, share) * wide
    wild = cf.frequencies(data, missing=cf.MissingAsWildcard(share))
    assert wild.f.tolist() == credit.sum(axis=1).tolist()
    assert wild.F.tolist() == (credit @ w).tolist()


@settings(deadline=None)
@given(files())
def test_how_the_measures_stand_to_each_other(data):
    counts = cf.frequencies(data)
    prosecutor, journalist, individual = cf.prosecutor_risk(data), cf.journalist_risk(data), cf.individual_risk(data)
    assert np.isclose(prosecutor.expected, counts.cells)
    assert np.all(journalist.per_record <= prosecutor.per_record)
    # the expectation of 1/F is at least one over the expectation of F, and F is at least f
    assert np.all(individual.per_record >= journalist.per_record * (1 - 1e-12))
    assert np.all(individual.per_record <= prosecutor.per_record * (1 + 1e-12))
    name = data.with_role(cf.Role.KEY)[0]
    others = [k for k in data.with_role(cf.Role.KEY) if k != name]
    if others:
        distinct = cf.l_diversity(data, others, name).per_record
        entropy = cf.l_diversity(data, others, name, cf.EntropyDiversity()).per_record
        assert np.all(entropy <= distinct * (1 + 1e-12))
        assert np.all(distinct <= cf.frequencies(data, others).f)
        blank = data.columns[name].is_missing
        close = cf.t_closeness(data, others, name).per_record
        assert np.all(close[~blank] < 1)  # a cell that tells something has a value that the file has, too
        assert np.all(close <= 1)
