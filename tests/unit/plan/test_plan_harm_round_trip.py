"""Every form of a harm is written as TOML and read again, and gives the objects that were meant."""

import pytest

import confide as cf
from confide.plan.dump import plan_to_toml
from confide.plan.load import parse_plan
from unit.plan.plans import DATA, RELEASE

HEAD = DATA + RELEASE + '[[intruder]]\nname = "neighbour"\nknows = ["age"]\nlikelihood = 0.25\n[[harm]]\n'
COSTS = {
    '{ cost = "Outcomes", tt = 10, tf = 6.5, ft = 3, ff = 5, tn = 2, fn = 1 }': cf.Outcomes(
        tt=10.0, tf=6.5, ft=3.0, ff=5.0, tn=2.0, fn=1.0
    ),
    '{ cost = "Outcomes" }': cf.Outcomes(),
    '{ cost = "Outcomes", tt = 0 }': cf.Outcomes(tt=0.0),
    '{ cost = "AssignedTo", level = "m" }': cf.AssignedTo("m"),
    '{ cost = "AssignedTo", level = "m", loss = 2, false_too = false }': cf.AssignedTo("m", 2.0, false_too=False),
    '{ cost = "ByTrueValue", costs = { m = { tt = 9 }, f = {} } }': cf.ByTrueValue(
        {"m": cf.Outcomes(tt=9.0), "f": cf.Outcomes()}
    ),
    '{ cost = "ByTrueValue", costs = { m = { tt = 9 } }, otherwise = { ff = 2 } }': cf.ByTrueValue(
        {"m": cf.Outcomes(tt=9.0)}, cf.Outcomes(ff=2.0)
    ),
    '{ cost = "BeliefCosts", correct = { m = 8, f = 1 } }': cf.BeliefCosts({"m": 8.0, "f": 1.0}),
    '{ cost = "BeliefCosts", correct = { m = 8 }, incorrect = {}, tn = 1, fn = 2 }': cf.BeliefCosts(
        {"m": 8.0}, {}, tn=1.0, fn=2.0
    ),
    '{ cost = "BeliefCosts", correct = { m = 8 }, incorrect = { m = 3, f = 0 } }': cf.BeliefCosts(
        {"m": 8.0}, {"m": 3.0, "f": 0.0}
    ),
}
AMOUNTS = {
    '{ cost = "OverEstimate" }': cf.AmountCosts(cf.OverEstimate()),
    '{ cost = "Excess", tn = 1, fn = 2 }': cf.AmountCosts(cf.Excess(), tn=1.0, fn=2.0),
    '{ cost = "AbsoluteError", incorrect = { cost = "SquaredError" } }': cf.AmountCosts(
        cf.AbsoluteError(), cf.SquaredError()
    ),
    '{ cost = "Threshold", above = -5, loss = 3 }': cf.AmountCosts(cf.Threshold(above=-5.0, loss=3.0)),
    '{ cost = "Close", within = 0.1, relative = true, incorrect = { cost = "Close", within = 0, relative = false } }': (
        cf.AmountCosts(cf.Close(0.1), cf.Close(0.0, relative=False))
    ),
    '{ cost = "Close", within = 1e-300, loss = 1e300 }': cf.AmountCosts(cf.Close(1e-300, 1e300)),
}
MORE = {
    "": {},
    'reading = "AsReleased"': {"reading": cf.AsReleased()},
    'reading = { reading = "Shrunk", weight = 0.5 }': {"reading": cf.Shrunk(0.5)},
    'reading = "MeasurementError"': {"reading": cf.MeasurementError()},
    'reading = { reading = "MeasurementError", covariates = ["age"] }': {"reading": cf.MeasurementError(("age",))},
    'reading = { reading = "MeasurementError", covariates = [] }': {"reading": cf.MeasurementError(())},
    'reading = { reading = "Misrecorded", q = 0.9 }': {"reading": cf.Misrecorded(q=0.9)},
    'reading = { reading = "Misrecorded", q = 1 }': {"reading": cf.Misrecorded(q=1.0)},
    'reading = { reading = "Misrecorded", covariates = ["age"], q = "estimated" }': {
        "reading": cf.Misrecorded(("age",), cf.ProfiledQ())
    },
    "acts = 0": {"acts": 0.0},
    "acts = 0.2": {"acts": 0.2},
    "acts = { missed = 2, wrong = 3.5 }": {"acts": cf.Losses(2.0, 3.5)},
    "acts = {}": {"acts": cf.Losses()},
    'using = "AllCandidates"\nbayesian = true': {"using": cf.AllCandidates(), "bayesian": True},
    'sure = 0\nweight = "wt"\nname = "a \\"b\\" = c"': {"sure": 0.0, "weight": "wt", "name": 'a "b" = c'},
}


def round_trip(text):
    plan = parse_plan(text)
    again = parse_plan(plan_to_toml(plan))
    assert again == plan
    assert plan_to_toml(again) == plan_to_toml(plan)
    return plan


@pytest.mark.parametrize("only_true", [False, True])
@pytest.mark.parametrize("attribute", ["sex", "income"])
def test_costs(load, attribute, only_true):
    for text, costs in (COSTS if attribute == "sex" else AMOUNTS).items():
        plan = HEAD + f'attribute = "{attribute}"\ncosts = {text}\nonly_true = {str(only_true).lower()}\n'
        round_trip(plan)
        assert load(plan).harms == (cf.Harm(attribute, costs.only_true() if only_true else costs),)


@pytest.mark.parametrize("more", MORE)
def test_readings_acts_and_the_rest(load, more):
    plan = HEAD + f'attribute = "sex"\ncosts = {{ cost = "Outcomes", tt = 1 }}\n{more}\n[limits]\nmax_harm = {{ sex = 0 }}\n'
    assert round_trip(plan).limits.max_harm == {"sex": 0.0}
    plan = plan.split("[limits]")[0]
    found = load(plan)
    assert found.harms == (cf.Harm("sex", cf.Outcomes(tt=1.0), **MORE[more]),)
    assert found.likelihoods == {"neighbour": 0.25}


def test_levels_that_are_numbers_are_found_by_their_text(load):
    coded = HEAD.replace('age = "integer"', 'age = "nominal"').replace('["age"]', '["sex"]')
    for text, costs in {
        '{ cost = "AssignedTo", level = "20" }': cf.AssignedTo(20),
        '{ cost = "AssignedTo", level = 20 }': cf.AssignedTo(20),
        '{ cost = "ByTrueValue", costs = { 20 = { tt = 2 } } }': cf.ByTrueValue({20: cf.Outcomes(tt=2.0)}),
        '{ cost = "BeliefCosts", correct = { "20" = 2 } }': cf.BeliefCosts({20: 2.0}),
    }.items():
        plan = coded + f'attribute = "age"\ncosts = {text}\n'
        round_trip(plan)
        assert load(plan).harms == (cf.Harm("age", costs),)
