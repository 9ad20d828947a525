"""No dangerous release passes on a guessed or broken figure."""

import json

import numpy as np
import pytest

import confide as cf
from confide.assessment.doubt import SIZE, log_chance
from confide.plan.limits import exceeded
from confide.plan.plan import Limits

N = 400
ALL = Limits(
    largest=(("right_links", 20.0), ("expected_matches", 20.0), ("unique_matches", 20.0), ("true_match_rate", 0.02),
             ("probability", 0.5)),
)  # fmt: skip
NEIGHBOUR = cf.Intruder(knows=["sex", "age", "region"])
NAIVE = NEIGHBOUR.but(understands_masking=False)


def people(seed=1, n=N, **more):
    rng = np.random.default_rng(seed)
    return {
        "sex": rng.choice(["m", "f"], n).tolist(),
        "age": rng.integers(18, 90, n).tolist(),
        "region": rng.choice([f"r{i}" for i in range(10)], n).tolist(),
        **more,
    }


def shuffled():
    source = cf.Microdata.from_dict(people())
    order = np.random.default_rng(2).permutation(N)
    return source, source.take(order), order


@pytest.mark.parametrize("who", [NEIGHBOUR, NAIVE], ids=["understands", "face value"])
def test_the_unmasked_file_in_another_order_passed_every_limit(who):
    source, turned, order = shuffled()
    true = cf.assess(cf.Released.from_files(source, turned, parent=order.tolist()), who).row(0)
    assert true.right_links > 300
    guessed = cf.assess(cf.Released.from_files(source, turned), who)
    row = guessed.row(0)
    assert [row.value(m) for m in ("right_links", "expected_matches", "unique_matches", "true_match_rate")] == [None] * 4
    assert row.perceived == true.perceived
    lines = exceeded(ALL, guessed)
    assert len(lines) == 5
    assert all("is undefined, so that its limit cannot be held" in line for line in lines)
    assert f"it is not known whose {N} of {N} released records are" in row.truth_notes[0]


@pytest.mark.parametrize("who", [NEIGHBOUR, NAIVE], ids=["understands", "face value"])
def test_an_order_that_was_declared_and_not_kept_made_the_unmasked_file_safe(who):
    source, turned, _ = shuffled()
    found = cf.assess(cf.Released.from_files(source, turned, same_order=True), who)
    assert found.row(0).right_links < 5
    assert "right links are stated and" in found.row(0).truth_notes[0]
    assert "right links are stated and" in repr(found)
    assert json.loads(found.to_json())["scenarios"][0]["truth_notes"]
    lines = exceeded(ALL, found)
    assert len(lines) == 5
    assert all("cannot be held" in line and "the order of the records, or parent" in line for line in lines)


def test_a_file_that_is_masked_well_is_not_doubted():
    source = cf.Microdata.from_dict(people())
    for rate in (0.3, 0.6, 0.9):
        masked = cf.Release(cf.Swap("region", rate=rate)).apply(source, seed=1, keep_order=True).data
        found = cf.assess(cf.Released.from_files(source, masked, same_order=True), NAIVE).row(0)
        assert found.truth_notes == ()
        assert found.held("expected_matches").value >= found.expected_matches > 10


def test_the_chance_of_a_false_doubt_is_below_the_size_it_states():
    rng, doubts = np.random.default_rng(5), 0
    for _ in range(2000):
        p = rng.uniform(0.0, 1.0, 60)
        doubts += log_chance(float(p.sum()), float((rng.random(60) < p).sum())) < np.log(0.01)
    assert doubts <= 2000 * 0.01
    assert SIZE == 1e-6


def test_an_identifier_in_both_files_says_whose_each_record_is_in_any_order():
    ids = [f"p{i}" for i in range(N)]
    source = cf.Microdata.from_dict(people(pid=ids)).declare(identifier="pid")
    order = np.random.default_rng(3).permutation(N)
    assert cf.Released.from_files(source, source.take(order)).parent.tolist() == order.tolist()
    strange = cf.Microdata.from_dict({**people(), "pid": [*ids[:-1], "q"]})
    found = cf.Released.from_files(source, strange)
    assert found.parent.tolist() == [*range(N - 1), -2]
    assert cf.assess(found, NEIGHBOUR).row(0).right_links is None
    twice = cf.Microdata.from_dict({**people(), "pid": [*ids[:-1], "p0"]})
    with pytest.raises(cf.ReleaseError, match="the identifier that both files hold names a source row twice"):
        cf.Released.from_files(source, twice)


def test_parent_and_same_order_are_not_both_given():
    source, turned, order = shuffled()
    with pytest.raises(cf.ReleaseError, match=r"give parent=\[\.\.\.\] or same_order=True, not both"):
        cf.Released.from_files(source, turned, parent=order.tolist(), same_order=True)


