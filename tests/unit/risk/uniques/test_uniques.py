"""Minimal, sample and special uniques, SUDA and DIS: small files by hand, and the cases at the edge."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.risk.uniques import search

HOLES = {"sex": ["f", "f", "m", None], "job": ["cook", "vet", "cook", "vet"]}


def file(**columns):
    data = cf.Microdata.from_dict({name: ["-"] * len(values) for name, values in columns.items()})
    return data.with_columns({name: cf.Column.of_labels(values) for name, values in columns.items()})


def test_an_empty_file_is_refused():
    data = cf.Microdata.from_dict({"sex": ["f"], "job": ["cook"]}).take(np.array([], dtype=np.int64))
    for count in (cf.minimal_uniques, cf.suda, cf.sample_uniques, cf.special_uniques):
        with pytest.raises(cf.DataError, match="has no records"):
            count(data, ["sex", "job"])


def test_a_single_record_is_unique_on_every_key():
    data = file(sex=["f"], job=["cook"], age=["old"])
    found = cf.dis_suda(data, ["sex", "job", "age"], 0.5)
    assert found.scores.found.of(0) == [("sex",), ("job",), ("age",)]
    assert found.scores.per_record.tolist() == [6.0]
    assert (found.per_record.tolist(), found.dis) == ([1.0], 1.0)
    assert cf.special_uniques(data, ["sex", "job"]).count == 1


def test_when_all_records_are_equal_none_is_found():
    data = file(sex=["f"] * 3, job=["cook"] * 3)
    found = cf.dis_suda(data, ["sex", "job"], 0.1)
    assert found.scores.found.sets.size == 0
    assert found.per_record.tolist() == [0.0] * 3
    assert found.scores.found.value == found.scores.value == 0
    with pytest.raises(cf.IntruderError, match="no record has a score"):
        found.scores.contributions()
    with pytest.raises(cf.IntruderError, match="nothing tells how often"):
        _ = found.dis
    assert cf.special_uniques(data, ["sex", "job"]).value == 0


def test_one_key():
    data = file(sex=["f", "f", "m"])
    found = cf.suda(data, "sex")
    assert [found.found.of(i) for i in range(3)] == [[], [], [("sex",)]]
    assert found.per_record.tolist() == [0, 0, 1]
    assert found.contributions() == {"sex": 100.0}
    with pytest.raises(cf.DeclarationError, match="name at least two"):
        cf.special_uniques(data, "sex")


def test_a_key_with_one_level_tells_nobody_apart():
    data = file(sex=["f"] * 3, job=["cook", "cook", "vet"])
    found = cf.minimal_uniques(data, ["sex", "job"])
    assert [found.of(i) for i in range(3)] == [[], [], [("job",)]]
    assert cf.suda(data, ["sex", "job"]).contributions() == {"sex": 0.0, "job": 100.0}


def test_a_missing_value_as_a_level_and_as_a_wildcard():
    data = file(**HOLES)
    level = cf.minimal_uniques(data, ["sex", "job"])
    assert [level.of(i) for i in range(4)] == [[("sex", "job")], [("sex", "job")], [("sex",)], [("sex",)]]
    wild = cf.minimal_uniques(data, ["sex", "job"], missing=cf.MissingAsWildcard())
    # the vet without a sex may be either of two: nobody is then alone with a sex, nor the vets with both
    assert [wild.of(i) for i in range(4)] == [[("sex", "job")], [], [("sex", "job")], []]
    assert (wild.uniques, wild.pairs) == (2, 2)
    with pytest.raises(cf.IntruderError, match="share=0.5; take share=1"):
        cf.minimal_uniques(data, ["sex", "job"], missing=cf.MissingAsWildcard(0.5))


def test_wildcards_without_missing_values_are_levels():
    data = file(sex=["f", "f", "m"], job=["cook", "vet", "vet"])
    found = [cf.suda(data, ["sex", "job"], missing=m) for m in (cf.MissingAsLevel(), cf.MissingAsWildcard())]
    assert found[0].per_record.tolist() == found[1].per_record.tolist() == [1, 1, 1]


def test_scores_of_a_search_that_stops_early():
    """(M - k) ... (M - m): for M = 4 keys and sets of at most m = 2 of them, 3 times 2 and 2."""
    assert cf.ElliotScore().weights(4, 4).tolist() == [0, 6, 2, 1, 1]
    assert cf.ElliotScore().weights(4, 2).tolist() == [0, 6, 2, 0, 0]
    assert cf.ElliotScore().weights(5, 2).tolist() == [0, 12, 3, 0, 0, 0]
    assert cf.SupersetScore().weights(4, 1).tolist() == [0, 7 / 4, 0, 0, 0]
    data = file(a=list("xyyy"), b=list("pqqr"), c=list("1122"))
    assert cf.suda(data, ["a", "b", "c"], max_size=1).per_record.tolist() == [4, 0, 0, 2]


def test_dis_by_hand():
    """One unique, one pair, p = 0.2: .2 / (.2 + .8 2); the only score gets the same odds."""
    data = file(sex=["f", "m", "m"], job=["vet"] * 3)
    found = cf.dis_suda(data, ["sex", "job"], 0.2)
    assert found.dis == pytest.approx(0.2 / 1.8)
    assert found.per_record == pytest.approx([0.2 / 1.8, 0, 0])
    assert (found.value, found.highest) == (found.average, found.per_record[0])
    assert "1 unique, 2 in pairs, sampling fraction 0.2" in repr(found)


def test_a_sampling_fraction_from_weights():
    data = cf.Microdata.from_dict({"sex": ["f", "m", "m"], "w": [5.0, 5.0, 5.0]}).declare(weight="w")
    assert cf.dis_suda(data, "sex").fraction == 0.2
    assert cf.dis_suda(data, "sex", 1.0).per_record.tolist() == [1, 0, 0]
    with pytest.raises(cf.DeclarationError, match="no survey weight"):
        cf.dis_suda(file(sex=["f"]), "sex")
    for wrong in (0, -1, 1.5, float("nan")):
        with pytest.raises(cf.IntruderError, match="above 0 and at most 1"):
            cf.dis_suda(data, "sex", wrong)
    light = cf.Microdata.from_dict({"sex": ["f", "m"], "w": [0.5, 0.5]}).declare(weight="w")
    with pytest.raises(cf.IntruderError, match="fewer people than records; give fraction="):
        cf.dis_suda(light, "sex")


def test_questions_that_make_no_sense_are_refused():
    data = file(sex=["f", "m"], job=["cook", "vet"])
    for wrong in (0, 3):
        with pytest.raises(cf.IntruderError, match=f"from 1 to 2, found {wrong}"):
            cf.minimal_uniques(data, ["sex", "job"], max_size=wrong)
    with pytest.raises(cf.IntruderError, match="numbered from 0 to 1"):
        cf.minimal_uniques(data, ["sex", "job"]).of(2)
    with pytest.raises(cf.DeclarationError, match="did you mean 'sex'"):
        cf.suda(data, ["sax"])


def test_too_many_sets_are_refused_with_what_they_cost():
    names = [f"k{i}" for i in range(40)]
    data = file(**{name: ["a", "b", "a", "b"] for name in names})
    with pytest.raises(cf.IntruderError, match=r"40 keys have 1,099,511,627,775 sets .* more than 1e\+11; max_size=11 t"):
        cf.minimal_uniques(data, names)
    assert cf.minimal_uniques(data, names, max_size=3).sets.size == 0
    more = file(**{f"k{i}": ["a", "b"] for i in range(63)})
    with pytest.raises(cf.IntruderError, match="63 keys were asked for; at most 62"):
        cf.minimal_uniques(more, list(more.names), max_size=1)
    with pytest.raises(cf.IntruderError, match="name fewer keys"):
        search.check_work(40, 3, 10**11, 10**11)


def test_more_sets_than_there_is_room_for_are_refused(monkeypatch):
    monkeypatch.setattr(search, "most_sets", lambda: 3)
    data = file(**{f"k{i}": list("abcdef") for i in range(3)})
    with pytest.raises(cf.IntruderError, match="more than 3 minimal sets"):
        cf.minimal_uniques(data, list(data.names))


def test_sets_of_more_than_thirty_keys():
    names = [f"k{i}" for i in range(40)]
    data = file(**{name: ["a", "a", "b" if i == 39 else "a", "a"] for i, name in enumerate(names)})
    found = cf.minimal_uniques(data, names, max_size=2)
    assert found.of(2) == [("k39",)]
    assert found.value == 0.25


def test_results_say_what_they_found():
    data = file(sex=["f", "f", "m", "m"], job=["cook", "vet", "cook", "cook"])
    found = cf.suda(data, ["sex", "job"])
    assert repr(found.found) == (
        "MinimalUniques(4 records, 2 unique on sex, job; 2 minimal sets: 1 of 1, 1 of 2; missing is a level of its own)"
    )
    assert repr(found) == "SudaScores(4 records, Elliot's scores of sex, job; 2 have a score, mean 0.5, highest 1)"
    assert repr(cf.special_uniques(data, ["sex", "job"])) == "SpecialUniques(1 of 4 records)"


def test_a_released_file_is_taken_as_a_source_file():
    data = cf.Microdata.from_dict({"sex": ["f", "f", "m"], "job": ["cook", "vet", "vet"]})
    released = cf.Release(cf.Drop("job")).apply(data, seed=1)
    assert cf.suda(released, "sex").per_record.tolist() == [0, 0, 1]
