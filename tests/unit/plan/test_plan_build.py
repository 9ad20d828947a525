"""Plans become the objects that their text declares."""

import pytest

import confide as cf
from confide.plan.limits import exceeded
from confide.plan.load import load_plan
from confide.plan.plan import Limits

PEOPLE = "id,sex,race,age,income,debt,wt\n" + "".join(
    f"p{i},{1 + i % 2},{'wba'[i % 3]},{20 + i % 40},{100.5 * (i % 17)},{50.25 * (i % 11) + 1},{1 + i % 3}\n"
    for i in range(120)
)
DATA = """
seed = 3
[data]
path = "people.csv"
[data.roles]
identifier = ["id"]
key = ["sex", "race", "age"]
sensitive = ["income"]
unavailable = ["debt"]
weight = "wt"
[data.kinds]
sex = "nominal"
age = "integer"
[data.labels.sex]
1 = "male"
2 = "female"
[data.order]
race = ["w", "b", "a"]
"""
INTRUDER = '[[intruder]]\nname = "neighbour"\nknows = ["sex", "age"]\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "people.csv").write_text(PEOPLE)
    return tmp_path


def load(folder, text, **changes):
    (folder / "plan.toml").write_text(text)
    return load_plan(folder / "plan.toml", **changes)


def test_the_data_are_declared(folder):
    data = load(folder, DATA + "[[release]]\n" + INTRUDER).microdata
    assert data.with_role(cf.Role.KEY) == ("sex", "race", "age")
    assert data.variables["sex"].label_of(2) == "female"
    assert data.columns["race"].labels == ("w", "b", "a")
    assert data.weights is not None


def test_every_method_is_built_and_applied(folder):
    (folder / "h.csv").write_text("w,light\nb,dark\na,light\n")
    text = (
        DATA
        + """
[[release]]
name = "a"
methods = [
  { method = "Recode", variable = "age", breaks = [0, 30, inf], labels = ["young", "old"] },
  { method = "Recode", variable = "race", hierarchy = "h.csv" },
  { method = "Swap", variable = "sex", rate = 0.2, within = "race", matrix = { simulate = 5, seed = 1 } },
  { method = "Topcode", variable = "income", at = 1000 },
  { method = "Bottomcode", variable = "debt", at = 100, replacement = "mean" },
  { method = "Round", variable = "debt", to = 10 },
  { method = "Sample", fraction = 0.5 },
  { method = "Simulate", n = 4, together = ["sex", "age"] },
]
[[release]]
name = "b"
methods = [
  { method = "Recode", variable = "race", mapping = { w = 1, b = 2, a = 2 } },
  { method = "Noise", variable = "income", sd = 0.1, relative_to = "all", times_above = { 1_000 = 2 } },
  { method = "MultiplicativeNoise", variable = "debt", sd = 0.1 },
  { method = "Drop", names = ["age"] },
]
[[release]]
name = "c"
methods = [{ method = "CorrelatedNoise", names = ["income", "debt"], covariance = [[4, 1], [1, 4]] }]
"""
        + INTRUDER
    )
    plan = load(folder, text)
    assert plan.releases[1] == cf.Release(
        cf.Recode("race", mapping={"w": 1, "b": 2, "a": 2}),
        cf.Noise("income", sd=0.1, relative_to="all", times_above={1000.0: 2.0}),
        cf.MultiplicativeNoise("debt", sd=0.1),
        cf.Drop(("age",)),
        name="b",
    )
    released = plan.released()
    assert [r.data.n for r in released] == [64, 120, 120]
    assert released[0].seed == 3
    assert load(folder, text, seed=8).released()[0].seed == 8


def test_a_swap_is_within_one_variable_or_several(folder):
    swap = '{ method = "Swap", variable = "sex", rate = 0.2'
    one, same, two = (
        load(folder, DATA + f'[[release]]\nname = "r"\nmethods = [{swap}, within = {w} }}]\n' + INTRUDER)
        .releases[0]
        .methods[0]
        for w in ('"race"', '["race"]', '["race", "age"]')
    )
    assert one == same == cf.Swap("sex", rate=0.2, within="race")
    assert two == cf.Swap("sex", rate=0.2, within=["race", "age"])


