"""Controlled rounding: what is kept, what cannot be done, and what can be deduced."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import confide as cf


@pytest.fixture
def table():
    return cf.nested_system([[3, 5, 9], [6, 6, 7], [8, 2, 7]])


HALVES = [[[1, 0, 1], [0, 1, 1], [1, 1, 0]], [[0, 0, 0], [1, 0, 1], [1, 0, 1]], [[1, 0, 1], [1, 1, 0], [0, 1, 1]]]
"""A table of three variables with even totals that no rounding of its cells to neighbouring even numbers keeps."""


def test_a_table_without_neighbouring_rounding_takes_more_steps():
    system = cf.nested_system(np.array(HALVES, dtype=float))
    found = cf.round_table(system, 2)
    assert found.most_steps == 2
    assert found.stepped.size
    assert found.optimal
    assert not np.any(system.equations @ found.values)
    assert "by up to 2 steps" in repr(found)
    with pytest.raises(cf.Unprotectable, match=r"no rounding within 1 step\(s\) adds up in"):
        cf.round_table(system, 2, method=cf.OptimalRounding(steps=1))
    low, high = found.intervals()
    assert np.all((low <= system.values) & (system.values <= high))


def test_multiples_stay_as_they_are():
    system = cf.nested_system([[5, 10], [0, 15]])
    found = cf.round_table(system, 5)
    assert found.values.tolist() == system.values.tolist()
    assert found.distance == 0
    assert found.gap == 0


def test_linked_tables_keep_all_sums():
    rng = np.random.default_rng(3)
    people = cf.Microdata.from_dict({v: rng.choice(list("abcd"), 300).tolist() for v in ("area", "sex", "age")})
    linked = cf.link_tables(cf.tabulate(people, ["area", "sex"]), cf.tabulate(people, ["area", "age"]))
    system = cf.System.of_table(linked)
    for method in (cf.OptimalRounding(), cf.FamilyRounding()):
        found = cf.round_table(system, 5, method=method)
        assert not np.any(system.equations @ found.values)
        assert np.all(found.values % 5 == 0)


def test_negative_values_round_too():
    system = cf.nested_system([[3, -5], [6, -6.5]])
    found = cf.round_table(system, 5)
    assert found.distance == pytest.approx(12.0)
    assert np.all(np.abs(found.values - system.values) < 5)


def test_a_base_above_all_values_leaves_nothing(table):
    assert not cf.round_table(table, 1000).values.any()


@pytest.mark.parametrize(
    "system",
    [
        cf.System(np.zeros(0), np.zeros((0, 0))),
        cf.System(np.array([7.0]), csr_array((0, 1))),
        cf.System(np.array([7.0, -3.0, 0.0]), csr_array((0, 3))),
        cf.nested_system(np.full((3, 3), 2.0)),
        cf.nested_system(np.zeros((2, 2))),
    ],
    ids=["empty", "one cell", "no equations", "all equal", "all zero"],
)
@pytest.mark.parametrize("method", [cf.OptimalRounding(), cf.FamilyRounding()])
def test_odd_systems_round(system, method):
    found = cf.round_table(system, 5, method=method)
    assert np.all(np.abs(found.values - system.values) < 5)
    low, high = found.intervals()
    assert np.all((low <= system.values) & (system.values <= high))


def test_fixed_cells_take_their_nearest_multiple(table):
    free = cf.round_table(table, 5)
    assert free.values[0] == 50
    found = cf.round_table(table, 5, fixed=[0])
    assert found.values[0] == 55
    assert found.distance >= free.distance
    low, high = found.intervals()
    assert (low[0], high[0]) == (53, 57)


def test_fixed_cells_that_do_not_add_up_are_the_reason(table):
    with pytest.raises(cf.Unprotectable, match="with 4 fixed cell") as e:
        cf.round_table(table, 5, fixed=range(16))
    assert len(e.value.frozen) == 4
    assert len(e.value.equations) == 1


def test_sums_sharpen_what_is_deduced():
    system = cf.nested_system([[4, 4], [4, 4]])
    found = cf.round_table(system, 5)
    low, high = found.intervals()
    # the total of 16 is published as 15, its rows as 5 and 10, cells as 5 or 0
    assert np.all(high - low < 9)
    assert found.audit().clean


def test_sensitive_cells_without_their_levels_are_listed(table):
    near = cf.round_table(table, 5, protection=cf.Protection.of(table, [5], 0.3))
    assert near.audit().clean
    far = cf.round_table(table, 5, protection=cf.Protection(np.zeros(16), np.where(np.arange(16) == 5, 20.0, 0.0)))
    assert [e.cell for e in far.audit(exact=False).exposed] == [5]


def test_values_that_are_not_whole_are_less_certain():
    whole, broken = cf.nested_system([[4.0, 4.0]]), cf.nested_system([[4.0, 4.5]])
    assert cf.round_table(whole, 5).intervals()[0].tolist() != cf.round_table(broken, 5).intervals()[0].tolist()


def test_the_time_limit_is_told(table):
    with pytest.raises(cf.TableError, match="no rounding was found within 0 seconds, for 16 cells"):
        cf.round_table(table, 5, time_limit=0.0)


def test_the_same_table_rounds_to_the_same_bytes():
    rng = np.random.default_rng(2)
    system = cf.nested_system(rng.integers(0, 40, (6, 5, 4)))
    for method in (cf.OptimalRounding(), cf.FamilyRounding()):
        a, b = (cf.round_table(system, 5, method=method).values for _ in range(2))
        assert a.tobytes() == b.tobytes()


def test_the_heuristic_is_told_and_bounded():
    rng = np.random.default_rng(2)
    system = cf.nested_system(rng.integers(0, 40, (6, 5, 4)))
    quick, best = cf.round_table(system, 5, method=cf.FamilyRounding()), cf.round_table(system, 5)
    assert not quick.optimal
    assert "heuristic" in repr(quick)
    assert quick.bound <= best.distance <= quick.distance
    assert quick.to_frame()["published"].to_list() == quick.values.tolist()


def test_a_bound_a_little_below_zero_gives_no_complex_number(table):
    class Below:
        def search(self, *asked):
            k, _, optimal, finished = cf.OptimalRounding().search(*asked)
            return k, -1e-18, optimal, finished

    found = cf.round_table(table, 5, power=1.5, method=Below())
    assert isinstance(found.bound, float)
    assert 0 <= found.bound <= found.distance


@pytest.mark.parametrize("power", [100.0, 1e308])
def test_a_power_that_overflows_is_refused(table, power):
    with pytest.raises(cf.TableError, match="between 1 and 32"):
        cf.round_table(table, 5, power=power)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: cf.round_table(t, 0), "base must be a number above 0; found 0"),
        (lambda t: cf.round_table(t, 5, power=0.5), "must be between 1 and 32; found 0.5"),
        (lambda t: cf.round_table(t, 5, fixed=[99]), "counted from 0 to 15"),
        (lambda t: cf.round_table(t, 5, protection=cf.Protection([1.0], [1.0])), "levels for 1 cells"),
    ],
)
def test_mistakes_are_told(table, call, message):
    with pytest.raises(cf.TableError, match=message):
        call(table)
