"""Where two curves of a map cross."""

import pytest

from confide.rumap.general.crossing import crossings
from confide.rumap.point import Point


def curve(*pairs):
    """Make points from pairs of utility and risk."""
    return [Point({}, risk, utility) for utility, risk in pairs]


def test_curves_cross_between_their_points():
    found = crossings(curve((0.0, 0.1), (0.5, 0.2), (1.0, 0.9)), curve((0.0, 0.3), (1.0, 0.5)))
    assert len(found) == 1
    risk, utility = found[0]
    assert utility == pytest.approx(0.5 + 0.5 * 0.2 / 0.6)
    assert risk == pytest.approx(0.3 + 0.2 * utility)


def test_curves_that_meet_at_a_point_or_run_together():
    assert crossings(curve((0, 0.2), (1, 0.4)), curve((0, 0.2), (1, 0.9))) == ((0.2, 0.0),)
    same = curve((0, 0.2), (0.4, 0.3), (0.8, 0.4), (1, 0.5))
    assert [u for _, u in crossings(same, curve((0, 0.2), (0.4, 0.3), (0.8, 0.4), (1, 0.9)))] == [0.0, 0.8]


def test_curves_cross_twice():
    found = crossings(curve((0, 0.5), (1, 0.5)), curve((0, 0.7), (0.5, 0.1), (1, 0.7)))
    assert [round(u, 6) for _, u in found] == [round(0.5 / 3, 6), round(1 - 0.5 / 3, 6)]
    assert all(risk == pytest.approx(0.5) for risk, _ in found)


def test_curves_without_common_utilities_do_not_cross():
    assert crossings(curve((0, 0.1), (0.4, 0.9)), curve((0.5, 0.9), (1, 0.1))) == ()
    assert crossings(curve((0, 0.1)), curve((0, 0.1), (1, 0.2))) == ()
    assert crossings(curve((0, 0.1), (1, 0.2)), curve((0, 0.3), (1, 0.4))) == ()
