"""N_t from weights and from models, with the people of the Adult file as the population."""

from __future__ import annotations

import gzip
import io

import numpy as np
import polars as pl
import pytest

import confide as cf
from outside import DATA, needs

ADULT = DATA / "adult" / "adult.csv.gz"
pytestmark = needs("adult/adult.csv.gz")
KEYS = ["age", "workclass", "education", "marital_status", "race", "sex"]


def sample(share: float) -> tuple[cf.Released, np.ndarray]:
    """Release a sample, and give the true 1/F of its records."""
    people = pl.read_csv(io.BytesIO(gzip.decompress(ADULT.read_bytes())))
    people = people.select(KEYS).with_columns(pl.all().cast(pl.Utf8).fill_null("?"))
    codes = people.select(pl.struct(KEYS).rank("dense").alias("c"))["c"].to_numpy()
    rows = np.sort(np.random.default_rng(0).choice(people.height, int(people.height * share), replace=False))
    file = cf.from_frame(people[rows].with_columns(w=pl.lit(people.height / rows.size))).declare(key=KEYS, weight="w")
    return cf.Release().apply(file, seed=1), 1 / np.bincount(codes)[codes][rows]


def stated(released: cf.Released, model: object) -> tuple[int, float, float]:
    """Give how many are stated above 0.2, and the mean probability of sample uniques and of all."""
    links = cf.link(released, cf.Intruder(knows=KEYS, target_in_file=False, population=model))
    return int((links.best > 0.2).sum()), float(links.own[links.sample_matches == 1].mean()), float(links.own.mean())


def test_two_per_cent():
    """358 records have a true 1/N_t above .2: weights state 0, the log-linear model 354."""
    released, truth = sample(0.02)
    unique = cf.frequencies(released, KEYS).unique
    assert (int((truth > 0.2).sum()), round(truth[unique].mean(), 3)) == (358, 0.418)
    many, uniques, _ = stated(released, None)
    assert (many, round(uniques, 3)) == (0, 0.02)
    many, uniques, _ = stated(released, cf.NegativeBinomialPopulation())
    assert (many, round(uniques, 3)) == (0, 0.08)
    assert uniques == pytest.approx(cf.individual_risk(released, KEYS).per_record[unique].mean())
    many, uniques, mean = stated(released, cf.LogLinearPopulation())
    assert abs(many - 358) < 40
    assert uniques == pytest.approx(truth[unique].mean(), rel=0.2)
    assert mean == pytest.approx(truth.mean(), rel=0.2)
    _, uniques, mean = stated(released, cf.PitmanPopulation())
    assert uniques == pytest.approx(truth[unique].mean(), rel=0.25)
    assert mean == pytest.approx(truth.mean(), rel=0.25)


def test_larger_samples():
    for share in (0.1, 0.4):
        check(share)


def check(share):
    """Hold models against the truth of a sample."""
    released, truth = sample(share)
    unique = cf.frequencies(released, KEYS).unique
    _, weighed, _ = stated(released, None)
    assert weighed == pytest.approx(share, rel=1e-3)
    many, uniques, mean = stated(released, cf.LogLinearPopulation())
    assert many == pytest.approx(int((truth > 0.2).sum()), rel=0.15)
    assert uniques == pytest.approx(truth[unique].mean(), rel=0.05)
    assert mean == pytest.approx(truth.mean(), rel=0.05)
    # main effects overstate, and the test says so
    links = cf.link(
        released, cf.Intruder(knows=KEYS, target_in_file=False, population=cf.LogLinearPopulation(cf.MainEffects()))
    )
    assert links.own[unique].mean() > truth[unique].mean()
    assert "overstated" in links.people_notes[1]
