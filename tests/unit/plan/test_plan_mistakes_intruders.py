"""Every mistake in intruders, targets, outputs and limits gives one clear message."""

import re

import pytest

from confide.errors import PlanError
from unit.plan.plans import GOOD, intruder

MISTAKES = {
    "unknown knowledge": (
        intruder('knows = ["sx"]'),
        "intruder[1].knows[1]: there is no variable 'sx'; did you mean 'sex'?",
    ),
    "knows a text": (intruder('knows = "sex"'), "intruder[1]: knows must be a list in square brackets, found 'sex'"),
    "knows nothing": (intruder("knows = []"), "intruder[1]: knows is empty"),
    "knows a number": (intruder("knows = [3]"), "intruder[1]: knows[1] must be a name or a table such as"),
    "two ways": (intruder('knows = [{ variable = "age", sd = 1, low = 3 }]'), "'age' is known in 2 ways (sd, low/high)"),
    "unknown way": (
        intruder('knows = [{ variable = "age", with_percent = 1 }]'),
        "intruder[1].knows[1]: there is no key 'with_percent'; did you mean 'within_percent'?",
    ),
    "negative percent": (
        intruder('knows = [{ variable = "age", within_percent = -1 }]'),
        "intruder[1].knows[1]: Within 'age': percent must be positive",
    ),
    "interval of categories": (
        intruder('knows = [{ variable = "sex", low = 1 }]'),
        "intruder[1].knows[1]: 'sex' is nominal and holds no numbers",
    ),
    "pair of three": (
        intruder('knows = [{ variable = "age", normal = [1, 2, 3] }]'),
        "knows[1].normal must hold 2 values, found 3",
    ),
    "population though in file": (
        intruder('knows = ["sex"]\npopulation = { constant = 10 }'),
        "intruder[1]: population is used only when target_in_file=False",
    ),
    "population word": (intruder('knows = ["sex"]\npopulation = "weight"'), 'intruder[1]: population must be "weights"'),
    "two populations": (
        intruder('knows = ["sex"]\npopulation = { constant = 1, at_least = 2 }'),
        "give one of constant, at_least, table, model, chance; found constant, at_least",
    ),
    "negative counts": (
        intruder('knows = ["sex"]\ntarget_in_file = false\npopulation = { table = "pop.csv" }'),
        "intruder[1]: PopulationTable: 'count' must hold a number of 0 or more",
    ),
    "supposes an unknown variable": (
        intruder('knows = ["sex"]\nsupposes = [{ method = "Swap", variable = "x", rate = 0.1 }]'),
        "intruder[1].supposes: there is no variable 'x'",
    ),
    "supposes a bad rate": (
        intruder('knows = ["sex"]\nsupposes = [{ method = "Swap", variable = "sex", rate = 2 }]'),
        "intruder[1].supposes[1] (Swap): rate is a share",
    ),
    "matching word": (
        intruder('knows = ["sex"]\nmatching = "jointly"'),
        'intruder[1]: matching must be "with replacement", "without replacement" or a table such as',
    ),
    "matching without how": (intruder('knows = ["sex"]\nmatching = { seed = 1 }'), "intruder[1]: matching.how is missing"),
    "matching settings": (
        intruder('knows = ["sex"]\nmatching = { how = "with replacement", seconds = 3 }'),
        'seconds go with how = "without replacement"',
    ),
    "matching tolerance": (
        intruder('knows = ["sex"]\nmatching = { how = "without replacement", tolerance = 0 }'),
        "intruder[1].matching: tolerance must be a positive number or None, found 0",
    ),
    "matching key": (
        intruder('knows = ["sex"]\nmatching = { how = "without replacement", second = 3 }'),
        "there is no key 'second'; did you mean 'seconds'?",
    ),
    "unavailable word": (
        intruder('knows = ["sex"]\nunavailable = "regresion"'),
        "intruder[1]: unavailable must be 'regression', found 'regresion'",
    ),
    "unavailable without form": (
        intruder('knows = ["sex"]\nunavailable = { income = { } }'),
        "a distribution: give one of normal, lognormal, uniform, value, mixture; found none",
    ),
    "bad distribution": (
        intruder('knows = ["sex"]\nunavailable = { income = { normal = [0, -1] } }'),
        "intruder[1].unavailable.income: Normal: mean must be finite and sd positive",
    ),
    "targets nobody": (
        GOOD + '[[targets]]\nwhere = { sex = "x" }\n',
        "targets[1]: targets, variable 'sex': there is no level 'x'. Available:",
    ),
    "targets outside": (GOOD + "[[targets]]\nrows = [0, 900]\n", "targets[1]: 1 target row(s) lie outside the source file"),
    "a huge row": (GOOD + f"[[targets]]\nrows = [{2**70}]\n", "targets[1]: rows[1] must be at most 9007199254740992"),
    "targets twice": (
        GOOD + '[[targets]]\nrows = [0]\nwhere = { sex = "m" }\n',
        "targets[1]: give one of where, rows and file",
    ),
    "targets missing file": (GOOD + '[[targets]]\nfile = "t.csv"\n', "targets[1]: there is no file"),
    "a date as level": (
        GOOD + "[[targets]]\nwhere = { sex = 2024-01-01 }\n",
        "targets[1]: where.sex must be a text, a number or true or false",
    ),
    "report by nothing": (GOOD + '[report]\nby = ["rase"]\n', "report.by: there is no variable 'rase'"),
    "report over the data": (
        GOOD + '[report]\npath = "people.csv"\n',
        "report.path: would replace 'people.csv', which the plan reads",
    ),
    "report of another kind": (
        GOOD + '[report]\npath = "report.pdf"\n',
        "report.path: must end in .html, found 'report.pdf'",
    ),
    "json over the plan": (GOOD + '[output]\njson = "plan.toml"\n', "output.json: would replace 'plan.toml'"),
    "output nowhere": (GOOD + '[output]\ntable = "no/where.csv"\n', "output.table: the folder"),
    "same file twice": (
        GOOD + '[output]\ntable = "x.csv"\nper_record = "x.csv"\n',
        "output.per_record: is the same file as output.table",
    ),
    "unknown limit": (
        GOOD + "[limits]\nmax_expected = 3\n",
        "limits: there is no key 'max_expected'; did you mean 'max_expected_matches'?",
    ),
    "negative limit": (GOOD + "[limits]\nmax_perceived = -1\n", "limits: max_perceived must be 0.0 or more, found -1"),
    "limit for nobody": (
        GOOD + '[limits]\nmax_perceived = 1\nintruders = ["neighbor"]\n',
        "limits.intruders: there is no intruder 'neighbor'; did you mean 'neighbour'?",
    ),
    "limit for no release": (
        GOOD + '[limits]\nmax_perceived = 1\nreleases = ["plan"]\n',
        "limits.releases: there is no release 'plan'; did you mean 'plain'?",
    ),
    "not TOML": (GOOD + "[[targets]\n", "plan.toml is not valid TOML"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_one_mistake_gives_one_clear_message(load, name):
    text, message = MISTAKES[name]
    with pytest.raises(PlanError, match=re.escape(message)) as caught:
        load(text)
    assert len(caught.value.faults) == 1, caught.value.faults
