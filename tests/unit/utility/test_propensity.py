"""The propensity score: against a plain fit, against its null expectation, and at the edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import confide as cf
from confide.utility.propensity.features import features
from confide.utility.propensity.logistic import second_moment


def plain_pmse(x, target, w):
    """Fit by a general optimiser and average the squared scores."""
    c = w @ target / w.sum()

    def loss(b):
        eta = x @ b
        return float(w @ (np.logaddexp(0, eta) - target * eta)), x.T @ (w * (1 / (1 + np.exp(-eta)) - target))

    b = minimize(loss, np.zeros(x.shape[1]), jac=True, method="BFGS", options={"gtol": 1e-9}).x
    return float(w @ (1 / (1 + np.exp(-x @ b)) - c) ** 2 / w.sum())


def both(n=300, seed=1):
    rng = np.random.default_rng(seed)
    source = {"x": rng.normal(size=n), "s": rng.choice(["a", "b", "c"], n), "w": rng.uniform(1, 3, n)}
    released = {
        "x": rng.normal(0.4, 1.2, n),
        "s": rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2]),
        "w": rng.uniform(1, 3, n),
    }
    made = [cf.Microdata.from_dict({k: v.tolist() for k, v in f.items()}).declare(weight="w") for f in (source, released)]
    z = {k: np.concatenate([source[k], released[k]]) for k in source}
    return cf.Released.from_files(*made), z, np.repeat([0.0, 1.0], n)


def columns(z):
    return [np.ones(z["x"].size), z["x"], z["s"] == "b", z["s"] == "c"]


@pytest.mark.parametrize("weights", [True, False])
@pytest.mark.parametrize("interactions", [True, False])
def test_it_is_that_of_a_plain_fit(weights, interactions):
    file, z, target = both()
    found = cf.PropensityScore(interactions=interactions, weights=weights).of(file)
    x = columns(z) + ([z["x"] * (z["s"] == "b"), z["x"] * (z["s"] == "c"), z["x"] ** 2] if interactions else [])
    want = plain_pmse(np.column_stack(x).astype(float), target, z["w"] if weights else np.ones(target.size))
    assert found.value == pytest.approx(want, rel=1e-4)
    assert found.coefficients == len(x)


def test_the_design_is_that_of_products_and_squares():
    file, z, _ = both()
    x = np.column_stack([*columns(z), z["x"] ** 2, z["x"] * (z["s"] == "b"), z["x"] * (z["s"] == "c")]).astype(float)
    made = features(*([f.columns[v] for v in "xs"] for f in (file.source, file.data)), interactions=True)
    w = z["w"]
    moment = second_moment(made, w, np.arange(7))
    centre, scale = z["x"].mean(), z["x"].std()
    x[:, 1] = (x[:, 1] - centre) / scale
    x[:, 4] = x[:, 1] ** 2
    x[:, 5:] = x[:, 1:2] * x[:, 2:4]
    assert moment == pytest.approx((x * np.square(w)[:, None]).T @ x)
    assert moment == pytest.approx(moment.T)


def test_the_expectation_is_that_of_snoke_and_others():
    file, _, _ = both()
    found = cf.PropensityScore(weights=False).of(file)
    assert found.expected == pytest.approx(3 * 0.5**2 * 0.5 / 600)
    assert found.sd == pytest.approx(np.sqrt(2 * 3) * 0.5**2 * 0.5 / 600)
    assert found.ratio == pytest.approx(found.value / found.expected)
    assert found.standardised == pytest.approx((found.value - found.expected) / found.sd)


def test_equal_weights_change_nothing():
    file, _, _ = both()
    same = cf.Column.of_numbers(np.full(300, 7.0))
    equal = cf.Released.from_files(*(f.with_columns({"w": same}) for f in (file.source, file.data)))
    a, b = cf.PropensityScore().of(equal), cf.PropensityScore(weights=False).of(file)
    assert a.value == pytest.approx(b.value)
    assert a.expected == pytest.approx(b.expected)
    assert a.sd == pytest.approx(b.sd)


@pytest.mark.slow
def test_files_from_the_right_model_have_the_expected_score():
    # synthetic from the model fitted to the source: x normal with the source's mean and variance, s with its shares
    ratios, rng = [], np.random.default_rng(5)
    for _ in range(200):
        x = rng.normal(size=400)
        s = rng.choice(["a", "b", "c"], 400)
        p = np.array([np.mean(s == k) for k in "abc"])
        drawn = rng.normal(x.mean(), x.std(), 400), rng.choice(["a", "b", "c"], 400, p=p)
        made = [cf.Microdata.from_dict({"x": a.tolist(), "s": b.tolist()}) for a, b in ((x, s), drawn)]
        ratios.append(cf.PropensityScore().of(cf.Released.from_files(*made)).ratio)
    # the sd of a ratio is sqrt(2 / 3)
    assert np.mean(ratios) == pytest.approx(1, abs=4 * np.sqrt(2 / 3 / 200))


def test_the_unmasked_file_cannot_be_told_apart():
    file, _, _ = both()
    found = cf.PropensityScore(interactions=True).unmasked(file.source)
    assert found.value == pytest.approx(0, abs=1e-20)
    assert found.ratio == pytest.approx(0, abs=1e-12)


def test_files_told_apart_perfectly():
    source = cf.Microdata.from_dict({"x": [0.5, 1.5, 2.5], "s": ["a", "b", "a"]})
    masked = cf.Microdata.from_dict({"x": [10.5, 11.5, 12.5], "s": ["a", "b", "a"]})
    assert cf.PropensityScore().of(cf.Released.from_files(source, masked)).value == pytest.approx(0.25, abs=1e-6)
    masked = cf.Microdata.from_dict({"x": [0.5, 1.5, 2.5], "s": ["c", "d", "c"]})
    assert cf.PropensityScore().of(cf.Released.from_files(source, masked)).value == pytest.approx(0.25, abs=1e-6)


def test_columns_that_follow_from_others_change_nothing():
    file, _, _ = both()
    twice = [f.with_columns({}) for f in (file.source, file.data)]
    doubled = cf.Released.from_files(
        *(
            cf.Microdata({**f.variables, "y": cf.Variable("y", cf.Kind.CONTINUOUS)},
                         {**f.columns, "y": cf.Column.of_numbers(3 * f.columns["x"].numbers + 1)})
            for f in twice
        )
    )  # fmt: skip
    a, b = cf.PropensityScore().of(file), cf.PropensityScore().of(doubled)
    assert a.value == pytest.approx(b.value)
    assert a.coefficients == b.coefficients


def test_missing_values_have_an_indicator():
    source = cf.Microdata.from_dict({"x": [0.5, 1.5, 2.5, 3.5] * 5})
    masked = cf.Microdata.from_dict({"x": [0.5, 1.5, 2.5, None] * 5})
    found = cf.PropensityScore().of(cf.Released.from_files(source, masked))
    assert found.coefficients == 3
    assert found.value > 0.02


def test_constants_and_single_records():
    one = cf.Microdata.from_dict({"x": [1.5]})
    found = cf.PropensityScore().unmasked(one)
    assert (found.value, found.coefficients) == (0.0, 1)
    with pytest.raises(cf.UtilityError, match="all variables are constant"):
        _ = found.ratio
    with pytest.raises(cf.UtilityError, match="all variables are constant"):
        _ = found.standardised


def test_samples_are_seeded():
    file, _, _ = both()
    a, b = (cf.PropensityScore(sample=100, seed=s).of(file).value for s in (1, 2))
    assert a == cf.PropensityScore(sample=100, seed=1).of(file).value
    assert a != b
    assert cf.PropensityScore(sample=300, seed=1).of(file).value == cf.PropensityScore().of(file).value
    with pytest.raises(cf.UtilityError, match="needs a seed"):
        cf.PropensityScore(sample=100)


def test_what_is_refused():
    file, _, _ = both()
    many = cf.Microdata.from_dict({"s": [f"v{k}" for k in range(2_500)]}).declare(kinds={"s": "nominal"})
    with pytest.raises(cf.UtilityError, match="2,500 coefficients"):
        cf.PropensityScore().unmasked(many)
    with pytest.raises(cf.UtilityError, match="none of x is in the release"):
        cf.PropensityScore("x").of(cf.Release(cf.Drop("x")).apply(file.source, seed=1))
    infinite = cf.Microdata.from_dict({"x": [1.5, 2.5]}).with_columns({"x": cf.Column.of_numbers([1.5, np.inf])})
    with pytest.raises(cf.UtilityError, match="finite numbers"):
        cf.PropensityScore().unmasked(infinite)
