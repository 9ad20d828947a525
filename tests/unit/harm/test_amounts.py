"""Costs of inferences about an amount."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

COSTS = [
    (cf.OverEstimate(), lambda y, x: max(0.0, x - y) ** 2),
    (cf.Excess(), lambda y, x: max(0.0, x - y)),
    (cf.AbsoluteError(), lambda y, x: abs(x - y)),
    (cf.SquaredError(), lambda y, x: (x - y) ** 2),
    (cf.Threshold(50.0, 7.0), lambda y, x: 7.0 * (x > 50)),
    (cf.Close(0.1, 3.0), lambda y, x: 3.0 * (abs(x - y) <= 0.1 * abs(y))),
    (cf.Close(5.0, relative=False), lambda y, x: 1.0 * (abs(x - y) <= 5.0)),
    (cf.NoCost(), lambda y, x: 0.0),
    (cf.GivenCost(lambda y, x: np.sqrt(np.abs(x - y))), lambda y, x: abs(x - y) ** 0.5),
]


@pytest.mark.parametrize(("cost", "by_hand"), COSTS, ids=lambda c: getattr(c, "describe", lambda: "by hand")())
def test_the_loss_of_an_estimate_is_the_formula(cost, by_hand):
    y, x = np.array([40.0, 40.0, -10.0, 0.0, 50.0, 60.0]), np.array([36.0, 51.0, -11.0, 0.0, 50.0, 44.0])
    want = [by_hand(a, b) for a, b in zip(y, x, strict=True)]
    assert cost.at(y, x) == pytest.approx(want, rel=1e-14)
    assert cost.expected(y, cf.PointBelief(x)) == pytest.approx(want, rel=1e-14)
    assert cost.expected(y, cf.NodesBelief(x[:, None], np.ones((6, 1)))) == pytest.approx(want, rel=1e-14)
    assert cost.expected(y, cf.NormalBelief(x, 0.0)) == pytest.approx(want, rel=1e-13)
    assert cost.expected(y, cf.UniformBelief(x, x)) == pytest.approx(want, rel=1e-13)


def test_close_is_not_lost_in_rounding():
    assert cf.Close(0.1).at([1.0, 3.0, 7.0], [1.1, 3.3, 7.7]).tolist() == [1, 1, 1]
    assert cf.Close(0.1).at([1.0, 0.0], [1.1 + 1e-12, 1e-300]).tolist() == [0, 0]
    assert cf.Close(0.1).expected([1.0, 0.0], cf.PointBelief([1.1, 0.0])).tolist() == [1, 1]


def test_correct_and_false_reidentifications_cost_differently():
    costs = cf.AmountCosts(cf.Excess(), cf.Threshold(10.0, 100.0), tn=2.0, fn=1.0)
    linked, y = [1, 0, 0, 1, 0, -1], [5.0, 5.0, 5.0, np.nan, np.nan, np.nan]
    assert costs.harm(linked, y, [8.0, 8.0, 12.0, np.nan, np.nan, np.nan]).tolist() == [3, 0, 100, 2, 1, 0]
    belief = cf.PointBelief([8.0, 8.0, 12.0, 0.0, 0.0, 0.0])
    told = np.array([True, True, True, False, False, False])
    assert costs.expected(linked, y, belief, told).tolist() == [3, 0, 100, 2, 1, 0]
    assert costs.only_true().harm(linked, y, [8.0, 8.0, 12.0, np.nan, np.nan, 9.0]).tolist() == [3, 0, 0, 2, 0, 0]
    assert costs.only_true().describe() == "the over-estimate; by a wrong record: nothing; tn 2"


def test_one_cost_serves_both():
    costs = cf.AmountCosts(cf.SquaredError())
    assert costs.harm([1, 0, -1], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]).tolist() == [4, 4, 0]
    assert costs.harm([], [], []).size == 0


def test_a_given_cost_is_averaged_with_or_without_told_kinks():
    y = np.array([50.0, 60.0, 70.0])
    jump = lambda y, x: 1.0 * (x > 1.05 * y)  # noqa: E731
    for belief in (cf.NormalBelief(y, [1.0, 10.0, 1e3]), cf.LognormalBelief(np.log(y), 0.2), cf.UniformBelief(y - 9, y + 9)):
        told = cf.GivenCost(jump, kinks=lambda y: [1.05 * y])
        assert told.expected(y, belief) == pytest.approx(belief.tail(1.05 * y), rel=1e-11)
        assert cf.GivenCost(jump).expected(y, belief) == pytest.approx(belief.tail(1.05 * y), rel=1e-8)
    fixed = cf.GivenCost(lambda y, x: 7.0 * (x > 55), kinks=[55.0])
    belief = cf.NormalBelief(y, 4.0)
    assert fixed.expected(y, belief) == pytest.approx(cf.Threshold(55.0, 7.0).expected(y, belief), rel=1e-11)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cf.Threshold(np.nan, -1), "2 faults:.*above must be a finite number.*loss"),
        (lambda: cf.Close(-0.1, -1), "2 faults:.*within must be"),
        (lambda: cf.GivenCost(3), "give a function of true and inferred amounts; found int"),
        (lambda: cf.GivenCost(lambda y, x: x, kinks=[np.nan]), "kinks must be finite amounts"),
        (lambda: cf.AmountCosts(3, "x", tn=-1), "3 faults:.*correct must be a cost.*incorrect"),
        (lambda: cf.AmountCosts(None), "correct must be a cost"),
        (lambda: cf.GivenCost(lambda y, x: x - y, name="gain").at([1.0, 3.0], [2.0, 2.0]), "gain: .*found 1 negative of 2"),
        (lambda: cf.GivenCost(lambda y, x: x / 0 * 0).at(1.0, 2.0), "found 1 missing of 1"),
        (lambda: cf.GivenCost(lambda y, x: x + np.inf).expected(1.0, cf.PointBelief(2.0)), "found 1 infinite of 1"),
        (lambda: cf.GivenCost(lambda y, x: 1.0).at([1.0, 2.0], [1.0, 2.0]), "one loss for each pair"),
        (
            lambda: cf.GivenCost(lambda y, x: 1 / np.abs(x - y - 0.1)).expected(0.0, cf.NormalBelief(0.0, 1.0)),
            "the expected cost of 1 of 1 pairs does not settle",
        ),
        (
            lambda: cf.GivenCost(np.hypot, kinks=lambda y: [y[:2]]).expected(
                [1.0, 2.0, 3.0], cf.NormalBelief(0.0, [1.0] * 3)
            ),
            "kinks must give one place for each of the 3 true amounts",
        ),
        (
            lambda: cf.GivenCost(np.hypot, kinks=lambda y: [y * np.nan]).expected(1.0, cf.NormalBelief(0.0, 1.0)),
            "places that are missing",
        ),
        (lambda: cf.AmountCosts(cf.Excess()).harm([1], [np.nan], [1.0]), "the true amount is missing or infinite in 1 of 1"),
        (lambda: cf.AmountCosts(cf.Excess()).harm([1], [1.0], [np.inf]), "the inferred amount is missing or infinite"),
        (lambda: cf.AmountCosts(cf.Excess()).harm([1], ["a"], [1.0]), "the true amount must be numbers"),
        (lambda: cf.AmountCosts(cf.Excess()).harm([1, 1], [1.0], [1.0]), "reidentified 2, y 1, estimate 1"),
        (lambda: cf.AmountCosts(cf.Excess()).expected([1], [1.0], cf.PointBelief([1.0, 2.0])), "belief 2"),
        (lambda: cf.Excess().at([1.0, 2.0], [1.0, 2.0, 3.0]), "2 true amounts for 3 inferred ones"),
        (lambda: cf.Excess().expected([1.0, 2.0], cf.PointBelief([1.0, 2.0, 3.0])), "2 true amounts for 3 beliefs"),
        (lambda: cf.SquaredError().at(1e200, -1e200), "too large to be numbers"),
        (lambda: cf.OverEstimate().expected(1.0, cf.LognormalBelief(0.0, 30.0)), "too large to be numbers"),
    ],
)
def test_faults_are_told(make, message):
    with np.errstate(all="ignore"), pytest.raises(cf.HarmError, match=f"(?s){message}"):
        make()


def test_descriptions_say_what_is_costly():
    assert [cost.describe() for cost, _ in COSTS] == [
        "the squared over-estimate",
        "the over-estimate",
        "the absolute error",
        "the squared error",
        "7 when the inferred amount is above 50",
        "3 when the inferred amount is within 0.1 of the true amount",
        "1 when the inferred amount is within 5",
        "nothing",
        "a given cost",
    ]
