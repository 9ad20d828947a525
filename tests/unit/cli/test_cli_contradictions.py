"""A file of which the intruder's model rules out everything leaves no exit code 0."""

from __future__ import annotations

import pytest

from confide.cli.main import main

PLAN = """
[data]
path = "people.csv"
[data.roles]
key = ["sex", "region"]
[[release]]
name = "elsewhere"
released = "released.csv"
[[intruder]]
name = "clerk"
knows = ["sex", "region"]
understands_masking = {understands}
[limits]
max_expected_matches = 1
"""


@pytest.mark.parametrize("understands", ["true", "false"])
def test_a_released_file_coded_otherwise_does_not_pass_limits(tmp_path, monkeypatch, capsys, understands):
    rows = [("mf"[i % 2], "abc"[i % 3]) for i in range(30)]
    (tmp_path / "people.csv").write_text("sex,region\n" + "".join(f"{s},{r}\n" for s, r in rows))
    (tmp_path / "released.csv").write_text("sex,region\n" + "".join(f"{s},{r.upper()}\n" for s, r in rows))
    (tmp_path / "plan.toml").write_text(PLAN.format(understands=understands))
    monkeypatch.chdir(tmp_path)
    assert main(["assess", "plan.toml", "--quiet"]) != 0
    said = capsys.readouterr().err
    assert "coded otherwise" in said
    assert "'region'" in said
    assert "Traceback" not in said
