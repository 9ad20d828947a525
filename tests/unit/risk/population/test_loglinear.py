"""The Poisson log-linear model: against the whole table, against a known population, and at the edges."""

import math

import numpy as np
import pytest

import confide as cf
from confide.risk.population.loglinear import nest
from confide.risk.population.loglinear.risk import inverse_squares
from confide.risk.population.loglinear.structure import take_apart
from reference.loglinear_brute import expected_errors, fitted_table

KEYS = ["a", "b", "c", "d"]
LEVELS = [3, 2, 4, 5]


def drawn(n=250, seed=3):
    """Keys that depend on each other."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, n)
    b = (rng.random(n) < 0.2 + 0.3 * a).astype(int)
    c = np.minimum(rng.poisson(0.5 + b), 3)
    d = np.clip(np.round(rng.normal(a + c, 1.0)), 0, 4).astype(int)
    found = {"a": a, "b": b, "c": c, "d": d}
    anything = rng.random(n) < 0.4
    return {k: np.where(anything, rng.integers(0, levels, n), found[k]) for k, levels in zip(KEYS, LEVELS, strict=True)}


def table_of(columns):
    counts = np.zeros(LEVELS)
    np.add.at(counts, tuple(columns[k] for k in KEYS), 1)
    return counts


def positions(sets):
    return [tuple(KEYS.index(k) for k in g) for g in sets]


TERMS = [
    cf.MainEffects(),
    cf.AllTwoWay(),
    cf.Interactions(["a", "b"]),
    cf.Interactions(["a", "b"], ["b", "c"], ["d", "c"]),
    cf.Interactions(["a", "b"], ["b", "c"], ["a", "c"], ["c", "d"]),
    cf.Interactions(["a", "b"], ["b", "c"], ["c", "d"], ["d", "a"]),
    cf.Interactions(["a", "b", "c"], ["c", "d"]),
    cf.Interactions(["a", "b", "c"], ["c", "d"], ["a", "d"]),
    cf.Interactions(["d", "c", "b", "a"]),
]


@pytest.mark.parametrize("terms", TERMS, ids=lambda t: t.describe())
def test_every_model_equals_the_whole_table(terms):
    columns = drawn()
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in columns.items()})
    found = cf.loglinear_risk(data, KEYS, terms, fraction=0.1, tolerance=1e-11)
    counts = table_of(columns)
    mean = fitted_table(counts, positions(found.terms))
    at = tuple(columns[k] for k in KEYS)
    assert found.mean == pytest.approx(mean[at], rel=1e-6)
    b1, v1, b2, v2 = expected_errors(counts, mean, 0.1)
    assert (found.test.b1, found.test.b2) == pytest.approx((b1, b2), rel=1e-4, abs=1e-4)
    assert (found.test.z1, found.test.z2) == pytest.approx((b1 / math.sqrt(v1), b2 / math.sqrt(v2)), rel=1e-4, abs=1e-4)
    y = 0.9 * mean[at] / 0.1
    single = counts[at] == 1
    assert found.unique.tolist() == single.tolist()
    assert found.alone == pytest.approx(np.where(single, np.exp(-y), 0), rel=1e-5)
    assert found.per_record == pytest.approx(np.where(single, (1 - np.exp(-y)) / y, 0), rel=1e-5)
    assert found.tau1 == pytest.approx(np.exp(-y)[single].sum(), rel=1e-5)
    assert found.tau2 == found.expected
    assert (found.cells, found.possible) == (np.count_nonzero(counts), 120)


def test_what_needs_no_iteration():
    closed = [t for t in TERMS if not take_apart(t.generators(KEYS)).core]
    assert closed == [TERMS[i] for i in (0, 2, 3, 6, 8)]
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in drawn().items()})
    assert [cf.loglinear_risk(data, KEYS, t, fraction=0.1).cycles == 0 for t in TERMS] == [t in closed for t in TERMS]


def test_two_keys_with_their_interaction_are_the_counts():
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in drawn().items()})
    found = cf.loglinear_risk(data, ["a", "d"], cf.AllTwoWay(), fraction=0.1)
    assert found.mean == pytest.approx(cf.frequencies(data, ["a", "d"]).f)


def test_weights_say_the_sampling_fraction():
    columns = {k: v.tolist() for k, v in drawn().items()}
    data = cf.Microdata.from_dict(columns | {"w": [20.0] * 250}).declare(weight="w")
    plain = cf.loglinear_risk(data, KEYS, cf.AllTwoWay(), fraction=0.05)
    for counts in (cf.SampleCounts(), cf.WeightedCounts()):
        found = cf.loglinear_risk(data, KEYS, cf.AllTwoWay(), counts=counts)
        assert (found.tau1, found.tau2) == pytest.approx((plain.tau1, plain.tau2), rel=1e-4)
        assert (found.test.z1, found.test.z2) == pytest.approx((plain.test.z1, plain.test.z2), rel=1e-4)


def test_weighted_counts_fit_the_population():
    columns = drawn()
    w = np.where(columns["a"] == 0, 5.0, 50.0)
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in columns.items()} | {"w": w.tolist()}).declare(weight="w")
    found = cf.loglinear_risk(data, ["a", "c"], cf.MainEffects(), counts=cf.WeightedCounts())
    weighed = np.zeros((3, 4))
    np.add.at(weighed, (columns["a"], columns["c"]), w)
    big = np.outer(weighed.sum(1), weighed.sum(0)) / weighed.sum()
    assert found.mean / found.fraction == pytest.approx(big[columns["a"], columns["c"]])
    assert found.fraction == pytest.approx(1 / w)


def test_the_whole_population_is_no_estimate():
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in drawn().items()})
    found = cf.loglinear_risk(data, KEYS, fraction=1.0)
    assert found.tau1 == found.tau2 == found.unique.sum()
    assert found.deviation1 == found.deviation2 == 0
    assert found.test == cf.ErrorTest(0.0, 0.0, 0.0, 0.0)


def test_one_cell_no_uniques_all_uniques():
    same = cf.loglinear_risk(cf.Microdata.from_dict({"a": [1, 1], "b": [2, 2]}), ["a", "b"], fraction=0.5)
    assert same.tau1 == same.tau2 == same.value == 0
    assert same.mean.tolist() == [2.0, 2.0]
    one = cf.loglinear_risk(cf.Microdata.from_dict({"a": [1]}), "a", fraction=0.5)
    assert one.tau1 == pytest.approx(math.exp(-1))
    apart = cf.loglinear_risk(cf.Microdata.from_dict({"a": [1, 2, 3]}), "a", cf.AllTwoWay(), fraction=0.5)
    assert apart.unique.all()
    assert apart.tau2 == pytest.approx(3 * (1 - math.exp(-1)))


def test_missing_values_are_a_level():
    data = cf.Microdata.from_dict({"a": ["x", "x", None, "y"], "b": [1, 1, 1, 2]})
    found = cf.loglinear_risk(data, ["a", "b"], fraction=0.5)
    assert found.mean.tolist() == [1.5, 1.5, 0.75, 0.25]
    with pytest.raises(cf.errors.IntruderError, match="missing values of a as wildcards"):
        cf.loglinear_risk(data, ["a", "b"], fraction=0.5, missing=cf.MissingAsWildcard())


def test_deviations_are_those_of_the_poisson_model():
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in drawn().items()})
    found = cf.loglinear_risk(data, KEYS, fraction=0.3)
    y = (0.7 * found.mean / 0.3)[found.unique]
    big = 1 + np.random.default_rng(1).poisson(y, (20_000, y.size))
    assert found.tau1 == pytest.approx((big == 1).sum(1).mean(), rel=0.02)
    assert found.tau2 == pytest.approx((1 / big).sum(1).mean(), rel=0.02)
    assert found.deviation1 == pytest.approx((big == 1).sum(1).std(), rel=0.03)
    assert found.deviation2 == pytest.approx((1 / big).sum(1).std(), rel=0.03)


def test_the_inverse_square_joins_its_pieces():
    for y in (9.99e-4, 1.001e-3, 1.0, 599.9, 600.1):
        j = np.arange(3000)
        log = j * math.log(y) - y - np.array([math.lgamma(k + 1) for k in j])
        assert inverse_squares(np.array([y]))[0] == pytest.approx((np.exp(log) / (j + 1) ** 2).sum(), rel=1e-6)


def test_independent_keys_pass_the_test_and_dependent_ones_do_not():
    """200 samples: the statistics are about standard normal when main effects hold, and large when they do not."""
    rng = np.random.default_rng(2)
    held = []
    for _ in range(200):
        columns = {k: rng.choice(12, 400, p=rng.permutation(np.arange(1, 13) / 78)).tolist() for k in "abc"}
        test = cf.loglinear_risk(cf.Microdata.from_dict(columns), ["a", "b", "c"], fraction=0.05).test
        held.append((test.z1, test.z2))
    held = np.array(held)
    assert np.abs(held.mean(0)).max() < 0.5
    assert ((held.std(0) > 0.6) & (held.std(0) < 1.3)).all()
    a = rng.choice(12, 4000)
    columns = {"a": a, "b": (a + rng.choice(3, 4000)) % 12, "c": rng.choice(40, 4000)}
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in columns.items()})
    assert cf.loglinear_risk(data, ["a", "b", "c"], fraction=0.05).test.worst > 5


def test_forward_selection_finds_the_interaction():
    rng = np.random.default_rng(4)
    a, d = rng.choice(12, 4000), rng.choice(9, 4000)
    columns = {"a": a, "b": (a + rng.choice(3, 4000)) % 12, "c": rng.choice(40, 4000), "d": d}
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in columns.items()})
    found = cf.loglinear_risk(data, KEYS, cf.ForwardSelection(), fraction=0.05, test=False)
    assert found.path[0][0] == ("a", "b")
    assert found.path[-1][1] <= 1.96
    assert found.test.worst == found.path[-1][1]
    assert ("a", "b") in found.terms
    assert cf.loglinear_risk(data, ["c", "d"], cf.ForwardSelection(until=10), fraction=0.05).path == ()


def test_a_known_population_is_recovered():
    """Samples of a population whose cells are Poisson: one interaction is true, main effects overstate."""
    rng = np.random.default_rng(6)
    shape = (20, 30, 40)
    population = rng.poisson(np.exp(rng.normal(0, 2.0, (20, 30, 1)) + rng.normal(0, 0.8, (1, 1, 40)) - 2.0))
    right = cf.Interactions(["a", "b"])
    cells = np.repeat(np.arange(population.size), population.ravel())
    off = {}
    for _ in range(10):
        sample = rng.choice(cells, cells.size // 5, replace=False)
        columns = dict(zip("abc", (x.tolist() for x in np.unravel_index(sample, shape)), strict=True))
        f = np.bincount(sample, minlength=population.size)
        single = population.ravel()[f == 1]
        for terms in (cf.MainEffects(), right):
            found = cf.loglinear_risk(cf.Microdata.from_dict(columns), ["a", "b", "c"], terms, fraction=0.2)
            ratio = found.tau2 / (1 / single).sum()
            off.setdefault(terms, []).append((ratio, found.test.z2))
    main, true = np.mean(off[cf.MainEffects()], axis=0), np.mean(off[right], axis=0)
    assert main[0] > 1.1
    assert main[1] > 5
    assert true[0] == pytest.approx(1, abs=0.05)
    assert abs(true[1]) < 2.5


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        ({"fraction": 0.0}, cf.errors.IntruderError, "above 0 and at most 1, found 0"),
        ({"fraction": 1.5}, cf.errors.IntruderError, "found 1.5"),
        ({}, cf.errors.IntruderError, "no survey weight.*fraction="),
        ({"fraction": 0.1, "counts": cf.WeightedCounts()}, cf.errors.IntruderError, "leave fraction out"),
        ({"fraction": 0.1, "tolerance": 0.0}, cf.errors.IntruderError, "number of records above 0"),
        ({"fraction": 0.1, "terms": cf.Interactions(["a", "x"])}, cf.errors.DeclarationError, "no key 'x'"),
    ],
)
def test_faults(call, error, says):
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in drawn().items()})
    with pytest.raises(error, match=says):
        cf.loglinear_risk(data, KEYS, **call)


def test_faulty_terms():
    with pytest.raises(cf.errors.IntruderError, match="group 1 is empty"):
        cf.Interactions([])
    with pytest.raises(cf.errors.IntruderError, match="a, a names a key twice"):
        cf.Interactions(["a", "a"])
    with pytest.raises(cf.errors.IntruderError, match="standard normal"):
        cf.ForwardSelection(0)


def test_too_many_combinations_are_refused_beforehand(monkeypatch):
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in drawn().items()})
    monkeypatch.setattr(nest, "MOST", 100)
    with pytest.raises(cf.errors.IntruderError, match="levels of a, b, c, d, occupied or not, 120; at most 100.*test=False"):
        cf.loglinear_risk(data, KEYS, fraction=0.1)
    assert cf.loglinear_risk(data, KEYS, fraction=0.1, test=False).test is None
    with pytest.raises(cf.errors.IntruderError, match="no closed form.* 120; at most 100.*Interactions.*recode"):
        cf.loglinear_risk(data, KEYS, cf.AllTwoWay(), fraction=0.1, test=False)


def test_a_fit_that_does_not_end_gives_no_number():
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in drawn().items()})
    with pytest.raises(cf.errors.ModelError, match="did not end.*larger tolerance"):
        cf.loglinear_risk(data, KEYS, cf.AllTwoWay(), fraction=0.1, tolerance=1e-30)


def test_the_result_speaks():
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in drawn().items()})
    said = repr(cf.loglinear_risk(data, KEYS, cf.AllTwoWay(), fraction=0.1))
    assert "a x b" in said
    assert "tau1" in said
    assert "B/sqrt(v)" in said
    assert "main effects" in repr(cf.loglinear_risk(data, KEYS, fraction=0.1, test=False))
