"""The empirical map: estimates, errors, seeds, what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest

import confide as cf

X = cf.examples.teachers().column("income").numbers
TARGETS = [cf.AtMaximum(), cf.AtMinimum(), cf.AtPercentile(0.1), cf.AtPercentile(0.99)]
UNEQUAL = cf.AddedNoise(lower=0, variance_above={35_000: 2})


def of(target, knows=None):
    return cf.Snooper(target, knows or cf.KnowsSample())


@pytest.mark.parametrize("masking", [cf.AddedNoise(), cf.AddedNoise(lower=0), UNEQUAL, cf.AddedNoise(lower=0, upper=99_000)])
def test_many_replicates_approach_the_exact_risk(masking):
    found = cf.empirical_map(X, [of(t) for t in TARGETS], masking=masking, fractions=[0.05, 0.4], replicates=4_000, seed=2)
    for i, target in enumerate(TARGETS):
        for k, lambda2 in enumerate(found.lambda2):
            exact = cf.given_sample_risk(X, target.rank(X.size), lambda2, masking)
            slack = 4 * found.risk_error[i, k] / exact + 1e-4
            assert found.risk[i, k] / exact == pytest.approx(1.0, abs=slack)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    snooper, masking = of(cf.AtPercentile(0.9)), cf.AddedNoise(lower=0)
    lambda2 = 0.1 * X.var(ddof=1)
    exact = cf.given_sample_risk(X, cf.AtPercentile(0.9).rank(X.size), lambda2, masking)
    kept = 0
    for seed in range(200):
        low, high = cf.empirical_map(X, snooper, masking=masking, lambda2=[lambda2], seed=seed).risk_interval(0.9)
        kept += bool(low[0, 0] <= exact <= high[0, 0])
    assert 165 <= kept <= 193


def test_without_bounds_utility_and_index_risk_are_known():
    found = cf.empirical_map(X, of(cf.AtMaximum(), cf.KnowsRecord()), fractions=[0.1, 1.0], replicates=4_000, seed=1)
    for k, lambda2 in enumerate(found.lambda2):
        assert found.risk[0, k] == pytest.approx(1 / lambda2, abs=4 * found.risk_error[0, k])
        want = X.size / (X.var(ddof=1) + lambda2)
        assert found.utility[k] == pytest.approx(want, abs=4 * found.utility_error[k])
    assert found.efficiency == pytest.approx([1 / 1.1, 0.5], rel=0.02)


def test_a_typical_target_stands_for_all_records():
    who = [cf.Snooper(cf.Typical(), cf.KnowsSample()), cf.Snooper(cf.Typical(), cf.KnowsRecord())]
    found = cf.empirical_map(X, who, lambda2=[1e8], replicates=500, seed=1)
    assert found.risk[1, 0] == pytest.approx(1e-8, rel=0.03)
    assert found.risk[0, 0] == pytest.approx(1 / (X.var() + 1e8 / X.size), rel=0.01)


def test_one_seed_one_map_and_order_of_snoopers_does_not_matter():
    a = cf.empirical_map(X, [of(t) for t in TARGETS], masking=UNEQUAL, seed=5)
    b = cf.empirical_map(X, [of(t) for t in reversed(TARGETS)], masking=UNEQUAL, seed=5)
    assert a.risk.tobytes() == b.risk[::-1].tobytes()
    assert a.utility.tobytes() == b.utility.tobytes()
    assert not np.array_equal(a.risk, cf.empirical_map(X, [of(t) for t in TARGETS], masking=UNEQUAL, seed=6).risk)


def test_blocks_do_not_change_the_numbers(monkeypatch):
    from confide.rumap.empirical import map as module

    whole = cf.empirical_map(X, of(cf.AtPercentile(0.5)), replicates=50, seed=1)
    monkeypatch.setattr(module, "BLOCK", 7 * X.size)
    assert np.array_equal(cf.empirical_map(X, of(cf.AtPercentile(0.5)), replicates=50, seed=1).risk, whole.risk)


def test_ties_at_the_target():
    x = [1.0, 4.0, 4.0, 4.0]
    found = [
        cf.empirical_map(x, of(t), lambda2=[0.5], replicates=3_000, seed=1) for t in (cf.AtMaximum(), cf.AtPercentile(0.75))
    ]
    exact = [cf.given_sample_risk(x, k, 0.5) for k in (4, 3)]
    for got, want in zip(found, exact, strict=True):
        assert got.risk[0, 0] == pytest.approx(want, abs=4 * got.risk_error[0, 0])
    assert cf.target_value(x, cf.AtPercentile(0.75)) == 4.0


def test_without_noise_the_risk_is_infinite():
    found = cf.empirical_map(X, of(cf.AtMaximum()), lambda2=[0.0, 1e6], seed=1)
    assert found.risk[0, 0] == math.inf
    assert found.points[0].risk_error is None
    assert found.risk_interval()[0][0, 0] == found.risk_interval()[1][0, 0] == math.inf
    assert found.utility[0] == pytest.approx(X.size / X.var(ddof=1))
    assert found.meets(1.0)[0].settings["lambda2"] == 1e6
    assert cf.given_sample_risk(X, 177, 0.0) == math.inf


def test_all_values_equal():
    found = cf.empirical_map([3.0, 3.0, 3.0], of(cf.AtMaximum()), lambda2=[1.0], seed=1)
    assert found.risk[0, 0] > 0
    with pytest.raises(cf.MapError, match="all values are equal, so shares of their variance are no noise; give lambda2"):
        cf.empirical_map([3.0, 3.0], of(cf.AtMaximum()), seed=1)
    with pytest.raises(cf.MapError, match="U is infinite"):
        cf.empirical_map([3.0, 3.0], of(cf.AtMaximum()), lambda2=[0.0], seed=1)


def test_the_masking_is_that_of_a_release():
    method = UNEQUAL.method("income", 1e6)
    assert (method.sd, method.outside, method.lower) == (1_000.0, "clamp", 0)
    data = cf.examples.teachers()
    noise = cf.Release(method).apply(data, seed=1).data.column("income").numbers - X
    drawn = np.stack([cf.Release(method).apply(data, seed=s).data.column("income").numbers - X for s in range(300)])
    assert noise.shape == X.shape
    assert drawn[:, X > 35_000].std() == pytest.approx(math.sqrt(2) * 1_000, rel=0.05)
    assert drawn[:, (X > 8_000) & (X <= 35_000)].std() == pytest.approx(1_000, rel=0.02)


def test_one_replicate_gives_a_point_without_errors():
    found = cf.empirical_point([1.0, 2.0], [[1.5, 2.5]], of(cf.AtMaximum()))
    assert (found.risk, found.risk_error, found.utility_error) == (4.0, None, None)


def test_a_map_can_be_read_and_kept(tmp_path):
    found = cf.empirical_map(X, [of(t) for t in TARGETS[:2]], masking=cf.AddedNoise(lower=0), seed=1)
    assert found.meets(4e-8)[1] is None
    careful, plain = found.meets(4e-8, level=0.95)[0], found.meets(4e-8)[0]
    assert careful.settings["lambda2"] > plain.settings["lambda2"]
    frame = found.to_frame()
    assert frame.height == 28
    assert frame.filter(frame["risk_low"] > frame["risk"]).height == 0
    assert "standard errors: risk up to" in repr(found)
    assert "95200" not in repr(found)
    pytest.importorskip("matplotlib")
    first = found.plot(tmp_path / "map.svg", max_risk=4e-8).read_bytes()
    assert b"minimum, position known" in first
    assert found.plot(tmp_path / "map.svg", max_risk=4e-8).read_bytes() == first
    both = cf.empirical_map(X, of(cf.AtMaximum()), masking=UNEQUAL, seed=1)
    assert b"unequal variance" in found.plot(tmp_path / "two.svg", beside=[both]).read_bytes()


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: cf.empirical_map([1.0], of(cf.AtMaximum()), seed=1), cf.MapError, "at least two numbers"),
        (lambda: cf.empirical_map([1.0, math.nan], of(cf.AtMaximum()), seed=1), cf.MapError, "1 of 2 values are missing"),
        (lambda: cf.empirical_map(X, [], seed=1), cf.MapError, "at least one snooper"),
        (lambda: cf.empirical_map(X, cf.Snooper(), seed=1), cf.IntruderError, "a file tells nothing of a target outside it"),
        (lambda: cf.empirical_map(X, of(cf.AtMaximum()), seed=1, replicates=1), cf.MapError, "at least 2"),
        (lambda: cf.empirical_map(X, of(cf.AtMaximum()), seed=1, fractions=[0.1], lambda2=[1]), cf.MapError, "not both"),
        (lambda: cf.empirical_map(X, of(cf.AtMaximum()), seed=1, fractions=[]), cf.MapError, "at least one"),
        (
            lambda: cf.empirical_map(X, of(cf.AtMaximum()), seed=1, masking=cf.AddedNoise(lower=3_000)),
            cf.MapError,
            "of 177 values lie outside the bounds",
        ),
        (lambda: cf.AddedNoise(lower=1, upper=0), cf.ReleaseError, "lower must be below upper"),
        (lambda: cf.AddedNoise(variance_above={1: 0}), cf.ReleaseError, "must be positive"),
        (lambda: cf.target_value(X, cf.Typical()), cf.IntruderError, "has no place in the sample"),
        (lambda: cf.given_sample_risk(X, 0, 1.0), cf.MapError, "place from 1 to n = 177"),
        (lambda: cf.given_sample_risk(np.arange(1e5), 50_000, 1.0), cf.MapError, "make an empirical map"),
        (lambda: cf.empirical_point([1.0, 2.0], [[1.0]], of(cf.AtMaximum())), cf.MapError, "2 finite numbers in each"),
    ],
)
def test_what_is_undefined_is_refused(call, error, says):
    with pytest.raises(error, match=says):
        call()
