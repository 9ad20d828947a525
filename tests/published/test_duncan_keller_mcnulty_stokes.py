"""Duncan, Keller-McNulty and Stokes 2001: the R-U confidentiality map."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import confide as cf
from published import run_cases

ALL = json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))["cases"]
MINE = {c["name"]: c for c in ALL if c["kind"].startswith("ru_") or c["kind"] == "empirical_ru"}
INACCURATE = "003-K-100000"
"""Its variance is .07390922476; integrated with 30 digits it is .0739092321967581680, off by 1.006 times the tolerance."""

LARGE = cf.AsymptoticForm()
MEAN, LINKED = cf.Snooper(), cf.Snooper(knows=cf.KnowsRecord())
EQ8 = cf.Snooper(cf.AtPercentile(0.99), cf.KnowsPopulation(), LARGE)
EQ10 = cf.Snooper(cf.AtMaximum(), cf.KnowsPopulation(), LARGE)
INCOMES = cf.examples.teachers().column("income").numbers
AT_ZERO = cf.AddedNoise(lower=0)
LIMIT = 4.0e-8


@pytest.mark.parametrize("name", list(MINE))
def test_case(name):
    assert run_cases.run(MINE[name]) == []


def test_moments_of_the_maximum_of_100000_with_30_digits():
    # mpmath 1.3, 30 digits: quad of n Phi(z)^(n-1) phi(z) z^k over (2.5, 12)
    found = cf.order_statistic_moments(100_000, 100_000)
    assert found == pytest.approx((4.38431940310758811, 0.0739092321967581680), rel=1e-13)


def test_the_stored_variance_is_off_by_a_little_more_than_its_tolerance():
    stored, right = MINE[INACCURATE]["value"]["exact_var"], run_cases.CORRECTED[INACCURATE]["exact_var"]
    assert 1e-7 < abs(stored / right - 1) < 1.01e-7


def test_equation_4_and_2_cross_where_corrected():
    (at,) = cf.crossings(MEAN, LINKED, 200, 1.0)
    assert at == pytest.approx(201 / 199, rel=1e-9)
    assert at == pytest.approx(cf.mean_beats_record_from(200, 1.0))
    (inside,) = cf.crossings(cf.Snooper(cf.Typical(), cf.KnowsSample()), LINKED, 200, 1.0)
    assert inside == pytest.approx(1.0, rel=1e-9)


def test_equation_6_for_given_values_is_at_most_1_over_lambda2_only_by_the_text():
    # After (7): 'R is maximised ... R = 1/lambda2'. Figure 6 of the same report says otherwise.
    lambda2 = 0.12 * INCOMES.var(ddof=1)
    assert cf.given_sample_risk(INCOMES, 175, lambda2, AT_ZERO) > 1.25 / lambda2


def test_equation_7_position_beats_index_at_the_99th_percentile():
    true = cf.exact_sample_risk(200, 198, 1.0, np.array([0.05, 0.2, 0.5, 1.0, 2.0]))
    assert true == pytest.approx([41.6417, 10.5874, 2.99592, 1.02593, 0.350625], rel=0.01)  # 60,000 replicates
    assert (true > 1 / np.array([0.05, 0.2, 0.5, 1.0, 2.0])).tolist() == [True, True, True, True, False]


def test_equation_8_is_19_to_39_per_cent_low():
    lambda2 = np.array([0.05, 0.2, 0.5, 1.0, 2.0])
    off = cf.normal_percentile_risk(200, 0.99, 1.0, lambda2) / cf.exact_percentile_risk(200, 0.99, 1.0, lambda2) - 1
    assert off == pytest.approx([-0.200, -0.386, -0.341, -0.253, -0.186], abs=6e-4)


def test_equation_8_has_a_positive_limit_and_10_has_none():
    sizes = (10**2, 10**4, 10**8, 10**16)
    assert float(cf.normal_percentile_risk(10**16, 0.99, 1.0, 0.5)) == pytest.approx(3.65823, abs=1e-5)
    found = [float(cf.expected_maximum_risk(n, 1.0, 0.5)) for n in sizes]
    assert found == pytest.approx([1.672, 1.122, 0.582, 0.285], abs=5e-4)


def test_equation_10_is_74_per_cent_below_the_risk_of_the_sample_maximum():
    lambda2 = np.array([0.05, 0.2, 0.5, 1.0, 2.0])
    off = cf.expected_maximum_risk(200, 1.0, lambda2) / cf.exact_sample_risk(200, 200, 1.0, lambda2) - 1
    assert off == pytest.approx([-0.739, -0.260, -0.020, 0.007, -0.006], abs=6e-4)
    assert float(cf.expected_maximum_risk(200, 1.0, 0.0)) == pytest.approx(1 / cf.extreme_constants(200)[1])
    assert float(cf.exact_sample_risk(200, 200, 1.0, 1e-6)) > 9e5


def test_figure_1_utilities():
    assert cf.relative_utility(np.array([0.0049, 0.2333, 9.0])) == pytest.approx([0.99512, 0.81083, 0.1], abs=1e-5)


def test_figure_2_the_noise_for_a_risk_of_5():
    found = cf.analytic_map([MEAN, LINKED], n=200)
    mean, linked = found.meets(5.0)
    assert mean.lambda2 == 0.0  # 'no noise addition is necessary'
    assert mean.risk == pytest.approx(0.995025, abs=1e-6)
    assert linked.lambda2 == pytest.approx(0.20)  # printed .21, a step of a grid
    assert linked.utility == pytest.approx(166.667, abs=1e-3)
    assert float(cf.mean_utility(200, 1.0, 0.21)) == pytest.approx(165, abs=0.5)


def test_figure_3_the_maps_cross():
    assert cf.crossings(EQ8, MEAN, 200, 1.0) == pytest.approx([0.964534], abs=1e-6)
    assert cf.crossings(EQ8, LINKED, 200, 1.0) == pytest.approx([0.0849848, 0.8866], abs=5e-5)


def test_figure_4_an_extreme_is_worth_less_by_equation_10_but_not_in_truth():
    found = cf.analytic_map([EQ10, EQ8, LINKED], n=200, lambda2=np.linspace(0.01, 9, 900))
    assert np.all(found.risk[0] < found.risk[1:].min(axis=0))
    assert float(cf.exact_sample_risk(200, 200, 1.0, 0.05)) > 20


def test_table_1():
    quantiles = [cf.target_value(INCOMES, cf.AtPercentile(p)) for p in (0.01, 0.1, 0.9, 0.99)]
    assert quantiles == [2_000, 7_200, 35_000, 70_000]
    assert (INCOMES.min(), INCOMES.max()) == (2_000, 95_200)
    assert INCOMES.mean() == pytest.approx(20_100, abs=50)
    assert INCOMES.std(ddof=1) == pytest.approx(13_300, abs=50)
    assert INCOMES.size / INCOMES.var(ddof=1) == pytest.approx(10.0e-7, abs=0.05e-7)


def test_figure_5_the_minimum_is_never_safe():
    found = cf.empirical_map(INCOMES, cf.Snooper(cf.AtMinimum(), cf.KnowsSample()), masking=AT_ZERO, seed=1)
    assert found.meets(LIMIT) == (None,)
    assert found.risk.min() == pytest.approx(1 / 2_000**2, rel=1e-3)


def test_figure_5_the_maximum_at_12_per_cent():
    lambda2 = 0.12 * INCOMES.var(ddof=1)
    assert cf.given_sample_risk(INCOMES, 177, lambda2, AT_ZERO) == pytest.approx(4.71e-8, rel=0.01)
    found = cf.empirical_map(
        INCOMES, cf.Snooper(cf.AtMaximum(), cf.KnowsSample()), masking=AT_ZERO, lambda2=[lambda2], seed=1
    )
    assert found.efficiency[0] == pytest.approx(0.89, abs=0.02)
    # with M = 200 the printed 4.0e-8 is within two standard errors of the risk
    assert abs(LIMIT / 4.71e-8 - 1) < 2 * found.risk_error[0, 0] / found.risk[0, 0]


def test_figure_6_position_beats_index():
    who = [cf.Snooper(cf.AtPercentile(0.99), knows) for knows in (cf.KnowsSample(), cf.KnowsRecord())]
    found = cf.empirical_map(INCOMES, who, masking=AT_ZERO, replicates=2_000, seed=1)
    assert np.all(found.risk[0] > found.risk[1])


def test_figure_7_unequal_variance_keeps_more_utility():
    who, fine = cf.Snooper(cf.AtPercentile(0.99), cf.KnowsSample()), np.linspace(0.05, 1.0, 39)
    unequal = cf.AddedNoise(lower=0, variance_above={35_000: 2})
    equal, twice = (
        cf.empirical_map(INCOMES, who, masking=m, fractions=fine, replicates=2_000, seed=1).meets(LIMIT)[0]
        for m in (AT_ZERO, unequal)
    )
    assert twice.utility > 1.05 * equal.utility
