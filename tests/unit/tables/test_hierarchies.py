from __future__ import annotations

import pytest

import confide as cf


@pytest.mark.parametrize(
    ("text", "leading"),
    [
        ("A\r\n@01\r\n@02\r\nB\r\n@@", "skip"),
        ("A\n@01\n@02\nB\n@03", None),
        ("A\n 01\n 02\nB\n 03\n", None),
        ("A\n    01\n    02\nB\n    03\n", None),
        ("A\n\t01\n\t02\nB\n\t03\n", None),
        ("A\n->01\n->02\nB\n->03\n", "->"),
        ("\ufeffA\r\n@01\r\n@02 \r\n\r\nB\r\n@ 03", None),
    ],
)
def test_files_are_read_with_any_mark(tmp_path, text, leading):
    file = tmp_path / "x.hrc"
    file.write_text(text, encoding="utf-8")
    if leading == "skip":
        with pytest.raises(cf.TableError, match="line 5: there is a mark but no code"):
            cf.read_hierarchy(file)
        return
    found = cf.read_hierarchy(file, leading=leading)
    assert found.parents == {"A": None, "01": "A", "02": "A", "B": None, "03": "B"}


def test_files_with_three_levels_and_a_code_list(tmp_path):
    (tmp_path / "x.hrc").write_text("N\n@N1\n@@N11\n@@N12\n@N2\nS\n", encoding="utf-8")
    (tmp_path / "x.cdl").write_text("N,North, the\nS,South\n", encoding="utf-8")
    found = cf.read_hierarchy(tmp_path / "x.hrc", codelist=tmp_path / "x.cdl")
    assert found.leaves == ("N11", "N12", "N2", "S")
    assert found.texts["N"] == "North, the"
    data = cf.Microdata.from_dict({"a": ["N11", "N2", "S"]})
    table = cf.tabulate(data, "a", hierarchies={"a": found})
    assert table.frame(texts=True)["a"].to_list() == ["Total", "North, the", "N1", "N11", "N2", "South"]


@pytest.mark.parametrize(
    ("text", "message"),
    [("A\n@@01\n", "too deep"), ("A\n@01\n@01\n", "stands twice"), ("\n\n", "no codes")],
)
def test_broken_files_are_told(tmp_path, text, message):
    (tmp_path / "x.hrc").write_text(text, encoding="utf-8")
    with pytest.raises(cf.TableError, match=message):
        cf.read_hierarchy(tmp_path / "x.hrc")


def test_a_coarser_code_in_two_places_is_two_codes(tmp_path):
    (tmp_path / "x.hrc").write_text("1\n@11\n@@a\n2\n@11\n@@b\n", encoding="utf-8")
    found = cf.read_hierarchy(tmp_path / "x.hrc")
    assert found.parents == {"1": None, "11": "1", "a": "11", "2": None, "2 11": "2", "b": "2 11"}


def test_absent_files_are_told(tmp_path):
    with pytest.raises(cf.TableError, match="cannot read"):
        cf.read_hierarchy(tmp_path / "none.hrc")


def test_circles_and_unknown_parents_are_refused():
    with pytest.raises(cf.TableError, match="circle"):
        cf.Hierarchy({"a": "b", "b": "a"})
    with pytest.raises(cf.TableError, match="is no code"):
        cf.Hierarchy({"a": "b"})


def test_correspondence_refuses_two_parents():
    with pytest.raises(cf.TableError, match="lies both in"):
        cf.Hierarchy.of_correspondence([("A", "1"), ("B", "1")])


def test_levels_must_nest():
    data = cf.Microdata.from_dict({"fine": ["a", "a", "b"], "coarse": ["x", "y", "y"]})
    with pytest.raises(cf.TableError, match=r"1 code\(s\) of 'fine' lie in two codes of 'coarse'"):
        cf.tabulate(data, "fine", hierarchies={"fine": cf.Levels("coarse")})


