"""Duncan and Lambert 1987, Lambert 1993: the reproduced cases, and what joint linking must respect."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import confide as cf
from confide.linking.posterior.joint.cluster import cluster_corrected
from confide.linking.posterior.joint.exact import exact_marginals
from published import run_cases
from published.cases import duncan_lambert

ALL = json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))["cases"]
KINDS = {k for k, f in run_cases.ADAPTERS.items() if f.__module__.endswith("duncan_lambert")}
MINE = {c["name"]: c for c in ALL if c["kind"] in KINDS}


@pytest.mark.parametrize("name", list(MINE))
def test_case(name):
    assert run_cases.run(MINE[name]) == []


def test_every_adapter_of_these_papers_is_used():
    assert set(dir(duncan_lambert)) >= KINDS
    assert len(KINDS) == 15


def test_release_weights_enter_per_respondent_and_a_common_one_cancels():
    f = np.array([[0.7, 0.2, 0.4], [0.1, 0.9, 0.3]])
    plain = cf.link_probabilities(f)
    assert np.allclose(cf.link_probabilities(f, weights=[3, 3, 3]).p, plain.p)
    unequal = cf.link_probabilities(f, weights=[1, 1, 5])
    assert unequal.null[2] < plain.null[2]
    assert np.allclose(cf.link_probabilities(f * [1, 1, 5]).p, unequal.p)


def test_log_and_sparse_densities_give_the_same():
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


def test_a_large_component_is_approximated_and_says_so():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 3))
    z = x + 0.3 * rng.normal(size=x.shape)
    log_f = -0.5 * ((z[:, None] - x[None]) ** 2).sum(axis=2) / 0.09
    links = cf.link_probabilities(log_f, log=True)
    assert not links.is_exact
    assert links.methods == (("propagation and two chains", 1),)
    assert np.allclose(links.p.sum(axis=1), 1.0)
    assert links.null.max() < 1e-3
    assert 0.005 <= links.largest_error <= 1.0
    assert "propagation and two chains" in repr(links)


@pytest.mark.slow
def test_the_approximate_path_alone_is_close_to_the_exact_one():
    """Random instances in one and three dimensions, noise of 1 to 200 per cent, n/N of 1, .5 and .1."""
    rng = np.random.default_rng(3)
    mean, worst, covered, alone = [], 0.0, [], []
    for _ in range(200):
        wide, d, share = int(rng.choice([10, 16, 22])), int(rng.choice([1, 3])), float(rng.choice([1, 0.5, 0.1]))
        noise = float(np.exp(rng.uniform(np.log(0.01), np.log(2))))
        n = max(1, round(wide * share))
        x = rng.normal(size=(wide, d))
        z = x[rng.permutation(wide)[:n]] + noise * rng.normal(size=(n, d))
        log_f = -0.5 * ((z[:, None] - x[None]) ** 2).sum(axis=2) / noise**2
        truth = exact_marginals(log_f, work=np.inf)[0]
        found = cluster_corrected(sparse.csr_array(log_f - log_f.min() + 1.0))
        p, error = (v.reshape(n, wide) for v in (found.p, found.error(np.repeat(np.arange(n), wide))))
        off = np.abs(p - truth)
        mean.append(off.max(axis=1).mean())
        worst = max(worst, off.max())
        covered += (off <= error).all(axis=1).tolist()
        alone.append(np.abs(cf.isolated(np.exp(log_f - log_f.max(axis=1, keepdims=True))) - truth).max())
    assert np.mean(mean) <= 0.0025
    assert worst <= 0.06
    assert np.mean(covered) >= 0.98
    assert max(alone) > 0.8, "records in isolation are badly wrong on the same instances"


def test_what_deters():
    p = [0.855, 0.117]
    cost = cf.Losses(missed=1.0).deterring(p)
    assert cf.Losses(missed=1.0, wrong=cost * 0.999).decide(p).links
    assert not cf.Losses(missed=1.0, wrong=cost * 1.001).decide(p).links
    assert cf.Losses().deterring([1.0]) == float("inf")
