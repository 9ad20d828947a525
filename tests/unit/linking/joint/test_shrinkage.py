"""Shrinking chains towards propagation: known biases and variances are found again."""

import numpy as np
import pytest

from confide.linking.posterior.joint.shrinkage import ENOUGH, FLOOR, NOTABLE, TIMES, Shrinkage


def made(count, bias, noise, seed=0, low=0.06, high=0.94):
    """Give true probabilities, propagation's with a random bias, and two chains with noise."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(low, high, count)
    return p, p + bias * rng.normal(size=count), *(p + noise * rng.normal(size=(2, count)))


@pytest.mark.parametrize(("bias", "noise"), [(0.02, 0.02), (0.05, 0.01), (0.005, 0.03), (0.01, 0.01)])
def test_bias_variance_and_error_are_found_again(bias, noise):
    p, corrected, one, two = made(100_000, bias, noise)
    towards = Shrinkage.towards(corrected, np.zeros(p.size))
    judged, found = towards.judge(one, two), towards.combine(one, two)
    v = noise**2 / 2
    everywhere = towards.size / p.size
    assert (everywhere * judged.variance).sum() == pytest.approx(v, rel=0.03)
    assert (everywhere * judged.bias).sum() == pytest.approx(bias**2, rel=0.15, abs=0.1 * v)
    best = np.sqrt(bias**2 * v / (bias**2 + v))
    measured = np.sqrt(((found.p - p) ** 2).mean())
    assert measured == pytest.approx(best, rel=0.05)
    assert 0.97 * measured <= found.rms <= 1.25 * measured
    assert found.agreement == pytest.approx(noise * np.sqrt(2), rel=0.03)
    assert measured < min(bias, np.sqrt(v))
    assert (np.abs(found.p - p) <= found.error).mean() > 0.99


def test_classes_are_judged_apart():
    p, corrected, one, two = made(40_000, 0.0, 0.01)
    doubt = np.where(np.arange(p.size) < 20_000, 0.0005, 0.2)
    corrected[20_000:] += 0.1 * np.random.default_rng(1).normal(size=20_000)
    found = Shrinkage.towards(np.clip(corrected, 0.0, 1.0), doubt).combine(one, two)
    sure, unsure = np.abs(found.p - p)[:20_000], np.abs(found.p - p)[20_000:]
    assert sure.mean() < 0.3 * 0.01
    assert unsure.mean() < 1.05 * np.abs(0.5 * (one + two) - p)[20_000:].mean()


@pytest.mark.parametrize("count", [1, 5, 60, 1000])
def test_a_bias_that_cannot_be_seen_is_not_taken_for_none(count):
    """Where chains and propagation agree by chance, the error stays above zero and falls with the number of pairs."""
    p, _, one, _ = made(count, 0.0, 0.02)
    two = 2 * p - one
    found = Shrinkage.towards(p, np.zeros(count)).combine(one, two)
    assert found.rms > 0.0
    assert (found.error > FLOOR).all()
    v = ((one - two) ** 2 / 4).mean()
    assert found.rms >= 0.2 * np.sqrt(v) * min(1.0, (300 / count) ** 0.25)


def test_chains_that_never_moved_do_not_vouch_for_themselves():
    """Two chains in the same state for ever have no variance; propagation is far away, and one of them is wrong."""
    corrected = np.full(400, 0.5)
    stuck = np.tile([0.0, 1.0], 200)
    found = Shrinkage.towards(corrected, np.zeros(400)).combine(stuck, stuck)
    assert (found.error >= np.abs(found.p - corrected)).all()
    assert found.error.min() > 0.1


def test_small_classes_are_merged_over_doubts_first_and_then_over_probabilities():
    p, doubt = np.repeat([0.07, 0.3, 0.6], [200, 40, 40]), np.zeros(280)
    doubt[200:220], doubt[240:260] = 0.2, 0.2
    towards = Shrinkage.towards(p, doubt)
    assert sorted(towards.size.tolist()) == [80, 200]
    doubt[:] = 0.0
    doubt[:100], doubt[100:200] = 0.2, 0.01
    assert sorted(Shrinkage.towards(p, doubt).size.tolist()) == [80, 100, 100]
    p, doubt = np.full(ENOUGH + 10, 0.3), np.zeros(ENOUGH + 10)
    doubt[:10] = 0.2
    kinds = Shrinkage.towards(p, doubt)
    assert sorted(kinds.size.tolist()) == [10, ENOUGH]
    assert kinds.kind.max() == 1


def test_without_pairs_or_without_notable_ones():
    empty = Shrinkage.towards(np.zeros(0), np.zeros(0)).combine(np.zeros(0), np.zeros(0))
    assert empty.p.size == empty.error.size == 0
    assert empty.rms == empty.agreement == 0.0
    p = np.full(100, NOTABLE / 2)
    found = Shrinkage.towards(p, np.zeros(100)).combine(p + 0.01, p - 0.01)
    assert found.p == pytest.approx(p)
    assert found.rms == found.agreement == 0.0
    assert (found.error > FLOOR).all()


def test_errors_are_at_most_one_and_grow_with_the_chains_difference():
    p = np.full(100, 0.5)
    one, two = p.copy(), p.copy()
    one[0], two[0] = 1.0, 0.0
    found = Shrinkage.towards(p, np.zeros(100)).combine(one, two)
    assert found.error.max() <= 1.0
    assert found.error[0] > 2 * found.error[1]
    assert found.error[0] >= min(1.0, TIMES * 0.1)
