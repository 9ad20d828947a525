"""What holds for every model of population uniques, and for every log-linear model."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import confide as cf
from confide.risk.population.loglinear.structure import take_apart
from confide.risk.population.sizes import Sizes
from reference.loglinear_brute import fitted_table

MODELS = [cf.Pitman(), cf.Ewens(), cf.Zayatz(), cf.SlideNegativeBinomial()]
cells = st.lists(st.integers(1, 40), min_size=1, max_size=60)


@settings(max_examples=150, deadline=None)
@given(cells, st.floats(1.0, 1e6), st.sampled_from(MODELS))
def test_a_model_gives_probabilities_or_says_that_it_cannot_be_fitted(sizes, times, model):
    found = Sizes.count(np.array(sizes), sum(sizes) * times)
    try:
        fit = model.fit(found)
    except cf.errors.ModelError:
        with pytest.raises(cf.errors.ModelError, match="cannot be fitted"):
            model.fit(found)
        return
    assert 0 <= fit.probability <= fit.inverse + 1e-12
    assert fit.inverse <= 1 + 1e-12
    assert all(np.isfinite([fit.uniques, fit.sample_uniques, fit.sample_pairs, *fit.parameters.values()]))
    assert fit.probability * found.of(1) <= fit.uniques * (1 + 1e-9)
    assert fit.uniques <= found.population * (1 + 1e-9)
    if fit.standard_error is not None:
        assert fit.standard_error >= 0


@settings(max_examples=60, deadline=None)
@given(cells, st.sampled_from(MODELS[:2]))
def test_more_people_hide_a_sample_unique_better(sizes, model):
    n = sum(sizes)
    try:
        fits = [model.fit(Sizes.count(np.array(sizes), n * times)) for times in (1.0, 3.0, 50.0, 1e5)]
    except cf.errors.ModelError:
        assume(False)
    chances, inverses = ([getattr(fit, what) for fit in fits] for what in ("probability", "inverse"))
    assert chances == sorted(chances, reverse=True)
    assert inverses == sorted(inverses, reverse=True)
    assert chances[0] == pytest.approx(1)
    assert inverses[0] == pytest.approx(1)


KEYS = "abcd"
subsets = [g for size in (1, 2, 3, 4) for g in combinations(KEYS, size)]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(subsets), max_size=5), st.integers(0, 2**32 - 1), st.floats(0.01, 1.0))
def test_any_log_linear_model_equals_the_whole_table(groups, seed, fraction):
    rng = np.random.default_rng(seed)
    shape = (2, 3, 2, 4)
    counts = rng.poisson(3.0, shape) + 1
    rows = np.repeat(np.arange(counts.size), counts.ravel())
    columns = dict(zip(KEYS, np.unravel_index(rng.permutation(rows), shape), strict=True))
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in columns.items()})
    found = cf.loglinear_risk(data, list(KEYS), cf.Interactions(*groups), fraction=fraction, tolerance=1e-8)
    mean = fitted_table(counts.astype(float), [tuple(KEYS.index(k) for k in g) for g in found.terms])
    assert found.mean == pytest.approx(mean[tuple(columns[k] for k in KEYS)], rel=1e-6)
    assert 0 <= found.tau1 <= found.tau2 <= found.unique.sum()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(subsets), max_size=6))
def test_ears_and_core_hold_every_set_once(groups):
    sets = cf.Interactions(*groups).generators(list(KEYS))
    parts = take_apart(sets)
    assert sorted([ear for ear, _ in parts.ears] + list(parts.core)) == sorted(sets)
    assert len(parts.core) == 0 or len(parts.core) >= 3
