"""Chains over matchings against exact marginals."""

from functools import partial

import numpy as np
import pytest
from scipy import sparse

from confide.linking.posterior.joint import sampling
from confide.linking.posterior.joint.chain import COUNT, HELD, _counted, _swaps, _worms, run_chain
from confide.linking.posterior.joint.exact import exact_marginals
from confide.linking.posterior.joint.sampling import SHORT_WORMS, both, walk
from confide.linking.posterior.joint.solve import link_probabilities
from confide.linking.posterior.joint.subset import subset_marginals


def steps_on(weight, leave=None):
    """Prepare a walk on a dense table of weights; give it and the places of the pairs."""
    leave = np.ones(weight.shape[1]) if leave is None else leave
    table = sparse.csr_array(weight * leave)
    p = table.data / np.repeat(table.sum(axis=1), np.diff(table.indptr))
    return walk(table, table.data, leave, p), table


def truth(weight):
    with np.errstate(divide="ignore"):
        return subset_marginals(np.log(weight))


def dense(table, data):
    return sparse.csr_array((data, table.indices, table.indptr), shape=table.shape).toarray()


def check_state(steps, chain):
    """Check that a state is a matching, told the same way by records and by respondents."""
    starts, held, holder = steps.odds.indptr, chain.now.line[:, HELD], chain.now.holder
    mate = steps.odds.respondent[starts[:-1] + held]
    assert np.unique(mate).size == mate.size
    assert (holder[mate] == np.arange(mate.size)).all()
    assert (holder >= 0).sum() == mate.size
    assert ((held >= 0) & (held < np.diff(starts))).all()


