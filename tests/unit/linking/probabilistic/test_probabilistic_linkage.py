"""Probabilistic linkage: what is estimated, decided, refused, and handed on."""

import numpy as np
import pytest

import confide as cf
from confide.errors import IntruderError, ModelError
from confide.linking.probabilistic.blocks import blocked, rules_of
from confide.linking.probabilistic.em import estimate
from confide.linking.probabilistic.errors import limits
from confide.linking.probabilistic.fields import comparisons_for, laid_out
from confide.linking.probabilistic.frequency import rarity_of
from confide.linking.probabilistic.linkage import compared
from confide.linking.probabilistic.model import Independent, WithInteractions, groups_of, proportional_fit
from confide.linking.probabilistic.one_to_one import assigned_pairs
from confide.linking.probabilistic.patterns import Patterns, patterns_of

NAMES = ["a", "b", "c", "d", "e"]


def two_files(n, seed=1, wrong=0.05, levels=8, missing=0.0):
    """Give a file and a copy with errors, in another order."""
    rng = np.random.default_rng(seed)
    data = {k: rng.integers(0, levels, n) for k in NAMES}
    parent = rng.permutation(n)
    copies = {k: np.where(rng.random(n) < wrong, rng.integers(0, levels, n), x)[parent] for k, x in data.items()}
    gone = {k: rng.random(n) < missing for k in NAMES}
    files = [
        cf.Microdata.from_dict({k: [None if g else str(v) for v, g in zip(x, gone[k], strict=True)] for k, x in f.items()})
        for f in (data, copies)
    ]
    return cf.Released.from_files(*files, parent=parent, same_order=parent is None)


def counted(levels, counts, sizes):
    level = np.asarray(levels, dtype=np.int8)
    return Patterns(np.arange(len(levels)), np.asarray(counts, dtype=np.int64), level, tuple(sizes))


def parts_of(released, names=NAMES):
    pairs = blocked(released.source, released.data, None, most=10**9)
    comparisons = comparisons_for(released.source, names)
    return compared(comparisons, released.source, released.data, pairs, cf.WithinBlocks(), 0)[:2]


def test_patterns_are_those_of_all_pairs_one_by_one():
    released = two_files(40, missing=0.1)
    parts, fields = parts_of(released)
    found = patterns_of(blocked(released.source, released.data, None, most=10**9), fields)
    expected = {}
    for i in range(40):
        for j in range(40):
            key = tuple(2 if p.source[i] < 0 or p.released[j] < 0 else int(p.source[i] == p.released[j]) for p in parts)
            expected[key] = expected.get(key, 0) + 1
    assert {tuple(v.tolist()): int(c) for v, c in zip(found.level, found.count, strict=True)} == expected


def test_counts_agree_with_coincidence_vectors():
    released = two_files(200)
    _, fields = parts_of(released)
    found = patterns_of(blocked(released.source, released.data, None, most=10**9), fields)
    names = {"".join(map(str, v.tolist())): int(c) for v, c in zip(found.level, found.count, strict=True)}
    assert names == cf.coincidence_vectors(released, NAMES).all_pairs


def test_em_recovers_what_patterns_were_made_from():
    share, m, u = 0.03, np.array([0.95, 0.9, 0.8, 0.85]), np.array([0.1, 0.2, 0.05, 0.3])
    levels = np.array([[k >> j & 1 for j in range(4)] for k in range(16)])
    chance = [np.prod(np.where(levels, q, 1 - q), axis=1) for q in (m, u)]
    counts = np.rint(1e7 * (share * chance[0] + (1 - share) * chance[1]))
    parts, _ = parts_of(two_files(30), NAMES[:4])
    patterns = counted(levels, counts, [2] * 4)
    found = estimate(patterns, groups_of(Independent(), parts, patterns.level), parts, 0.5)
    assert found.share == pytest.approx(share, rel=1e-2)
    np.testing.assert_allclose([c[1] for c in found.m], m, atol=2e-3)
    np.testing.assert_allclose([c[1] for c in found.u], u, atol=1e-3)


