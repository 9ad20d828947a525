"""Posteriors of noisy amounts, against integrals over many short panels."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.harm.reading.posterior_nodes import Prior, noise_nodes, noise_range, range_nodes
from confide.release.channel import Kernel
from confide.release.noisy import log_mass, log_normaliser, on_scale

X, W = np.polynomial.legendre.leggauss(20)


def slowly(log_density, places: list[float], scales: list[float], hard: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Give places and weights of a density known up to a factor; its jumps are told, panels shrink to where it lies."""
    ends = [min(places) - 15 * max(scales), max(places) + 15 * max(scales), *(h for h in hard if np.isfinite(h))]
    near = [p + s * np.linspace(-15, 15, 400) for p in (*places, *ends[2:]) for s in scales]
    edges = np.unique(np.concatenate([np.linspace(min(ends), max(ends), 2_000), ends, *near]))
    for _ in range(4):
        width = np.diff(edges)
        inside = [edges[:-1] + f * width for f in (1e-9, 0.5, 1 - 1e-9)]
        top = np.max([log_density(t) for t in inside], axis=0)
        keep = top > top.max() - 60
        a, w = edges[:-1][keep], width[keep]
        edges = np.unique(np.concatenate([a, a + w / 3, a + 2 * w / 3, a + w]))
    width = np.diff(edges)
    t = (edges[:-1, None] + width[:, None] * (1 + X) / 2).ravel()
    log_p = log_density(t)
    p = (width[:, None] * W).ravel() * np.exp(log_p - log_p.max())
    return t, p / p.sum()


def posterior(mean: float, sd: float, kernel: Kernel, low: float, high: float) -> tuple[float, float]:
    """Give the mean and sd of the true amount by brute force."""
    lo, hi = (float(x[0]) for x in noise_range(kernel, np.array([low]), np.array([high])))
    a, b = (float(x[0]) for x in on_scale(kernel, np.array([lo]), np.array([hi]))[:2])

    def log_density(t: np.ndarray) -> np.ndarray:
        y = np.exp(t) if kernel.log_scale else t
        c, s = kernel.centre(y), kernel.sd(y)
        told = -0.5 * ((a - c) / s) ** 2 - np.log(s) if a == b else log_mass((a - c) / s, (b - c) / s)
        found = told - 0.5 * ((t - mean) / sd) ** 2 - log_normaliser(kernel, y)
        return found if kernel.log_scale else np.where((y < kernel.lower) | (y > kernel.upper), -np.inf, found)

    places = [mean, *(x - kernel.shift for x in (a, b) if np.isfinite(x))]
    hard = () if kernel.log_scale else (*kernel.breaks, kernel.lower, kernel.upper)
    t, p = slowly(log_density, places, [sd, *kernel.sds], hard)
    y = np.exp(t) if kernel.log_scale else t
    centre = float(p @ y)
    return centre, float(np.sqrt(p @ (y - centre) ** 2))


