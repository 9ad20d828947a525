"""Undo changed values of amounts, from the published table alone, with the method and its parameters known."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.tables.perturb.perturbed import Perturbed

N = 400
NOISES = {
    "largest": cf.MagnitudeNoise(),
    "value": cf.MagnitudeNoise(by=cf.ByValue()),
    "mean": cf.MagnitudeNoise(by=cf.ByMean()),
    "never as it is": cf.MagnitudeNoise(share=0.5, least=0.2),
}


def incomes(seed: int = 4) -> cf.Microdata:
    """Whole incomes, in cells of one, two or a few persons."""
    rng = np.random.default_rng(seed)
    where = [f"r{k}" for k in rng.integers(0, 260, N)]
    return cf.Microdata.from_dict({"region": where, "income": np.rint(rng.lognormal(10, 0.6, N)).astype(int).tolist()})


def noisy(noise: cf.MagnitudeNoise) -> Perturbed:
    """The table as it goes out."""
    return cf.perturb_cells(incomes(), "region", "income", noise=noise, keys=cf.RecordKeys(cf.Secret.fresh()))


def divided(published: float, noise: cf.MagnitudeNoise) -> set[int]:
    """Divide by 1 plus each of 201 shares, and keep what is whole."""
    found = published / (1 + noise.share * np.arange(-100, 101) / 100)
    return {int(v) for v in np.rint(found[np.abs(found - np.rint(found)) < 1e-7])}


@pytest.mark.parametrize("name", NOISES)
def test_dividing_by_every_share_does_not_find_the_only_contributor(name: str) -> None:
    found = noisy(NOISES[name])
    alone = np.flatnonzero(found.table.respondents == 1)
    assert alone.size > 50
    guesses = [(divided(float(found.values[c]), NOISES[name]), int(found.table.values[c])) for c in alone]
    assert sum(len(g) == 1 and t in g for g, t in guesses) <= 1


@pytest.mark.parametrize("name", NOISES)
def test_trying_every_whole_amount_leaves_many(name: str) -> None:
    """Brute force: which whole amounts have some noise with which they are published like this?"""
    noise = NOISES[name]
    found = noisy(noise)
    step = noise.step(found.table)
    own = (1 + noise.share * np.array([[-1.0, -noise.least], [noise.least, 1.0]]))[:, :, None]
    for c in np.flatnonzero(found.table.respondents == 1):
        p = float(found.values[c])
        v = np.arange(0, int(3 * p) + 100)
        ends = own * v
        there = ((ends[:, 0] <= p + step / 2) & (ends[:, 1] >= p - step / 2)).any(axis=0)
        assert there[int(found.table.values[c])]
        assert there.sum() >= 10
        # no single amount is likely, whatever is thought possible beforehand to the same degree
        chance = noise.likelihood(p, v[1:], v[1:], step)
        assert chance.max() / chance.sum() < 0.1


def test_the_larger_of_two_does_not_find_the_other() -> None:
    noise = cf.MagnitudeNoise()
    found = noisy(noise)
    pairs = np.flatnonzero(found.table.respondents == 2)
    assert pairs.size > 30
    hits = 0
    for c in pairs:
        own = float(found.table.largest[c, 0])
        rest = float(found.values[c]) - noise.share * np.arange(-100, 101) / 100 * own - own
        whole = {int(v) for v in np.rint(rest[np.abs(rest - np.rint(rest)) < 1e-4]) if 0 <= v <= own}
        hits += len(whole) == 1 and int(found.table.values[c] - own) in whole
    assert hits <= 1


def test_an_audit_counts_what_is_left() -> None:
    """Small amounts on a fine grid leave a few whole numbers each: reach alone does not show that."""
    data = cf.Microdata.from_dict({"region": list("abcd"), "hours": [12, 25, 31, 900]})
    keys = cf.RecordKeys(seed=1)
    fine = cf.perturb_cells(data, "region", "hours", noise=cf.MagnitudeNoise(grid=1), keys=keys)
    assert {fine.table.cell(region=r) for r in "abc"} <= set(fine.audit().determined.tolist())
    assert fine.table.cell(region="d") not in fine.audit().determined
    table = cf.tabulate(data, "region", "hours", keys=keys)
    rule = cf.MinimumFrequency(2)
    small = {table.cell(region=r) for r in "abc"}
    done = cf.protect_table(table, rule, method=cf.CellKeys(cf.MagnitudeNoise(0.3, grid=1)))
    assert {table.cell(region="a")} <= {e.cell for e in done.exposed}
    again = cf.protect_table(table, rule, method=cf.CellKeys(cf.MagnitudeNoise(0.3)))
    assert not small & {e.cell for e in again.exposed}


def adjusted(keys: cf.RecordKeys | None = None) -> cf.ProtectedTable:
    """A table of one respondent in many cells, each of which is moved by more than a tenth."""
    table = cf.tabulate(incomes(), "region", "income")
    return cf.protect_table(table, cf.PPercentRule(10), method=cf.TabularAdjustment(keys=keys, judge=False))


def test_an_adjusted_cell_is_not_found_by_dividing() -> None:
    """Moved by just its level, a whole income is the published one over 1.1 or .9, of which mostly one is whole."""
    done = adjusted()
    alone = np.flatnonzero(done.table.respondents == 1)
    hits = 0
    for c in alone:
        p = float(done.values[c])
        whole = {round(p / f) for f in (0.9, 1.1) if abs(p - round(p / f) * f) < 1e-3}
        hits += int(done.table.values[c]) in whole
    assert alone.size > 50
    assert hits <= 3


@pytest.mark.parametrize("size", [1, 400])
def test_one_who_knows_how_amounts_are_drawn_is_left_with_many(size: int) -> None:
    """Brute force over whole amounts, for cells that moved by the level, and up to the level or twenty units more."""
    values = (np.array([3, 7, 12, 40, 95, 180, 333, 1000]) * size).tolist()
    data = cf.Microdata.from_dict({"region": list("abcdefgh") + ["z"] * 3, "x": values + [9000 * size] * 3})
    done = cf.protect_table(cf.tabulate(data, "region", "x"), cf.PPercentRule(10), method=cf.TabularAdjustment(judge=False))
    inside = 0
    for region, x in zip("abcdefgh", values, strict=True):
        p = float(done.values[done.table.cell(region=region)])
        v = np.arange(1, int(2 * p) + 50)
        more = np.abs(p - v) - 0.1 * v
        left = v[(more >= 0) & (more <= np.maximum(0.1 * v, 20) + 1)]
        inside += x in left.tolist()
        assert left.size >= 10
        assert p == np.rint(p)
    assert inside >= 7  # one may have to go farther, so that the sums hold


def test_amounts_are_the_same_for_one_secret_and_others_for_another() -> None:
    one, other = cf.RecordKeys(cf.Secret.fresh()), cf.RecordKeys(cf.Secret.fresh())
    first = adjusted(one).values
    assert first.tolist() == adjusted(one).values.tolist()
    assert first.tolist() != adjusted(other).values.tolist()