def test_interactions_recover_agreements_that_go_together():
    # among others, agreement in the first two variables goes together: one class of such pairs is no match
    share, rng = 0.02, np.random.default_rng(4)
    n = 2_000_000
    match = rng.random(n) < share
    together = rng.random(n) < 0.1
    columns = [np.where(match, rng.random(n) < 0.9, (rng.random(n) < 0.1) | together) for _ in range(2)]
    columns += [rng.random(n) < np.where(match, 0.9, 0.15) for _ in range(4)]
    levels, counts = np.unique(np.column_stack(columns).astype(np.int8), axis=0, return_counts=True)
    released = two_files(30)
    names = [*NAMES, "f"]
    columns = released.source.columns | {"f": released.source.columns["a"]}
    variables = released.source.variables | {"f": cf.Variable("f", cf.Kind.NOMINAL)}
    source = cf.Microdata(variables, columns)
    parts, _ = parts_of(cf.Released.from_files(source, source, same_order=True), names)
    patterns = counted(levels, counts, [2] * 6)
    plain = estimate(patterns, groups_of(Independent(), parts, patterns.level), parts, 0.5)
    related = estimate(patterns, groups_of(WithInteractions([["a", "b"]]), parts, patterns.level), parts, 0.5)
    assert related.share == pytest.approx(share, rel=0.02)
    assert abs(plain.share - share) > 3 * abs(related.share - share)
    assert related.log_likelihood > plain.log_likelihood


def test_proportional_fit_keeps_two_way_tables_and_drops_the_rest():
    table = np.random.default_rng(1).random((2, 3, 2))
    table /= table.sum()
    fitted = proportional_fit(table)
    for axis in range(3):
        np.testing.assert_allclose(fitted.sum(axis=axis), table.sum(axis=axis), atol=1e-8)
    odds = fitted[0, :2] * 1.0
    ratio = [f[0, 0] * f[1, 1] / (f[0, 1] * f[1, 0]) for f in (odds, fitted[1, :2])]
    assert ratio[0] == pytest.approx(ratio[1], rel=1e-4)


def test_links_are_found_and_probabilities_are_right():
    found = cf.probabilistic_linkage(two_files(800, levels=12), NAMES)
    assert found.precision > 0.97
    assert found.recall > 0.9
    released = two_files(1_500, levels=6)
    found = cf.probabilistic_linkage(released, NAMES)
    p = found.table.p.tocoo()
    own = released.parent[p.row] == p.col
    for low, high in ((0.02, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 1.01)):
        here = (p.data >= low) & (p.data < high)
        assert here.sum() > 50
        assert abs(p.data[here].mean() - own[here].mean()) < 4 * np.sqrt(0.25 / here.sum()) + 0.02


def test_the_table_feeds_risks_and_harm():
    released = two_files(300, levels=12)
    found = cf.probabilistic_linkage(released, NAMES)
    rows = np.asarray(found.table.p.sum(axis=0)).ravel()
    np.testing.assert_allclose(rows + found.table.null, 1.0, atol=1e-9)
    assert cf.perceived_risks(found.table).average == pytest.approx(found.table.largest.mean())
    assert cf.true_identification(found.table, released.parent, act_at=0.5).share > 0.8
    harm = cf.Harm("s", cf.Outcomes(tt=10.0, ft=4.0), acts=0.5)
    true = ["yes" if i % 3 else "no" for i in range(300)]
    told = [true[k] for k in released.parent]
    harmed = cf.harm_of(found.table, harm, parent=released.parent, true=true, told=told)
    assert harmed.per_target.shape == (300,)
    table = cf.identification_table(np.arange(300.0), np.arange(300.0), found.table, parent=released.parent)
    assert table.true.share > 0.8


def test_records_in_another_order_give_the_same():
    released = two_files(150)
    order = np.random.default_rng(3).permutation(150)
    turned = cf.Released.from_files(released.source, released.data.take(order), parent=released.parent[order])
    a, b = cf.probabilistic_linkage(released, NAMES), cf.probabilistic_linkage(turned, NAMES)
    assert a.share == pytest.approx(b.share, rel=1e-9)
    np.testing.assert_allclose(a.table.p[order].toarray(), b.table.p.toarray(), atol=1e-6)


