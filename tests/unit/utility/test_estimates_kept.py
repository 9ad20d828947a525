"""Means, totals, quantiles and covariances: what is kept, by hand and at the edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

import confide as cf


def files(source, released, **declared):
    made = [cf.Microdata.from_dict(x) for x in (source, released)]
    return cf.Released.from_files(*(m.declare(**declared) for m in made), same_order=True)


def row(found, name):
    return next(r for r in found.to_frame().iter_rows(named=True) if r["estimate"] == name)


def test_a_mean_by_hand():
    found = cf.MeansKept().of(files({"x": [1.5, 2.5, 6.5]}, {"x": [2.5, 2.5, 6.5]}))
    v = np.var([1.5, 2.5, 6.5], ddof=1) / 3
    part = row(found, "mean x")
    assert found.value == pytest.approx(v / (v + (1 / 3) ** 2))
    assert part["bias"] == pytest.approx(1 / 3)
    assert part["source_se"] == pytest.approx(math.sqrt(v))
    assert part["released_se"] == pytest.approx(np.std([2.5, 2.5, 6.5], ddof=1) / math.sqrt(3))
    assert cf.MeansKept().unmasked(cf.Microdata.from_dict({"x": [1.5, 2.5, 6.5]})).value == 1.0


def test_weighted_means_are_those_of_repeated_records():
    weighted = files({"x": [1.5, 4.5], "w": [3.0, 1.0]}, {"x": [2.5, 4.5], "w": [3.0, 1.0]}, weight="w")
    repeated = files({"x": [1.5, 1.5, 1.5, 4.5]}, {"x": [2.5, 2.5, 2.5, 4.5]})
    a, b = (row(cf.MeansKept("x").of(f), "mean x") for f in (weighted, repeated))
    assert (a["source"], a["released"]) == (b["source"], b["released"])
    plain = row(cf.MeansKept("x", weights=False).of(weighted), "mean x")
    assert plain["source"] == 3.0


def test_a_weight_in_one_file_alone_is_refused():
    source = cf.Microdata.from_dict({"x": [1.5, 4.5], "w": [3.0, 1.0]}).declare(weight="w")
    file = cf.Released.from_files(source, source.without(["w"]), same_order=True)
    with pytest.raises(cf.UtilityError, match="the source file has a survey weight and the released file has none"):
        cf.MeansKept("x").of(file)
    assert cf.MeansKept("x", weights=False).of(file).value == 1.0


def test_missing_values_are_left_out_and_said():
    found = cf.MeansKept().of(files({"x": [1.5, None, 6.5]}, {"x": [1.5, 2.5, None]}))
    part = row(found, "mean x")
    assert (part["source"], part["released"]) == (4.0, 2.0)
    assert "missing for 1 source and 1 released" in " ".join(found.notes)


def test_blanks_that_leave_the_mean_where_it_was_are_not_without_loss():
    source = {"x": [1.5, 2.5, 5.5, 6.5], "y": [1.0, 2.5, 0.5, 3.0], "g": ["a", "a", "b", "b"]}
    file = files(source, source | {"x": [1.5, None, None, 6.5]})
    for measure, share in ((cf.MeansKept("x"), 0.5), (cf.MeansKept(["x", "y"]), 0.75), (cf.MeansKept("y", by="g"), 1.0)):
        assert measure.of(file).value == pytest.approx(share)
    found = cf.MeansKept("x").of(file)
    assert row(found, "mean x")["known"] == 0.5
    assert "1 of 1 estimates have blanks in the release, which count as lost" in found.notes
    covariances = {r["estimate"]: r["known"] for r in cf.CovariancesKept().of(file).to_frame().iter_rows(named=True)}
    assert covariances == {"variance x": 0.5, "covariance x y": 0.5, "variance y": 1.0}
    # the means of both groups are those of one half
    grouped = cf.MeansKept("y", by="g").of(files(source, source | {"g": ["a", "a", None, "b"]}))
    assert [r["known"] for r in grouped.to_frame().iter_rows(named=True)] == [0.75, 0.75]


def test_a_release_of_one_value_does_not_know_the_mean_better():
    data = cf.Microdata.from_dict({"x": [1.5, 2.5, 5.5, 6.5]})
    level = cf.Microdata.from_dict({"x": [4.0, 4.0, 4.0, 4.5]}).declare(kinds={"x": "continuous"})
    measure = cf.MeanPrecision("x")
    assert measure.of(cf.Released.from_files(data, level, same_order=True)).value < measure.unmasked(data).value
    off = 0.125  # how far the released mean is
    want = 1 / (1 / measure.unmasked(data).value + off**2)
    assert measure.of(cf.Released.from_files(data, level, same_order=True)).value == pytest.approx(want)


def test_simulated_records_count_as_records():
    data = cf.Microdata.from_dict({"x": [1.5, 3.5]})
    more = cf.Microdata.from_dict({"x": [1.5, 3.5, 7.0]})
    found = cf.MeansKept().of(cf.Released.from_files(data, more, parent=[0, 1, -1]))
    assert row(found, "mean x")["released"] == 4.0


def test_what_is_not_released_counts_zero():
    data = cf.Microdata.from_dict({"x": [1.5, 3.5, 2.5], "y": [0.5, 1.5, 9.5]})
    file = cf.Release(cf.Drop("y")).apply(data, seed=1)
    for measure in (cf.MeansKept(), cf.TotalsKept(), cf.QuantilesKept(shares=[0.5])):
        found = measure.of(file)
        assert found.value == 0.5
        assert "cannot be made of the release" in " ".join(found.notes)
    assert cf.CovariancesKept().of(file).value == pytest.approx(1 / 3)


def test_groups():
    source = {"g": ["a", "a", "b", "b", "c"], "x": [1.5, 2.5, 5.5, 6.5, 9.5]}
    found = cf.MeansKept("x", by="g").of(files(source, source | {"g": ["a", "a", "d", "d", "c"]}))
    assert found.to_frame()["estimate"].to_list() == ["mean x [g a]", "mean x [g b]"]
    assert found.to_frame()["efficiency"].to_list() == [1.0, 0.0]
    assert "1 of 3 estimates have no variance" in " ".join(found.notes), "a group of one record"
    lost = cf.MeansKept("x", by="g").of(cf.Release(cf.Drop("g")).apply(cf.Microdata.from_dict(source), seed=1))
    assert lost.value == 0.0
    totals = cf.TotalsKept("x", by="g").of(files(source, source))
    assert totals.value == 1.0
    assert row(totals, "total x [g b]")["source"] == 12.0


def test_groups_that_are_none():
    source = {"g": [float(x) + 0.5 for x in range(5)], "x": [1.5, 2.5, 5.5, 6.5, 9.5]}
    with pytest.raises(cf.UtilityError, match="holds numbers, which make no groups"):
        cf.MeansKept("x", by="g").of(files(source, source))
    with pytest.raises(cf.UtilityError, match="there is no variable 'h'"):
        cf.MeansKept("x", by="h").of(files(source, source))


def test_one_record_has_no_variance():
    one = files({"x": [1.5]}, {"x": [1.5]})
    for measure in (cf.MeansKept(), cf.TotalsKept(), cf.QuantilesKept(), cf.CovariancesKept()):
        with pytest.raises(cf.UtilityError, match="has a variance in the source file"):
            measure.of(one)


def test_constants_are_kept_or_not():
    same = files({"x": [0.1] * 7}, {"x": [0.1] * 7})
    moved = files({"x": [0.1] * 7}, {"x": [0.1] * 6 + [0.2]})
    for measure in (cf.MeansKept(), cf.TotalsKept(), cf.QuantilesKept(shares=[0.9]), cf.CovariancesKept()):
        assert measure.of(same).value == 1.0
        assert measure.of(moved).value == 0.0


def test_totals():
    data = cf.Microdata.from_dict({"x": [1.5, 2.5, 6.5, 7.5]})
    found = cf.TotalsKept().of(cf.Released.from_files(data, data.take(np.array([0, 2])), parent=[0, 2]))
    part = row(found, "total x")
    assert (part["source"], part["released"]) == (18.0, 8.0)
    assert part["source_se"] == pytest.approx(math.sqrt(4 * np.var([1.5, 2.5, 6.5, 7.5], ddof=1)))


def test_quantiles_of_weighted_records_are_those_of_repeated_ones():
    weighted = files({"x": [4.5, 1.5, 3.5], "w": [1.0, 3.0, 2.0]}, {"x": [4.5, 1.5, 3.5], "w": [1.0, 3.0, 2.0]}, weight="w")
    found = cf.QuantilesKept("x", [0.5, 0.51, 0.9]).of(weighted).to_frame()["source"].to_list()
    assert found == [1.5, 3.5, 4.5]
    assert found == np.quantile([1.5] * 3 + [3.5] * 2 + [4.5], [0.5, 0.51, 0.9], method="inverted_cdf").tolist()
    with pytest.raises(cf.UtilityError, match="between 0 and 1"):
        cf.QuantilesKept(shares=[0.5, 1.0])


def test_the_error_of_a_quantile_is_that_of_theory():
    x = np.random.default_rng(1).normal(size=20_000)
    found = cf.QuantilesKept(shares=[0.5]).unmasked(cf.Microdata.from_dict({"x": x.tolist()}))
    assert found.to_frame()["source_se"][0] == pytest.approx(math.sqrt(math.pi / 2 / 20_000), rel=0.1)


def test_covariances():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=50), rng.normal(size=50)
    found = cf.CovariancesKept().unmasked(cf.Microdata.from_dict({"x": x.tolist(), "y": y.tolist()}))
    assert row(found, "covariance x y")["source"] == pytest.approx(np.cov(x, y)[0, 1])
    assert row(found, "variance y")["source"] == pytest.approx(np.var(y, ddof=1))
    d = (x - x.mean()) * (y - y.mean())
    assert row(found, "covariance x y")["source_se"] == pytest.approx(d.std(ddof=1) / math.sqrt(50))
    assert found.value == 1.0


def test_precision_is_that_of_the_paper():
    # additive noise: U = n / (s^2 + l^2), Duncan, Keller-McNulty and Stokes, section 4.1, and (14)
    rng = np.random.default_rng(3)
    data = cf.Microdata.from_dict({"x": rng.normal(50, 10, 2_000).tolist()})
    measure = cf.MeanPrecision("x")
    s2 = np.var(data.columns["x"].numbers, ddof=1)
    assert measure.unmasked(data).value == pytest.approx(2_000 / s2)
    releases = [cf.Release(cf.Noise("x", sd=5)).apply(data, seed=k) for k in range(40)]
    found = measure.over(releases)
    assert found.se is not None
    assert abs(found.value - 2_000 / (s2 + 25)) < 4 * found.se
    assert found.efficiency(measure.unmasked(data)) == pytest.approx(s2 / (s2 + 25), rel=0.01)


def test_precision_at_the_edges():
    with pytest.raises(cf.UtilityError, match="is infinite"):
        cf.MeanPrecision("x").of(files({"x": [1.5, 1.5]}, {"x": [1.5, 1.5]}))
    with pytest.raises(cf.UtilityError, match="two known values"):
        cf.MeanPrecision("x").of(files({"x": [1.5]}, {"x": [1.5]}))
    with pytest.raises(cf.UtilityError, match="one released file or more"):
        cf.MeanPrecision("x").over([])
    data = cf.Microdata.from_dict({"x": [1.5, 2.5], "y": [1.5, 2.5]})
    with pytest.raises(cf.UtilityError, match="'x' is not in the release"):
        cf.MeanPrecision("x").of(cf.Release(cf.Drop("x")).apply(data, seed=1))
    with pytest.raises(cf.UtilityError, match="same source"):
        cf.MeanPrecision("x").over(
            [files({"x": [1.5, 2.5]}, {"x": [1.5, 2.5]}), files({"x": [1.5, 3.5]}, {"x": [1.5, 2.5]})]
        )
