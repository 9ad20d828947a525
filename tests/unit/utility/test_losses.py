"""IL1s, IL1, eigenvalues, correlations and distances of values at the edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

import confide as cf


def files(source, released, parent=None, **declared):
    return cf.Released.from_files(
        *(cf.Microdata.from_dict(x).declare(**declared) for x in (source, released)),
        parent=parent,
        same_order=parent is None,
    )


def test_records_are_compared_with_their_parents():
    file = files({"x": [1.5, 4.5]}, {"x": [4.5, 1.5, 99.0]}, parent=[1, 0, -1])
    found = cf.IL1s().of(file)
    assert found.value == 0
    assert "1 of 3 released records have no source record" in found.notes[0]
    assert cf.ValueLoss().of(file).value == 0
    with pytest.raises(cf.UtilityError, match="no released record has one"):
        cf.IL1s().of(files({"x": [1.5, 2.5]}, {"x": [1.5, 2.5]}, parent=[-1, -1]))


def test_records_that_are_not_released_are_lost_as_if_they_were_blank():
    source = {"x": [1.5, 2.5, None, 4.5], "s": ["a", "b", "a", None]}
    sample = files(source, {"x": [1.5], "s": ["a"]}, parent=[0])
    blank = files(source, {"x": [1.5, None, None, None], "s": ["a", None, None, None]}, kinds={"s": "nominal"})
    sd = math.sqrt(7 / 3)
    for measure in (cf.IL1s("x"), cf.IL1s("x", per_value=True), cf.IL1("x"), cf.ValueLoss("s")):
        assert measure.of(sample).value == measure.of(blank).value > 0
    assert cf.IL1s("x").of(sample).value == pytest.approx((2 + 3) / (math.sqrt(2) * sd))
    assert cf.ValueLoss().of(sample).to_frame()["loss"].to_list() == [0.5, 0.5]
    assert "3 of 4 source records are not released, and their values count as lost" in cf.IL1s().of(sample).notes


def test_weights_and_missing_values():
    declared = {"weight": "w"}
    file = files({"x": [1.5, 2.5, None], "w": [3.0, 1.0, 1.0]}, {"x": [2.5, None, 2.5], "w": [3.0, 1.0, 1.0]}, **declared)
    found = cf.IL1s("x").of(file)
    share = np.array([0.75, 0.25])
    sd = math.sqrt(share @ (np.array([1.5, 2.5]) - 1.75) ** 2 * 2)
    # the blank counts 1, as far as 1.5 is from 2.5; what the source does not tell cannot be lost
    assert found.value == pytest.approx(4 / (math.sqrt(2) * sd))
    assert cf.IL1s("x", per_value=True).of(file).value == pytest.approx(found.value / 4)
    assert "1 of 3 values have no distance" in " ".join(found.notes)
    assert "1 of 3 values are not released and count as far as can be" in " ".join(found.notes)


def test_undefined_truths_raise():
    with pytest.raises(cf.UtilityError, match="constant in the source"):
        cf.IL1s().of(files({"x": [1.5, 1.5]}, {"x": [1.5, 2.5]}))
    with pytest.raises(cf.UtilityError, match="fewer than two known values"):
        cf.IL1s().of(files({"x": [1.5]}, {"x": [1.5]}))
    with pytest.raises(cf.UtilityError, match="no value to compare"):
        cf.IL1().of(files({"x": [0.0, 0.0]}, {"x": [1.5, 1.5]}, kinds={"x": "continuous"}))
    with pytest.raises(cf.UtilityError, match="'x' is constant in the source file"):
        cf.EigenvalueLoss().of(files({"x": [1.5, 1.5], "y": [1.5, 2.5]}, {"x": [1.5, 1.6], "y": [1.5, 2.5]}))
    with pytest.raises(cf.UtilityError, match="two complete records"):
        cf.EigenvalueLoss().of(files({"x": [1.5, None], "y": [1.5, 2.5]}, {"x": [1.5, 2.5], "y": [1.5, 2.5]}))
    x = [1.5, 2.5, 7.0, 3.5]
    collinear = {"x": x, "y": [2.1 * v for v in x], "z": [1.5, 0.5, 2.0, 4.5]}
    with pytest.raises(cf.UtilityError, match="eigenvalue is 0"):
        cf.EigenvalueLoss().of(files(collinear, collinear))
    with pytest.raises(cf.UtilityError, match="have no inverse"):
        cf.CorrelationLoss().of(files(collinear, collinear))
    data = cf.Microdata.from_dict({"x": x, "z": [1.5, 0.5, 2.0, 4.5]})
    with pytest.raises(cf.UtilityError, match="'x' is not in the release"):
        cf.EigenvalueLoss().of(cf.Release(cf.Drop("x")).apply(data, seed=1))


def test_a_dropped_variable_is_not_without_loss():
    data = cf.Microdata.from_dict({"x": [1.0, 2.0, 5.0], "y": [0.5, 3.0, 4.0]}).declare(
        kinds={"x": "continuous", "y": "continuous"}
    )
    blank = data.with_columns({"x": cf.Column.of_numbers([math.nan] * 3)})
    for file in (cf.Release(cf.Drop("x")).apply(data, seed=1), cf.Released.from_files(data, blank, same_order=True)):
        # 1, 2 and 5 are at most 4, 3 and 4 from any of them; their variance is 13/3
        assert cf.IL1s().of(file).value == pytest.approx(11 / math.sqrt(2 * 13 / 3))
        assert cf.IL1s("x").of(file).value == cf.IL1s().of(file).value
        assert cf.IL1s(per_value=True).of(file).value == pytest.approx(11 / math.sqrt(2 * 13 / 3) / 6)
        assert cf.IL1().of(file).value == pytest.approx(100 * (4 / 1 + 3 / 2 + 4 / 5))


def test_zeros_that_are_not_released_have_no_relative_distance():
    source, blank = {"x": [0.0, 2.5, 4.0]}, {"x": [None, 2.5, 4.0]}
    with pytest.raises(cf.UtilityError, match=r"1 values of 'x' that are zero in the source are not released.*use IL1s"):
        cf.IL1().of(files(source, blank))


def test_two_variables_have_no_inflation_of_their_own_and_one_has_no_correlation():
    x, y = [1.5, 2.5, 7.0, 3.5], [1.5, 0.5, 2.0, 4.5]
    with pytest.raises(cf.UtilityError, match="needs 3 numeric variables or more, found 2"):
        cf.CorrelationLoss().of(files({"x": x, "y": y}, {"x": x, "y": y[::-1]}))
    with pytest.raises(cf.UtilityError, match="needs 2 numeric variables or more, found 1"):
        cf.EigenvalueLoss().of(files({"x": x}, {"x": y}))


def test_blanks_cost_correlations_their_share():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(40, 3)) @ np.array([[1.0, 0.4, 0.2], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])
    twice = {k: np.tile(x[:, j], 2).tolist() for j, k in enumerate("abc")}
    half = {**twice, "a": [*x[:, 0].tolist(), *[None] * 40]}
    # the complete half has the very same correlations, and is but a half
    assert cf.CorrelationLoss().of(files(twice, half)).value == pytest.approx(0.5)
    assert cf.EigenvalueLoss().of(files(twice, half)).value == pytest.approx(3 * 0.5)


def test_distances_of_values():
    order = {"size": ["s", "m", "l"]}
    file = files(
        {"size": ["s", "m", "l", None], "sex": ["m", "f", None, None], "x": [1.5, None, 3.0, None]},
        {"size": ["l", "m", None, None], "sex": ["f", "f", "f", None], "x": [1.5, 2.5, 7.5, None]},
        order=order,
    )
    found = dict(cf.ValueLoss().of(file).to_frame().rows())
    assert found["size"] == pytest.approx((1 + 0 + 1 + 0) / 4)
    assert found["sex"] == pytest.approx((1 + 0 + 1 + 0) / 4)
    # a missing number counts as the largest difference, here 7.5 - 1.5
    assert found["x"] == pytest.approx(2 / math.pi * (math.atan(6) + math.atan(4.5)) / 4)
    dropped = cf.Release(cf.Drop("x")).apply(cf.Microdata.from_dict({"x": [1.5, 2.5], "s": ["a", "b"]}), seed=1)
    assert cf.ValueLoss().of(dropped).value == 0.5


def test_all_missing_numbers_are_as_far_as_can_be():
    data = cf.Microdata.from_dict({"x": [1.5, 2.5]})
    gone = data.with_columns({"x": cf.Column.of_numbers([math.nan, math.nan])})
    assert cf.ValueLoss().of(cf.Released.from_files(data, gone, same_order=True)).value == 1.0


def test_correlations_by_hand():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(40, 3))
    y = x + rng.normal(0, 0.5, size=(40, 3))
    file = files(*({k: v[:, j].tolist() for j, k in enumerate("abc")} for v in (x, y)))
    e, f = (np.sort(np.linalg.eigvalsh(np.corrcoef(v.T)))[::-1] for v in (x, y))
    assert cf.EigenvalueLoss().of(file).value == pytest.approx(np.sum(np.abs(e - f) / e))
    d, g = (np.diag(np.linalg.inv(np.corrcoef(v.T))) for v in (x, y))
    want = np.linalg.norm(d / np.linalg.norm(d) - g / np.linalg.norm(g)) / math.sqrt(2)
    assert cf.CorrelationLoss().of(file).value == pytest.approx(want)
