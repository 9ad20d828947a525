"""What is wrong with beliefs is said before they are used."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

TWO = np.zeros((2, 2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cf.NormalAppearance([], sd=1), "centre must have one row"),
        (lambda: cf.NormalAppearance([1.0, np.nan], sd=1), "centre holds 1 missing or infinite"),
        (lambda: cf.NormalAppearance(["a"], sd=1), "centre must be a table of numbers"),
        (lambda: cf.NormalAppearance(np.zeros((1, 2, 3)), sd=1), r"found shape \(1, 2, 3\)"),
        (lambda: cf.NormalAppearance(TWO), "give sd or covariance"),
        (lambda: cf.NormalAppearance(TWO, sd=1, covariance=np.eye(2)), "give sd or covariance"),
        (lambda: cf.NormalAppearance(TWO, sd=0), "sd must be positive; 1 of 1"),
        (lambda: cf.NormalAppearance(TWO, sd=[1, -1]), "sd must be positive; 1 of 2"),
        (lambda: cf.NormalAppearance(TWO, sd=[1, 2, 3]), "one for each of the 2 variables"),
        (lambda: cf.NormalAppearance(TWO, sd=np.inf), "sd holds 1 missing or infinite"),
        (lambda: cf.NormalAppearance(TWO, covariance=np.eye(3)), "covariance must be 2 by 2"),
        (lambda: cf.NormalAppearance(TWO, covariance=[[1, 0.5], [0.4, 1]]), "symmetric"),
        (lambda: cf.NormalAppearance(TWO, covariance=[[1, 1], [1, 1]]), "not positive definite"),
        (
            lambda: cf.LognormalAppearance(TWO, covariance=[np.eye(2), [[1, 2], [2, 1]]]),
            "of respondent 1 .* eigenvalue is -1",
        ),
        (lambda: cf.LaplaceAppearance(TWO, scale=[1, 0]), "scale must be positive"),
        (lambda: cf.UniformAppearance([0.0], [0.0]), "low must be below high; it is not for 1 of 1"),
        (lambda: cf.UniformAppearance([0.0], [1.0, 2.0]), "one shape"),
        (lambda: cf.UniformAppearance([-1.7e308], [1.7e308]), "too far apart"),
        (lambda: cf.UniformAppearance.around([0.0], relative_half_width=1), "values are zero"),
        (lambda: cf.UniformAppearance.around([0.0]), "half_width or relative_half_width"),
        (lambda: cf.NormalAppearance.around([0.0, 1.0], relative_sd=1), "1 of 2 values are zero"),
        (lambda: cf.NormalAppearance.around([1.0]), "give sd or relative_sd"),
        (lambda: cf.NormalAppearance.around([1.0], sd=1, covariance=[[1]]), "one of them"),
        (lambda: cf.LognormalAppearance.around([0.0, 1.0], sd=1), "1 of 2 values are zero or negative"),
        (lambda: cf.LognormalAppearance.around([1.0], sd=1, relative_sd=1), "one of them"),
        (lambda: cf.LognormalAppearance.around([1.0], "income", sd=1), "variables names columns of a file"),
        (lambda: cf.LognormalAppearance.at_quantiles(cf.Lognormal(0, 1), 0, sd=1), "at least 1"),
        (lambda: cf.LognormalAppearance.at_quantiles(cf.Lognormal(0, 1), 3, ranks=[0], sd=1), "between 1 and the 3"),
        (lambda: cf.LognormalAppearance.at_quantiles(cf.Lognormal(0, 1), 3, ranks=TWO, sd=1), "plain list"),
        (lambda: cf.NormalAppearance.at_quantiles(lambda p: 1.0, 3, sd=1), "3 finite numbers"),
        (lambda: cf.NormalAppearance.at_quantiles("normal", 3, sd=1), "found str"),
        (lambda: cf.fit_lognormal([0.0, 1.0]), "zero or negative"),
        (lambda: cf.fit_normal([1.0, 1.0]), "fewer than two different values"),
        (lambda: cf.MisreportedAppearance([0, 2], [np.eye(2)]), "variable 0 .* between 0 and 1"),
        (lambda: cf.MisreportedAppearance([0, 0.5], [np.eye(2)]), "whole numbers"),
        (lambda: cf.MisreportedAppearance([0], [[[0.9, 0.2], [0.5, 0.5]]]), "row 0 sums to 1.1"),
        (lambda: cf.MisreportedAppearance([0], [[[-1, 2], [0, 1]]]), "negative"),
        (lambda: cf.MisreportedAppearance([0], np.eye(2)), r"write confusion=\[table\]"),
        (lambda: cf.MisreportedAppearance([], [np.eye(2)]), "truth is empty"),
        (lambda: cf.MisreportedAppearance([0], []), "confusion is empty"),
        (lambda: cf.MisreportedAppearance([[0, 1]], [np.eye(2)]), "truth must have 1 columns"),
        (lambda: cf.MisreportedAppearance([1e300], [np.eye(2)]), "between 0 and 1"),
        (lambda: cf.MisreportedAppearance([np.nan], [np.eye(2)]), "whole numbers"),
        (lambda: cf.MisreportedAppearance.at_rate([0], 1.2, 2), "rate must be a probability"),
        (lambda: cf.MisreportedAppearance.at_rate([0], 0.1, 1), "cannot be misreported"),
        (lambda: cf.MisreportedAppearance.at_rate([0], 0.1, 2, [[1, 0]]), "another one with a positive weight"),
        (lambda: cf.MisreportedAppearance.at_rate([0], [0.1, 0.2], 2), "each of the 1 variables"),
        (lambda: cf.FunctionAppearance(lambda y, i: y, respondents=0), "respondents must be a whole number"),
        (lambda: cf.FunctionAppearance(1, respondents=1), "callable"),
        (lambda: cf.IndependentAppearance([]), "at least one part"),
        (lambda: cf.GroupedAppearance([]), "at least one part"),
        (
            lambda: cf.IndependentAppearance([cf.NormalAppearance([0.0], sd=1), cf.NormalAppearance([0.0, 1.0], sd=1)]),
            r"\[1, 2\] respondents",
        ),
        (
            lambda: cf.GroupedAppearance([cf.NormalAppearance([0.0], sd=1), cf.NormalAppearance([[0.0, 1.0]], sd=1)]),
            r"\[1, 2\] variables",
        ),
    ],
)
def test_beliefs(make, message):
    with pytest.raises(cf.IntruderError, match=message):
        make()


@pytest.mark.parametrize(
    ("records", "record", "respondent", "message"),
    [
        ([[1.0, 2.0]], [0], [0], "records must have 1 columns"),
        ([np.nan, 1.0], [0], [0], "1 of 2 records hold missing or infinite"),
        ([1.0], [1], [0], "outside 0 to 0"),
        ([1.0], [0], [-1], "outside 0 to 1"),
        ([1.0], [0, 0], [0], "2 records are paired with 1 respondents"),
        ([1.0], [0.0], [0], "plain list"),
        (["a"], [0], [0], "records must be a table of numbers"),
    ],
)
def test_records_and_pairs(records, record, respondent, message):
    appearance = cf.NormalAppearance([0.0, 1.0], sd=1)
    with pytest.raises(cf.IntruderError, match=message):
        appearance.log_density(records, np.array(record), np.array(respondent))


@pytest.mark.parametrize("mass", [-0.1, 1.0, np.nan])
def test_the_mass_of_a_box_is_a_probability(mass):
    for appearance in (
        cf.NormalAppearance([0.0], sd=1),
        cf.MisreportedAppearance([0], [np.eye(2)]),
        cf.IndependentAppearance([cf.NormalAppearance([0.0], sd=1)]),
    ):
        with pytest.raises(cf.IntruderError, match="mass is the probability"):
            appearance.boxes(mass)


@pytest.mark.parametrize(
    ("function", "log", "message"),
    [
        (lambda y, i: np.full(i.size, np.nan), False, "2 of 2 densities are NaN"),
        (lambda y, i: np.full(i.size, -1.0), False, "negative; set log=True"),
        (lambda y, i: np.full(i.size, np.inf), True, "2 of 2 log densities are infinite"),
        (lambda y, i: y, False, r"2 densities for 2 pairs; found shape \(2, 1\)"),
    ],
)
def test_functions(function, log, message):
    with pytest.raises(cf.LikelihoodError, match=message):
        cf.log_densities(cf.FunctionAppearance(function, respondents=1, log=log), [1.0, 2.0])


def test_boxes_of_functions():
    wrong = cf.FunctionAppearance(lambda y, i: y[:, 0], respondents=2, box=lambda mass: (np.zeros(2), np.ones(2)))
    with pytest.raises(cf.IntruderError, match=r"shape \(2, 1\)"):
        wrong.boxes(0.1)
    low, high = cf.FunctionAppearance(lambda y, i: y[:, 0], respondents=2).boxes(0.1)
    assert np.isneginf(low).all()
    assert np.isposinf(high).all()


def test_a_table_that_is_too_large_is_refused():
    with pytest.raises(cf.IntruderError, match="100 pairs, more than 99"):
        cf.log_densities(cf.NormalAppearance(np.zeros(10), sd=1), np.zeros(10), most=99)


def test_files():
    file = cf.Microdata.from_dict({"income": [10.5, None], "sex": ["m", "f"], "age": [30.5, 40.5]})
    with pytest.raises(cf.IntruderError, match="name the variables"):
        cf.NormalAppearance.around(file, sd=1)
    with pytest.raises(cf.IntruderError, match="use MisreportedAppearance"):
        cf.NormalAppearance.around(file, "sex", sd=1)
    with pytest.raises(cf.IntruderError, match="'income' is missing for 1 of 2"):
        cf.records_of(file, "income")
    with pytest.raises(cf.IntruderError, match="'age' holds numbers"):
        cf.MisreportedAppearance.around(file, "age", rate=0.1)
    with pytest.raises(cf.DeclarationError, match="no variable 'agee'"):
        cf.NormalAppearance.around(file, "agee", sd=1)
    with pytest.raises(cf.IntruderError, match="1 levels that the other file has not"):
        cf.records_of(file, "sex", like=cf.Microdata.from_dict({"sex": ["m", "x"]}))
    with pytest.raises(cf.IntruderError, match="variables is empty"):
        cf.records_of(file, [])
