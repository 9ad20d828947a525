"""The analytic map: what it shows, what it chooses, what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf

LARGE = cf.AsymptoticForm()
WHO = [
    cf.Snooper(),
    cf.Snooper(cf.Typical(), cf.KnowsSample()),
    cf.Snooper(cf.Typical(), cf.KnowsRecord()),
    cf.Snooper(cf.AtPercentile(0.9), cf.KnowsPopulation()),
    cf.Snooper(cf.AtPercentile(0.9), cf.KnowsPopulation(), LARGE),
    cf.Snooper(cf.AtPercentile(0.9), cf.KnowsSample(), LARGE),
    cf.Snooper(cf.AtPercentile(0.9), cf.KnowsSample()),
    cf.Snooper(cf.AtMaximum(), cf.KnowsPopulation()),
    cf.Snooper(cf.AtMinimum(), cf.KnowsPopulation(), LARGE),
    cf.Snooper(cf.AtMaximum(), cf.KnowsSample()),
]


@pytest.mark.parametrize("snooper", WHO, ids=lambda s: s.label)
@pytest.mark.parametrize("max_risk", [0.05, 0.6, 3.0])
def test_the_least_noise_meets_the_limit_and_less_does_not(snooper, max_risk):
    found = cf.noise_for_risk(snooper, 40, 2.0, max_risk)
    assert found.risk <= max_risk * (1 + 1e-9)
    assert found.utility == pytest.approx(40 / (2.0 + found.lambda2))
    assert found.efficiency == pytest.approx(2.0 / (2.0 + found.lambda2))
    if found.lambda2 > 0:
        assert found.risk == pytest.approx(max_risk, rel=1e-8)
        for less in (0.0, 0.3, 0.7, 0.99):
            assert float(cf.snooper_risk(snooper, 40, 2.0, less * found.lambda2)) > max_risk


@pytest.mark.parametrize("limit", [math.inf, math.nan, 0.0, -1.0])
def test_limits_that_are_no_positive_numbers_were_taken(limit):
    with pytest.raises(cf.MapError, match="max_risk must be a positive number and finite"):
        cf.noise_for_risk(cf.Snooper(knows=cf.KnowsRecord()), 10, 1.0, limit)


def test_a_wide_limit_needs_next_to_no_noise():
    found = cf.noise_for_risk(cf.Snooper(knows=cf.KnowsRecord()), 10, 1.0, 1e9)
    assert found.lambda2 == pytest.approx(1e-9)
    assert "efficiency 100.0%" in repr(found)


@given(st.integers(2, 500), st.floats(0.01, 100))
@settings(max_examples=30, deadline=None)
def test_the_crossing_of_mean_and_record(n, sigma2):
    at = cf.mean_beats_record_from(n, sigma2)
    assert float(cf.typical_target_risk(n, sigma2, at)) == pytest.approx(1 / at, rel=1e-9)
    inside = cf.mean_beats_record_from(n, sigma2, cf.KnowsSample())
    assert float(cf.sample_target_risk(n, sigma2, inside)) == pytest.approx(1 / inside, rel=1e-9)


def test_crossings_of_a_map():
    found = cf.analytic_map([WHO[0], WHO[2]], n=10, sigma2=3.0)
    assert found.crossings() == pytest.approx([3.0 * 11 / 9])
    assert cf.analytic_map([WHO[0], WHO[2]], n=10, lambda2=[0.1, 0.2]).crossings() == ()
    with pytest.raises(cf.MapError, match="equally dangerous everywhere"):
        found.crossings(0, 0)
    with pytest.raises(cf.MapError, match="at least two"):
        cf.analytic_map(WHO[:2], n=10, lambda2=[0.0, 1.0]).crossings()
    with pytest.raises(cf.MapError, match="in order"):
        cf.crossings(WHO[0], WHO[2], 10, 1.0, low=2.0, high=1.0)


def test_a_map_can_be_read_and_kept(tmp_path):
    found = cf.analytic_map([WHO[0], WHO[2]], n=200, lambda2=[1.0, 0.0, 0.2])
    assert found.lambda2.tolist() == [0.0, 0.2, 1.0]
    assert found.risk[1].tolist() == [math.inf, 5.0, 1.0]
    assert found.worst.tolist() == [math.inf, 5.0, 1.0]
    assert found.efficiency == pytest.approx([1.0, 1 / 1.2, 0.5])
    assert found.points[4] == cf.Point({"snooper": "typical target, record known", "lambda2": 0.2}, 5.0, 200 / 1.2)
    assert found.meets(5.0)[1].lambda2 == pytest.approx(0.2)
    assert found.to_frame().filter(snooper="typical target, record known")["risk"].to_list() == [math.inf, 5.0, 1.0]
    assert repr(found).splitlines()[-1].split() == ["typical", "target,", "record", "known", "inf", "5", "1"]
    pytest.importorskip("matplotlib")
    first = found.plot(tmp_path / "map.svg", max_risk=5.0).read_bytes()
    assert b"largest tolerated risk 5" in first
    assert b"typical target, record known" in first
    assert found.plot(str(tmp_path / "map.svg"), max_risk=5.0).read_bytes() == first
    with pytest.raises(cf.DataError, match="SVG, PNG or PDF"):
        found.plot(tmp_path / "map.gif")


def test_one_snooper_alone():
    assert cf.analytic_map(cf.Snooper(), n=5).risk.shape == (1, 120)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: cf.mean_utility(0, 1.0, 0.1), cf.MapError, "n must be a whole number of at least 1, found 0"),
        (lambda: cf.mean_utility(3, 0.0, 0.1), cf.MapError, "sigma2 must be a positive number"),
        (lambda: cf.mean_utility(3, math.nan, 0.1), cf.MapError, "sigma2 must be a positive number"),
        (lambda: cf.linked_record_risk(-1.0), cf.MapError, "finite and not negative; 1 of 1 are not"),
        (lambda: cf.linked_record_risk(np.array([1.0, math.nan])), cf.MapError, "1 of 2 are not"),
        (lambda: cf.extreme_constants(1), cf.MapError, "at least 2"),
        (lambda: cf.percentile_risk(5, 1.0, 1, 1, 1), cf.MapError, "strictly between 0 and 1"),
        (lambda: cf.sample_average_risk([], 0.0, 1.0, 1.0), cf.MapError, "at least one"),
        (lambda: cf.order_statistic_moments(5, 6), cf.MapError, "rank from 1 to n = 5"),
        (lambda: cf.exact_sample_risk(5, 0, 1.0, 1.0), cf.MapError, "place from 1 to n = 5"),
        (lambda: cf.mean_beats_record_from(1, 1.0), cf.MapError, "n must be at least 2"),
        (lambda: cf.mean_beats_record_from(2, 1.0, cf.KnowsRecord()), cf.MapError, "KnowsPopulation"),
        (lambda: cf.noise_for_risk(cf.Snooper(), 5, 1.0, 0.0), cf.MapError, "max_risk must be a positive number"),
        (lambda: cf.noise_for_risk(cf.Snooper(), 5, 1.0, math.nan), cf.MapError, "max_risk must be a positive number"),
        (lambda: cf.analytic_map([], n=5), cf.MapError, "at least one snooper"),
        (lambda: cf.analytic_map(cf.Snooper(), n=5, lambda2=[]), cf.MapError, "at least one"),
        (lambda: cf.AtPercentile(1.0), cf.IntruderError, r"AtMinimum\(\) or AtMaximum\(\)"),
        (lambda: cf.AtPercentile(0.001).rank(100), cf.IntruderError, r"rounds to 0; give AtMinimum\(\)"),
        (lambda: cf.Snooper("max"), cf.IntruderError, "target is one of Typical"),
        (lambda: cf.Snooper(knows=cf.Typical()), cf.IntruderError, "knows is one of KnowsPopulation"),
        (
            lambda: cf.analytic_map(cf.Snooper(cf.AtMaximum(), cf.KnowsSample(), LARGE), n=5),
            cf.IntruderError,
            "the maximum of the sample itself has no asymptotic form",
        ),
    ],
)
def test_what_is_undefined_is_refused(call, error, says):
    with pytest.raises(error, match=says):
        call()
