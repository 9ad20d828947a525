"""Candidates found by a grid against looking at every pair."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import gammaincc, ndtr

import confide as cf
import confide.linking.candidates.found as found_module
from confide.errors import ConfideError, LikelihoodError
from confide.intruder.appearance.dense import log_densities
from confide.linking.candidates.found import MASS, compared_with_all, find_candidates
from confide.linking.posterior.joint.solve import link_probabilities


def respondents(rng, n, d, spread=1.0):
    return spread * rng.normal(size=(n, d))


def released(rng, x, sd, n):
    return x[rng.permutation(len(x))[:n]] + sd * rng.normal(size=(n, x.shape[1]))


def full(table):
    """Give log densities as a full table."""
    found = np.full(table.shape, -np.inf)
    coo = sparse.coo_array(table)
    found[coo.row, coo.col] = coo.data
    return found


def check(beliefs, records, inside, mass=MASS):
    """Check that exactly the pairs inside were found, but for records or respondents compared with everybody."""
    found, dense = full(find_candidates(beliefs, records, mass).table), log_densities(beliefs, records)
    everybody = ~inside.any(axis=1)
    alone = ~inside.any(axis=0) & (len(records) == beliefs.respondents)
    usual = np.ix_(~everybody, ~alone)
    assert ((found > -np.inf) == (inside & (dense > -np.inf)))[usual].all()
    kept = found > -np.inf
    assert found[kept] == pytest.approx(dense[kept], rel=1e-9, abs=1e-9)
    return kept


def away(z, centre, scale):
    return np.abs(z[:, None] - centre[None]) / scale


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("n", [150, 200])
def test_normal_densities_have_balls(d, n):
    rng = np.random.default_rng(d)
    x = respondents(rng, 200, d)
    z = released(rng, x, 0.1, n)
    sd = np.full((200, d), 0.1)
    inside = gammaincc(d / 2, 0.5 * (away(z, x, sd) ** 2).sum(axis=2)) >= MASS
    assert 1 < inside.sum(axis=1).mean() < 150
    check(cf.NormalAppearance(x, sd=sd), z, inside)


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
def test_double_exponential_densities_have_diamonds(d):
    rng = np.random.default_rng(10 + d)
    x = respondents(rng, 200, d)
    z = x[:120] + rng.laplace(size=(120, d)) * 0.05
    inside = gammaincc(d, away(z, x, 0.05).sum(axis=2)) >= MASS
    check(cf.LaplaceAppearance(x, scale=0.05), z, inside)


@pytest.mark.parametrize("d", [1, 3, 5])
def test_uniform_densities_have_their_support_with_its_ends(d):
    rng = np.random.default_rng(20 + d)
    x = np.round(respondents(rng, 200, d), 2)
    beliefs = cf.UniformAppearance.around(x, half_width=0.3)
    for z in (x + rng.uniform(-0.3, 0.3, x.shape), np.asarray(beliefs.low), np.asarray(beliefs.high)):
        found = find_candidates(beliefs, z)
        assert (full(found.table) == log_densities(beliefs, z)).mean() == 1.0
        assert (found.dropped == 0.0).all()


@pytest.mark.parametrize("d", [1, 3])
def test_very_different_precision(d):
    rng = np.random.default_rng(30 + d)
    x, sd = respondents(rng, 300, d), 10.0 ** rng.uniform(-3, 0, (300, 1)) * np.ones(d)
    who = rng.permutation(300)
    z = x[who] + sd[who] * rng.normal(size=x.shape)
    check(cf.NormalAppearance(x, sd=sd), z, gammaincc(d / 2, 0.5 * (away(z, x, sd) ** 2).sum(axis=2)) >= MASS)


def test_lognormal_with_a_common_covariance():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(100, 2))
    covariance = np.array([[0.04, 0.03], [0.03, 0.05]])
    z = np.exp(x[:80] + rng.multivariate_normal([0, 0], covariance, 80))
    beliefs = cf.LognormalAppearance(x, covariance=covariance)
    off = np.log(z)[:, None] - x[None]
    inside = gammaincc(1.0, 0.5 * np.einsum("jik,kl,jil->ji", off, np.linalg.inv(covariance), off)) >= MASS
    check(beliefs, z, inside)


def test_products_of_several_shapes():
    rng = np.random.default_rng(4)
    x, codes = respondents(rng, 150, 3), rng.integers(3, size=150)
    parts = [
        cf.NormalAppearance(x[:, :1], sd=0.1),
        cf.LaplaceAppearance(x[:, 1:2], scale=0.1),
        cf.UniformAppearance.around(x[:, 2:], half_width=0.2),
    ]
    z = np.column_stack([x[:, 0] + 0.1 * rng.normal(size=150), x[:, 1] + 0.1 * rng.laplace(size=150), x[:, 2]])
    each = 1 - (1 - MASS) ** (1 / 3)
    gone = away(z, x, 0.1)
    inside = (2 * ndtr(-gone[..., 0]) >= each) & (np.exp(-gone[..., 1]) >= each) & (gone[..., 2] <= 2.0)
    check(cf.IndependentAppearance(parts), z, inside)
    mixed = cf.IndependentAppearance([parts[0], cf.MisreportedAppearance.at_rate(codes, 0.1, 3)])
    records = np.column_stack([z[:, 0], rng.integers(3, size=150)])
    each = 1 - (1 - MASS) ** 0.5
    check(mixed, records, 2 * ndtr(-gone[..., 0]) >= each)


def test_misreported_codes():
    rng = np.random.default_rng(5)
    codes = rng.integers(3, size=(60, 2))
    always = cf.MisreportedAppearance.at_rate(codes, 0.1, 3)
    seen = rng.integers(3, size=(50, 2))
    check(always, seen, np.ones((50, 60), dtype=bool))
    exactly = cf.MisreportedAppearance.at_rate(codes, 0.0, 3)
    check(exactly, codes[:50], (codes[:50, None] == codes[None]).all(axis=2))
    table = np.array([[0.9, 0.1, 0.0], [0.1, 0.8, 0.1], [0.0, 0.1, 0.9]])
    near = cf.MisreportedAppearance(codes[:, 0], [table])
    check(near, seen[:, :1], np.abs(seen[:, :1] - codes[:, 0]) <= 1)
    for beliefs in (always, exactly):
        found = find_candidates(beliefs, codes[:50].astype(float))
        assert np.isfinite(found.dropped).all()
        assert (found.dropped <= 1e-3).all()


def test_functions_with_and_without_a_box():
    rng = np.random.default_rng(6)
    x = respondents(rng, 80, 2)
    z = released(rng, x, 0.1, 60)

    def density(y, i):
        return np.exp(-0.5 * ((y - x[i]) ** 2).sum(axis=1) / 0.01)

    plain = cf.FunctionAppearance(density, respondents=80, variables=2)
    found = find_candidates(plain, z)
    kept, dense = full(found.table), log_densities(plain, z)
    assert (kept[kept > -np.inf] == dense[kept > -np.inf]).all()
    left_out = np.where(kept > -np.inf, 0.0, np.exp(dense)).sum(axis=1) / np.exp(dense).sum(axis=1)
    assert left_out == pytest.approx(found.dropped, abs=1e-15)
    assert left_out.max() <= MASS
    boxed = cf.FunctionAppearance(density, respondents=80, variables=2, box=lambda mass: (x - 0.3, x + 0.3))
    check(boxed, z, (np.abs(z[:, None] - x[None]) <= 0.3).all(axis=2))


@pytest.mark.parametrize(("n", "wide"), [(1, 1), (1, 50), (50, 50), (20, 50)])
def test_all_equal_and_single_ones(n, wide):
    beliefs = cf.NormalAppearance(np.zeros((wide, 2)), sd=1.0)
    found = find_candidates(beliefs, np.full((n, 2), 0.5))
    assert found.table.nnz == n * wide
    links = link_probabilities(beliefs, np.full((n, 2), 0.5))
    assert links.p.toarray() == pytest.approx(np.full((n, wide), 1 / wide))


def test_records_nobody_could_have():
    beliefs = cf.LognormalAppearance([[0.0], [0.1], [9.0], [9.1]], sd=0.5)
    found = find_candidates(beliefs, np.array([[1.0], [0.0], [-2.0]]))
    assert np.diff(found.table.indptr).tolist() == [2, 0, 0]
    with pytest.raises(LikelihoodError, match="no respondent could have produced these records .*: 1, 2;"):
        link_probabilities(beliefs, np.array([[1.0], [0.0], [-2.0]]))
    with pytest.raises(LikelihoodError, match="no respondent could have produced"):
        link_probabilities(beliefs, np.array([[-1.0], [0.0], [-2.0]]))


@pytest.mark.parametrize("how_many", [1, 2, 3])
@pytest.mark.parametrize("n", [20, 30])
def test_huge_outliers_are_answered_as_the_dense_table_is(how_many, n):
    rng = np.random.default_rng(7)
    x = respondents(rng, 30, 1)
    z = x[:n] + 0.1 * rng.normal(size=(n, 1))
    z[:how_many] = 50.0 + 0.1 * np.arange(how_many)[:, None]
    beliefs = cf.NormalAppearance(x, sd=0.1)
    dense = link_probabilities(log_densities(beliefs, z), log=True)
    links = link_probabilities(beliefs, z)
    off = np.abs(links.p.toarray() - dense.p)
    assert np.sqrt((off[dense.p > 0.05] ** 2).mean()) <= 0.02
    assert (off <= links.error.toarray() + dense.error + 1e-6).mean() >= 0.98
    assert off.max() <= 0.1


def test_nothing_is_sure_about_those_an_outlier_displaces_in_a_large_file(monkeypatch):
    monkeypatch.setattr(found_module, "PAIRS", 100)
    x = np.arange(30.0)[:, None]
    z = x + 0.01
    z[0] = 500.0
    links = link_probabilities(cf.NormalAppearance(x, sd=0.1), z)
    assert links.error.toarray()[0].max() == 1.0
    assert links.diagnostics.dropped[0] == 1.0


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_records_short_of_candidates_are_reconsidered_together(order):
    """Both records have only the first respondent within reach; the far one belongs to the second, just out of reach."""
    z = np.array([[4.4], [0.1]])[order]
    beliefs = cf.NormalAppearance([0.0, 9.0, 100.0], sd=1.0)
    dense = link_probabilities(log_densities(beliefs, z), log=True)
    assert link_probabilities(beliefs, z).p.toarray() == pytest.approx(dense.p, abs=1e-6)


@pytest.mark.parametrize("sd", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("d", [1, 3, 40])
def test_units_do_not_matter(d, sd):
    rng = np.random.default_rng(8)
    x = respondents(rng, 60, d)
    z = released(rng, x, 0.5, 50)
    plain, scaled = cf.NormalAppearance(x, sd=0.5), cf.NormalAppearance(x * sd, sd=0.5 * sd)
    one, two = find_candidates(plain, z), find_candidates(scaled, z * sd)
    assert (one.table.indices == two.table.indices).all()
    assert two.dropped == pytest.approx(one.dropped, rel=1e-6)
    assert (one.dropped > 0).all()


def measured(beliefs, z, mass):
    """Give the dropped share of each record by looking at all pairs, and as estimated."""
    found, dense = find_candidates(beliefs, z, mass), np.exp(log_densities(beliefs, z))
    return 1 - np.exp(full(found.table)).sum(axis=1) / dense.sum(axis=1), found.dropped


@pytest.mark.parametrize("kind", ["normal", "double exponential", "lognormal", "product", "misreported"])
@pytest.mark.parametrize("mass", [1e-2, 1e-3])
def test_the_dropped_share_is_about_as_estimated(kind, mass):
    rng = np.random.default_rng(9)
    x = rng.uniform(0, 1, size=(4000, 2))
    z = x[:600] + 0.03 * rng.normal(size=(600, 2))
    if kind == "normal":
        beliefs = cf.NormalAppearance(x, sd=0.03)
    elif kind == "double exponential":
        beliefs, z = cf.LaplaceAppearance(x, scale=0.02), x[:600] + 0.02 * rng.laplace(size=(600, 2))
    elif kind == "lognormal":
        beliefs, z = cf.LognormalAppearance(x + 10.0, sd=0.03), np.exp(z + 10.0)
    elif kind == "product":
        parts = [cf.NormalAppearance(x[:, :1], sd=0.03), cf.LaplaceAppearance(x[:, 1:], scale=0.03)]
        beliefs = cf.IndependentAppearance(parts)
    else:
        codes = rng.integers(2, size=4000)
        parts = [cf.LognormalAppearance(x + 10.0, sd=0.03), cf.MisreportedAppearance.at_rate(codes, 0.05, 2)]
        beliefs, z = cf.IndependentAppearance(parts), np.column_stack([np.exp(z + 10.0), codes[:600]])
    true, estimate = measured(beliefs, z, mass)
    assert true.mean() > 0
    assert 1 / 3 <= estimate.mean() / true.mean() <= 3


def test_records_without_candidates_are_compared_with_everybody():
    beliefs = cf.NormalAppearance([[0.0], [1.0], [30.0]], sd=1.0)
    table = find_candidates(beliefs, np.array([[0.5], [15.6]])).table
    assert full(table)[1] == pytest.approx(log_densities(beliefs, np.array([[15.6]]))[0], rel=1e-9) or table.nnz >= 4
    assert np.isfinite(full(table)[1, [1, 2]]).all()
    assert np.isfinite(full(table)).all()


def test_everybody_or_nobody_more():
    beliefs = cf.NormalAppearance([[0.0], [1.0]], sd=1.0)
    z = np.array([[0.0], [1.0]])
    table = find_candidates(beliefs, z).table
    nobody = np.zeros(0, dtype=np.int64)
    assert compared_with_all(table, nobody, nobody, beliefs, z) is table
    every = compared_with_all(table, np.array([0, 1]), np.array([0]), beliefs, z)
    assert every.toarray() == pytest.approx(table.toarray())


@pytest.mark.parametrize("share", [1.0, 0.6])
@pytest.mark.parametrize("weighted", [False, True])
def test_same_links_as_from_the_dense_table(share, weighted):
    rng = np.random.default_rng(12)
    x = respondents(rng, 60, 2)
    z = released(rng, x, 0.15, int(60 * share))
    weights = np.exp(rng.normal(size=60)) if weighted else None
    beliefs = cf.NormalAppearance(x, sd=0.15)
    dense = link_probabilities(log_densities(beliefs, z), log=True, weights=weights, tolerance=0.003)
    links = link_probabilities(beliefs, z, weights=weights, tolerance=0.003)
    off = np.abs(links.p.toarray() - dense.p)
    assert (off <= links.error.toarray() + dense.error).mean() > 0.99
    assert off.max() < 0.05
    assert links.diagnostics.dropped.shape == (len(z),)


def test_a_tiny_mass_gives_the_dense_answer():
    rng = np.random.default_rng(13)
    x = respondents(rng, 18, 1)
    z = released(rng, x, 0.3, 15)
    beliefs = cf.NormalAppearance(x, sd=0.3)
    dense = link_probabilities(log_densities(beliefs, z), log=True)
    links = link_probabilities(beliefs, z, mass=1e-300)
    assert links.is_exact
    assert links.p.toarray() == pytest.approx(dense.p, abs=1e-11)
    assert links.diagnostics.dropped.max() < 1e-250
    rough = link_probabilities(beliefs, z, mass=0.01)
    assert 1e-4 < np.abs(rough.p.toarray() - dense.p).max() < 0.2


@pytest.mark.parametrize("mass", [0.0, 1.0, -0.1, 2.0, np.nan])
def test_mass_is_a_probability(mass):
    with pytest.raises(LikelihoodError, match="mass must be between 0 and 1"):
        link_probabilities(cf.NormalAppearance([0.0, 1.0], sd=1.0), [0.1], mass=mass)


@pytest.mark.parametrize("z", [[[0.1, 0.2]], [[np.nan]], [[np.inf]], [["a"]]])
def test_bad_records(z):
    with pytest.raises((ConfideError, ValueError)):
        link_probabilities(cf.NormalAppearance([0.0, 1.0], sd=1.0), z)
