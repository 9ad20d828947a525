"""Distances of single variables: scales, weights, missing values, and what is refused."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import confide as cf


def released(source, masked, kinds=None, parent=None):
    files = [cf.Microdata.from_dict(f).declare(kinds=kinds or {}) for f in (source, masked)]
    return cf.Released.from_files(*files, parent=parent, same_order=parent is None)


def squared(distance, source, masked, kinds=None):
    return cf.record_distances(released({"x": source}, {"x": masked}, kinds, parent=[-1] * len(masked)), [distance]).tolist()


@pytest.mark.parametrize(
    ("scale", "unit"),
    [
        (cf.BySd(), np.std([1.0, 4.0, 7.5], ddof=1)),
        (cf.BySd(both=True), np.std([1.0, 4.0, 7.5, 2.0, 11.0], ddof=1)),
        (cf.ByRange(), 6.5),
        (cf.ByRange(both=True), 10.0),
        (cf.Unscaled(), 1.0),
    ],
)
def test_numeric_scales(scale, unit):
    found = squared(cf.NumericDistance("x", scale=scale, weight=3.0), [1.0, 4.0, 7.5], [2.0, 11.0], {"x": "continuous"})
    want = [[3 * ((a - b) / unit) ** 2 for b in (1.0, 4.0, 7.5)] for a in (2.0, 11.0)]
    np.testing.assert_allclose(found, want)


def test_missing_numbers_cost_a_distance_or_are_left_out():
    one = cf.NumericDistance("x", scale=cf.Unscaled(), weight=2.0, missing=cf.MissingCosts(one=3.0, both=0.5))
    np.testing.assert_allclose(squared(one, [1.5, None], [None, 2.5]), [[18.0, 0.5], [2.0, 18.0]])
    both = {"x": [1.5, None, 9.5], "s": ["m", "f", "f"]}
    file = released(both, {"x": [2.5, None], "s": ["f", "f"]}, parent=[0, 1])
    by = [
        cf.NumericDistance("x", scale=cf.Unscaled(), weight=3.0, missing=cf.IgnoreMissing()),
        cf.NominalDistance("s", missing=cf.IgnoreMissing()),
    ]
    # without x, the squared distance in s stands for both: times (3 + 1) / 1
    np.testing.assert_allclose(cf.record_distances(file, by), [[4.0, 0.0, 147.0], [4.0, 0.0, 0.0]])


def test_records_with_nothing_to_compare_are_linked_to_nobody():
    by = [cf.NumericDistance("x", scale=cf.Unscaled(), missing=cf.IgnoreMissing())]
    file = released({"x": [1.5, 2.5]}, {"x": [None, 2.5]})
    for replacement in (True, False):
        found = cf.distance_linkage(file, by, replacement=replacement)
        assert found.correct.tolist() == [0.0, 1.0]
        assert found.nearest(0).tolist() == []
        assert found.links().toarray().tolist() == [[0.0, 0.0], [0.0, 1.0]]
    assert np.isinf(found.distance[0])


def test_mahalanobis_equals_the_formula():
    rng = np.random.default_rng(3)
    y = rng.normal(size=(30, 2)) @ [[1.0, 0.8], [0.0, 0.3]]
    z = y + rng.normal(size=(30, 2))
    names = ["a", "b"]
    file = released(*({k: t[:, j].tolist() for j, k in enumerate(names)} for t in (y, z)))
    inverse = np.linalg.inv(np.cov(y, rowvar=False))
    gap = z[:, None] - y[None]
    want = np.einsum("ijk,kl,ijl->ij", gap, inverse, gap)
    np.testing.assert_allclose(cf.record_distances(file, [cf.MahalanobisDistance(names)]), want, rtol=1e-9, atol=1e-12)
    with pytest.raises(cf.IntruderError, match="not positive definite"):
        cf.distance_linkage(file, [cf.MahalanobisDistance(names, covariance=[[1, 1], [1, 1]])])


def test_text_needs_rapidfuzz_and_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.process", None)
    with pytest.raises(cf.IntruderError, match=r"install confide\[text\]"):
        cf.TextDistance("x").between("a", "b")


def test_text_distances():
    pytest.importorskip("rapidfuzz")
    assert cf.TextDistance("x").between("Ricard", "Ricardo") == pytest.approx(1 / 7)
    assert cf.TextDistance("x", cf.JaroWinkler()).between("MARTHA", "MARHTA") == pytest.approx(1 - 0.9611111)
    found = squared(cf.TextDistance("x", weight=2.0), ["Ricardo", "Juan", None], ["Ricard", None])
    np.testing.assert_allclose(found, [[2 / 49, 2 * (5 / 6) ** 2, 2.0], [2.0, 2.0, 0.0]])


def test_an_own_string_distance():
    class FirstLetter:
        def table(self, a, b):
            return np.array([[float(x[0] != y[0]) for y in b] for x in a])

    assert squared(cf.TextDistance("x", FirstLetter()), ["Ann", "Bob"], ["Al"]) == [[0.0, 1.0]]


@pytest.mark.parametrize(
    ("distance", "source", "masked", "message"),
    [
        (cf.NumericDistance("x"), [5.5, 5.5], [1.5, 2.5], "its standard deviation is 0.0"),
        (cf.NumericDistance("x"), [5.5], [1.5], "its standard deviation is nan"),
        (cf.NumericDistance("x"), ["a", "b"], ["a", "b"], "holds categories in 2 of 2 records of the source file"),
        (cf.OrdinalDistance("x", levels=["a"]), ["a", "b"], ["a", "b"], "no place among its 1 levels"),
        (cf.GivenDistance("x", lambda a, b: -1.0), ["a", "b"], ["a", "b"], "negative, infinite or NaN"),
        (cf.NominalDistance("y"), ["a", "b"], ["a", "b"], "there is no variable 'y'"),
    ],
)
def test_what_is_refused(distance, source, masked, message):
    with pytest.raises(cf.IntruderError, match=message):
        cf.distance_linkage(released({"x": source}, {"x": masked}), [distance])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cf.NumericDistance("x", weight=0.0), "must be positive"),
        (lambda: cf.MissingCosts(one=-1.0), "not negative"),
        (lambda: cf.OrdinalDistance("x", levels=["a", "a"]), "every level once"),
        (lambda: cf.OrdinalDistance("x").between("a", "b"), "levels of 'x' are not known"),
        (lambda: cf.OrdinalDistance("x", levels=["a"]).between("a", "b"), "no level 'b'"),
        (lambda: cf.MahalanobisDistance([]), "at least one"),
        (lambda: cf.RankWidth(0), "above 0"),
        (lambda: cf.SdWidth(-1), "positive"),
    ],
)
def test_what_cannot_be_declared(make, message):
    with pytest.raises(cf.IntruderError, match=message):
        make()
