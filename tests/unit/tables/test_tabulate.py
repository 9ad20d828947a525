from __future__ import annotations

import numpy as np
import pytest

import confide as cf

DATA = {
    "act": ["11", "11", "12", "21", "21", "22", "22", "11"],
    "area": ["N", "S", "N", "N", "S", "S", "S", "N"],
    "x": [10, 20, 30, 40, 50, 60, 0, 5],
    "group": ["p", "q", "p", "r", "q", "s", "t", "u"],
    "w": [2.0, 1.0, 1.5, 1.0, 1.0, 3.0, 1.0, 1.0],
}


@pytest.fixture
def data():
    return cf.Microdata.from_dict(DATA)


def brute(rows, amounts, holders, places):
    """The largest contributions of a set of rows, by holder."""
    added = {}
    for i in rows:
        added[holders[i]] = added.get(holders[i], 0) + amounts[i]
    top = sorted((abs(v) for v in added.values()), reverse=True)
    return top[:places] + [0] * (places - len(top)), len(added), sum(map(abs, added.values()))


@pytest.mark.parametrize("holding", [None, "group"])
def test_every_cell_equals_the_records_below_it(data, holding):
    table = cf.tabulate(data, ["act", "area"], "x", hierarchies={"act": cf.Digits(1, 1)}, holding=holding, largest=3)
    holders = DATA["group"] if holding else list(range(8))
    for c in range(table.n):
        act, area = table.dimensions[0].codes[table.codes[c, 0]], table.dimensions[1].codes[table.codes[c, 1]]
        rows = [
            i for i in range(8) if (act == "Total" or DATA["act"][i].startswith(act)) and area in ("Total", DATA["area"][i])
        ]
        top, many, total = brute(rows, DATA["x"], holders, 3)
        assert rows
        assert table.values[c] == sum(DATA["x"][i] for i in rows)
        assert table.largest[c].tolist() == top
        assert table.respondents[c] == many
        assert table.absolute[c] == total
    assert table.additivity().holds


def test_only_cells_that_occur_are_kept(data):
    table = cf.tabulate(data, ["act", "area"], "x")
    assert table.n == 4 + 2 + 1 + 6
    with pytest.raises(cf.TableError, match="no record contributes"):
        table.cell("12", "S")


def test_counts_without_a_value(data):
    table = cf.tabulate(data, "area")
    assert table.values.tolist() == [8, 4, 4]
    assert cf.tabulate(data, "area", weight="w").values.tolist() == [11.5, 5.5, 6]


def test_weights_as_copies_fill_places_in_turn():
    data = cf.Microdata.from_dict({"x": [100, 10], "w": [1.5, 7.0]})
    table = cf.tabulate(data, [], "x", weight="w", largest=3)
    assert table.values[0] == 220
    assert table.largest[0].tolist() == [100, 55, 10]
    assert table.respondents[0] == 2
    assert table.weights[0] == 8.5


def test_weights_as_contributions_multiply():
    data = cf.Microdata.from_dict({"x": [100, 10], "w": [1.5, 30.0]})
    table = cf.tabulate(data, [], "x", weight="w", weighting=cf.WeightsAsContributions(), largest=2)
    assert table.largest[0].tolist() == [300, 150]


def test_negative_contributions_count_without_sign_and_cancel_within_a_holding():
    data = cf.Microdata.from_dict({"g": ["a", "a", "b", "c"], "x": [50, -48, -30, 5]})
    table = cf.tabulate(data, [], "x", holding="g", largest=2)
    assert (table.values[0], table.absolute[0]) == (-23, 37)
    assert table.largest[0].tolist() == [30, 5]
    assert cf.tabulate(data, [], "x", largest=2).absolute[0] == 133


def test_a_holding_in_several_cells_is_added_up_at_their_total():
    data = cf.Microdata.from_dict({
        "cell": ["a", "b", "a", "b"], "x": [6, 6, 10, 1], "g": ["h", "h", "i", "j"]
    })  # fmt: skip
    table = cf.tabulate(data, "cell", "x", holding="g", largest=1)
    assert table.largest[:, 0].tolist() == [12, 10, 6]


