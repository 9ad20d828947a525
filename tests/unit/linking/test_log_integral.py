"""The quadrature of eq. (5) against scipy, over wide ranges of parameters."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import log_ndtr

from confide.intruder.beliefs.prior import LOGNORMAL, NORMAL, UNIFORM
from confide.linking.gauss import log_phi_between
from confide.linking.marginal import log_integral
from confide.linking.quadrature import quadrature
from confide.release.noisy import log_mass

FREE = (0.0, 0.0, -math.inf, math.inf, 0.0, 0.0)


def value(
    z: float,
    family: int,
    first: float,
    second: float,
    sds: tuple[float, ...],
    *,
    breaks: tuple[float, ...] = (),
    low: float = -math.inf,
    high: float = math.inf,
    half: float = 0.0,
    kernel: tuple[float, ...] = FREE,
) -> float:
    nodes = quadrature()
    return float(
        log_integral(
            z - half,
            z + half,
            family,
            first,
            second,
            low,
            high,
            False,
            np.array(kernel),
            np.array(sds),
            np.array(breaks, dtype=np.float64),
            *nodes,
            np.empty(100_000),
            np.empty(100_000),
        )
    )


def log_normal_pdf(x: float, mean: float, sd: float) -> float:
    return -0.5 * ((x - mean) / sd) ** 2 - math.log(sd) - 0.5 * math.log(2 * math.pi)


@pytest.mark.parametrize("sd", [1e-6, 1e-3, 0.1, 1.0, 10.0, 1e3, 1e6])
@pytest.mark.parametrize("z", [0.0, 1.0, 5.0, 14.0, 30.0, 95.0, 200.0, 1000.0])
def test_normal_beliefs_have_a_closed_form(z: float, sd: float) -> None:
    want = log_normal_pdf(z, 0.0, math.hypot(1.0, sd))
    assert value(z, NORMAL, 0.0, 1.0, (sd,)) == pytest.approx(want, rel=1e-8, abs=1e-8)


def peak_and_integral(f: Any, a: float, b: float, marks: list[float]) -> float:
    """The log of the integral of exp(f) over a..b, found by brute force."""
    grid = np.unique(np.clip(np.concatenate([np.linspace(a, b, 4001), marks]), a, b))
    values = np.array([f(x) for x in grid])
    top = values.max()
    near = grid[values > top - 60]
    lo, hi = max(a, near[0] - (b - a) / 4000), min(b, near[-1] + (b - a) / 4000)
    points = np.unique(np.concatenate([np.linspace(lo, hi, 60), [m for m in marks if lo < m < hi], [lo, hi]]))
    total = sum(
        quad(lambda x: math.exp(f(x) - top), p, q, epsabs=0, epsrel=1e-11, limit=100)[0]
        for p, q in itertools.pairwise(points)
    )
    return float(top + math.log(total))


@pytest.mark.parametrize("sd", [1.0, 30.0, 290.7, 5_000.0])
@pytest.mark.parametrize("z", [1.0, 596.0, 3_000.0, 99_997.0])
@pytest.mark.parametrize("spread", [0.3, 1.0])
def test_lognormal_beliefs(z: float, sd: float, spread: float) -> None:
    def f(x: float) -> float:
        y = math.exp(x)
        # redrawn above zero
        return log_normal_pdf(x, 6.9, spread) + log_normal_pdf(z, y, sd) - float(log_ndtr(y / sd))

    marks = [math.log(z + k * sd) for k in np.linspace(-9, 9, 37) if z + k * sd > 0]
    want = peak_and_integral(f, 6.9 - 20 * spread, 6.9 + 25 * spread, marks)
    kernel = (0.0, 0.0, 0.0, math.inf, 1.0, 1.0)
    got = value(z, LOGNORMAL, 6.9, spread, (sd,), low=0.0, kernel=kernel)
    assert got == pytest.approx(want, abs=2e-8 + 1e-8 * abs(want))


@pytest.mark.parametrize("sd", [0.5, 20.0, 500.0])
@pytest.mark.parametrize("z", [-30.0, 10.0, 99.0, 140.0])
def test_uniform_beliefs_have_a_closed_form(z: float, sd: float) -> None:
    want = float(log_mass(np.array([(0 - z) / sd]), np.array([(100 - z) / sd]))[0]) - math.log(100)
    assert value(z, UNIFORM, 0.0, 100.0, (sd,)) == pytest.approx(want, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("sds", [(1.0, 50.0), (50.0, 1.0), (1.0, 1000.0), (10.0, 20.0)])
@pytest.mark.parametrize("z", [500.0, 999.0, 1001.0, 1400.0])
def test_noise_that_changes_with_the_true_value(z: float, sds: tuple[float, float]) -> None:
    total = 0.0
    for sd, a, b in ((sds[0], -2000.0, 1000.0), (sds[1], 1000.0, 3000.0)):
        marks = [m for m in [z + k * sd for k in (-9, -4, -2, -1, 0, 1, 2, 4, 9)] if a < m < b]
        points = [a, *marks, b]
        total += sum(
            quad(
                lambda y, s=sd: math.exp(log_normal_pdf(z, y, s) + log_normal_pdf(y, 600, 300)),
                p,
                q,
                epsabs=0,
                epsrel=1e-11,
                limit=200,
            )[0]
            for p, q in itertools.pairwise(points)
        )
    assert value(z, NORMAL, 600.0, 300.0, sds, breaks=(1000.0,)) == pytest.approx(math.log(total), abs=1e-7)


@pytest.mark.parametrize("sd", [0.2, 3.0, 290.0])
@pytest.mark.parametrize("z", [0.0, 5.0, 40.0])
def test_whole_numbers(z: float, sd: float) -> None:
    total = math.hypot(10.0, sd)
    want = float(log_mass(np.array([(z - 0.5 - 3) / total]), np.array([(z + 0.5 - 3) / total]))[0])
    assert value(z, NORMAL, 3.0, 10.0, (sd,), half=0.5) == pytest.approx(want, abs=1e-7)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (-1.0, 1.0),
        (3.0, 4.0),
        (-40.0, -39.0),
        (-50.0, -49.99),
        (60.0, 60.001),
        (-100.0, -99.0),
        (30.0, math.inf),
        (-math.inf, -41.0),
    ],
)
def test_the_mass_between_two_points_far_out(a: float, b: float) -> None:
    want = float(log_mass(np.array([a]), np.array([b]))[0])
    assert log_phi_between(a, b) == pytest.approx(want, rel=1e-9, abs=1e-9)


def test_a_tiny_interval() -> None:
    assert log_phi_between(1e-9, 2e-9) == pytest.approx(math.log(1e-9) - 0.5 * math.log(2 * math.pi), abs=1e-8)
