"""Numbers that are rounded before noise is added: strangers' numbers are rounded, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import lognorm, norm

import confide as cf
from confide.linking.entrance import entrance
from confide.release.channel import Kernel

BELIEF = lognorm(0.7, scale=np.exp(4))
GRID = BELIEF.ppf((np.arange(400_000) + 0.5) / 400_000)
AMOUNTS = BELIEF.ppf((np.arange(60) + 0.5) / 60)

CHAINS: dict[str, tuple[list[Any], Any]] = {
    "noise": ([cf.Round("x", to=20), cf.Noise("x", sd=3, grid="none")], lambda y: 20 * np.round(y / 20)),
    "wide noise": ([cf.Round("x", to=2), cf.Noise("x", sd=40, grid="none")], lambda y: 2 * np.round(y / 2)),
    "zeros kept": (
        [cf.Round("x", to=20), cf.Noise("x", sd=5, keep_zero=True, grid="none")],
        lambda y: 20 * np.round(y / 20),
    ),
    "multiplied": (
        [cf.Round("x", to=20), cf.MultiplicativeNoise("x", sd=0.03, grid="none")],
        lambda y: 20 * np.round(y / 20),
    ),
    "rounded, then cut": (
        [cf.Round("x", to=20), cf.Topcode("x", at=95, replacement=130.0), cf.Noise("x", sd=4, grid="none")],
        lambda y: np.where(20 * np.round(y / 20) > 95, 130.0, 20 * np.round(y / 20)),
    ),
    "cut, then rounded": (
        [cf.Topcode("x", at=95, replacement=130.0), cf.Round("x", to=20), cf.Noise("x", sd=4, grid="none")],
        lambda y: np.where(y > 95, 120.0, 20 * np.round(y / 20)),
    ),
}


def _masked(chain: list[Any]) -> cf.Released:
    data = cf.Microdata.from_dict({"sex": ["f"] * AMOUNTS.size, "x": AMOUNTS.tolist()}).declare(kinds={"x": "continuous"})
    return cf.Release(*chain).apply(data, seed=5)


def _log_density(name: str, z: np.ndarray, true: np.ndarray) -> np.ndarray:
    """Noise around numbers that were rounded; nothing where one is zero and the other is not."""
    noise = CHAINS[name][0][-1]
    value = CHAINS[name][1](true)
    if name == "multiplied":
        with np.errstate(divide="ignore"):
            here = norm.logpdf(np.log(z), np.log(value), noise.sd) - np.log(z)
        return np.where((value == 0) | (z == 0), np.where(value == z, 0.0, -np.inf), here)
    here = norm.logpdf(z, value, noise.sd)
    if name == "zeros kept":
        return np.where((value == 0) | (z == 0), np.where(value == z, 0.0, -np.inf), here)
    return np.asarray(here)


def _of_strangers(name: str, z: np.ndarray, believed: np.ndarray = GRID) -> np.ndarray:
    """The mean over many people; where zeros show, over those of the record's class."""
    found = []
    for x in z:
        likelihood = np.exp(_log_density(name, np.full(believed.size, x), believed))
        shown = name in ("multiplied", "zeros kept")
        alike = (CHAINS[name][1](believed) == 0) == (x == 0) if shown else np.ones(believed.size, dtype=np.bool_)
        found.append(likelihood[alike].mean())
    return np.array(found)


@pytest.mark.parametrize("name", CHAINS)
def test_strangers_numbers_entered_the_noise_unrounded(name: str) -> None:
    released = _masked(CHAINS[name][0])
    z = released.data.columns["x"].numbers
    who = cf.Intruder(knows=["sex", "x"], beliefs=cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Lognormal(4, 0.7)})]]))
    links = cf.link(released, who)
    strangers = _of_strangers(name, z)
    for t in (2, 20, 45, 59):
        likelihood = np.exp(_log_density(name, z, np.full(z.size, AMOUNTS[t])))
        want = likelihood / strangers
        assert links.row(t).p == pytest.approx(want / want.sum(), rel=2e-3, abs=1e-9)


@pytest.mark.parametrize("name", ["noise", "zeros kept"])
def test_amounts_are_fitted_before_they_are_rounded(name: str) -> None:
    released = _masked(CHAINS[name][0])
    z = released.data.columns["x"].numbers
    log_y = np.log(AMOUNTS[CHAINS[name][1](AMOUNTS) != 0] if name == "zeros kept" else AMOUNTS)
    fitted = lognorm(log_y.std(ddof=1), scale=np.exp(log_y.mean()))
    links = cf.link(released, cf.Intruder(knows=["sex", "x"]))
    strangers = _of_strangers(name, z, fitted.ppf((np.arange(400_000) + 0.5) / 400_000))
    want = np.exp(_log_density(name, z, np.full(z.size, AMOUNTS[30]))) / strangers
    assert links.row(30).p == pytest.approx(want / want.sum(), rel=2e-3, abs=1e-9)


