"""Several intruders."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import confide as cf

DATA = cf.Microdata.from_dict({"sex": ["m", "f", "f", "m"], "age": [1, 1, 2, 2], "hiv": ["yes", "no", "no", "yes"]}).declare(
    kinds={"age": "integer"}
)
HARM = cf.Harm("hiv", cf.Outcomes(tt=8.0, ft=4.0, ff=1.0), acts=0.3)


def test_mixture_and_worst_case_of_an_assessment():
    near = cf.Intruder(knows=["sex", "age"], name="near")
    far = cf.Intruder(knows=["sex"], name="far")
    found = cf.assess(cf.Release(name="as is").apply(DATA, seed=1), [near, far], harms=[HARM])
    near_harm, far_harm = found.scenario("as is", "near").harm("hiv"), found.scenario("as is", "far").harm("hiv")
    assert near_harm.total == 32.0
    assert far_harm.per_target.tolist() == [6.0, 6.0, 6.0, 6.0]
    over = found.over_intruders({"near": 0.25, "far": 0.5})["as is", "hiv"]
    assert over.expected == pytest.approx(0.25 * 32 + 0.5 * 24)
    assert over.worst == "near"
    assert over.worst_total == 32.0
    assert over.worst_for_each == 32.0
    assert over.bearers.total == pytest.approx(over.expected)
    assert "fewer than 10" in repr(over)
    assert found.to_frame()["harm hiv"].to_list() == [None, None]
    assert "harm (a loss)" in repr(found)
    assert found.row(0).per_record()["harm hiv"].to_list() == [8.0] * 4
    assert found.row(1).by("sex", smallest=1)["harm hiv"].to_list() == [None, None]
    assert '"total": null' in found.to_json()


def test_sums_of_enough_respondents_are_told_on_a_step():
    data = DATA.take(np.tile(np.arange(4), 10))
    near, far = (cf.Intruder(knows=k, name=n) for k, n in ((["sex", "age"], "near"), (["sex"], "far")))
    harm = cf.Harm("hiv", HARM.costs, acts=0.0)
    found = cf.assess(cf.Release(name="as is").apply(data, seed=1), [near, far], harms=harm)
    over = found.over_intruders({"near": 0.25, "far": 0.5})["as is", HARM.title]
    assert "nobody tries" in repr(over)
    for s in found.scenarios:
        exact, told = s.harm("hiv").total, s.harm("hiv").told
        assert exact <= told.total < exact + told.step
        assert told.total % told.step == 0
    told = [s.harm("hiv").told for s in found.scenarios]
    assert found.to_frame()["harm hiv"].to_list() == [t.total for t in told]
    assert found.to_frame()["no_harm_above hiv"].to_list() == [t.step for t in told]
    assert [h["harms"][0]["rounded_to"] for h in json.loads(found.to_json())["scenarios"]] == [t.step for t in told]


def test_targets_in_groups_are_put_together():
    intruder = cf.Intruder(knows=["sex", "age"])
    released = cf.Release().apply(DATA, seed=1)
    groups = [cf.Targets.of_rows([0, 1]), cf.Targets.of_rows([3])]
    found = cf.assess(released, intruder, groups, harms=HARM).row(0).harm("hiv")
    assert found.per_target.tolist() == [8.0, 8.0, 8.0]
    assert found.outcomes["true re-identification, inferred correctly"] == 3.0


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: cf.over_intruders({}, {}), "no intruder"),
        (lambda: cf.over_intruders({"a": np.ones(2)}, {"b": 1.0}), "one for each intruder"),
        (lambda: cf.over_intruders({"a": np.ones(2)}, {"a": 1.5}), "sum to one at most"),
        (lambda: cf.over_intruders({"a": np.ones(2)}, {"a": -0.5}), "sum to one at most"),
        (lambda: cf.over_intruders({"a": np.ones(2), "b": np.ones(3)}, {"a": 0.5, "b": 0.5}), "different numbers"),
        (
            lambda: cf.assess(cf.Release().apply(DATA, seed=1), cf.Intruder(knows=["sex"])).over_intruders({}),
            "no harm was assessed",
        ),
        (lambda: cf.assess(cf.Release().apply(DATA, seed=1), cf.Intruder(knows=["sex"]), harms=[HARM, HARM]), "give each"),
        (lambda: cf.assess(cf.Release().apply(DATA, seed=1), cf.Intruder(knows=["sex"]), harms=[3]), "takes harms"),
        (lambda: cf.assess(cf.Release().apply(DATA, seed=1), cf.Intruder(knows=["sex"])).row(0).harm("x"), "no harm 'x'"),
    ],
)
def test_mistakes(call, says):
    with pytest.raises(cf.HarmError, match=says):
        call()


def test_a_single_loss_is_not_told():
    """Two digits of the largest loss told half of the richest respondent's debt."""
    debts = [1000.0, 38765.0]
    costs = cf.AmountCosts(cf.Threshold(5_000, loss=38_765.0))
    for more in (0, 10):
        data = cf.Microdata.from_dict({"sex": ["m", "m"] + ["f"] * more, "debt": debts + [1.5] * more})
        found = cf.assess(
            cf.Release().apply(data.declare(kinds={"debt": "continuous"}), seed=1),
            cf.Intruder(knows=["sex"]),
            harms=cf.Harm("debt", costs, acts=0.0),
        )
        harmed = found.row(0).harm("debt")
        assert harmed.worst == pytest.approx(38_765 / 2)
        assert found.to_frame()["no_harm_above debt"].to_list() == [50_000 if more else None]
        for text in (found.to_json(), repr(found), repr(harmed), repr(harmed.bearers)):
            assert "19" not in re.sub(r"\d+\.\d+|\"date.*", "", text).replace("2019", "")
            assert ("50,000" in text or "50000" in text) == bool(more)
