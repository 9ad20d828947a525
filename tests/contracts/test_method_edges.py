"""Masking methods on single, equal, zero and missing values, and kernels that integrate to one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import confide as cf
from confide.release.channel import Kernel
from confide.release.noisy import log_likelihood


@pytest.mark.parametrize(
    ("kernel", "true"),
    [
        (Kernel(sds=(3.0,)), 5.0),
        (Kernel(sds=(3.0,), lower=0.0), 0.5),
        (Kernel(sds=(3.0,), lower=0.0, upper=4.0), 3.9),
        (Kernel(sds=(3.0, 9.0), breaks=(5.0,)), 5.1),
        (Kernel(sds=(0.4,), log_scale=True, shift=-0.08), -7.0),
    ],
)
def test_a_density_integrates_to_one(kernel: Kernel, true: float) -> None:
    grid = np.linspace(-80, 80, 1_600_001) + 1e-7
    f = np.exp(log_likelihood(kernel, grid, np.full(grid.size, true)))
    assert np.isclose(np.sum(f) * (grid[1] - grid[0]), 1, rtol=1e-4)


@pytest.mark.parametrize(
    ("kernel", "true"),
    [
        (Kernel(sds=(3.0,), grid=1), 5.3),
        (Kernel(sds=(3.0,), grid=1, lower=0.0), 0.5),
        (Kernel(sds=(3.0,), grid=1, lower=0.4, upper=7.7), 7.0),
        (Kernel(sds=(3.0,), grid=1, lower=0.0, upper=7.0, clamp=True), 7.0),
        (Kernel(sds=(3.0,), grid=1, keep_zero=True), 1.0),
        (Kernel(sds=(3.0,), grid=1, keep_zero=True, lower=0.0), 1.0),
        (Kernel(sds=(0.7,), grid=1, keep_zero=True, log_scale=True), 2.0),
        (Kernel(sds=(0.7,), grid=1, keep_zero=True, log_scale=True), -2.0),
    ],
)
def test_masses_sum_to_one(kernel: Kernel, true: float) -> None:
    z = np.arange(-300.0, 301.0)
    z = z[(z >= kernel.lower) & (z <= kernel.upper) & ((z != 0) | (not kernel.keep_zero))]
    p = np.exp(log_likelihood(kernel, z, np.full(z.size, true)))
    assert np.isclose(p.sum(), 1, atol=1e-9)


SMALL = [
    cf.Noise("x", sd=2),
    cf.Noise("x", sd=2, grid=1),
    cf.Noise("x", sd=2, keep_zero=True),
    cf.MultiplicativeNoise("x", sd=0.3),
    cf.Recode("x", width=5),
    cf.Recode("x", breaks=[-np.inf, 0, np.inf]),
    cf.Round("x", to=2),
    cf.Topcode("x", at=1000),
    cf.Bottomcode("x", at=-1000),
    cf.Swap("x", rate=1.0),
    cf.Swap("x", rate=0.0),
]


@pytest.mark.parametrize("method", SMALL, ids=lambda m: f"{type(m).__name__}-{m.describe()}")
@pytest.mark.parametrize(
    "values",
    [[5.0], [0.0], [-5.0], [5.0] * 4, [0.0] * 4, [5.5, None, 7.5, None], [0.0, -3.0, 3.0, None, -3.0]],
    ids=["one", "one zero", "one negative", "all equal", "all zero", "missing", "signs"],
)
@pytest.mark.parametrize("models_others", [False, True])
def test_edges(method: Any, values: list[float | None], models_others: bool) -> None:
    data = cf.Microdata.from_dict({"x": values}).declare(kinds={"x": "continuous"})
    released = cf.Release(method).apply(data, seed=3)
    assert released.data.column("x").is_missing.sum() == data.column("x").is_missing.sum()
    links = cf.link(released, cf.Intruder(knows=["x"], models_others=models_others))
    for i in range(data.n):
        row = links.row(i)
        assert np.isclose(row.p.sum() + row.null, 1)
        assert np.isclose(row.p[i], links.own[i])
        if not isinstance(method, cf.Swap):
            assert row.p[i] > 0
    if not isinstance(method, cf.Swap):
        # nothing is known of a target whose value is missing, so that every record is as likely
        missing = data.column("x").is_missing
        assert np.allclose(links.own[missing], 1 / data.n)


def test_missing_values_stay_missing_and_zero_stays_zero() -> None:
    data = cf.Microdata.from_dict({"x": [0.0, None, 4.5, -4.5]}).declare(kinds={"x": "continuous"})
    masked = cf.Release(cf.MultiplicativeNoise("x", sd=0.3)).apply(data, seed=1).data.column("x")
    assert masked.codes.tolist() == data.column("x").codes.tolist()
    assert masked.numbers[0] == 0
    assert masked.numbers[2] > 0 > masked.numbers[3]
