"""Regressions and analyses of one's own."""

from __future__ import annotations

import math

import numpy as np
import pytest

import confide as cf


def people(n=400, seed=1):
    rng = np.random.default_rng(seed)
    age, edu = rng.integers(18, 80, n), rng.integers(1, 4, n)
    income = 100 + 3 * age + 20 * (edu == 2) + 70 * (edu == 3) + rng.normal(0, 30, n)
    data = {"age": age.tolist(), "edu": edu.tolist(), "income": income.tolist()}
    return cf.Microdata.from_dict(data).declare(kinds={"age": "integer", "edu": "integer"})


def test_numbers_as_categories():
    data = people()
    found = cf.RegressionKept("income ~ age + C(edu)").unmasked(data)
    assert found.to_frame()["coefficient"].to_list() == ["(intercept)", "age", "C(edu)[2]", "C(edu)[3]"]
    assert found.value == 1.0
    x = np.column_stack([np.ones(data.n), data.columns["age"].numbers, *(data.columns["edu"].numbers == k for k in (2, 3))])
    want = np.linalg.lstsq(x, data.columns["income"].numbers, rcond=None)[0]
    assert found.to_frame()["source"].to_list() == pytest.approx(want.tolist())
    line = cf.RegressionKept("income ~ age + edu").unmasked(data)
    assert line.to_frame()["coefficient"].to_list() == ["(intercept)", "age", "edu"]


def test_overlap_by_hand():
    data = people()
    masked = cf.Release(cf.Noise("income", sd=40)).apply(data, seed=3)
    found = cf.RegressionKept("income ~ age").of(masked).to_frame().row(1, named=True)
    ends = [
        (found[f"{k}"] - 1.959963984540054 * found[f"{k}_se"], found[f"{k}"] + 1.959963984540054 * found[f"{k}_se"])
        for k in ("source", "released")
    ]
    common = min(ends[0][1], ends[1][1]) - max(ends[0][0], ends[1][0])
    want = (common / (ends[0][1] - ends[0][0]) + common / (ends[1][1] - ends[1][0])) / 2
    assert found["overlap"] == pytest.approx(want)


def test_terms_that_are_not_released_count_zero():
    data = people()
    found = cf.RegressionKept("income ~ age + C(edu)").of(cf.Release(cf.Drop("edu")).apply(data, seed=1))
    assert found.to_frame()["overlap"].to_list()[2:] == [0.0, 0.0]
    assert found.to_frame()["released"].to_list()[2:] == [None, None]
    assert "cannot be compared and count 0" in " ".join(found.notes)


def test_blanks_cost_the_coefficients_of_their_variable():
    data = people()
    hole = np.arange(data.n) % 4 == 0
    column = data.columns["age"].as_numbers()
    blank = data.with_columns({"age": cf.Column.of_numbers(np.where(hole, np.nan, column.numbers))})
    measure = cf.RegressionKept("income ~ age + C(edu)")
    found = measure.of(cf.Released.from_files(data, blank, same_order=True))
    part = {r["coefficient"]: r for r in found.to_frame().iter_rows(named=True)}

    def overlap(r):
        ends = [
            (r[k] - 1.959963984540054 * r[f"{k}_se"], r[k] + 1.959963984540054 * r[f"{k}_se"])
            for k in ("source", "released")
        ]
        common = min(ends[0][1], ends[1][1]) - max(ends[0][0], ends[1][0])
        return sum(common / (b - a) for a, b in ends) / 2

    share = 1 - hole.mean()
    assert part["age"]["overlap"] == pytest.approx(share * overlap(part["age"]))
    assert part["(intercept)"]["overlap"] == pytest.approx(overlap(part["(intercept)"]))
    assert "with blanks in the release" in " ".join(found.notes)


def test_a_recoded_term_is_read_as_its_middles():
    found = cf.RegressionKept("income ~ age").of(cf.Release(cf.Recode("age", width=5)).apply(people(), seed=1))
    assert found.value > 0.8
    assert "middle of their interval" in " ".join(found.notes)