KERNELS = {
    "bounds": lambda s, m, z: Kernel(sds=(s,), lower=min(m, z) - s, upper=max(m, z) + 0.3 * s),
    "whole": lambda s, m, z: Kernel(sds=(s,), grid=1),
    "whole and kept zeros": lambda s, m, z: Kernel(sds=(s,), grid=1, keep_zero=True, lower=0.0),
    "growing": lambda s, m, z: Kernel(sds=(s, 4 * s, 0.5 * s), breaks=(min(m, z), max(m, z) + 1e-3)),
    "clamped": lambda s, m, z: Kernel(sds=(s,), lower=min(m, z), upper=max(m, z) + s, clamp=True),
    "multiplying": lambda s, m, z: Kernel(sds=(s / 1_000,), log_scale=True, shift=-0.5 * (s / 1_000) ** 2),
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("spread", [0.5, 30.0, 800.0], ids="prior sd {}".format)
@pytest.mark.parametrize("noise", [0.2, 40.0, 900.0], ids="noise sd {}".format)
@pytest.mark.parametrize("far", [0.3, -5.0], ids="{} sds off".format)
def test_numbers(name, spread, noise, far):
    mean = 60.0
    released = float(np.rint(mean + far * np.hypot(spread, noise)))
    kernel = KERNELS[name](noise, mean, released)
    if kernel.lower == 0:
        released = max(1.0, abs(released))
    if kernel.log_scale:
        mean, spread, released = 4.0, spread / 1_000, float(np.exp(4.0 + far * np.hypot(spread, noise) / 1_000))
    prior = Prior(np.array([mean]), spread, kernel.log_scale, np.ones(1))
    values, weights, *_ = noise_nodes(prior, kernel, np.array([released]), np.array([released]))
    centre, sd = posterior(mean, spread, kernel, released, released)
    found = float(np.sum(values * weights))
    assert found == pytest.approx(centre, abs=1e-8 * sd)
    assert np.sqrt(np.sum(weights * (values - found) ** 2)) == pytest.approx(sd, rel=1e-7)


@pytest.mark.parametrize("ends", [(80.0, np.inf), (-np.inf, 20.0), (50.0, 90.0), (64.0, 64.1)])
@pytest.mark.parametrize("spread", [0.5, 30.0, 800.0])
@pytest.mark.parametrize("noise", [None, 0.2, 40.0, 900.0])
def test_ranges_with_noise_and_without(ends, spread, noise):
    prior, low, high = (
        Prior(np.array([60.0]), spread, log_scale=False, sign=np.ones(1)),
        np.array(ends[:1]),
        np.array(ends[1:]),
    )
    if noise is None:
        values, weights, *_ = range_nodes(prior, low, high)
        inside = lambda t: np.where((t < ends[0]) | (t > ends[1]), -np.inf, -0.5 * ((t - 60.0) / spread) ** 2)  # noqa: E731
        scales = [spread, min(spread, 1e-3)] if spread < 1 else [spread]
        t, p = slowly(inside, [60.0], scales, ends)
        centre = float(p @ t)
        sd = float(np.sqrt(p @ (t - centre) ** 2))
    else:
        values, weights, *_ = noise_nodes(prior, Kernel(sds=(noise,)), low, high)
        centre, sd = posterior(60.0, spread, Kernel(sds=(noise,)), *ends)
    found = float(np.sum(values * weights))
    assert found == pytest.approx(centre, abs=1e-8 * sd + 1e-13 * abs(centre))
    assert np.sqrt(np.sum(weights * (values - found) ** 2)) == pytest.approx(sd, rel=1e-6)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e15])
@pytest.mark.filterwarnings("error")
def test_any_scale_of_amounts(size):
    rng = np.random.default_rng(1)
    y = (rng.normal(100, 20, 300) * size).tolist()
    data = cf.Microdata.from_dict({"sex": rng.choice(["m", "f"], 300).tolist(), "y": y}).declare(kinds={"y": "continuous"})
    noise = cf.Noise("y", sd=10.0 * size, lower=-1e3 * size)
    links = cf.link(cf.Release(noise).apply(data, seed=1), cf.Intruder(knows=["sex"]))
    harm = cf.Harm("y", cf.AmountCosts(cf.AbsoluteError()), reading=cf.MeasurementError(), bayesian=True, acts=0.0)
    assert cf.harm_of(links, harm).mean / size == pytest.approx(22.0, rel=0.15)


@pytest.mark.filterwarnings("error")
def test_all_amounts_alike():
    data = cf.Microdata.from_dict({"sex": ["m", "f"] * 5, "y": [7.0] * 10}).declare(kinds={"y": "continuous"})
    for release in (cf.Release(cf.Recode("y", width=5)), cf.Release(cf.Round("y", 10)), cf.Release()):
        links = cf.link(release.apply(data, seed=1), cf.Intruder(knows=["sex"]))
        for reading in (cf.AsReleased(), cf.MeasurementError(), cf.Shrunk()):
            harm = cf.Harm("y", cf.AmountCosts(cf.AbsoluteError()), reading=reading, bayesian=True, acts=0.0)
            assert np.isfinite(cf.harm_of(links, harm).per_target).all()


