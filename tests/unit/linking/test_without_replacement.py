"""Matching without replacement against a list of all matchings."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.linking import memory
from confide.linking.posterior import competition, profiles, strangers
from confide.linking.posterior.strangers import blocks_of, log_odds, log_total, log_weight
from reference.matching_brute import matchings

JOINT = cf.WithoutReplacement()


def people(seed: int, n: int, *, groups: int = 1) -> cf.Microdata:
    draw = np.random.default_rng(seed)
    return cf.Microdata.from_dict(
        {
            "region": [f"r{g}" for g in draw.integers(0, groups, n)],
            "status": draw.choice(["x", "y", "z"], n).tolist(),
            "age": draw.integers(20, 60, n).tolist(),
            "income": draw.normal(10, 1, n).tolist(),
        }
    ).declare(kinds={"income": "continuous", "age": "integer"})


def masked(data: cf.Microdata, seed: int, *methods: cf.Sample | cf.Simulate) -> cf.Released:
    noisy = cf.Swap("status", rate=0.5), cf.Noise("income", sd=0.5), cf.Recode("age", width=20)
    return cf.Release(*noisy, *methods).apply(data, seed=seed)


def scores(released: cf.Released, intruder: cf.Intruder, targets: cf.Targets | None = None) -> np.ndarray:
    """Give a u / m, records by targets."""
    links = cf.link(released, intruder.but(matching=cf.WithReplacement()), targets)
    parts = [links.row(t).parts for t in range(links.n)]
    return np.array([np.where(x.consistent, np.exp(x.log_a + x.log_u - x.log_m), 0.0) for x in parts]).T


def table(links: cf.Links) -> np.ndarray:
    """Give all link probabilities, records by targets."""
    return np.array([links.row(t).p for t in range(links.n)]).T


def errors(links: cf.Links) -> np.ndarray:
    """Give the stated errors, records by targets."""
    found, graph = links.matched, links.evidence.graph
    assert found is not None
    out = np.zeros((graph.record_profile.size, links.n))
    for t in range(links.n):
        at = slice(found.start[graph.target_profile[t]], found.start[graph.target_profile[t] + 1])
        by_profile = np.zeros(graph.count.size)
        by_profile[found.record[at]] = found.error[at]
        out[:, t] = by_profile[graph.record_profile]
    return out


@pytest.mark.parametrize("seed", range(12))
def test_equals_the_list_of_all_matchings(seed):
    released = masked(people(seed, 4 + seed % 3, groups=1 + seed % 2), seed)
    intruder = cf.Intruder(knows=["region", "status", "income", "age"][: 2 + seed % 3], matching=JOINT)
    links = cf.link(released, intruder)
    p, null = matchings(scores(released, intruder), [[]] * released.data.n)
    np.testing.assert_allclose(table(links), p, atol=1e-12)
    np.testing.assert_allclose(links.null, null, atol=1e-12)
    assert links.matched is not None
    assert links.matched.is_exact


def test_rows_and_columns_sum_to_one_when_everyone_is_released():
    released = masked(people(3, 60, groups=3), 3)
    links = cf.link(released, cf.Intruder(knows=["region", "status", "income"], matching=JOINT))
    p = table(links)
    np.testing.assert_allclose(p.sum(axis=0), 1.0, atol=1e-3)
    np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-3)
    assert (links.null == 0).all()


@pytest.mark.parametrize("seed", range(6))
def test_a_sample_leaves_null_links(seed):
    released = masked(people(seed, 8, groups=2), seed, cf.Sample(n=4))
    intruder = cf.Intruder(knows=["region", "status", "income"], matching=JOINT)
    links = cf.link(released, intruder)
    p, null = matchings(scores(released, intruder), [[]] * 4)
    np.testing.assert_allclose(table(links), p, atol=1e-12)
    np.testing.assert_allclose(links.null, null, atol=1e-12)
    assert links.null.sum() == pytest.approx(4)
    assert links.contradicted == 0


@pytest.mark.parametrize("number", [5.0, 7.3, 40.0, 12345.6])
def test_one_target_is_equation_1(number):
    data = people(1, 5)
    released = masked(data, 1)
    alone = cf.Intruder(knows=["region", "status", "income"], target_in_file=False, population=cf.Constant(number))
    for t in range(5):
        one = cf.link(released, alone, cf.Targets.of_rows([t])).row(0)
        joint = cf.link(released, alone.but(matching=JOINT), cf.Targets.of_rows([t])).row(0)
        np.testing.assert_allclose(joint.p, one.p, rtol=1e-12)
        assert joint.null == pytest.approx(one.null, rel=1e-12, abs=1e-15)


def test_one_target_is_equation_1_with_simulated_records():
    released = masked(people(1, 5), 1, cf.Simulate(n=3))
    alone = cf.Intruder(knows=["region", "status", "income"], target_in_file=False, population=cf.Constant(30))
    one = cf.link(released, alone, cf.Targets.of_rows([2])).row(0)
    joint = cf.link(released, alone.but(matching=JOINT), cf.Targets.of_rows([2])).row(0)
    np.testing.assert_allclose(joint.p, one.p, rtol=1e-12)


@pytest.mark.parametrize(("number", "targets"), [(8, 5), (6, 2), (5, 3), (5, 5), (3, 4)])
def test_strangers_equal_the_list_of_all_matchings(number, targets):
    for seed in range(4):
        released = masked(people(seed, 5), seed)
        chosen = cf.Targets.of_rows(range(targets))
        intruder = cf.Intruder(
            knows=["region", "status", "income"], target_in_file=False, population=cf.Constant(number), matching=JOINT
        )
        links = cf.link(released, intruder, chosen)
        others = list(range(max(number, 5) - targets))
        p, null = matchings(scores(released, intruder, chosen), [others] * 5)
        np.testing.assert_allclose(table(links), p, atol=1e-12)
        np.testing.assert_allclose(links.null, null, atol=1e-12)


@pytest.mark.parametrize(("number", "targets"), [(6, 4), (7, 2), (5, 4)])
def test_simulated_records_and_strangers_equal_the_list_of_all_matchings(number, targets):
    for seed in range(3):
        released = masked(people(seed, 4), seed, cf.Simulate(n=1))
        chosen = cf.Targets.of_rows(range(targets))
        intruder = cf.Intruder(
            knows=["region", "status", "income"], target_in_file=False, population=cf.Constant(number), matching=JOINT
        )
        links = cf.link(released, intruder, chosen)
        p, _ = matchings(scores(released, intruder, chosen), [list(range(max(number, 5) - targets))] * 5, 0.2)
        np.testing.assert_allclose(table(links), p, atol=1e-12)


def test_simulated_records_where_all_targets_have_a_record():
    released = masked(people(5, 4), 5, cf.Simulate(n=2))
    intruder = cf.Intruder(knows=["region", "status", "income"], matching=JOINT)
    links = cf.link(released, intruder)
    # two more people, alike, take the simulated records; everyone has a record
    s = np.column_stack([scores(released, intruder), np.ones((6, 2))])
    p, _ = matchings(s, [[]] * 6)
    np.testing.assert_allclose(table(links), p[:, :4], atol=1e-12)
    assert (links.null == 0).all()


def test_simulated_records_in_a_sample():
    released = masked(people(5, 6), 5, cf.Sample(n=4), cf.Simulate(n=1))
    intruder = cf.Intruder(knows=["region", "status", "income"], matching=JOINT)
    links = cf.link(released, intruder)
    p, null = matchings(scores(released, intruder), [[]] * 5, 0.2)
    np.testing.assert_allclose(table(links), p, atol=1e-12)
    np.testing.assert_allclose(links.null, null, atol=1e-12)


@pytest.mark.parametrize("number", [12, 16])
def test_expected_strangers_keep_their_stated_error(number, monkeypatch):
    monkeypatch.setattr(strangers, "MOST_TIMES", 0)
    monkeypatch.setattr(strangers, "FEW_PAIRS", 0)
    monkeypatch.setattr(competition, "MOST_WORK", 0)
    inside, worst, isolated = [], [], []
    for seed in range(10):
        released = masked(people(seed, 4), seed)
        intruder = cf.Intruder(
            knows=["region", "status", "income"], target_in_file=False, population=cf.Constant(number), matching=JOINT
        )
        links = cf.link(released, intruder)
        p, _ = matchings(scores(released, intruder), [list(range(number - 4))] * 4)
        off = np.abs(table(links) - p)
        inside.append(np.mean(off <= errors(links) + 1e-9))
        worst.append(off.max())
        isolated.append(np.abs(table(cf.link(released, intruder.but(matching=cf.WithReplacement()))) - p).max())
        assert links.matched is not None
        assert not links.matched.is_exact
        assert "expected strangers" in links.matched.describe()
    assert np.mean(inside) >= 0.98
    assert max(worst) < 0.02
    assert max(isolated) > 5 * max(worst)


def test_a_fraction_of_a_person_lies_between_its_neighbours():
    released = masked(people(2, 5), 2)
    base = cf.Intruder(knows=["region", "status", "income"], target_in_file=False, matching=JOINT)
    own = [cf.link(released, base.but(population=cf.Constant(x))).null.sum() for x in (7, 7.25, 7.5, 8)]
    assert own == sorted(own)


def test_isolation_says_a_seventh_and_the_joint_says_one():
    """One respondent's number is released with so much noise that it may be any record; all others are taken."""
    data = cf.Microdata.from_dict({"x": [float(i) for i in range(7)]}).declare(kinds={"x": "continuous"})
    released = cf.Release(cf.Noise("x", sd=0.02, times_above={5.5: 1000})).apply(data, seed=1)
    intruder = cf.Intruder(knows=["x"], models_others=False)
    alone, joint = cf.link(released, intruder), cf.link(released, intruder.but(matching=JOINT))
    assert alone.own[:6].min() > 0.999
    assert alone.own[6] < 0.16
    assert joint.own.min() > 0.999999