def test_intruders_are_built(folder):
    (folder / "pop.csv").write_text("sex,age,count\n1,20,50\n2,21,60\n")
    text = (
        DATA
        + '[[release]]\nname = "r"\nmethods = [{ method = "Noise", variable = "debt", sd = 1 }]\n'
        + """
[[intruder]]
name = "one"
knows = [
  "sex",
  { variable = "income", within_percent = 20 },
  { variable = "age", low = 20, high = 30 },
  { variable = "race", one_of = ["w", "b"] },
]
models_others = false
[[intruder]]
name = "two"
knows = ["sex", { variable = "age", breaks = [30, 40] }, { variable = "income", sd = 3, relative = true }]
target_in_file = false
population = { at_least = 5 }
supposes = [{ method = "Swap", variable = "sex", rate = 0.1 }]
unavailable = { debt = { lognormal = [3, 1] } }
product_of_dot_products = true
matching = { how = "without replacement", tolerance = 0.01, seconds = 60, seed = 2 }
[[intruder]]
name = "three"
matching = "without replacement"
knows = ["sex", "age", { variable = "income", uniform = [0, 10] }]
target_in_file = false
population = { table = "pop.csv" }
understands_masking = false
unavailable = "regression"
"""
    )
    one, two, three = load(folder, text).intruders
    between = cf.Between("age", 20, 30)
    assert one == cf.Intruder(
        knows=(cf.Exactly("sex"), cf.Within("income", 20), between, cf.OneOf("race", ("w", "b"))),
        models_others=False,
        name="one",
    )
    assert two == cf.Intruder(
        knows=(cf.Exactly("sex"), cf.Bracket("age", (30, 40)), cf.Roughly("income", 3, relative=True)),
        target_in_file=False,
        population=cf.AtLeast(5),
        supposes=cf.Release(cf.Swap("sex", rate=0.1)),
        unavailable={"debt": cf.Lognormal(3, 1)},
        beliefs=cf.FittedBeliefs(product_of_dot_products=True),
        matching=cf.WithoutReplacement(tolerance=0.01, seconds=60, seed=2),
        name="two",
    )
    assert three.knows[2] == cf.Distributed("income", cf.Uniform(0, 10))
    assert isinstance(three.population, cf.PopulationTable)
    assert three.population.table.columns["sex"].labels == (1, 2)
    assert three.unavailable == cf.Regression()
    assert one.matching == cf.WithReplacement()
    assert three.matching == cf.WithoutReplacement()


def test_targets_are_built(folder):
    (folder / "targets.csv").write_text("sex,age\n1,20\n")
    text = (
        DATA
        + "[[release]]\n"
        + INTRUDER
        + '[[targets]]\nwhere = { race = "w" }\nknows = ["sex"]\n'
        + '[[targets]]\nrows = [0, 5]\n[[targets]]\nfile = "targets.csv"\n'
    )
    plan = load(folder, text)
    assert [t.describe() for t in plan.targets] == [
        "respondents chosen by race",
        "2 chosen respondents",
        "1 people from elsewhere",
    ]
    assert plan.targets[0].knows == (cf.Exactly("sex"),)
    assessment = cf.assess(plan.released(), plan.intruders, plan.targets)
    assert assessment.row(0).summary.n == 40 + 2 + 1


def test_a_file_that_someone_else_made(folder):
    (folder / "masked.csv").write_text("sex,age,income,from\n1,20,0,0\n2,25,top,5\n1,30,7.5,-1\n")
    text = (
        DATA
        + '[[release]]\nname = "theirs"\nreleased = "masked.csv"\nparent = "from"\n'
        + 'text = ["income"]\ncoded = { income = ["top"] }\n'
        + INTRUDER
    )
    plan = load(folder, text)
    theirs = plan.released()[0]
    assert theirs.parent.tolist() == [0, 5, -1]
    assert "from" not in theirs.data.names
    assert theirs.data.column("income").values() == [0, "top", 7.5]
    assert theirs.data.variables["sex"].kind is cf.Kind.NOMINAL


def test_paths_are_relative_to_the_plan(folder, monkeypatch):
    (folder / "sub").mkdir()
    monkeypatch.chdir(folder / "sub")
    plan = load(folder, DATA + "[[release]]\n" + INTRUDER + '[report]\npath = "sub/r.html"\n', json="out.json")
    assert plan.outputs.report == folder / "sub" / "r.html"
    assert plan.outputs.json == folder / "sub" / "out.json"


