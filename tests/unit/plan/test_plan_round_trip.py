"""Plans written by software are read back as they were."""

import dataclasses
import inspect
import math

import pytest

from confide.plan.build_methods import METHODS
from confide.plan.dump import plan_to_toml, value_text
from confide.plan.load import load_schema, parse_plan
from confide.plan.schema_methods import TABLES

FULL = """
seed = 11
threshold = 0.5

[data]
path = "people.csv"
encoding = "latin-1"
delimiter = ";"
missing = ["NA", "."]
text = ["zip"]
name = "people \\"2024\\""

[data.roles]
identifier = ["id"]
key = ["sex", "age"]
unavailable = ["note"]
sensitive = ["income"]
weight = "wt"
household = "hh"
stratum = ["region"]

[data.kinds]
age = "integer"
"Marital status" = "ordinal"

[data.order]
"Marital status" = ["single", "married", 3]

[data.labels.sex]
1 = "male"
2 = "female"

[data.coded]
income = ["more than 3000"]

[[release]]
name = "all methods"

[[release.methods]]
method = "Recode"
variable = "age"
breaks = [0, 18, inf]
labels = ["minor", "adult"]

[[release.methods]]
method = "Recode"
variable = "sex"
mapping = { 1 = "a", 2 = "b" }

[[release.methods]]
method = "Recode"
variable = "occ"
hierarchy = "occ.csv"
level = 2

[[release.methods]]
method = "Topcode"
variable = "income"
at = 3000
replacement = "mean"

[[release.methods]]
method = "Bottomcode"
variable = "income"
at = -5.5
label = "low"

[[release.methods]]
method = "Round"
variable = "income"
to = 1e-7

[[release.methods]]
method = "Swap"
variable = "sex"
rate = 0.3
within = "region"
matrix = "exact"

[[release.methods]]
method = "Swap"
variable = "sex"
rate = 0.3
matrix = { simulate = 10, seed = 3 }

[[release.methods]]
method = "Swap"
variable = "sex"
matrix = { levels = [1, 2], rows = [[0.9, 0.1], [0.2, 0.8]] }

[[release.methods]]
method = "Noise"
variable = "income"
sd = 0.1
relative_to = "positive"
keep_zero = true
lower = 0
outside = "clamp"
times_above = { 10000 = 2 }

[[release.methods]]
method = "MultiplicativeNoise"
variable = "income"
sd = 0.1
mean_one = true

[[release.methods]]
method = "CorrelatedNoise"
names = ["a", "b"]
covariance = [[1.0, 0.5], [0.5, 1.0]]

[[release.methods]]
method = "Drop"
names = "zip"

[[release.methods]]
method = "Sample"
fraction = 0.5

[[release.methods]]
method = "Simulate"
n = 10
together = ["sex", "age"]

[[release]]
name = "theirs"
released = "masked.csv"
parent = "row"
kinds = { age = "continuous" }
coded = { age = ["old"] }

[[intruder]]
name = "one"
knows = [
  "sex",
  { variable = "income", within_percent = 20 },
  { variable = "a", low = 1 },
  { variable = "b", breaks = [1, 2] },
  { variable = "c", sd = 3, relative = true },
  { variable = "d", one_of = ["x", 2, true] },
  { variable = "h", one_of = ["x", "y"], prior = [0.9, 0.1] },
  { variable = "i", mixture = [{ weight = 0.2, value = 0 }, { weight = 0.8, lognormal = [7, 1] }] },
  { variable = "e", normal = [0, 1] },
  { variable = "f", lognormal = [0, 1] },
  { variable = "g", uniform = [0, 1] },
]
target_in_file = false
population = { table = "pop.csv", count = "people" }
supposes = [{ method = "Swap", variable = "sex", rate = 0.1 }]
unavailable = { debt = { normal = [0, 1] }, tax = "regression", rent = { mixture = [{ weight = 1, value = "yes" }] } }
blanks = { value = { region = { west = 0.9 }, tax = 0.1 } }
product_of_dot_products = true
matching = { how = "without replacement", tolerance = 0.01, seconds = 30, seed = 4 }

[[intruder]]
knows = ["sex"]
target_in_file = false
population = "weights"
unavailable = "regression"
matching = "without replacement"

[[intruder]]
name = "three"
matching = "with replacement"
knows = ["sex"]
understands_masking = false
population = { chance = 0.25 }
blanks = "not told"

[[targets]]
where = { race = 3 }
knows = ["sex"]

[[targets]]
rows = [0, 5]

[[targets]]
file = "targets.csv"

[report]
by = ["race"]
title = "Risk \\u2014 2024\\n"

[output]
json = "out.json"
table = "table.csv"
per_record = "per.csv"
released = "released"

[limits]
max_perceived = 3
max_probability = 0.5
intruders = ["one"]
releases = ["all methods"]
"""


def test_everything_round_trips():
    plan = parse_plan(FULL)
    again = parse_plan(plan_to_toml(plan))
    assert again == plan
    assert plan_to_toml(again) == plan_to_toml(plan)
    assert again.output.json_ == "out.json"
    assert again.intruder[0].unavailable["tax"] == "regression"
    assert again.data.labels["sex"]["1"] == "male"
    assert 'matching = "without replacement"' in plan_to_toml(plan)


def test_a_report_with_defaults_only_round_trips():
    plan = parse_plan('[data]\npath = "x.csv"\n[report]\n')
    assert parse_plan(plan_to_toml(plan)) == plan
    assert parse_plan(plan_to_toml(plan)).report is not None


@pytest.mark.parametrize(
    "value", ["", 'a"b\\c', "tab\t\x7f\x01", "ü—é", 0, -3, 1.5, 1e300, 1e-9, math.inf, True, [], [[1.0], ["x"]]]
)
def test_values_are_read_back(value):
    import tomllib

    assert tomllib.loads(f"x = {value_text(value)}")["x"] == value


def test_keys_with_odd_characters():
    plan = parse_plan('[data]\npath="x"\n[data.kinds]\n"a.b c" = "text"\n"" = "text"\n"ü" = "text"')
    assert parse_plan(plan_to_toml(plan)) == plan


def test_every_method_has_a_table_with_the_same_arguments_and_defaults():
    import confide.release.methods as folder

    assert set(TABLES) == set(METHODS)
    for name, table in TABLES.items():
        parameters = inspect.signature(METHODS[name]).parameters
        assert set(table.model_fields) - {"method"} == set(parameters), name
        for key, parameter in parameters.items():
            field = table.model_fields[key]
            assert field.is_required() == (parameter.default is parameter.empty), (name, key)
            if not field.is_required():
                default = field.get_default(call_default_factory=True)
                assert (tuple(default) if isinstance(default, list) else default) == parameter.default, (name, key)
    assert folder.__doc__


def test_every_field_of_an_intruder_is_in_the_plan():
    from confide.intruder.intruder import Intruder
    from confide.plan.schema_intruder import IntruderTable

    fields = {f.name for f in dataclasses.fields(Intruder)} - {"beliefs"}
    assert fields | {"product_of_dot_products", "likelihood"} == set(IntruderTable.model_fields)


def test_load_schema_reads_a_file(tmp_path):
    (tmp_path / "plan.toml").write_text(FULL)
    assert load_schema(tmp_path / "plan.toml") == parse_plan(FULL)
