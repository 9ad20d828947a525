"""`confide calibrate`: what it prints, what it writes, and how it refuses."""

import json

import pytest

from confide.cli.main import main

PEOPLE = "id,sex,race,age,pay\n" + "".join(
    f"p{i},{'mf'[i % 2]},{'wwwba'[i % 5]},{20 + i % 40},{(7919 * (i + 1)) % 1009}.5\n" for i in range(120)
)
PLAN = """
seed = 3
[data]
path = "people.csv"
[data.roles]
identifier = ["id"]
[data.kinds]
pay = "continuous"
[[release]]
name = "swapped"
methods = [{ method = "Swap", variable = "race", rate = 0.4 }]
[[release]]
name = "noisy"
methods = [{ method = "Noise", variable = "pay", sd = 100 }]
[[intruder]]
name = "neighbour"
knows = ["sex", "race", "pay"]
[[intruder]]
name = "stranger"
knows = ["sex", "race"]
target_in_file = false
population = { constant = 500 }
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "plan.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_release_is_masked_again_and_compared(folder, capsys):
    assert main(["calibrate", "plan.toml", "--times", "3", "--json", "found.json"]) == 0
    out = capsys.readouterr().out
    assert "swapped: masked 3 times" in out
    assert "noisy: masked 3 times" in out
    assert "null link was not compared" in out
    found = json.loads((folder / "found.json").read_text())["calibrations"]
    assert [f["release"] for f in found] == ["swapped", "noisy"]
    assert [i["intruder"] for i in found[0]["intruders"]] == ["neighbour", "stranger"]


def test_one_release_a_picture_and_the_report(folder, capsys):
    asked = ["--release", "noisy", "--picture", "one.svg", "--report", "report.html", "--quiet"]
    assert main(["calibrate", "plan.toml", "--times", "2", *asked]) == 0
    assert not capsys.readouterr().out
    assert "probability stated" in (folder / "one.svg").read_text()
    page = (folder / "report.html").read_text()
    assert "Do the probabilities come true?" in page
    assert page.count("Reliability diagram of") == 2
    assert "Masked 2 times" in page
    assert main(["assess", "plan.toml", "--report", "plain.html", "--quiet"]) == 0
    assert "Do the probabilities come true?" not in (folder / "plain.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--release", "nosy"], "there is no release that confide masks 'nosy'; did you mean 'noisy'?"),
        (["--picture", "a.svg"], "--picture draws one release, the plan has 2"),
        (["--times", "1"], "--times"),
    ],
)
def test_mistakes_have_exit_code_2(folder, capsys, arguments, message):
    assert main(["calibrate", "plan.toml", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_releases_made_elsewhere_cannot_be_masked_again(folder, capsys):
    lines = (line.split(",", 1)[1] for line in PEOPLE.splitlines())
    (folder / "theirs.csv").write_text("\n".join(lines) + "\n")
    head = PLAN.split("[[release]]", maxsplit=1)[0]
    tail = "[[intruder]]" + PLAN.split("[[intruder]]", 1)[1]
    (folder / "plan.toml").write_text(head + '[[release]]\nname = "theirs"\nreleased = "theirs.csv"\n' + tail)
    assert main(["calibrate", "plan.toml"]) == 2
    assert "every release of the plan was made elsewhere" in capsys.readouterr().err