def test_several_rules_bring_a_pair_once():
    released = two_files(60, missing=0.1)
    rules = [["a"], ["b", "c"], ["d"]]
    pairs = blocked(released.source, released.data, rules, most=10**9)
    comparisons = comparisons_for(released.source, NAMES)
    fields = compared(comparisons, released.source, released.data, pairs, cf.WithinBlocks(), 0).fields
    columns = [[f.columns[k].values() for k in NAMES] for f in (released.source, released.data)]

    def agree(i, j, rule):
        return all(columns[0][NAMES.index(k)][i] is not None and
                   columns[0][NAMES.index(k)][i] == columns[1][NAMES.index(k)][j] for k in rule)  # fmt: skip

    expected = sum(any(agree(i, j, r) for r in rules) for i in range(60) for j in range(60))
    assert patterns_of(pairs, fields).pairs == expected
    assert pairs.stretches > expected


def test_pairs_of_one_file_are_compared_once():
    released = two_files(50, missing=0.1)
    data = released.source
    for rules in (None, [["a"], ["b"]]):
        pairs = blocked(data, data, rules, most=10**9, within=True)
        fields = compared(comparisons_for(data, NAMES), data, data, pairs, cf.WithinBlocks(), 0, within=True).fields
        values = [data.columns[k].values() for k in ("a", "b")]
        expected = sum(
            rules is None or any(v[i] is not None and v[i] == v[j] for v in values) for i in range(50) for j in range(i)
        )
        assert patterns_of(pairs, fields).pairs == expected


def test_a_table_of_texts_and_a_list_of_near_texts_give_the_same(monkeypatch):
    rng = np.random.default_rng(2)
    names = ["".join(rng.choice(list("abcde"), 6)) for _ in range(300)]
    rest = {"a": [x[0] for x in names], "b": [x[1:3] for x in names], "c": [x[4] for x in names]}
    source = cf.Microdata.from_dict({"n": names} | rest)
    moved = [x[:2] + x[3] + x[2] + x[4:] for x in names]
    masked = cf.Microdata.from_dict({"n": moved} | rest)
    released = cf.Released.from_files(source, masked, same_order=True)
    comparison = [cf.TextAgreement("n", by_frequency=True), "a", "b", "c"]
    one = cf.probabilistic_linkage(released, comparison)
    monkeypatch.setattr("confide.linking.probabilistic.text.MOST_CELLS", 10)
    blocks = cf.probabilistic_linkage(released, comparison, block=["a"], chance=cf.WithinBlocks())
    other = cf.probabilistic_linkage(released, comparison)
    np.testing.assert_array_equal(one.source, other.source)
    np.testing.assert_allclose(one.log_odds, other.log_odds)
    monkeypatch.undo()
    again = cf.probabilistic_linkage(released, comparison, block=["a"], chance=cf.WithinBlocks())
    np.testing.assert_allclose(blocks.log_odds, again.log_odds)


def test_levels_of_numbers_dates_and_texts():
    source = cf.Microdata.from_dict({"x": [10.0, 10.0, 10.0, 10.0], "d": ["19800102"] * 4, "t": ["martha"] * 4}).declare(
        kinds={"x": "continuous"}
    )
    masked = cf.Microdata.from_dict(
        {
            "x": [10.0, 10.5, 12.0, None],
            "d": ["1980-01-02", "19800201", "19791231", None],
            "t": ["martha", "marhta", "xyz", None],
        }
    ).declare(kinds={"x": "continuous"})
    comparisons = [
        cf.NumberAgreement("x", within=(0, 1)), cf.DateAgreement("d", days=(5,)), cf.TextAgreement("t", at=(0.9,))
    ]  # fmt: skip
    parts = [c.compared(source, masked) for c in comparisons]
    pairs = blocked(source, masked, None, most=100)
    found = patterns_of(pairs, laid_out(parts, [None] * 3))
    assert found.level.tolist() == [[0, 1, 0], [1, 2, 1], [2, 3, 2], [3, 4, 3]]
    assert found.count.tolist() == [4, 4, 4, 4]


def test_missing_says_nothing_or_has_a_level():
    released = two_files(400, levels=10, missing=0.1)
    silent = cf.probabilistic_linkage(released, NAMES)
    own = cf.probabilistic_linkage(released, [cf.ExactAgreement(k, missing=cf.OwnLevel()) for k in NAMES])
    assert silent.parameters[0].levels == ("different", "same")
    assert own.parameters[0].levels == ("different", "same", "missing")
    assert silent.parameters[0].m.sum() == pytest.approx(1.0)
    assert own.parameters[0].m.sum() == pytest.approx(1.0)


