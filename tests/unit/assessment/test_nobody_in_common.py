"""Files that have nobody, or few, in common: what was scored as safe is an error, or stands on page one."""

from __future__ import annotations

import json

import numpy as np
import pytest

import confide as cf
from confide.report.html import render

N = 40


def people(prefix="p") -> cf.Microdata:
    columns = {"pid": [f"{prefix}{i}" for i in range(N)], "age": list(range(20, 20 + N)), "ill": ["a", "b"] * (N // 2)}
    return cf.Microdata.from_dict(columns).declare(identifier="pid", kinds={"age": "integer"})


RELEASED = cf.Release().apply(people(), seed=1)
INTRUDER = cf.Intruder(knows=["age"], name="clerk")


@pytest.mark.parametrize(
    ("prefix", "hint"),
    [("q", "is among its 40. Write"), ("P", "40 would be without leading"), ("00p", "40 would be without leading zeros")],
)
def test_targets_none_of_whose_ids_are_in_the_source_scored_zero(prefix, hint):
    with pytest.raises(cf.IntruderError, match="was to find 40 targets from elsewhere in the source") as error:
        cf.assess(RELEASED, INTRUDER, cf.Targets.of_records(people(prefix), id="pid"))
    assert hint in str(error.value)
    assert "leave id out: true matches are then undefined" in str(error.value)
    assert "q1" not in str(error.value)


def mixed(known: int) -> cf.Microdata:
    names = [f"p{i}" if i < known else f"z{i}" for i in range(N)]
    return people().with_columns({"pid": cf.Column.of_labels(names)})


def test_few_ids_in_common_were_not_noticed():
    found = cf.assess(RELEASED, INTRUDER, [cf.Targets.all(), cf.Targets.of_records(mixed(19), id="pid")])
    (note,) = found.row(0).truth_notes
    assert note.startswith("only 19 of 40 targets from elsewhere have an id (pid) that the source file has")
    assert "Only 19 of 40 targets" in repr(found)
    assert json.loads(found.to_json())["scenarios"][0]["truth_notes"] == [note]
    assert "Only 19 of 40 targets" in render(found)
    enough = cf.assess(RELEASED, INTRUDER, cf.Targets.of_records(mixed(20), id="pid"))
    assert enough.row(0).truth_notes[0].startswith("20 of 40 targets from elsewhere have an id (pid)")
    assert cf.assess(RELEASED, INTRUDER, cf.Targets.of_records(people(), id="pid")).row(0).truth_notes == ()


def test_a_released_file_of_nobodys_records_scored_zero():
    nobodys = cf.Released.from_files(people(), RELEASED.data, parent=[-1] * N, name="bought")
    with pytest.raises(cf.ReleaseError, match="no record of 'bought' has a row in the source file"):
        cf.assess(nobodys, INTRUDER)
    few = cf.Released.from_files(people(), RELEASED.data, parent=[*range(10), *[-1] * 30], name="bought")
    found = cf.assess([few, RELEASED], INTRUDER)
    assert found.row(0).truth_notes[0].startswith("only 10 of 40 released records have a row in the source file")
    assert found.row(1).truth_notes == ()
    assert "bought: only 10 of 40 released records" in repr(found)


def test_a_released_file_with_ids_of_other_people_was_taken_for_the_source_in_order():
    with pytest.raises(cf.ReleaseError, match="'pid', and none of its 40 values in the released file is in the source file"):
        cf.Released.from_files(people(), people("q"), same_order=True)


def test_a_released_file_in_another_order_had_no_right_links_though_its_ids_said_so():
    order = np.random.default_rng(3).permutation(N)
    shuffled = people().take(order)
    wrong = int(np.sum(order != np.arange(N)))
    with pytest.raises(cf.ReleaseError, match=f"{wrong} of 40 released records belong to another source row than said"):
        cf.Released.from_files(people(), shuffled, same_order=True)
    right = cf.Released.from_files(people(), shuffled, parent=order.tolist())
    assert cf.assess(right, INTRUDER).row(0).expected_matches == N
    assert cf.Released.from_files(people(), shuffled.without(["pid"]), same_order=True).data.n == N


def test_names_that_several_people_share_say_nothing_about_the_order():
    ours = cf.Microdata.from_dict({"name": ["ann", "ann", "bo", "cy"], "age": [1, 2, 3, 4]}).declare(identifier="name")
    theirs = cf.Microdata.from_dict({"name": ["ann", "bo", "bo", "cy"], "age": [1, 2, 3, 4]})
    assert cf.Released.from_files(ours, theirs, same_order=True).parent.tolist() == [0, 1, 2, 3]
