"""Files of protected tables: what they hold, who may read them, and how they are read back."""

import json
import re
import stat

import numpy as np
import polars as pl
import pytest

import confide as cf
from unit.tables.firms import RULE, table


@pytest.fixture(scope="module")
def done():
    return cf.protect_table(table(120), RULE)


def secrets(done):
    """The values that must not be found in a published file: left out, and not the value of a published cell."""
    shown = set(done.table.values[~done.suppressed].astype(int).tolist())
    return [v for v in done.table.values[done.suppressed].astype(int).tolist() if v not in shown and v > 9]


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.parquet", "t.sdmx.csv", "t.json"])
def test_published_files_hold_no_secret_and_are_the_same_twice(done, tmp_path, name):
    path = done.write(tmp_path / name)
    first = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = pl.read_parquet(path).write_csv() if name.endswith("parquet") else first.decode()
    found = set(re.findall(r"\d+", text))
    assert len(secrets(done)) > 10
    assert not [v for v in secrets(done) if str(v) in found]
    assert not re.search("primary|secondary|Minimum|Percent", text)
    done.write(path, overwrite=True)
    assert path.read_bytes() == first
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_internal_files_are_for_their_owner_alone(done, tmp_path, name):
    path = done.write(tmp_path / name, internal=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    frame = pl.read_parquet(path) if name.endswith("parquet") else pl.read_csv(path)
    assert frame["status"].to_list() == done.status.tolist()


def test_files_that_are_there_are_kept(done, tmp_path):
    (tmp_path / "t.csv").write_text("mine")
    with pytest.raises(cf.DataError, match="is there already"):
        done.write(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "internal", "message"),
    [
        ("t.xlsx", False, "choose one of these endings"),
        ("t.json", True, "internal tables"),
        ("no/t.csv", False, "does not exist"),
    ],
)
def test_wrong_paths_are_refused(done, tmp_path, name, internal, message):
    with pytest.raises(cf.DataError, match=message):
        done.write(tmp_path / name, internal=internal)
    with pytest.raises(cf.DataError, match="is a folder"):
        done.write(tmp_path)


def test_sdmx_csv_has_the_columns_of_version_2(done, tmp_path):
    frame = pl.read_csv(done.write(tmp_path / "t.sdmx.csv"))
    assert frame.columns == [
        "STRUCTURE", "STRUCTURE_ID", "ACTION", "area", "trade", "OBS_VALUE", "OBS_STATUS", "CONF_STATUS",
    ]  # fmt: skip
    assert frame["STRUCTURE"].unique().to_list() == ["dataflow"]
    assert frame["STRUCTURE_ID"][0] == "CONFIDE:turnover(1.0.0)"
    hidden = done.suppressed
    assert frame["CONF_STATUS"].to_list() == ["N" if h else "F" for h in hidden]
    assert frame["OBS_STATUS"].to_list() == ["Q" if h else "A" for h in hidden]
    assert frame["OBS_VALUE"].is_null().to_list() == hidden.tolist()
    named = cf.SdmxCsv(agency="NSI", flow="SBS table", version="2.1", action="R").bytes_of(done).decode().splitlines()[1]
    assert named.startswith("dataflow,NSI:SBS_table(2.1),R,")


def test_json_stat_is_a_dataset_of_version_2(done, tmp_path):
    found = json.loads(done.write(tmp_path / "t.json").read_text())
    assert found["version"] == "2.0"
    assert found["class"] == "dataset"
    assert found["id"] == ["area", "trade"]
    assert found["size"] == [7, 7]
    area = found["dimension"]["area"]["category"]
    assert area["index"][0] == "Total"
    assert area["child"]["N"] == ["N1", "N2"]
    assert len(found["value"]) == 49
    for i, (codes, value) in enumerate(zip(done.table.codes, done.values, strict=True)):
        at = int(codes[0] * 7 + codes[1])
        assert found["value"][at] == (None if np.isnan(value) else int(value))
        assert (str(at) in found["status"]) == bool(done.suppressed[i])


def test_json_stat_lists_the_cells_of_a_sparse_table():
    data = cf.Microdata.from_dict(
        {"a": [f"a{i}" for i in range(9)], "b": [f"b{i}" for i in range(9)], "v": list(range(1, 10))}
    )
    done = cf.protect_table(cf.tabulate(data, ["a", "b"], "v"), cf.MinimumFrequency(1))
    found = json.loads(cf.JsonStat(label="few", source="us").bytes_of(done))
    assert isinstance(found["value"], dict)
    assert len(found["value"]) == done.table.n
    assert (found["label"], found["source"]) == ("few", "us")


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.parquet", "t.sdmx.csv"])
def test_published_files_are_read_back_as_patterns(done, tmp_path, name):
    found = cf.read_pattern(done.write(tmp_path / name), done.table)
    assert found.suppressed.tolist() == done.suppressed.tolist()
    assert (found.absent, found.empty) == (0, 0)


def test_internal_files_tell_what_is_primary(done, tmp_path):
    found = cf.read_pattern(done.write(tmp_path / "t.csv", internal=True), done.table)
    assert found.primary.tolist() == (done.status == "primary").tolist()
    assert found.suppressed.tolist() == done.suppressed.tolist()


