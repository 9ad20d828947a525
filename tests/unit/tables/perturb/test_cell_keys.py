"""Cell keys: perturbation tables, lookup, noise of magnitudes, and what published counts tell."""

import numpy as np
import pytest

import confide as cf

KEYS = cf.RecordKeys(seed=1)


def records(n=4000, seed=1):
    rng = np.random.default_rng(seed)
    return cf.Microdata.from_dict(
        {
            "area": rng.choice([f"a{i}" for i in range(30)], n).tolist(),
            "code": rng.choice([f"c{i}" for i in range(20)], n).tolist(),
            "x": np.round(rng.lognormal(3, 1, n), 1).tolist(),
        }
    )


@pytest.mark.parametrize(
    ("d", "v", "js", "pstay"),
    [(5, 2, 2, None), (10, 9, 3, None), (3, 1, 0, 0.5), (8, 0.1, 0, None), (30, 100, 0, None), (1, 0.5, 0, None)],
)
def test_rows_have_their_moments(d, v, js, pstay):
    table = cf.PerturbationTable.of(d, v, js=js, pstay=pstay)
    noise = table.noise.astype(float)
    p = table.probabilities
    assert np.abs(p.sum(axis=1) - 1).max() < 1e-10
    assert np.abs(p @ noise).max() < 1e-10 * d
    assert np.abs(p @ noise**2 - table.variances).max() < 1e-10 * max(v, 1)
    assert table.variances[-1] == v
    for i, row in enumerate(p):
        published = i + noise[row > 0]
        assert published.min() >= 0
        assert not np.any((published >= 1) & (published <= js))
        if pstay is not None and i > js:
            assert row[d] == pytest.approx(pstay)


def test_rows_are_the_most_even_ones():
    row = cf.PerturbationTable.of(4, 3.0).row(20)
    noise = np.arange(-4, 5.0)
    free = row > 0
    # logarithms of the most even distribution are a parabola
    design = np.stack([np.ones(9), noise, noise**2], axis=1)[free]
    left = np.log(row[free]) - design @ np.linalg.lstsq(design, np.log(row[free]), rcond=None)[0]
    assert np.abs(left).max() < 1e-9


def test_small_counts_take_the_variance_they_can_have():
    table = cf.PerturbationTable.of(30, 100.0)
    assert table.variances[:5].tolist() == [0.0, 30.0, 60.0, 90.0, 100.0]
    with pytest.raises(cf.TableError, match="a count of 1 has a variance from 0 to 30; asked for 100"):
        cf.PerturbationTable.of(30, 100.0, strict=True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"D": 0, "V": 1.0}, "found D = 0"),
        ({"D": 2, "V": 5.0}, "cannot have variance 5; the nearest is 4"),
        ({"D": 2, "V": 1.0, "js": 3}, "a count of 1 has no noise from -2 to 2 with mean 0"),
        ({"D": 2, "V": 1.0, "pstay": 1.0}, "pstay = 1.0"),
    ],
)
def test_impossible_tables_are_told(settings, message):
    with pytest.raises(cf.TableError, match=message):
        cf.PerturbationTable.of(**settings)


def test_applying_agrees_with_the_likelihood():
    table = cf.PerturbationTable.of(4, 3.0, js=1)
    keys = np.random.default_rng(5).random(200_000)
    for count in (0, 1, 2, 5, 40):
        published = count + table.noise_of(np.full(keys.size, count), keys)
        seen, many = np.unique(published, return_counts=True)
        for j in range(count + 5):
            p = float(table.likelihood(j, np.array([count]))[0])
            share = float(many[seen == j].sum()) / keys.size
            assert abs(share - p) <= 5 * np.sqrt(p * (1 - p) / keys.size)


def test_cell_keys_of_a_file_are_even_and_noise_is_unbiased():
    noise = cf.CountNoise(cf.PerturbationTable.of(4, 3.0))
    found = cf.perturb_cells(records(40_000), ["area", "code"], noise=noise, keys=KEYS)
    inner = found.table.inner & (found.table.values >= 10)
    u = np.sort(found.cell_keys[inner] / 2**52)
    assert np.abs(u - np.arange(u.size) / u.size).max() < 1.63 / np.sqrt(u.size)
    d = (found.values - found.table.values)[inner]
    assert abs(d.mean()) < 4 * np.sqrt(3 / d.size)
    assert abs((d**2).mean() - 3) < 4 * np.sqrt(18 / d.size)


