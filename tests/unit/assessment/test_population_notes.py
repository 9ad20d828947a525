"""Where N_t by weights is a poor guess, every answer says so."""

from __future__ import annotations

import json

import numpy as np
import pytest

import confide as cf
from confide.report.grid import Grid
from confide.report.words import noticed

KEYS = ["a", "b"]


@pytest.fixture(scope="module")
def released() -> cf.Released:
    rng = np.random.default_rng(2)
    p = 1 / np.arange(1, 21)
    n = 200
    data = {k: [f"{k}{x}" for x in rng.choice(20, n, p=p / p.sum())] for k in KEYS}
    file = cf.Microdata.from_dict({**data, "w": [40.0] * n, "one": [1.0] * n})
    return cf.Release().apply(file.declare(weight="w", kinds={"w": "continuous", "one": "continuous"}), seed=1)


def unsure(population: object = None) -> cf.Intruder:
    return cf.Intruder(knows=KEYS, target_in_file=False, population=population, name="stranger")


@pytest.mark.parametrize("population", [None, cf.FromWeights(), cf.NegativeBinomialPopulation()])
def test_weights_of_few_records_are_said_to_understate(released, population):
    answer = cf.assess(released, unsure(population))
    few = int((answer.row(0).links[0].sample_matches <= 2).sum())
    words = f"N_t rests on the survey weights of one or two records for {few:,} of 200 targets."
    assert few > 50
    for text in (repr(answer), " ".join(noticed(Grid.of(answer)))):
        assert words in text
        assert "understates" in text
        assert "LogLinearPopulation()" in text
        assert '"log-linear"' in text
    (row,) = json.loads(answer.to_json())["scenarios"]
    assert row["population_notes"][0].startswith(words)


def test_several_scenarios_are_named_in_one_line(released):
    answer = cf.assess(released, [unsure().but(name=f"s{i}") for i in range(5)])
    few = int((answer.row(0).links[0].sample_matches <= 2).sum())
    (line,) = [text for text in repr(answer).splitlines() if "understates" in text]
    assert f"{few:,} of 200 targets (no masking / s0), {few:,} of 200 targets (no masking / s1)" in line
    assert "and in 2 more scenarios. " in line


def test_nothing_is_said_where_weights_are_not_asked_or_say_all(released):
    quiet = [
        cf.Intruder(knows=KEYS, name="neighbour"),
        unsure(cf.Constant(100)),
        unsure(cf.LogLinearPopulation(cf.MainEffects(), test=False)),
    ]
    everybody = released.data.declare(unavailable="w").declare(weight="one")
    census = cf.Release().apply(everybody, seed=1)
    assert "understates" not in repr(cf.assess(released, quiet))
    assert "understates" not in repr(cf.assess(census, unsure()))


def test_a_model_shows_its_fit_by_scenario(released):
    answer = cf.assess(released, [unsure(cf.PitmanPopulation()), unsure(cf.LogLinearPopulation()).but(name="other")])
    text = repr(answer)
    assert "no masking / stranger: Pitman's model: theta" in text
    assert "no masking / other: log-linear model:" in text
    assert "B/sqrt(v)" in text
    assert answer.row(0).population_notes[0] in " ".join(noticed(Grid.of(answer)))
    assert "understates" not in text


def test_individual_risk_does_not_call_itself_exact(released):
    text = repr(cf.individual_risk(released, KEYS))
    few = int((cf.frequencies(released, KEYS).f <= 2).sum())
    assert "exact" not in text
    assert f"{few:,} of them from one or two weights" in text
