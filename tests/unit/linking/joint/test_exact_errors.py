"""What cannot be answered is refused, with the records named."""

import numpy as np
import pytest
from scipy import sparse

from confide.errors import LikelihoodError
from confide.linking.posterior.joint.batch import solve_small
from confide.linking.posterior.joint.components import split
from confide.linking.posterior.joint.exact import exact_marginals
from confide.linking.posterior.joint.feasible import check_dense, check_sparse
from confide.linking.posterior.joint.frontier import frontier_marginals
from confide.linking.posterior.joint.subset import subset_marginals
from confide.linking.posterior.joint.types import type_marginals

NO = -np.inf


@pytest.mark.parametrize(
    ("log_f", "message"),
    [
        ([[0.0, np.nan]], "NaN"),
        ([[0.0, np.inf]], "\\+inf"),
        ([[0.0], [0.0]], "more records than respondents: 2 records, 1 respondents"),
        ([[0.0, 0.0, 0.0], [NO, NO, NO]], "no respondent could have produced these records .*: 1;"),
        ([[NO, 0.0, NO, 0.0], [0.0, 0.0, 0.0, 0.0], [NO, 0.0, NO, NO], [NO, 1.0, NO, 2.0]], "3 records .*0, 2, 3.* from 2"),
        ([0.0, 1.0], "found 1 dimension"),
    ],
)
def test_refused(log_f, message):
    for programme in (subset_marginals, exact_marginals, check_dense):
        with pytest.raises(LikelihoodError, match=message):
            programme(np.array(log_f))
    table = np.array(log_f)
    if table.ndim == 2:
        stored = np.nonzero(np.ones(table.shape))
        with pytest.raises(LikelihoodError, match=message):
            exact_marginals(sparse.csr_array((table[stored], stored), shape=table.shape))


def test_many_are_counted():
    with pytest.raises(LikelihoodError, match=r"0, 1, 2, 3, 4, \.\.\. \(9 in all\)"):
        check_dense(np.full((9, 9), NO))


def test_stored_impossible_pairs_and_zeros():
    table = check_sparse(sparse.csr_array(([0.0, NO, -1.0], ([0, 0, 1], [0, 1, 1])), shape=(2, 2)))
    assert table.nnz == 2
    assert exact_marginals(table)[0].toarray().tolist() == [[1, 0], [0, 1]]


def test_pair_stored_twice():
    twice = sparse.csr_array((np.zeros(2), np.array([1, 1]), np.array([0, 2])), shape=(1, 2))
    with pytest.raises(LikelihoodError, match="twice"):
        check_sparse(twice)


def test_nothing_released():
    assert subset_marginals(np.zeros((0, 3))).shape == (0, 3)
    assert exact_marginals(np.zeros((0, 3)))[0].shape == (0, 3)
    assert frontier_marginals([0], [], [], 3).size == 0


def test_types_refuse():
    for counts, message in [(([2], [1]), "more records"), (([0], [1]), "at least one"), (([1, 1], [1]), "record types")]:
        with pytest.raises(LikelihoodError, match=message):
            type_marginals(np.zeros((1, 1)), *counts)
    with pytest.raises(LikelihoodError, match="NaN"):
        type_marginals(np.array([[np.nan]]), [1], [1])
    with pytest.raises(LikelihoodError, match="impossible"):
        type_marginals(np.array([[0.0, NO], [0.0, NO]]), [1, 1], [1, 5])


def test_infeasible_without_a_check_beforehand():
    indptr, indices = np.array([0, 1, 2, 4]), np.array([0, 0, 1, 2])
    with pytest.raises(LikelihoodError, match="impossible"):
        frontier_marginals(indptr, indices, np.zeros(4), 3)
    table = sparse.csr_array((np.zeros(4), np.array([0, 0, 1, 2]), indptr), shape=(3, 3))
    with pytest.raises(LikelihoodError, match="impossible: record number 0"):
        solve_small(split(table), np.zeros(4))
    held = sparse.csr_array((np.zeros(8), ([0, 0, 1, 1, 2, 2, 2, 2], [0, 1, 0, 1, 0, 1, 2, 3])), shape=(3, 4))
    crowd = sparse.vstack([held, held[[0]]]).tocsr()
    with pytest.raises(LikelihoodError, match="impossible"):
        solve_small(split(crowd), np.zeros(crowd.nnz))
