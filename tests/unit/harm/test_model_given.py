"""Models that the user fits."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def mean_age(data):
    x = data.column("age").numbers
    return {"mean": (x.mean(), x.std(ddof=1) / np.sqrt(x.size)), f"n{data.n}": (1.0, 1.0)}


@pytest.fixture
def released():
    data = cf.Microdata.from_dict({"age": np.arange(100.0)}).declare(kinds={"age": "continuous"})
    return cf.Release(cf.Sample(n=50)).apply(data, seed=1)


def test_given_estimates_are_compared(released):
    found = cf.model_disclosure(released, cf.GivenModel(mean_age, "mean age"), wanted=True)
    mean = found.coefficient("mean")
    assert mean.source == 49.5
    assert mean.difference == pytest.approx((released.data.column("age").numbers.mean() - 49.5) / mean.source_se)
    assert found.mean_overlap == mean.overlap
    assert found.degrees == 1
    assert not found.coefficient("n100").compared
    assert not found.coefficient("n50").compared
    assert found.distance is None
    assert found.predictions is None
    assert "n100, n50: given for one file only" in found.notes
    assert "mean age" in repr(found)
    assert found.source_records == (100, 100)


def test_an_unmasked_file_gives_the_same(released):
    same = cf.Release().apply(released.source, seed=1)
    assert cf.model_disclosure(same, cf.GivenModel(mean_age)).mean_overlap == 1.0


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (3.0, r"must return a mapping such as .* found float"),
        ({}, "found an empty mapping"),
        ({1: (0.0, 1.0)}, "names of estimates must be text, found int"),
        ({"a": 3.0}, r"estimate 'a' must be two numbers, \(value, standard error\), found float"),
        ({"a": (1.0, 2.0, 3.0)}, "must be two numbers"),
        ({"a": ("1", "2")}, "must be two numbers"),
        ({"a": (True, 1.0)}, "must be two numbers"),
        ({"a": (np.nan, 1.0)}, "must be finite and its standard error positive"),
        ({"a": (1.0, 0.0)}, "must be finite and its standard error positive"),
        ({"a": (1.0, np.inf)}, "must be finite and its standard error positive"),
    ],
)
def test_answers_are_checked(released, answer, message):
    with pytest.raises(cf.HarmError, match=f"'mine' on the source file.*{message}"):
        cf.model_disclosure(released, cf.GivenModel(lambda data: answer, "mine"))


def test_faults_of_the_function_say_where_they_happened(released):
    def fails(data):
        if data.n == 50:
            raise ZeroDivisionError
        return {"a": (np.float32(1), np.int64(1))}

    with pytest.raises(ZeroDivisionError) as error:
        cf.model_disclosure(released, cf.GivenModel(fails, "mine"))
    assert error.value.__notes__ == ["while fitting 'mine' to the released file"]
    with pytest.raises(cf.HarmError, match="takes a function of a file, found str"):
        cf.GivenModel("income ~ age")
    with pytest.raises(cf.HarmError, match="weights=True is for formulas"):
        cf.model_disclosure(released, cf.GivenModel(mean_age), weights=True)
