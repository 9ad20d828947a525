"""Cases of the papers of Lambert (1993) and Duncan and Lambert (1987)."""

import json
from pathlib import Path

import numpy as np
import pytest

from confide.linking.posterior.joint.exact import exact_marginals
from confide.linking.posterior.joint.frontier import frontier_marginals
from confide.linking.posterior.joint.subset import subset_marginals
from confide.linking.posterior.joint.types import merge_types, type_marginals

CASES = json.loads((Path(__file__).parents[3] / "published" / "expected.json").read_text(encoding="utf-8"))["cases"]
POSTERIOR = [case for case in CASES if case["kind"] == "link_posterior"]
TWO_GROUPS = [case for case in CASES if case["kind"] == "link_target_two_groups"]


def test_cases_are_there():
    assert len(POSTERIOR) >= 8
    assert TWO_GROUPS


@pytest.mark.parametrize("case", POSTERIOR, ids=lambda case: case["name"])
def test_link_posterior(case):
    with np.errstate(divide="ignore"):
        log_f = np.log(np.array(case["inputs"]["F"], dtype=float))
    value = np.array(case["value"])
    merged = merge_types(log_f)
    p = merged.spread(type_marginals(merged.log_f, merged.record_counts, merged.respondent_counts))
    possible = log_f > -np.inf
    indptr = np.concatenate(([0], np.cumsum(possible.sum(axis=1))))
    along = np.zeros(log_f.shape)
    along[possible] = frontier_marginals(indptr, np.nonzero(possible)[1], log_f[possible], log_f.shape[1])
    for answer in (subset_marginals(log_f), exact_marginals(log_f)[0], p, along):
        np.testing.assert_allclose(answer, value, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("case", TWO_GROUPS, ids=lambda case: case["name"])
def test_target_among_others(case):
    given = case["inputs"]
    y = np.log(given["y"])
    groups = [given["target_lognormal"], given["others_lognormal"]]
    log_f = np.column_stack([-0.5 * ((y - mean) / sd) ** 2 - np.log(sd) for mean, sd in groups])
    p = type_marginals(log_f, [1] * y.size, [1, given["N"] - 1])
    np.testing.assert_allclose(p[:, 0], case["value"]["p"], rtol=1e-11)
    assert 1 - p[:, 0].sum() == pytest.approx(case["value"]["null"], rel=1e-10)
    full, _ = exact_marginals(np.repeat(log_f, [1, given["N"] - 1], axis=1))
    np.testing.assert_allclose(full[:, 0], p[:, 0], rtol=1e-12)
