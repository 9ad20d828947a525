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
    return cf.Released.from_files(*made, same_order=True), z, np.repeat([0.0, 1.0], n)


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
    equal = cf.Released.from_files(*(f.with_columns({"w": same}) for f in (file.source, file.data)), same_order=True)
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
        ratios.append(cf.PropensityScore().of(cf.Released.from_files(*made, same_order=True)).ratio)
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
    assert cf.PropensityScore().of(cf.Released.from_files(source, masked, same_order=True)).value == pytest.approx(
        0.25, abs=1e-6
    )
    masked = cf.Microdata.from_dict({"x": [0.5, 1.5, 2.5], "s": ["c", "d", "c"]})
    assert cf.PropensityScore().of(cf.Released.from_files(source, masked, same_order=True)).value == pytest.approx(
        0.25, abs=1e-6
    )


def test_columns_that_follow_from_others_change_nothing():
    file, _, _ = both()
    twice = [f.with_columns({}) for f in (file.source, file.data)]
    doubled = cf.Released.from_files(
        *(
            cf.Microdata({**f.variables, "y": cf.Variable("y", cf.Kind.CONTINUOUS)},
                         {**f.columns, "y": cf.Column.of_numbers(3 * f.columns["x"].numbers + 1)})
            for f in twice
        ), same_order=True
    )  # fmt: skip
    a, b = cf.PropensityScore().of(file), cf.PropensityScore().of(doubled)
    assert a.value == pytest.approx(b.value)
    assert a.coefficients == b.coefficients


def test_missing_values_have_an_indicator():
    source = cf.Microdata.from_dict({"x": [0.5, 1.5, 2.5, 3.5] * 5})
    masked = cf.Microdata.from_dict({"x": [0.5, 1.5, 2.5, None] * 5})
    found = cf.PropensityScore().of(cf.Released.from_files(source, masked, same_order=True))
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


def test_a_dropped_or_blank_variable_tells_the_files_apart():
    file, _, _ = both()
    source = file.source
    for name in ("x", "s"):
        blank = source.with_columns({name: cf.Column.of_labels([None] * source.n)}, {name: source.variables[name].kind})
        for masked in (
            cf.Release(cf.Drop(name)).apply(source, seed=1),
            cf.Released.from_files(source, blank, same_order=True),
        ):
            for measure in (cf.PropensityScore(), cf.PropensityScore(name), cf.PropensityScore(interactions=True)):
                found = measure.of(masked)
                assert found.value == 0.25
                assert f"{name!r} is " in found.notes[0]
                assert "tells the files apart" in found.notes[0]


def test_a_number_that_is_the_mean_for_everybody_is_not_kept():
    file, _, _ = both()
    x = file.source.columns["x"].numbers
    level = file.source.with_columns({"x": cf.Column.of_numbers(np.full(x.size, x.mean()))})
    found = cf.PropensityScore(weights=False).of(cf.Released.from_files(file.source, level, same_order=True))
    assert found.value == 0.25
    assert "'x' is one number in all records of the release" in found.notes[0]


def test_a_coarser_recoding_is_told_apart_more_easily_than_a_finer_one():
    rng = np.random.default_rng(2)
    edu = rng.choice(list("abcdef"), 2_000, p=[0.35, 0.15, 0.2, 0.05, 0.2, 0.05])
    data = cf.Microdata.from_dict({"edu": edu.tolist(), "x": rng.normal(size=2_000).tolist()})
    fine, coarse = ({x: g for g in groups for x in g} for groups in (("ab", "cd", "ef"), ("abcd", "ef")))
    methods = [cf.Recode("edu", mapping=m) for m in (fine, coarse)] + [cf.Drop("edu")]
    masked = [cf.Release(m).apply(data, seed=1) for m in methods]
    found = [cf.PropensityScore().of(f).value for f in masked]
    assert 0.001 < found[0] < found[1] < found[2] == 0.25
    # of one variable alone the score of each level is its share among both files
    p = np.array([np.mean(edu == x) for x in "abcdef"])
    q = np.array([p[k : k + 2].mean() for k in (0, 2, 4)]).repeat(2)
    alone = float(np.sum((p + q) / 2 * (q / (p + q) - 0.5) ** 2))
    assert cf.PropensityScore("edu").of(masked[0]).value == pytest.approx(alone, rel=0.01)
    renamed = cf.Release(cf.Recode("edu", mapping={x: x.upper() for x in "abcdef"})).apply(data, seed=1)
    assert cf.PropensityScore("edu").of(renamed).value == pytest.approx(0, abs=1e-9)


def test_samples_are_seeded():
    file, _, _ = both()
    a, b = (cf.PropensityScore(sample=100, seed=s).of(file).value for s in (1, 2))
    assert a == cf.PropensityScore(sample=100, seed=1).of(file).value
    assert a != b
    assert cf.PropensityScore(sample=300, seed=1).of(file).value == cf.PropensityScore().of(file).value
    with pytest.raises(cf.UtilityError, match="needs a seed"):
        cf.PropensityScore(sample=100)


def test_what_is_refused():
    many = cf.Microdata.from_dict({"s": [f"v{k}" for k in range(2_500)]}).declare(kinds={"s": "nominal"})
    with pytest.raises(cf.UtilityError, match="2,500 coefficients"):
        cf.PropensityScore().unmasked(many)
    infinite = cf.Microdata.from_dict({"x": [1.5, 2.5]}).with_columns({"x": cf.Column.of_numbers([1.5, np.inf])})
    with pytest.raises(cf.UtilityError, match="finite numbers"):
        cf.PropensityScore().unmasked(infinite)
