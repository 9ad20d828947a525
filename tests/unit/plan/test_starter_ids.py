"""What differs for every record is proposed as an identifier, whatever it is called."""

from __future__ import annotations

import tomllib

import confide as cf
from confide.cli.main import main


def test_a_running_number_is_proposed_as_identifier(tmp_path, capsys):
    """`lfdnr`, 1 to 800, was released and undid the random order."""
    n = 800
    rows = ["lfdnr,person,sex,pay,share"]
    rows += [f"{i},q{i}x,{'fm'[i % 2]},{100 + i % 50},{i / 7}" for i in range(1, n + 1)]
    (tmp_path / "people.csv").write_text("\n".join(rows) + "\n")
    out = tmp_path / "plan.toml"
    assert main(["init", str(tmp_path / "people.csv"), "--out", str(out)]) == 0
    roles = tomllib.loads(out.read_text())["data"]["roles"]
    assert roles["identifier"] == ["lfdnr", "person"]
    assert '# Different for every record, and therefore taken for identifiers: ["lfdnr", "person"]' in out.read_text()
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("lfdnr")]
    assert "identifier" in lines[0][2]


def test_few_records_and_what_is_declared_are_left_alone():
    from confide.plan.starter import with_ids

    few = cf.Microdata.from_dict({"a": list(range(19)), "sex": ["f"] * 19})
    assert with_ids(few) is few
    told = cf.Microdata.from_dict({"a": list(range(30)), "sex": ["f", "m"] * 15}).declare(key=["a"])
    assert with_ids(told) is told
    alone = cf.Microdata.from_dict({"a": list(range(30))})
    assert with_ids(alone) is alone, "an intruder must know something"
