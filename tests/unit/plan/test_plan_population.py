"""The number of people like a target, from plans."""

import re

import pytest

import confide as cf
from confide.errors import PlanError
from confide.plan.dump import plan_to_toml
from confide.plan.load import load_plan, parse_plan

PEOPLE = "sex,age,grams\n" + "".join(f"{'mf'[i % 2]},{20 + i % 17},{2 + i % 3}\n" for i in range(60))
DATA = '[data]\npath = "people.csv"\n[data.roles]\nweight = "grams"\n[data.kinds]\nage = "nominal"\n[[release]]\n'
MODELS = {
    '"log-linear"': cf.LogLinearPopulation(),
    '{ model = "log-linear", terms = "MainEffects", fraction = 0.3 }': cf.LogLinearPopulation(cf.MainEffects(), 0.3),
    '{ model = "log-linear", interactions = [["sex", "age"]] }': cf.LogLinearPopulation(cf.Interactions(["sex", "age"])),
    '"pitman"': cf.PitmanPopulation(),
    '{ model = "pitman", population_size = 500 }': cf.PitmanPopulation(population_size=500),
    '{ model = "pitman", theta = 3, alpha = 0 }': cf.PitmanPopulation(3, 0),
    '"negative binomial"': cf.NegativeBinomialPopulation(),
    '{ model = "poisson", mean = 9.5, fraction = 0.1 }': cf.PoissonPopulation(9.5, 0.1),
    '{ model = "gamma-poisson", shape = 0.5, rate = 0.01, fraction = 0.1 }': cf.GammaPoissonPopulation(0.5, 0.01, 0.1),
}
MISTAKES = {
    '"loglinear"': 'population must be "weights", "log-linear", "pitman"',
    '"poisson"': 'population must be "weights"',
    '{ model = "loglinear" }': "log-linear",
    '{ model = "pitman", constant = 3 }': "give one of constant, at_least, table, model, chance; found constant, model",
    '{ model = "pitman", fraction = 0.1 }': "takes theta, alpha, population_size; found fraction",
    "{ constant = 3, theta = 1 }": "theta",
    '{ model = "poisson", mean = 3 }': "needs fraction",
    '{ model = "pitman", theta = 3 }': "give both theta and alpha",
    '{ model = "log-linear", fraction = 3 }': "fraction must be above 0 and at most 1",
    '{ model = "log-linear", terms = "MainEffects", interactions = [["sex"]] }': "terms or interactions, not both",
    '{ model = "poisson", mean = 0, fraction = 0.1 }': "mean of 0",
}


def text(population: str, data: str = DATA) -> str:
    return data + f'[[intruder]]\nknows = ["sex", "age"]\ntarget_in_file = false\npopulation = {population}\n'


def load(tmp_path, plan):
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "plan.toml").write_text(plan)
    return load_plan(tmp_path / "plan.toml")


@pytest.mark.parametrize("population", MODELS)
def test_a_model_is_built_and_written_back(tmp_path, population):
    plan = load(tmp_path, text(population))
    (intruder,) = plan.intruders
    assert intruder.population == MODELS[population]
    parsed = parse_plan(text(population))
    assert parse_plan(plan_to_toml(parsed)) == parsed
    assert population.strip("{ }").split(",")[0] in plan_to_toml(parsed)


@pytest.mark.parametrize("population", MISTAKES)
def test_a_mistake_gives_a_message(tmp_path, population):
    with pytest.raises(PlanError, match=re.escape(MISTAKES[population])):
        load(tmp_path, text(population))


@pytest.mark.parametrize("population", ['"weights"', '"log-linear"', '"pitman"', '"negative binomial"'])
def test_what_needs_weights_asks_for_them(tmp_path, population):
    plain = DATA.replace('[data.roles]\nweight = "grams"\n', "")
    with pytest.raises(PlanError, match=f"population is {population} but no weight is declared"):
        load(tmp_path, text(population, plain))


@pytest.mark.parametrize(
    "population", ['{ model = "log-linear", fraction = 0.3 }', '{ model = "pitman", population_size = 99 }']
)
def test_what_is_told_enough_needs_no_weights(tmp_path, population):
    assert load(tmp_path, text(population, DATA.replace('[data.roles]\nweight = "grams"\n', ""))).intruders
