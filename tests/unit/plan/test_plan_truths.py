"""Plans: the order of a file is declared, limits have the unit of their figure, and no number is invented."""

import numpy as np
import pytest

import confide as cf
from confide.cli.main import main
from confide.plan.starter import starter_plan

N = 200
PLAN = """
seed = 1
[data]
path = "src.csv"
[data.roles]
key = ["sex", "age", "region"]
[[release]]
name = "theirs"
released = "masked.csv"
{order}
[[intruder]]
name = "neighbour"
knows = ["sex", "age", "region"]
[limits]
max_right_links = {most}
"""
MAP = """
seed = 1
[data]
path = "src.csv"
[data.roles]
key = ["sex", "age", "region"]
[[release]]
methods = [{ method = "Recode", variable = "age", width = 5 }]
[[intruder]]
knows = ["sex", "age", "region"]
[[utility]]
utility = "Hellinger"
variables = ["age"]
[map]
MORE
[[map.vary]]
name = "width"
method = 1
argument = "width"
values = [2, 10]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    data = cf.Microdata.from_dict(
        {
            "sex": rng.choice(["m", "f"], N).tolist(),
            "age": rng.integers(18, 90, N).tolist(),
            "region": rng.choice(list("abcdefgh"), N).tolist(),
        }
    )
    data.to_frame().write_csv(tmp_path / "src.csv")
    data.take(rng.permutation(N)).to_frame().write_csv(tmp_path / "masked.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_plan_guessed_the_truth_of_a_file_from_the_order_of_its_rows(folder, capsys):
    (folder / "plan.toml").write_text(PLAN.format(order="", most=20))
    assert main(["assess", "plan.toml"]) == 3
    assert "right links is undefined, so that its limit cannot be held" in capsys.readouterr().err
    (folder / "masked.csv").write_bytes((folder / "src.csv").read_bytes())
    (folder / "plan.toml").write_text(PLAN.format(order="same_order = true", most=20))
    assert main(["assess", "plan.toml"]) == 3
    assert "at most 20 is allowed" in capsys.readouterr().err
    (folder / "plan.toml").write_text(PLAN.format(order="same_order = true", most=200))
    assert main(["assess", "plan.toml"]) == 0


def test_max_risk_of_10_was_accepted_on_a_share_of_targets(folder, capsys):
    (folder / "plan.toml").write_text(MAP.replace("MORE", ""))
    assert main(["choose", "plan.toml", "--max-risk", "10", "--quiet"]) == 2
    assert "--max-risk: the limit on 'right_links' is 10, and the figure of a map is" in capsys.readouterr().err
    (folder / "plan.toml").write_text(MAP.replace("MORE", "max_risk = 10\nlimits = { perceived = 5 }"))
    assert main(["map", "plan.toml", "--quiet"]) == 2
    told = capsys.readouterr().err
    assert "map.limits: the limit on 'perceived' is 5" in told
    assert "map.max_risk: the limit on 'right_links' is 10" in told


def test_limits_above_the_bound_of_a_share_said_nothing(folder, capsys):
    (folder / "plan.toml").write_text(PLAN.format(order="same_order = true", most=20) + "max_probability = 50\n")
    assert main(["assess", "plan.toml", "--quiet"]) == 2
    assert "the limit on 'probability' is 50, and the figure is at most 1" in capsys.readouterr().err


def test_init_invented_a_number_of_people_like_a_target(folder):
    text = starter_plan(cf.read("src.csv"), "src.csv")
    assert "at_least" not in text
    (folder / "plan.toml").write_text(text)
    plan = cf.read("src.csv")
    assert plan.weights is None
    assert '\n[[intruder]]\nname = "stranger"' not in text
    assert '# population = { table = "census.csv"' in text
    weighted = cf.Microdata.from_dict({"sex": ["m", "f"] * 20, "w": [5.0] * 40}).declare(weight="w")
    told = starter_plan(weighted, "src.csv")
    assert '\n[[intruder]]\nname = "stranger"' in told
    assert '\npopulation = "weights"' not in told