@pytest.mark.parametrize(
    ("head", "words", "primary"),
    [
        ("sdcStatus", ["s", "u", "x", "z", "s"], [0, 1, 0, 0, 0]),
        ("Status", ["V", "B", "D", "V", "V"], [0, 1, 0, 0, 0]),
        ("Status", ["S", "U", "M", "P", "S"], [0, 1, 0, 0, 0]),
        ("suppressed", ["FALSE", "TRUE", "true", "false", "False"], [0, 0, 0, 0, 0]),
        ("n", ["9", "", ":", "2", "1"], [0, 0, 0, 0, 0]),
    ],
)
def test_statuses_of_other_programs(tmp_path, head, words, primary):
    t = cf.tabulate(cf.Microdata.from_dict({"a": list("pqrs"), "n": [1, 2, 3, 4]}), "a", "n")
    codes = ["Total", *"pqrs"]
    (tmp_path / "t.csv").write_text(f"a;{head}\n" + "".join(f"{c};{w}\n" for c, w in zip(codes, words, strict=True)))
    found = cf.read_pattern(tmp_path / "t.csv", t)
    assert found.suppressed.tolist() == [False, True, True, False, False]
    assert found.primary.tolist() == [bool(p) for p in primary]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b,status\np,s\n", "there is no column 'a'"),
        ("a,status\nw,s\n", "there is no code 'w'"),
        ("a,status\np,??\n", "status '\\?\\?' in column 'status' is not known"),
        ("a,other\np,1\n", "no column with statuses or values"),
        ("a,status\np,s\np,s\n", "stand more than once"),
    ],
)
def test_patterns_with_mistakes(tmp_path, text, message):
    t = cf.tabulate(cf.Microdata.from_dict({"a": list("pq"), "n": [1, 2]}), "a", "n")
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(cf.TableError, match=message):
        cf.read_pattern(tmp_path / "t.csv", t)


def test_patterns_of_files_that_are_not_there(tmp_path):
    t = cf.tabulate(cf.Microdata.from_dict({"a": list("pq"), "n": [1, 2]}), "a", "n")
    with pytest.raises(cf.TableError, match="there is no file"):
        cf.read_pattern(tmp_path / "t.csv", t)
    (tmp_path / "t.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(cf.TableError, match="cannot be read"):
        cf.read_pattern(tmp_path / "t.csv", t)
    (tmp_path / "u.csv").write_text("a,status\nTotal,s\np,u\n")
    found = cf.read_pattern(tmp_path / "u.csv", t)
    assert found.absent == 1
    assert found.suppressed.tolist() == [False, True, True]
    for column in ({"status": "no"}, {"value": "no"}):
        with pytest.raises(cf.TableError, match="there is no column 'no'"):
            cf.read_pattern(tmp_path / "u.csv", t, **column)


def test_a_priori_from_files(tmp_path):
    t = cf.tabulate(cf.Microdata.from_dict({"a": list("pqr"), "b": list("xyx"), "n": [1, 2, 3]}), ["a", "b"], "n")
    (tmp_path / "a.hst").write_text('"p";"x";u\nq;;p\n;;s\nr;x;c;2.5\nq;y;pl;1;2\nr;;ml\np;y;s\n')
    found = cf.APriori.read(tmp_path / "a.hst", t)
    assert list(found.sensitive) == [t.cell("p", "x")]
    assert list(found.frozen) == [t.cell("q")]
    assert list(found.safe) == [0]
    assert dict(found.costs) == {t.cell("r", "x"): 2.5}
    assert dict(found.levels) == {t.cell("q", "y"): (1.0, 2.0)}
    assert list(found.previous) == [t.cell("r")]
    assert "nobody contributes" in found.notes[0]
    (tmp_path / "a.csv").write_text("a,b,status,cost,lower,upper\np,x,sensitive,,,\nq,y,,3,1,2\n")
    other = cf.APriori.read(tmp_path / "a.csv", t)
    assert list(other.sensitive) == [t.cell("p", "x")]
    assert dict(other.costs) == {t.cell("q", "y"): 3.0}
    assert dict(other.levels) == {t.cell("q", "y"): (1.0, 2.0)}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.hst", "p\n", "expected 1 code"),
        ("a.hst", "p;?\n", "status '\\?' is not known"),
        ("a.hst", "p;c;much\n", "expected 1 number"),
        ("a.hst", "p;pl;1\n", "expected 2 number"),
        ("a.hst", "w;s\n", "there is no code 'w'"),
        ("a.csv", "a,what\np,1\n", "needs some of the columns"),
        ("a.csv", "a,lower\np,1\n", "needs some of the columns"),
    ],
)
def test_a_priori_with_mistakes(tmp_path, name, text, message):
    t = cf.tabulate(cf.Microdata.from_dict({"a": list("pq"), "n": [1, 2]}), "a", "n")
    (tmp_path / name).write_text(text)
    with pytest.raises(cf.TableError, match=message):
        cf.APriori.read(tmp_path / name, t)
    with pytest.raises(cf.TableError, match="cannot read"):
        cf.APriori.read(tmp_path / "no.hst", t)


def test_a_priori_cells_out_of_place():
    with pytest.raises(cf.TableError, match="counted from 0 to 2"):
        cf.APriori(safe=[7]).cells("safe", 3)
    with pytest.raises(cf.TableError, match="one entry for each cell"):
        cf.APriori(safe=np.array([True])).cells("safe", 3)
    assert cf.APriori(safe=np.array([True, False])).cells("safe", 2).tolist() == [0]
