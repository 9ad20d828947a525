"""Population uniques from the sizes of cells: against enumeration, against simulated populations, and at the edges."""

import math

import numpy as np
import pytest

import confide as cf
from confide.risk.population.ewens_pitman import expected_cells, expected_inverse, expected_uniques, stays_alone
from confide.risk.population.sizes import Sizes
from confide.risk.population.slide import shlosser
from confide.risk.population.zayatz import drawn

MODELS = [cf.Pitman(), cf.Ewens(), cf.Zayatz(), cf.SlideNegativeBinomial(), cf.DankarRule()]


HEAVY = [1] * 300 + [2] * 60 + [3] * 25 + [4] * 12 + [7] * 5 + [15, 22, 40, 80]
"""Cells with a heavy tail, as those of keys are."""


def file(sizes):
    """A file whose single key has cells of these sizes."""
    return cf.Microdata.from_dict({"key": [str(i) for i, size in enumerate(sizes) for _ in range(size)]})


def grown(theta, alpha, start, people):
    """The distribution of partitions after some people have come in, by enumeration."""
    states = {tuple(sorted(start)): 1.0}
    for i in range(sum(start), people):
        after = {}
        for state, p in states.items():
            for k, size in enumerate(state):
                more = tuple(sorted((*state[:k], size + 1, *state[k + 1 :])))
                after[more] = after.get(more, 0.0) + p * (size - alpha) / (theta + i)
            more = tuple(sorted((*state, 1)))
            after[more] = after.get(more, 0.0) + p * (theta + alpha * len(state)) / (theta + i)
        states = after
    return states


def sizes_of_one(theta, alpha, n, people):
    """The distribution of the size of the cell of a sample unique."""
    p = np.zeros(people + 2)
    p[1] = 1.0
    for i in range(n, people):
        k = np.arange(people + 1)
        join = p[:-1] * np.maximum(k - alpha, 0) / (theta + i)
        p[:-1] -= join
        p[1:] += join
    return p


@pytest.mark.parametrize(("theta", "alpha"), [(2.0, 0.4), (3.0, 0.0), (-0.3, 0.6), (1500.0, 0.2), (0.5, 1e-6)])
def test_a_sample_unique_of_the_sampling_formula(theta, alpha):
    n, people = 7, 60
    p = sizes_of_one(theta, alpha, n, people)
    assert stays_alone(theta, alpha, n, people) == pytest.approx(p[1], rel=1e-11)
    inverse = (p[1:] / np.arange(1, p.size)).sum()
    assert expected_inverse(theta, alpha, n, people) == pytest.approx(inverse, rel=1e-9)


@pytest.mark.parametrize(("theta", "alpha"), [(2.0, 0.4), (3.0, 0.0), (-0.3, 0.6)])
def test_numbers_of_uniques_by_enumeration(theta, alpha):
    start, people = (1, 1, 2), 9
    states = grown(theta, alpha, start, people)
    want = sum(p * state.count(1) for state, p in states.items())
    assert expected_uniques(theta, alpha, 4, 3, 2, people) == pytest.approx(want, rel=1e-12)
    fresh = grown(theta, alpha, (1,), people)
    for j in (1, 2, 9):
        want = sum(p * state.count(j) for state, p in fresh.items())
        assert expected_cells(theta, alpha, people, j) == pytest.approx(want, rel=1e-12)


def test_no_digits_are_lost_in_large_populations():
    # by steps: doubling the population many times equals going there at once
    theta, alpha = 741.0, 0.6
    parts = [stays_alone(theta, alpha, 1e3 * 2**k, 1e3 * 2 ** (k + 1)) for k in range(20)]
    assert stays_alone(theta, alpha, 1e3, 1e3 * 2**20) == pytest.approx(math.prod(parts), rel=1e-12)
    n = 1e9
    assert stays_alone(theta, alpha, n, n + 1) == pytest.approx(1 - (1 - alpha) / (theta + n), abs=1e-14)


def test_ewens_solves_its_equation():
    fit = cf.Ewens().fit(Sizes.count(np.array([1] * 8 + [2, 2, 4, 4, 8, 9, 52]), 1000.0))
    theta = fit.parameters["theta"]
    assert (theta / (theta + np.arange(89))).sum() == pytest.approx(15, rel=1e-12)
    assert fit.probability == pytest.approx((theta + 88) / (theta + 999), rel=1e-12)


def test_pitman_is_a_maximum():
    sizes = np.array([1] * 60 + [2] * 15 + [3] * 6 + [5] * 4 + [11, 23])
    fit = cf.Pitman().fit(Sizes.count(sizes, 5000.0))
    n, u = sizes.sum(), sizes.size

    def log_likelihood(theta, alpha):
        joins = sum(np.log(np.arange(1, s) - alpha).sum() for s in sizes)
        return np.log(theta + alpha * np.arange(1, u)).sum() - np.log(theta + np.arange(1, n)).sum() + joins

    theta, alpha = fit.parameters["theta"], fit.parameters["alpha"]
    top = log_likelihood(theta, alpha)
    for dt, da in [(0.3, 0), (-0.3, 0), (0, 0.01), (0, -0.01), (0.3, -0.01), (-0.3, 0.01)]:
        assert log_likelihood(theta + dt, alpha + da) < top
    rough = [(log_likelihood(t, a), t, a) for t in np.linspace(0.1, 60, 120) for a in np.linspace(0.01, 0.99, 99)]
    assert max(rough)[0] <= top


