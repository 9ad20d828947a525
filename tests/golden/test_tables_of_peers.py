"""The tables that tau-ARGUS, sdcTable, SSBtools and rtauargus ship for their examples.

Where they are absent the same code reads generated tables of the same files and columns; what is counted is then counted
from their rows.
"""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import confide as cf
import stand_ins
from outside import DATA, absent

GENERATED = bool(absent("tauargus", "sdctable", "ssbtools", "business_rtauargus"))
PLACE = stand_ins.folder() if GENERATED else DATA
BUSINESS = PLACE / "business_rtauargus"


def rows_of(path: str) -> int:
    """Count the rows of a file."""
    return pl.read_csv(PLACE / f"{path}.csv.gz", infer_schema=False).height


def counted(published, generated):
    """Choose what holds for the files that are read."""
    return generated if GENERATED else published


def correspondence(name: str, start: str = "") -> cf.Hierarchy:
    rows = pl.read_csv(BUSINESS / f"{name}_corr_table.csv.gz", infer_schema=False).rows()
    return cf.Hierarchy.of_correspondence([r for r in rows if r[0].startswith(start)])


def turnover(name: str, by: list[str], **settings) -> cf.Table:
    hierarchies = {"ACTIVITY": correspondence("activity"), "NUTS": correspondence("nuts23_fr")}
    given = {"hierarchies": {k: v for k, v in hierarchies.items() if k in by}, **settings}
    return cf.table_of_aggregates(
        BUSINESS / f"turnover_{name}.csv.gz", by, "TOT", count="N_OBS", largest="MAX", tolerance=1e-7, **given
    )


@pytest.mark.parametrize(("name", "cells"), [("act_size", 414), ("act_cj", 406), ("nuts_size", 460), ("nuts_cj", 452)])
def test_turnover_tables_are_additive(name, cells):
    by = [{"act": "ACTIVITY"}.get(x, x.upper()) for x in name.split("_")]
    assert turnover(name, by).n == counted(cells, rows_of(f"business_rtauargus/turnover_{name}"))


def test_turnover_in_three_dimensions_with_a_total_of_its_own():
    east = {"ACTIVITY": correspondence("activity"), "NUTS": correspondence("nuts23_fr", "FR4")}
    table = turnover("act_nuts_size", ["ACTIVITY", "NUTS", "SIZE"], hierarchies=east, total={"NUTS": "Total_EAST"})
    assert table.n == counted(3168, rows_of("business_rtauargus/turnover_act_nuts_size"))
    assert table.additivity(1e-7).holds


def test_turnover_tables_are_linked_on_shared_margins():
    tables = [turnover(n, b) for n, b in (("act_size", ["ACTIVITY", "SIZE"]), ("act_cj", ["ACTIVITY", "CJ"]))]
    linked = cf.link_tables(*tables, tolerance=1e-7)
    margin = int((tables[0].codes[:, 1] == 0).sum())
    assert linked.n == counted(414 + 406, tables[0].n + tables[1].n) - margin


def test_primary_secrets_of_rtauargus_in_datatest1():
    frame = cf.read(BUSINESS / "datatest1.csv.gz")
    by = ["treff", "cj", "type_distrib", "A10"]
    table = cf.table_of_aggregates(frame, by, "pizzas_tot", count="nb_obs", largest="pizzas_max", tolerance=1e-7)
    rule = cf.MinimumFrequency(3) | cf.DominanceRule(1, 0.85)
    found = table.frame({"sensitive": rule.sensitive(table)})
    flag = pl.read_csv(BUSINESS / "datatest1.csv.gz").select(*by, "is_secret_prim")
    both = found.join(flag, on=by)
    assert both.height == table.n
    # one total is negative: there the flag compares with a negative number, and the rule with the absolute value
    both = both.filter(pl.col("pizzas_tot") >= 0)
    assert both.height == table.n - counted(1, 0)
    assert both["sensitive"].to_list() == both["is_secret_prim"].to_list()


def test_business_microdata_with_nested_columns():
    data = cf.read(BUSINESS / "indiv_dt.csv.gz")
    nests = {"A88": cf.Levels("A10", "A21"), "NUTS3": cf.Levels("NUTS1", "NUTS2")}
    table = cf.tabulate(data, ["A88", "NUTS3", "SIZE"], "TURNOVER", hierarchies=nests, weight="WEIGHT")
    assert table.additivity().holds
    w, x = (data.columns[c].numbers for c in ("WEIGHT", "TURNOVER"))
    assert table.values[0] == pytest.approx(float(w @ x))
    assert table.respondents[0] == counted(9786, rows_of("business_rtauargus/indiv_dt"))


