"""Link probabilities written out, part by part."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.linking import pairs as module
from confide.linking.pairs import Pairs, at_best, linked_groups

CPS = cf.examples.cps()
RELEASES = {
    "nothing": cf.Release(),
    "swapped": cf.Release(cf.Recode("age", width=5), cf.Swap("race", rate=0.3)),
    "noisy": cf.Release(cf.Noise("property_tax", sd=290, keep_zero=True, lower=0)),
}


def written(found, target: int) -> np.ndarray:
    """Give the probabilities of one target for every record."""
    p = np.zeros(found.records)
    for part in found.parts(np.array([found.group[target]])):
        place = found.group[target] - part.first
        if 0 <= place < part.groups:
            here = slice(part.start[place], part.start[place + 1])
            p[part.record[here]] = part.p[here]
    return p


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("in_file", [True, False])
@pytest.mark.parametrize("part", [100, 4_000_000])
def test_parts_hold_what_rows_hold(release, in_file, part, monkeypatch):
    monkeypatch.setattr(module, "PART", part)
    released = RELEASES[release].apply(CPS, seed=7)
    intruder = cf.Intruder(knows=["sex", "race", "age", "property_tax"], target_in_file=in_file)
    links = cf.link(released, intruder, cf.Targets.of_rows(range(0, 51_016, 500)))
    found = linked_groups(links)
    for target in (0, 5, 50):
        assert np.allclose(written(found, target), links.row(target).p, atol=1e-15)
    sums = np.zeros(found.size)
    for some in found.parts():
        sums[some.first : some.first + some.groups] += some.weighted(np.ones(found.records))
    assert np.allclose(sums[found.group] + found.null, 1.0)
    assert found.best == pytest.approx(links.best)


def test_parts_of_a_match_without_replacement():
    data = cf.Microdata.from_dict({"sex": ["m", "f", "f", "m"], "age": [30, 30, 40, 40]})
    released = cf.Release(cf.Swap("sex", rate=0.5)).apply(data, seed=1)
    links = cf.link(released, cf.Intruder(knows=["sex", "age"], matching=cf.WithoutReplacement()))
    found = linked_groups(links)
    for target in range(4):
        assert np.allclose(written(found, target), links.row(target).p)


def test_tables_of_probabilities():
    p = np.array([[0.9, 0.0], [0.1, 0.2], [0.0, 0.3]])
    found = linked_groups(p, parent=[0, -1, 1])
    assert found.own.tolist() == [0, 2]
    assert found.null == pytest.approx([0.0, 0.5])
    assert written(found, 1).tolist() == [0.0, 0.2, 0.3]
    joint = cf.link_probabilities(np.array([[1.0, 0.5], [0.5, 1.0]]))
    assert linked_groups(joint, [0, 1]).best == pytest.approx([0.8, 0.8])


@pytest.mark.parametrize(
    ("p", "parent", "says"),
    [
        (np.array([[2.0]]), None, "between 0 and 1"),
        (np.array([[np.nan]]), None, "between 0 and 1"),
        (np.array([[0.5, 0.5]]), [2], "from 0 to 1"),
        (np.array([[0.5], [0.5]]), [0, 0], "twice"),
    ],
)
def test_tables_that_are_none(p, parent, says):
    with pytest.raises(cf.IntruderError, match=says):
        linked_groups(p, parent)


def test_ties_at_the_best():
    pairs = Pairs(0, np.array([0, 3, 3, 4]), np.array([4, 5, 6, 1]), np.array([0.4, 0.2, 0.4, 1.0]))
    places, count = at_best(pairs)
    assert places.tolist() == [0, 2, 3]
    assert count.tolist() == [2, 0, 1]