def test_equal_records_share_the_probability():
    data = cf.Microdata.from_dict({"sex": ["m"] * 3 + ["f"] * 2})
    released = cf.Release().apply(data, seed=1)
    links = cf.link(released, cf.Intruder(knows=["sex"], matching=JOINT))
    np.testing.assert_allclose(links.own, [1 / 3] * 3 + [1 / 2] * 2)
    assert links.at_best.tolist() == [3, 3, 3, 2, 2]
    assert links.matched is not None
    assert links.matched.methods == (("counting", 2),)
    unsure = cf.Intruder(knows=["sex"], target_in_file=False, population=cf.Constant(10), matching=JOINT)
    np.testing.assert_allclose(cf.link(released, unsure).own, 0.1)


def test_tests_of_partial_knowledge_compete():
    data = cf.Microdata.from_dict({"x": [10.0, 11.0, 20.0]}).declare(kinds={"x": "continuous"})
    released = cf.Release().apply(data, seed=1)
    within = cf.Intruder(knows=[cf.Within("x", 15)])
    assert cf.link(released, within).own.tolist() == [0.5, 0.5, 1.0]
    near = data.with_columns({"x": cf.Column.of_numbers([10.0, 11.0, 12.5])})
    people_ = cf.Targets.of_records(near)
    links = cf.link(
        cf.Release().apply(data.with_columns({"x": cf.Column.of_numbers([9.0, 11.0, 13.0])}), seed=1),
        within.but(matching=JOINT),
        people_,
    )
    # 9 fits only the first, 13 only the third
    np.testing.assert_allclose(table(links), np.eye(3))