def test_tau_argus_hierarchies_and_code_list():
    region = cf.read_hierarchy(PLACE / "tauargus" / "region2.hrc", codelist=PLACE / "tauargus" / "region.cdl")
    assert region.leaves == tuple(str(i) for i in range(1, counted(13, 7)))
    assert region.parents["4"] == "Os"
    assert region.texts["1"] == counted("Groningen", "Place 1")
    assert cf.read_hierarchy(PLACE / "tauargus" / "NUTS.hrc").depth == 3
    assert cf.read_hierarchy(PLACE / "tauargus" / "nace_divisions.hrc").depth == 2
    assert cf.read_hierarchy(PLACE / "tauargus" / "KohStatReg.hrc").leaves[-1] == counted("12", "03")


def test_tau_argus_test_file():
    data = cf.read(PLACE / "tauargus" / "tau_testW.csv.gz")
    nests = {"IndustryCode": cf.Digits(3, 1, 1), "Region": PLACE / "tauargus" / "region2.hrc"}
    table = cf.tabulate(data, ["IndustryCode", "Size", "Region"], "Var2", hierarchies=nests, request="Request")
    assert table.additivity().holds
    assert table.respondents[0] == counted(42723, rows_of("tauargus/tau_testW"))
    p = cf.PPercentRule(10).sensitive(table)
    assert p[table.respondents <= 2][table.absolute[table.respondents <= 2] > 0].all()
    found = cf.rule_contradictions(table, cf.DominanceRule(3, 0.75))
    assert found.cells.size > 0
    assert not (found.same_guarantee.sensitive(table) & ~found.sensitive).any()


def test_tau_argus_enterprises_with_holdings():
    data = cf.read(PLACE / "tauargus" / "example_enterprise.csv.gz", text=["act", "region", "mun", "product"])
    act = cf.read_hierarchy(PLACE / "tauargus" / "nace_divisions.hrc").with_codes("00")
    table = cf.tabulate(data, ["act", "product"], "turnover", hierarchies={"act": act}, holding="h_id")
    alone = cf.tabulate(data, ["act", "product"], "turnover", hierarchies={"act": act})
    assert table.values == pytest.approx(alone.values)
    assert (table.respondents <= alone.respondents).all()
    assert (table.largest[:, 0] >= alone.largest[:, 0] - 1e-9).all()
    areas = cf.tabulate(data, ["mun", "act"], "turnover", hierarchies={"act": act, "mun": PLACE / "tauargus" / "NUTS.hrc"})
    assert areas.additivity().holds
    # the file writes region 10 as a second 11, below the first part of the country
    assert areas.dimensions[0].codes.count("11") == areas.dimensions[0].codes.count("2 11") == counted(1, 0)


@pytest.mark.parametrize(
    ("name", "by", "cells"),
    [
        ("microdata1", ["region", "gender"], 15),
        ("microdata2", ["region", "gender", "ecoOld", "ecoNew"], 202),
        ("vignette_microdat", ["V1", "V2", "V3"], 147),
    ],
)
def test_sdctable_microdata(name, by, cells):
    data = cf.read(PLACE / "sdctable" / f"{name}.csv.gz")
    table = cf.tabulate(data, by, data.names[-1])
    rows = zip(*(data.columns[v].values() for v in by), strict=True)
    assert table.n == len({cell for row in rows for cell in itertools.product(*((x, None) for x in row))})
    assert table.n == counted(cells, table.n)
    assert table.additivity().holds


def test_ssbtools_regions_in_two_hierarchies_and_linked_tables():
    data = cf.read(PLACE / "ssbtools" / "sosialFiktiv.csv.gz")
    both = {"region": [cf.Levels("fylke"), cf.Levels("kostragr")], "mnd": cf.Levels("mnd2")}
    whole = cf.tabulate(data, ["region", "hovedint", "mnd"], "ant", hierarchies=both)
    assert whole.n == counted(14160, (1 + 8 + 3 + 2) * (1 + 4) * (1 + 3 + 2))
    assert whole.additivity().holds
    parts = [
        cf.tabulate(data, ["region", "hovedint"], "ant", hierarchies={"region": cf.Levels("fylke")}),
        cf.tabulate(data, ["fylke", "mnd"], "ant", hierarchies={"mnd": cf.Levels("mnd2")}),
        cf.tabulate(data, ["kostragr", "hovedint", "mnd2"], "ant"),
    ]
    linked = cf.link_tables(*parts)
    assert linked.additivity().holds
    assert linked.n < sum(t.n for t in parts)
    assert set(np.round(linked.values)) <= set(np.round(whole.values))
