"""Someone who reads the last bits of released numbers, which tell how large the numbers were that were added."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import confide as cf

N, INCOME, SD = 200_000, 3_000.0, 2_000.0
WHO = np.random.default_rng(1).random(N) < 0.5
NEAR, DIGIT = 64.0, 2.0**-41
"""Released numbers this small are looked at; noise of 2,048 to 4,096, which makes one of 3,000, has no finer digit."""


def released(grid: Any) -> np.ndarray:
    """Half of the people have nothing, half have 3,000, and noise hides who."""
    data = cf.Microdata.from_dict({"income": np.where(WHO, INCOME, 0.0).tolist()}).declare(kinds={"income": "continuous"})
    made = cf.Release(cf.Noise("income", sd=SD, grid=grid)).apply(data, keep_order=True)
    return made.data.column("income").numbers


def said_rich(z: np.ndarray) -> np.ndarray:
    """A small sum of a large number and large noise has only the digits of the large ones."""
    return np.equal(z / DIGIT, np.rint(z / DIGIT))


def test_the_last_bits_of_unrounded_numbers_tell_who_has_an_income() -> None:
    z = released("none")
    near = np.abs(z) < NEAR
    assert near.sum() > 1_000
    assert np.mean(said_rich(z[near]) == WHO[near]) > 0.98


@pytest.mark.parametrize("grid", ["source", 0.01, 1, 25])
def test_the_last_bits_of_numbers_on_a_grid_tell_nothing(grid: Any) -> None:
    z = released(grid)
    near = np.abs(z) < NEAR
    said, rich = said_rich(z[near]), WHO[near]
    assert rich.sum() > 500
    if said.all() or not said.any():
        return
    shares = [said[rich].mean(), said[~rich].mean()]
    assert abs(shares[0] - shares[1]) < 5 * np.sqrt(0.25 / rich.sum() + 0.25 / (~rich).sum())


@pytest.mark.parametrize("grid", ["source", 0.01])
def test_equal_released_numbers_have_equal_bits_whoever_is_behind(grid: Any) -> None:
    """Many people share each released number, and all they share is its place on the grid."""
    z = released(grid)
    values, which = np.unique(z, return_inverse=True)
    step = 1.0 if grid == "source" else grid
    assert values.tolist() == [float(f"{k * step:.2f}") for k in np.rint(values / step).tolist()]
    mine = np.bincount(which[WHO], minlength=values.size) > 0
    others = np.bincount(which[~WHO], minlength=values.size) > 0
    shared = np.abs(values - INCOME / 2) < SD / 2
    assert (mine & others)[shared].mean() > (0.95 if grid == "source" else 0.02)
