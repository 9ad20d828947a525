"""The plan to start from is valid for any file and runs as it is."""

import random

import pytest

import confide as cf
from confide.errors import DataError
from confide.plan.load import load_plan
from confide.plan.starter import starter_plan


def people(n=60, seed=0):
    rng = random.Random(seed)
    return {
        "id": [f"p{i}" for i in range(n)],
        "sex": [rng.choice("mf") for _ in range(n)],
        "age": [rng.randint(18, 90) for _ in range(n)],
        "Marital status": [rng.choice(["single", "married", None]) for _ in range(n)],
        "income": [rng.choice([0, rng.randint(1, 90_000)]) for _ in range(n)],
        "wt": [rng.uniform(1, 9) for _ in range(n)],
    }


FILES = {
    "people": people(),
    "no weight": {k: v for k, v in people().items() if k != "wt"},
    "numbers only": {"x": [0.5 * i for i in range(30)], "y": [float(i % 7) + 0.25 for i in range(30)]},
    "one column": {"colour": ["red", "blue", "red"]},
    "one record": {"sex": ["m"], "age": [40]},
    "constant": {"sex": ["m"] * 5, "age": [40] * 5, "income": [3] * 5},
    "odd names": {"a.b": ["x", "y", "x"], 'qu"ote': [1.5, 2.5, 3.5], "ü": ["p", "p", "q"], "#": ["1", "x", "y"]},
    "empty column": {"sex": ["m", "f", "m"], "nothing": [None, None, None]},
    "negative": {"sex": ["m", "f"] * 20, "income": [(-1) ** i * (i + 0.5) for i in range(40)]},
}


@pytest.mark.parametrize("name", FILES)
def test_the_starter_runs_as_it_is(tmp_path, name):
    data = cf.Microdata.from_dict(FILES[name])
    cf.Microdata.to_frame(data).write_csv(tmp_path / "data.csv")
    again = cf.read(tmp_path / "data.csv")
    (tmp_path / "plan.toml").write_text(starter_plan(again, "data.csv"), encoding="utf-8")
    plan = load_plan(tmp_path / "plan.toml")
    assert {n: (v.kind, v.role) for n, v in plan.microdata.variables.items()} == {
        n: (v.kind, v.role) for n, v in again.variables.items()
    }
    assert not any(v.inferred for v in plan.microdata.variables.values())
    assessment = cf.assess(plan.released(), plan.intruders, harms=plan.harms)
    assert len(assessment.scenarios) == len(plan.releases) * len(plan.intruders)
    assert [i.name for i in plan.intruders] == ["neighbour", *(["stranger"] if again.weights is not None else [])]


@pytest.mark.parametrize(("kind", "cost"), [("income", "Close"), ("Marital status", "Outcomes")])
def test_the_starter_counts_harm_from_a_sensitive_attribute(tmp_path, kind, cost):
    data = cf.Microdata.from_dict(people()).declare(sensitive=[kind])
    cf.Microdata.to_frame(data).write_csv(tmp_path / "data.csv")
    again = cf.read(tmp_path / "data.csv").declare(sensitive=[kind])
    (tmp_path / "plan.toml").write_text(starter_plan(again, "data.csv"), encoding="utf-8")
    plan = load_plan(tmp_path / "plan.toml")
    assert [h.attribute for h in plan.harms] == [kind]
    assert f'cost = "{cost}"' in (tmp_path / "plan.toml").read_text(encoding="utf-8")
    assert cf.assess(plan.released(), plan.intruders, harms=plan.harms).row(0).harm(kind).n == 60


def test_the_starter_shows_methods_and_comments(tmp_path):
    text = starter_plan(cf.Microdata.from_dict(people()), "people.csv", name="my.toml", encoding="latin-1", delimiter=";")
    for part in (
        'method = "Recode"',
        'method = "Swap"',
        'method = "Noise"',
        '# population = "log-linear"',
        "confide assess my.toml",
    ):
        assert part in text
    assert 'encoding = "latin-1"\ndelimiter = ";"' in text
    assert "p0" not in text


def test_commented_tables_are_valid_when_uncommented(tmp_path):
    data = cf.Microdata.from_dict(people())
    data.to_frame().write_csv(tmp_path / "data.csv")
    head, _, tail = starter_plan(data, "data.csv").partition("# Files to write.")
    lines = [line.removeprefix("# ") if "=" in line or "[" in line else "" for line in tail.splitlines()]
    (tmp_path / "plan.toml").write_text(head + "\n".join(lines))
    plan = load_plan(tmp_path / "plan.toml")
    assert plan.limits.largest == (("right_links", 10.0), ("expected_matches", 10.0), ("probability", 0.5))
    assert plan.outputs.per_record == tmp_path / "per_record.csv"


def test_a_file_of_identifiers_is_refused():
    with pytest.raises(DataError, match="no variable that an intruder could know"):
        starter_plan(cf.Microdata.from_dict({"id": [f"p{i}" for i in range(60)]}), "x.csv")
