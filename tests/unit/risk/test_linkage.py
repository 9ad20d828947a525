"""Risks of a file read from links, whichever model made them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import confide as cf

P = np.array([[0.7, 0.2, 0.1, 0.0], [0.0, 0.5, 0.4, 0.1]])


def links_of(p, error):
    null = np.clip(1 - np.asarray(p.sum(axis=0)).ravel(), 0, 1)
    return cf.JointLinks(p, null, error, (("made up", 1),))


@pytest.mark.parametrize("given", [P, sparse.csr_array(P), sparse.coo_array(P), links_of(P, np.zeros(P.shape))])
def test_every_kind_of_links_gives_the_same_risks(given):
    risks = cf.perceived_risks(given, 0.5)
    assert risks.per_respondent.tolist() == [0.7, 0.5, 0.4, 0.1]
    assert (risks.worst, risks.at_or_above) == (0.7, 2)
    assert risks.total == pytest.approx(1.7)
    assert risks.average == pytest.approx(0.425)
    assert cf.true_identification(given, [0, 2], 0.4).per_record.tolist() == [1, 1]
    assert cf.true_identification(given, [0, 2], 0.41).per_record.tolist() == [1, 0]
    assert cf.true_identification(given, [1, 3], 0.0).per_record.tolist() == [0, 1]


def test_errors_of_the_links_reach_the_risks():
    error = np.array([[0.01, 0.25, 0.0, 0.0], [0.0, 0.02, 0.05, 0.0]])
    for kind in (np.asarray, lambda x: sparse.csr_array((x[P > 0], np.nonzero(P)), shape=P.shape)):
        risks = cf.perceived_risks(links_of(kind(P), kind(error)), 0.5)
        assert risks.error == pytest.approx([0.01, 0.02, 0.05, 0.0])
        assert risks.worst_error == pytest.approx(0.01)
        assert risks.average_error == pytest.approx(0.02)
        assert risks.total_error == pytest.approx(0.08)
        assert risks.at_or_above_error == 1, "the second respondent stands on the threshold"
    assert (
        repr(risks) == "PerceivedRisks(4 respondents; D 0.7 ± 0.01, D_average 0.425 ± 0.02, D_total 1.7 ± 0.08, D_0.5 2 ± 1)"
    )
    assert "±" not in repr(cf.perceived_risks(P))
    assert cf.perceived_risks(P).worst_error is None


def test_a_record_that_may_be_more_probable_than_the_best_counts_in_the_error():
    risks = cf.perceived_risks(links_of(np.array([[0.5], [0.4]]), np.array([[0.01], [0.3]])))
    assert risks.error == pytest.approx([0.2])
    zero = cf.perceived_risks(links_of(np.array([[0.5, 0.0]]), np.array([[0.01, 0.03]])))
    assert zero.error == pytest.approx([0.01, 0.03]), "a probability of zero may be off, too"


def test_the_errors_of_an_approximation_cover_the_exact_risks():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(18, 3))
    z = x + 0.4 * rng.normal(size=x.shape)
    log_f = -0.5 * ((z[:, None] - x[None]) ** 2).sum(axis=2) / 0.16
    exact = cf.perceived_risks(cf.link_probabilities(log_f, log=True, work=np.inf))
    rough = cf.perceived_risks(cf.link_probabilities(log_f, log=True, work=0))
    assert exact.worst_error < 1e-9 < rough.worst_error
    assert abs(exact.worst - rough.worst) <= rough.worst_error
    assert abs(exact.total - rough.total) <= rough.total_error


def test_isolated_links_may_give_a_respondent_more_than_one():
    p = cf.isolated(np.array([[0.99, 0.01], [0.98, 0.02]]))
    assert p[:, 0].sum() > 1.9
    assert cf.perceived_risks(p).worst == pytest.approx(0.99)


def test_equally_probable_records_share_and_their_order_does_not_matter():
    p = np.array([[0.5, 0.3], [0.5, 0.3]])
    found = cf.true_identification(p, [0, 1], 0.0)
    assert found.per_record.tolist() == [0.5, 0.5]
    assert (found.count, found.share) == (1.0, 0.5)
    assert found.weighted == pytest.approx((0.5 * 0.5 + 0.5 * 0.3) / 2)
    assert cf.true_identification(p[::-1], [1, 0], 0.0).per_record.tolist() == [0.5, 0.5]
    assert repr(found) == "TrueIdentification(1 of 2 records identified, share 0.5)"


def test_a_link_of_probability_zero_is_never_made():
    p = np.array([[1.0, 0.0], [1.0, 0.0]])
    assert cf.true_identification(p, [0, 1], 0.0).per_record.tolist() == [0.5, 0.0]
    assert cf.true_identification(sparse.csr_array(p), [0, 1], 0.0).per_record.tolist() == [0.5, 0.0]


def test_a_pair_stored_in_parts_is_summed():
    p = sparse.csr_array((np.array([0.3, 0.4]), np.array([1, 1]), np.array([0, 2])), shape=(1, 2))
    assert cf.perceived_risks(p).per_respondent.tolist() == [0.0, 0.7]


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize(
    ("p", "message"),
    [
        ([[0.5, -0.1]], "negative or NaN"),
        ([[0.5, np.nan]], "negative or NaN"),
        ([[0.9, 0.2], [0.1, 0.2]], "1 of 2 records .* sum to more than one"),
        ([[0.9, 0.10001]], "1 of 1 records .* sum to more than one"),
        (np.zeros((0, 3)), "0 records and 3 respondents"),
        (np.zeros((3, 0)), "3 records and 0 respondents"),
    ],
)
def test_what_are_no_link_probabilities(p, message, dense):
    given = np.asarray(p) if dense else sparse.csr_array(np.asarray(p))
    with pytest.raises(cf.IntruderError, match=message):
        cf.perceived_risks(given)
    with pytest.raises(cf.IntruderError, match=message):
        cf.true_identification(given, [0] * given.shape[0], 0.5)


def test_other_bad_input_is_named():
    with pytest.raises(cf.IntruderError, match="1 dimension"):
        cf.perceived_risks(np.array([0.5, 0.5]))
    with pytest.raises(cf.IntruderError, match="threshold must be a probability"):
        cf.perceived_risks(P, 1.5)
    with pytest.raises(cf.IntruderError, match="between 0 and 1"):
        cf.true_identification(P, [0, 1], np.nan)
    with pytest.raises(cf.IntruderError, match="not among the 4 respondents"):
        cf.true_identification(P, [0, 4], 0.5)
    with pytest.raises(cf.IntruderError, match="errors of"):
        cf.perceived_risks(links_of(P, np.zeros((2, 3))))
    with pytest.raises(cf.IntruderError, match="arrange them alike"):
        cf.perceived_risks(links_of(sparse.csr_array(P), sparse.csr_array(P.shape)))


def test_ten_million_pairs():
    n, k = 1_000_000, 10
    columns = (np.arange(n)[:, None] + 7 * np.arange(k)) % n
    rng = np.random.default_rng(1)
    f = sparse.csr_array((rng.random(n * k), columns.ravel(), np.arange(n + 1) * k), shape=(n, n))
    p = cf.isolated(f)
    assert np.allclose(p.sum(axis=1), 1.0)
    risks = cf.perceived_risks(p, 0.2)
    assert risks.worst == p.data.max()
    found = cf.true_identification(p, np.arange(n), 0.0)
    assert found.share == pytest.approx(0.1, abs=0.005), "one of ten candidates, by chance"