def test_counting_with_one_score_equals_the_sum():
    blocks = blocks_of(np.array([4]), np.array([3]), np.array([9.0]), 0.0, all_in_file=False)
    log_w = log_total(blocks, 0, 0.0)
    weights = np.exp(log_w - log_w.max())
    assert weights @ np.arange(4) / weights.sum() / 12 == pytest.approx(1 / 9)


def test_odds_of_strangers():
    blocks = blocks_of(np.array([300]), np.array([200]), np.array([90_000.5]), 0.0, all_in_file=False)
    found, slope = log_odds(blocks, 0, np.array([1.0, 50.0]))
    np.testing.assert_allclose(np.exp(found), [90_000.5 - 200 - 300 + 1, 90_000.5 - 200 - 300 + 50])
    assert slope == pytest.approx(1 / np.exp(found[0]))
    # Reiter's 3.1 with a share of simulated records
    ratio = np.exp(log_weight(0, 6, 1, 30.0, 0.25) - log_weight(1, 6, 1, 30.0, 0.25))
    assert ratio == pytest.approx((30 - 0.75 * 6) / 0.75)


def test_clear_refusals(monkeypatch):
    released = masked(people(1, 5), 1)
    sure = cf.Intruder(knows=["region", "status", "income"], matching=JOINT)
    with pytest.raises(cf.IntruderError, match=r"2 targets for 5 records .* use Targets.all\(\), or target_in_file=False"):
        cf.link(released, sure, cf.Targets.of_rows([0, 1]))
    with pytest.raises(cf.IntruderError, match="needs different targets"):
        cf.link(released, sure, cf.Targets.of_rows([0, 0, 1, 2, 3, 4]))
    unsure = cf.Intruder(knows=[cf.Within("age", 10)], target_in_file=False, population=cf.Constant(9), matching=JOINT)
    with pytest.raises(cf.IntruderError, match=r"unsure .* use target_in_file=True, or matching=WithReplacement"):
        cf.link(released, unsure)
    naive = cf.Intruder(knows=["region", "status"], understands_masking=False, matching=JOINT)
    swapped = masked(people(4, 30, groups=3), 4)
    with pytest.raises(cf.LikelihoodError, match="cannot all be matched"):
        cf.link(swapped, naive)
    monkeypatch.setattr(memory, "available_memory", lambda: 3_700)
    with pytest.raises(cf.IntruderError, match=r"matching without replacement would take .* use matching=WithReplacement"):
        cf.link(released, sure)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tolerance": 0}, "tolerance must be a positive number"),
        ({"seconds": float("nan")}, "seconds must be a positive number"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"seed": True}, "seed must be a whole number"),
    ],
)
def test_wrong_settings(change, words):
    with pytest.raises(cf.IntruderError, match=words):
        cf.WithoutReplacement(**change)


