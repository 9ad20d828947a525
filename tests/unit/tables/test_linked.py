from __future__ import annotations

import pytest

import confide as cf

DATA = cf.Microdata.from_dict({
    "region": ["r1", "r2", "r3", "r1", "r3"],
    "county": ["c1", "c1", "c2", "c1", "c2"],
    "job": ["a", "b", "a", "b", "b"],
    "sex": ["f", "m", "f", "f", "m"],
    "x": [1, 2, 4, 8, 16],
})  # fmt: skip


def test_codes_of_a_coarser_level_are_those_of_the_coarser_variable():
    fine = cf.tabulate(DATA, ["region", "job"], "x", hierarchies={"region": cf.Levels("county")})
    coarse = cf.tabulate(DATA, ["county", "sex"], "x")
    linked = cf.link_tables(fine, coarse)
    # shared: the total and both counties
    assert linked.n == fine.n + coarse.n - 3
    assert linked.additivity().holds
    assert linked.values[linked.cell(county="c1")] == 11
    assert linked.values[linked.cell(county="c1", sex="f")] == 9
    assert linked.cell_name(linked.cell(county="c1", sex="f")) == "c1 x f"
    # Total = c1 + c2 stands in both and is kept once
    assert linked.equations().shape[0] == fine.equations().shape[0] + coarse.equations().shape[0] - 1


def test_a_table_linked_with_itself_is_itself():
    table = cf.tabulate(DATA, ["region", "job"], "x", hierarchies={"region": cf.Levels("county")})
    linked = cf.link_tables(table, table)
    assert linked.n == table.n
    assert linked.equations().shape == table.equations().shape
    assert int(linked.inner.sum()) == int(table.inner.sum())
    assert sorted(linked.values) == sorted(table.values)


def test_rules_judge_linked_cells():
    linked = cf.link_tables(cf.tabulate(DATA, "job", "x"), cf.tabulate(DATA, "sex", "x"))
    assert cf.MinimumFrequency(3).sensitive(linked)[linked.cell(job="a")]
    assert cf.PPercentRule(10).sensitive(linked).shape == (5,)


def test_shared_cells_that_differ_are_refused():
    other = DATA.take(DATA.columns["x"].codes.argsort()[:4])
    with pytest.raises(cf.TableError, match="different values in different tables"):
        cf.link_tables(cf.tabulate(DATA, "sex", "x"), cf.tabulate(other, "job", "x"))


def test_different_variables_are_refused():
    with pytest.raises(cf.TableError, match="same variable"):
        cf.link_tables(cf.tabulate(DATA, "sex", "x"), cf.tabulate(DATA, "sex"))
    with pytest.raises(cf.TableError, match="at least one"):
        cf.link_tables()
