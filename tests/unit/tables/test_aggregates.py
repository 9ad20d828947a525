from __future__ import annotations

import polars as pl
import pytest

import confide as cf

TREE = cf.Hierarchy.of({"A": ["a1", "a2"], "B": ["b1"]})
INNER = {
    "v": ["a1", "a2", "b1", "a1"],
    "s": ["f", "f", "f", "m"],
    "x": [10, 20, 5, 7],
    "n": [3, 2, 1, 4],
    "top": [6, 15, 5, 4],
}


def test_inner_cells_are_added_up():
    table = cf.table_of_aggregates(pl.DataFrame(INNER), ["v", "s"], "x", hierarchies={"v": TREE}, count="n", largest="top")
    total = table.cell()
    assert (table.values[total], table.respondents[total], table.largest[total, 0]) == (42, 10, 15)
    assert table.values[table.cell("A", "f")] == 30
    assert table.additivity().holds


def test_totals_are_kept_as_given():
    whole = cf.table_of_aggregates(pl.DataFrame(INNER), ["v", "s"], "x", hierarchies={"v": TREE}, count="n", largest="top")
    frame = whole.frame({"top": whole.largest[:, 0]})
    again = cf.table_of_aggregates(
        frame.reverse(), ["v", "s"], "x", hierarchies={"v": TREE}, count="respondents", largest="top"
    )
    for field in ("codes", "values", "largest", "respondents"):
        assert getattr(again, field).tolist() == getattr(whole, field).tolist()


def test_sums_that_do_not_add_up_are_told_with_their_cells():
    cells = cf.Microdata.from_dict({"v": ["a", "b", "Total"], "x": [3, 4, 9]})
    with pytest.raises(cf.TableError, match="1 of 1 sums do not add up: those of Total; mend"):
        cf.table_of_aggregates(cells, "v", "x")
    found = cf.table_of_aggregates(cells, "v", "x", tolerance=0.2)
    assert not found.additivity().holds
    assert found.additivity().excess.tolist() == [2]
    assert found.additivity().names == ("Total",)


def test_a_cell_twice_is_refused():
    cells = cf.Microdata.from_dict({"v": ["a", "a"], "x": [3, 4]})
    with pytest.raises(cf.TableError, match="stand more than once"):
        cf.table_of_aggregates(cells, "v", "x")


def test_unknown_codes_and_missing_values_are_refused():
    with pytest.raises(cf.TableError, match="not in its hierarchy, such as 'Alles'"):
        cf.table_of_aggregates(
            cf.Microdata.from_dict({"v": ["a1", "Alles"], "x": [3, 3]}), "v", "x", hierarchies={"v": TREE}
        )
    with pytest.raises(cf.TableError, match="no finite number for 1 of 2 cells"):
        cf.table_of_aggregates(cf.Microdata.from_dict({"v": ["a1", "b"], "x": [3.5, None]}), "v", "x")


def test_each_dimension_may_name_its_total():
    cells = cf.Microdata.from_dict({"v": ["a", "b", "Alles"], "s": ["T", "T", "T"], "x": [3, 4, 7]})
    table = cf.table_of_aggregates(cells, ["v", "s"], "x", total={"v": "Alles", "s": "T"})
    assert table.equations().shape[0] == 1


def test_codes_of_a_file_keep_their_zeros(tmp_path):
    (tmp_path / "t.csv").write_text("nace,x\n01,3\n02,4\n", encoding="utf-8")
    table = cf.table_of_aggregates(
        tmp_path / "t.csv", "nace", "x", hierarchies={"nace": cf.Hierarchy.of({"A": ["01", "02"]})}
    )
    assert table.dimensions[0].codes == ("Total", "A", "01", "02")


def test_rules_say_what_the_table_lacks():
    table = cf.table_of_aggregates(pl.DataFrame(INNER), ["v", "s"], "x", largest="top")
    assert cf.DominanceRule(1, 0.9).sensitive(table).any()
    with pytest.raises(cf.TableError, match="needs the 2 largest contributions"):
        cf.PPercentRule(10).sensitive(table)
    with pytest.raises(cf.TableError, match="count='...'"):
        cf.MinimumFrequency(3).sensitive(table)


def test_a_dimension_named_twice_is_refused_at_once():
    """Forty times two dimensions kept the machine busy."""
    cells = cf.Microdata.from_dict({"sex": ["f", "m", "Total"], "x": [3, 4, 7]})
    with pytest.raises(cf.DeclarationError, match="by names 'sex' twice"):
        cf.table_of_aggregates(cells, ["sex"] * 40, "x")
