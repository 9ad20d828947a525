"""How certain, how long, how far: what the approximate path promises."""

import functools
import math

import numpy as np
import pytest

import confide as cf
from confide.errors import ConfideError, LikelihoodError
from confide.linking.posterior.joint.sampling import Walk
from confide.linking.posterior.joint.solve import link_probabilities


@functools.cache
def cloud(n, wide, d, noise, seed=0):
    """Respondents in a cloud and records near some of them, in random order."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(wide, d))
    return x, x[rng.permutation(wide)[:n]] + noise * rng.normal(size=(n, d))


def log_f(n, wide, d, noise, seed=0):
    x, z = cloud(n, wide, d, noise, seed)
    return -0.5 * ((z[:, None] - x[None]) ** 2).sum(axis=2) / noise**2


HARD = log_f(80, 80, 3, 0.3)


def test_the_tolerance_is_met_and_stated():
    loose, tight = (link_probabilities(HARD, log=True, tolerance=t) for t in (0.02, 0.004))
    for links, asked in ((loose, 0.02), (tight, 0.004)):
        assert links.tolerance_met
        assert links.diagnostics.rms <= asked == links.diagnostics.tolerance
        assert f"tolerance {asked:g} met" in repr(links)
        assert links.diagnostics.residual < 0.005
    assert tight.diagnostics.sweeps > loose.diagnostics.sweeps > 0
    assert tight.diagnostics.agreement < loose.diagnostics.agreement


def test_time_runs_out_and_the_answer_says_so():
    links = link_probabilities(HARD, log=True, tolerance=1e-7, seconds=0.3)
    assert not links.tolerance_met
    assert "tolerance 1e-07 NOT met" in repr(links)
    assert links.diagnostics.sweeps > 0
    assert links.p.sum(axis=1) == pytest.approx(np.ones(80), abs=1e-6)


def test_an_infinite_tolerance_is_propagation_alone():
    links = link_probabilities(HARD, log=True, tolerance=math.inf)
    assert links.methods == (("cluster-corrected propagation", 1),)
    assert links.diagnostics.sweeps == 0
    assert links.diagnostics.agreement is None
    assert links.diagnostics.tolerance is None
    assert "tolerance" not in repr(links)
    assert links.diagnostics.rms > 0


def test_an_interruption_of_chains_gives_the_best_answer_so_far():
    seen = []

    def stop(done, total):
        seen.append(done / total)
        if sum(share >= 0.6 for share in seen) == 4:
            raise KeyboardInterrupt

    links = link_probabilities(HARD, log=True, tolerance=1e-4, progress=stop)
    assert links.diagnostics.interrupted
    assert links.diagnostics.sweeps > 0
    assert not links.tolerance_met
    assert "; interrupted)" in repr(links)
    full = link_probabilities(HARD, log=True, tolerance=0.002)
    assert (np.abs(links.p - full.p) <= links.error + full.error).mean() > 0.98


def test_an_interruption_before_chains_is_passed_on():
    def stop(done, total):
        if done / total > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        link_probabilities(HARD, log=True, tolerance=math.inf, progress=stop)
    with pytest.raises(KeyboardInterrupt):
        link_probabilities(cf.NormalAppearance(cloud(80, 80, 3, 0.3)[0], sd=0.3), cloud(80, 80, 3, 0.3)[1],
                           progress=lambda done, total: stop(1, 1))  # fmt: skip


def test_an_interruption_in_the_middle_of_a_run_counts_what_was_done(monkeypatch):
    """A signal that arrives while compiled code runs is seen before the chain's clock is set.

    Each chain runs three times to settle; the ninth run is the first chain's second one that counts.
    """
    run, calls = Walk.run, []

    def interrupted(self, chain, sweeps):
        calls.append(sweeps)
        clock = chain.clock
        run(self, chain, sweeps)
        if len(calls) == 9:
            chain.clock = clock
            raise KeyboardInterrupt

    monkeypatch.setattr(Walk, "run", interrupted)
    monkeypatch.setattr("confide.linking.posterior.joint.sampling.cores", lambda: 1)
    links = link_probabilities(HARD, log=True, tolerance=1e-4)
    assert links.diagnostics.interrupted
    full = link_probabilities(HARD, log=True, tolerance=math.inf)
    assert np.abs(links.p - full.p).max() < 0.2
    assert links.diagnostics.agreement < 0.3


@pytest.mark.parametrize("beliefs", [False, True])
@pytest.mark.parametrize("tolerance", [0.02, 0.004, math.inf])
def test_progress_never_goes_back_and_ends_at_the_end(beliefs, tolerance):
    seen = []
    x, z = cloud(400, 400, 2, 0.02, seed=3)
    how = {"tolerance": tolerance, "progress": lambda done, total: seen.append((done, total)), "work": 1}
    if beliefs:
        link_probabilities(cf.NormalAppearance(x, sd=0.02), z, **how)
    else:
        link_probabilities(log_f(100, 100, 3, 0.3), log=True, **how)
    shares = np.array([done / total for done, total in seen])
    assert (np.diff(shares) >= 0).all()
    assert seen[-1][0] == seen[-1][1]
    assert shares.min() >= 0
    assert len(seen) > 3


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        (HARD, {"tolerance": 0.0}, "tolerance must be positive"),
        (HARD, {"tolerance": -1.0}, "tolerance must be positive"),
        (HARD, {"tolerance": math.nan}, "tolerance must be positive"),
        (HARD, {"seconds": 0.0}, "seconds must be positive"),
        (HARD, {"seconds": math.nan}, "seconds must be positive"),
        (HARD, {"records": np.zeros((3, 1))}, "records are taken only with beliefs"),
        (cf.NormalAppearance([0.0, 1.0], sd=1.0), {}, "give the released records, too"),
        (HARD, {"weights": np.ones(3)}, "weights must be one positive number for each of the 80"),
        (HARD, {"weights": np.zeros(80)}, "weights must be one positive number"),
        (HARD.T[:, :20], {}, "80 records, 20 respondents"),
        (np.zeros((2, 2, 2)), {}, "3 dimensions"),
    ],
)
def test_bad_arguments(given, options, message):
    with pytest.raises(LikelihoodError, match=message):
        link_probabilities(given, log=True, **options)


@pytest.mark.parametrize("z", [np.zeros((2, 2)), [math.nan, 0.0], [0.0, 1.0, 2.0]])
def test_bad_records(z):
    with pytest.raises(ConfideError):
        link_probabilities(cf.NormalAppearance([0.0, 1.0], sd=1.0), z)


@pytest.mark.parametrize("n", [60, 40])
def test_what_does_not_matter(n):
    """The order of records and respondents, scales of records, a common weight; scales of respondents if all came out."""
    table = log_f(n, 60, 3, 0.3)
    rng = np.random.default_rng(5)
    rows, columns = rng.permutation(n), rng.permutation(60)
    plain = link_probabilities(table, log=True, tolerance=0.003)
    assert plain.p.sum(axis=1) == pytest.approx(np.ones(n), abs=1e-6)
    assert plain.p.sum(axis=0).max() <= 1 + 1e-3
    assert plain.p.sum(axis=0) + plain.null == pytest.approx(np.ones(60), abs=1e-3)
    others = [
        (link_probabilities(table[rows][:, columns], log=True, tolerance=0.003), rows, columns),
        (link_probabilities(table + rng.normal(size=(n, 1)), log=True, tolerance=0.003), np.arange(n), np.arange(60)),
        (link_probabilities(table, log=True, tolerance=0.003, weights=np.full(60, 7.0)), np.arange(n), np.arange(60)),
        (link_probabilities(table, log=True, tolerance=0.003, seed=9), np.arange(n), np.arange(60)),
    ]
    if n == 60:
        scaled = link_probabilities(table + rng.normal(size=60), log=True, tolerance=0.003)
        others.append((scaled, np.arange(n), np.arange(60)))
    for other, r, c in others:
        off = np.abs(other.p - plain.p[r][:, c])
        assert (off <= other.error + plain.error[r][:, c]).mean() > 0.99
        assert np.sqrt((off[plain.p[r][:, c] > 0.05] ** 2).mean()) < 0.003 * 2


def test_order_and_weights_do_not_matter_to_exact_answers():
    table = log_f(14, 18, 2, 0.4)
    rng = np.random.default_rng(6)
    rows, columns = rng.permutation(14), rng.permutation(18)
    plain = link_probabilities(table, log=True)
    assert plain.is_exact
    moved = link_probabilities(table[rows][:, columns], log=True, weights=np.full(18, 3.0))
    assert moved.p == pytest.approx(plain.p[rows][:, columns], abs=1e-12)


def test_one_seed_one_answer():
    first, again, other = (link_probabilities(HARD, log=True, seed=seed) for seed in (4, 4, 5))
    assert (first.p == again.p).all()
    assert (first.error == again.error).all()
    assert (first.p != other.p).any()


@pytest.mark.slow
def test_a_line_of_ten_thousand_against_the_frontier_programme():
    rng = np.random.default_rng(7)
    x = np.sort(rng.uniform(0, 10_000, 10_000))
    z = x[rng.permutation(10_000)] + 0.5 * rng.normal(size=10_000)
    beliefs = cf.NormalAppearance(x, sd=0.5)
    exact = link_probabilities(beliefs, z, work=1e12)
    assert exact.is_exact
    links = link_probabilities(beliefs, z, work=1, tolerance=0.005)
    assert not links.is_exact
    off = np.abs(links.p.data - exact.p.data)
    notable = exact.p.data > 0.05
    assert np.sqrt((off[notable] ** 2).mean()) <= 0.005 * 1.25
    worst = np.maximum.reduceat(off - links.error.data, links.p.indptr[:-1])
    assert (worst <= 0).mean() >= 0.98


@pytest.mark.slow
def test_coverage_in_the_adversarial_case():
    """N = 1000 in three dimensions, noise a tenth of the standard deviation: two to three effective candidates."""
    x, z = cloud(1000, 1000, 3, 0.1, seed=8)
    beliefs = cf.NormalAppearance(x, sd=0.1)
    reference = link_probabilities(beliefs, z, tolerance=0.0015, seed=77)
    for tolerance in (0.01, 0.005):
        links = link_probabilities(beliefs, z, tolerance=tolerance, seed=1)
        off = np.abs(links.p.data - reference.p.data)
        worst = np.maximum.reduceat(off - links.error.data, links.p.indptr[:-1])
        assert (worst <= 0).mean() >= 0.98
        rms = math.sqrt((off[reference.p.data > 0.05] ** 2).mean())
        assert rms == pytest.approx(math.hypot(links.diagnostics.rms, 0.0015), rel=0.25)