def test_holdings_with_copies_are_refused(data):
    with pytest.raises(cf.TableError, match="WeightsAsContributions"):
        cf.tabulate(data, "act", "x", weight="w", holding="group")


def test_records_without_a_holding_are_their_own():
    data = cf.Microdata.from_dict({"x": [5, 6, 7], "g": ["h", None, None]})
    assert cf.tabulate(data, [], "x", holding="g").respondents[0] == 3


def test_the_order_of_records_does_not_matter(data):
    settings = {
        "hierarchies": {"act": cf.Digits(1, 1)},
        "weight": "w",
        "weighting": cf.WeightsAsContributions(),
        "holding": "group",
    }
    one = cf.tabulate(data, ["act", "area"], "x", **settings)
    two = cf.tabulate(data.take(np.array([5, 3, 7, 0, 2, 1, 6, 4])), ["act", "area"], "x", **settings)
    for field in ("codes", "values", "absolute", "largest", "contributors", "respondents"):
        assert getattr(one, field).tobytes() == getattr(two, field).tobytes()


def test_one_record_and_zero_values():
    table = cf.tabulate(cf.Microdata.from_dict({"a": ["x"], "v": [0]}), "a", "v")
    assert table.values.tolist() == [0, 0]
    assert table.respondents.tolist() == [1, 1]
    assert table.active.tolist() == [0, 0]
    assert table.additivity().holds


def test_missing_codes_are_refused_or_named():
    data = cf.Microdata.from_dict({"a": ["x", None], "v": [1, 2]})
    with pytest.raises(cf.TableError, match="missing for 1 of 2 records"):
        cf.tabulate(data, "a", "v")
    assert cf.tabulate(data, "a", "v", missing="unknown").values.tolist() == [3, 1, 2]


def test_missing_values_are_refused():
    data = cf.Microdata.from_dict({"a": ["x", "y"], "v": [1.5, None]})
    with pytest.raises(cf.TableError, match="no finite number for 1 of 2"):
        cf.tabulate(data, "a", "v")


def test_a_code_named_like_the_total_is_refused():
    data = cf.Microdata.from_dict({"a": ["Total", "y"]})
    with pytest.raises(cf.TableError, match="names the total"):
        cf.tabulate(data, "a")
    assert cf.tabulate(data, "a", total="All").n == 3


def test_unknown_names_are_told_at_once(data):
    with pytest.raises(cf.DeclarationError, match="2 faults"):
        cf.tabulate(data, ["acct"], "y")
    with pytest.raises(cf.TableError, match="there is no dimension 'area'"):
        cf.tabulate(data, ["act"], "x", hierarchies={"area": cf.Digits(1)})


def test_lost_zeros_are_recognised():
    data = cf.Microdata.from_dict({"nace": [1, 2], "x": [1, 2]})
    with pytest.raises(cf.TableError, match="leading zeros were lost"):
        cf.tabulate(data, "nace", "x", hierarchies={"nace": cf.Hierarchy.of({"A": ["01", "02"]})})


def test_many_dimensions_of_many_codes():
    n = 40
    data = cf.Microdata.from_dict({f"v{j}": [f"c{(i * (j + 1)) % 37}" for i in range(n)] for j in range(6)})
    table = cf.tabulate(data, list(data.names))
    assert table.values[0] == n
    assert table.additivity().holds


def test_frame_and_repr(data):
    table = cf.tabulate(data, ["area"], "x")
    frame = table.frame({"sensitive": cf.MinimumFrequency(5).sensitive(table)})
    assert frame.columns == ["area", "x", "respondents", "sensitive"]
    assert frame["area"].to_list() == ["Total", "N", "S"]
    assert repr(table) == "Table(x by area (3 codes on 2 levels): 3 cells, 2 of them inner)"


def test_inner_cells_are_those_without_parts(data):
    table = cf.tabulate(data, ["act", "area"], "x", hierarchies={"act": cf.Digits(1, 1)})
    totals = np.unique(table.equations().indices[table.equations().data < 0])
    assert sorted(np.flatnonzero(~table.inner)) == totals.tolist()
