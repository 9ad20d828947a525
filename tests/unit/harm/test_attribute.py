"""Attribute disclosure with and without regard to similarity, against a plain double loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confide as cf

DISTANCES = {
    "squared": (cf.SquaredDistance(), lambda u, v: (u - v) ** 2),
    "absolute": (cf.AbsoluteDistance(weights=[2.0]), lambda u, v: 2 * abs(u - v)),
    "log": (cf.LogDistance(), lambda u, v: abs(np.log(u) - np.log(v))),
    "mismatch": (cf.Mismatch(3.0), lambda u, v: 3.0 * (u != v)),
    "given": (lambda u, v: np.abs(u - v.T) ** 1.5, lambda u, v: abs(u - v) ** 1.5),
}


def by_hand(p, y, losses, d):
    """Give the best record and its loss for one respondent."""
    rest = 1 - p.sum()
    best, least = -1, np.inf
    for j in range(y.size):
        if p[j] > 0:
            expected = sum(p[i] * d(y[j], y[i]) for i in range(y.size)) + rest * np.mean([d(y[j], v) for v in y])
            loss = losses.wrong * (1 - p[j]) + expected + losses.masking
            if loss < least - 1e-12:
                best, least = j, loss
    return best, least


@pytest.mark.parametrize("name", DISTANCES)
@given(data=st.data())
def test_the_best_record_by_hand(name, data):
    distance, d = DISTANCES[name]
    n = data.draw(st.integers(1, 6))
    y = np.array(data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n)), dtype=float)
    raw = np.array(data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), dtype=float)
    p = raw / max(raw.sum() + data.draw(st.integers(0, 3)), 1)
    losses = cf.AttributeLosses(missed=1e6, wrong=0.5, disparity=distance, masking=0.25)
    found = cf.attribute_disclosure(p[:, None], y, losses)
    record, loss = by_hand(p, y, losses, d)
    if record < 0:
        assert found.record.tolist() == [-1]
        assert found.loss.tolist() == [1e6]
    else:
        assert found.loss[0] == pytest.approx(loss)
        assert by_hand(np.eye(n)[found.record[0]] * p[found.record[0]], y, losses, d)[0] == found.record[0]


def test_without_similarity_it_is_identification():
    rng = np.random.default_rng(1)
    p = rng.dirichlet(np.ones(5), 8).T * 0.9
    losses = cf.AttributeLosses(missed=1.0, wrong=1.0, disparity=None)
    found = cf.attribute_disclosure(p, rng.normal(size=5), losses)
    chosen = found.record >= 0
    assert found.record[chosen].tolist() == p.argmax(axis=0)[chosen].tolist()
    assert found.other_record == 0


def test_similar_records_are_preferred_and_other_respondents_are_at_risk():
    # two records of equal value share .6; the most probable record has an odd value
    p = np.array([[0.4], [0.3], [0.3]])
    found = cf.attribute_disclosure(p, [90.0, 2.0, 2.0], cf.AttributeLosses(missed=1e5))
    assert found.record.tolist() == [1]
    assert found.other_record == 1
    mixed = cf.attribute_disclosure(
        np.array([[0.5, 0.9], [0.5, 0.1]]), [5.0, 5.0], cf.AttributeLosses(missed=0.6, wrong=1.0)
    )
    assert mixed.disclosed.tolist() == [True, True]
    assert mixed.identified.tolist() == [True, True]
    shy = cf.attribute_disclosure(
        np.array([[0.5, 0.9], [0.5, 0.1]]), [5.0, 50.0], cf.AttributeLosses(missed=300.0, wrong=1.0)
    )
    assert shy.only_identified().tolist() == [0]
    assert shy.overlap == 0.5


@pytest.mark.parametrize(
    ("distance", "centre"), [(cf.SquaredDistance(), np.mean), (cf.AbsoluteDistance(), np.median)], ids=["mean", "median"]
)
def test_an_outsider_links_the_record_closest_to_the_mean_or_median(distance, centre):
    rng = np.random.default_rng(2)
    for _ in range(200):
        y = rng.normal(size=rng.integers(1, 12)) * 10
        found = cf.best_link(y, distance)
        gap = np.abs(y - centre(y))
        middle = np.sort(y)[(y.size - 1) // 2 : y.size // 2 + 1]
        if centre is np.mean:
            assert gap[found.records[0]] == pytest.approx(gap.min())
        else:
            assert middle.min() - 1e-9 <= y[found.records[0]] <= middle.max() + 1e-9


def test_in_a_released_file():
    cps = cf.examples.cps()
    links = cf.link(
        cf.Release(cf.Recode("age", width=5)).apply(cps, seed=7),
        cf.Intruder(knows=["sex", "race", "marital", "age"]),
        cf.Targets.of_rows(range(0, 51_016, 100)),
    )
    losses = cf.AttributeLosses(missed=60_000.0, wrong=20_000.0, disparity=cf.AbsoluteDistance())
    found = cf.attribute_disclosure(links, "income", losses, identify=0.2)
    y = cps.column("income").numbers
    t = int(np.flatnonzero(found.disclosed)[0])
    row = links.row(t)
    some = np.flatnonzero(row.p)
    loss = [20_000 * (1 - row.p[j]) + np.sum(row.p[some] * np.abs(y[j] - y[some])) for j in some]
    assert found.loss[t] == pytest.approx(min(loss))
    assert found.identified.tolist() == (links.best > 0.2).tolist()
    assert "at risk of identification" in repr(found)
    by_category = cf.attribute_disclosure(links, "education", cf.AttributeLosses(disparity=cf.Mismatch()))
    levels = np.array(cps.column("education").values())
    row = links.row(3)
    some = np.flatnonzero(row.p)
    loss = [1 - row.p[j] + np.sum(row.p[some] * (levels[some] != levels[j])) for j in some]
    assert by_category.loss[3] == pytest.approx(min(*loss, 1.0))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: cf.attribute_disclosure(np.eye(2), "income"), "knows no variables"),
        (lambda: cf.attribute_disclosure(np.eye(2), [1.0]), "one value for each"),
        (lambda: cf.attribute_disclosure(np.eye(2), [np.nan, np.nan]), "Mismatch"),
        (lambda: cf.AttributeLosses(wrong=0.0), "above 0"),
        (lambda: cf.Mismatch(-1.0), "not negative"),
        (lambda: cf.best_link([]), "one finite value"),
        (lambda: cf.best_link([1.0, np.inf]), "one finite value"),
        (lambda: cf.best_link([1.0, 2.0], lambda u, v: -np.abs(u - v.T)), "0 or more"),
        (lambda: cf.best_link([1.0, 2.0], lambda u, v: u - v), "table of 2 by 2"),
    ],
)
def test_mistakes(call, says):
    with pytest.raises(cf.HarmError, match=says):
        call()


def test_too_many_pairs_for_a_given_disparity_are_refused(monkeypatch):
    from confide.harm import disparity

    monkeypatch.setattr(disparity, "MOST", 3)
    with pytest.raises(cf.HarmError, match="4 times"):
        cf.best_link([1.0, 2.0], lambda u, v: np.abs(u - v.T))
