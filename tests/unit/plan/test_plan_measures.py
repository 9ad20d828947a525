"""Classical measures in a plan: what is written, what is refused, and that limits hold."""

import pytest

import confide as cf
from confide.errors import PlanError
from confide.plan.dump import plan_to_toml
from confide.plan.limits import exceeded
from confide.plan.load import parse_plan
from unit.plan.plans import GOOD


def measure(text, more=""):
    return GOOD + f"[[measure]]\n{text}\n{more}"


FORMS = {
    'measure = "k_anonymity"': {},
    'measure = "k_anonymity"\nkeys = ["sex"]\nname = "k"\nmissing = "wildcard"': {"missing": cf.MissingAsWildcard()},
    'measure = "l_diversity"\nsensitive = "income"': {"sensitive": "income"},
    'measure = "l_diversity"\nsensitive = "income"\ndiversity = "entropy"': {
        "sensitive": "income",
        "diversity": cf.EntropyDiversity(),
    },
    'measure = "l_diversity"\nsensitive = "income"\ndiversity = "recursive"\nc = 2.5': {
        "sensitive": "income",
        "diversity": cf.RecursiveDiversity(2.5),
    },
    'measure = "t_closeness"\nsensitive = "income"': {"sensitive": "income"},
    'measure = "special_uniques"': {},
    'measure = "sample_uniques"': {},
    'measure = "suda"\nmax_size = 2': {"max_size": 2},
    'measure = "dis_suda"\nfraction = 0.1': {"fraction": 0.1},
    'measure = "population_uniques"\nkeys = ["age"]\nmodel = "Ewens"\npopulation_size = 1000': {
        "model": cf.Ewens(),
        "population_size": 1000.0,
    },
    'measure = "loglinear_risk"\nterms = "AllTwoWay"\nfraction = 0.1': {"terms": cf.AllTwoWay(), "fraction": 0.1},
    'measure = "distance_linkage"\nreplacement = false': {"replacement": False},
    'measure = "interval_disclosure"\nkeys = ["income"]\npercent = 5': {"around": cf.RankWidth(5.0)},
    'measure = "interval_disclosure"\nkeys = ["income"]\nhalf_percent = 5': {"around": cf.RankHalfWidth(5.0)},
    'measure = "interval_disclosure"\nkeys = ["income"]\nsd = 0.05': {"around": cf.SdWidth(0.05)},
}


@pytest.mark.parametrize("text", FORMS)
def test_every_form_is_written_and_read_again(text, load):
    plan = parse_plan(measure(text))
    assert parse_plan(plan_to_toml(plan)) == plan
    found = load(measure(text)).file_measures[0]
    assert dict(found.options) == FORMS[text]
    assert found.of(load(measure(text)).released()[0], ["sex", "age"]).value is not None


def test_probabilistic_linkage_is_declared(load):
    text = 'measure = "probabilistic_linkage"\nkeys = ["sex", "age", "income"]\nblock = ["sex"]\nfalse_match = 0.02'
    assert dict(load(measure(text)).file_measures[0].options) == {"block": ["sex"], "false_match": 0.02}
    with pytest.raises(PlanError, match="block: there is no variable 'sx'"):
        load(measure(text.replace('["sex"]\nfalse', '["sx"]\nfalse')))


MISTAKES = {
    "unknown": ('measure = "k_anonymty"', "measure[1]: must have a measure that is one of k_anonymity, l_diversity"),
    "none": ('name = "k"', "measure[1]: measure is missing"),
    "unknown key": ('measure = "k_anonymity"\nkeys = ["sx"]', "keys: there is no variable 'sx'; did you mean 'sex'?"),
    "no keys": ('measure = "k_anonymity"\nkeys = []', "measure[1]: keys must hold 1 values, found 0"),
    "another's option": ('measure = "k_anonymity"\nsensitive = "income"', "(k_anonymity) takes keys, name, missing; found"),
    "no sensitive": ('measure = "l_diversity"', "measure[1]: (l_diversity) needs sensitive"),
    "unknown sensitive": ('measure = "t_closeness"\nsensitive = "incom"', "sensitive: there is no variable 'incom'"),
    "sensitive is a key": (
        'measure = "t_closeness"\nkeys = ["age"]\nsensitive = "age"',
        "'age' cannot be both a key and what is protected",
    ),
    "c without recursive": ('measure = "l_diversity"\nsensitive = "income"\nc = 2', 'c goes with diversity = "recursive"'),
    "recursive without c": (
        'measure = "l_diversity"\nsensitive = "income"\ndiversity = "recursive"',
        'c goes with diversity = "recursive"',
    ),
    "two widths": (
        'measure = "interval_disclosure"\nkeys = ["income"]\npercent = 5\nsd = 1',
        "(interval_disclosure) takes one of percent, half_percent, sd; found percent, sd",
    ),
    "twice": ('measure = "k_anonymity"\n[[measure]]\nmeasure = "k_anonymity"', "2 of them are called 'k_anonymity'"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gives_one_clear_message(name, load):
    text, message = MISTAKES[name]
    with pytest.raises(PlanError) as error:
        load(measure(text))
    assert message in str(error.value)


def test_a_limit_on_a_measure_that_is_not_taken(load):
    with pytest.raises(PlanError, match="limits.measure: there is no measure 'k'"):
        load(measure('measure = "k_anonymity"', "[limits]\nmeasure = { k = 3 }"))


def test_a_file_of_figures_needs_a_measure(load):
    with pytest.raises(PlanError, match="there is no classical measure to write"):
        load(GOOD + '[output]\nper_released_record = "figures.csv"\n')


def test_limits_hold_in_the_direction_of_the_measure(load):
    text = 'measure = "k_anonymity"\n[[measure]]\nmeasure = "prosecutor_risk"'
    for k, risk, count in ((1, 1.0, 0), (3, 1.0, 1), (1, 0.1, 1), (3, 0.1, 2)):
        plan = load(measure(text, f"[limits]\nmeasure = {{ k_anonymity = {k}, prosecutor_risk = {risk} }}"))
        assessment = cf.assess(plan.released(), plan.intruders, file_measures=plan.file_measures)
        lines = exceeded(plan.limits, assessment)
        assert len(lines) == count
    assert "k anonymity is 2, at least 3 is allowed (release 'plain', keys sex, age)" in lines
    assert "prosecutor risk is 0.5, at most 0.1 is allowed (release 'plain', keys sex, age)" in lines
