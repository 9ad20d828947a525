"""Clamped noise with kept zeros: a released zero may be a zero that was kept or an amount that was clamped."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

import confide as cf

SD = 60.0


def _file(seed: int, n: int = 400) -> tuple[cf.Released, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    debt = np.where(rng.random(n) < 0.2, 0, np.round(rng.lognormal(4, 1, n), 2))
    data = cf.Microdata.from_dict({"debt": debt.tolist()}).declare(key=["debt"], kinds={"debt": "continuous"})
    noise = cf.Noise("debt", sd=SD, keep_zero=True, lower=0, outside="clamp", grid="none")
    released = cf.Release(noise).apply(data, seed=seed)
    return released, debt, released.data.column("debt").numbers


def test_an_amount_clamped_to_zero_had_probability_zero() -> None:
    released, y, z = _file(0)
    links = cf.link(released, cf.Intruder(knows=["debt"], models_others=False))
    clamped = np.flatnonzero((y > 0) & (z == 0))
    assert clamped.size > 20
    for i in clamped[:5]:
        a = np.where(z == 0, norm.cdf(-y[i] / SD), norm.pdf(z, y[i], SD))
        assert links.row(int(i)).parts.a == pytest.approx(a, rel=1e-9)
    zero = int(np.flatnonzero(y == 0)[0])
    assert links.row(zero).parts.a == pytest.approx(np.where(z == 0, 1.0, 0.0))
    assert links.contradicted == 0


def test_what_is_stated_of_released_zeros_comes_true() -> None:
    stated, true = [], []
    for seed in range(30):
        released, y, z = _file(seed, 150)
        links = cf.link(released, cf.Intruder(knows=["debt"]))
        rows = np.flatnonzero(y > 0)
        stated.append(sum(links.row(int(i)).p[z == 0].sum() for i in rows[:40]))
        true.append(np.sum(z[rows[:40]] == 0))
    gap = np.array(stated) - np.array(true)
    assert abs(gap.mean()) < 4 * gap.std(ddof=1) / np.sqrt(gap.size)
    assert np.mean(true) > 5


def test_another_bound_still_shows_kept_zeros() -> None:
    data = cf.Microdata.from_dict({"x": [0.0, 5.0, 9.0, 0.0]}).declare(kinds={"x": "continuous"})
    released = cf.Release(cf.Noise("x", sd=4, keep_zero=True, lower=-3, outside="clamp")).apply(data, seed=2)
    links = cf.link(released, cf.Intruder(knows=["x"]))
    assert links.own[[0, 3]] == pytest.approx([0.5, 0.5])


def test_zeros_kept_and_rounded_together_with_small_amounts() -> None:
    data = cf.Microdata.from_dict({"x": [0.0, 1.0, 40.0, 0.0, 80.0]}).declare(kinds={"x": "continuous"})
    released = cf.Release(cf.Noise("x", sd=3, keep_zero=True, grid="none"), cf.Round("x", to=20)).apply(data, seed=4)
    z = released.data.column("x").numbers
    links = cf.link(released, cf.Intruder(knows=["x"], models_others=False))
    assert links.row(0).parts.a == pytest.approx(np.where(z == 0, 1.0, 0.0))
    mass = norm.cdf((z + 10 - 1) / 3) - norm.cdf((z - 10 - 1) / 3)
    assert links.row(1).parts.a == pytest.approx(mass, rel=1e-6, abs=1e-12)
