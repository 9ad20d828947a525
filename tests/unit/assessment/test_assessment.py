"""What users read off an assessment."""

from __future__ import annotations

import json

import numpy as np
import pytest

import confide as cf


@pytest.fixture(scope="module")
def data() -> cf.Microdata:
    rng = np.random.default_rng(4)
    n = 300
    return cf.Microdata.from_dict(
        {
            "sex": rng.choice(["f", "m"], n).tolist(),
            "region": rng.choice([f"r{k}" for k in range(8)], n, p=[0.3, 0.3, 0.2, 0.15, 0.02, 0.01, 0.01, 0.01]).tolist(),
            "age": rng.integers(18, 90, n).tolist(),
            "tax": rng.lognormal(6, 1, n).tolist(),
        }
    ).declare(kinds={"age": "integer", "tax": "continuous"}, sensitive="tax")


@pytest.fixture(scope="module")
def assessment(data: cf.Microdata) -> cf.Assessment:
    files = [
        cf.Release(name="plain").apply(data, seed=1),
        cf.Release(cf.Recode("age", width=10), cf.Swap("region", rate=0.3), name="masked").apply(data, seed=1),
    ]
    return cf.assess(
        files, [cf.Intruder(knows=["sex", "age", "region"], name="A"), cf.Intruder(knows=["sex", "age"], name="B")]
    )


def test_one_row_per_release_and_intruder(assessment: cf.Assessment) -> None:
    frame = assessment.to_frame()
    assert frame["release"].to_list() == ["plain", "plain", "masked", "masked"]
    assert frame["intruder"].to_list() == ["A", "B", "A", "B"]
    assert frame["targets"].to_list() == [300] * 4
    assert assessment.scenario("masked", "B") is assessment.row(3)
    assert frame["expected_matches"].to_list() == [s.expected_matches for s in assessment.scenarios]


def test_unknown_rows_scenarios_and_measures_are_named(assessment: cf.Assessment) -> None:
    with pytest.raises(cf.UserMistake, match="row 4"):
        assessment.row(4)
    with pytest.raises(cf.UserMistake, match="scenario"):
        assessment.scenario("maskd", "B")
    with pytest.raises(cf.UserMistake, match="measure"):
        assessment.row(0).value("expected")


def test_per_record_adds_up_and_holds_no_values(assessment: cf.Assessment) -> None:
    for scenario in assessment.scenarios:
        frame = scenario.per_record()
        assert frame.height == 300
        assert frame["expected_matches"].sum() == pytest.approx(scenario.expected_matches)
        assert frame["unique_matches"].sum() == scenario.unique_matches
        assert not {"sex", "age", "region", "tax"} & set(frame.columns)


@pytest.mark.parametrize("variable", ["sex", "region", "age", "tax"])
def test_by_adds_up_and_hides_small_groups(assessment: cf.Assessment, variable: str) -> None:
    scenario = assessment.row(0)
    frame = scenario.by(variable)
    assert frame["targets"].sum() == 300
    assert frame["expected_matches"].sum() == pytest.approx(scenario.expected_matches)
    named = [n for n in frame[variable].to_list() if "groups below" not in n]
    assert all(t >= 10 for n, t in zip(frame[variable].to_list(), frame["targets"].to_list(), strict=True) if n in named)
    assert frame.height <= 12


def test_by_names_unknown_variables(assessment: cf.Assessment) -> None:
    with pytest.raises(cf.UserMistake, match="sexx"):
        assessment.row(0).by("sexx")


def test_json_says_what_was_assumed_and_holds_no_values(assessment: cf.Assessment, data: cf.Microdata) -> None:
    text = assessment.to_json()
    found = json.loads(text)["scenarios"]
    assert len(found) == 4
    done = ["recode age in intervals of width 10", "swap region for 0.3 of the records"]
    assert found[2]["masking"] == [*done, "reproducible: not for publication"]
    assert any("knows that the target is in the released file" in line for line in found[0]["assumptions"])
    assert found[0]["target_groups"] == ["all respondents"]
    assert not any(str(x) in text for x in data.column("tax").values())


def test_repr_shows_the_table(assessment: cf.Assessment) -> None:
    text = repr(assessment)
    assert "random guess" in text
    assert "Expected matches" in text
    assert all(name in text for name in ("plain", "masked"))


@pytest.mark.parametrize("measure", [cf.UniqueMatches(), cf.PerceivedIdentifications(0.5), cf.FalseMatchRate()])
def test_repr_with_other_measures(data: cf.Microdata, measure: object) -> None:
    found = cf.assess(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"]), measures=[measure])
    assert measure.title in repr(found)
    assert json.loads(found.to_json())


def test_repr_of_a_row_marks_the_own_record(data: cf.Microdata) -> None:
    row = cf.link(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex", "age", "region", "tax"])).row(5)
    text = repr(row)
    assert "<- the target's own" in text
    assert "null link" in text
    assert "0 others are at least as probable" in text
    assert row.candidates() == [(5, 1.0)]


@pytest.mark.parametrize("threshold", [-0.1, 1.0, 1.3])
def test_thresholds_are_probabilities(data: cf.Microdata, threshold: float) -> None:
    with pytest.raises(cf.UserMistake, match="threshold"):
        cf.assess(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"]), threshold=threshold)


def test_contradicted_targets_are_counted_and_said() -> None:
    source, masked = (cf.Microdata.from_dict({"r": list(x)}) for x in ("abc", "aaa"))
    found = cf.assess(
        cf.Released.from_files(source, masked, same_order=True), cf.Intruder(knows=["r"], understands_masking=False)
    )
    assert found.row(0).contradicted == 2
    assert "fit no released record" in repr(found)
    assert found.row(0).expected_matches == pytest.approx(1 / 3)


def test_undefined_false_match_rate_is_none() -> None:
    source = cf.Microdata.from_dict({"r": ["a", "a"]})
    found = cf.assess(cf.Release().apply(source, seed=1), cf.Intruder(knows=["r"]))
    assert found.row(0).value("false_match_rate") is None
    assert found.to_frame()["false_match_rate"].to_list() == [None]
