"""Maps in a plan: what is written, what is refused, and that the family is the one meant."""

import pytest

import confide as cf
from confide.errors import PlanError
from confide.plan.dump import plan_to_toml
from confide.plan.load import parse_plan
from unit.plan.plans import DATA, INTRUDER

HEAD = (
    DATA
    + '[[release]]\nname = "masked"\nmethods = [{ method = "Recode", variable = "age", width = 5 }, '
    + '{ method = "Noise", variable = "income", sd = 10 }]\n'
    + INTRUDER
)
USE = '[[utility]]\nutility = "MeansKept"\nvariables = ["income"]\n'
NOISE = '[[map.vary]]\nname = "noise"\nmethod = 2\nargument = "sd"\nvalues = [10, 20]\n'


def plan(map_="", vary=NOISE, use=USE, head=HEAD):
    return head + use + f"[map]\n{map_}\n{vary}"


def test_a_map_is_written_and_read_again():
    text = plan(
        'risk = "unique_matches"\nreplicates = 3\nmax_risk = 0.1\nlimits = { expected_matches = 0.2 }\nstore = "kept"',
        NOISE + '[[map.worst]]\nworst = "expected_matches"\nby = "sex"\n',
    )
    schema = parse_plan(text)
    assert parse_plan(plan_to_toml(schema)) == schema


def test_the_family_is_the_one_meant(load):
    on = '[[map.vary]]\nname = "groups"\nmethod = 1\n'
    width = '[[map.vary]]\nname = "width"\nmethod = 1\nargument = "width"\nbetween = [2, 8]\nlog = true\n'
    found = load(plan("points = 3", NOISE + on + width)).map
    grid = list(found.family.grid(found.points))
    assert len(grid) == 2 + 2 * 3
    assert {"noise": 20, "groups": "no"} in grid
    chosen = found.family.at(noise=20, groups="yes", width=4.0)
    assert chosen.methods == (cf.Recode("age", width=4.0), cf.Noise("income", sd=20))
    assert found.risks[0] == cf.RightLinks(0.2)  # which differs where the intruders do
    assert found.utilities == (cf.MeansKept(["income"]),)


def test_the_axes_of_the_map(load):
    use = USE + '[[utility]]\nutility = "RegressionKept"\nformula = "income ~ age"\n'
    measure = '[[measure]]\nmeasure = "k_anonymity"\n'
    found = load(plan('risk = "k_anonymity"\nutility = "RegressionKept"', use=use, head=HEAD + measure)).map
    assert found.risks[0].name == "k_anonymity"
    assert [u.name for u in found.utilities] == ["regression_kept", "means_kept"]
    searched = load(plan("search = { evaluations = 9, population = 3 }")).map
    assert searched.budget == cf.Budget(evaluations=9)
    assert searched.population == 3


MISTAKES = {
    "no use": (plan(use=""), "a map needs a use of the data; add [[utility]]"),
    "blind use": (
        plan(use=USE.replace("income", "age")),
        "map: Means kept reads 'age', and what the release leaves open (noise) touches 'income': utility would be the same",
    ),
    "no map": (HEAD + USE, "uses of the data are for a map; add [map]"),
    "nothing varied": (plan(vary=""), "nothing is varied; add [[map.vary]]"),
    "no such method": (plan(vary=NOISE.replace("= 2", "= 3")), "has 2 methods, there is no 3"),
    "no such argument": (plan(vary=NOISE.replace('"sd"', '"sds"')), "no argument of Noise 'sds'; did you mean 'sd'"),
    "bad value": (plan(vary=NOISE.replace("[10, 20]", "[10, -20]")), "sd must be a positive number, found -20"),
    "wrong kind": (plan(vary=NOISE.replace("[10, 20]", '[10, "x"]')), "Noise: sd takes a number; 'noise' gives 'x'"),
    "text as a bound": (
        plan(vary=NOISE.replace('"sd"', '"lower"').replace("[10, 20]", '["x"]')),
        "Noise: lower takes a number; 'noise' gives 'x'",
    ),
    "number as a table": (
        plan(vary=NOISE.replace('"sd"', '"times_above"')),
        "Noise: times_above takes a table; 'noise' gives 10",
    ),
    "no values": (plan(vary=NOISE.replace("values = [10, 20]\n", "")), "give one of values, between; found none"),
    "both": (plan(vary=NOISE + "between = [1, 2]\n"), "give one of values, between; found values, between"),
    "values alone": (plan(vary=NOISE.replace('argument = "sd"\n', "")), "values and between go with argument"),
    "log of values": (plan(vary=NOISE + "log = true\n"), "log goes with between"),
    "ends": (plan(vary=NOISE.replace("values = [10, 20]", "between = [2, 1]")), "low must be below high"),
    "unknown risk": (plan('risk = "expected"'), "map.risk: there is no risk 'expected'; did you mean 'expected_matches'"),
    "unknown limit": (plan("limits = { matches = 1 }"), "map.limits: there is no risk 'matches'"),
    "unknown utility": (plan('utility = "Means"'), "map.utility: there is no utility 'Means'; did you mean 'MeansKept'"),
    "unknown release": (plan('release = "maskd"'), "map.release: there is no release 'maskd'; did you mean 'masked'"),
    "two releases": (
        plan(head=HEAD + '[[release]]\nname = "b"\nmethods = [{ method = "Round", variable = "income", to = 5 }]\n'),
        "say which release is varied, release = ...; with methods there are: 'masked', 'b'",
    ),
    "worst of what": (plan(vary=NOISE + '[[map.worst]]\nworst = "k"\nby = "sex"\n'), "map.worst[1]: there is no measure"),
    "worst by what": (
        plan(vary=NOISE + '[[map.worst]]\nworst = "expected_matches"\nby = "sx"\n'),
        "map.worst[1]: there is no variable 'sx'; did you mean 'sex'",
    ),
    "endless search": (plan("search = { population = 5 }"), "needs evaluations or minutes"),
    "formula": (plan(use=USE.replace("MeansKept", "RegressionKept")), "formula goes with RegressionKept, which needs it"),
    "use of what": (plan(use=USE.replace('"income"', '"incom"')), "utility[1]: variables: there is no variable 'incom'"),
    "unknown use": (plan(use=USE.replace("MeansKept", "Means")), "utility[1]: utility must be 'MeansKept'"),
    "twice": (plan(use=USE + USE), "2 of them are 'means_kept'; a map takes each kind once"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gives_one_clear_message(name, load):
    text, message = MISTAKES[name]
    with pytest.raises(PlanError) as error:
        load(text)
    assert message in str(error.value)
