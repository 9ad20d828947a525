"""Classical measures as rows of an assessment."""

from __future__ import annotations

import json

import numpy as np
import pytest

import confide as cf
from confide.errors import DeclarationError, IntruderError, ModelError
from confide.report.html import render

CALLS: list[tuple[str, ...]] = []


def source():
    data = {"sex": ["f", "f", "m", "m", "m"], "age": [30, 30, 41, 42, 42], "ill": ["a", "b", "a", "a", "b"]}
    return cf.Microdata.from_dict(data).declare(kinds={"age": "integer"})


def assessment(*measures, knows=(["sex"], ["sex", "age"])):
    data = source()
    releases = [
        cf.Release(name="plain").apply(data, seed=1),
        cf.Release(cf.Recode("age", width=10), name="groups").apply(data, seed=1),
    ]
    return cf.assess(releases, [cf.Intruder(knows=k) for k in knows], file_measures=measures)


def counted(released, keys):
    CALLS.append(keys)
    return cf.k_anonymity(released, keys)


def fails(released, keys):
    raise ModelError("the model cannot be fitted: no record is unique")


def test_figures_of_every_release_and_intruder():
    found = assessment(
        cf.FileMeasure(cf.k_anonymity), cf.FileMeasure(cf.prosecutor_risk), cf.FileMeasure(cf.l_diversity, sensitive="ill")
    )
    assert [s.file_measure("k_anonymity").value for s in found.scenarios] == [2, 1, 2, 2]
    assert [s.file_measure("prosecutor_risk").value for s in found.scenarios] == [0.5, 1.0, 0.5, 0.5]
    assert [s.file_measure("l_diversity").value for s in found.scenarios] == [2, 1, 2, 2]
    assert found.row(1).file_measure("k_anonymity").worst == (1.0, 1)
    assert found.row(1).per_released_record()["k_anonymity"].to_list() == [2, 2, 1, 2, 2]
    assert found.to_frame()["prosecutor_risk"].to_list() == [0.5, 1.0, 0.5, 0.5]
    first = json.loads(found.to_json())["scenarios"][1]["file_measures"][0]
    assert first == {
        "name": "k_anonymity", "keys": ["sex", "age"], "value": 1.0, "larger_is_riskier": False,
        "riskiest_record": 1.0, "records_as_risky": 1, "reason": None,
    }  # fmt: skip
    assert "k-anonymity" in repr(found)


def test_a_measure_is_taken_once_for_all_intruders_with_the_same_keys():
    CALLS.clear()
    assessment(cf.FileMeasure(counted), knows=(["sex"], ["sex"], ["age"]))
    assert CALLS == [("sex",), ("age",)] * 2
    CALLS.clear()
    assessment(cf.FileMeasure(counted, "age"))
    assert CALLS == [("age",)] * 2


def test_a_dropped_variable_is_no_key():
    dropped = cf.Release(cf.Drop(["age"])).apply(source(), seed=1)
    known = cf.Intruder(knows=["sex", "age"], understands_masking=True)
    found = cf.FileMeasure(cf.k_anonymity).of(dropped, known.variables)
    assert found.keys == ("sex",)
    with pytest.raises(DeclarationError, match="has no variable that is known; name some with keys"):
        cf.FileMeasure(cf.k_anonymity).of(dropped, ["age"])


def test_a_model_that_cannot_be_fitted_gives_its_reason_and_no_number():
    found = assessment(cf.FileMeasure(fails), cf.FileMeasure(cf.k_anonymity))
    assert found.row(0).file_measure("fails").value is None
    assert found.to_frame()["fails"].to_list() == [None] * 4
    assert "fails of 'plain' has no figure: the model cannot be fitted: no record is unique" in repr(found)
    assert "No figure for plain: the model cannot be fitted" in render(found)


def test_the_report_shows_the_measures_and_no_values():
    page = render(
        assessment(cf.FileMeasure(cf.k_anonymity), cf.FileMeasure(cf.l_diversity, sensitive="ill", name="l of ill"))
    )
    assert "Classical measures" in page
    assert "A smaller figure is riskier." in page
    assert "l of ill" in page
    assert "Classical measures" not in render(assessment())


def test_mistakes():
    with pytest.raises(IntruderError, match="several file measures are called 'k_anonymity'; give each a name"):
        assessment(cf.FileMeasure(cf.k_anonymity), cf.FileMeasure(cf.k_anonymity))
    with pytest.raises(IntruderError, match="assess takes file_measures=FileMeasure"):
        assessment(cf.k_anonymity)
    with pytest.raises(IntruderError, match="needs a function, such as k_anonymity; found str"):
        cf.FileMeasure("k_anonymity")
    with pytest.raises(IntruderError, match="has no name; give name="):
        cf.FileMeasure(lambda released, _: cf.k_anonymity(released))
    with pytest.raises(IntruderError, match="'l_diversity': missing a required argument: 'sensitive'"):
        cf.FileMeasure(cf.l_diversity, sensitiv="ill")
    with pytest.raises(DeclarationError, match="there is no variable 'sx'"):
        assessment(cf.FileMeasure(cf.k_anonymity, "sx"))
    with pytest.raises(DeclarationError, match="a measure gives an object with name, title"):
        assessment(cf.FileMeasure(lambda released, keys: 0.5, name="half"))
    with pytest.raises(IntruderError, match="there is no file measure 'k'"):
        assessment(cf.FileMeasure(cf.k_anonymity)).row(0).file_measure("k")


def test_a_declared_measure_does_not_change():
    with pytest.raises(AttributeError):
        cf.FileMeasure(cf.k_anonymity).name = "other"
    assert repr(cf.FileMeasure(cf.k_anonymity, ["sex", "age"])) == "FileMeasure(k_anonymity of sex, age)"


def test_an_undefined_figure_is_no_figure():
    data = cf.Microdata.from_dict({"x": [1.5, 2.5]})
    masked = cf.Microdata.from_dict({"x": [float("nan"), float("nan")]}).declare(kinds={"x": "continuous"})
    released = cf.Released.from_files(data, masked, same_order=True)
    found = cf.FileMeasure(cf.interval_disclosure, "x", around=cf.RankWidth(10)).of(released)
    assert found.value is None
    assert found.reason == "it is undefined for this file"
    assert found.exceeds(0.0)  # unknown is never safe


def test_recoded_and_topcoded_variables_are_linked_in_the_same_codes():
    data = cf.Microdata.from_dict({"age": [23, 27, 41, 58], "tax": [5, 10, 900, 901]}).declare(
        kinds={"age": "integer", "tax": "integer"}
    )
    grouped = cf.Release(cf.Recode("age", width=10)).apply(data, seed=1)
    assert cf.distance_linkage(grouped, "age").correct.tolist() == [0.5, 0.5, 1.0, 1.0]
    topcoded = cf.Release(cf.Topcode("tax", at=100)).apply(data, seed=1)
    assert cf.distance_linkage(topcoded, "tax").correct.tolist() == [1.0, 1.0, 0.5, 0.5]
    mapped = cf.Microdata.from_dict({"race": ["w", "b", "o"]})
    joined = cf.Release(cf.Recode("race", mapping={"w": "w", "b": "other", "o": "other"})).apply(mapped, seed=1)
    assert np.allclose(cf.distance_linkage(joined, "race").correct, [1.0, 0.5, 0.5])
    assert cf.coincidence_vectors(joined, ["race"]).matched == {"1": 3}
