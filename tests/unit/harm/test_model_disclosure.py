"""What masking does to a model, and what is said about it."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import confide as cf
from confide.data.column import Column

KINDS = {"income": "continuous", "age": "continuous", "weight": "continuous", "sex": "nominal", "race": "nominal"}


def people(n=4000, seed=1, **more):
    """A file in which income is 10 + 2 age - 20 (sex = f) + 15 (race = b) and noise of sd 10."""
    rng = np.random.default_rng(seed)
    age, sex = rng.uniform(20, 60, n), rng.choice(["m", "f"], n)
    race = rng.choice(["w", "b"], n, p=[0.7, 0.3])
    income = 10 + 2 * age - 20 * (sex == "f") + 15 * (race == "b") + rng.normal(0, 10, n)
    y = np.where(rng.random(n) < 1 / (1 + np.exp(-0.1 * (age - 40) - (sex == "f"))), "yes", "no")
    columns = {"income": income, "age": age, "sex": sex, "race": race, "owns": y, "weight": rng.uniform(1, 5, n), **more}
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in columns.items()})
    return data.declare(kinds=KINDS, weight="weight", order={"owns": ["no", "yes"]})


MODEL = "income ~ age + sex + race"


@pytest.mark.parametrize("model", [MODEL, "owns ~ age + sex", "income ~ 1", "race ~ age"])
@pytest.mark.parametrize("weights", [False, True])
def test_an_unmasked_release_discloses_the_model(model, weights):
    found = cf.model_disclosure(cf.Release().apply(people(), seed=1), model, weights=weights)
    assert found.mean_overlap == 1.0
    assert found.distance == 0.0
    assert found.distance_per_degree == 0.0
    assert all(c.difference == 0.0 and c.overlap == 1.0 for c in found.coefficients)
    assert found.predictions.difference == 0.0
    assert found.predictions.source_explained == found.predictions.released_explained
    assert found.source_records == found.released_records == (4000, 4000)
    assert found.notes == ()


def test_the_same_records_in_another_order_and_other_label_lists_are_the_same_model():
    data = people()
    rows = np.arange(data.n)[::-1].copy()
    turned = data.take(rows)
    sex = turned.column("sex")
    turned = turned.with_columns({"sex": Column.of_labels(sex.values(), ["never", *sex.labels[::-1]])})
    found = cf.model_disclosure(cf.Released.from_files(data, turned, parent=rows.tolist()), MODEL)
    assert found.mean_overlap == pytest.approx(1.0, abs=1e-9)
    assert found.distance == pytest.approx(0.0, abs=1e-8)


def test_the_numbers_are_those_of_least_squares():
    data = people()
    released = cf.Release(cf.Noise("income", sd=5)).apply(data, seed=4)
    found = cf.model_disclosure(released, MODEL)

    def hand(file):
        # the reference is the first category of the source
        sex, race = np.array(file.column("sex").values()), np.array(file.column("race").values())
        refs = [file.column(v).labels[0] for v in ("sex", "race")]
        x = np.column_stack([np.ones(file.n), file.column("age").numbers, sex != refs[0], race != refs[1]])
        y = file.column("income").numbers
        b = np.linalg.solve(x.T @ x, x.T @ y)
        s2 = np.sum((y - x @ b) ** 2) / (file.n - 4)
        return x, b, s2 * np.linalg.inv(x.T @ x), s2

    x, b, v, s2 = hand(data)
    _, c, u, _ = hand(released.data)
    frame = found.to_frame()
    np.testing.assert_allclose(frame["source"], b, rtol=1e-9)
    np.testing.assert_allclose(frame["released"], c, rtol=1e-9)
    np.testing.assert_allclose(frame["source_se"], np.sqrt(np.diag(v)), rtol=1e-7)
    np.testing.assert_allclose(frame["released_se"], np.sqrt(np.diag(u)), rtol=1e-7)
    np.testing.assert_allclose(frame["difference"], (c - b) / np.sqrt(np.diag(v)), rtol=1e-6)
    assert found.distance == pytest.approx(np.sqrt((c - b) @ np.linalg.inv(v) @ (c - b)))
    assert found.distance_per_degree == pytest.approx(found.distance**2 / 4)
    low, high = b - 1.96 * np.sqrt(np.diag(v)), b + 1.96 * np.sqrt(np.diag(v))
    l2, h2 = c - 1.96 * np.sqrt(np.diag(u)), c + 1.96 * np.sqrt(np.diag(u))
    common = np.minimum(high, h2) - np.maximum(low, l2)
    np.testing.assert_allclose(frame["overlap"], (common / (high - low) + common / (h2 - l2)) / 2, rtol=1e-4)
    y = data.column("income").numbers
    apart = np.sqrt(np.mean((x @ b - x @ c) ** 2) / s2)
    assert found.predictions.difference == pytest.approx(apart, rel=1e-6)
    assert found.predictions.released_explained == pytest.approx(1 - np.sum((y - x @ c) ** 2) / np.sum((y - y.mean()) ** 2))


def test_noise_on_the_response_leaves_coefficients_unbiased():
    data = people(400)
    method = cf.Release(cf.Noise("income", sd=20))
    moved = [cf.model_disclosure(method.apply(data, seed=s), MODEL).coefficient("age").difference for s in range(200)]
    # noise of twice the residual sd: each difference has an sd of about 2, their mean one of .14
    assert abs(np.mean(moved)) < 0.5
    assert 1.7 < np.std(moved) < 2.3


def test_noise_on_a_covariate_attenuates_its_coefficient():
    data = people(20_000)
    sd = float(data.column("age").numbers.std())
    pair = cf.model_disclosure(cf.Release(cf.Noise("age", sd=sd)).apply(data, seed=2), MODEL).coefficient("age")
    assert pair.released / pair.source == pytest.approx(0.5, abs=0.02)
    assert pair.overlap == 0.0


def test_swapping_race_destroys_its_coefficient_and_no_other():
    data = people()
    found = cf.model_disclosure(cf.Release(cf.Swap("race", rate=1.0)).apply(data, seed=2), MODEL)
    race = next(c for c in found.coefficients if c.name.startswith("race"))
    assert abs(race.source) == pytest.approx(15, abs=2)
    assert abs(race.released) < 3 * race.released_se
    assert race.overlap == 0.0
    assert found.coefficient("age").overlap > 0.5


def test_more_masking_is_less_close():
    data = people()
    found = [cf.model_disclosure(cf.Release(cf.Noise("age", sd=s)).apply(data, seed=1), MODEL) for s in (0.5, 2.0, 8.0)]
    for a, b in itertools.pairwise(found):
        assert a.distance < b.distance
        assert a.predictions.difference < b.predictions.difference
        assert a.mean_overlap > b.mean_overlap
        assert a.predictions.released_explained > b.predictions.released_explained


def test_a_logistic_model_predicts_the_second_category():
    data = people()
    found = cf.model_disclosure(cf.Release(cf.Noise("age", sd=30)).apply(data, seed=1), "owns ~ age + sex")
    assert found.how == "logistic regression of 'yes' against 'no'"
    age = found.coefficient("age")
    assert age.source == pytest.approx(0.1, abs=0.02)
    assert age.released < 0.05
    assert 0.05 < found.predictions.difference < 0.5
    assert found.predictions.released_explained < found.predictions.source_explained


def test_weights_count_in_estimates_and_predictions():
    data = people()
    released = cf.Release(cf.Noise("income", sd=5)).apply(data, seed=4)
    plain, weighted = (cf.model_disclosure(released, MODEL, weights=w) for w in (False, True))
    assert "sandwich" in weighted.how
    assert "sandwich" not in plain.how
    x = np.column_stack([np.ones(data.n), data.column("age").numbers])
    w, y = data.weights, data.column("income").numbers
    b = np.linalg.solve(x.T @ (w[:, None] * x), x.T @ (w * y))
    alone = cf.model_disclosure(released, "income ~ age", weights=True)
    assert alone.coefficient("age").source == pytest.approx(b[1])
    mean = w @ y / w.sum()
    assert alone.predictions.source_explained == pytest.approx(1 - w @ (y - x @ b) ** 2 / (w @ (y - mean) ** 2))


def test_the_statement_says_whether_closeness_is_wanted():
    released = cf.Release().apply(people(200), seed=1)
    texts = {w: cf.model_disclosure(released, MODEL, wanted=w).statement for w in (True, False, None)}
    assert "overlap by 1 on average" in texts[None]
    assert "wanted here (utility)" in texts[True]
    assert "confidential (risk)" in texts[False]
    assert "the reader must decide" in texts[None]
    assert cf.model_disclosure(released, MODEL, wanted=np.bool_(False)).wanted is False
    with pytest.raises(cf.HarmError, match="wanted must be True, False or None, found str"):
        cf.model_disclosure(released, MODEL, wanted="yes")


def test_the_result_is_shown_and_framed():
    found = cf.model_disclosure(cf.Release(cf.Noise("age", sd=5)).apply(people(300), seed=1), MODEL, wanted=False)
    frame = found.to_frame()
    assert frame.columns == [
        "coefficient", "source", "source_se", "released", "released_se", "difference", "overlap", "compared",
    ]  # fmt: skip
    assert frame.schema["overlap"] == pl.Float64
    assert frame.height == found.degrees == 4
    text = repr(found)
    assert text.startswith("Model disclosure: income ~ age + sex + race, linear regression; release 'Noise'")
    assert "300 of 300 source and 300 of 300 released records used" in text
    assert text.endswith(found.statement)
    assert "cut at 0" in found.describe()
    with pytest.raises(cf.HarmError, match="no coefficient 'agee'; did you mean 'age'"):
        found.coefficient("agee")


def test_what_is_not_a_release_or_a_model():
    data = people(50)
    with pytest.raises(cf.HarmError, match="Released file is needed, found Microdata"):
        cf.model_disclosure(data, MODEL)
    with pytest.raises(cf.HarmError, match="without its source"):
        cf.model_disclosure(cf.Released.seen(data), MODEL)
    with pytest.raises(cf.HarmError, match="a model is a formula such as .* found list"):
        cf.model_disclosure(cf.Release().apply(data, seed=1), ["income", "age"])
