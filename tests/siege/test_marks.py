"""What was made with a seed says so on every output, first; what was made with a secret never does."""

from __future__ import annotations

import json

import pytest

import confide as cf
from confide.cli.main import main
from confide.release.released import NOT_FOR_PUBLICATION
from siege.planted import text_of, write_people
from siege.test_planted import COMMANDS

RANDOM = ("assess", "calibrate", "map", "choose", "choose a file", "table with keys")
PLAIN = {"t.csv", "t.tsv", "t.parquet"}
"""Formats of published tables have no place for a mark; the manifest and the page beside them have."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "released").mkdir()
    write_people(tmp_path / "people.csv")
    return tmp_path


def unmarked(folder):
    """Name the outputs without a mark; a masked file is marked by the manifest beside it."""
    found = []
    for path in folder.rglob("*"):
        masked = path.stem == path.parent.name and path.parent.parent.name == "held"
        kept = path.name == "evaluations.jsonl" and (path.parent / "not-for-publication.txt").exists()
        if not path.is_file() or path.name in {"people.csv", "plan.toml", "study.key", *PLAIN} or masked or kept:
            continue
        if NOT_FOR_PUBLICATION not in text_of(path).lower():
            found.append(str(path.relative_to(folder)))
    return found


@pytest.mark.parametrize("name", RANDOM)
def test_every_output_of_a_seed_is_marked(folder, capsys, name):
    """The table, the map, the calibration and the first page said nothing of the seed."""
    arguments, plan = COMMANDS[name]
    report = name in ("assess", "calibrate")
    (folder / "plan.toml").write_text(plan.replace("[report]\n", '[report]\npath = "out/report.html"\n'))
    assert main(arguments) in (0, 3)
    printed = capsys.readouterr()
    assert NOT_FOR_PUBLICATION in printed.out.lower()
    assert unmarked(folder) == []
    pages = list(folder.rglob("*.html"))
    assert pages or not report
    for page in pages:
        text = page.read_text()
        assert '<p class="banner"' in text
        assert text.index('<p class="banner"') < text.index("<h1>"), "it stands first"


@pytest.mark.parametrize("name", RANDOM)
def test_no_output_of_a_secret_is_marked(folder, capsys, name):
    arguments, plan = COMMANDS[name]
    plan = plan.replace("seed = 7\n", "").replace("[report]\n", '[report]\npath = "out/report.html"\n')
    (folder / "plan.toml").write_text(plan)
    assert main(arguments) in (0, 3)
    assert NOT_FOR_PUBLICATION not in capsys.readouterr().out.lower()
    for path in folder.rglob("*"):
        if path.is_file():
            assert NOT_FOR_PUBLICATION not in text_of(path).lower(), path


def test_the_page_says_what_is_true_of_seeds_and_secrets(folder):
    """A page of a file made with a secret said that it held seeds that undo the masking."""
    text = COMMANDS["assess"][1].replace("[report]\n", '[report]\npath = "out/report.html"\n')
    page = folder / "out" / "report.html"
    (folder / "plan.toml").write_text(text.replace("seed = 7\n", ""))
    main(["assess", "plan.toml", "--quiet"])
    secret = page.read_text()
    assert "It holds seeds" not in secret
    assert "fingerprint, with which nothing can be undone" in secret
    assert "He does not know the secret" in secret
    assert "list of methods in their order, all their parameters" in secret
    (folder / "plan.toml").write_text(text)
    main(["assess", "plan.toml", "--quiet"])
    seeded = page.read_text()
    assert "It holds seeds, with which the masking could be undone" in seeded
    assert "guesses the seed takes the masking away" in seeded
    assert "He does not know the secret" not in seeded


def test_what_prints_in_a_notebook_is_marked():
    data = cf.Microdata.from_dict({"sex": ["m", "f"] * 20, "pay": list(range(40))}).declare(key=["sex"])
    release = cf.Release(cf.Swap("sex", rate=0.2))
    seeded, secret = release.apply(data, seed=1), release.apply(data)
    assert NOT_FOR_PUBLICATION in repr(seeded)
    assert seeded.describe()[-1] == NOT_FOR_PUBLICATION
    assert NOT_FOR_PUBLICATION not in repr(secret)
    assert NOT_FOR_PUBLICATION not in secret.describe()
    method = cf.CellKeys(cf.CountNoise(cf.PerturbationTable.of(3, 2.0)))
    tables = [
        cf.protect_table(cf.tabulate(data, "sex", keys=keys), cf.MinimumFrequency(2), method=method)
        for keys in (cf.RecordKeys(seed=1), cf.RecordKeys())
    ]
    assert [NOT_FOR_PUBLICATION in repr(t) for t in tables] == [True, False]


def test_a_seeded_table_is_marked_where_its_format_allows(tmp_path):
    data = cf.Microdata.from_dict({"sex": ["m", "f"] * 20})
    method = cf.CellKeys(cf.CountNoise(cf.PerturbationTable.of(3, 2.0)))
    table = cf.tabulate(data, "sex", keys=cf.RecordKeys(seed=1))
    done = cf.protect_table(table, cf.MinimumFrequency(2), method=method)
    note = json.loads(done.write(tmp_path / "t.json").read_text())["note"]
    assert note[0].lower().startswith(NOT_FOR_PUBLICATION)
    lines = done.write(tmp_path / "t.sdmx.csv").read_text().splitlines()
    assert lines[0].endswith(",COMMENT_DSET")
    assert all(line.endswith("," + NOT_FOR_PUBLICATION) for line in lines[1:])
    assert "marks" in done.write(tmp_path / "i.csv", internal=True).read_text().splitlines()[0]