@pytest.mark.parametrize("item", [cf.Between("x", 40, 80), cf.Within("x", 30)])
def test_bounds_ignored_the_rounding(item: Any) -> None:
    released = _masked(CHAINS["noise"][0])
    z = released.data.columns["x"].numbers
    rows = np.flatnonzero((AMOUNTS >= 40) & (AMOUNTS <= 80))
    who = cf.Intruder(knows=["sex", item], beliefs=cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Lognormal(4, 0.7)})]]))
    t = 5
    p = cf.link(released, who, cf.Targets.of_rows(rows.tolist())).row(t).p
    y = AMOUNTS[rows[t]]
    inside = np.linspace(0.7 * y, 1.3 * y, 100_001) if isinstance(item, cf.Within) else GRID[(GRID >= 40) & (GRID <= 80)]
    want = _of_strangers("noise", z, inside) / _of_strangers("noise", z)
    assert p == pytest.approx(want / want.sum(), rel=2e-3, abs=1e-9)


@pytest.mark.parametrize("grid", ["source", 1.0, 5.0])
def test_noise_on_a_grid_around_rounded_numbers_has_the_mass_of_a_cell(grid: Any) -> None:
    released = _masked([cf.Round("x", to=20), cf.Noise("x", sd=6, grid=grid)])
    z, kernel = released.data.columns["x"].numbers, released.steps[1].channels["x"]
    assert isinstance(kernel, Kernel)
    assert kernel.grid is not None

    def mass(value: Any) -> np.ndarray:
        half = kernel.grid / 2
        return np.asarray(norm.cdf((z[:, None] + half - value) / 6) - norm.cdf((z[:, None] - half - value) / 6))

    k = np.arange(200)
    share = BELIEF.cdf(20 * k + 10) - BELIEF.cdf(20 * k - 10)
    want = mass(20 * np.round(AMOUNTS[30] / 20))[:, 0] / (mass(20.0 * k) @ share)
    beliefs = cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Lognormal(4, 0.7)})]])
    p = cf.link(released, cf.Intruder(knows=["sex", "x"], beliefs=beliefs)).row(30).p
    assert p == pytest.approx(want / want.sum(), rel=1e-4, abs=1e-9)


def test_a_point_is_rounded() -> None:
    released = _masked(CHAINS["noise"][0])
    z = released.data.columns["x"].numbers
    belief = cf.Mixture([(0.5, 27.0), (0.5, 95.0)])
    strangers = cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Lognormal(4, 0.7)})]])
    who = cf.Intruder(knows=["sex"], unavailable={"x": belief}, beliefs=strangers)
    p = cf.link(released, who, cf.Targets.of_rows([0])).row(0).p
    # to 20, and to 100
    want = (norm.pdf(z, 20, 3) + norm.pdf(z, 100, 3)) / _of_strangers("noise", z)
    assert p == pytest.approx(want / want.sum(), rel=2e-3, abs=1e-9)


def test_links_to_rounded_numbers_were_stated_too_often() -> None:
    stated, true = 0.0, 0.0
    for seed in range(6):
        amounts = BELIEF.rvs(100, random_state=seed)
        data = cf.Microdata.from_dict({"sex": ["f"] * 100, "x": amounts.tolist()}).declare(kinds={"x": "continuous"})
        released = cf.Release(cf.Round("x", to=20), cf.Noise("x", sd=3, grid="none")).apply(data, seed=seed)
        rows = [cf.link(released, cf.Intruder(knows=["sex", "x"])).row(t) for t in range(100)]
        stated += sum(row.p.max() for row in rows)
        true += sum((row.own in row.at_best) / row.at_best.size for row in rows)
    assert stated == pytest.approx(true, abs=4 * np.sqrt(true))


def test_rounding_twice_before_noise_is_refused() -> None:
    released = _masked([cf.Round("x", to=20), cf.Round("x", to=50), cf.Noise("x", sd=3, grid="none")])
    with pytest.raises(cf.LikelihoodError, match="Round once"):
        cf.link(released, cf.Intruder(knows=["sex", "x"]))


def test_ends_of_a_cut_after_rounding_are_those_of_true_numbers() -> None:
    data = cf.Microdata.from_dict({"x": [1.0, 200.0]}).declare(kinds={"x": "continuous"})
    steps = cf.Release(cf.Round("x", to=20), cf.Topcode("x", at=95, replacement=130.0)).apply(data, seed=1).steps
    found = entrance([step.channels["x"] for step in steps])  # type: ignore[misc]
    assert found.high == pytest.approx(90.0)
    assert (found.replaced[0].low, found.replaced[0].number) == (pytest.approx(90.0), 130.0)


def test_a_number_far_from_what_is_believed_is_weighed_all_the_same() -> None:
    amounts = [*np.linspace(-50, 50, 40).tolist(), 5_000.0]
    data = cf.Microdata.from_dict({"sex": ["f"] * 41, "x": amounts}).declare(kinds={"x": "continuous"})
    released = cf.Release(cf.Round("x", to=20), cf.Noise("x", sd=3, grid="none")).apply(data, seed=1)
    beliefs = cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Normal(0, 60)})]])
    row = cf.link(released, cf.Intruder(knows=["sex", "x"], beliefs=beliefs), cf.Targets.of_rows([40])).row(0)
    assert row.own is not None
    assert row.p[row.own] == pytest.approx(1.0)
