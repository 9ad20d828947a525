"""Spruill's risk of matching: distances, ties, sizes and bad input."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.risk import matching


def manhattan(a, b):
    return np.abs(a[:, None] - b[None]).sum(axis=2)


def test_one_variable_may_be_a_list_and_the_risk_says_who_is_matched():
    risk = cf.risk_of_matching([32.0, 35.0], [15.0, 30.0, 40.7], [0, 1], count_closer=True)
    assert risk.per_record.tolist() == [False, True]
    assert (risk.count, risk.share, risk.value) == (1, 0.5, 0.5)
    assert risk.closer.tolist() == [2, 0]
    assert repr(risk) == "MatchingRisk(1 of 2 records matched, value 0.5)"
    assert cf.risk_of_matching([32.0], [15.0], [0]).closer is None


def test_the_sampling_fraction_multiplies_the_share():
    risk = cf.risk_of_matching([1.0, 2.0], np.arange(20.0), [1, 3], sampling_fraction=0.1)
    assert (risk.share, risk.value) == (0.5, 0.05)


@pytest.mark.parametrize("distance", [cf.AbsoluteDistance(), cf.SquaredDistance(), cf.SquaredDistance([0.3]), manhattan])
def test_a_tie_is_no_match(distance):
    assert cf.risk_of_matching([35.0], [30.0, 40.0], [0], distance).share == 0
    assert cf.risk_of_matching([30.0], [30.0, 30.0], [0], distance).share == 0, "another respondent is alike"
    assert cf.risk_of_matching([30.0], [30.0, 40.0], [0], distance).share == 1


@pytest.mark.parametrize("distance", [cf.AbsoluteDistance(), cf.SquaredDistance(), cf.AbsoluteDistance([1 / 3])])
def test_a_tie_but_for_rounding_is_a_tie(distance):
    assert abs(0.3 - 0.2) < abs(0.4 - 0.3), "in floats, the parent looks closer"
    assert cf.risk_of_matching([0.3], [0.2, 0.4], [0], distance).share == 0
    assert cf.risk_of_matching([0.3], [0.2, 0.4], [1], distance).share == 0


def test_a_tie_of_logarithms_is_a_tie():
    for z in (1.0, 3.0, 0.7, 1e-8, 1e12):
        for factor in (2.0, 1.001, 10.0):
            near = cf.risk_of_matching([z], [z / factor, z * factor], [0], cf.LogDistance())
            assert near.share == 0, (z, factor)
    assert cf.risk_of_matching([1.0], [1.001, 1.0 / 1.0011], [0], cf.LogDistance()).share == 1


def test_one_respondent_is_always_matched():
    for distance in (cf.AbsoluteDistance(), manhattan):
        risk = cf.risk_of_matching([1.0, 2.0], [5.0], [0, 0], distance, count_closer=True)
        assert risk.share == 1
        assert risk.closer.tolist() == [0, 0]


def test_all_equal_numbers_match_nobody():
    assert cf.risk_of_matching(np.ones((50, 3)), np.ones((70, 3)), np.arange(50)).count == 0


def test_very_large_and_very_small_numbers():
    for unit in (1e-200, 1e200):
        source = np.array([1.0, 2.0, 4.0]) * unit
        assert cf.risk_of_matching(source * 1.1, source, [0, 1, 2], cf.SquaredDistance()).share == 1


def test_weights_decide_and_a_weight_of_zero_leaves_a_variable_out():
    released, source = [[0.0, 0.0]], [[3.0, 0.0], [0.0, 2.0]]
    assert cf.risk_of_matching(released, source, [0]).share == 0
    assert cf.risk_of_matching(released, source, [0], cf.AbsoluteDistance([1, 2])).share == 1
    assert cf.risk_of_matching(released, source, [0], cf.SquaredDistance([1, 2])).share == 0
    assert cf.risk_of_matching(released, source, [0], cf.SquaredDistance([1, 3])).share == 1
    assert cf.risk_of_matching(released, source, [1], cf.AbsoluteDistance([1, 0])).share == 1


def test_a_function_is_asked_for_some_records_at_a_time(monkeypatch):
    rng = np.random.default_rng(1)
    source = rng.normal(size=(40, 2))
    released = source + 0.3 * rng.normal(size=source.shape)
    sizes = []

    def mine(a, b):
        sizes.append(len(a))
        return manhattan(a, b)

    monkeypatch.setattr(matching, "CHUNK", 300)
    found = cf.risk_of_matching(released, source, np.arange(40), mine, count_closer=True)
    assert sizes == [7, 7, 7, 7, 7, 5]
    expected = cf.risk_of_matching(released, source, np.arange(40), count_closer=True)
    assert found.per_record.tolist() == expected.per_record.tolist()
    assert found.closer.tolist() == expected.closer.tolist()


def test_a_hundred_thousand_by_a_hundred_thousand():
    rng = np.random.default_rng(2)
    source = rng.lognormal(size=(100_000, 3))
    parent = rng.permutation(100_000)
    released = source[parent] * np.exp(0.02 * rng.normal(size=(100_000, 3)))
    risk = cf.risk_of_matching(released, source, parent, cf.LogDistance([1, 2, 3]))
    some = slice(0, 50)
    slow = cf.LogDistance([1, 2, 3])(released[some], source)
    mine = slow[np.arange(50), parent[some]].copy()
    slow[np.arange(50), parent[some]] = np.inf
    assert risk.per_record[some].tolist() == (mine < slow.min(axis=1)).tolist()
    assert 0.3 < risk.share < 0.99


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parent": [0]}, "1 parents for 2 records"),
        ({"parent": [0, 3]}, "1 parent.* not among the 3 respondents"),
        ({"parent": [0, -1]}, "1 parent.* not among the 3 respondents"),
        ({"parent": [0.0, 1.0]}, "whole numbers"),
        ({"released": [1.0, np.nan]}, "1 released record.* missing or infinite"),
        ({"source": [1.0, np.inf, np.nan]}, "2 source record.* missing or infinite"),
        ({"released": [], "parent": []}, "released records must be a table of at least one record"),
        ({"source": []}, "source records must be a table of at least one record"),
        ({"released": ["a", "b"]}, "released records must be numbers"),
        ({"released": [[1.0, 2.0], [1.0, 2.0]]}, r"released records have 2 variable\(s\), source records 1"),
        ({"sampling_fraction": 0.0}, "sampling fraction"),
        ({"sampling_fraction": np.nan}, "sampling fraction"),
        ({"distance": cf.AbsoluteDistance([1, 2])}, "2 weights for 1 variable"),
        ({"distance": cf.LogDistance(), "source": [1.0, 0.0, 2.0]}, "positive"),
        ({"distance": lambda a, b: np.abs(a - b[0])}, "it must give a table of 2 by 3"),
        ({"distance": lambda a, b: np.full((2, 3), np.nan)}, "gave NaN"),
    ],
)
def test_bad_input_is_named(change, message):
    given = {"released": [1.0, 2.0], "source": [1.0, 2.0, 3.0], "parent": [0, 1], **change}
    with pytest.raises(cf.IntruderError, match=message):
        cf.risk_of_matching(**given)


@pytest.mark.parametrize("weights", [[-1, 1], [0, 0], [np.nan], [[1, 2]], []])
def test_weights_that_weigh_nothing_are_refused(weights):
    with pytest.raises(cf.IntruderError, match="weights must be finite, not negative and not all 0"):
        cf.SquaredDistance(weights)
