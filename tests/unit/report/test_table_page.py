"""Pages of protected tables: what readers see, and what only the agency sees."""

import datetime as dt
import re
import stat

import numpy as np
import pytest

import confide as cf
from confide.report.table_grid import MOST_ROWS, set_out
from confide.report.table_page import render_table, write_table_page
from unit.tables.firms import RULE, table

DAY = dt.date(2026, 1, 31)


@pytest.fixture(scope="module")
def done():
    return cf.protect_table(table(120), RULE)


def test_the_public_page_holds_no_secret(done):
    page = render_table(done, date=DAY)
    shown = set(re.findall(r"[\d,]+", re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)))
    public = {f"{v:,.0f}" for v in done.table.values[~done.suppressed]}
    secret = [f"{v:,.0f}" for v in done.table.values[done.suppressed] if v > 99 and f"{v:,.0f}" not in public]
    assert len(secret) > 10
    assert not [v for v in secret if v in shown]
    assert "MinimumFrequency" in page
    assert "n=3" not in page
    assert "primary" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    assert page.count('class="hidden"') == done.suppressed.sum()
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_the_internal_page_tells_reasons_and_intervals(done):
    page = render_table(done.audited(), title="Firms & more", internal=True, date=DAY)
    assert "<h1>Firms &amp; more</h1>" in page
    assert "Confidential" in page
    assert "PPercentRule(p=10)" in page
    assert "Every sensitive cell has its protection, against everybody." in page
    assert page.count('<td class="word">primary</td>') == done.sensitive.sum()
    assert "at least as wide as shown" not in page
    assert "at least as wide as shown" in render_table(done, internal=True)


def test_exposed_cells_come_first():
    page = render_table(cf.protect_table(table(120), RULE, method=cf.PrimaryOnly()), internal=True)
    assert "are exposed" in page
    assert '<tr class="exposed">' in page
    assert (
        render_table(cf.protect_table(table(120), cf.MinimumFrequency(1)), internal=True).count("No cell is sensitive") == 1
    )


def test_without_a_total_the_share_is_not_told():
    cells = cf.table_of_aggregates(cf.Microdata.from_dict({"a": list("xyz"), "v": [3, 4, 5]}), "a", "v")
    hidden = cf.protect_table(cells, cf.GivenRule(np.array([False, True, False, False])))
    total = cf.protect_table(cells, cf.GivenRule(np.array([True, False, False, False])))
    assert "Value not published" in render_table(hidden).replace("value not", "Value not")
    assert total.suppressed[0]
    assert "value not published" not in render_table(total)


def test_the_page_is_written_for_its_owner(done, tmp_path):
    path = write_table_page(done, tmp_path / "new" / "page.html", date=DAY)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first = path.read_bytes()
    with pytest.raises(cf.DataError, match="is there already"):
        write_table_page(done, path)
    write_table_page(done, path, date=DAY, overwrite=True)
    assert path.read_bytes() == first


def test_insiders_are_shown():
    page = render_table(
        cf.protect_table(table(90), RULE, method=cf.Suppression(attackers=[cf.SingletonInsiders()])), internal=True
    )
    assert "Closest insider" in page


@pytest.mark.parametrize("by", [[], ["a"], ["a", "b"], ["a", "b", "c"]])
def test_tables_of_any_number_of_dimensions(by):
    n = 40
    data = cf.Microdata.from_dict(
        {"a": [f"a{i % 3}" for i in range(n)], "b": [f"b{i % 20}" for i in range(n)], "c": [f"c{i % 2}" for i in range(n)]}
    )
    done = cf.protect_table(cf.tabulate(data, by), cf.MinimumFrequency(1))
    found = set_out(done, internal=False)
    shown = [c.text for line in found.lines for c in line.cells if c.text]
    assert len(shown) == done.table.n
    assert render_table(done)


def test_a_large_table_is_shown_without_its_finest_codes():
    codes = [f"{i:04d}" for i in range(3000)]
    data = cf.Microdata.from_dict({"a": codes, "v": list(range(3000))}).declare(kinds={"a": "nominal"})
    t = cf.tabulate(data, "a", "v", hierarchies={"a": cf.Digits(2, 2)})
    found = set_out(cf.protect_table(t, cf.MinimumFrequency(1)), internal=False)
    assert len(found.lines) == 31
    assert "finest codes" in found.notes[0]
    flat = set_out(cf.protect_table(cf.tabulate(data, "a", "v"), cf.MinimumFrequency(1)), internal=False)
    assert len(flat.lines) == MOST_ROWS
    assert "more rows" in flat.notes[-1]


@pytest.mark.parametrize("method", [cf.ControlledRounding(300), cf.TabularAdjustment()], ids=["rounded", "adjusted"])
def test_pages_of_changed_values(method):
    done = cf.protect_table(table(120), RULE, method=method)
    outside, inside = (render_table(done, internal=internal, date=DAY) for internal in (False, True))
    words = re.sub(r"<style>.*?</style>", "", outside, flags=re.DOTALL)
    assert "left out" not in words
    assert "primary" not in words
    assert done.outcome.told[0] in words
    shown = {f"{v:,.0f}" for v in done.values}
    secret = [f"{v:,.0f}" for v in done.table.values if v > 999 and f"{v:,.0f}" not in shown]
    assert secret
    assert not [v for v in secret if f">{v}<" in words]
    assert "left out" not in re.sub(r"<style>.*?</style>", "", inside, flags=re.DOTALL)
    assert "True value &rarr; published value" in inside
    assert inside.count(f'<td class="word">{done.changes}</td>') == done.sensitive.sum()


def test_a_page_of_a_table_that_was_not_judged():
    done = cf.protect_table(table(120), RULE, method=cf.ControlledRounding(300, judge=False))
    assert "was not judged" in render_table(done, internal=True)
    assert "was audited" not in render_table(done)