def test_hoshino_is_the_large_population():
    people = 1e7
    assert cf.Pitman.hoshino(30.0, 0.4, people) == pytest.approx(expected_cells(30.0, 0.4, people, 1), rel=1e-4)


def test_zayatz_by_hand():
    found = cf.population_uniques(file([1, 1, 1, 2, 3]), "key", cf.Zayatz(), population_size=16)
    half = drawn(1, np.array([1.0, 2.0, 3.0]), 8, 16)
    assert half == pytest.approx([8 / 16, 8 * 8 * 2 / (16 * 15), 3 * 8 * 8 * 7 / (16 * 15 * 14)])
    total = 0.6 * half[0] + 0.2 * half[1] + 0.2 * half[2]
    assert found.fitted.probability == pytest.approx(0.6 * half[0] / total)
    assert found.tau1 == pytest.approx(3 * 0.6 * half[0] / total)
    assert found.uniques == pytest.approx(found.tau1 / 0.5)
    assert found.tau2 == pytest.approx(3 * (0.6 * half[0] + 0.1 * half[1] + 0.2 / 3 * half[2]) / total)


def test_slide_negative_binomial_meets_uniques_and_pairs():
    """Thin a slide negative binomial distribution person by person."""
    sizes = Sizes.count(np.array([1] * 300 + [2] * 80 + [3] * 30 + [4] * 10 + [7] * 3), 5000.0)
    fit = cf.SlideNegativeBinomial().fit(sizes)
    alpha, beta, cells = (fit.parameters[k] for k in ("alpha", "beta", "cells"))
    assert cells == shlosser(sizes)
    big = np.arange(1, 6000)
    log = [math.lgamma(alpha + k - 1) - math.lgamma(alpha) - math.lgamma(k) for k in big]
    p = np.exp(log + alpha * np.log(beta) + (big - 1) * np.log1p(-beta))
    assert p.sum() == pytest.approx(1)
    pi = sizes.fraction
    one = p * big * pi * (1 - pi) ** (big - 1)
    two = p * big * (big - 1) / 2 * pi**2 * (1 - pi) ** (big - 2.0)
    assert cells * one.sum() == pytest.approx(300)
    assert cells * two.sum() == pytest.approx(80)
    assert fit.uniques == pytest.approx(cells * p[0])
    assert fit.probability == pytest.approx(one[0] / one.sum())
    assert fit.inverse == pytest.approx((one / big).sum() / one.sum())


def test_dankar_follows_the_sampling_fraction():
    sample = file(HEAVY)
    few = cf.population_uniques(sample, "key", cf.DankarRule(), population_size=100_000)
    assert few.fitted.model == cf.Pitman()
    many = cf.population_uniques(sample, "key", cf.DankarRule(), population_size=4_000)
    both = [cf.population_uniques(sample, "key", m, population_size=4_000).uniques for m in MODELS[2:4]]
    assert many.uniques == min(both)
    assert many.fitted.model in MODELS[2:4]


@pytest.mark.parametrize("model", MODELS)
def test_the_whole_population_is_no_estimate(model):
    n = sum(HEAVY)
    found = cf.population_uniques(file(HEAVY), "key", model, population_size=n)
    assert (found.uniques, found.tau1, found.tau2) == pytest.approx((300, 300, 300))
    assert found.share == pytest.approx(300 / n)


@pytest.mark.parametrize("model", MODELS)
def test_what_the_result_holds(model):
    sample = file(HEAVY)
    found = cf.population_uniques(sample, "key", model, population_size=20_000)
    assert found.unique.sum() == 300
    assert (found.per_record[~found.unique] == 0).all()
    assert found.per_record[found.unique] == pytest.approx(found.fitted.probability)
    assert found.value == pytest.approx(found.tau1 / sample.n)
    assert found.tau1 <= found.tau2 <= 300
    assert found.uniques >= found.tau1
    assert 0 < found.fitted.probability <= found.fitted.inverse <= 1
    assert found.fitted.model.describe() in repr(found)
    assert (found.fitted.standard_error is None) == (found.fitted.model.describe() in {"Zayatz", "slide negative binomial"})
    assert (found.name, found.larger_is_riskier) == ("population_uniques", True)


def test_the_size_of_the_population():
    sizes = [1] * 30 + [2] * 8 + [3] * 3
    keys = [str(i) for i, size in enumerate(sizes) for _ in range(size)]
    weighed = cf.Microdata.from_dict({"key": keys, "w": [10.0] * len(keys)}).declare(weight="w")
    by_weight = cf.population_uniques(weighed, "key", cf.Ewens())
    assert by_weight.uniques == cf.population_uniques(file(sizes), "key", cf.Ewens(), population_size=550).uniques
    with pytest.raises(cf.errors.DeclarationError, match="no survey weight.*population_size"):
        cf.population_uniques(file(sizes), "key")
    for wrong in (54, float("nan"), float("inf"), -1):
        with pytest.raises(cf.errors.IntruderError, match="file has 55 records"):
            cf.population_uniques(file(sizes), "key", population_size=wrong)


