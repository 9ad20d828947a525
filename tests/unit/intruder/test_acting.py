"""When a threshold is exceeded, and when the intruder acts."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.intruder.acting import acted
from confide.intruder.exceeds import exceeds, reaches


def test_a_probability_rounded_up_does_not_exceed_its_threshold():
    fifth = np.float64(0.2)
    for k in (1, 10, 1000):  # one fifth as sums and logs leave it
        assert not exceeds(fifth * (1 + k * 2.2e-16), 0.2)
    assert not exceeds(np.exp(np.log(0.7) - np.log(3.5)), 0.2)
    assert exceeds(0.2 * (1 + 1e-8), 0.2)


@pytest.mark.parametrize("threshold", [1e-12, 1e-6, 0.01, 0.2, 0.999])
def test_the_slack_is_a_share_of_the_threshold(threshold):
    assert not exceeds(threshold * (1 + 1e-10), threshold)
    assert exceeds(threshold * 1.001, threshold)


def test_every_positive_probability_exceeds_nothing():
    assert exceeds([0.0, 1e-300, 1e-10], 0.0).tolist() == [False, True, True]


def test_equal_losses_act_where_the_best_record_is_more_probable_than_the_null_link():
    best, null = np.array([0.5, 0.3, 0.4, 0.0]), np.array([0.4, 0.7, 0.4 * (1 + 1e-12), 0.0])
    assert acted(cf.Losses(missed=1.0, wrong=1.0), best, null).tolist() == [True, False, False, False]


def five_alike() -> cf.Links:
    """Link 60 people of whom five at a time are alike, so that every probability is one fifth, computed through logs."""
    rng = np.random.default_rng(5)
    group = np.repeat(np.arange(12), 5)
    tax = (100.0 * rng.integers(1, 9, 12))[group]
    source = cf.Microdata.from_dict({"group": [str(g) for g in group], "tax": tax.tolist()})
    source = source.declare(kinds={"tax": "continuous"})
    released = cf.Release(cf.Swap("group", rate=0.1), cf.Noise("tax", sd=1e-6, grid="none")).apply(source, seed=3)
    return cf.link(released, cf.Intruder(knows=["tax"]))


def test_harm_and_perceived_identifications_decided_ties_at_the_threshold_differently():
    links = five_alike()
    summary = links.summary
    # the largest probabilities themselves are thresholds, and neighbours of them: what rounding can make of a tie
    for p in np.unique(np.concatenate([summary.best, np.nextafter(summary.best, 0), np.nextafter(summary.best, 1)])):
        threshold = float(min(p, 0.999))
        perceived = cf.PerceivedIdentifications(threshold).value(summary)
        harm = cf.harm_of(links, cf.Harm("group", cf.Outcomes(tt=1.0), acts=threshold))
        assert int(harm.linked.sum()) == perceived


def test_a_category_as_probable_as_the_limit_is_not_inferred_whichever_way_it_was_rounded():
    p = np.array([[1.0], [0.0]])
    for sure in (0.8, np.nextafter(0.8, 0), np.nextafter(0.8, 1)):
        harm = cf.Harm("a", cf.Outcomes(tt=1.0), cf.Shrunk(0.6), sure=float(sure))
        found = cf.harm_of(p, harm, parent=[0, -1], true=["x"], told=["x", "y"])
        assert found.inferred.tolist() == [0.0]


NEAR_ONE = [1 - 1e-8, 0.9999999999, 1 - 1e-12, float(np.nextafter(1.0, 0.0))]


@pytest.mark.parametrize("threshold", NEAR_ONE)
def test_certain_links_did_not_exceed_a_threshold_just_below_one(threshold):
    data = cf.Microdata.from_dict({"age": [20, 30, 40], "ill": ["a", "b", "a"]})
    found = cf.assess(
        cf.Release().apply(data, seed=1),
        cf.Intruder(knows=["age"]),
        threshold=threshold,
        harms=cf.Harm("ill", cf.Outcomes(tt=1.0), acts=threshold, sure=threshold),
    ).row(0)
    assert (found.perceived, found.right_links, found.harm("ill").total) == (3.0, 3.0, 3.0)
    assert exceeds(1.0, threshold)
    assert not exceeds(threshold, threshold)
    assert not exceeds(np.nextafter(threshold, 0), threshold)


def test_rounding_decided_whether_a_threshold_was_reached():
    third = 1.0 - 1 / 3 - 1 / 3  # one third, rounded up
    p = np.array([[third, 1 - third], [1 / 3, 0.5]])
    for tau in (1 / 3, third, float(np.nextafter(third, 1))):
        assert cf.perceived_risks(p, tau).at_or_above == 2
        assert cf.true_identification(p, [0, 1], tau).count == 0.5 + 0.0
        assert reaches(third, tau)
        assert not exceeds(third, tau)
    assert not reaches(third * (1 - 1e-8), third)
    assert cf.perceived_risks(np.eye(2), 1.0).at_or_above == 2
