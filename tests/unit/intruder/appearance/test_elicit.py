"""Judgements about relative error become distributions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import confide as cf

FAMILIES = [cf.LognormalAppearance, cf.NormalAppearance, cf.LaplaceAppearance]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("error", "probability"), [(0.01, 0.5), (0.3, 0.75), (0.99, 0.2), (1.0, 0.99), (5.0, 0.9)])
def test_one_statement_is_met_exactly(family, error, probability):
    belief = cf.elicit(within={error: probability}, family=family)
    assert belief.misfit < 1e-12
    assert belief.alone == (pytest.approx(belief.sd),)
    y = 40.0 * np.array([max(1 - error, 1e-300), 1 + error])
    if family is cf.LognormalAppearance:
        below, above = stats.lognorm.cdf(y, belief.sd, scale=40)
    else:
        below, above = (stats.norm if family is cf.NormalAppearance else stats.laplace).cdf(
            40 * np.array([1 - error, 1 + error]), 40, 40 * belief.sd
        )
    assert above - below == pytest.approx(probability, abs=1e-12)


def test_closed_forms():
    assert cf.elicit(surely=1.0, family=cf.NormalAppearance).sd == pytest.approx(1 / stats.norm.ppf(0.995), rel=1e-12)
    assert cf.elicit(probably=0.3, family=cf.LaplaceAppearance).sd == pytest.approx(0.3 / np.log(4), rel=1e-12)
    assert cf.elicit(surely=1.0).sd == pytest.approx(np.log(2) / stats.norm.ppf(0.99), rel=1e-12)


def test_within_a_factor_as_lambert_describes_a_lognormal():
    """Within a factor exp(2 sigma) with probability .9545, called .95 in the paper (1993, 4.1)."""
    probability = stats.norm.cdf(2) - stats.norm.cdf(-2)
    assert cf.elicit(within={np.exp(2) - 1: probability}, as_factor=True).sd == pytest.approx(1.0, rel=1e-10)


def test_two_statements_that_one_spread_cannot_meet_show_their_misfit():
    belief = cf.elicit(surely=1.00, probably=0.30)
    low, high = belief.alone
    assert belief.sd == pytest.approx(np.sqrt(low * high))
    assert low < belief.sd < high
    assert belief.misfit == pytest.approx(max(abs(j.implied - j.stated) for j in belief.judgements))
    assert 0.02 < belief.misfit < 0.03
    implied = stats.lognorm.cdf(1.3, belief.sd) - stats.lognorm.cdf(0.7, belief.sd)
    assert belief.judgements[0] == pytest.approx((0.7, 1.3, 0.75, implied))
    assert "stated 0.9900" in str(belief)


def test_statements_that_agree_have_no_misfit():
    p = stats.norm.cdf(np.array([0.2, 0.5, 1.0]) / 0.4) * 2 - 1
    belief = cf.elicit(within=dict(zip([0.2, 0.5, 1.0], p, strict=True)), family=cf.NormalAppearance)
    assert belief.sd == pytest.approx(0.4)
    assert belief.misfit < 1e-12


def test_the_words_stand_for_what_the_user_says():
    words = cf.elicit(surely=1.0, likely=0.5, probably=0.2, surely_means=0.95, likely_means=0.8, probably_means=0.6)
    numbers = cf.elicit(within={1.0: 0.95, 0.5: 0.8, 0.2: 0.6})
    assert words == numbers
    assert [j.stated for j in cf.elicit(surely=1.0, likely=0.5, probably=0.2).judgements] == [0.75, 0.90, 0.99]


@pytest.mark.parametrize("family", FAMILIES)
def test_quantiles(family):
    exact = cf.elicit_quantiles({0.1: 0.5, 0.8: 1.1}, family=family)
    assert exact.misfit < 1e-12
    p = np.array([0.05, 0.3, 0.5, 0.9])
    q = {
        cf.LognormalAppearance: stats.lognorm.ppf(p, 0.3, scale=0.9),
        cf.NormalAppearance: stats.norm.ppf(p, 0.9, 0.3),
        cf.LaplaceAppearance: stats.laplace.ppf(p, 0.9, 0.3),
    }[family]
    found = cf.elicit_quantiles(dict(zip(p, q, strict=True)), family=family)
    assert (found.centre, found.sd) == (pytest.approx(0.9), pytest.approx(0.3))
    assert found.alone == pytest.approx([0.3] * 3)
    assert found.misfit < 1e-12
    assert cf.elicit_quantiles({0.05: 0.5, 0.5: 0.9, 0.95: 1.4}, family=family).misfit > 0.005


def test_a_belief_is_used_as_the_spread_of_its_family():
    values = np.array([10.0, -40.0])
    belief = cf.elicit(surely=1.0, family=cf.NormalAppearance)
    assert np.allclose(cf.NormalAppearance.around(values, sd=belief).sd.ravel(), belief.sd * np.abs(values))
    belief = cf.elicit_quantiles({0.1: 0.6, 0.9: 1.0})
    found = cf.LognormalAppearance.around([10.0, 20.0], sd=belief)
    assert np.allclose(np.exp(found.centre.ravel()), np.sqrt(0.6) * np.array([10, 20]))
    assert np.allclose(found.sd, belief.sd)
    other = cf.elicit(probably=0.1)
    two = cf.LognormalAppearance.around([[10.0, 5.0]], sd=[belief, other])
    assert np.allclose(two.sd, [[belief.sd, other.sd]])
    shifted = cf.elicit_quantiles({0.1: 0.6, 0.9: 1.0}, family=cf.LaplaceAppearance)
    placed = cf.LaplaceAppearance.at_quantiles(cf.Uniform(0, 4), 1, scale=shifted)
    assert np.allclose([placed.centre, placed.scale], [[[1.6]], [[2 * shifted.sd]]])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (cf.elicit, "say something"),
        (lambda: cf.elicit(surely=0.3, probably=1.0), "contradict each other: within 0.3 .* 0.99, but within 1 with 0.75"),
        (lambda: cf.elicit(surely=0.3, within={0.3: 0.5}), "contradict"),
        (lambda: cf.elicit(surely=0.0), "must be positive"),
        (lambda: cf.elicit(surely=1.0, surely_means=1.0), "wholly certain"),
        (lambda: cf.elicit(within={1.0: 0.4}), "half of a lognormal lies below its median"),
        (lambda: cf.elicit(surely=1.0, family=cf.UniformAppearance), "family must be"),
        (lambda: cf.elicit_quantiles({0.5: 1.0}), "two or more"),
        (lambda: cf.elicit_quantiles({0.5: 1.0, 0.9: 0.8}), "must increase"),
        (lambda: cf.elicit_quantiles({0.5: -1.0, 0.9: 0.8}), "must be positive"),
        (lambda: cf.elicit_quantiles({0.0: 1.0, 0.9: 2.0}), "between 0 and 1"),
        (lambda: cf.NormalAppearance.around([1.0], sd=cf.elicit(surely=1.0)), "fitted for LognormalAppearance"),
        (lambda: cf.LognormalAppearance.around([[1.0, 2.0]], sd=[cf.elicit(surely=1.0), 0.3]), "one for each of the 2"),
    ],
)
def test_what_cannot_be_elicited(make, message):
    with pytest.raises(cf.IntruderError, match=message):
        make()
