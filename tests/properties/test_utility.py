"""What holds of every utility measure."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf

NUMERIC = [
    cf.MeansKept(),
    cf.MeansKept("x", by="s"),
    cf.TotalsKept(),
    cf.QuantilesKept(),
    cf.CovariancesKept(),
    cf.MeanPrecision("x"),
    cf.RegressionKept("x ~ y + s"),
    cf.Hellinger(),
    cf.Hellinger(ways=2),
    cf.KullbackLeibler(),
    cf.KullbackLeibler(ways=2),
    cf.PropensityScore(),
    cf.PropensityScore(interactions=True),
    cf.IL1s(),
    cf.IL1s(per_value=True),
    cf.IL1(),
    cf.EigenvalueLoss(),
    cf.CorrelationLoss(),
    cf.ValueLoss(),
    cf.OwnAnalysis(lambda d: {"mean": float(np.nanmean(d.column("x").numbers))}, "own"),
]
IDS = [f"{type(m).__name__}-{k}" for k, m in enumerate(NUMERIC)]


def drawn(seed, n=120, *, holes=0.0):
    rng = np.random.default_rng(seed)
    x, s = rng.normal(10, 3, n), rng.choice(["a", "b", "c"], n)
    frame = {
        "x": x,
        "y": 0.5 * x + rng.normal(size=n),
        "z": rng.exponential(size=n) + 0.1,
        "s": s,
        "w": rng.uniform(1, 9, n),
    }
    data = cf.from_frame(pl.DataFrame(frame)).declare(weight="w", kinds={"s": "nominal"})
    if holes:
        gone = rng.random(n) < holes
        data = data.with_columns({"z": cf.Column.of_numbers(np.where(gone, np.nan, data.columns["z"].numbers))})
    return data


def masked(data, seed, sd=1.0):
    return cf.Release(*(cf.Noise(v, sd=sd) for v in "xyz"), cf.Swap("s", rate=0.3)).apply(data, seed=seed)


@pytest.mark.parametrize("measure", NUMERIC, ids=IDS)
def test_a_measure_declares_itself(measure):
    assert isinstance(measure, cf.UtilityMeasure)
    low, high = measure.bounds
    assert low < high
    assert measure.name
    assert measure.title
    assert hash(measure) == hash(measure)


def test_equal_measures_are_equal():
    assert cf.Hellinger(["x"]) == cf.Hellinger("x") == cf.Hellinger(("x",))
    assert len({cf.QuantilesKept(["x"], [0.5]), cf.QuantilesKept("x", (0.5,))}) == 1


@pytest.mark.parametrize("measure", NUMERIC, ids=IDS)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**20), holes=st.sampled_from([0.0, 0.2]))
def test_the_unmasked_file_is_the_best_and_all_lies_within_bounds(measure, seed, holes):
    data = drawn(seed, holes=holes)
    best, found = measure.unmasked(data), measure.of(masked(data, seed))
    low, high = measure.bounds
    assert low <= found.value <= high
    if np.isfinite(high):
        assert best.value == pytest.approx(high if measure.larger_is_better else low, abs=1e-12)
    sign = 1 if measure.larger_is_better else -1
    if not isinstance(measure, cf.MeanPrecision):  # a file that happens to vary less has a more precise mean
        assert sign * best.value >= sign * found.value - 1e-12
    assert found.to_frame().height > 0


@pytest.mark.parametrize("measure", NUMERIC, ids=IDS)
def test_more_noise_leaves_less_on_average(measure):
    data = drawn(7, 300)
    means = [np.mean([measure.of(masked(data, k, sd)).value for k in range(12)]) for sd in (0.1, 8.0)]
    assert (means[0] > means[1]) == measure.larger_is_better


@pytest.mark.parametrize("measure", NUMERIC, ids=IDS)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**20))
def test_the_order_of_records_does_not_matter(measure, seed):
    data = drawn(seed, holes=0.1)
    file = masked(data, seed)
    order = np.random.default_rng(seed).permutation(data.n)
    back = np.empty_like(order)
    back[order] = np.arange(data.n)
    other = cf.Released.from_files(data.take(order), file.data, parent=back[file.parent].tolist())
    assert measure.of(other).value == pytest.approx(measure.of(file).value, rel=1e-7, abs=1e-10)
    rows = np.random.default_rng(seed + 1).permutation(data.n)
    shuffled = cf.Released.from_files(data, file.data.take(rows), parent=file.parent[rows].tolist())
    assert measure.of(shuffled).value == pytest.approx(measure.of(file).value, rel=1e-7, abs=1e-10)


@pytest.mark.parametrize(
    "measure", [cf.Hellinger(), cf.Hellinger(ways=2), cf.KullbackLeibler(), cf.PropensityScore(), cf.ValueLoss(), cf.IL1()]
)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**20))
def test_weights_are_repeated_records(measure, seed):
    data = drawn(seed, 40)
    times = np.random.default_rng(seed).integers(1, 4, data.n)
    data = data.with_columns({"w": cf.Column.of_numbers(times.astype(float))})
    file = masked(data, seed)
    rows = np.repeat(np.arange(data.n), times)
    long = cf.Released.from_files(*(f.take(rows).without(["w"]) for f in (data, file.data)), same_order=True)
    assert measure.of(long).value == pytest.approx(measure.of(file).value, rel=1e-7, abs=1e-10)


@pytest.mark.parametrize(
    "measure", [cf.MeansKept(), cf.TotalsKept(), cf.QuantilesKept(), cf.RegressionKept("x ~ y + s")], ids=lambda m: m.name
)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**20))
def test_weighted_estimates_are_those_of_repeated_records(measure, seed):
    # their variances are not: three records count as evidence of three, a weight of three as evidence of one
    data = drawn(seed, 40)
    times = np.random.default_rng(seed).integers(1, 4, data.n)
    data = data.with_columns({"w": cf.Column.of_numbers(times.astype(float))})
    file = masked(data, seed)
    rows = np.repeat(np.arange(data.n), times)
    long = cf.Released.from_files(*(f.take(rows).without(["w"]) for f in (data, file.data)), same_order=True)
    a, b = measure.of(file).to_frame(), measure.of(long).to_frame()
    for column in ("source", "released"):
        assert a[column].to_list() == pytest.approx(b[column].to_list(), rel=1e-9)
