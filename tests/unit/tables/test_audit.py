"""Audits of small tables worked by hand."""

import numpy as np
import pytest

import confide as cf


@pytest.fixture
def table():
    return cf.nested_system([[3, 5, 9], [6, 6, 7], [8, 2, 7]])


def test_a_square_of_four_cells_moves_as_one(table):
    found = cf.audit(table, [5, 6, 9, 10])
    assert found.interval(5) == (0.0, 8.0)
    assert found.interval(10) == (3.0, 11.0)
    assert found.solved == 0, "one column is left, and its bounds are its ends"


def test_cells_alone_in_a_row_are_computed(table):
    found = cf.audit(table, [5, 6, 9, 10, 15])
    assert found.determined.tolist() == [15]
    assert [e.cell for e in found.exposed] == [15]
    assert found.exposed[0].exact
    assert found.interval(15) == (7.0, 7.0)


def test_cells_can_be_determined_by_several_equations_together():
    # six cells in a block structure: rows 1-2 and columns 1-2 hang together only through one corner
    system = cf.nested_system(np.arange(1.0, 17).reshape(4, 4))
    place = np.arange(25).reshape(5, 5)
    suppressed = [*place[1:3, 1:3].ravel(), *place[3:, 3:].ravel(), place[2, 3]]
    found = cf.audit(system, suppressed)
    assert found.determined.tolist() == [place[2, 3]]


@pytest.mark.parametrize(("amount", "refused"), [(1e20, True), (1e15, True), (1e10, False)])
def test_amounts_of_too_different_size_are_refused_before_anything_is_stated(amount, refused):
    """From 10^20 on the solver takes a bound for endless, and what it found would be too wide."""
    values = np.arange(1.0, 26).reshape(5, 5)
    values[2, 2] = amount
    system = cf.nested_system(values)
    inner = np.arange(36).reshape(6, 6)[1:, 1:].ravel()
    if refused:
        with pytest.raises(cf.TableError, match="amounts of such different size cannot be audited"):
            cf.audit(system, inner)
    else:
        assert cf.audit(system, inner).interval(int(inner[0]))[0] == 0.0


def test_a_published_sensitive_cell_is_exposed(table):
    found = cf.audit(table, [5, 6, 9, 10], cf.Protection.of(table, [5, 7], 0.1))
    assert [e.cell for e in found.exposed] == [7]


def test_levels_below_above_and_sliding(table):
    zero, one = np.zeros(table.n), np.where(np.arange(table.n) == 5, 1.0, 0.0)
    square = [5, 6, 9, 10]  # cell 5 is 3, in [0, 8]
    assert cf.audit(table, square, cf.Protection(3 * one, 5 * one, 8 * one)).clean
    assert not cf.audit(table, square, cf.Protection(3.1 * one, zero)).clean
    assert not cf.audit(table, square, cf.Protection(zero, 5.1 * one)).clean
    assert not cf.audit(table, square, cf.Protection(zero, zero, 8.1 * one)).clean


def test_an_unpublished_total_leaves_no_upper_end(table):
    found = cf.audit(table, [0, 1, 4, 5])
    assert found.interval(5) == (0.0, np.inf)
    assert found.interval(0) == (54.0, np.inf) or found.interval(0)[1] == np.inf


def test_a_judgement_needs_no_end_where_there_is_none(table):
    hidden, one = [0, 1, 4, 5], np.where(np.arange(table.n) == 5, 1.0, 0.0)
    assert cf.audit(table, hidden, cf.Protection(3 * one, 1e6 * one), exact=False).clean
    assert cf.audit(table, hidden, cf.Protection(0 * one, 0 * one, 1e6 * one), exact=False).clean
    assert not cf.audit(table, hidden, cf.Protection(3.1 * one, one), exact=False).clean


def test_amounts_of_any_size_are_told_apart(table):
    for unit in (1e-6, 1.0, 1e9):
        scaled = cf.System(table.values * unit, table.equations)
        found = cf.audit(scaled, [5, 6, 7, 9, 10, 11, 13, 14])
        plain = cf.audit(table, [5, 6, 7, 9, 10, 11, 13, 14])
        assert found.low / unit == pytest.approx(plain.low, abs=1e-6)
        assert found.high / unit == pytest.approx(plain.high, abs=1e-6)