def test_wrong_matching():
    with pytest.raises(cf.IntruderError, match="matching takes"):
        cf.Intruder(knows=["x"], matching="joint")


def test_the_same_seed_gives_the_same_answer():
    released = masked(people(8, 80), 8)
    intruder = cf.Intruder(knows=["region", "status", "income"], matching=JOINT)
    first, second = cf.link(released, intruder), cf.link(released, intruder)
    assert (first.own == second.own).all()
    assert (first.null == second.null).all()


def blocks_of_types(seed: int, sizes: tuple[int, int], spare: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give log scores of three types of records and of targets, and how many there are of each."""
    draw = np.random.default_rng(seed)
    records, targets = draw.integers(sizes[0], sizes[1] + 1, 3), draw.integers(sizes[0], sizes[1] + 1, 3)
    targets[0] += max(records.sum() + spare - targets.sum(), 0)
    records[0] += targets.sum() - spare - records.sum()
    return draw.normal(0, 2, (3, 3)), records, targets


@pytest.mark.parametrize(
    ("sizes", "spare", "most"), [((5, 10), 0, 4e-3), ((5, 10), 6, 4e-3), ((20, 40), 0, 6e-4), ((2, 40), 9, 4e-3)]
)
def test_profiles_are_close_to_counting_types(sizes, spare, most):
    from confide.linking.posterior.joint.types import type_marginals

    inside, weight, worst = 0.0, 0.0, 0.0
    for seed in range(12):
        log_r, records, targets = blocks_of_types(seed, sizes, spare)
        start, target = np.arange(0, 10, 3), np.tile(np.arange(3), 3)
        copies = np.zeros(3, dtype=np.int64)
        groups = profiles.find_groups(start, target, records, targets, np.zeros(3, dtype=np.int64), copies)
        p, error = np.zeros(9), np.zeros(9)
        rows = np.arange(3)
        profiles.check_groups(rows, start, target, records, targets, copies, groups)
        profiles.solve_profiles(rows, start, target, log_r.ravel(), records, targets, copies, groups, p, error)
        off = np.abs(p.reshape(3, 3) - type_marginals(log_r, records, targets))
        pairs = np.outer(records, targets)
        inside += float(pairs[off <= error.reshape(3, 3)].sum())
        weight += float(pairs.sum())
        worst = max(worst, float(off.max()))
    assert inside >= 0.98 * weight
    assert worst < most


def test_large_groups_of_equal_records_are_not_written_out(monkeypatch):
    draw = np.random.default_rng(3)
    data = cf.Microdata.from_dict(
        {
            "status": draw.choice(["x", "y", "z"], 400, p=[0.7, 0.2, 0.1]).tolist(),
            "kind": draw.choice(["a", "b"], 400).tolist(),
        }
    )
    released = cf.Release(cf.Swap("status", rate=0.4), cf.Swap("kind", rate=0.2)).apply(data, seed=1)
    intruder = cf.Intruder(knows=["status", "kind"], matching=JOINT)
    unsure = intruder.but(target_in_file=False, population=cf.Constant(500.5))
    far = unsure.but(population=cf.Constant(40_000))
    monkeypatch.setattr(profiles, "CHEAP", 0)
    quick = [cf.link(released, who) for who in (intruder, unsure, far)]
    monkeypatch.setattr(profiles, "MANY_PAIRS", 10**9)
    slow = [cf.link(released, who) for who in (intruder, unsure, far)]
    for a, b in zip(quick, slow, strict=True):
        assert a.matched is not None
        assert b.matched is not None
        assert "profile propagation" in dict(a.matched.methods)
        assert "profile propagation" not in dict(b.matched.methods)
        assert np.abs(a.own - b.own).max() <= a.matched.largest_error + b.matched.largest_error
        assert np.abs(a.own - b.own).max() < 2e-3
        assert np.abs(a.null - b.null).max() < 2e-3


def test_large_groups_that_cannot_be_matched_are_refused(monkeypatch):
    monkeypatch.setattr(profiles, "MANY_PAIRS", 0)
    monkeypatch.setattr(profiles, "REPEATED", 0)
    monkeypatch.setattr(profiles, "CHEAP", 0)
    seen = cf.Microdata.from_dict({"x": [1.0] * 6 + [2.0] * 3}).declare(kinds={"x": "continuous"})
    known = cf.Targets.of_records(seen.with_columns({"x": cf.Column.of_numbers([1.0] * 5 + [1.5] * 1 + [2.0] * 3)}))
    near = cf.Intruder(knows=[cf.Within("x", 10)], matching=JOINT)
    with pytest.raises(cf.LikelihoodError, match="cannot all be matched"):
        cf.link(cf.Release().apply(seen, seed=1), near, known)


def test_progress_runs_from_nothing_to_all_without_going_back():
    released = masked(people(8, 80), 8)
    seen: list[float] = []
    unsure = cf.Intruder(
        knows=["region", "status", "income"], target_in_file=False, population=cf.Constant(2000.5), matching=JOINT
    )
    sure = unsure.but(target_in_file=True, population=None)
    cf.assess(released, [sure, unsure], progress=lambda done, total: seen.append(done / total))
    assert seen[0] == 0
    assert seen[-1] == 1
    assert seen == sorted(seen)


def test_the_assessment_says_how_it_was_matched():
    released = masked(people(2, 6), 2)
    alone = cf.Intruder(knows=["status", "income"])
    found = cf.assess(released, [alone, alone.but(matching=JOINT)])
    assert found.to_frame()["matching"].to_list() == ["with replacement", "without replacement"]
    assert found.to_frame()["matching_error"][0] is None
    assert found.row(0).matched == ()
    assert found.row(1).matched == ("without replacement: 1 by subset; exact",)
    assert found.row(1).intruder.title.endswith("; without replacement")
    assert "1 scenario(s) matched without replacement: exact." in repr(found)
    assert "without replacement" not in repr(cf.assess(released, alone))
    assert found.row(1).per_record().height == 6


def test_the_tolerance_is_met_or_not():
    released = masked(people(2, 6), 2)
    intruder = cf.Intruder(knows=["status", "income"], matching=cf.WithoutReplacement(tolerance=1e-6))
    links = cf.link(released, intruder)
    assert links.matched is not None
    assert links.matched.tolerance_met is True
    assert links.matched.describe().endswith("exact; the tolerance was met")
