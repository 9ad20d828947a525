"""What attackers conclude from several equations together."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.tables.nested import nested_system
from confide.tables.own import with_own_conclusions
from confide.tables.own_limits import OwnLimits

TOTAL, COLUMN, ROW, CORNER = 0, 1, 4, 5


@pytest.fixture
def system():
    return nested_system([[3, 3, 4], [2, 3, 3], [5, 4, 3]])


@pytest.fixture
def insider(system):
    """Knows the total 30, the first row's sum 10 and its first cell 3: the other two cells of the row, 7 together, are parts
    of the other columns, so that the first column is at most 23."""
    return cf.Attacker.knowing(system, [TOTAL, ROW, CORNER], "insider")


def level(system, up):
    levels = np.zeros((2, system.n))
    levels[1, COLUMN] = up
    return cf.Protection(levels[0], levels[1])


def test_single_equations_do_not_see_it(system, insider):
    alone = with_own_conclusions(system, [insider])[0]
    assert alone.room(system, np.array([COLUMN]))[1] == 20.0


def test_all_equations_together_do(system, insider):
    alone = with_own_conclusions(system, [insider])[0]
    more = OwnLimits(system).added(alone, COLUMN, (0.0, 15.0, 0.0))
    assert more.upper[COLUMN] == pytest.approx(23.0)


def test_nothing_is_added_where_the_level_can_be_had(system, insider):
    assert OwnLimits(system).added(insider, COLUMN, (0.0, 12.0, 0.0)) is None


def test_a_width_is_limited_too(system, insider):
    """From 3 to 23."""
    alone = with_own_conclusions(system, [insider])[0]
    more = OwnLimits(system).added(alone, COLUMN, (0.0, 0.0, 25.0))
    assert [float(x[0]) for x in more.room(system, np.array([COLUMN]))] == pytest.approx([7.0, 13.0])


def test_an_audit_does_not_ask_for_more(system, insider):
    everything = np.arange(system.n)
    assert cf.audit(system, everything, level(system, 15.0), [insider]).clean


def test_an_audit_still_finds_what_a_pattern_gives_away(system, insider):
    """With the second column published, the first is at most 20."""
    hidden = np.setdiff1d(np.arange(system.n), [2])
    assert not cf.audit(system, hidden, level(system, 15.0), [insider]).clean


def test_a_search_finds_a_pattern(system, insider):
    found = cf.suppress(system, protection=level(system, 15.0), attackers=[insider])
    assert found.audit.clean
    assert 2 in found.suppressed


def test_rounding_is_no_room():
    system = nested_system([[650.758827570826, 3.0], [2.0, 4.0]])
    cell = int(np.flatnonzero(system.values == 650.758827570826)[0])
    x = float(system.values[cell])
    known = cf.Attacker("insider", {cell: x - 1e-13}, {cell: x})
    assert [float(side[0]) for side in known.room(system, np.array([cell]))] == [0.0, 0.0]
