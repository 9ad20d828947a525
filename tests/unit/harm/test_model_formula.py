"""Model formulas: what can be written, and what is said about the rest."""

from __future__ import annotations

import pytest

import confide as cf


def test_a_formula_is_read():
    formula = cf.ModelFormula.parse("  log( income )~age+ hours per week +`marital-status` + 1")
    assert formula.response == cf.ModelTerm("income", log=True)
    assert formula.terms == (cf.ModelTerm("age"), cf.ModelTerm("hours per week"), cf.ModelTerm("marital-status"))
    assert formula.variables == ("income", "age", "hours per week", "marital-status")
    assert str(formula) == "log(income) ~ age + hours per week + `marital-status`"
    assert cf.ModelFormula.parse(str(formula)) == formula


def test_a_variable_and_its_logarithm_are_two_terms():
    formula = cf.ModelFormula.parse("y ~ x + log(x)")
    assert formula.terms == (cf.ModelTerm("x"), cf.ModelTerm("x", log=True))
    assert formula.variables == ("y", "x")


def test_odd_names_go_in_backticks_and_come_back():
    formula = cf.ModelFormula(cf.ModelTerm("a+b"), (cf.ModelTerm("1"), cf.ModelTerm("log(x)", log=True)))
    assert str(formula) == "`a+b` ~ `1` + log(`log(x)`)"
    assert cf.ModelFormula.parse(str(formula)) == formula


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("income", "found 0 signs ~"),
        ("", "found 0 signs ~"),
        ("a ~ b ~ c", "found 2 signs ~"),
        ("~ age", "a term is empty"),
        ("income ~", "a term is empty"),
        ("income ~ age + + sex", "a term is empty"),
        ("1 ~ age", "1 cannot be the response"),
        ("income ~ 0 + age", "'0' is no variable; the intercept cannot be left out"),
        ("income ~ -1", "'-1' is no variable"),
        ("log(1) ~ age", "'1' is no variable"),
        ("income ~ age * sex", r"'\*' has no meaning in 'age \* sex'.*GivenModel"),
        ("income ~ age:sex", "':' has no meaning"),
        ("income ~ marital-status", "in backticks, `marital-status`"),
        ("income ~ sqrt(age)", r"no function 'sqrt', only log"),
        ("income ~ __import__('os')", "no function '__import__'"),
        ("income ~ log(log(age))", "cannot read"),
        ("income ~ log(age", "cannot read"),
        ("income ~ log()", "cannot read"),
        ("income ~ (age)", "cannot read"),
        ("income ~ `age", "a backtick is not closed"),
        ("income ~ ``", "no name between the backticks"),
        ("income ~ age + age", "names age more than once"),
        ("income ~ age + log(income)", "response 'income' is also a term"),
    ],
)
def test_bad_formulas_say_what_is_wrong(text, message):
    with pytest.raises(cf.HarmError, match=message):
        cf.ModelFormula.parse(text)


def test_a_formula_is_made_of_terms():
    with pytest.raises(cf.HarmError, match="ModelTerm"):
        cf.ModelFormula("income", ("age",))
    with pytest.raises(cf.HarmError, match="names a variable; found int"):
        cf.ModelTerm(3)


def test_every_unknown_variable_is_named_at_once():
    data = cf.Microdata.from_dict({"age": [1.5, 2.5, 4.0], "sex": ["m", "f", "m"]})
    released = cf.Release().apply(data, seed=1)
    with pytest.raises(cf.HarmError, match="(?s)2 faults.*'agee'; did you mean 'age'.*'six'; did you mean 'sex'"):
        cf.model_disclosure(released, "agee ~ six")
