"""How large the best probability is by chance, for any beliefs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import lognorm

import confide as cf

ALIKE = cf.OneAgainstAlike(lambda x: lognorm.pdf(x, 1.0), lambda x: lognorm.pdf(x, 1.0, scale=np.exp(2.0)), respondents=100)


def table(x: np.ndarray) -> np.ndarray:
    """The same beliefs, written out for each of the 100 respondents."""
    others = lognorm.pdf(x, 1.0, scale=np.exp(2.0))
    return np.column_stack([lognorm.pdf(x, 1.0), np.tile(others[:, None], 99)])


def ten(rng: np.random.Generator) -> np.ndarray:
    return rng.lognormal(2.0, 1.0, 10)


def test_the_printed_simulation():
    # Lambert 1993, 4.2.4: mean .05, upper quantiles .19 and .41 of 10,000 samples
    chance = cf.best_without_target(ten, ALIKE, samples=10_000, seed=1)
    assert chance.mean == pytest.approx(0.05, abs=0.005)
    assert chance.quantile(0.95) == pytest.approx(0.19, abs=0.02)
    assert chance.quantile(0.99) == pytest.approx(0.41, abs=0.05)
    plain = cf.Chance(cf.best_by_chance((0, 1), (2, 1), respondents=100, released=10, samples=10_000, seed=1))
    assert chance.mean == pytest.approx(plain.mean, abs=0.005)
    seen = chance.at_least(0.855)
    assert seen.share < 0.005
    assert 0 < seen.standard_error < 0.001
    assert "10,000 simulated releases" in repr(chance)
    assert repr(seen).endswith("(10,000 simulated releases)")


def test_all_records_competing_give_the_same_as_one_against_alike():
    releases = [ten(np.random.default_rng(k)) for k in range(20)]
    short = cf.best_without_target(releases, ALIKE)
    assert np.allclose(short.best, cf.best_without_target(releases, table).best, atol=1e-9)
    with np.errstate(divide="ignore"):
        logs = [np.log(table(x)) for x in releases]
    assert np.allclose(short.best, cf.best_without_target(logs, log=True).best, atol=1e-9)


def test_one_seed_one_answer():
    first, again, other = (cf.best_without_target(ten, ALIKE, samples=20, seed=s).best for s in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    # more samples continue the same ones
    assert np.array_equal(cf.best_without_target(ten, ALIKE, samples=30, seed=1).best[:20], first)


def test_a_release_without_the_target_never_holds_it():
    sampler = cf.ReleaseWithout(2, 5, 4, lambda rng, who: who)
    assert sorted(sampler(np.random.default_rng(1)).tolist()) == [0, 1, 3, 4]
    with pytest.raises(cf.IntruderError, match="at most 4 of 5 can be released"):
        cf.ReleaseWithout(2, 5, 5, lambda rng, who: who)


def test_an_unplaced_target_is_told_by_chance_more_often():
    source = np.array([1.0, 2.0, 4.0, 8.0, 16.0])

    def density(x):
        return -0.5 * ((np.log(x)[:, None] - np.log(source)) / 0.2) ** 2

    def mask(rng, who):
        return source[who] * np.exp(0.2 * rng.standard_normal(who.size))

    chance = cf.best_without_target(cf.ReleaseWithout(0, 5, 3, mask), density, samples=100, seed=3, log=True)
    assert chance.quantile(0.9) < 0.2
    seen = cf.link_probabilities(density(np.array([1.05, 4.1, 8.2])), log=True).largest[0]
    assert chance.at_least(seen).share <= 0.01


def test_how_often_counts_ties_and_is_never_certain():
    chance = cf.Chance(np.array([0.1, 0.3, 0.3, 0.9]))
    assert chance.at_least(0.3).share == 0.75
    assert chance.at_least(0.1 + 0.2).share == 0.75  # .30000000000000004
    assert chance.at_least(1.0).share == 0.0
    assert chance.at_least(1.0).standard_error > 0.1
    for seen in (-0.1, 1.1, float("nan")):
        with pytest.raises(cf.IntruderError, match="between 0 and 1"):
            chance.at_least(seen)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cf.best_without_target(ten, ALIKE, samples=0), "at least one release"),
        (lambda: cf.best_without_target([], ALIKE), "at least one"),
        (lambda: cf.best_without_target(ten, table, target=100, samples=1), "no respondent 100; the densities have 100"),
        (lambda: cf.best_without_target([np.array([-1.0])], ALIKE), "the others' density must be positive"),
        (lambda: cf.Chance(np.array([np.nan])), "one probability"),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(cf.IntruderError, match=message):
        call()
