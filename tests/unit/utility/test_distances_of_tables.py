"""Hellinger and Kullback-Leibler distances, by hand and at the edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

import confide as cf


def files(source, released, **declared):
    return cf.Released.from_files(
        *(cf.Microdata.from_dict(x).declare(**declared) for x in (source, released)), same_order=True
    )


def test_by_hand():
    file = files({"s": ["a", "a", "b", "b"]}, {"s": ["a", "b", "b", "c"]})
    p, q = np.array([0.5, 0.5, 0]), np.array([0.25, 0.5, 0.25])
    assert cf.Hellinger().of(file).value == pytest.approx(math.sqrt(1 - np.sqrt(p * q).sum()))
    assert cf.KullbackLeibler(smoothing=0).of(file).value == pytest.approx(0.5 * math.log(2))
    p, q = (2.5 / 5.5, 2.5 / 5.5, 0.5 / 5.5), (1.5 / 5.5, 2.5 / 5.5, 1.5 / 5.5)
    assert cf.KullbackLeibler().of(file).value == pytest.approx(sum(a * math.log(a / b) for a, b in zip(p, q, strict=True)))


def test_the_far_ends():
    apart = files({"s": ["a", "a"]}, {"s": ["b", "b"]})
    assert cf.Hellinger().of(apart).value == 1.0
    assert cf.KullbackLeibler(smoothing=0).of(apart).value == math.inf
    assert math.isfinite(cf.KullbackLeibler().of(apart).value)


def test_missing_is_a_level():
    assert cf.Hellinger().of(files({"s": ["a", None]}, {"s": ["a", "a"]})).value > 0
    assert cf.Hellinger().of(files({"s": ["a", None]}, {"s": [None, "a"]})).value == 0


def test_pairs_see_what_single_variables_do_not():
    source = {"s": ["a", "a", "b", "b"] * 5, "t": ["x", "x", "y", "y"] * 5}
    released = source | {"t": ["x", "y", "x", "y"] * 5}
    assert cf.Hellinger().of(files(source, released)).value == 0
    found = cf.Hellinger(ways=2).of(files(source, released))
    assert found.value == pytest.approx(math.sqrt(1 - 2 * math.sqrt(0.5 * 0.25)))
    assert found.to_frame()["table"].to_list() == ["s and t"]


def test_numbers_are_cut_at_quantiles_of_the_source():
    rng = np.random.default_rng(1)
    x = rng.normal(size=1_000)
    p = np.full(4, 0.25)
    found = cf.Hellinger(bins=4).of(files({"x": x.tolist()}, {"x": (x + 1).tolist()}))
    ends = np.quantile(x, [0.25, 0.5, 0.75], method="inverted_cdf")
    above = float(np.mean(x + 1 > x.max()))
    q = np.bincount(np.searchsorted(ends, x + 1), minlength=4) / 1_000
    q[3] -= above
    assert found.value == pytest.approx(math.sqrt(1 - np.sqrt(p * q).sum()))


def test_constants_and_values_outside_the_source():
    assert cf.Hellinger().of(files({"x": [1.5] * 4}, {"x": [1.5] * 4})).value == 0
    assert cf.Hellinger().of(files({"x": [1.5] * 4}, {"x": [1.5, 1.5, 1.6, 1.4]})).value > 0
    assert cf.Hellinger().of(files({"x": [1.5]}, {"x": [1.5]})).value == 0


def test_all_missing_in_one_file():
    file = cf.Released.from_files(
        cf.Microdata.from_dict({"x": [1.5, 2.5], "y": ["a", "b"]}),
        cf.Microdata.from_dict({"x": [None, None], "y": ["a", "b"]}).declare(kinds={"x": "continuous"}),
        same_order=True,
    )
    assert cf.Hellinger(["x"]).of(file).value == 1.0


def test_weights_are_repeated_records():
    weighted = files(
        {"s": ["a", "b"], "w": [3.0, 1.0], "x": [1.5, 2.5]}, {"s": ["b", "a"], "w": [3.0, 1.0], "x": [1.5, 2.5]}, weight="w"
    )
    repeated = files({"s": list("aaab"), "x": [1.5] * 3 + [2.5]}, {"s": list("bbba"), "x": [1.5] * 3 + [2.5]})
    for measure in (cf.Hellinger(), cf.Hellinger(ways=2), cf.KullbackLeibler(ways=2)):
        assert measure.of(weighted).value == pytest.approx(measure.of(repeated).value)


def test_a_variable_of_equally_frequent_values_is_not_kept_by_dropping_it():
    data = cf.Microdata.from_dict({"x": ["p", "p", "q", "q"], "y": ["a", "b", "a", "b"]})
    blank = data.with_columns({"x": cf.Column.of_labels([None] * 4)})
    merged = cf.Release(cf.Recode("x", mapping={"p": "pq", "q": "pq"})).apply(data, seed=1)
    dropped = cf.Release(cf.Drop("x")).apply(data, seed=1)
    for file, why in (
        (dropped, "'x' is not in the release"),
        (cf.Released.from_files(data, blank, same_order=True), "'x' is blank in all records"),
        (merged, "all values of 'x' are released as one"),
    ):
        found = cf.Hellinger().of(file)
        assert found.to_frame()["distance"].to_list() == pytest.approx([1.0, 0.0])
        assert why in found.notes[0]
        assert cf.Hellinger(ways=2).of(file).value == 1
        assert cf.Hellinger("x", spread=cf.SpreadByCounts()).of(file).value == 1
        # two cells of 2.5 of 5.5 in the source, of 0.5 of 5.5 in the release
        divergence = 2 * 2.5 / 5.5 * np.log(2.5 / 0.5) + 0.5 / 5.5 * np.log(0.5 / 4.5)
        assert cf.KullbackLeibler("x").of(file).value == pytest.approx(divergence)
        assert cf.KullbackLeibler("x", smoothing=0).of(file).value == np.inf


def test_settings_are_checked():
    for wrong in ({"ways": 3}, {"bins": 0}, {"bins": 2.5}):
        with pytest.raises(cf.UtilityError, match="ways|bins"):
            cf.Hellinger(**wrong)
    for wrong in (cf.SpreadEvenly, "evenly"):
        with pytest.raises(cf.UtilityError, match="spread is SpreadEvenly"):
            cf.Hellinger(spread=wrong)
    with pytest.raises(cf.UtilityError, match="smoothing"):
        cf.KullbackLeibler(smoothing=-1)


def test_tables_that_are_too_large_are_refused_beforehand():
    many = [f"v{k}" for k in range(12_000)]
    data = cf.Microdata.from_dict({"s": many, "t": many[::-1]}).declare(kinds={"s": "nominal", "t": "nominal"})
    with pytest.raises(cf.UtilityError, match="the table of s and t would have"):
        cf.Hellinger(ways=2).unmasked(data)
