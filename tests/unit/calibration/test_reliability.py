"""Stated against true, bin by bin: sums, intervals and deviates."""

import numpy as np
import pytest
from scipy import stats

import confide as cf
from confide.calibration.reliability import EDGES, binned, counting_deviate


def test_bins_hold_every_case_once():
    rng = np.random.default_rng(1)
    p = np.concatenate([rng.random(5000) ** 4, [0.0, 1.0], EDGES])
    true = rng.random(p.size) < p
    found = binned(p, true.astype(float))
    assert found[0].sum() == p.size
    assert found[1].sum() == pytest.approx(p.sum())
    assert found[2].sum() == true.sum()


def test_the_interval_covers_the_difference_as_often_as_it_says():
    rng = np.random.default_rng(2)
    covered = []
    for _ in range(800):
        true = rng.poisson(40, (8, 1)).astype(float)
        found = cf.Reliability(("all",), np.full((8, 1), 400.0), np.full((8, 1), 41.5), true)
        covered.append(abs(found.difference[0] + 1.5) <= found.half_width()[0])
    assert 0.93 < np.mean(covered) < 0.97


def test_rare_events_raise_no_alarm_by_themselves():
    """Half a case is expected and none comes true, six times: the spread between replicates is zero, the error is not."""
    found = cf.Reliability(("rare",), np.full((6, 1), 1000.0), np.full((6, 1), 0.5), np.zeros((6, 1)))
    assert found.standard_error[0] == 0
    assert abs(found.z[0]) < 2.2
    certain = cf.Reliability(("sure",), np.full((6, 1), 1000.0), np.full((6, 1), 999.5), np.full((6, 1), 1000.0))
    assert abs(certain.z[0]) < 2.2


def test_an_impossible_event_is_an_alarm():
    found = cf.Reliability(("never",), np.full((6, 1), 50.0), np.zeros((6, 1)), np.ones((6, 1)))
    assert found.z[0] > 5


def test_the_deviate_is_that_of_student_between_replicates():
    rng = np.random.default_rng(3)
    stated, true = np.full((12, 1), 300.0), rng.normal(340, 60, (12, 1)).round()
    found = cf.Reliability(("many",), np.full((12, 1), 900.0), stated, true)
    test = stats.ttest_1samp((true - stated)[:, 0], 0)
    assert found.z[0] == pytest.approx(stats.norm.isf(test.pvalue / 2))
    assert found.z[0] > 1


def test_counting_is_the_poisson_tail():
    assert counting_deviate(np.array([20.0]), np.array([10.0]))[0] == pytest.approx(
        stats.norm.isf(stats.poisson.sf(19, 10)), abs=1e-9
    )
    assert counting_deviate(np.array([3.0]), np.array([10.0]))[0] == pytest.approx(
        -stats.norm.isf(stats.poisson.cdf(3, 10)), abs=1e-9
    )


def test_tables_of_other_shapes_are_refused():
    with pytest.raises(cf.IntruderError, match="replicates by bins"):
        cf.Reliability(("a",), np.zeros((2, 1)), np.zeros((2, 2)), np.zeros((2, 1)))
