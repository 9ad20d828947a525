"""Released numbers lie on a grid, and the likelihood has the mass of their cells."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from scipy.stats import lognorm, norm

import confide as cf
from confide.release.channel import Kernel
from confide.release.grid import source_step
from confide.release.marks import marks
from confide.release.noisy import log_likelihood

MANY = 40_000


def file(*x: float, kind: str = "continuous") -> cf.Microdata:
    return cf.Microdata.from_dict({"x": list(x)}).declare(kinds={"x": kind})


def released(method: Any, *x: float, seed: int = 1) -> np.ndarray:
    return cf.Release(method).apply(file(*x), seed=seed).data.column("x").numbers


@pytest.mark.parametrize(
    ("x", "sd", "step"),
    [
        ([100.0, 2300.0], 10.0, 1.0),
        ([0.25, 17.1], 10.0, 0.01),
        ([0.1 + 0.2, 1.0], 10.0, 0.01),
        ([0.3, 1.0], 10.0, 0.1),
        ([1 / 3, 5.0], 0.02, 1e-5),
        ([1 / 3, 5.0], 5e6, 1.0),
        ([0.00001, 5.0], 200.0, 0.1),
        ([12e6, 3e6], 7e6, 1.0),
        ([1e17 / 3, 1e17], 1e16, 1.0),
    ],
)
def test_the_step_of_the_source(x: list[float], sd: float, step: float) -> None:
    assert source_step(np.array(x), sd) == step


@pytest.mark.parametrize("grid", ["source", 1, 0.1, 0.01, 25, 0.3])
@pytest.mark.parametrize("kind", ["plain", "clamp", "redraw", "kept zeros", "multiplied"])
def test_released_numbers_are_clean_decimals_on_the_grid(grid: Any, kind: str) -> None:
    more: dict[str, Any] = {
        "clamp": {"lower": -3, "upper": 260, "outside": "clamp"},
        "redraw": {"lower": -3, "upper": 260},
        "kept zeros": {"keep_zero": True, "lower": 0},
    }.get(kind, {})
    x = np.round(np.random.default_rng(1).uniform(0, 250, 400), 2)
    x[:50] = 0.0
    method = (
        cf.MultiplicativeNoise("x", sd=0.4, grid=grid) if kind == "multiplied" else cf.Noise("x", sd=20, grid=grid, **more)
    )
    z = released(method, *x)
    step = Decimal("0.01" if grid == "source" else str(grid))
    assert all(Decimal(repr(v)) % step == 0 for v in z.tolist())
    assert z.min() >= more.get("lower", -np.inf)
    assert z.max() <= more.get("upper", np.inf)
    if kind in ("kept zeros", "multiplied"):
        assert ((z == 0) == (x == 0)).all()


KERNELS = {
    "whole": (cf.Noise("x", sd=0.6, grid=1), 7.0),
    "cents": (cf.Noise("x", sd=0.02, grid=0.01), 7.0),
    "cents, beside the grid": (cf.Noise("x", sd=0.02, grid=0.01), 7.004),
    "coarse": (cf.Noise("x", sd=20, grid=25), 7.0),
    "coarse, clamped": (cf.Noise("x", sd=20, grid=25, lower=-10, upper=30, outside="clamp"), 7.0),
    "coarse, redrawn": (cf.Noise("x", sd=20, grid=25, lower=-10, upper=30), 7.0),
    "coarse, zeros kept": (cf.Noise("x", sd=20, grid=25, keep_zero=True), 7.0),
    "coarse, zeros kept, bound below zero": (cf.Noise("x", sd=20, grid=25, keep_zero=True, lower=-10), 7.0),
    "coarse, zeros kept, clamped": (cf.Noise("x", sd=20, grid=25, keep_zero=True, lower=-10, outside="clamp"), 7.0),
    "coarse, more above": (cf.Noise("x", sd=20, grid=25, times_above={5.0: 2}), 7.0),
    "coarse, multiplied": (cf.MultiplicativeNoise("x", sd=0.9, grid=25), 30.0),
    "coarse, multiplied, below zero": (cf.MultiplicativeNoise("x", sd=0.9, grid=25), -30.0),
    "cents, multiplied": (cf.MultiplicativeNoise("x", sd=0.5, grid=0.01), 0.03),
}


@pytest.mark.parametrize("name", KERNELS)
def test_masses_are_the_shares_of_many_maskings(name: str) -> None:
    method, true = KERNELS[name]
    z, count = np.unique(released(method, *[true] * MANY), return_counts=True)
    kernel = cf.Release(method).apply(file(true, true), seed=1).steps[0].channels["x"]
    mass = np.exp(log_likelihood(kernel, z, np.full(z.size, true)))
    assert mass.sum() == pytest.approx(1.0, abs=20 / MANY)
    often = mass * MANY > 20
    assert np.abs(count - mass * MANY)[often].max() < 5 * np.sqrt(mass * MANY).max()
    assert (np.abs(count - mass * MANY)[often] / np.sqrt(mass[often] * MANY) < 5).all()


@pytest.mark.parametrize("kernel", [Kernel(sds=(1.0,)), Kernel(sds=(0.3,), log_scale=True)], ids=["added", "multiplied"])
@pytest.mark.parametrize("off", [0.0, 1.0, -3.0, 8.0])
def test_a_fine_grid_takes_the_density_for_the_mass(kernel: Kernel, off: float) -> None:
    """The stated bound is checked against the integral of the density over the cell."""
    true, s = 4.0, kernel.sds[0]
    step = 1e-3 if not kernel.log_scale else 1e-4
    z = true + off if not kernel.log_scale else true * float(np.exp(s * off))
    fine = Kernel(sds=kernel.sds, log_scale=kernel.log_scale, grid=step)
    z = round(z / step) * step
    assert fine.is_fine(np.array([z])).all()
    x, w = np.polynomial.legendre.leggauss(20)
    at = z + step / 2 * x
    density = norm.pdf(at, true, s) if not kernel.log_scale else lognorm.pdf(at, s, scale=true)
    wanted = float(density @ w) * step / 2
    found = float(np.exp(log_likelihood(fine, np.array([z]), np.array([true])))[0])
    u, h = abs(off) + (2 * s if kernel.log_scale else 0), step / (s * (z if kernel.log_scale else 1))
    assert abs(found / wanted - 1) < (u**2 + 1) * h**2 / 23 + 1e-11


METHODS = {
    "added": lambda u: cf.Noise("x", sd=30 * u, keep_zero=True, lower=0, grid=5 * u),
    "clamped": lambda u: cf.Noise("x", sd=30 * u, lower=0, outside="clamp", grid=0.01 * u),
    "multiplied": lambda u: cf.MultiplicativeNoise("x", sd=0.3, grid=5 * u),
}


@pytest.mark.parametrize("name", METHODS)
def test_nothing_depends_on_the_unit(name: str) -> None:
    x = np.round(np.random.default_rng(3).lognormal(4, 0.8, 60), 2)
    found = []
    for unit in (1, 100):
        made = cf.Release(METHODS[name](unit)).apply(file(*(np.round(x * 100) / 100 * unit).tolist()), seed=5)
        links = cf.link(made, cf.Intruder(knows=["x"], target_in_file=False, population=cf.Constant(200)))
        found.append((made.data.column("x").numbers / unit, links.own, links.null))
    assert found[1][0] == pytest.approx(found[0][0])
    assert found[1][1] == pytest.approx(found[0][1], rel=1e-6)
    assert found[1][2] == pytest.approx(found[0][2], rel=1e-6)


def test_whole_numbers_have_the_bytes_they_had() -> None:
    z = released(cf.Noise("x", sd=290, keep_zero=True, lower=0), 0, 635, 1100, 40, 7000, seed=7)
    assert (
        z.tolist()
        == released(cf.Noise("x", sd=290, keep_zero=True, lower=0, grid=1), 0, 635, 1100, 40, 7000, seed=7).tolist()
    )
    bare = released(cf.Noise("x", sd=290, keep_zero=True, lower=0, grid="none"), 0, 635, 1100, 40, 7000, seed=7)
    assert z.tolist() == np.rint(bare).tolist()


def test_a_rounded_number_has_no_sign_of_zero() -> None:
    z = released(cf.Noise("x", sd=0.3), *[0.0] * 50)
    assert (z == 0).sum() > 20
    assert not np.signbit(z[z == 0]).any()


def test_correlated_noise_has_the_mass_of_a_box() -> None:
    n, true = 200_000, (10.0, 20.0)
    data = cf.Microdata.from_dict({"a": [true[0]] * n, "b": [true[1]] * n}).declare(
        kinds={"a": "continuous", "b": "continuous"}
    )
    method = cf.CorrelatedNoise(["a", "b"], covariance=[[6.0, 3.0], [3.0, 7.0]])
    made = cf.Release(method).apply(data, seed=4)
    a, b = (made.data.column(v).numbers for v in "ab")
    assert (a == np.rint(a)).all()
    row = cf.link(made, cf.Intruder(knows=["a", "b"], models_others=False), cf.Targets.of_rows([0])).row(0)
    _, first, count = np.unique(np.stack([a, b]), axis=1, return_index=True, return_counts=True)
    wanted = row.parts.a[first] * n
    assert wanted.sum() == pytest.approx(n, rel=1e-3)
    often = wanted > 20
    assert (np.abs(count - wanted)[often] / np.sqrt(wanted[often]) < 5).all()


def test_a_box_too_coarse_for_its_noise_is_refused_with_what_to_type() -> None:
    data = cf.Microdata.from_dict({"a": [1.0, 2.0, 9.0], "b": [2.0, 1.0, 5.0]})
    data = data.declare(kinds={"a": "continuous", "b": "continuous"})
    made = cf.Release(cf.CorrelatedNoise(["a", "b"], covariance=[[1.0, 0.2], [0.2, 9.0]])).apply(data, seed=1)
    with pytest.raises(cf.LikelihoodError, match=r"grid of 'a' \(step 1, sd 0.998\) is coarser than half the sd"):
        cf.link(made, cf.Intruder(knows=["a", "b"]))


@pytest.mark.parametrize(
    ("method", "says"),
    [
        (lambda: cf.Noise("x", sd=1, grid=0), "grid is a positive number, 'source' or 'none', found 0"),
        (
            lambda: cf.MultiplicativeNoise("x", sd=1, grid="cents"),
            "grid is a positive number, 'source' or 'none', found 'cents'",
        ),
        (lambda: cf.CorrelatedNoise(["x", "y"], fraction=0.1, grid=True), "grid is a positive number"),
        (lambda: cf.Noise("x", sd=0, grid=-1), "sd must be a positive number, found 0; grid is a positive number"),
    ],
)
def test_what_is_no_grid_is_named(method: Any, says: str) -> None:
    with pytest.raises(cf.ReleaseError, match=says):
        method()


@pytest.mark.parametrize(
    ("method", "says"),
    [
        (cf.Noise("x", sd=0.01), "changes none of the values, which lie on a grid of step 1 as released numbers do"),
        (cf.Noise("x", sd=3, lower=1, upper=20, grid=25), "no multiple of the grid's step 25 lies between 1 and 20"),
        (cf.Noise("x", sd=3, lower=0, upper=20, grid=25, keep_zero=True), "step 25 other than zero, which is kept, lies"),
    ],
)
def test_grids_that_leave_nothing_are_refused(method: Any, says: str) -> None:
    with pytest.raises(cf.ReleaseError, match=says):
        released(method, 1.0, 5.0, 12.0)


def test_unrounded_numbers_are_marked_and_the_step_is_told() -> None:
    bare = cf.Release(cf.Noise("x", sd=5, grid="none")).apply(file(1.0, 2.5))
    assert marks(bare)[0].startswith("x is released unrounded: the last bits of noisy numbers carry the source")
    assert "X is released unrounded: the last bits" in str(cf.assess(bare, cf.Intruder(knows=["x"])))
    found = cf.Release(cf.Noise("x", sd=5)).apply(file(1.0, 2.5))
    assert marks(found) == ()
    assert found.describe() == ("add noise with sd 5 to x, in steps of 0.1",)
    assert cf.Noise("x", sd=5, grid=25).describe() == "add noise with sd 5 to x, in steps of 25"


def test_an_outsider_reads_the_step_off_the_released_file() -> None:
    made = cf.Release(cf.Noise("x", sd=3)).apply(file(*np.round(np.random.default_rng(1).normal(50, 9, 80), 2)), seed=3)
    supposed = cf.Noise("x", sd=3).suppose(made.data)
    assert supposed.kernel.grid == made.steps[0].channels["x"].grid == 0.01


def test_a_zero_that_is_kept_was_taken_for_a_number_rounded_to_it() -> None:
    """After a later step, a whole number that noise made zero was weighed as if it could be released as zero."""
    noise = cf.Noise("x", sd=3, grid=1, keep_zero=True)
    made = cf.Release(noise, cf.Topcode("x", at=50)).apply(file(0.0, 1.0, 2.0, 0.0, 60.0, 3.0), seed=2)
    row = cf.link(made, cf.Intruder(knows=["x"], models_others=False), cf.Targets.of_rows([1])).row(0)
    z = made.data.column("x").numbers
    assert row.p[z == 0].tolist() == [0.0, 0.0]
    assert (row.p[z != 0][:3] > 0).all()
