"""Models of releases that recode, topcode, drop, sample or leave values out."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.data.column import Column
from confide.harm.model.coding import learned_coding

RACES = ["w", "b", "n", "a"]


def people(n=3000, seed=5):
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 60, n).astype(float)
    race = rng.choice(RACES, n, p=[0.5, 0.3, 0.15, 0.05])
    tax = np.exp(rng.normal(5, 1, n))
    income = 10 + 2.0 * age + 15 * (race == "b") + 0.01 * tax + rng.normal(0, 10, n)
    job = rng.choice(["x", "y", "z"], n)
    data = cf.Microdata.from_dict({"income": income, "age": age, "race": race, "tax": tax, "job": job})
    kinds = dict.fromkeys(("income", "age", "tax"), "continuous")
    return data.declare(kinds=kinds, order={"race": RACES})


def mask(*methods, data=None, seed=1):
    return cf.Release(*methods).apply(people() if data is None else data, seed=seed)


def overlaps(found):
    return {c.name: c.overlap for c in found.coefficients}


def test_a_recoded_number_has_coefficients_of_its_own_and_predictions_are_compared():
    found = cf.model_disclosure(mask(cf.Recode("age", width=10)), "income ~ age + race")
    table = found.to_frame()
    assert table["coefficient"].to_list()[:2] == ["(intercept)", "age"]
    assert [c.name for c in found.coefficients if c.compared] == ["race[b]", "race[n]", "race[a]"]
    assert found.coefficient("age").released is None
    assert found.coefficient("age[[30, 40)]").source is None
    assert found.coefficient("(intercept)").difference is None
    assert "released in categories; its coefficients cannot be compared" in found.notes[0]
    assert found.degrees == 3
    # ages within a decade spread by 2.9 years: 5.7 units of income, residuals by 10
    assert found.predictions.difference == pytest.approx(0.57, abs=0.05)
    assert found.predictions.records == 3000
    assert found.predictions.released_explained < found.predictions.source_explained


def test_a_release_of_others_is_coded_by_its_pairs():
    made = mask(cf.Recode("age", width=10), cf.Topcode("tax", at=300), cf.Sample(fraction=0.5))
    masked = made.data.with_columns({}, {"age": cf.Kind.CONTINUOUS})
    given = cf.Released.from_files(made.source, masked, parent=made.parent.tolist())
    assert given.steps == ()
    declared, learned = (cf.model_disclosure(r, "income ~ age + race") for r in (made, given))
    assert declared.to_frame().equals(learned.to_frame())
    assert learned.predictions == declared.predictions
    # a tax that occurs once and was not sampled: nobody knows its category
    found = cf.model_disclosure(given, "income ~ tax")
    assert found.predictions.records == 1500
    assert "1,500 source record(s) have values that the released model does not know" in found.notes


def test_a_topcoded_covariate_keeps_its_slope_beside_an_indicator():
    made = mask(cf.Topcode("tax", at=300))
    found = cf.model_disclosure(made, "income ~ tax + age")
    coded = int(np.sum(made.data.column("tax").codes >= 0))
    assert [c.name for c in found.coefficients if c.compared] == ["(intercept)", "tax", "age"]
    assert found.coefficient("tax[more than 300]").source is None
    assert f"released in categories for {coded:,} of 3,000 records" in found.notes[0]
    x = made.source.column("tax").numbers
    below = x <= 300
    z = np.column_stack([np.ones(3000), np.where(below, x, 0), made.source.column("age").numbers, ~below])
    y = made.source.column("income").numbers
    b, *_ = np.linalg.lstsq(z, y, rcond=None)
    assert found.coefficient("tax").released == pytest.approx(b[1])
    assert found.predictions.released_explained == pytest.approx(1 - np.sum((y - z @ b) ** 2) / (y.var() * 3000))


def test_a_replaced_topcode_and_a_rounded_number_stay_numbers():
    made = mask(cf.Topcode("tax", at=300, replacement="mean"), cf.Round("age", to=10))
    found = cf.model_disclosure(made, "income ~ tax + age")
    assert all(c.compared for c in found.coefficients)
    assert found.notes == ()
    assert found.mean_overlap < 1


def test_categories_that_the_release_merges_are_not_compared_the_others_are():
    merged = mask(cf.Recode("race", mapping={"w": "w", "b": "b", "n": "other", "a": "other"}))
    found = cf.model_disclosure(merged, "income ~ age + race")
    assert [c.name for c in found.coefficients if c.compared] == ["(intercept)", "age", "race[b]"]
    assert found.coefficient("race[other]").source is None
    assert "2 of its 4 cannot be compared" in found.notes[0]
    assert found.predictions.records == 3000
    # merged into a category that has a name of the source
    merged = mask(cf.Recode("race", mapping={"w": "w", "b": "b", "n": "b", "a": "w"}))
    given = cf.Released.from_files(merged.source, merged.data, same_order=True)
    for made in (merged, given):
        found = cf.model_disclosure(made, "income ~ age + race")
        assert [c.name for c in found.coefficients if c.compared] == ["age"]


def test_the_reference_is_a_category_that_both_files_hold():
    data = people()
    rows = np.flatnonzero(np.array(data.column("race").values()) != "w")
    given = cf.Released.from_files(data, data.take(rows), parent=rows.tolist())
    found = cf.model_disclosure(given, "income ~ race")
    assert [c.name for c in found.coefficients] == ["(intercept)", "race[w]", "race[n]", "race[a]"]
    assert overlaps(found)["race[w]"] is None
    assert found.coefficient("race[n]").compared
    assert "there is no race[w] in the release" in found.notes
    assert found.predictions.records == rows.size


def test_swapped_and_recoded_values_are_predicted_by_their_true_category():
    plain, swapped = (
        cf.model_disclosure(mask(cf.Recode("age", width=10), *more), "income ~ age")
        for more in ((), (cf.Swap("age", rate=0.2),))
    )
    assert swapped.predictions.records == plain.predictions.records == 3000
    assert 0 < swapped.predictions.released_explained < plain.predictions.released_explained


def test_a_dropped_covariate_is_left_out_of_the_released_model():
    found = cf.model_disclosure(mask(cf.Drop("age")), "income ~ age + race")
    assert [c.name for c in found.coefficients if c.compared] == ["race[b]", "race[n]", "race[a]"]
    assert "'age' is not in the release; the released model is fitted without it" in found.notes
    assert found.predictions.released_explained < found.predictions.source_explained
    alone = cf.model_disclosure(mask(cf.Drop("age")), "income ~ age")
    assert alone.mean_overlap is None
    assert alone.distance is None
    assert alone.distance_per_degree is None
    assert alone.statement.startswith("No coefficient of the two models can be compared.")
    assert "distance -" in repr(alone)
    assert alone.predictions.released_explained == pytest.approx(0.0, abs=1e-12)


def test_a_covariate_that_is_constant_in_the_release_is_left_out():
    found = cf.model_disclosure(mask(cf.Round("age", to=1000)), "income ~ age + race")
    assert "'age' is constant in the release; the released model is fitted without it" in found.notes
    assert found.coefficient("age").released is None
    assert not found.coefficient("(intercept)").compared
    merged = mask(cf.Recode("race", mapping=dict.fromkeys(RACES, "any")))
    found = cf.model_disclosure(merged, "income ~ age + race")
    assert [c.name for c in found.coefficients if c.compared] == ["age"]
    assert found.predictions.records == 3000


def test_a_response_that_is_not_released_or_recoded_cannot_be_compared():
    with pytest.raises(cf.HarmError, match="response 'income' is not in the release"):
        cf.model_disclosure(mask(cf.Drop("income")), "income ~ age")
    with pytest.raises(cf.HarmError, match="response income is released in other categories"):
        cf.model_disclosure(mask(cf.Recode("income", width=10)), "income ~ age")
    merged = mask(cf.Recode("race", mapping={"w": "w", "b": "w", "n": "n", "a": "a"}))
    for made in (merged, cf.Released.from_files(merged.source, merged.data, same_order=True)):
        with pytest.raises(cf.HarmError, match="response race is released in other categories"):
            cf.model_disclosure(made, "race ~ age")


def test_a_topcoded_response_leaves_its_records_out():
    made = mask(cf.Topcode("income", at=120))
    found = cf.model_disclosure(made, "income ~ age")
    coded = int(np.sum(made.data.column("income").codes >= 0))
    assert found.released_records == (3000 - coded, 3000)
    assert f"{coded:,} of 3,000 records of the released file are left out: income is a category" in found.notes


def test_a_response_category_that_the_release_lost():
    data = people()
    rows = np.flatnonzero(np.array(data.column("race").values()) != "a")
    given = cf.Released.from_files(data, data.take(rows), parent=rows.tolist())
    with pytest.raises(cf.HarmError, match="no record of category a in the released file"):
        cf.model_disclosure(given, "race ~ age")
    strange = data.with_columns({"job": Column.of_labels(["x", "y", "q"] * 1000)})
    with pytest.raises(cf.HarmError, match="response job is released in other categories"):
        cf.model_disclosure(cf.Released.from_files(data, strange, same_order=True), "job ~ age")


def test_missing_values_are_left_out_and_told():
    data = people()
    age, race = data.column("age").numbers.copy(), data.column("race").codes.copy()
    age[:100], race[50:120] = np.nan, -2
    holes = data.with_columns({"age": Column.of_numbers(age), "race": Column.of_codes(race, RACES)})
    found = cf.model_disclosure(cf.Released.from_files(data, holes, same_order=True), "income ~ age + race")
    assert found.source_records == (3000, 3000)
    assert found.released_records == (2880, 3000)
    assert found.predictions.records == 3000
    assert "120 of 3,000 records of the released file are left out: a value is missing" in found.notes
    turned = cf.model_disclosure(cf.Released.from_files(holes, data, same_order=True), "income ~ age + race")
    assert turned.source_records == (2880, 3000)
    assert turned.predictions.records == 2880
    none = data.with_columns({"age": Column.of_numbers(np.full(3000, np.nan))})
    with pytest.raises(cf.HarmError, match="no record of the released file can be used.*a value is missing"):
        cf.model_disclosure(cf.Released.from_files(data, none, same_order=True), "income ~ age")


def test_logarithms():
    data = people()
    found = cf.model_disclosure(mask(cf.Noise("tax", sd=100), data=data), "log(tax) ~ log(income) + age")
    x = np.column_stack([np.ones(3000), np.log(data.column("income").numbers), data.column("age").numbers])
    b, *_ = np.linalg.lstsq(x, np.log(data.column("tax").numbers), rcond=None)
    np.testing.assert_allclose([c.source for c in found.coefficients], b, rtol=1e-6)
    assert any("are left out: a value has no logarithm" in note for note in found.notes)
    coded = cf.model_disclosure(mask(cf.Topcode("tax", at=300), data=data), "income ~ log(tax)")
    assert coded.coefficient("log(tax)[more than 300]").source is None
    assert coded.predictions.records == 3000
    with pytest.raises(cf.HarmError, match="'race' is ordinal and holds no numbers; leave log"):
        cf.model_disclosure(mask(data=data), "income ~ log(race)")
    zero = data.with_columns({"tax": Column.of_numbers(np.where(np.arange(3000) < 7, 0.0, 3.0))})
    with pytest.raises(cf.HarmError, match="7 of 3,000 source values are zero or negative"):
        cf.model_disclosure(mask(data=zero), "income ~ log(tax)")


def test_bad_terms_are_named_with_their_file():
    data = people()
    same = data.with_columns({"tax": Column.of_numbers(np.ones(3000))})
    with pytest.raises(cf.HarmError, match="tax is constant in the source file"):
        cf.model_disclosure(mask(data=same), "income ~ tax")
    with pytest.raises(cf.HarmError, match="response is constant in the source file"):
        cf.model_disclosure(mask(data=same), "tax ~ income")
    one = data.with_columns({"race": Column.of_labels(["w"] * 3000)})
    with pytest.raises(cf.HarmError, match="one category in the source file"):
        cf.model_disclosure(mask(data=one), "race ~ income")
    double = data.with_columns({"tax": Column.of_numbers(2 * data.column("age").numbers + 1)})
    with pytest.raises(cf.HarmError, match="in the source file, (tax|age) is constant or a combination"):
        cf.model_disclosure(mask(data=double), "income ~ tax + age")
    with pytest.raises(cf.HarmError, match="in the released file, (tax|age) is constant or a combination"):
        cf.model_disclosure(cf.Released.from_files(data, double, same_order=True), "income ~ tax + age")
    with pytest.raises(cf.HarmError, match="2 complete records for 2 coefficients"):
        cf.model_disclosure(mask(data=data.take(np.arange(2))), "income ~ age")
    infinite = data.with_columns({"tax": Column.of_numbers(np.where(np.arange(3000) < 3, np.inf, 1.0))})
    with pytest.raises(cf.HarmError, match="tax is infinite for 3 records of the source file"):
        cf.model_disclosure(mask(data=infinite), "income ~ tax")
    many = data.with_columns({"job": Column.of_labels([f"j{k % 150}" for k in range(3000)])})
    for model in ("income ~ job", "job ~ income"):
        with pytest.raises(cf.HarmError, match="150 categories, a model takes at most 100"):
            cf.model_disclosure(mask(data=many), model)


def test_a_separated_release_says_so():
    data = people()
    job = np.where(np.array(data.column("race").values()) == "a", "x", "y")
    mixed = np.where(np.arange(3000) % 7 == 0, "x", "y")
    source, released = (data.with_columns({"job": Column.of_labels(j.tolist())}) for j in (mixed, job))
    with pytest.raises(cf.HarmError, match=r"in the released file, covariate race.*separation"):
        cf.model_disclosure(cf.Released.from_files(source, released, same_order=True), "job ~ race")


def test_weights_must_be_there():
    data = people()
    with pytest.raises(cf.HarmError, match="source file has no weight; declare"):
        cf.model_disclosure(mask(data=data), "income ~ age", weights=True)
    weighted = data.declare(weight="tax")
    with pytest.raises(cf.HarmError, match="released file has no weight"):
        cf.model_disclosure(mask(cf.Drop("tax"), data=weighted), "income ~ age", weights=True)
    zeros = data.with_columns({"tax": Column.of_numbers(np.arange(3000) % 2.0)}).declare(weight="tax")
    found = cf.model_disclosure(mask(data=zeros), "income ~ age", weights=True)
    assert found.source_records == (1500, 3000)
    assert "1,500 of 3,000 records of the source file are left out: the weight is zero" in found.notes


def test_a_sample_is_close_within_sampling_errors_and_simulated_records_count():
    found = cf.model_disclosure(mask(cf.Sample(fraction=0.3)), "income ~ age + race")
    assert found.released_records == (900, 900)
    assert found.mean_overlap > 0.4
    assert found.distance_per_degree < 8


def test_learned_categories():
    source = Column.of_labels(["a", "b", "b", "c", None])
    released = Column.of_labels(["a", "x", "x", "a", "x"])
    assert learned_coding(source, released, np.arange(5)).values() == ["a", "x", "x", "a", None]
    # nobody's record, a category without a released record, numbers for a category
    parent = np.array([-1, 0, 1])
    assert learned_coding(source, Column.of_labels(["q", "x", "x"]), parent).values() == ["x", "x", "x", None, None]
    assert learned_coding(source, Column.of_numbers([1.0] * 5), np.arange(5)).values() == [None] * 5
    # of equals the first in order; a missing released value says nothing
    tied = learned_coding(Column.of_numbers([1.0, 1.0]), Column.of_labels(["q", "p"]), np.arange(2))
    assert tied.values() == ["q", "q"]
    silent = learned_coding(Column.of_numbers([1.0, 1.0]), Column.of_labels([None, "p"]), np.arange(2))
    assert silent.values() == ["p", "p"]


def test_predictions_that_cannot_be_made_are_not():
    data = people()
    other = data.with_columns({"race": Column.of_labels(["c", "d", "e"] * 1000)})
    found = cf.model_disclosure(cf.Released.from_files(data, other, parent=[-1] * 3000), "income ~ race")
    assert found.predictions is None
    assert found.mean_overlap is None
    assert "no source record can be predicted by the released model" in found.notes
    # the released model knows one category, in which the response does not vary
    race = np.array(data.column("race").values())
    tax = np.where(race == "w", 1.0, data.column("tax").numbers)
    rows = np.flatnonzero(race == "w")
    part = data.take(rows)
    flat = data.with_columns({"tax": Column.of_numbers(tax)})
    found = cf.model_disclosure(cf.Released.from_files(flat, part, parent=rows.tolist()), "tax ~ race")
    assert found.predictions is None
    assert found.notes[-1] == "the response is constant among those that the released model can predict"
