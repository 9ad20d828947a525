"""The best link of every record: what linking by agreement counts as a risk."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from unit.linking.probabilistic.test_probabilistic_linkage import NAMES, two_files


def credit_of_all_pairs(found: cf.ProbabilisticLinkage, released: cf.Released) -> np.ndarray:
    """Weigh every pair by itself from the estimated parameters, and share the best link among equals."""
    weight = {p.variable: dict(zip(p.levels, p.weight.tolist(), strict=True)) for p in found.parameters}
    source, data = ({k: f.column(k).values() for k in NAMES} for f in (released.source, released.data))
    right = np.zeros(released.data.n)
    for j in range(released.data.n):
        scores = np.zeros(released.source.n)
        for i in range(released.source.n):
            for k in NAMES:
                a, b = source[k][i], data[k][j]
                if a is not None and b is not None:
                    scores[i] += weight[k]["same" if a == b else "different"]
        best = np.flatnonzero(scores > scores.max() - 1e-9)
        right[j] = (released.parent[j] in best) / best.size
    return right


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_it_is_that_of_all_pairs_one_by_one(missing):
    released = two_files(70, wrong=0.2, levels=4, missing=missing)
    found = cf.probabilistic_linkage(released, NAMES)
    assert found.per_record == pytest.approx(credit_of_all_pairs(found, released))
    assert 0.1 < found.value < 1.0


def test_few_links_within_the_bounds_read_as_little_risk_though_most_best_links_were_right():
    released = two_files(1_500, wrong=0.05, levels=5)
    found = cf.probabilistic_linkage(released, NAMES)
    distance = cf.distance_linkage(released, NAMES).share
    assert found.share_linked < 0.2 * distance  # what was shown as the risk
    assert found.value == pytest.approx(distance, abs=0.02)
    assert found.value == pytest.approx(cf.FileMeasure(cf.probabilistic_linkage, NAMES).of(released).value)


def test_pairs_several_rules_bring_are_counted_once():
    released = two_files(120, wrong=0.1, levels=4)
    once = cf.probabilistic_linkage(released, NAMES, block=["a"])
    twice = cf.probabilistic_linkage(released, NAMES, block=[["a"], ["a", "b"]])
    assert twice.candidate_pairs == once.candidate_pairs
    assert twice.best.found.many.tolist() == once.best.found.many.tolist()
    theirs, ours = (np.array(f.column("a").values()) for f in (released.data, released.source))
    assert once.per_record[theirs != ours[released.parent]].max() == 0.0


def test_where_em_does_not_converge_there_is_no_figure_and_the_reason(monkeypatch):
    monkeypatch.setattr("confide.linking.probabilistic.em.MOST_STEPS", 2)
    found = cf.FileMeasure(cf.probabilistic_linkage, NAMES).of(two_files(100))
    assert found.value is None
    assert "did not converge in 2 steps" in found.reason
    assert found.exceeds(1.0)
