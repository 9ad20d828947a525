"""Eq. (3) of Lambert 1993: both outcomes, certain and impossible records, several levels."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def test_numbers_give_a_number_and_arrays_an_array():
    assert isinstance(cf.posterior_sensitive(1, 0.9, 0.2), float)
    found = cf.posterior_sensitive(np.array([[1], [0]]), 0.9, np.array([0.2, 0.5]))
    assert found.shape == (2, 2)
    assert found[0].tolist() == pytest.approx([0.18 / 0.26, 0.9])
    assert found[1].tolist() == pytest.approx([0.02 / 0.74, 0.1])


def test_certain_records():
    assert cf.posterior_sensitive([0, 1], 1.0, [0.3, 0.3]).tolist() == [0.0, 1.0]
    assert cf.posterior_sensitive([0, 1], 0.0, [0.3, 0.3]).tolist() == [1.0, 0.0]
    assert cf.posterior_sensitive([0, 1], 0.7, [0.0, 1.0]).tolist() == [0.0, 1.0]
    assert cf.posterior_sensitive([], 0.7, []).tolist() == []


@pytest.mark.parametrize(("x", "q", "prior"), [(1, 1.0, 0.0), (0, 1.0, 1.0), (1, 0.0, 1.0), (0, 0.0, 0.0)])
def test_an_impossible_record_has_no_posterior(x, q, prior):
    with pytest.raises(cf.HarmError, match="1 of 2 released records are impossible"):
        cf.posterior_sensitive([x, 1], [q, 0.9], [prior, 0.5])


@pytest.mark.parametrize(
    ("x", "q", "prior", "words"),
    [
        (2, 0.9, 0.2, "must be 0 or 1"),
        (np.nan, 0.9, 0.2, "must be 0 or 1"),
        (1, 1.1, 0.2, "q must be a probability"),
        (1, np.nan, 0.2, "q must be a probability"),
        (1, 0.9, -0.1, "the prior must be a probability"),
    ],
)
def test_what_is_no_probability_is_refused(x, q, prior, words):
    with pytest.raises(cf.HarmError, match=words):
        cf.posterior_sensitive(x, q, prior)


def test_levels_by_hand():
    matrix = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.0, 0.5, 0.5]])
    prior = np.array([0.5, 0.3, 0.2])
    found = cf.posterior_levels([0, 1, 2], matrix, prior)
    for x in range(3):
        joint = matrix[:, x] * prior
        assert found[x].tolist() == pytest.approx((joint / joint.sum()).tolist())


def test_levels_with_strata_and_a_prior_for_each_record():
    matrices = np.array([np.eye(2), [[0.9, 0.1], [0.2, 0.8]]])
    prior = np.array([[0.5, 0.5], [0.5, 0.5]])
    found = cf.posterior_levels([1, 1], matrices, prior, strata=[0, 1])
    assert found.tolist() == [[0.0, 1.0], pytest.approx([0.1 / 0.9, 0.8 / 0.9])]
    with pytest.raises(cf.HarmError, match="2 matrices: give strata="):
        cf.posterior_levels([1, 1], matrices, prior)


def test_levels_whose_joint_probability_underflows():
    tiny = 1e-200
    matrix = np.array([[1 - tiny, tiny], [1 - 2 * tiny, 2 * tiny]])
    found = cf.posterior_levels([1], matrix, [1 - tiny, tiny])
    assert found[0].tolist() == pytest.approx([1.0, 2 * tiny])
    both = cf.posterior_levels([1], np.array([[1.0, 1e-300], [1.0, 1e-300]]), [0.25, 0.75])
    assert both[0].tolist() == pytest.approx([0.25, 0.75])


def test_levels_count_the_impossible_records():
    with pytest.raises(cf.HarmError, match="2 of 3 released records are impossible"):
        cf.posterior_levels([1, 0, 1], np.eye(2), [1.0, 0.0])


@pytest.mark.parametrize(
    ("observed", "matrix", "prior", "words"),
    [
        ([0], [[0.9, 0.2], [0.1, 0.8]], [0.5, 0.5], "transpose it"),
        ([2], np.eye(2), [0.5, 0.5], "1 of 1 are not"),
        ([0.5], np.eye(2), [0.5, 0.5], "1 of 1 are not"),
        (["a"], np.eye(2), [0.5, 0.5], "must be codes"),
        ([0], np.eye(2), [0.5, 0.4], "1 of 1 rows are not"),
        ([0], np.eye(2), [0.5, 0.25, 0.25], "a column for each of 2 true levels"),
        ([0], [1.0], [1.0], "found shape"),
    ],
)
def test_levels_refuse_what_does_not_fit(observed, matrix, prior, words):
    with pytest.raises(cf.HarmError, match=words):
        cf.posterior_levels(observed, matrix, prior)