def test_rare_values_weigh_more_and_the_mean_does_not_change():
    y = np.array([0] * 90 + [1] * 9 + [2])
    found = rarity_of(y, y)
    assert found[0] < 0 < found[1] < found[2]
    f = np.bincount(y) / 100
    assert np.sum(f * f * np.exp(found)) / np.sum(f * f) == pytest.approx(1.0)


def test_rarity_ranks_pairs():
    rng = np.random.default_rng(5)
    n = 600
    surname = np.where(rng.random(n) < 0.6, 0, rng.integers(1, 60, n))
    data = {"s": surname, **{k: rng.integers(0, 8, n) for k in NAMES[:3]}}
    copies = {k: np.where(rng.random(n) < 0.1, rng.permutation(x), x) for k, x in data.items()}
    files = [cf.Microdata.from_dict({k: [str(v) for v in x] for k, x in f.items()}) for f in (data, copies)]
    released = cf.Released.from_files(*files, same_order=True)
    plain = cf.probabilistic_linkage(released, ["s", *NAMES[:3]])
    adjusted = cf.probabilistic_linkage(released, [cf.ExactAgreement("s", by_frequency=True), *NAMES[:3]])
    best = [np.log(np.maximum(f.table.p.tocsr().diagonal(), 1e-9)).mean() for f in (plain, adjusted)]
    assert best[1] > best[0]


def test_one_to_one_takes_the_largest_sum():
    pairs = np.array([0, 0, 1]), np.array([0, 1, 0])
    assert assigned_pairs(*pairs, np.array([9.0, 2.0, 2.0])).tolist() == [True, False, False]
    assert assigned_pairs(*pairs, np.array([3.0, 2.0, 2.0])).tolist() == [False, True, True]
    assert assigned_pairs(*pairs, np.array([-1.0, -2.0, -3.0])).sum() == 1
    empty = np.zeros(0, dtype=np.int64)
    assert assigned_pairs(empty, empty, np.zeros(0)).size == 0


def test_limits_keep_both_bounds():
    rng = np.random.default_rng(1)
    p = np.sort(rng.beta(0.3, 0.3, 1_000))
    found = limits(p, p.sum() + 5, 10_000.0, 0.02, 0.03, cf.AmongLinks())
    linked, dismissed = p >= found.upper, p < found.lower
    assert np.mean(1 - p[linked]) <= 0.02
    assert (p[dismissed].sum() + 5) / (p.sum() + 5) <= 0.03
    assert found.lower < found.upper
    mu = limits(p, p.sum() + 5, 10_000.0, 0.001, 0.03, cf.AmongNonMatches())
    assert np.sum(1 - p[p >= mu.upper]) <= 10.0
    none = limits(np.array([0.5]), 1.0, 10.0, 0.0, 0.0, cf.AmongLinks())
    assert none.upper == np.inf


def test_duplicates_within_a_file():
    released = two_files(300, levels=15)
    data = {k: released.source.columns[k].values() + released.data.columns[k].values()[:60] for k in NAMES}
    truth = [*range(300), *released.parent[:60].tolist()]
    found = cf.find_duplicates(cf.Microdata.from_dict(data), NAMES, truth=truth, false_match=0.05)
    assert found.precision > 0.9
    assert found.recall > 0.7
    np.testing.assert_array_equal(found.group[found.links[0]], found.group[found.links[1]])
    assert np.unique(found.group).size >= 360 - found.links[0].size


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"compare": ["a", "b"]}, "three independent comparisons"),
        ({"block": ["a", "b", "c"]}, "agree alike"),
        ({"most_pairs": 100}, "2,500 pairs, a table of which would take 0.0 GB; 100 are the most"),
        ({"compare": ["a", "a", "b"]}, "compare a variable once"),
        ({"compare": []}, "at least three"),
        ({"compare": ["a", "b", "zz"]}, "no variable 'zz'"),
        ({"false_match": 1.5}, "false_match is a probability"),
        ({"keep": 0.9}, "keep is a probability"),
        ({"model": cf.WithInteractions([["a", "q"]])}, "no comparison 'q'"),
        ({"model": cf.WithInteractions([["a", "b"], ["b", "c"]])}, "two groups"),
    ],
)
def test_what_cannot_be_asked(change, message):
    with pytest.raises((IntruderError, ModelError), match=message):
        cf.probabilistic_linkage(two_files(50), **({"compare": NAMES} | change))


