"""Whatever the parameters: forms agree with densities, boxes with forms, files with files."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf
from confide.intruder.appearance.forms import pair_log_density

SEEDS = st.integers(0, 2**32)


def several(rng, respondents, d):
    """Make one appearance of each kind that has a form."""
    centre = rng.normal(size=(respondents, d)) * 3
    a = rng.normal(size=(d, d))
    sd = rng.uniform(0.1, 3, size=(respondents, d))
    width = rng.uniform(0.1, 3, size=(respondents, d))
    parts = [
        cf.NormalAppearance(centre, sd=sd),
        cf.NormalAppearance(centre, covariance=a @ a.T + 0.1 * np.eye(d)),
        cf.LognormalAppearance(centre, sd=0.5),
        cf.LognormalAppearance(centre, covariance=a @ a.T + 0.1 * np.eye(d)),
        cf.LaplaceAppearance(centre, scale=sd),
        cf.UniformAppearance(centre - width, centre + width),
    ]
    return [
        *parts,
        cf.IndependentAppearance([parts[k] for k in rng.permutation(6)[:3]]),
        cf.GroupedAppearance([parts[1], parts[1]]),
        cf.GroupedAppearance([parts[2], cf.LognormalAppearance(centre[:1], sd=1.0)]),
    ]


def by_hand(form, j, i):
    """Evaluate one pair of a located form as its definition says."""
    total = form.constant[i] + form.jacobian[j]
    for k, shape in enumerate(form.shape):
        x = (form.z[j, k] - form.centre[i, k]) / form.scale[i, k]
        total -= [x * x / 2, abs(x), 0.0 if abs(x) <= 1 else np.inf][shape]
    return total


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(SEEDS, st.integers(1, 5), st.integers(1, 3))
def test_the_form_gives_the_density_of_every_pair(seed, respondents, d):
    rng = np.random.default_rng(seed)
    for appearance in several(rng, respondents, d):
        records = rng.normal(size=(6, appearance.variables)) * 3
        form = appearance.located(records)
        assert form is not None
        assert np.array_equal(form.z, appearance.coordinates(records))
        pairs = rng.integers(0, 6, size=30), rng.integers(0, appearance.respondents, size=30)
        dense = appearance.log_density(records, *pairs)
        assert not np.isnan(dense).any()
        assert np.allclose(pair_log_density(form, *pairs), dense, rtol=1e-10, atol=1e-10)
        assert np.allclose([by_hand(form, j, i) for j, i in zip(*pairs, strict=True)], dense, rtol=1e-10, atol=1e-10)
        assert np.allclose(cf.log_densities(appearance, records)[pairs], dense, rtol=1e-10, atol=1e-10)


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(SEEDS, st.integers(1, 3), st.floats(0.0, 0.9))
def test_boxes_grow_as_less_may_be_left_out_and_hold_the_centre(seed, d, mass):
    for appearance in several(np.random.default_rng(seed), 3, d):
        low, high = appearance.boxes(mass)
        wide_low, wide_high = appearance.boxes(mass / 2)
        assert low.shape == (appearance.respondents, appearance.coordinates(np.ones((1, appearance.variables))).shape[1])
        assert ((wide_low <= low) & (low <= high) & (high <= wide_high)).all()


@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(
    st.dictionaries(st.floats(0.01, 3), st.floats(0.55, 0.995), min_size=1, max_size=4),
    st.sampled_from([cf.LognormalAppearance, cf.NormalAppearance, cf.LaplaceAppearance]),
    st.booleans(),
)
def test_elicited_spreads_lie_between_those_of_the_statements(within, family, as_factor):
    ordered = dict(zip(sorted(within), sorted(within.values()), strict=True))
    belief = cf.elicit(within=ordered, family=family, as_factor=as_factor)
    assert min(belief.alone) * (1 - 1e-12) <= belief.sd <= max(belief.alone) * (1 + 1e-12)
    assert 0 <= belief.misfit <= 1
    for (error, probability), alone in zip(ordered.items(), belief.alone, strict=True):
        single = cf.elicit(within={error: probability}, family=family, as_factor=as_factor)
        assert np.isclose(single.sd, alone)
        assert single.misfit < 1e-9
