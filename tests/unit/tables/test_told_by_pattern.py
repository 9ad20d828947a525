"""What empty cells tell by themselves."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import confide as cf
from confide.tables.digits import as_written
from confide.tables.told_by_pattern import lines_in_one_cell


def brute(records: list[tuple[str, ...]], codes: list[list[str]]) -> set[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """Find by counting records: along which dimension, in which line, in which one cell all are."""
    found = set()
    for d, own in enumerate(codes):
        others = [[*c, None] if i != d else [None] for i, c in enumerate(codes)]
        for line in itertools.product(*others):
            inside = {r[d] for r in records if all(x is None or x == y for x, y in zip(line, r, strict=True))}
            if len(inside) == 1 and len(own) > 1:
                (one,) = inside
                total = tuple("Total" if x is None else x for x in line)
                cell = tuple(one if i == d else x for i, x in enumerate(total))
                found.add((d, total, cell))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_lines_are_those_that_counting_finds(seed):
    rng = np.random.default_rng(seed)
    records = [(f"a{rng.integers(3)}", f"b{rng.integers(3)}", f"c{rng.integers(2)}") for _ in range(12)]
    codes = [sorted({r[d] for r in records}) for d in range(3)]
    data = cf.Microdata.from_dict({name: [r[d] for r in records] for d, name in enumerate("abc")})
    table = cf.tabulate(data, ["a", "b", "c"])
    done = cf.protect_table(table, cf.MinimumFrequency(2), method=cf.PrimaryOnly())

    def named(cell: int) -> tuple[str, ...]:
        return tuple(d.codes[k] for d, k in zip(table.dimensions, table.codes[cell].tolist(), strict=True))

    lines = lines_in_one_cell(done)
    assert {("abc".index(x.dimension), named(x.total), named(x.cell)) for x in lines} == brute(records, codes)
    assert all(x.suppressed == bool(done.suppressed[x.cell]) for x in lines)


def test_a_suppressed_cell_beside_empty_ones_is_told():
    """All twelve of the south are ill: leaving the number out hides nothing of that."""
    data = cf.Microdata.from_dict({"town": ["south"] * 12 + ["north"] * 24, "ill": ["yes"] * 12 + ["yes", "no"] * 12})
    rule = cf.MinimumFrequency(13)
    done = cf.protect_table(cf.tabulate(data, ["town", "ill"]), rule, method=cf.PrimaryOnly())
    (warning,) = done.told_by_pattern
    assert "all respondents of 2 line(s)" in warning
    assert "all of south x Total in south x yes" in warning
    assert "2 of these cells left out" in warning


def test_few_respondents_are_counted_and_not_named():
    data = cf.Microdata.from_dict({"town": ["south"] * 3 + ["north"] * 24, "ill": ["yes"] * 3 + ["yes", "no"] * 12})
    done = cf.protect_table(cf.tabulate(data, ["town", "ill"]), cf.MinimumFrequency(2))
    (warning,) = done.told_by_pattern
    assert "south" not in warning


def test_a_code_with_one_code_below_it_tells_nothing():
    data = cf.Microdata.from_dict({"area": ["n1", "n1", "s1", "s2"], "ill": ["yes", "no"] * 2})
    areas = cf.Hierarchy.of_correspondence([["n", "n1"], ["s", "s1"], ["s", "s2"]])
    table = cf.tabulate(data, ["area", "ill"], hierarchies={"area": areas})
    done = cf.protect_table(table, cf.MinimumFrequency(1))
    assert {(x.dimension, table.cell_name(x.total)) for x in lines_in_one_cell(done)} == {
        ("ill", "s1 x Total"), ("ill", "s2 x Total"), ("area", "s x yes"), ("area", "s x no"),
    }  # fmt: skip


def test_a_zero_that_is_published_is_empty_and_one_that_was_rounded_is_not():
    rows = {"town": ["a", "a", "b", "b"], "ill": ["yes", "no", "yes", "no"], "count": [9, 0, 12, 7]}
    table = cf.table_of_aggregates(pl.DataFrame(rows), ["town", "ill"], "count", count="count")
    as_is = cf.protect_table(table, cf.MinimumFrequency(1), method=cf.NoProtection())
    found = {(x.dimension, table.cell_name(x.total), table.cell_name(x.cell)) for x in lines_in_one_cell(as_is)}
    assert found == {("ill", "a x Total", "a x yes"), ("town", "Total x no", "b x no")}
    rounded = cf.protect_table(table, cf.MinimumFrequency(1), method=cf.ControlledRounding(5))
    assert lines_in_one_cell(rounded) == ()


def test_published_numbers_carried_what_binary_arithmetic_leaves(tmp_path):
    data = cf.Microdata.from_dict({"a": ["x"] * 30 + ["y"] * 30, "pay": [0.1, 0.2, 10559.19] * 20})
    done = cf.protect_table(cf.tabulate(data, ["a"], "pay"), cf.MinimumFrequency(2))
    assert any(len(repr(v).split(".")[1]) > 2 for v in done.table.values.tolist()), "sums of cents are not in cents"
    for name in ("t.csv", "t.json", "t.sdmx.csv"):
        text = done.write(tmp_path / name).read_text()
        assert "105594.9" in text
        assert "0000" not in text.replace("1.0.0", "")
        assert "9999" not in text
    assert done.published()["pay"].to_list() == [211189.8, 105594.9, 105594.9]
    # true values of the object stay as they were computed
    assert done.table.values.tolist() != done.published()["pay"].to_list()


def test_digits_that_are_there_are_kept():
    values = np.array([1e9 + 0.01, 0.07, np.nan])
    assert as_written(values)[:2].tolist() == [1000000000.01, 0.07]
    thirds = np.array([1 / 3, 1e6 / 7])
    assert np.allclose(as_written(thirds), thirds, rtol=1e-14)
