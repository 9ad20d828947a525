"""Right links acted on: what differs between a neighbour and a stranger where expected matches do not."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.errors import IntruderError

N = 200


def people() -> cf.Microdata:
    rng = np.random.default_rng(11)
    columns = {
        "sex": rng.choice(["f", "m"], N).tolist(),
        "race": rng.choice(["w", "b", "a"], N, p=[0.7, 0.2, 0.1]).tolist(),
        "age": rng.integers(20, 60, N).tolist(),
        "weight": rng.choice([3.0, 30.0], N).tolist(),
    }
    return cf.Microdata.from_dict(columns).declare(weight="weight")


RELEASED = cf.Release(cf.Swap("race", rate=0.2)).apply(people(), seed=3)
NEIGHBOUR = cf.Intruder(knows=["sex", "race", "age"], name="neighbour")
STRANGER = NEIGHBOUR.but(target_in_file=False, name="stranger")


def scenario(intruder=STRANGER, **more) -> cf.Scenario:
    return cf.assess(RELEASED, intruder, **more).row(0)


def test_expected_matches_were_the_same_for_neighbour_and_stranger_and_right_links_are_not():
    near, far = scenario(NEIGHBOUR), scenario(STRANGER)
    assert near.expected_matches == pytest.approx(far.expected_matches)
    assert near.right_links > 3 * far.right_links > 0


@pytest.mark.parametrize("intruder", [NEIGHBOUR, STRANGER], ids=["neighbour", "stranger"])
@pytest.mark.parametrize("acts", [0.0, 0.1, 0.2, 0.5, cf.Losses(1.0, 1.0), cf.Losses(1.0, 4.0)])
def test_it_is_the_mean_of_an_intruder_who_is_simulated(intruder, acts):
    found = scenario(intruder)
    links, rng, right = found.links[0], np.random.default_rng(5), np.zeros(500)
    for i in range(N):
        row = links.row(i)
        best = float(row.p.max())
        link = acts.wrong * (1 - best) if isinstance(acts, cf.Losses) else 0.0
        none = acts.missed * (1 - row.null) if isinstance(acts, cf.Losses) else 0.0
        goes = link < none * (1 - 1e-12) if isinstance(acts, cf.Losses) else best - acts > 1e-7 * acts
        if goes and best > 0:
            right += RELEASED.parent[rng.choice(np.flatnonzero(row.p > best * (1 - 1e-7)), 500)] == i
    expected = cf.RightLinks(acts).value(found.summary)
    assert expected == pytest.approx(right.mean(), abs=4.5 * right.std() / np.sqrt(500) + 1e-9)


@pytest.mark.parametrize("threshold", [0.0, 0.05, 0.2, 0.9])
def test_it_exceeds_neither_the_perceived_identifications_nor_the_expected_matches(threshold):
    summary = scenario().summary
    right = cf.RightLinks(threshold).value(summary)
    assert right <= cf.PerceivedIdentifications(threshold).value(summary)
    assert right <= cf.ExpectedMatches().value(summary) + 1e-9
    if threshold == 0:
        assert right == pytest.approx(cf.ExpectedMatches().value(summary))


def test_equal_losses_act_unless_the_null_link_is_more_probable():
    summary = scenario().summary
    acted = cf.RightLinks(cf.Losses(missed=1.0, wrong=1.0)).acted(summary)
    clear = np.abs(summary.best - summary.null) > 1e-6
    assert (acted == (summary.best > summary.null))[clear].all()
    assert 0 < acted.sum() < N


def test_random_guesses_are_acted_on_where_one_record_in_all_is_probable_enough():
    few = cf.Summary.of_matrix(np.full((2, 2), 0.5), [0, 1])
    assert cf.RightLinks(0.2).baseline(few) == 1.0
    assert cf.RightLinks(0.5).baseline(few) == 0.0


def test_tables_show_it_beside_expected_matches_and_say_what_each_means():
    text = repr(cf.assess(RELEASED, [NEIGHBOUR, STRANGER], threshold=0.3))
    assert "Prob. > 0.3  Right links > 0.3  Expected matches" in text
    assert "Right links > 0.3: right links expected of an intruder who links a record whose probability exceeds 0.3" in text
    assert "Expected matches: right links expected of an intruder who links every target" in text
    assert cf.RightLinks(cf.Losses()).title == "Right links by losses"


def test_it_is_the_risk_of_a_map_unless_another_is_asked_for():
    family = cf.Release(cf.Swap("race", rate=cf.vary("rate", 0.1, 0.5)))
    data = people().declare(kinds={"age": "integer"})
    found = cf.ru_map(data, family, [NEIGHBOUR, STRANGER], utility=cf.ValueLoss("race"), seed=1)
    assert found.risk.name == "right_links"
    near, far = ([p.risk for p in found.points(name)] for name in ("neighbour", "stranger"))
    assert min(near) > max(far)
    assert "Right links > 0.2: right links expected" in repr(found)


def test_a_rule_that_is_none():
    with pytest.raises(IntruderError, match="acts is a probability"):
        cf.RightLinks(1.0)