@pytest.mark.parametrize("log_scale", [False, True])
def test_costs_that_jump_or_bend_are_integrated_between_the_nodes(log_scale):
    """The posterior has nodes, but how probable a range is does not hang on whether a node lies in it."""
    from confide.harm.belief.panels import PanelsBelief

    mean, sd = np.array([3.0, 3.0, 3.0, 3.0]), 0.8
    prior = Prior(mean, sd, log_scale, np.array([1.0, 1.0, -1.0, -1.0]) if log_scale else np.ones(4))
    # nothing is told but what the regression says: normal, or lognormal
    low, high = (
        (np.array([0.0] * 2 + [-np.inf] * 2), np.array([np.inf] * 2 + [-1e-300] * 2))
        if log_scale
        else (np.full(4, -np.inf), np.full(4, np.inf))
    )
    found = range_nodes(prior, low, high)
    belief = PanelsBelief.of(*found, sign=prior.sign if log_scale else None)
    exact = cf.LognormalBelief(mean, sd) if log_scale else cf.NormalBelief(mean, sd)
    t = np.array([2.9, 3.4, 2.0, 3.01])
    if not log_scale:
        for name in (
            "cdf",
            "tail",
            "excess",
            "shortfall",
            "squared_excess",
            "squared_error",
            "partial_first",
            "partial_second",
        ):
            assert getattr(belief, name)(t) == pytest.approx(getattr(exact, name)(t), abs=1e-9)
        assert belief.mass(t - 0.05, t + 0.05) == pytest.approx(exact.mass(t - 0.05, t + 0.05), abs=1e-9)
        return
    t, minus = np.exp(t), np.array([1.0, 1.0, -1.0, -1.0])
    for name, mirrored in {"cdf": "tail", "tail": "cdf", "excess": "shortfall", "shortfall": "excess"}.items():
        plain, other = getattr(exact, name)(t), getattr(exact, mirrored)(t)
        assert getattr(belief, name)(minus * t) == pytest.approx(np.where(minus > 0, plain, other), rel=1e-8)
    near = exact.mass(0.9 * t, 1.1 * t)
    ends = np.sort([0.9 * minus * t, 1.1 * minus * t], axis=0)
    assert belief.mass(*ends) == pytest.approx(near, rel=1e-8)
    assert belief.cdf(0.0).tolist() == pytest.approx([0.0, 0.0, 1.0, 1.0])


def test_points_among_panels():
    from confide.harm.belief.panels import PanelsBelief

    for sign in (None, np.zeros(2)):
        point = PanelsBelief.of([[0.0, 9.0], [-4.0, 9.0]], [[1.0, 0.0]] * 2, [[0.0], [-4.0]], [[0.0], [-4.0]], sign)
        assert point.cdf([0.0, -4.0]).tolist() == [1.0, 1.0]
        assert point.tail([0.0, -4.0]).tolist() == [0.0, 0.0]
        assert point.cdf([-1e-9, -5.0]).tolist() == [0.0, 0.0]
        assert point.mass([0.0, -4.0], [0.0, -4.0]).tolist() == [1.0, 1.0]
        assert point.mass([1e-9, -3.0], [1.0, 3.0]).tolist() == [0.0, 0.0]
        assert point.excess([-1.0, -4.0]).tolist() == [1.0, 0.0]
        assert point.take([1]).shortfall(-3.0).tolist() == [1.0]


def test_an_amount_known_to_be_close_by_a_bayesian_intruder():
    """Noise with a bound far away is noise without: both posteriors give the same harm."""
    rng = np.random.default_rng(3)
    data = cf.Microdata.from_dict(
        {"sex": rng.choice(["m", "f"], 200).tolist(), "y": rng.normal(100, 20, 200).tolist()}
    ).declare(kinds={"y": "continuous"})
    harm = cf.Harm("y", cf.AmountCosts(cf.Close(0.02)), reading=cf.MeasurementError(), bayesian=True, acts=0.0)
    released = cf.Release(cf.Noise("y", sd=10.0)).apply(data, seed=1)
    plain, bounded = (
        cf.harm_of(cf.link(released, cf.Intruder(knows=["sex"], supposes=cf.Release(noise))), harm).per_target
        for noise in (cf.Noise("y", sd=10.0), cf.Noise("y", sd=10.0, lower=-1e6))
    )
    assert bounded == pytest.approx(plain, rel=1e-9)
