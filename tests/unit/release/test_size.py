"""Noise that does nothing, and numbers too large for squares: refused by their cause."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.data.column import Column

PAY = [0.0, 635.25, 1100.5]


def apply(method, values=PAY):
    """Mask numbers, also such as files are not made with."""
    data = cf.Microdata.from_dict({"x": [0.5] * len(values), "y": [4.5, 1.5, 3.0, 2.0][: len(values)]})
    data = data.declare(kinds={"x": "continuous", "y": "continuous"}).with_columns({"x": Column.of_numbers(values)})
    return cf.Release(method).apply(data, seed=1)


@pytest.mark.parametrize(
    "method",
    [
        cf.Noise("x", sd=1e-15),
        cf.MultiplicativeNoise("x", sd=1e-18),
        cf.CorrelatedNoise(["x", "y"], covariance=[[1e-60, 0.0], [0.0, 1.0]]),
    ],
)
def test_noise_that_changes_no_number_is_refused(method):
    assert 635.25 + 1e-15 == 635.25
    with pytest.raises(cf.ReleaseError, match="changes none of the values, which would be released as they are"):
        apply(method)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("sd", [700.0, 1e100])
def test_multiplied_noise_that_overflows_is_refused(sd):
    assert 635.25 * np.exp(8.0 * min(sd, 80.0)) > 1e150
    with pytest.raises(cf.ReleaseError, match="multiplies numbers so that they reach 1e.150; give a smaller sd"):
        apply(cf.MultiplicativeNoise("x", sd=sd))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "method",
    [cf.Topcode("x", at=600, replacement=1e308), cf.Bottomcode("x", at=600, replacement=-1e200), cf.Noise("x", sd=1e120)],
)
def test_no_number_is_released_whose_weighted_squares_overflow(method):
    with pytest.raises(cf.ReleaseError, match="would release numbers beyond 1e.100, with which nothing can be computed"):
        apply(method)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("covariance", [[[np.inf, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, np.nan]]])
def test_a_covariance_that_is_not_finite_is_refused(covariance):
    with pytest.raises(cf.ReleaseError, match="numbers that are not finite|must be a symmetric"):
        cf.CorrelatedNoise(["x", "y"], covariance=covariance)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("fraction", [np.inf, 1e308])
def test_a_covariance_that_overflows_is_refused(fraction):
    with pytest.raises(cf.ReleaseError, match="must be positive and finite|numbers that are not finite"):
        apply(cf.CorrelatedNoise(["x", "y"], fraction=fraction))


@pytest.mark.parametrize("size", [{"n": 2**40}, {"fraction": 1e12}, {"fraction": 1e308}])
def test_simulated_records_that_do_not_fit_are_refused_before_they_are_drawn(size):
    with pytest.raises(cf.ReleaseError, match=r"simulating [\d,]+ records would take .* GB are free; give a smaller n"):
        apply(cf.Simulate(**size))


def test_no_endless_number_of_records_is_simulated():
    with pytest.raises(cf.ReleaseError, match="must be positive"):
        cf.Simulate(fraction=np.inf)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("width", [5e-324, 1e-300])
def test_a_width_too_small_to_count_with_is_refused_and_not_warned_of(width):
    with pytest.raises(cf.ReleaseError, match="give a larger width, or topcode the variable first"):
        apply(cf.Recode("x", width=width))


@pytest.mark.parametrize("sd", [1e-300, 1e300])
def test_noise_whose_variance_is_zero_or_infinite_is_refused(sd):
    assert sd * sd in (0.0, np.inf)
    with pytest.raises(cf.ReleaseError, match="sd must be between 1e-150 and 1e.150"):
        apply(cf.Noise("x", sd=sd))
    released = cf.Release().apply(cf.Microdata.from_dict({"x": PAY}), seed=1)
    with pytest.raises(cf.ReleaseError, match="sd must be between"):
        cf.link(released, cf.Intruder(knows=["x"], supposes=cf.Release(cf.Noise("x", sd=sd))))


def test_small_noise_that_changes_numbers_passes():
    assert (apply(cf.Noise("x", sd=1e-9, grid="none")).data.column("x").numbers != PAY).all()
    assert (apply(cf.Noise("x", sd=1e-9, grid="none"), [0.0, 0.0]).data.column("x").numbers != 0).all()


@pytest.mark.parametrize(
    "method",
    [
        cf.Noise("x", sd=1.0),
        cf.Noise("x", sd=0.1, relative_to="all"),
        cf.MultiplicativeNoise("x", sd=0.1),
        cf.CorrelatedNoise(["x", "y"], fraction=0.1),
    ],
)
@pytest.mark.parametrize("large", [1e308, -1e200])
@pytest.mark.filterwarnings("error")
def test_numbers_whose_squares_overflow_are_named_as_the_cause(method, large):
    with pytest.raises(cf.ReleaseError, match="1 of 3 values are infinite or beyond 1e.150; their squares overflow"):
        apply(method, [large, 1.0, 2.0])
