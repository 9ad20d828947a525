"""Who bears the harm."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def test_all_alike():
    found = cf.Bearers.of([2.0] * 50)
    assert (found.total, found.mean, found.worst, found.worst_at, found.share_harmed) == (100, 2, 2, 0, 1)
    assert found.gini == 0
    assert (found.top_1, found.top_10, found.half) == (0.01, 0.1, 25)


def test_one_bears_all():
    found = cf.Bearers.of([0.0] * 99 + [7.0])
    assert (found.worst, found.worst_at, found.harmed, found.half) == (7, 99, 1, 1)
    assert found.gini == pytest.approx(0.99)
    assert (found.top_1, found.top_10) == (1, 1)


def test_a_respondent_counts_in_part():
    found = cf.Bearers.of([4.0, 3.0, 2.0, 1.0])
    assert found.top_1 == pytest.approx(0.04 * 4 / 10)
    assert found.top_10 == pytest.approx(0.4 * 4 / 10)
    assert found.half == 2
    assert found.gini == pytest.approx(0.25)
    assert cf.Bearers.of(np.arange(25.0)).top_10 == pytest.approx((24 + 23 + 22 / 2) / 300)


def test_no_harm_has_no_concentration():
    found = cf.Bearers.of([0.0, 0.0])
    assert (found.total, found.worst, found.harmed) == (0, 0, 0)
    assert (found.gini, found.top_1, found.top_10, found.half) == (None, None, None, None)
    assert repr(found) == "Bearers(2 respondents; figures on fewer than 10 are not told)"
    ten = cf.Bearers.of([0.0] * 10)
    assert repr(ten) == "Bearers(10 respondents; harm 0, mean 0, none above 0, 0.0% harmed)"


def test_a_single_respondent():
    found = cf.Bearers.of([3.0])
    assert (found.gini, found.top_1, found.half) == (0, 0.01, 1)


def test_ties_and_rounding_do_not_move_half():
    assert cf.Bearers.of([0.1] * 10).half == 5
    assert cf.Bearers.of([5.0, 5.0]).half == 1
    assert cf.Bearers.of([5.0, 5.0]).worst_at == 0
    assert cf.Bearers.of([1e-320, 0.0]).gini == pytest.approx(0.5)
    assert cf.Bearers.of([1e307] * 10).gini == 0


def test_groups():
    found = cf.HarmByGroup.of([1.0, 0.0, 3.0, 4.0], [0, 0, 2, 2], ["a", "b", "c"])
    assert [(g.name, g.n, g.total, g.mean) for g in found.groups] == [("a", 2, 1, 0.5), ("b", 0, 0, None), ("c", 2, 7, 3.5)]
    assert [g.share_of_harm for g in found.groups] == pytest.approx([0.125, 0, 0.875])
    assert [g.share_of_respondents for g in found.groups] == [0.5, 0, 0.5]
    assert found.worst == found.groups[2]
    assert repr(found).splitlines()[3].split() == ["c", "2", "-", "-", "-", "50.0%"]
    large = cf.HarmByGroup.of([1.0] * 20 + [3.0], [0] * 10 + [1] * 11, ["a", "b"])
    assert repr(large).splitlines()[2].split() == ["b", "11", "10", "0.909", "33.3%", "52.4%"]


def test_groups_without_harm_have_no_worst():
    found = cf.HarmByGroup.of([0.0, 0.0], [0, 1], ["a", "b"])
    assert found.worst is None
    assert [g.share_of_harm for g in found.groups] == [None, None]
    assert "-" in repr(found)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cf.Bearers.of([]), "at least one respondent"),
        (lambda: cf.Bearers.of([-1.0, 2.0]), "1 of 2 are negative"),
        (lambda: cf.Bearers.of([np.nan, 2.0]), "the harm is missing or infinite in 1 of 2"),
        (lambda: cf.Bearers.of([1e308] * 2), "too large"),
        (lambda: cf.Bearers.of([[1.0]]), "found 2 dimensions"),
        (lambda: cf.HarmByGroup.of([1.0], [1], ["a"]), "member must be from 0 to 0"),
        (lambda: cf.HarmByGroup.of([1.0, 1.0], [0], ["a"]), "harm 2, member 1"),
        (lambda: cf.HarmByGroup.of([1.0], [0], []), "at least one group"),
    ],
)
def test_faults_are_told(make, message):
    with pytest.raises(cf.HarmError, match=message):
        make()