def test_contributors_know_their_own_amount(table):
    who = cf.Attacker.contributing({5: 2.0}, "firm")
    found = cf.audit(table, [5, 6, 9, 10], cf.Protection.of(table, [6], 1.0), [who])
    assert found.interval(6, "firm") == (0.0, 6.0)
    assert found.interval(6) == (0.0, 8.0)


def test_nothing_suppressed_and_no_equations():
    table = cf.nested_system([[3, 5], [6, 6]])
    assert cf.audit(table, []).clean
    loose = cf.System(np.array([1.0, 2.0]), np.zeros((0, 2)))
    assert cf.audit(loose, [0]).interval(0) == (0.0, np.inf)


def test_a_false_witness_is_not_believed(table):
    class Lie:
        cells = np.array([5, 6])
        amounts = np.array([1.0, 1.0])

    found = cf.audit(table, [5, 6], witnesses=[Lie()])
    assert found.determined.tolist() == [5, 6]


def test_sums_that_do_not_add_up_are_named():
    table = cf.nested_system([[3, 5], [6, 6]])
    values = table.values.copy()
    values[4] += 1
    with pytest.raises(
        cf.TableError, match=r"2 of 6 sums do not add up: cell 1 = cell 4 \+ cell 7; cell 3 = cell 4 \+ cell 5"
    ):
        cf.System(values, table.equations)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda t: cf.System(t.values[:-1], t.equations), "speak of 9 cells, and there are 8 values"),
        (lambda t: cf.System(t.values, t.equations, upper=t.values - 1), "9 value\\(s\\) lie outside their bounds"),
        (lambda t: cf.System(t.values, t.equations, costs=-t.values), "costs must be finite"),
        (lambda t: cf.System(t.values, t.equations, names=["a"]), "1 names for 9 cells"),
        (lambda t: cf.System(np.full(9, np.inf), t.equations), "no finite value"),
        (lambda t: cf.audit(t, [9]), "counted from 0 to 8"),
        (lambda t: cf.audit(t, np.array([True])), "a mask of 1 for 9 cells"),
        (lambda t: cf.audit(t, [4], attackers=[cf.Attacker("external")]), "names of their own"),
        (lambda t: cf.audit(t, [4], attackers=[cf.Attacker("a", {4: 99.0})]), "does not meet"),
        (lambda t: cf.audit(t, [4]).interval(5), "is not suppressed"),
        (lambda t: cf.audit(t, [4]).interval(4, "nobody"), "no attacker 'nobody'"),
        (lambda t: cf.nested_system([1, 2], [[-1, 0]]), "1 finest codes, the table 2"),
        (lambda t: cf.nested_system([1, 2], [[-1, 0, 0], [-1]]), "2 hierarchies for a table of 1"),
        (lambda t: cf.nested_system([1.0], [[-1, -1, 0]]), "one total"),
        (lambda t: cf.Protection([-1.0], [1.0]), "not negative"),
    ],
)
def test_mistakes_are_told(make, message):
    with pytest.raises(cf.TableError, match=message):
        make(cf.nested_system([[3, 5], [6, 6]]))


def test_rounded_values_are_taken_when_told():
    values, sums = np.array([10.001, 4.0, 6.0]), np.array([[-1, 1, 1]])
    with pytest.raises(cf.TableError, match=r"tolerance=1e-6"):
        cf.System(values, sums)
    system = cf.System(values, sums, tolerance=1e-3)
    assert cf.audit(system, [0, 1]).interval(1) == (0.0, np.inf)
    with pytest.raises(cf.TableError, match="cannot be negative"):
        cf.System(values, sums, tolerance=-1.0)


def test_cells_are_whole_numbers():
    system = cf.System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]))
    assert cf.audit(system, np.array([1.0, 2.0])).suppressed.tolist() == [1, 2]
    with pytest.raises(cf.TableError, match="fractions"):
        cf.audit(system, [1.5])


def test_what_an_insider_concludes_is_in_the_intervals():
    system = cf.nested_system([[1.0, 0.0], [0.0, 0.0]])
    owner = cf.Attacker.knowing(system, [0, 4], "owner")
    found = cf.audit(system, [0, 1, 3, 4], cf.Protection.not_exact(system, [0, 1, 3, 4]), [owner])
    assert found.interval(1, "owner") == (1.0, 1.0)
    assert found.interval(4, "owner") == (1.0, 1.0)
    assert not [e for e in found.exposed if e.attacker == "owner"]
