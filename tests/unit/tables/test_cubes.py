"""Cubes: moves of one table that need no linear programme."""

from itertools import product

import numpy as np
import pytest

import confide as cf
from confide.tables.grid import Grid
from confide.tables.moves.cube_kernels import Room
from confide.tables.moves.cubes import Cubes
from confide.tables.moves.swaps import swaps_of


def room_of(system, free=()):
    cost = system.costs.copy()
    cost[list(free)] = 0.0
    return Room(np.minimum(system.lower - system.values, 0), np.maximum(system.upper - system.values, 0), cost)


def cubes_of(system):
    return Cubes(system.grid, np.ones(system.n))


@pytest.fixture
def nested():
    rng = np.random.default_rng(3)
    trees = [[-1, 0, 0, 1, 1, 2, 2, 2], [-1, 0, 0, 0], [-1, 0, 1, 1, 0, 4, 4]]
    return cf.nested_system(rng.poisson(4, (5, 3, 4)), trees)


def test_a_cube_keeps_all_sums_and_fits_between_the_bounds(nested):
    cubes, room = cubes_of(nested), room_of(nested)
    found = 0
    for cell in range(nested.n):
        best = cubes.best(cell, 1.0, 1.0, room, np.inf)
        if best is None:
            continue
        found += 1
        cost, move = best
        d = np.zeros(nested.n)
        d[move.cells] = move.amounts
        assert np.all(nested.equations @ d == 0)
        assert d[cell] == 1
        others = move.cells[move.cells != cell]
        assert cost == pytest.approx(nested.costs[others].sum())
        assert np.all(nested.values[others] >= 1)
    assert found > 100


def test_the_cube_is_the_cheapest_one():
    system = cf.nested_system([[3, 5, 9, 4], [6, 6, 7, 1], [8, 2, 7, 3]])
    shape = (4, 5)
    cells = np.arange(20).reshape(shape)
    for i, j in product(range(1, 4), range(1, 5)):
        cost = min(
            system.costs[[cells[i, m], cells[k, j], cells[k, m]]].sum()
            for k in range(1, 4) for m in range(1, 5)
            if k != i and m != j and system.values[[cells[i, m], cells[k, j], cells[k, m]]].min() >= 2
        )  # fmt: skip
        assert cubes_of(system).best(int(cells[i, j]), 2.0, 2.0, room_of(system), np.inf)[0] == pytest.approx(cost)


def test_suppressed_cells_are_free_and_dear_cubes_refused():
    system = cf.nested_system([[3, 5, 9], [6, 6, 7], [8, 2, 7]])
    cost, move = cubes_of(system).best(5, 1.0, 1.0, room_of(system, [6, 9, 10]), 0.0)
    assert cost == 0
    assert move.cells.tolist() == [5, 6, 9, 10]
    assert cubes_of(system).best(5, 1.0, 1.0, room_of(system), 3.0) is None


def test_a_code_with_nothing_beside_it_moves_its_total():
    system = cf.nested_system([[3.0], [4.0]])
    _, move = cubes_of(system).best(3, 1.0, 1.0, room_of(system), np.inf)
    assert dict(zip(move.cells.tolist(), move.amounts.tolist(), strict=True)) == {2: 1.0, 3: 1.0, 4: -1.0, 5: -1.0}


def test_exchanges_touch_few_codes_first():
    paths = [np.array([2, 1, 0]), np.array([3, 1, 0]), np.array([5, 4, 0])]
    swaps = swaps_of(paths, 6, np.ones(6))
    first, last = swaps.of[2], swaps.of[3] - 1
    assert swaps.codes[swaps.starts[first] : swaps.starts[first + 1]].tolist() == [2, 3]
    assert swaps.codes[swaps.starts[first + 1] : swaps.starts[first + 2]].tolist() == [2, 1, 4, 5]
    assert swaps.signs[swaps.starts[first + 1] : swaps.starts[first + 2]].tolist() == [1, 1, -1, -1]
    assert sorted(swaps.codes[swaps.starts[last] : swaps.starts[last + 1]].tolist()) == [0, 1, 2]


def test_a_grid_finds_cells_and_is_not_made_for_very_wide_tables():
    people = cf.Microdata.from_dict({"sex": ["f", "m", "f"], "area": ["N", "S", "S"], "x": [3, 4, 5]})
    table = cf.tabulate(people, ["sex", "area"], "x")
    grid = cf.System.of_table(table).grid
    found = grid.lookup()
    assert all(found[int(grid.codes[c] @ grid.strides)] == c for c in range(table.n))
    assert int((found < 0).sum()) == 1
    assert Grid.checked(np.zeros((1, 2), dtype=np.int64), ((), ()), (100_000, 100_000)) is None


def test_linked_tables_have_no_grid_and_are_protected_all_the_same():
    people = cf.Microdata.from_dict({
        "a": ["x", "x", "y", "y", "y", "x"], "b": ["p", "q", "p", "q", "q", "p"], "c": ["1", "2", "1", "2", "1", "1"],
    })  # fmt: skip
    linked = cf.link_tables(cf.tabulate(people, ["a", "b"]), cf.tabulate(people, ["a", "c"]))
    system = cf.System.of_table(linked)
    assert system.grid is None
    assert cf.suppress(system, linked.respondents == 1).audit.clean
