"""Harm to targets from a register: true values are those of the source file; what nobody knows is undefined, never none."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.plan.limits import exceeded
from confide.plan.plan import Limits

N = 120
ILL = cf.Harm("ill", cf.Outcomes(tt=10.0, ft=4.0, tf=1.0), acts=0.1, name="ill")
PAY = cf.Harm("pay", cf.AmountCosts(cf.Close(0.1)), acts=0.1, name="pay")
GIVEN = cf.Harm("ill", cf.AssignedTo("flu"), acts=0.1, name="assigned")
LIMITS = Limits(harms=(("ill", 1e9), ("pay", 1e9), ("assigned", 1e9)))


def people() -> cf.Microdata:
    rng = np.random.default_rng(6)
    columns = {
        "pid": [f"p{i}" for i in range(N)],
        "age": rng.integers(20, 60, N).tolist(),
        "sex": rng.choice(["f", "m"], N).tolist(),
        "ill": rng.choice(["flu", "cold", "well"], N).tolist(),
        "pay": np.round(rng.lognormal(8, 0.5, N)).tolist(),
    }
    return cf.Microdata.from_dict(columns).declare(identifier="pid", kinds={"age": "integer", "pay": "continuous"})


RELEASED = cf.Release(cf.Swap("sex", rate=0.1)).apply(people(), seed=1)
INTRUDER = cf.Intruder(knows=["age", "sex"], name="clerk")


def register(rows=range(N), *, ill=None, pay=None, more=0, leave=()) -> cf.Microdata:
    data, rows = people(), list(rows)
    columns = {n: [data.columns[n].values()[i] for i in rows] for n in data.names}
    for name, value in (("ill", ill), ("pay", pay)):
        columns[name] = [value] * len(rows)
    for k in range(more):
        for name, value in (("pid", f"z{k}"), ("age", 30), ("sex", "f"), ("ill", None), ("pay", None)):
            columns[name].append(value)
    kept = {n: v for n, v in columns.items() if n not in leave}
    kinds = {n: k for n, k in (("age", "integer"), ("pay", "continuous")) if n in kept}
    return cf.Microdata.from_dict(kept).declare(kinds=kinds)


def harmed(targets) -> cf.Assessment:
    return cf.assess(RELEASED, INTRUDER, targets, harms=[ILL, PAY, GIVEN])


@pytest.mark.parametrize("wrong", [{}, {"ill": "cold", "pay": 1.0}, {"leave": ("ill", "pay")}])
def test_harm_was_none_where_the_register_is_silent_or_wrong_about_the_sensitive_value(wrong):
    truth = harmed(cf.Targets.all())
    found = harmed(cf.Targets.of_records(register(**wrong), id="pid"))
    for name in ("ill", "pay", "assigned"):
        assert found.row(0).harm(name).total == pytest.approx(truth.row(0).harm(name).total)
        assert found.row(0).harm(name).total > 0
    assert exceeded(LIMITS, found) == ()


def test_harm_was_none_where_nobody_knows_the_sensitive_value():
    found = harmed(cf.Targets.of_records(register()))
    for name in ("ill", "pay", "assigned"):
        harm = found.row(0).harm(name)
        assert (harm.total, harm.mean, harm.worst, harm.bearers, harm.is_defined) == (None, None, None, None, False)
        assert np.isnan(harm.per_target[harm.linked]).all()
        assert set(harm.per_target[~harm.linked]) <= {0.0}
        assert set(list(harm.outcomes.values())[1:]) == {None}
        assert f"is not known for {int(harm.linked.sum())} of 120 targets to whom a record is linked" in harm.reason
        assert harm.to_frame()["inferred"].null_count() == harm.linked.sum()
    lines = exceeded(LIMITS, found)
    assert len(lines) == 3
    assert all("is undefined, so that its limit cannot be held" in line for line in lines)
    assert "A dash, pay: " in repr(found)


def test_harm_to_strangers_without_a_known_value_was_none():
    found = harmed(cf.Targets.of_records(register(more=2), id="pid")).row(0).harm("ill")
    assert found.total is None
    assert np.isnan(found.per_target).sum() == found.untold == 2
    told = harmed(cf.Targets.all()).row(0).harm("ill")
    assert found.per_target[:N].tolist() == pytest.approx(told.per_target.tolist())


def test_respondents_who_confided_nothing_bear_no_harm_as_before():
    blank = people().column("ill").values()
    data = people().with_columns({"ill": cf.Column.of_labels([None, None, *blank[2:]])})
    released = cf.Release().apply(data, seed=1)
    found = cf.assess(released, INTRUDER, harms=ILL).row(0).harm("ill")
    assert found.is_defined
    assert found.per_target[:2].tolist() == [0.0, 0.0]


def test_a_register_without_the_sensitive_variable_and_without_an_id_is_an_error():
    with pytest.raises(cf.HarmError, match="found by an id"):
        harmed(cf.Targets.of_records(register(leave=("ill", "pay"))))


def test_what_was_learned_of_strangers_without_a_known_value_was_counted_as_nothing():
    links = cf.link(RELEASED, INTRUDER, cf.Targets.of_records(register(more=2), id="pid"))
    found = cf.inferential_disclosure(links, "ill")
    assert np.isnan(found.after).sum() == 2
    assert "2 targets have no known value" in repr(found)
