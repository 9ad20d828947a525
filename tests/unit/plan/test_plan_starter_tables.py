"""The plan of a table to start from runs as it is."""

import pytest

import confide as cf
from confide.cli.main import main
from confide.errors import DataError
from confide.plan.load import load_tables
from confide.plan.starter_tables import starter_tables
from unit.plan.test_plan_starter import FILES

NONE = ("numbers only",)


@pytest.mark.parametrize("name", [n for n in FILES if n not in NONE])
def test_the_starter_runs_as_it_is(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    cf.write(cf.Microdata.from_dict(FILES[name]), tmp_path / "data.csv")
    assert main(["init", "data.csv", "--tables"]) == 0
    (group,) = load_tables("plan.toml").groups
    assert group.tables[0].table.n >= 1
    assert main(["table", "plan.toml", "--quiet"]) in (0, 3)


def test_it_says_what_comes_next(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cf.write(cf.Microdata.from_dict(FILES["people"]), tmp_path / "data.csv")
    main(["init", "data.csv", "--tables"])
    assert "confide table plan.toml" in capsys.readouterr().out
    text = (tmp_path / "plan.toml").read_text()
    assert 'missing = "unknown"' in text
    assert "PPercentRule" in text


def test_a_file_without_codes_is_refused():
    data = cf.Microdata.from_dict(FILES["numbers only"]).declare(kinds={"x": "continuous", "y": "continuous"})
    with pytest.raises(DataError, match="could span a table"):
        starter_tables(data, "data.csv")
