"""The named approximations: dense or sparse, densities or logs, and how they are related."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import confide as cf

F = np.array([[0.7, 0.2, 0.0, 0.4], [0.1, 0.9, 0.3, 0.0], [0.0, 0.0, 0.5, 0.5]])
METHODS = [cf.isolated, cf.with_replacement, cf.product_form]


@pytest.mark.parametrize("method", METHODS)
def test_logs_and_sparse_tables_give_the_same(method):
    with np.errstate(divide="ignore"):
        log_f = np.log(F)
    plain = method(F)
    assert isinstance(plain, np.ndarray)
    assert np.allclose(method(log_f, log=True), plain, atol=1e-14)
    assert np.allclose(method(log_f - 5000.0, log=True), plain, atol=1e-11), "a common factor cancels"
    rows, columns = np.nonzero(F)
    thin = method(sparse.csr_array((log_f[rows, columns], (rows, columns)), shape=F.shape), log=True)
    thin = thin.toarray() if sparse.issparse(thin) else thin
    assert np.allclose(thin, plain, atol=1e-14)


def test_with_replacement_is_lamberts_formula():
    q = cf.isolated(F)
    printed = cf.with_replacement(F, as_printed=True)
    for j in range(3):
        for i in range(4):
            others = np.prod([1 - q[k, i] for k in range(3) if k != j])
            assert printed[j, i] == pytest.approx(q[j, i] * others, abs=1e-15)
    assert np.allclose(cf.with_replacement(F), printed * (4 / 3) ** 2)


def test_the_factor_gives_one_over_n_where_densities_are_equal():
    assert cf.with_replacement(np.ones((3, 6)), as_printed=True)[0, 0] == pytest.approx(25 / 216)
    assert np.allclose(cf.with_replacement(np.ones((3, 6))), 1 / 6)


def test_it_is_close_to_the_truth_for_few_records_of_many_respondents():
    rng = np.random.default_rng(1)
    f = np.exp(-2 * (rng.normal(size=(4, 1)) - rng.normal(size=(1, 400))) ** 2)
    truth = cf.link_probabilities(f).p
    assert np.abs(cf.with_replacement(f) - truth).max() < 1e-4
    assert np.abs(cf.with_replacement(f, as_printed=True) - truth).max() > 1e-4 * truth.max()


def test_product_form_is_with_replacement_scaled_by_record():
    w = cf.with_replacement(F)
    for target in range(4):
        assert np.allclose(cf.product_form(F, target), w[:, target] / w.sum(axis=1))
    assert np.allclose(cf.product_form(F, -1), cf.product_form(F, 3))


def test_product_form_is_exact_for_two_records_however_far_apart():
    log_f = np.array([[0.0, -1000.0, -1000.0], [0.0, -1000.5, -999.0]])
    assert np.allclose(cf.product_form(log_f, log=True), cf.link_probabilities(log_f, log=True).p[:, 0], atol=1e-12)


def test_a_record_that_is_surely_someones():
    f = np.array([[1.0, 0.0, 0.0], [0.6, 0.3, 0.1]])
    assert cf.product_form(f, 0).tolist() == [1.0, 0.0]
    assert cf.product_form(f, 1) == pytest.approx([0.0, 0.75])
    assert cf.with_replacement(f, as_printed=True).tolist()[1][0] == 0.0
    with pytest.raises(cf.LikelihoodError, match="has surely produced another"):
        cf.product_form(np.array([[1.0, 0.0], [1.0, 0.0]]))


def test_one_record_and_one_respondent():
    for method in METHODS:
        assert method(np.array([[0.3]])).ravel().tolist() == pytest.approx([1.0])
    with pytest.raises(cf.LikelihoodError, match="more records than respondents"):
        cf.with_replacement(np.array([[0.3], [0.2]]))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("f", "message"),
    [
        ([[0.0, 0.0], [0.5, 0.5]], r"no respondent could have produced these records \(counted from 0\): 0;"),
        ([[0.5, np.nan]], "must not be negative or NaN"),
        ([[0.5, -0.1]], "must not be negative or NaN"),
        ([[0.5, np.inf]], r"\+inf"),
        (np.zeros((0, 2)), "0 records under 2 respondents"),
    ],
)
def test_bad_densities_are_named(method, kind, f, message):
    with pytest.raises(cf.LikelihoodError, match=message):
        method(kind(np.asarray(f)))


def test_a_target_who_is_not_there():
    with pytest.raises(cf.LikelihoodError, match="no respondent 4: 4 respondents"):
        cf.product_form(F, 4)
