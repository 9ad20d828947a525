"""What a released record tells about its owner's true value."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

import confide as cf
from confide.harm.reading.shrunk import best_line
from confide.harm.sensitive import sensitive_of
from confide.release.channel import Kernel
from confide.release.noisy import log_likelihood


def firms(n: int = 4_000, seed: int = 9) -> cf.Microdata:
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n)
    return cf.Microdata.from_dict(
        {
            "region": rng.choice(["n", "s"], n).tolist(),
            "size": size.tolist(),
            "profit": (100 + 20 * size + 10 * rng.normal(size=n)).tolist(),
            "sales": np.exp(5 + 0.5 * size + 0.3 * rng.normal(size=n)).tolist(),
        }
    ).declare(kinds={"size": "continuous", "profit": "continuous", "sales": "continuous"})


def attribute(release: cf.Release, name: str, data: cf.Microdata | None = None):
    data = data or firms()
    known = data.names[0]
    links = cf.link(release.apply(data, seed=3), cf.Intruder(knows=[known]), cf.Targets.of_rows(range(5)))
    return sensitive_of(links, name), data


def test_noise_is_seen_through_by_the_closed_form():
    release = cf.Release(cf.Noise("profit", sd=15.0))
    sensitive, data = attribute(release, "profit")
    found = cf.MeasurementError(["size"]).amounts(sensitive)
    z = sensitive.released.numbers
    # residual variance 100, noise 225: the record counts for 100 / 325
    x = np.column_stack([np.ones(z.size), data.column("size").numbers])
    line = x @ np.linalg.lstsq(x, z, rcond=None)[0]
    residual = np.sum((z - line) ** 2) / (z.size - 2)
    share = (residual - 225) / residual
    assert found.estimate == pytest.approx(line + share * (z - line))
    assert found.belief.sd == pytest.approx(15 * np.sqrt(share))
    y = data.column("profit").numbers
    assert np.sqrt(np.mean((found.estimate - y) ** 2)) == pytest.approx(float(found.belief.sd[0]), rel=0.05)
    inside = np.abs(y - found.estimate) < 1.96 * found.belief.sd
    assert 0.94 < inside.mean() < 0.96


def test_noise_that_multiplies_gives_a_lognormal():
    sensitive, data = attribute(cf.Release(cf.MultiplicativeNoise("sales", sd=0.4)), "sales", firms(20_000))
    found = cf.MeasurementError(["size"]).amounts(sensitive)
    assert isinstance(found.belief, cf.LognormalBelief)
    y = data.column("sales").numbers
    inside = np.abs(np.log(y) - _log_mean(found)) < 1.96 * _log_sd(found)
    assert 0.94 < inside.mean() < 0.96
    assert np.mean(found.estimate) == pytest.approx(np.mean(y), rel=0.02)


def _log_sd(found) -> np.ndarray:
    return np.asarray(found.belief.log_sd)


def _log_mean(found) -> np.ndarray:
    return np.asarray(found.belief.log_mean)


@pytest.mark.parametrize(
    "noise",
    [
        cf.Noise("profit", sd=15.0, lower=60.0, upper=150.0),
        cf.Noise("profit", sd=15.0, grid=1),
        cf.Noise("profit", sd=5.0, times_above={100.0: 3.0}),
        cf.Noise("profit", sd=15.0, lower=60.0, upper=150.0, outside="clamp"),
    ],
    ids=["bounds", "whole", "growing", "clamped"],
)
def test_other_noise_is_integrated(noise):
    data = firms()
    rows = np.flatnonzero((data.column("profit").numbers > 60) & (data.column("profit").numbers < 150))
    data = data.take(rows)
    sensitive, _ = attribute(cf.Release(noise), "profit", data)
    found = cf.MeasurementError(["size"]).amounts(sensitive)
    kernel = sensitive.composite.core
    z = sensitive.released.numbers
    x = np.column_stack([np.ones(z.size), sensitive.records.column("size").numbers])
    mean = x @ np.linalg.lstsq(x, z, rcond=None)[0]
    sd = np.sqrt(np.sum((z - mean) ** 2) / (z.size - 2) - np.mean(kernel.sd(z) ** 2) - (kernel.grid or 0.0) ** 2 / 12)
    for j in (0, 1, 2, 3, int(np.argmin(z)), int(np.argmax(z))):

        def density(t, j=j):
            t = np.atleast_1d(t)
            like = np.exp(log_likelihood(kernel, np.full(t.size, z[j]), t))
            return float((like * norm.pdf(t, mean[j], sd))[0])

        low, high = max(kernel.lower, mean[j] - 9 * sd), min(kernel.upper, mean[j] + 9 * sd)
        cuts = [b for b in kernel.breaks if low < b < high]
        total = quad(density, low, high, points=cuts or None, limit=400)[0]
        first = quad(lambda t: t * density(t), low, high, points=cuts or None, limit=400)[0] / total
        assert found.estimate[j] == pytest.approx(first, abs=0.1 if cuts else 1e-6)


def test_kept_zeros_are_known_and_noise_around_them_is_not():
    data = firms(500)
    profit = data.column("profit").numbers.copy()
    profit[::5] = 0.0
    data = cf.Microdata.from_dict(
        {"region": data.column("region").values(), "size": data.column("size").values(), "profit": profit.tolist()}
    ).declare(kinds={"size": "continuous", "profit": "continuous"})
    sensitive, _ = attribute(cf.Release(cf.Noise("profit", sd=15.0, keep_zero=True)), "profit", data)
    found = cf.MeasurementError(["size"]).amounts(sensitive)
    assert not found.estimate[::5].any()
    assert not found.belief.sd[::5].any()
    assert (found.belief.sd[1:5] > 0).all()


def test_ranges_are_read_by_their_middle_or_by_the_regression_within_them():
    release = cf.Release(cf.Topcode("profit", at=120.0))
    sensitive, data = attribute(release, "profit")
    above = data.column("profit").numbers > 120
    plain = cf.AsReleased().amounts(sensitive)
    assert plain.estimate[above] == pytest.approx(120)
    assert (plain.estimate[~above] == data.column("profit").numbers[~above]).all()
    seen = cf.MeasurementError(["size"]).amounts(sensitive)
    assert (seen.estimate[above] > 120).all()
    assert seen.estimate[~above] == pytest.approx(plain.estimate[~above])
    truth = data.column("profit").numbers
    assert np.mean((seen.estimate - truth)[above] ** 2) < np.mean((plain.estimate - truth)[above] ** 2)
    recoded, _ = attribute(cf.Release(cf.Recode("profit", width=20)), "profit")
    middle = cf.AsReleased().amounts(recoded).estimate
    assert middle == pytest.approx(np.floor(truth / 20) * 20 + 10, abs=1e-6)
    finer = cf.MeasurementError(["size"]).amounts(recoded).estimate
    assert np.mean((finer - truth) ** 2) < np.mean((middle - truth) ** 2)


def test_noise_and_a_topcode_after_it():
    release = cf.Release(cf.Noise("profit", sd=15.0), cf.Topcode("profit", at=130.0))
    sensitive, data = attribute(release, "profit")
    found = cf.MeasurementError(["size"]).amounts(sensitive)
    truth = data.column("profit").numbers
    top = ~sensitive.released.is_number
    assert top.any()
    # above 130 with noise: the true amount is expected above the regression, and may well lie below 130
    assert found.estimate[top].mean() == pytest.approx(truth[top].mean(), rel=0.03)
    assert found.estimate[~top].mean() == pytest.approx(truth[~top].mean(), rel=0.03)


def test_shrinkage_uses_what_noise_left_of_the_variance():
    sensitive, data = attribute(cf.Release(cf.Noise("profit", sd=15.0)), "profit")
    z, y = sensitive.released.numbers, data.column("profit").numbers
    found = cf.Shrunk().amounts(sensitive).estimate
    slope = 1 - 225 / np.var(z, ddof=1)
    assert found == pytest.approx(z.mean() + slope * (z - z.mean()))
    assert np.mean((found - y) ** 2) < np.mean((z - y) ** 2)
    assert cf.Shrunk(0.25).amounts(sensitive).estimate == pytest.approx(0.75 * z.mean() + 0.25 * z)
    many, _ = attribute(cf.Release(cf.MultiplicativeNoise("sales", sd=0.4)), "sales")
    z, y = many.released.numbers, data.column("sales").numbers
    found = cf.Shrunk().amounts(many).estimate
    assert np.mean((found - y) ** 2) < np.mean((z - y) ** 2)
    best = np.polyfit(z, y, 1)
    centre, slope = best_line(many.composite.core, z)
    assert slope == pytest.approx(best[0], rel=0.15)
    assert centre == pytest.approx(y.mean(), rel=0.03)
    assert best_line(None, z) == (pytest.approx(z.mean()), 1.0)
    assert best_line(Kernel(sds=(1.0,)), np.array([3.0, 3.0])) == (3.0, 1.0)


def test_correlated_noise_is_taken_by_variable():
    release = cf.Release(cf.CorrelatedNoise(["profit", "size"], covariance=[[225.0, 0.0], [0.0, 0.01]]))
    sensitive, _ = attribute(release, "profit")
    single, _ = attribute(cf.Release(cf.Noise("profit", sd=15.0)), "profit")
    found = cf.MeasurementError(["region"]).amounts(sensitive)
    assert found.belief.sd[0] == pytest.approx(cf.MeasurementError(["region"]).amounts(single).belief.sd[0], rel=0.05)


def test_an_intruder_who_takes_values_at_face_value():
    data = firms()
    released = cf.Release(cf.Noise("profit", sd=15.0)).apply(data, seed=3)
    naive = cf.Intruder(knows=["region"], understands_masking=False)
    sensitive = sensitive_of(cf.link(released, naive, cf.Targets.of_rows([0])), "profit")
    assert cf.MeasurementError(["size"]).amounts(sensitive).estimate == pytest.approx(sensitive.released.numbers)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda s: cf.MeasurementError(["sizes"]).amounts(s), "did you mean 'size'"),
        (lambda s: cf.MeasurementError(["profit"]).amounts(s), "no released variable 'profit'"),
        (lambda s: cf.Misrecorded().amounts(s), "use MeasurementError"),
        (lambda s: cf.Shrunk(1.5), "between 0 and 1"),
        (lambda s: cf.Misrecorded(q=0.0), "above 0"),
    ],
)
def test_mistakes(call, says):
    sensitive, _ = attribute(cf.Release(cf.Noise("profit", sd=15.0)), "profit")
    with pytest.raises(cf.HarmError, match=says):
        call(sensitive)


def test_too_few_amounts_to_learn_from():
    data = cf.Microdata.from_dict({"region": ["n", "s"], "profit": [1.0, 2.0]}).declare(kinds={"profit": "continuous"})
    sensitive, _ = attribute(cf.Release(cf.Noise("profit", sd=15.0)), "profit", _two(data))
    with pytest.raises(cf.HarmError, match="too few"):
        cf.MeasurementError().amounts(sensitive)


def _two(data: cf.Microdata) -> cf.Microdata:
    return data.take(np.array([0, 1, 0, 1, 0])).with_columns(
        {"profit": data.column("profit").take(np.array([0, 1, 0, 1, 0])).with_codes(np.array([0, 0, 1, 1, 1], bool), "n/a")}
    )


def patients(n: int = 6_000, seed: int = 5) -> cf.Microdata:
    rng = np.random.default_rng(seed)
    age = rng.normal(size=n)
    hiv = rng.random(n) < 1 / (1 + np.exp(1.5 - 2 * age))
    stage = np.where(hiv, rng.choice(["early", "late"], n), "none")
    return cf.Microdata.from_dict(
        {
            "site": rng.choice(["a", "b"], n).tolist(),
            "age": age.tolist(),
            "hiv": np.where(hiv, "yes", "no").tolist(),
            "stage": stage.tolist(),
        }
    ).declare(kinds={"age": "continuous"})


@pytest.mark.parametrize("name", ["hiv", "stage"])
def test_misrecorded_categories_get_calibrated_posteriors(name):
    release = cf.Release(cf.Swap(name, rate=0.4))
    sensitive, _ = attribute(release, name, patients())
    data = patients()
    found = cf.Misrecorded(["age"]).categories(sensitive)
    assert found.sum(axis=1) == pytest.approx(1.0)
    levels = list(sensitive.levels)
    truth = np.array([levels.index(v) for v in data.column(name).values()])
    for low, high in [(0.0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 1.0)]:
        for k in range(len(levels)):
            some = (found[:, k] > low) & (found[:, k] <= high)
            if some.sum() > 300:
                assert np.mean(truth[some] == k) == pytest.approx(float(found[some, k].mean()), abs=0.05)
    plain = cf.AsReleased().categories(sensitive)
    assert np.mean(found.argmax(axis=1) == truth) > np.mean(plain.argmax(axis=1) == truth)


def test_eq_3_with_the_matrix_of_the_release():
    release = cf.Release(cf.Swap("hiv", rate=0.4))
    sensitive, _ = attribute(release, "hiv", patients())
    found = cf.Misrecorded(["age"]).categories(sensitive)
    channel = sensitive.composite.core
    order = [channel.levels.index(v) for v in sensitive.levels]
    matrix = channel.matrix[0][np.ix_(order, order)]
    z = sensitive.records.column("age").numbers
    z = ((z - z.mean()) / z.std())[:, None]
    fit = cf.fit_misclassified_levels(z, sensitive.released_codes, matrix, ridge=0.1)
    assert found == pytest.approx(fit.posterior(z, sensitive.released_codes), abs=1e-9)


def test_a_given_and_an_estimated_q():
    data = patients(20_000)
    rng = np.random.default_rng(1)
    wrong = rng.random(20_000) < 0.1
    hiv = np.array(data.column("hiv").values())
    told = np.where(wrong, np.where(hiv == "yes", "no", "yes"), hiv)
    masked = cf.Microdata.from_dict({**{n: data.column(n).values() for n in ("site", "age")}, "hiv": told.tolist()})
    masked = masked.declare(kinds={"age": "continuous"})
    released = cf.Released.from_files(data, masked, same_order=True)
    links = cf.link(released, cf.Intruder(knows=["site"]), cf.Targets.of_rows(range(3)))
    sensitive = sensitive_of(links, "hiv")
    given = cf.Misrecorded(["age"], q=0.9).categories(sensitive)
    found = cf.Misrecorded(["age"], q=cf.ProfiledQ()).categories(sensitive)
    assert found == pytest.approx(given, abs=0.1)
    code = sensitive.levels.index("yes")
    assert given[:, code].mean() == pytest.approx(np.mean(hiv == "yes"), abs=0.01)
    # without a matrix or a q there is nothing to see through
    assert cf.Misrecorded(["age"]).categories(sensitive) == pytest.approx(cf.AsReleased().categories(sensitive))


def test_noise_on_a_covariate_is_calibrated():
    data = patients(20_000)
    clean, _ = attribute(cf.Release(cf.Swap("hiv", rate=0.4)), "hiv", data)
    noisy, _ = attribute(cf.Release(cf.Swap("hiv", rate=0.4), cf.Noise("age", sd=1.0)), "hiv", data)
    truth = np.array(data.column("hiv").values()) == "yes"
    code = clean.levels.index("yes")
    with_noise = cf.Misrecorded(["age"]).categories(noisy)[:, code]
    # the noise halves what age tells, but what is believed stays calibrated
    for low, high in [(0.0, 0.25), (0.25, 0.6), (0.6, 1.0)]:
        some = (with_noise > low) & (with_noise <= high)
        assert np.mean(truth[some]) == pytest.approx(float(with_noise[some].mean()), abs=0.05)


def test_swaps_within_strata_use_their_own_matrices():
    sensitive, data = attribute(cf.Release(cf.Swap("hiv", rate=0.4, within="site")), "hiv", patients())
    found = cf.Misrecorded(["age"]).categories(sensitive)
    assert found.sum(axis=1) == pytest.approx(1.0)
    truth = np.array([sensitive.levels.index(v) for v in data.column("hiv").values()])
    assert np.mean(found.argmax(axis=1) == truth) > 0.8


@pytest.mark.parametrize(
    ("release", "reading", "name", "says"),
    [
        (cf.Release(cf.Swap("stage", rate=0.4)), cf.Misrecorded(q=cf.ProfiledQ()), "stage", "two categories"),
        (
            cf.Release(cf.Swap("hiv", rate=0.4, within="site"), cf.Recode("site", mapping={"a": "ab", "b": "ab"})),
            cf.Misrecorded(["age"]), "hiv", "changed since",
        ),
        (
            cf.Release(cf.Swap("hiv", rate=0.4), cf.Recode("hiv", mapping={"yes": "x", "no": "x"})),
            cf.AsReleased(), "hiv", "Recode first",
        ),
    ],
)  # fmt: skip
def test_mistakes_about_categories(release, reading, name, says):
    sensitive, _ = attribute(release, name, patients(200))
    with pytest.raises(cf.HarmError, match=says):
        reading.categories(sensitive)