def relabelled():
    source = people(ill=["y", "n"] * (N // 2), sex=np.random.default_rng(4).choice(["m", "f"], N).tolist())
    names = {"m": "male", "f": "female"}
    sex = [x if i < 5 else names[x] for i, x in enumerate(source["sex"])]
    released = cf.Microdata.from_dict({**source, "sex": sex})
    return cf.Released.from_files(cf.Microdata.from_dict(source), released, same_order=True)


@pytest.mark.parametrize("who", [NEIGHBOUR, NAIVE], ids=["understands", "face value"])
def test_targets_who_fit_no_record_counted_as_not_linked_in_limits(who):
    found = cf.assess(relabelled(), who)
    row = found.row(0)
    assert row.expected_matches <= 5
    assert row.held("expected_matches").value >= 390
    lines = exceeded(ALL, found)
    assert len(lines) == 5
    assert all("of 400 targets fit no record, or not their own" in line for line in lines)
    assert exceeded(Limits(largest=(("perceived", 389.0),)), found)
    assert exceeded(Limits(largest=(("perceived", 400.0),)), found) == ()
    assert "A limit must also hold with each of them linked rightly." in repr(found)


def test_harm_of_targets_who_fit_no_record_kept_to_its_limit():
    found = cf.assess(relabelled(), NAIVE, harms=cf.Harm("ill", cf.Outcomes(tt=1.0)))
    assert found.row(0).harm("ill").total is not None
    (line,) = exceeded(Limits(harms=(("ill", 1e9),)), found)
    assert "of 400 targets fit no record, or not their own, and no harm is counted for them" in line


def sampled(population=None, **more):
    rng, size, n = np.random.default_rng(1), 15_000, 300
    shares = 1 / np.arange(1, 41)
    everyone = {
        "age": np.minimum(rng.geometric(0.04, size) + 17, 95),
        "region": rng.choice([f"r{i}" for i in range(40)], size, p=shares / shares.sum()),
        "job": rng.choice([f"j{i}" for i in range(40)], size, p=shares / shares.sum()),
    }
    rows = np.sort(rng.choice(size, n, replace=False))
    key = np.stack([np.unique(x, return_inverse=True)[1] for x in everyone.values()])
    _, cell, people_of = np.unique(key, axis=1, return_inverse=True, return_counts=True)
    source = cf.Microdata.from_dict({k: v[rows].tolist() for k, v in everyone.items()} | {"w": [size / n] * n})
    who = cf.Intruder(knows=list(everyone), target_in_file=False, population=population, **more)
    return source.declare(weight="w"), who, 1.0 / people_of[cell.ravel()[rows]]


def test_a_limit_held_by_numbers_of_people_that_rest_on_one_or_two_weights():
    source, who, true = sampled()
    release = cf.Release().apply(source, seed=1)
    found = cf.assess(release, who)
    limits = Limits(largest=(("perceived", 5.0), ("right_links", 5.0), ("probability", 0.2)))
    assert found.row(0).perceived == 0
    assert (true > 0.2).sum() > 100
    lines = exceeded(limits, found)
    assert len(lines) == 3
    assert all("it rests on one or two weights" in line and 'population = "weights"' in line for line in lines)
    named = cf.assess(release, who.but(population=cf.FromWeights()))
    assert exceeded(limits, named) == ()
    assert named.row(0).population_notes


def test_a_known_chance_understated_the_risk_of_rare_people_without_a_word():
    source, who, true = sampled(cf.KnownChance(0.02))
    found = cf.assess(cf.Release().apply(source, seed=1), who)
    row = found.row(0)
    assert row.perceived == 0
    assert (true > 0.2).sum() > 100
    assert "how common the keys are is read from the very file that holds the record" in row.population_notes[0]
    assert "LogLinearPopulation(fraction=0.02)" in row.population_notes[0]
    assert "very file that holds the record" in row.failing_assumptions[0]
    assert len(exceeded(Limits(largest=(("perceived", 5.0),)), found)) == 1
    sure = cf.assess(cf.Release().apply(source, seed=1), who.but(population=cf.KnownChance(1.0)))
    assert sure.row(0).population_notes == ()


def test_the_same_chance_with_a_model_of_the_population_is_near_the_truth():
    source, who, true = sampled(cf.LogLinearPopulation(terms=cf.MainEffects(), fraction=0.02))
    stated = cf.assess(cf.Release().apply(source, seed=1), who).row(0).summary.best.mean()
    assert stated == pytest.approx(true.mean(), rel=0.25)


@pytest.mark.parametrize(
    "population", [cf.LogLinearPopulation(terms=cf.MainEffects()), cf.PitmanPopulation(), cf.NegativeBinomialPopulation()]
)
def test_fitted_parameters_of_a_population_were_no_assumption(population):
    source, who, _ = sampled(population)
    row = cf.assess(cf.Release().apply(source, seed=1), who).row(0)
    assert any("fitted to the file and taken as known" in reason for reason in row.failing_assumptions)
    assert any("known" in note for note in row.population_notes)
    given = cf.PitmanPopulation(theta=50.0, alpha=0.5)
    assert cf.failing_assumptions(who.but(population=given)) == ()