def test_limits(folder):
    plan = load(
        folder, DATA + '[[release]]\nname = "r"\n' + INTRUDER + "[limits]\nmax_expected_matches = 1\nmax_probability = 1\n"
    )
    assert plan.limits == Limits((("expected_matches", 1.0), ("probability", 1.0)))
    assessment = cf.assess(plan.released(), plan.intruders)
    (line,) = exceeded(plan.limits, assessment)
    assert line.startswith("expected matches is ")
    assert "(release 'r', intruder 'neighbour')" in line
    others = cf.Intruder(knows=["sex"], name="another"), cf.Intruder(knows=["age"], name="a third")
    both = cf.assess(plan.released(), [*plan.intruders, *others])
    (line,) = exceeded(Limits((("probability", 0.0),), intruders=("another",), releases=("r",)), both)
    assert "intruder 'another'" in line


def test_limits_for_nobody_were_kept_by_every_file(folder):
    plan = load(folder, DATA + '[[release]]\nname = "r"\n' + INTRUDER)
    assessment = cf.assess(plan.released(), plan.intruders)
    for limits in (Limits((("perceived", 1.0),), intruders=("x",)), Limits((("perceived", 1.0),), releases=("x",))):
        assert exceeded(limits, assessment)[0].startswith("limits are set, and no release and intruder")
    assert exceeded(Limits((("perceived", 1.0),)), cf.Assessment(()))
    assert exceeded(Limits(), cf.Assessment(())) == ()
    for empty in ({"intruders": ()}, {"releases": ()}):
        with pytest.raises(cf.PlanError, match="any file would keep to them"):
            Limits((("perceived", 1.0),), **empty)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("max_perceived = nan", "limits: max_perceived must be a finite number, found nan"),
        ("max_probability = inf", "limits: max_probability must be a finite number, found inf"),
        ("max_right_links = -1.0", "limits: max_right_links must be 0.0 or more, found -1.0"),
        ("max_harm = { debt = nan }", "limits: max_harm.debt must be a finite number, found nan"),
        ("measure = { k_anonymity = nan }", "limits: measure.k_anonymity must be a finite number, found nan"),
        ("measure = { k_anonymity = -inf }", "limits: measure.k_anonymity must be"),
        ("intruders = []", "limits: intruders must hold 1 values, found 0"),
        ("releases = []", "limits: releases must hold 1 values, found 0"),
    ],
)
def test_limits_that_are_no_numbers_or_hold_for_nobody_passed(folder, line, message):
    with pytest.raises(cf.PlanError) as error:
        load(folder, DATA + "[[release]]\n" + INTRUDER + "[limits]\n" + line)
    assert message in str(error.value)


def test_files_beside_the_source_are_read_as_the_source(folder):
    (folder / "source.csv").write_text("zip,age,sex\n" + "".join(f"{10 + i % 5},{20 + i},m\n" for i in range(30)))
    (folder / "masked.csv").write_text("zip,age,wt\n" + "".join(f"{10 + i % 5},{20 + i},2\n" for i in range(30)))
    (folder / "pop.csv").write_text("age,count\n20,100\n21,50\n")
    text = (
        '[data]\npath = "source.csv"\ntext = ["zip", "sex"]\n'
        '[[release]]\nname = "theirs"\nreleased = "masked.csv"\n'
        '[[intruder]]\nknows = ["age"]\ntarget_in_file = false\npopulation = { table = "pop.csv" }\n'
    )
    plan = load(folder, text)
    theirs = plan.released()[0].data
    assert theirs.column("zip").labels == ("10", "11", "12", "13", "14")
    assert theirs.variables["age"].kind is cf.Kind.INTEGER
    assert plan.intruders[0].population.table.variables["age"].kind is cf.Kind.INTEGER
    links = cf.link(plan.released()[0], plan.intruders[0])
    assert links.population_matches[:2].tolist() == [100, 50]


def test_a_released_identifier_is_a_fault(folder):
    (folder / "masked.csv").write_text(PEOPLE)
    with pytest.raises(cf.PlanError, match="holds 'id', an identifier, which must never be released"):
        load(folder, DATA + '[[release]]\nreleased = "masked.csv"\n' + INTRUDER)