def test_posteriors_follow_bayes():
    noise = cf.CountNoise(cf.PerturbationTable.of(2, 1.0))
    found = cf.perturb_cells(records(), ["area", "code"], noise=noise, keys=KEYS)
    prior = np.bincount(found.table.values.astype(int))
    after = found.posterior(6)
    by_hand = np.array([prior[i] * found.likelihood(6, np.array([i]))[0] for i in range(prior.size)])
    np.testing.assert_allclose(after, by_hand / by_hand.sum())
    even = found.posterior(6, np.ones(20))
    assert even[4:9].sum() == pytest.approx(1.0)
    own = found.recognised()
    assert own.shape == (found.table.n,)
    # the prior is right on average over the cells, so what comes true is what it expects
    counts = np.arange(prior.size)
    joint = np.stack([prior / prior.sum() * found.likelihood(j, counts) for j in range(prior.size + 2)])
    expected = (joint**2 / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)).sum()
    assert abs(own.mean() - expected) < 4 * own.std() / np.sqrt(own.size)
    with pytest.raises(cf.LikelihoodError, match="impossible under this prior"):
        found.posterior(30, np.ones(5))


def test_sums_give_perturbed_counts_away():
    # the keys let all parts go down as far as they can, and the total up
    data = cf.Microdata.from_dict({"a": list("wxyz") * 3, "key": [0.2] * 4 + [0.0] * 8})
    found = cf.perturb_cells(data, "a", noise=cf.CountNoise(cf.PerturbationTable.of(1, 0.5)), keys="key")
    assert found.values.tolist() == [13, 2, 2, 2, 2]
    together = found.consistent_counts()
    assert together.exposed.tolist() == [0, 1, 2, 3, 4]
    assert together.low.tolist() == together.high.tolist() == [12, 3, 3, 3, 3]
    assert not found.audit().clean


def test_consistent_counts_hold_the_truth():
    noise = cf.CountNoise(cf.PerturbationTable.of(2, 1.0, js=1))
    for seed in range(5):
        found = cf.perturb_cells(records(300), ["code"], noise=noise, keys=cf.RecordKeys(seed=seed))
        together = found.consistent_counts()
        assert np.all((together.low <= found.table.values) & (found.table.values <= together.high))
        assert np.all((together.high - found.values <= 2) & (found.values - together.low <= 2))


def test_magnitudes_move_by_a_share_of_the_largest():
    noise = cf.MagnitudeNoise(share=0.2, spread=0.6, least=0.3)
    found = cf.perturb_cells(records(), ["area", "code"], "x", noise=noise, keys=KEYS)
    d = np.abs(found.values - found.table.values)
    top = found.table.largest[:, 0]
    step = noise.step(found.table)
    assert step == 2.0  # twenty tenths
    assert np.all(d <= 0.2 * top + step / 2 + 1e-9)
    assert np.all(d >= 0.2 * 0.3 * top - step / 2 - 1e-9)
    assert np.all(found.values == 2 * np.rint(found.values / 2))
    low, high = found.intervals()
    assert np.all((low <= found.table.values + 1e-9) & (found.table.values <= high + 1e-9))
    shares, p = noise.distribution()
    assert p @ shares == pytest.approx(0.0, abs=1e-12)
    piece = 0.2 / noise.steps
    assert np.sqrt(p @ shares**2 + piece**2 / 12) == pytest.approx(0.2 * 0.6)
    assert found.additivity()[1.0] > 0


def test_noise_of_counts_says_nothing_of_that_of_magnitudes():
    data = records(40_000)
    counts = cf.perturb_cells(data, ["area", "code"], noise=cf.CountNoise(cf.PerturbationTable.of(4, 3.0)), keys=KEYS)
    sums = cf.perturb_cells(data, ["area", "code"], "x", noise=cf.MagnitudeNoise(by=cf.ByValue()), keys=KEYS)
    a = counts.values - counts.table.values
    b = (sums.values - sums.table.values) / sums.table.values
    assert abs(np.corrcoef(a, b)[0, 1]) < 4 / np.sqrt(a.size)


