"""Intervals keep their level: coverage is added up over all outcomes, not simulated."""

import numpy as np
import pytest
from scipy.stats import binom

import confide as cf
from confide.risk.attacks.interval import deviate, ratio_limits, wilson

SHARES = [0.02, 0.1, 0.5, 0.9, 0.98]


def weights(n1, p1, n0, p0):
    x1, x0 = np.arange(n1 + 1)[:, None], np.arange(n0 + 1)[None]
    return x1, x0, binom.pmf(x1, n1, p1) * binom.pmf(x0, n0, p0)


def coverage(main, control, n1, n0, level=0.95):
    """The chance that the interval of the risk holds the true one; failures are counted."""
    x1, x0, w = weights(n1, 1 - main, n0, 1 - control)
    low, high = ratio_limits(x1, n1, x0, n0, level)
    true = (1 - main) / (1 - control)
    return float(w[(low <= true) & (true <= high)].sum())


def published_coverage(main, control, n1, n0):
    """The same of first-order propagation of Wilson's half widths, around his centres, before it is cut off."""
    z = deviate(0.95)
    x1, x0, w = weights(n1, main, n0, control)
    (a, ea), (c, ec) = (
        ((x + z**2 / 2) / (n + z**2), z / (n + z**2) * np.sqrt(x * (n - x) / n + z**2 / 4)) for x, n in ((x1, n1), (x0, n0))
    )
    value, error = (a - c) / (1 - c), np.hypot(ea / (1 - c), ec * (1 - a) / (1 - c) ** 2)
    return float(w[np.abs(value - (main - control) / (1 - control)) <= error].sum())


def test_wilson_as_published():
    # Newcombe 1998, Table I, method 3
    for x, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = wilson(x, n)
        assert (round(float(found[0]), 4), round(float(found[1]), 4)) == (low, high)


def test_the_ratio_as_published():
    low, high = ratio_limits(36, 40, 16, 80)  # Koopman 1984, the example
    assert (round(float(low), 2), round(float(high), 2)) == (2.94, 7.15)


def test_limits_where_nothing_or_everything_happens():
    low, high = ratio_limits([0, 3, 10, 0], 10, [3, 0, 10, 0], 10)
    assert low[0] == 0
    assert high[1] == np.inf
    assert low[2] == pytest.approx(1 / high[2])
    assert (low[3], high[3]) == (0, np.inf)
    assert np.all(low < high)


def test_swapping_the_groups_inverts_the_interval():
    low, high = ratio_limits(7, 30, 21, 50)
    other = ratio_limits(21, 50, 7, 30)
    assert (float(low), float(high)) == pytest.approx((1 / float(other[1]), 1 / float(other[0])))


@pytest.mark.parametrize(("sizes", "least"), [((50, 50), 0.92), ((200, 50), 0.94), ((100, 100), 0.94), ((200, 200), 0.93)])
def test_the_risk_is_covered_at_its_level(sizes, least):
    found = [coverage(m, c, *sizes) for m in SHARES for c in SHARES if m >= c]
    assert min(found) > least, "the worst are rates near 1 against rates near 0"
    assert 0.945 < np.mean(found) < 0.96


@pytest.mark.parametrize("level", [0.8, 0.99])
def test_other_levels_are_kept_too(level):
    found = [coverage(m, c, 200, 200, level) for m, c in ((0.1, 0.1), (0.5, 0.2), (0.9, 0.5))]
    assert found == pytest.approx([level] * 3, abs=0.012)


def test_the_published_interval_does_not_keep_it():
    # the number in the docstring of AttackRisk
    assert published_coverage(0.98, 0.98, 200, 50) == pytest.approx(0.59, abs=0.005)
    assert coverage(0.98, 0.98, 200, 50) > 0.945
    # where rates are moderate the two agree
    assert published_coverage(0.3, 0.1, 500, 500) == pytest.approx(coverage(0.3, 0.1, 500, 500), abs=0.01)


@pytest.mark.parametrize("level", [0, 1, 95, float("nan")])
def test_a_level_is_a_share(level):
    with pytest.raises(cf.IntruderError, match="level must lie between 0 and 1"):
        wilson(1, 2, level)