def sampled(weight, sweeps, seed=0, longest=20_000, worms=None, leave=None):
    """Give the shares of both chains."""
    steps, table = steps_on(weight, leave)
    chains = [steps.start(seed, which) for which in (0, 1)]
    for chain in chains:
        check_state(steps, chain)
        if worms is None:
            steps.settle(chain)
        many, short = (chain.worms, SHORT_WORMS) if worms is None else (worms, worms)
        for _ in range(4):
            chain.clock, *_ = run_chain(sweeps // 4, many, short, chain.clock, steps.odds, chain.now, longest, chain.state)
            check_state(steps, chain)
        assert chain.now.line[:, COUNT : COUNT + 4].sum() + chain.now.rest.sum() == chain.clock * steps.records
    return [dense(table, share) for share in steps.shares(chains)]


def instances():
    rng = np.random.default_rng(1)
    near = np.exp(-0.5 * (rng.normal(size=(8, 1)) - rng.normal(size=8)) ** 2 / 0.3**2)
    hidden = np.exp(2.0 * rng.normal(size=(10, 10))) * (np.abs(np.subtract.outer(np.arange(10), np.arange(10))) <= 2)
    apart = np.zeros((9, 11))
    apart[:4, :4], apart[4:, 4:] = np.exp(rng.normal(size=(4, 4))), np.exp(rng.normal(size=(5, 7)))
    return {
        "dense 8 x 8": np.exp(1.5 * rng.normal(size=(8, 8))),
        "close 8 x 8": near,
        "dense 6 x 12": np.exp(1.5 * rng.normal(size=(6, 12))),
        "sparse 10 x 10": hidden,
        "sparse 7 x 10": hidden[:7],
        "two components": apart,
        "one record": np.array([[1.0, 2.0, 5.0]]),
        "one pair": np.array([[3.0]]),
    }


@pytest.mark.parametrize("name", list(instances()))
def test_shares_are_the_exact_marginals(name):
    weight = instances()[name]
    one, two = sampled(weight, 40_000)
    exact = truth(weight)
    assert 0.5 * (one + two) == pytest.approx(exact, abs=0.012)
    assert one == pytest.approx(two, abs=0.03)
    assert np.sqrt(((0.5 * (one + two) - exact) ** 2).mean()) < 0.004


@pytest.mark.parametrize("name", ["dense 8 x 8", "dense 6 x 12", "sparse 10 x 10"])
@pytest.mark.parametrize("longest", [1, 2, 5])
def test_worms_that_are_undone_keep_the_law(name, longest):
    weight = instances()[name]
    one, two = sampled(weight, 400_000, longest=longest, worms=0.3)
    assert 0.5 * (one + two) == pytest.approx(truth(weight), abs=0.012)


@pytest.mark.parametrize("name", ["dense 8 x 8", "dense 6 x 12", "sparse 7 x 10", "two components", "one record"])
def test_any_scaling_of_respondents_keeps_the_law(name):
    weight = instances()[name]
    leave = np.exp(1.5 * np.random.default_rng(4).normal(size=weight.shape[1]))
    one, two = sampled(weight, 100_000, leave=leave)
    assert 0.5 * (one + two) == pytest.approx(truth(weight), abs=0.01)
    one, two = sampled(weight, 400_000, leave=leave, longest=3, worms=0.3)
    assert 0.5 * (one + two) == pytest.approx(truth(weight), abs=0.012)


@pytest.mark.parametrize("longest", [4, 100])
@pytest.mark.parametrize("name", ["dense 8 x 8", "dense 6 x 12", "sparse 7 x 10", "two components"])
def test_worms_that_start_in_one_part_of_the_file_keep_the_law(name, longest):
    weight = instances()[name]
    leave = np.exp(np.random.default_rng(4).normal(size=weight.shape[1]))
    steps, table = steps_on(weight, leave)
    chain, half = steps.start(0, 0), weight.shape[1] // 2
    s, path, everyone = chain.state[0], np.empty((longest, 2), np.int32), np.arange(len(weight), dtype=np.int32)
    for _ in range(100_000):
        s, _ = _worms(2, 0, half, steps.odds, chain.now, path, np.uint64(s))
        s = _swaps(everyone, steps.odds, chain.now, np.uint64(s))
        _counted(chain.now)
    check_state(steps, chain)
    assert dense(table, steps.shares([chain])[0]) == pytest.approx(truth(weight), abs=0.012)


ROUND = np.eye(3) + 2.0 * np.roll(np.eye(3), 1, axis=1)
"""Two matchings, 1 : 8, and no exchange of two records leads from one to the other."""


def test_swaps_alone_never_leave_a_round_of_three():
    for share in sampled(ROUND, 4_000, worms=0.0):
        assert np.unique(share).tolist() == [0.0, 1.0]
    one, two = sampled(ROUND, 40_000)
    assert truth(ROUND)[0, 0] == pytest.approx(1 / 9)
    assert 0.5 * (one + two) == pytest.approx(truth(ROUND), abs=0.01)


def test_records_that_hardly_move_are_still_right():
    weight = np.array([[1.0, 1e-3, 0.0], [1e-3, 1.0, 1e-3], [2e-3, 0.0, 1.0]])
    steps, _ = steps_on(weight)
    assert not steps.odds.often.size
    one, two = sampled(weight, 400_000)
    exact = truth(weight)
    assert exact.diagonal().min() > 0.99
    assert 0.5 * (one + two) == pytest.approx(exact, abs=5e-5)


def test_weights_apart_by_many_powers_of_ten():
    weight = np.array([[1.0, 1e-30, 0.0], [1e-30, 1.0, 1e-200], [0.0, 1e-35, 1.0]])
    one, two = sampled(weight, 1_000)
    assert (one == np.eye(3)).all()
    assert (two == np.eye(3)).all()


def test_one_seed_one_answer():
    weight = instances()["dense 6 x 12"]
    first, again, other = (np.array(sampled(weight, 400, seed)) for seed in (5, 5, 6))
    assert (first == again).all()
    assert (first != other).any()
    assert (first[0] != first[1]).any()


def test_same_bytes_on_one_core(monkeypatch):
    rng = np.random.default_rng(2)
    weight = np.exp(-0.5 * (rng.uniform(0, 60, (60, 1)) - rng.uniform(0, 60, 60)) ** 2 / 4.0)
    steps, _ = steps_on(weight)
    found = []
    for many in (1, 2):
        monkeypatch.setattr(sampling, "cores", lambda many=many: many)
        chains = [steps.start(3, which) for which in (0, 1)]
        both(steps.settle, chains)
        both(partial(steps.run, sweeps=300), chains)
        found.append(np.array(steps.shares(chains)))
    assert (found[0] == found[1]).all()


def test_a_start_where_random_insertion_fails():
    """Nearly all weight is on one respondent, so that insertion does not end; augmenting paths find the rest."""
    n = 12
    weight = np.full((n, n), 1e-25)
    weight[:, 0] = 1.0
    steps, _ = steps_on(weight)
    check_state(steps, steps.start(0, 0))


def test_two_records_that_want_the_same_respondent_above_all():
    """With spare respondents, neither can have what both want a billion times more: each has it half of the time."""
    k, small = 40, 1e-9
    log_f = np.full((2 * k, 3 * k), -np.inf)
    for t in range(k):
        log_f[2 * t, [3 * t, 3 * t + 1]] = 0.0, np.log(small)
        log_f[2 * t + 1, [3 * t, 3 * t + 2]] = 0.0, np.log(small) + 0.5
        if t + 1 < k:
            log_f[2 * t, 3 * t + 4] = np.log(small) - 1.0
    exact, _ = exact_marginals(log_f)
    found = link_probabilities(log_f, log=True, work=1)
    assert np.abs(found.p - exact).max() < 0.05
    assert (np.abs(found.p - exact) <= found.error).mean() > 0.98