def test_weights_are_taken_from_the_files():
    data = people()
    columns = {**data.columns, "w": cf.Column.of_numbers(np.linspace(1, 5, data.n))}
    weighted = cf.Microdata({**data.variables, "w": cf.Variable("w", cf.Kind.CONTINUOUS)}, columns).declare(weight="w")
    a = cf.RegressionKept("income ~ age").unmasked(weighted).to_frame()["source"][1]
    b = cf.RegressionKept("income ~ age", weights=False).unmasked(weighted).to_frame()["source"][1]
    assert a != b


def test_formulas_that_cannot_be_read_or_fitted():
    with pytest.raises(cf.UtilityError, match="one is needed between"):
        cf.RegressionKept("income")
    with pytest.raises(cf.UtilityError, match=r"response cannot be C\(edu\)"):
        cf.RegressionKept("C(edu) ~ age")
    with pytest.raises(cf.UtilityError, match="found int"):
        cf.RegressionKept(3)
    with pytest.raises(cf.UtilityError, match="there is no variable 'wage'"):
        cf.RegressionKept("wage ~ age").unmasked(people())
    with pytest.raises(cf.UtilityError, match="complete records for 2 coefficients"):
        cf.RegressionKept("income ~ age").unmasked(people(2))
    with pytest.raises(cf.HarmError, match="choose log"):
        cf.ModelTerm("x", log=True, category=True)


def test_own_estimates_with_and_without_errors():
    def alone(data):
        return {"mean": data.column("income").numbers.mean(), "zero": 0.0, "n": data.n}

    def with_error(data):
        x = data.column("income").numbers
        return {"mean": (x.mean(), x.std() / math.sqrt(x.size))}

    data = people()
    masked = cf.Release(cf.Noise("income", sd=40)).apply(data, seed=3)
    found = cf.OwnAnalysis(alone, "mine").of(masked)
    mean, released = data.columns["income"].numbers.mean(), masked.data.columns["income"].numbers.mean()
    assert found.to_frame()["kept"].to_list() == pytest.approx([1 - abs(released - mean) / mean, 1.0, 1.0])
    assert found.name == "mine"
    assert 0 < cf.OwnAnalysis(with_error).of(masked).value < 1
    assert cf.OwnAnalysis(with_error).unmasked(data).value == pytest.approx(1.0)


def test_own_estimates_that_the_release_lacks_or_that_are_none():
    data = cf.Microdata.from_dict({"x": [1.5, 2.5], "y": [1.5, 2.5]})
    half = cf.Release(cf.Drop("y")).apply(data, seed=1)
    names = cf.OwnAnalysis(lambda d: dict.fromkeys(d.names, 1.0), "names").of(half)
    assert names.value == 0.5
    assert "not given for the released file" in " ".join(names.notes)
    for function, message in (
        (lambda d: 3.0, "must return a mapping"),
        (lambda d: {}, "must return a mapping"),
        (lambda d: {"a": "b"}, "must be a number"),
        (lambda d: {"a": math.nan}, "must be finite"),
        (lambda d: {"a": (1.0, -1.0)}, "not negative"),
    ):
        with pytest.raises(cf.UtilityError, match=message):
            cf.OwnAnalysis(function).unmasked(data)
    with pytest.raises(cf.UtilityError, match="takes a function"):
        cf.OwnAnalysis("income")
    with pytest.raises(cf.UtilityError, match="needs a name"):
        cf.OwnAnalysis(len, "")
    with pytest.raises(ZeroDivisionError) as caught:
        cf.OwnAnalysis(lambda d: {"a": 1 / 0}, "bad").unmasked(data)
    assert "while computing 'bad'" in "".join(caught.value.__notes__)


def test_own_utility():
    data = cf.Microdata.from_dict({"x": [1.5, 2.5]})
    measure = cf.OwnUtility(lambda r: (0.5, 0.1), "mine", larger_is_better=False, bounds=(0, 1))
    found = measure.unmasked(data)
    assert (found.value, found.se, measure.larger_is_better, measure.bounds) == (0.5, 0.1, False, (0.0, 1.0))
    with pytest.raises(cf.UtilityError, match="outside its bounds"):
        cf.OwnUtility(lambda r: 2, "mine", larger_is_better=True, bounds=(0, 1)).unmasked(data)
    with pytest.raises(cf.UtilityError, match="smallest, largest"):
        cf.OwnUtility(lambda r: 2, "mine", larger_is_better=True, bounds=(1, 0))
