"""Controlled adjustment: directions, bounds, reasons, and what can be deduced."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import confide as cf
from reference.perturb_brute import nearest_adjustment


@pytest.fixture
def table():
    return cf.nested_system([[3, 5, 9], [6, 6, 7], [8, 2, 7]])


def test_costs_are_those_asked_for(table):
    levels = cf.Protection.of(table, [5, 10, 14], 0.5)
    ones = np.ones(table.n)
    found = cf.adjust_table(table, levels, costs=ones)
    assert found.distance == pytest.approx(nearest_adjustment(table, levels, ones), rel=1e-6)
    assert found.distance == pytest.approx(np.abs(found.change).sum())


def test_a_width_alone_moves_by_half_of_it(table):
    width = np.where(np.arange(16) == 5, 2.0, 0.0)
    found = cf.adjust_table(table, cf.Protection(np.zeros(16), np.zeros(16), width))
    assert abs(found.change[5]) == pytest.approx(1.0)


def test_a_direction_without_a_level_is_closed(table):
    up = cf.adjust_table(table, cf.Protection(np.zeros(16), np.where(np.arange(16) == 5, 2.0, 0.0)))
    down = cf.adjust_table(table, cf.Protection(np.where(np.arange(16) == 5, 2.0, 0.0), np.zeros(16)))
    assert up.upward.tolist() == [True]
    assert down.upward.tolist() == [False]
    assert up.change[5] == pytest.approx(2.0)
    assert down.change[5] == pytest.approx(-2.0)


def test_empty_cells_go_up():
    system = cf.nested_system([[0, 5], [6, 6]])
    found = cf.adjust_table(system, cf.Protection(np.zeros(9), np.where(np.arange(9) == 4, 1.0, 0.0)))
    assert found.change[4] >= 1


def test_negative_values_are_adjusted():
    system = cf.nested_system([[3, -5], [6, -6.5]])
    found = cf.adjust_table(system, cf.Protection.of(system, [5], 0.2))
    assert abs(found.change[5]) == pytest.approx(1.0)
    assert np.abs(system.equations @ found.values).max() < 1e-9


def test_nothing_sensitive_changes_nothing(table):
    found = cf.adjust_table(table, cf.Protection.of(table, []))
    assert found.values.tolist() == table.values.tolist()
    assert found.changed.size == 0
    empty = cf.System(np.zeros(0), np.zeros((0, 0)))
    assert cf.adjust_table(empty, cf.Protection([], [])).distance == 0


def test_one_cell_without_sums_moves_alone():
    system = cf.System(np.array([7.0, 2.0]), csr_array((0, 2)))
    found = cf.adjust_table(system, cf.Protection.of(system, [0], 0.5))
    assert abs(found.change[0]) == 3.5
    assert found.change[1] == 0


def test_a_cell_among_frozen_ones_is_answered_with_the_reason(table):
    with pytest.raises(cf.Unprotectable, match=r"cell 5 cannot be moved as far as asked: 3 frozen cell") as e:
        cf.adjust_table(table, cf.Protection.of(table, [5], 0.2), frozen=[c for c in range(16) if c != 5])
    assert e.value.cell == 5
    assert len(e.value.frozen) == 3
    assert len(e.value.equations) == 1


def test_cells_that_exclude_each_other_are_the_reason():
    # both parts must go up and their total is frozen
    system = cf.System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]))
    levels = cf.Protection(np.zeros(3), np.array([0.0, 1.0, 1.0]))
    for method in (cf.OptimalAdjustment(), cf.BalancedAdjustment()):
        with pytest.raises(cf.Unprotectable, match="cell 1, cell 2 cannot be moved together.*1 frozen cell"):
            cf.adjust_table(system, levels, frozen=[0], method=method)


def test_a_cell_without_room_is_answered_with_its_bounds(table):
    tight = cf.System(table.values, table.equations, upper=table.values + 1)
    with pytest.raises(cf.Unprotectable, match="their own bounds do not let them go as far as asked: cell 5"):
        cf.adjust_table(tight, cf.Protection(np.zeros(16), np.where(np.arange(16) == 5, 4.0, 0.0)))


def test_many_sensitive_cells_are_repaired():
    rng = np.random.default_rng(4)
    system = cf.nested_system(rng.integers(0, 9, (5, 5, 4)))
    sensitive = np.flatnonzero((system.values > 0) & (system.values < 5))
    levels = cf.Protection.of(system, sensitive, 0.3, least=1)
    found = cf.adjust_table(system, levels)
    assert sensitive.size > 40
    assert not found.optimal
    assert np.abs(system.equations @ found.values).max() < 1e-8
    d = found.change[found.sensitive]
    assert np.all(np.where(d > 0, d - levels.upper[sensitive], -d - levels.lower[sensitive]) >= -1e-9)
    assert 0 < found.bound <= found.distance
    again = cf.adjust_table(system, levels)
    assert again.values.tobytes() == found.values.tobytes()


def test_what_is_told_of_the_table_gives_cells_away(table):
    levels = cf.Protection.of(table, [5], 0.3)
    found = cf.adjust_table(table, levels, costs=table.values)
    assert found.audit().clean
    most = float(found.relative.max())
    low, high = found.intervals(told=most + 1e-9)
    assert np.all((low <= table.values + 1e-9) & (table.values <= high + 1e-9))
    assert np.all(high < np.inf)
    with pytest.raises(cf.TableError, match="changed by more than the share 0.01"):
        found.audit(told=0.01)
    with pytest.raises(cf.TableError, match="found 1"):
        found.audit(told=1.0)


def test_frames_and_largest_changes(table):
    found = cf.adjust_table(table, cf.Protection.of(table, [5, 6], 0.4))
    frame = found.to_frame()
    assert sorted(frame["status"].to_list()).count("kept") == 16 - found.changed.size
    name, share = found.largest(1)[0]
    assert share == pytest.approx(max(r for c, r in enumerate(found.relative) if c not in (5, 6)))
    assert name.startswith("cell")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: cf.adjust_table(t, cf.Protection([1.0], [1.0])), "levels for 1 cells"),
        (lambda t: cf.adjust_table(t, cf.Protection.of(t, [5]), frozen=[5]), "sensitive and frozen at once: cell 5"),
        (lambda t: cf.adjust_table(t, cf.Protection.of(t, [5]), costs=[1.0]), "one for each cell"),
    ],
)
def test_mistakes_are_told(table, call, message):
    with pytest.raises(cf.TableError, match=message):
        call(table)