@pytest.mark.parametrize(
    ("sizes", "model", "says"),
    [
        ([1] * 9, cf.Pitman(), "all 9 records differ.*fewer keys"),
        ([1] * 9, cf.Ewens(), "all 9 records differ.*fewer keys"),
        ([1] * 9, cf.SlideNegativeBinomial(), "no cells of two records.*Zayatz"),
        ([9], cf.Pitman(), "all 9 records agree"),
        ([9], cf.Ewens(), "all 9 records agree.*more keys"),
        ([9], cf.Zayatz(), "none of 9 records is unique.*No record of this file"),
        ([9], cf.SlideNegativeBinomial(), "no sample uniques"),
        ([2, 2, 3, 4], cf.Zayatz(), "none of 11 records is unique"),
        ([5] * 40, cf.Pitman(), "largest at alpha = 0.*Ewens"),
        ([1] * 10 + [2] * 500 + [3] * 700, cf.SlideNegativeBinomial(), "no parameters give 10 uniques and 500 pairs"),
        ([1], cf.Ewens(), "all 1 records differ"),
    ],
)
def test_a_model_that_cannot_be_fitted_gives_no_number(sizes, model, says):
    with pytest.raises(cf.errors.ModelError, match=says):
        cf.population_uniques(file(sizes), "key", model, population_size=5000)


def test_all_records_unique_for_zayatz():
    found = cf.population_uniques(file([1] * 9), "key", cf.Zayatz(), population_size=90)
    assert (found.tau1, found.uniques) == pytest.approx((9, 90))
    assert found.fitted.sample_uniques == pytest.approx(9)


def test_nobody_alone_is_certain_for_ewens():
    found = cf.population_uniques(file([2, 2, 3, 4]), "key", cf.Ewens(), population_size=5000)
    assert found.tau1 == found.tau2 == 0
    assert found.uniques > 0, "people outside the file may be unique"


def test_missing_values():
    data = cf.Microdata.from_dict({"job": ["a", "b", None, None, "c", "c", "c"]})
    level = cf.population_uniques(data, "job", cf.Ewens(), population_size=70)
    assert level.unique.tolist() == [True, True, False, False, False, False, False]
    with pytest.raises(cf.errors.IntruderError, match="missing values of job as wildcards.*MissingAsLevel"):
        cf.population_uniques(data, "job", cf.Ewens(), population_size=70, missing=cf.MissingAsWildcard())
    whole = cf.Microdata.from_dict({"job": ["a", "b", "b"]})
    wild = cf.population_uniques(whole, "job", cf.Ewens(), population_size=70, missing=cf.MissingAsWildcard())
    assert wild.tau1 == cf.population_uniques(whole, "job", cf.Ewens(), population_size=70).tau1


@pytest.mark.parametrize(("theta", "alpha", "fraction"), [(200.0, 0.3, 0.05), (50.0, 0.6, 0.2), (400.0, 0.0, 0.1)])
def test_populations_of_the_model_are_recovered(theta, alpha, fraction):
    """Draw populations from Pitman's formula, and samples from them: estimates centre on the truth."""
    people, n = 20_000, int(20_000 * fraction)
    rng = np.random.default_rng(5)
    model = cf.Pitman() if alpha else cf.Ewens()
    off, held = [], 0
    for _ in range(20):
        cell = np.zeros(people, dtype=np.int64)
        count = 1
        draws = rng.random(people) * (theta + np.arange(people))
        earlier = (rng.random(people) * np.arange(people)).astype(np.int64)
        for i in range(1, people):
            # a new cell, or that of someone earlier, left again with a probability of alpha over its size
            if draws[i] < theta + alpha * count:
                cell[i], count = count, count + 1
            else:
                cell[i] = cell[earlier[i]]
                size = np.count_nonzero(cell[:i] == cell[i]) if alpha else 1
                while alpha and rng.random() < alpha / size:
                    cell[i] = cell[int(rng.random() * i)]
                    size = np.count_nonzero(cell[:i] == cell[i])
        counts = np.bincount(cell)
        sample = np.bincount(rng.choice(cell, n, replace=False), minlength=counts.size)
        fit = model.fit(Sizes.count(sample[sample > 0], float(people)))
        truth = (
            np.count_nonzero((sample == 1) & (counts == 1)),
            (1 / counts[sample == 1]).sum(),
            np.count_nonzero(counts == 1),
        )
        ours = fit.probability * (sample == 1).sum(), fit.inverse * (sample == 1).sum(), fit.uniques
        off.append([a / b - 1 for a, b in zip(ours, truth, strict=True)])
        held += abs(ours[2] - truth[2]) < 3 * math.hypot(fit.standard_error, math.sqrt(truth[2]))
    assert np.abs(np.mean(off, axis=0)).max() < 0.06
    assert held >= 18