def test_no_agreement_and_all_agreement_give_no_number():
    n = 30
    same = cf.Microdata.from_dict({k: ["x"] * n for k in NAMES})
    other = cf.Microdata.from_dict({k: ["y"] * n for k in NAMES})
    for files in ((same, same), (same, other)):
        with pytest.raises(ModelError, match="all candidate pairs agree alike"):
            cf.probabilistic_linkage(cf.Released.from_files(*files, same_order=True), NAMES)
    with pytest.raises(IntruderError, match="no two records fall into the same block"):
        cf.probabilistic_linkage(cf.Released.from_files(same, other, same_order=True), NAMES[1:], block=["a"])


def test_a_single_pair_gives_no_number():
    one = cf.Microdata.from_dict({k: ["x"] for k in NAMES})
    with pytest.raises(ModelError, match="three independent comparisons"):
        cf.probabilistic_linkage(cf.Released.from_files(one, one, same_order=True), NAMES)


def test_blocks_by_compared_variables_hide_matches_that_are_allowed_for():
    # pairs that agree in two of three variables at least: within these blocks agreements are far from independent
    released = two_files(3_000, levels=15, wrong=0.15)
    rules = [["a", "b"], ["b", "c"], ["a", "c"]]
    found = cf.probabilistic_linkage(released, NAMES, block=rules)
    m = [p.m[1] for p in found.parameters]
    np.testing.assert_allclose(m, 1 - 0.15 * 14 / 15, atol=0.025)
    np.testing.assert_allclose([p.u[1] for p in found.parameters], 1 / 15, atol=0.01)
    seen = found.right.sum()
    assert found.expected_matches == pytest.approx(seen, rel=0.05)


def test_em_that_does_not_converge_gives_no_number(monkeypatch):
    monkeypatch.setattr("confide.linking.probabilistic.em.MOST_STEPS", 2)
    with pytest.raises(ModelError, match="did not converge in 2 steps"):
        cf.probabilistic_linkage(two_files(100), NAMES)


def test_parents_that_are_not_known_give_no_precision():
    known = two_files(200, levels=12)
    released = cf.Released(known.data, known.source, np.full(200, -2), "seen")
    found = cf.probabilistic_linkage(released, NAMES)
    assert (found.precision, found.recall, found.f_score) == (None, None, None)
    with pytest.raises(IntruderError, match="parents"):
        _ = found.value


def test_a_recoded_release_is_compared_in_its_own_groups():
    rng = np.random.default_rng(6)
    n = 400
    data = cf.Microdata.from_dict(
        {"age": rng.integers(15, 90, n).tolist(), **{k: [str(v) for v in rng.integers(0, 9, n)] for k in NAMES[:3]}}
    )
    data = data.declare(kinds={"age": "integer"})
    released = cf.Release(cf.Recode("age", width=10)).apply(data, seed=1)
    found = cf.probabilistic_linkage(released, [cf.ExactAgreement("age"), *NAMES[:3]])
    assert found.parameters[0].m[1] > 0.95
    assert cf.true_identification(found.table, released.parent, act_at=0.0).share > 0.7


def test_rules_are_read():
    assert rules_of("sex") == (("sex",),)
    assert rules_of([["sex"], "race"]) == (("sex",), ("race",))
    with pytest.raises(IntruderError, match="names no variable"):
        rules_of([["sex"], []])


def test_frames_and_prints():
    found = cf.probabilistic_linkage(two_files(200, levels=12), NAMES)
    frame = found.to_frame()
    assert set(frame.columns) >= {"source", "released", "probability", "decision", "right"}
    assert "precision" in repr(found)
    assert "weight" in repr(found.parameters[0])
    assert found.per_record.mean() == found.value
    many = cf.probabilistic_linkage(two_files(200, levels=12), NAMES, one_to_one=False)
    assert 0 < many.links[0].size < found.links[0].size  # one partner each makes more pairs sure
