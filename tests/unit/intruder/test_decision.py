"""To link or not to: losses, all respondents at once, loss matrices, what deters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import confide as cf


def drawn(rng: np.random.Generator, records: int, respondents: int) -> np.ndarray:
    """Link probabilities with a null link, some of them zero."""
    p = rng.dirichlet(np.full(records + 1, 0.5), size=respondents).T[:-1]
    return np.where(p < 0.02, 0.0, p)


def test_all_respondents_at_once_are_each_one_by_one():
    p = drawn(np.random.default_rng(1), 7, 200)
    for losses in (cf.Losses(), cf.Losses(missed=1.1, wrong=1.0), cf.Losses(missed=0.2, wrong=1.0)):
        every, thin = losses.decide_all(p), losses.decide_all(sparse.csr_array(p))
        assert 0 < every.linked < 200
        for i in range(200):
            best, null = p[:, i].max(), losses.missed * p[:, i].sum()
            link = losses.wrong * (1 - best)
            one = losses.decide(p[:, i])
            assert one == every.of(i)
            assert (one.loss_null, one.loss_link) == pytest.approx((null, link))
            assert one.links == (link < null)
            assert one.record in (None, int(p[:, i].argmax()))
        assert np.array_equal(every.record, thin.record)
        assert np.allclose(every.uncertainty, thin.uncertainty)


def test_a_respondent_without_any_probability_is_not_linked():
    p = sparse.csr_array(np.array([[0.0, 0.9], [0.0, 0.0]]))
    found = cf.Losses(missed=100.0).decide_all(p)
    assert found.record.tolist() == [-1, 0]
    assert found.uncertainty.tolist() == pytest.approx([0.0, 0.1])
    assert repr(found) == "Decisions(1 of 2 respondents linked; uncertainty 0 to 0.1)"


@pytest.mark.parametrize("respondents", [2, 3, 6, 7, 10, 49, 97, 100])
def test_ties_do_not_link_whatever_the_rounding(respondents):
    # the outsider does not link as long as l1 n <= l2 (N - 1) (section 4.1)
    for n in range(1, respondents + 1):
        p = [cf.naive_outsider(respondents, n)] * n
        bound = (respondents - 1) / n
        assert not cf.Losses(missed=bound, wrong=1.0).decide(p).links
        assert cf.Losses(missed=bound * (1 + 1e-9), wrong=1.0).decide(p).links
        assert cf.malicious_from(respondents, n) == pytest.approx(bound)


def test_the_first_of_equal_records_is_linked():
    p = np.array([[0.1, 0.0], [0.45, 0.5], [0.45, 0.5]])
    assert cf.Losses(missed=9.0).decide_all(p).record.tolist() == [1, 1]
    assert cf.Losses(missed=9.0).decide_all(sparse.csc_array(p)).record.tolist() == [1, 1]
    assert cf.LossMatrix.of(cf.Losses(missed=9.0), 3).decide(p[:, 0]).record == 1


@pytest.mark.parametrize("p", [[], [[0.5]], [0.6, 0.6], [-0.1, 0.5], [float("nan"), 0.5]])
def test_what_is_no_distribution_is_refused(p):
    with pytest.raises(cf.IntruderError):
        cf.Losses().decide(p)
    with pytest.raises(cf.IntruderError):
        cf.Losses().deterring(p)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_a_table_that_is_no_distribution_is_refused(make):
    with pytest.raises(cf.IntruderError, match="sum to 1.01, more than one; for an approximation give slack"):
        cf.Losses().decide_all(make(np.array([[0.6, 0.2], [0.41, 0.1]])))
    assert cf.Losses().decide_all(make(np.array([[0.6, 0.2], [0.41, 0.1]])), slack=0.02).loss_null[0] == 1.0
    for bad in (float("nan"), -0.1):
        with pytest.raises(cf.IntruderError, match="not negative"):
            cf.Losses().decide_all(make(np.array([[bad, 0.5]])))
    with pytest.raises(cf.IntruderError, match="table of records by respondents"):
        cf.Losses().decide_all(make(np.zeros((0, 3))))


def test_a_matrix_of_l1_and_l2_decides_as_they_do():
    rng = np.random.default_rng(2)
    for _ in range(300):
        losses = cf.Losses(missed=float(rng.uniform(0, 3)), wrong=float(rng.uniform(0.1, 3)))
        p = drawn(rng, 5, 1)[:, 0]
        plain, matrix = losses.decide(p), cf.LossMatrix.of(losses, 5).decide(p, 1 - p.sum())
        assert matrix.record == plain.record
        assert (matrix.uncertainty, matrix.loss_null, matrix.loss_link) == pytest.approx(
            (plain.uncertainty, plain.loss_null, plain.loss_link)
        )


def test_general_losses_may_prefer_a_less_probable_record():
    # a wrong link to record 0 is a catastrophe, one to record 1 is cheap
    matrix = cf.LossMatrix([[0, 50, 50], [0.1, 0, 0.1], [1, 1, 0]])
    found = matrix.decide([0.7, 0.2])
    assert matrix.expected([0.7, 0.2]).tolist() == pytest.approx([15.0, 0.08, 0.9])
    assert (found.record, found.uncertainty) == (1, pytest.approx(0.08))


def test_an_infinite_loss_forbids_an_action():
    must = cf.LossMatrix([[0, 1, 1], [1, 0, 1], [np.inf, np.inf, 0]])
    assert must.decide([0.01, 0.0]).record == 0
    assert must.decide([0.0, 0.0]).record is None  # nothing was missed, so nothing infinite is expected
    never = cf.LossMatrix([[np.inf, np.inf], [1, 0]])
    assert never.decide([0.9]).record is None
    with pytest.raises(cf.IntruderError, match="every action has an infinite expected loss"):
        cf.LossMatrix([[np.inf, np.inf], [np.inf, np.inf]]).decide([0.9])


@pytest.mark.parametrize("table", [[[1.0]], [[0, 1, 1], [1, 0, 1]], [0.0, 1.0], [[0, float("nan")], [1, 0]]])
def test_what_is_no_loss_matrix_is_refused(table):
    with pytest.raises(cf.IntruderError, match="losses must"):
        cf.LossMatrix(table)


def test_a_target_who_may_not_be_released_needs_a_column():
    matrix = cf.LossMatrix.by_disparity([1.0, 2.0, 4.0], cf.AbsoluteDistance(), missed=1.0)
    assert matrix.decide([0.2, 0.6, 0.2]).loss_link == pytest.approx(0.4 + 0.2 * 1 + 0.2 * 2)
    with pytest.raises(cf.IntruderError, match="may not have been released"):
        matrix.decide([0.2, 0.6, 0.1])
    with pytest.raises(cf.IntruderError, match="2 probabilities for losses of 3 records"):
        matrix.decide([0.5, 0.5])
    with pytest.raises(cf.IntruderError, match="must sum to one; found null 0.3"):
        cf.LossMatrix.of(cf.Losses(), 1).decide([0.5], 0.3)
    with pytest.raises(cf.IntruderError, match="zero for equal values"):
        cf.LossMatrix.by_disparity([1.0, 2.0], lambda a, b: 1.0 + np.abs(a - b.T))


def test_the_deterring_ratio_is_where_the_decision_turns():
    p = drawn(np.random.default_rng(3), 6, 100)
    ratio = cf.deterring_ratio(p)
    for i in np.flatnonzero(ratio > 0):
        assert ratio[i] == pytest.approx(cf.Losses(missed=1.0).deterring(p[:, i]))
        assert not cf.Losses(1.0, ratio[i]).decide(p[:, i]).links
        assert cf.Losses(1.0, ratio[i] * (1 - 1e-9)).decide(p[:, i]).links
    assert cf.deterring_ratio(np.array([[1.0, 0.0]])).tolist() == [np.inf, 0.0]
    assert cf.Losses(missed=0.0).deterring([1.0]) == 0.0


@pytest.mark.parametrize("chances", [(1.0, 0.0), (0.1, 0.0), (0.3, 0.3), (0.1, 0.9), (0.0, 0.5)])
def test_the_deterring_fine_is_where_the_decision_turns(chances):
    from confide.intruder.loss_matrix import punished

    p, losses, caught = drawn(np.random.default_rng(4), 4, 60), cf.Losses(missed=2.0, wrong=1.0), cf.Caught(*chances)
    fines = cf.deterring_penalty(p, losses, caught)
    thin = cf.deterring_penalty(sparse.csr_array(p), losses, caught)
    assert np.allclose(fines, thin)

    def links(i: int, fine: float) -> bool:
        return punished(losses, 4, right=fine * caught.right, wrong=fine * caught.wrong).decide(p[:, i]).links

    for i, fine in enumerate(fines):
        if np.isinf(fine):
            assert links(i, 1e6)
        else:
            assert not links(i, fine * (1 + 1e-9))
            assert fine == 0 or links(i, fine * (1 - 1e-6))
    assert (fines > 0).sum() == losses.decide_all(p).linked


def test_a_certain_link_is_deterred_only_where_right_ones_are_fined():
    assert cf.deterring_penalty([1.0], cf.Losses()).tolist() == [np.inf]
    assert cf.deterring_penalty([1.0], cf.Losses(), cf.Caught(wrong=0.0, right=0.25)).tolist() == [4.0]
    with pytest.raises(cf.IntruderError, match="at least one of them positive"):
        cf.Caught(wrong=0.0)


def test_the_curve_counts_who_remains_linked():
    p = drawn(np.random.default_rng(5), 6, 100)
    ratios = [0.1, 0.5, 1.0, 3.0, 10.0]
    curve = cf.deterrence_curve(p, ratios)
    assert curve.linked.tolist() == [cf.Losses(1.0, r).decide_all(p).linked for r in ratios]
    for kept in (0, 5, 99):
        assert cf.Losses(1.0, curve.ratio_for(kept)).decide_all(p).linked == kept
    assert curve.ratio_for(100) == 0.0
    assert curve.to_frame().columns == ["ratio", "linked", "share"]
    assert repr(curve).endswith(f"100 respondents; no link from a ratio of {curve.ratio_for():.4g} on")
    assert "no ratio deters" in repr(cf.deterrence_curve(np.eye(2)))
    with pytest.raises(cf.IntruderError, match="from 0 to 100"):
        curve.ratio_for(101)
    with pytest.raises(cf.IntruderError, match="positive"):
        cf.deterrence_curve(p, [0.0])


def test_ties_in_the_curve_are_not_linked():
    p = np.full((5, 6), 1 / 6)
    assert cf.deterrence_curve(p, [0.99, 1.0]).linked.tolist() == [6, 0]


def test_a_hundred_thousand_respondents_are_decided_quickly():
    import time

    size, each = 100_000, 20
    rng = np.random.default_rng(6)
    rows = rng.integers(0, size, size * each)
    p = sparse.csr_array((np.full(size * each, 1 / each), (rows, np.repeat(np.arange(size), each))), shape=(size, size))
    start = time.perf_counter()
    found = cf.Losses().decide_all(p)
    assert time.perf_counter() - start < 5.0
    assert found.record.size == size
