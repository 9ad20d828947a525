"""Duncan and Lambert 1987, Lambert 1993: the reproduced cases, and what joint linking must respect."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

import confide as cf
from published import run_cases
from published.cases import duncan_lambert

SHARED = Path(os.environ.get("CONFIDE_SHARED", Path(__file__).parents[3] / "shared"))
EXPECTED = SHARED / "papers" / "expected.json"
ALL = json.loads(EXPECTED.read_text(encoding="utf-8"))["cases"] if EXPECTED.is_file() else []
KINDS = {k for k, f in run_cases.ADAPTERS.items() if f.__module__.endswith("duncan_lambert")}
MINE = {c["name"]: c for c in ALL if c["kind"] in KINDS}


@pytest.mark.skipif(not EXPECTED.is_file(), reason=f"the reproduced numbers are not here: {EXPECTED}; set CONFIDE_SHARED")
@pytest.mark.parametrize("name", list(MINE) or ["absent"])
def test_case(name):
    assert run_cases.run(MINE[name]) == []


def test_every_adapter_of_these_papers_is_used():
    assert set(dir(duncan_lambert)) >= KINDS
    assert len(KINDS) == 14


def test_release_weights_enter_per_respondent_and_a_common_one_cancels():
    f = np.array([[0.7, 0.2, 0.4], [0.1, 0.9, 0.3]])
    plain = cf.link_probabilities(f)
    assert np.allclose(cf.link_probabilities(f, weights=[3, 3, 3]).p, plain.p)
    unequal = cf.link_probabilities(f, weights=[1, 1, 5])
    assert unequal.null[2] < plain.null[2]
    assert np.allclose(cf.link_probabilities(f * [1, 1, 5]).p, unequal.p)


def test_log_and_sparse_densities_give_the_same():
    from scipy import sparse

    f = np.array([[0.7, 0.2, 0.0, 0.0], [0.1, 0.9, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]])
    plain = cf.link_probabilities(f)
    with np.errstate(divide="ignore"):
        assert np.allclose(cf.link_probabilities(np.log(f), log=True).p, plain.p)
    found = cf.link_probabilities(sparse.csr_array(f))
    assert np.allclose(found.p.todense(), plain.p)
    assert np.allclose(found.largest, plain.largest)
    assert "by" in repr(found)


@pytest.mark.parametrize(
    ("f", "message"),
    [
        ([[0.0, 0.0], [0.5, 0.5]], "no respondent could have produced these records"),
        ([[0.5, 0.0], [0.5, 0.0]], "2 records .* can only come from 1 respondents"),
        ([[0.5], [0.5]], "more records than respondents"),
        ([[0.5, np.nan]], "must not be negative or NaN"),
        ([[0.5, -0.1]], "must not be negative or NaN"),
        ([[0.5, np.inf]], r"\+inf"),
    ],
)
def test_impossible_releases_and_bad_densities_are_named(f, message):
    with pytest.raises(cf.LikelihoodError, match=message):
        cf.link_probabilities(np.array(f))


def test_a_component_without_exact_answer_gives_no_number():
    f = np.random.default_rng(1).random((60, 60))
    with pytest.raises(cf.LikelihoodError, match="too large for an exact answer, the largest with 60 records"):
        cf.link_probabilities(f)


def test_what_deters():
    p = [0.855, 0.117]
    cost = cf.Losses(missed=1.0).deterring(p)
    assert cf.Losses(missed=1.0, wrong=cost * 0.999).decide(p).links
    assert not cf.Losses(missed=1.0, wrong=cost * 1.001).decide(p).links
    assert cf.Losses().deterring([1.0]) == float("inf")
