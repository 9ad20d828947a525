"""Every mistake in a harm of a plan gives one clear message, and all of them come together."""

import pytest

from confide.errors import PlanError
from unit.plan.plans import DATA, RELEASE

HEAD = DATA + RELEASE + '[[intruder]]\nname = "neighbour"\nknows = ["age"]\n'
TELLS = 'costs = { cost = "Outcomes", tt = 1 }\n'


def harm(text, costs=TELLS, attribute="sex"):
    return HEAD + f'[[harm]]\nattribute = "{attribute}"\n{costs}{text}\n'


def costs(text, attribute="sex"):
    return harm("", f"costs = {text}\n", attribute)


MISTAKES = {
    "no costs": (harm("", ""), "harm[1]: costs is missing"),
    "no attribute": (HEAD + "[[harm]]\n" + TELLS, "harm[1]: attribute is missing"),
    "unknown attribute": (harm("", attribute="sx"), "harm[1]: attribute: there is no variable 'sx'; did you mean 'sex'?"),
    "attribute is a number": (harm("").replace('"sex"', "3"), "harm[1]: attribute must be a text in quotes, found 3"),
    "costs of a word": (costs('"Outcomes"'), "harm[1]: costs must be a table, found 'Outcomes'"),
    "costs of a number": (costs("3"), "harm[1]: costs must be a table, found 3"),
    "no cost": (costs("{ tt = 1 }"), "harm[1]: costs.cost is missing"),
    "unknown cost": (costs('{ cost = "Outcome" }'), "harm[1]: costs must have a cost that is one of Outcomes, AssignedTo"),
    "negative": (costs('{ cost = "Outcomes", tt = -1 }'), "harm[1].costs: Outcomes: tt must be a finite number, 0 or more"),
    "infinite": (costs('{ cost = "Outcomes", tt = inf }'), "tt must be a finite number, 0 or more; found inf"),
    "not a number": (costs('{ cost = "Outcomes", tt = nan }'), "tt must be a finite number, 0 or more; found nan"),
    "a text": (costs('{ cost = "Outcomes", tt = "1" }'), "harm[1]: costs.tt must be a number, found '1'"),
    "a truth value": (costs('{ cost = "Outcomes", tt = true }'), "harm[1]: costs.tt must be a number, found True"),
    "another's key": (
        costs('{ cost = "Outcomes", above = 1 }'),
        "costs (Outcomes) takes ff, fn, ft, tf, tn, tt; found above",
    ),
    "nobody's key": (costs('{ cost = "Outcomes", ttt = 1 }'), "harm[1].costs: there is no key 'ttt'; did you mean 'tt'?"),
    "no level": (costs('{ cost = "AssignedTo" }'), "harm[1]: costs (AssignedTo) needs level"),
    "level of a list": (costs('{ cost = "AssignedTo", level = ["m"] }'), "costs.level must be a text, a number or true"),
    "negative loss": (costs('{ cost = "AssignedTo", level = "m", loss = -1 }'), "AssignedTo: loss must be a finite number"),
    "false_too": (costs('{ cost = "AssignedTo", level = "m", false_too = 1 }'), "costs.false_too must be true or false"),
    "no values": (costs('{ cost = "ByTrueValue" }'), "costs (ByTrueValue) needs costs"),
    "empty values": (costs('{ cost = "ByTrueValue", costs = {} }'), "give costs for at least one level"),
    "value of a number": (costs('{ cost = "ByTrueValue", costs = { m = 3 } }'), "costs.costs.m must be a table, found 3"),
    "value's key": (
        costs('{ cost = "ByTrueValue", costs = { m = { ttt = 3 } } }'),
        "harm[1].costs.costs.m: there is no key 'ttt'; did you mean 'tt'?",
    ),
    "otherwise": (costs('{ cost = "ByTrueValue", costs = { m = {} }, otherwise = 3 }'), "costs.otherwise must be a table"),
    "no beliefs": (costs('{ cost = "BeliefCosts" }'), "costs (BeliefCosts) needs correct"),
    "belief of a text": (costs('{ cost = "BeliefCosts", correct = { m = "a" } }'), "costs.correct.m must be a number"),
    "wrong belief of a text": (
        costs('{ cost = "BeliefCosts", correct = { m = 1 }, incorrect = { m = "a" } }'),
        "harm[1]: costs.incorrect.m must be a number, found 'a'",
    ),
    "wrong belief of a list": (
        costs('{ cost = "BeliefCosts", correct = { m = 1 }, incorrect = { m = [1] } }'),
        "harm[1]: costs.incorrect.m must be a number, found a list",
    ),
    "wrong belief of a truth value": (
        costs('{ cost = "BeliefCosts", correct = { m = 1 }, incorrect = { m = true } }'),
        "harm[1]: costs.incorrect.m must be a number, found True",
    ),
    "wrong belief of an amount": (
        costs('{ cost = "BeliefCosts", correct = { m = 1 }, incorrect = { cost = "Excess" } }'),
        "costs (BeliefCosts) takes as incorrect the cost of each level",
    ),
    "no threshold": (costs('{ cost = "Threshold" }', "income"), "harm[1]: costs (Threshold) needs above"),
    "infinite threshold": (costs('{ cost = "Threshold", above = inf }', "income"), "above must be a finite number"),
    "no width": (costs('{ cost = "Close" }', "income"), "harm[1]: costs (Close) needs within"),
    "relative": (
        costs('{ cost = "Close", within = 1, relative = "yes" }', "income"),
        "costs.relative must be true or false",
    ),
    "wrong record of a word": (
        costs('{ cost = "Excess", incorrect = "Excess" }', "income"),
        "harm[1]: costs.incorrect must be a table, found 'Excess'",
    ),
    "wrong record without cost": (
        costs('{ cost = "Excess", incorrect = {} }', "income"),
        'costs (Excess) takes as incorrect a table such as { cost = "Excess" }',
    ),
    "wrong record of categories": (
        costs('{ cost = "Excess", incorrect = { cost = "Outcomes" } }', "income"),
        "costs.incorrect must have a cost that is one of OverEstimate",
    ),
    "wrong record's need": (
        costs('{ cost = "Excess", incorrect = { cost = "Threshold" } }', "income"),
        "harm[1]: costs.incorrect (Threshold) needs above",
    ),
    "wrong record's key": (
        costs('{ cost = "Excess", incorrect = { cost = "Close", within = 1, tn = 3 } }', "income"),
        "harm[1].costs.incorrect: there is no key 'tn'",
    ),
    "wrong record within a wrong record": (
        costs('{ cost = "Excess", incorrect = { cost = "Excess", incorrect = { cost = "Excess" } } }', "income"),
        "harm[1].costs.incorrect: there is no key 'incorrect'",
    ),
    "amounts of a category": (costs('{ cost = "Excess" }'), "harm[1].costs: Excess is for amounts, but 'sex' holds none"),
    "unknown reading": (
        harm('reading = "Mis"'),
        "harm[1]: reading must be one of AsReleased, Shrunk, MeasurementError, Mis",
    ),
    "reading of a number": (harm("reading = 3"), 'or a table such as { reading = "Misrecorded", q = 0.9 }'),
    "reading's key": (harm('reading = { reading = "Shrunk", q = 1 }'), "reading (Shrunk) takes weight; found q"),
    "no reading": (harm("reading = { q = 0.9 }"), "harm[1]: reading.reading is missing"),
    "q too large": (
        harm('reading = { reading = "Misrecorded", q = 2 }'),
        "harm[1].reading: Misrecorded: q is a probability",
    ),
    "q of a text": (
        harm('reading = { reading = "Misrecorded", q = "guess" }'),
        "harm[1]: reading.q must be 'estimated', found 'guess'",
    ),
    "q of a list": (harm('reading = { reading = "Misrecorded", q = [1] }'), "reading.q must be a number, found a list"),
    "unknown covariate": (
        harm('reading = { reading = "Misrecorded", covariates = ["agee"] }'),
        "harm[1]: covariates: there is no variable 'agee'; did you mean 'age'?",
    ),
    "weight of a shrinkage": (harm('reading = { reading = "Shrunk", weight = 2 }'), "between 0 and 1; found 2.0"),
    "categories shrunk without weight": (harm('reading = "Shrunk"'), "harm[1]: Shrunk: categories need a weight"),
    "misrecorded amounts": (
        harm('reading = "Misrecorded"', 'costs = { cost = "Excess" }\n', "income"),
        "harm[1]: Misrecorded is about categories",
    ),
    "unknown use": (harm('using = "All"'), "harm[1]: using must be 'LinkedRecord' or 'AllCandidates', found 'All'"),
    "bayesian": (harm("bayesian = 1"), "harm[1]: bayesian must be true or false, found 1"),
    "acts too large": (harm("acts = 1"), "acts is a probability from 0 to below 1"),
    "acts of a text": (harm('acts = "often"'), "harm[1]: acts must be a number, found 'often'"),
    "acts of no number": (harm("acts = nan"), "acts is a probability from 0 to below 1"),
    "unknown loss": (harm("acts = { mised = 1 }"), "harm[1].acts: there is no key 'mised'; did you mean 'missed'?"),
    "negative losses": (harm("acts = { missed = -1 }"), "harm[1].acts: losses must be finite"),
    "sure": (harm("sure = 1"), "harm[1]: sure must be below 1.0, found 1"),
    "unknown weight": (harm('weight = "wtt"'), "harm[1]: weight: there is no variable 'wtt'; did you mean 'wt'?"),
    "weight of categories": (harm('weight = "sex"'), "harm[1]: weight: 'sex' is no number for 80 of 80 records"),
    "only_true": (harm('only_true = "yes"'), "harm[1]: only_true must be true or false, found 'yes'"),
    "unknown key": (harm('nme = "x"'), "harm[1]: there is no key 'nme'; did you mean 'name'?"),
    "known already": (harm("", attribute="age"), "harm[1]: the intruder 'neighbour' knows 'age' already"),
    "twice": (harm("") + "[[harm]]\nattribute = 'sex'\n" + TELLS, "harm: 2 of them are called 'sex'"),
    "limit of nothing": (harm("") + "[limits]\nmax_harm = { sx = 1 }\n", "limits.max_harm: there is no harm 'sx'"),
    "negative limit": (
        harm("") + "[limits]\nmax_harm = { sex = -1 }\n",
        "limits: max_harm.sex must be 0.0 or more, found -1",
    ),
    "limit of no number": (harm("") + "[limits]\nmax_harm = { sex = nan }\n", "limits: max_harm.sex must be a finite"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_one_clear_message(name, load):
    text, says = MISTAKES[name]
    with pytest.raises(PlanError) as error:
        load(text)
    assert len(error.value.faults) == 1, error.value.faults
    assert says in error.value.faults[0]


def test_all_faults_of_a_harm_come_together(load):
    reading = 'reading = { reading = "Misrecorded", q = 3, covariates = ["z"] }\n'
    text = harm(reading + 'weight = "q"\nacts = 2', 'costs = { cost = "Outcomes", tt = -1 }\n', "sx")
    with pytest.raises(PlanError) as error:
        load(text + "[[harm]]\nattribute = 'age'\n" + TELLS)
    told = "\n".join(error.value.faults)
    for part in (
        "attribute: ",
        "weight: ",
        "covariates: ",
        ".costs: Outcomes: tt",
        "q is a probability",
        "acts is",
        "knows 'age'",
    ):
        assert part in told
    assert len(error.value.faults) == 7


def test_other_targets_may_be_known_otherwise(load):
    group = '[[targets]]\nrows = [0, 1]\nknows = ["sex"]\n'
    assert load(harm("", attribute="age") + group).harms[0].attribute == "age"
    with pytest.raises(PlanError, match="knows 'sex' already"):
        load(harm("") + group)
