"""Costs of inferences about a category."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

ALL = cf.Outcomes(tt=10, tf=6, ft=3, ff=5, tn=2, fn=1)
LEVELS = ["no", "yes", "unsure"]


def test_every_outcome_has_its_cost():
    assert ALL.of([-1, -1, -1, 0, 1, 0, 0, 1, 1], [-1, 0, 1, -1, -1, 0, 1, 0, 1]).tolist() == [0, 0, 0, 1, 2, 5, 3, 6, 10]


def test_a_level_is_right_when_it_is_the_true_one():
    found = ALL.harm([1, 1, 0, 0, 1, -1], [2, 2, 0, 0, 1, 1], [2, 0, 0, 1, -1, 1], LEVELS)
    assert found.tolist() == [10, 6, 3, 5, 2, 0]


def test_only_true_leaves_no_cost_to_false_reidentifications():
    linked, truth, guess = [0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 0], [-1, 0, 1, -1, 0, 1]
    for costs in (
        ALL,
        cf.ByTrueValue({"no": ALL}),
        cf.BeliefCosts({"no": 4.0, "yes": 2.0}, {"no": 1.0}, tn=3.0, fn=5.0),
        cf.AssignedTo("yes", loss=2.0),
    ):
        all_, true = costs.harm(linked, truth, guess, LEVELS), costs.only_true().harm(linked, truth, guess, LEVELS)
        assert all_[:3].sum() > 0
        assert true.tolist() == [0, 0, 0, *all_[3:]]
        flat = np.full((6, 3), 1 / 3)
        assert costs.only_true().expected(linked, truth, flat, LEVELS)[:3].tolist() == [0, 0, 0]
        assert costs.only_true().expected(linked, truth, flat, LEVELS)[3:] == pytest.approx(
            costs.expected(linked, truth, flat, LEVELS)[3:]
        )


def test_costs_differ_by_the_true_value():
    costs = cf.ByTrueValue({"yes": cf.Outcomes(tt=100.0, ff=20.0)}, otherwise=cf.Outcomes(tf=50.0))
    found = costs.harm([1, 1, 0, 1, 1, -1], [1, 0, 1, 2, 0, -1], [1, 1, 0, 0, 0, -1], LEVELS)
    assert found.tolist() == [100, 50, 20, 50, 0, 0]
    posterior = np.array([[0.5, 0.5, 0.0]] * 6)
    assert costs.expected([1, 1, 0, 1, 1, -1], [1, 0, 1, 2, 0, -1], posterior, LEVELS).tolist() == [50, 25, 10, 50, 25, 0]
    assert "otherwise: tf 50" in costs.describe()


def test_what_is_believed_costs_the_same_whether_true_or_not():
    costs = cf.BeliefCosts({"yes": 8.0, "no": 1.0}, {"yes": 4.0}, tn=0.5, fn=0.25)
    assert costs.harm([1, 1, 0, 0, 1, 0, -1], [0] * 7, [1, 0, 1, 0, -1, -1, 1], LEVELS).tolist() == [
        8,
        1,
        4,
        0,
        0.5,
        0.25,
        0,
    ]
    found = costs.expected([1, 0, -1], [-1, -1, -1], [[0.3, 0.7, 0.0], [0.3, 0.5, 0.2], [np.nan] * 3], LEVELS)
    assert found == pytest.approx([5.9, 2.0, 0.0])


def test_nothing_inferred_by_a_bayesian_intruder():
    posterior = np.array([[np.nan] * 3, [np.nan] * 3, [0.2, 0.8, 0.0]])
    told = np.array([False, False, True])
    assert ALL.expected([1, 0, 1], [-1, -1, 1], posterior, LEVELS, told).tolist() == pytest.approx([2, 1, 9.2])
    by_value = cf.ByTrueValue({"yes": ALL})
    assert by_value.expected([1, 0, 1], [1, 0, 1], posterior, LEVELS, told).tolist() == pytest.approx([2, 0, 9.2])
    assert cf.AssignedTo("yes").expected([1, 0, 1], [0, 0, 0], posterior, LEVELS, told).tolist() == pytest.approx(
        [0, 0, 0.8]
    )


def test_empty_lists_are_no_pairs():
    none, table = np.zeros(0, dtype=int), np.zeros((0, 3))
    for costs in (ALL, cf.ByTrueValue({"no": ALL}), cf.BeliefCosts({"no": 1.0}), cf.AssignedTo("no")):
        assert costs.harm(none, none, none, LEVELS).size == 0
        assert costs.expected(none, none, table, LEVELS).size == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cf.Outcomes(tt=-1, fn=np.nan), "2 faults:.*tt must be a finite number, 0 or more; found -1"),
        (lambda: cf.Outcomes(tt="high"), "found 'high'"),
        (lambda: cf.BeliefCosts({}), "give a cost for at least one level"),
        (lambda: cf.BeliefCosts({"a": -1.0}, {"b": np.inf}, fn=-1), "3 faults:"),
        (lambda: cf.ByTrueValue({}), "give costs for at least one level"),
        (lambda: cf.ByTrueValue({"a": 3.0}), "'a' must be given costs such as Outcomes"),
        (lambda: cf.AssignedTo("a", loss=-2), "AssignedTo: loss"),
        (lambda: ALL.of([2], [1]), "reidentified must be from -1 to 1; 1 of 1"),
        (lambda: ALL.of([1.0], [1]), "whole numbers"),
        (lambda: ALL.of([1, 1], [1]), "reidentified 2, inferred 1"),
        (lambda: ALL.harm([1], [3], [0], LEVELS), "true_code must be from -1 to 2"),
        (lambda: ALL.harm([1, -1], [-1, -1], [0, 0], LEVELS), "the true value of 1 of 2 pairs is not known"),
        (lambda: ALL.expected([1], [0], [[0.5, 0.6, 0.0]], LEVELS), "1 of 1 rows of the posterior are not probabilities"),
        (lambda: ALL.expected([1], [0], [[np.nan] * 3], LEVELS), "are not probabilities"),
        (lambda: ALL.expected([1], [0], [[0.5, 0.5]], LEVELS), "1 pairs by 3 levels; found shape \\(1, 2\\)"),
        (lambda: ALL.expected([1], [0], [[1.0, 0, 0]], LEVELS, [1]), "inferred must be true or false"),
        (lambda: cf.AssignedTo("yess").harm([1], [0], [0], LEVELS), "no level .yess.. It has 3 levels, which are"),
        (lambda: cf.BeliefCosts({"yess": 1.0}).harm([1], [0], [0], LEVELS), "no level 'yess'"),
        (lambda: cf.ByTrueValue({"yess": ALL}).harm([1], [0], [0], LEVELS), "no level 'yess'"),
        (lambda: cf.ByTrueValue({"yes": ALL}).expected([1], [0], [[1.0]], LEVELS), "1 pairs by 3 levels"),
    ],
)
def test_faults_are_told(make, message):
    with pytest.raises(cf.HarmError, match=f"(?s){message}"):
        make()


def test_descriptions_say_what_is_costly():
    assert cf.Outcomes().describe() == "nothing"
    assert cf.Outcomes(tt=10, fn=0.5).describe() == "tt 10, fn 0.5"
    assert cf.BeliefCosts({"yes": 8.0}, tn=1).only_true().describe() == "believed 'yes' 8; by a wrong record: nothing; tn 1"
    assert (
        cf.AssignedTo("yes").only_true().describe() == "1 for each respondent assigned to 'yes', if correctly re-identified"
    )


def test_declared_costs_do_not_change_when_the_mapping_does():
    given = {"yes": 8.0}
    costs = cf.BeliefCosts(given)
    given["yes"] = 0.0
    assert costs.harm([1], [0], [1], LEVELS).tolist() == [8.0]
