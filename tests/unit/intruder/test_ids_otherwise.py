"""Ids written otherwise, and what cannot be computed, are said in words."""

import numpy as np
import pytest

import confide as cf

N = 300
RNG = np.random.default_rng(1)
BASE = {
    "sex": RNG.choice(["m", "f"], N).tolist(),
    "age": RNG.integers(18, 90, N).tolist(),
    "reg": RNG.choice([f"r{i}" for i in range(10)], N).tolist(),
}
SOURCE = cf.Microdata.from_dict({**BASE, "pid": [f"{i:03d}" for i in range(N)]}).declare(identifier="pid")
RELEASED = cf.Release().apply(SOURCE, seed=1)
WHO = cf.Intruder(knows=["sex", "age", "reg"])


def looked(ids):
    records = cf.Microdata.from_dict({**BASE, "pid": ids})
    return cf.assess(RELEASED, WHO, cf.Targets.of_records(records, id="pid")).row(0)


WRITTEN = {"zeros": lambda i: f"{i}", "blanks": lambda i: f" {i:03d}" if i % 3 else f"{i:03d}"}


@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN)
def test_ids_written_otherwise_lowered_the_risk_silently(write):
    row = looked([write(i) for i in range(N)])
    assert row.right_links is None
    assert row.expected_matches is None
    found = sum(write(i) == f"{i:03d}" for i in range(N))
    assert f"{found} of {N} targets from elsewhere have an id (pid)" in row.truth_notes[0]
    assert f"{N - found} would without leading zeros, blanks and capitals" in row.truth_notes[0]
    assert looked([f"{i:03d}" for i in range(N)]).truth_notes == ()


def test_ids_of_people_who_are_not_in_the_file_are_counted_and_known():
    row = looked([f"{i:03d}" if i < 250 else f"z{i}" for i in range(N)])
    assert row.right_links > 0
    assert row.truth_notes[0].startswith("250 of 300 targets from elsewhere have an id (pid)")


def test_weights_that_overflow_were_summed_to_infinity():
    with pytest.raises(cf.DeclarationError, match=r"weight 'w' is above 1e\+15 for 300 of 300 records"):
        cf.Microdata.from_dict({**BASE, "w": [1e20] * N}).declare(weight="w")


def test_a_sampling_fraction_without_digits_divided_by_zero():
    who = WHO.but(target_in_file=False, population=cf.LogLinearPopulation(fraction=1e-300))
    with pytest.raises(cf.IntruderError, match="a sampling fraction of 1e-300 cannot be computed"):
        cf.link(RELEASED, who)


def test_a_population_of_pitman_that_fails_advises_what_can_be_typed():
    who = WHO.but(target_in_file=False, population=cf.PitmanPopulation(population_size=3000))
    with pytest.raises(cf.ModelError) as caught:
        cf.link(RELEASED, who)
    assert "PitmanPopulation() cannot be fitted" in str(caught.value)
    assert "population = 'log-linear'" in str(caught.value)
    assert "model=Ewens()" not in str(caught.value)


@pytest.mark.parametrize("attack", ["inference", "linkability"])
def test_an_attack_that_says_nothing_passed_a_limit(attack):
    rng, n = np.random.default_rng(3), 400
    data = cf.Microdata.from_dict(
        {
            "sex": rng.choice(["m", "f"], n).tolist(),
            "age": rng.integers(18, 90, n).tolist(),
            "inc": np.exp(rng.normal(7, 1, n)).round(2).tolist(),
            "reg": rng.choice(list("abcd"), n).tolist(),
            "dis": rng.choice(["y", "n"], n, p=[0.05, 0.95]).tolist(),
        }
    ).declare(kinds={"inc": "continuous", "age": "integer"})
    split = cf.split_control(data, seed=1)
    asked = {
        "inference": lambda r, keys: cf.inference(split.train, r, split.control, known=["sex", "reg"], secret="dis"),
        "linkability": lambda r, keys: cf.linkability(split.train, r, split.control, known=(["sex"], ["reg"])),
    }[attack]
    measure = cf.FileMeasure(asked, keys=["sex"], name=attack)
    found = measure.of(cf.Release().apply(split.train, seed=1))
    assert found.value is None
    assert "says nothing about the release" in found.reason
    assert found.exceeds(0.05)
