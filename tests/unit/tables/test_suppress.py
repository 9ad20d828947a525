"""Suppression: what is asked, what cannot be done, and how a search ends."""

import numpy as np
import pytest

import confide as cf
from reference.table_brute import protected


@pytest.fixture
def table():
    return cf.nested_system([[3, 5, 9], [6, 6, 7], [8, 2, 7]])


def linked():
    """Two tables with the same totals: region by sex and region by age; sums of both over one variable are shared."""
    leaves = np.array([[[3, 5], [2, 7]], [[6, 1], [4, 4]], [[8, 2], [7, 3]]], dtype=float)
    full = cf.nested_system(leaves)
    place = np.arange(full.n).reshape(4, 3, 3)
    kept = np.unique(np.concatenate([place[:, :, 0].ravel(), place[:, 0, :].ravel()]))
    rows = [r for r in range(full.equations.shape[0]) if np.isin(full.equations[[r]].indices, kept).all()]
    return cf.System(full.values[kept], full.equations[rows][:, kept])


def test_linked_tables_are_protected_as_one_system():
    system = linked()
    sensitive = np.flatnonzero(system.values == 5)
    found = cf.suppress(system, protection=cf.Protection.of(system, sensitive, 0.5), method=cf.Exact())
    assert found.audit.clean
    assert protected(system, found.suppressed, found.audit.protection)


def test_frozen_cells_are_published(table):
    levels = cf.Protection.of(table, [5], 0.2)
    free = cf.suppress(table, protection=levels)
    frozen = free.secondary[0]
    found = cf.suppress(table, protection=levels, frozen=[frozen])
    assert frozen not in found.suppressed
    assert found.audit.clean


def test_safe_cells_are_not_protected(table):
    found = cf.suppress(table, [5, 10], safe=[5, 10])
    assert found.suppressed.size == 0
    assert found.gap is None
    assert "audit clean" in repr(found)


def test_the_previous_pattern_is_kept_where_it_can_be(table):
    levels = cf.Protection.of(table, [5], 0.2)
    ones = np.ones(table.n)
    first = cf.suppress(table, protection=levels, costs=ones, frozen=[6])
    again = cf.suppress(table, protection=levels, costs=ones, previous=first.suppressed, method=cf.Exact())
    assert again.suppressed.tolist() == first.suppressed.tolist()


def test_costs_by_count_take_the_fewest_cells(table):
    found = cf.suppress(table, protection=cf.Protection.of(table, [5], 0.2), costs=np.ones(table.n), method=cf.Exact())
    assert found.suppressed.size == 4
    assert found.cost == 4.0
    assert found.gap == pytest.approx(0.0, abs=1e-9)


def test_a_cell_among_frozen_ones_is_answered_with_the_reason(table):
    with pytest.raises(
        cf.Unprotectable, match=r"cell 5 cannot be protected: 3 frozen cell\(s\) give it away: .*cell 4 = "
    ) as e:
        cf.suppress(table, protection=cf.Protection.of(table, [5], 0.2), frozen=[c for c in range(16) if c != 5])
    assert e.value.cell == 5
    assert len(e.value.frozen) == 3
    assert {4, 6, 7} == set(e.value.frozen) or {1, 9, 13} == set(e.value.frozen)
    assert e.value.equations


def test_a_cell_with_no_room_is_answered_with_its_bounds(table):
    levels = cf.Protection(np.zeros(table.n), np.where(np.arange(table.n) == 5, 4.0, 0.0))
    tight = cf.System(table.values, table.equations, upper=table.values + 1)
    with pytest.raises(cf.Unprotectable, match="its own bounds do not let it go up"):
        cf.suppress(tight, protection=levels)


def test_a_total_that_all_know_cannot_be_protected(table):
    levels = cf.Protection(np.zeros(table.n), np.where(np.arange(table.n) == 0, 4.0, 0.0))
    upper = np.where(np.arange(table.n) == 0, np.inf, table.values)
    known = cf.System(table.values, table.equations, upper=upper)
    with pytest.raises(cf.Unprotectable, match="even with every cell suppressed"):
        cf.suppress(known, protection=levels)