@pytest.mark.parametrize("least", [0.0, 0.25])
def test_noise_of_magnitudes_is_continuous_and_agrees_with_its_likelihood(least):
    noise = cf.MagnitudeNoise(share=0.1, spread=0.6, least=least)
    shares = noise.shares_of(np.random.default_rng(3).random(200_000))
    assert np.unique(shares).size > 199_000
    assert np.abs(shares).max() <= 0.1
    assert np.abs(shares).min() >= 0.1 * least
    assert shares.std() == pytest.approx(0.06, rel=0.01)
    published = 20 * np.rint((1000 + 1000 * shares) / 20)
    seen, many = np.unique(published, return_counts=True)
    for p, n in zip(seen, many, strict=True):
        q = float(noise.likelihood(p, np.array([1000]), np.array([1000]), 20)[0])
        assert abs(n / 200_000 - q) <= 5 * np.sqrt(q * (1 - q) / 200_000)
    assert noise.likelihood(2000, np.array([1000]), np.array([1000]), 20).tolist() == [0.0]


def test_a_grid_is_asked_for_or_found():
    data = cf.Microdata.from_dict({"a": ["x", "y"], "v": [12_345, 7]})
    assert cf.MagnitudeNoise(grid=500).step(cf.tabulate(data, "a", "v")) == 500
    assert cf.MagnitudeNoise().step(cf.tabulate(data, "a", "v")) == 20
    weighted = cf.Microdata.from_dict({"a": ["x", "y"], "v": [1000 / 3, 1000 / 7]})
    assert cf.MagnitudeNoise().step(cf.tabulate(weighted, "a", "v")) == 10
    with pytest.raises(cf.TableError, match="needs a grid above 0"):
        cf.MagnitudeNoise(grid=0)


@pytest.mark.parametrize("by", [cf.ByLargest(3), cf.ByMean(), cf.ByValue()])
def test_empty_magnitudes_stay_empty(by):
    data = cf.Microdata.from_dict({"a": ["x", "x", "y"], "v": [0, 0, 5]})
    found = cf.perturb_cells(data, "a", "v", noise=cf.MagnitudeNoise(0.5, by, least=0.2), keys=KEYS)
    assert found.values[found.table.cell("x")] == 0
    assert found.values[found.table.cell("y")] != 5


def test_nothing_is_known_where_contributions_may_be_negative():
    data = cf.Microdata.from_dict({"a": ["x", "x", "y"], "v": [-3, 3.5, 5]})
    low, high = cf.perturb_cells(data, "a", "v", noise=cf.MagnitudeNoise(0.5), keys=KEYS).intervals()
    assert np.all(np.isinf(high[:2]) | (high[:2] > 0))
    assert low.size == 3


def test_frames_and_words():
    found = cf.perturb_cells(records(200), "code", noise=cf.CountNoise(cf.PerturbationTable.of(3, 2.0)), keys=KEYS)
    assert found.to_frame().columns == ["code", "count", "respondents", "published"]
    assert repr(found).startswith("Perturbed(21 cells with counts by code, ")
    assert found.distance == np.abs(found.values - found.table.values).sum()
    assert found.system.n == 21


def test_mistakes_are_told():
    data, noise = records(50), cf.CountNoise(cf.PerturbationTable.of(3, 2.0))
    with pytest.raises(cf.TableError, match="counts need noise=CountNoise"):
        cf.perturb_cells(data, "code", "x", noise=noise, keys=KEYS)
    with pytest.raises(cf.TableError, match="record keys lie from 0 to less than 1"):
        cf.perturb_cells(data, "code", noise=noise, keys="x")
    with pytest.raises(cf.TableError, match="there is no variable 'kex'"):
        cf.perturb_cells(data, "code", noise=noise, keys="kex")
    with pytest.raises(cf.TableError, match="counts must be whole"):
        noise.table.noise_of(np.array([2.5]), np.array([0.1]))
    with pytest.raises(cf.TableError, match="likelihoods are known for counts"):
        cf.perturb_cells(data, "code", "x", noise=cf.MagnitudeNoise(), keys=KEYS).likelihood(3, np.array([3]))
    with pytest.raises(cf.TableError, match="needs a share between 0 and 1"):
        cf.MagnitudeNoise(share=1.5)
    with pytest.raises(cf.TableError, match="asked for 0.5"):
        cf.MagnitudeNoise(least=0.8)