def test_levels_with_the_same_codes_get_the_name_of_the_variable():
    data = cf.Microdata.from_dict({"fine": ["1", "2", "3"], "coarse": ["1", "1", "2"]})
    table = cf.tabulate(data, "fine", hierarchies={"fine": cf.Levels("coarse")})
    assert table.dimensions[0].codes == ("Total", "coarse 1", "1", "2", "coarse 2", "3")
    assert table.values.tolist() == [3, 2, 1, 1, 1, 1]


def test_ragged_trees_count_every_leaf_once():
    tree = cf.Hierarchy.of({"A": {"A1": ["A11", "A12"], "A2": []}, "B": []})
    data = cf.Microdata.from_dict({"v": ["A11", "A12", "A2", "B", "B"]})
    table = cf.tabulate(data, "v", hierarchies={"v": tree})
    assert dict(zip(table.dimensions[0].codes, table.values.tolist(), strict=True)) == {
        "Total": 5, "A": 3, "A1": 2, "A11": 1, "A12": 1, "A2": 1, "B": 2
    }  # fmt: skip
    assert table.equations().shape[0] == 3


def test_an_inner_code_in_the_records_is_refused():
    tree = cf.Hierarchy.of({"A": ["A1"]})
    with pytest.raises(cf.TableError, match="'A' has codes below it"):
        cf.tabulate(cf.Microdata.from_dict({"v": ["A1", "A"]}), "v", hierarchies={"v": tree})


def test_hierarchies_that_do_not_nest_share_leaves_and_total():
    data = cf.Microdata.from_dict({"v": ["a", "b", "c", "d"], "x": [1, 2, 4, 8]})
    two = [cf.Hierarchy.of({"P": ["a", "b"], "Q": ["c", "d"]}), cf.Hierarchy.of({"R": ["a", "c"], "S": ["b", "d"]})]
    table = cf.tabulate(data, "v", "x", hierarchies={"v": two})
    value = {c: table.values[table.cell(c)] for c in table.dimensions[0].codes}
    assert value == {"Total": 15, "P": 3, "Q": 12, "R": 5, "S": 10, "a": 1, "b": 2, "c": 4, "d": 8}
    assert table.equations().shape[0] == 6
    assert table.additivity().holds


def test_common_sums_of_two_hierarchies_stand_once():
    data = cf.Microdata.from_dict({"v": ["a", "b", "c"]})
    two = [cf.Hierarchy.of({"P": ["a", "b"], "Q": ["c"]}), cf.Hierarchy.of({"T": {"P": ["a", "b"]}, "U": ["c"]})]
    table = cf.tabulate(data, "v", hierarchies={"v": two})
    # Total = P + Q = T + U, P = a + b once, T = P, Q = c, U = c
    assert table.equations().shape[0] == 6
    assert table.additivity().holds


def test_a_second_hierarchy_may_cover_a_part():
    data = cf.Microdata.from_dict({"v": ["a", "b", "c"]})
    two = [cf.Hierarchy.of(["a", "b", "c"]), cf.Hierarchy.of({"of which": ["a", "c"]})]
    table = cf.tabulate(data, "v", hierarchies={"v": two})
    assert table.values[table.cell("of which")] == 2
    assert table.equations().shape[0] == 2


def test_one_code_with_different_leaves_is_refused():
    data = cf.Microdata.from_dict({"v": ["a", "b", "c"]})
    two = [cf.Hierarchy.of({"P": ["a", "b"], "Q": ["c"]}), cf.Hierarchy.of({"P": ["a"], "Q": ["b", "c"]})]
    with pytest.raises(cf.TableError, match="in one hierarchy and not in another"):
        cf.tabulate(data, "v", hierarchies={"v": two})


def test_a_total_written_in_the_hierarchy_is_the_total():
    tree = cf.Hierarchy.of({"Total": {"A": ["a"], "B": ["b"]}})
    table = cf.tabulate(cf.Microdata.from_dict({"v": ["a", "b"]}), "v", hierarchies={"v": tree})
    assert table.dimensions[0].codes == ("Total", "A", "a", "B", "b")


def test_digits_refuse_codes_of_another_length():
    with pytest.raises(cf.TableError, match="have not 3 digits"):
        cf.tabulate(cf.Microdata.from_dict({"v": ["110", "11"]}), "v", hierarchies={"v": cf.Digits(2, 1)})