def test_a_cell_cannot_be_sensitive_and_frozen(table):
    with pytest.raises(cf.TableError, match="sensitive and frozen at once: cell 5"):
        cf.suppress(table, [5], frozen=[5])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (cf.suppress, "name the sensitive cells"),
        (lambda t: cf.suppress(t, [99]), "counted from 0 to 15; found 99"),
        (lambda t: cf.suppress(t, [5], costs=[1.0]), "one for each cell"),
        (lambda t: cf.suppress(t, [5], time_limit=0.0), "within 0 seconds"),
        (lambda t: cf.suppress(t, protection=cf.Protection([1.0], [1.0])), "levels for 1 cells"),
    ],
)
def test_mistakes_are_told(table, call, message):
    with pytest.raises(cf.TableError, match=message):
        call(table)


def test_insiders_need_more_cells_than_everybody(table):
    # the only respondents of both cells of a row know each other's value from the sum
    levels = cf.Protection.of(table, [5, 6, 9, 10], 0.1)
    everybody = cf.suppress(table, protection=levels)
    assert everybody.secondary.size == 0
    attackers = cf.insiders(table, [5, 6, 9, 10])
    exposed = cf.audit(table, everybody.suppressed, levels, attackers)
    assert {e.attacker for e in exposed.exposed} == {a.name for a in attackers}
    found = cf.suppress(table, protection=levels, attackers=attackers)
    assert found.audit.clean
    assert protected(table, found.suppressed, levels, attackers)


def test_a_time_limit_keeps_the_best_pattern_found():
    rng = np.random.default_rng(5)
    system = cf.nested_system(rng.integers(0, 60, (9, 9)))
    sensitive = np.flatnonzero((system.values > 0) & (system.values < 9))
    found = cf.suppress(system, protection=cf.Protection.of(system, sensitive, 0.3), method=cf.Exact(), time_limit=20)
    assert found.audit.clean
    assert 0 <= found.gap <= 1
    assert found.bound <= found.cost * (1 + 1e-9)


def test_an_interruption_while_improving_keeps_the_pattern(table):
    calls = []

    def stop(done, total):
        calls.append(done)
        if total == 1000:
            raise KeyboardInterrupt

    found = cf.suppress(table, protection=cf.Protection.of(table, [5, 10], 0.2), method=cf.Exact(), progress=stop)
    assert calls
    assert found.audit.clean
    assert not found.finished
    assert "stopped early" in repr(found)


@pytest.mark.parametrize("method", [cf.Heuristic(), cf.Exact()])
def test_nothing_sensitive_needs_no_pattern(table, method):
    assert cf.suppress(table, [], method=method).suppressed.size == 0
    assert cf.suppress(cf.System(np.zeros(0), np.zeros((0, 0))), [], method=method).audit.clean


def test_frames_show_status_and_publish_no_suppressed_value(table):
    found = cf.suppress(table, protection=cf.Protection.of(table, [5], 0.2))
    frame = found.to_frame()
    assert frame["status"].value_counts().sort("count")["count"].to_list() == [1, 3, 12]
    assert np.isnan(found.published).sum() == 4
    assert found.audit.to_frame()["exposed"].sum() == 0


def test_a_table_of_microdata_is_protected_by_its_rule():
    rng = np.random.default_rng(3)
    people = cf.Microdata.from_dict(
        {
            "region": rng.choice(["a", "b", "c", "d"], 90).tolist(),
            "branch": rng.choice(["x", "y", "z"], 90).tolist(),
            "turnover": np.round(rng.lognormal(3, 1.2, 90)).tolist(),
        }
    )
    made = cf.tabulate(people, ["region", "branch"], "turnover")
    system = cf.System.of_table(made)
    levels = cf.Protection.by_rule(cf.PPercentRule(20), made)
    assert levels.sensitive.tolist() == np.flatnonzero(cf.PPercentRule(20).sensitive(made)).tolist()
    found = cf.suppress(system, protection=levels)
    assert levels.sensitive.size
    assert found.audit.clean
    assert protected(system, found.suppressed, levels)
