"""Targets from another file: without an id true matches are undefined, with one they are counted; unknown is never safe."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import confide as cf
from confide.assessment.show import no_better_than_chance
from confide.cli.main import main
from confide.errors import HarmError, IntruderError, MapError
from confide.plan.limits import exceeded
from confide.plan.plan import Limits
from confide.report.html import render

N = 150
KNOWS = ["sex", "age", "income"]
TRUE = ("right_links", "expected_matches", "unique_matches", "true_match_rate", "false_match_rate")


def people() -> cf.Microdata:
    rng = np.random.default_rng(2)
    columns = {
        "pid": [f"p{i}" for i in range(N)],
        "sex": rng.choice(["f", "m"], N).tolist(),
        "age": rng.integers(20, 80, N).tolist(),
        "income": np.round(rng.lognormal(10, 0.5, N)).tolist(),
    }
    return cf.Microdata.from_dict(columns, name="people").declare(identifier="pid", kinds={"income": "continuous"})


def elsewhere(rows=None, more=0) -> cf.Microdata:
    """Give the people as a register has them: in another order, with wrong incomes, some of them not in the source."""
    data = people()
    rows = np.random.default_rng(3).permutation(N)[:100] if rows is None else rows
    columns = {name: [data.columns[name].values()[i] for i in rows] for name in data.names}
    error = np.exp(np.random.default_rng(4).normal(0, 0.02, len(rows)))
    columns["income"] = np.round(np.array(columns["income"]) * error).tolist()
    for k in range(more):
        for name, value in (("pid", f"z{k}"), ("sex", "f"), ("age", 30 + k), ("income", 20000.0)):
            columns[name].append(value)
    return cf.Microdata.from_dict(columns).declare(kinds={"income": "continuous"})


RELEASED = cf.Release(cf.Noise("income", sd=2000)).apply(people(), seed=1)
INTRUDER = cf.Intruder(knows=["sex", "age", cf.Roughly("income", 0.03, relative=True)], name="debt collector")


def assessed(targets, **more) -> cf.Scenario:
    return cf.assess(RELEASED, INTRUDER, targets, **more).row(0)


def test_targets_of_another_file_scored_zero_though_most_best_links_were_right():
    found = assessed(cf.Targets.of_records(people()))
    links = found.links[0]
    best = [int(np.argmax(links.row(i).p)) for i in range(N)]
    right = sum(int(RELEASED.parent[j]) == i for i, j in enumerate(best))
    assert right > 0.6 * N  # the file is as dangerous as ever ...
    assert [found.value(name) for name in TRUE] == [None] * 5  # ... and its figures are not 0
    assert "the right record is not known for 150 of 150 targets" in found.why_undefined("expected_matches")
    assert found.perceived > 0.6 * N
    assert found.baseline("expected_matches") is None
    assert not no_better_than_chance(found.summary)


def test_with_an_id_true_matches_are_those_of_an_intruder_who_is_simulated():
    register = elsewhere(more=7)
    found = assessed(cf.Targets.of_records(register, id="pid"))
    links, ids, source = found.links[0], register.column("pid").values(), people().column("pid").values()
    rng, right, acted = np.random.default_rng(1), np.zeros(400), np.zeros(400)
    for i, one in enumerate(ids):
        row = links.row(i)
        if not row.at_best.size:
            continue
        picks = rng.choice(row.at_best, 400)
        hits = np.array([source[int(RELEASED.parent[j])] == one for j in picks])
        right += hits
        acted += hits * (row.p[picks] > 0.2)
    assert found.expected_matches == pytest.approx(right.mean(), abs=4 * right.std() / 20 + 1e-9)
    assert found.right_links == pytest.approx(acted.mean(), abs=4 * acted.std() / 20 + 1e-9)
    assert found.expected_matches > 50
    assert found.summary.known.all()
    assert found.summary.in_file.sum() == 100  # seven are known not to be in the source file
    assert found.baseline("expected_matches") == pytest.approx(100 / N)


def test_the_source_itself_as_a_file_with_ids_gives_the_figures_of_all_respondents():
    by_id, by_row = assessed(cf.Targets.of_records(people(), id="pid")), assessed(cf.Targets.all())
    assert [by_id.value(name) for name in TRUE] == [by_row.value(name) for name in TRUE]


def test_respondents_who_were_not_sampled_are_known_not_to_be_in_the_file():
    released = cf.Release(cf.Sample(fraction=0.5)).apply(people(), seed=1)
    found = cf.assess(released, INTRUDER).row(0)
    assert found.summary.known.all()
    assert found.summary.in_file.sum() < N
    assert found.expected_matches is not None


def test_a_released_file_whose_parents_are_not_known_has_no_true_matches():
    seen = cf.Released(RELEASED.data, people(), np.full(N, -2), "seen")
    assert cf.assess(seen, INTRUDER).row(0).expected_matches is None


def test_without_a_source_file_nothing_is_known_and_an_id_finds_nobody():
    released = cf.Released.seen(RELEASED.data)
    plain = cf.Intruder(knows=["sex", "age"], understands_masking=False)
    assert cf.assess(released, plain, cf.Targets.of_records(elsewhere())).row(0).expected_matches is None
    with pytest.raises(IntruderError, match="there is none; leave id out"):
        cf.assess(released, plain, cf.Targets.of_records(elsewhere(), id="pid"))


def test_a_truth_known_in_part_is_not_known():
    found = assessed([cf.Targets.all(), cf.Targets.of_records(elsewhere())])
    assert found.expected_matches is None
    assert "for 100 of 250 targets" in found.why_undefined("unique_matches")
    by = found.by("sex")
    assert by["expected_matches"].null_count() == by["mean_own_probability"].null_count() == by.height


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pid": ["p1", "p1", "p2"]}, "not unique in the targets' file: 2 of 3 records"),
        ({"pid": ["p1", None, "p2"]}, "missing for 1 of 3 records of the targets' file"),
        ({"name": ["p1", "p3", "p2"]}, "there is no variable 'pid'"),
    ],
)
def test_ids_that_name_nobody(change, message):
    register = cf.Microdata.from_dict({"sex": ["f"] * 3, "age": [30, 40, 50], "income": [1e4, 2e4, 3e4], **change})
    with pytest.raises(IntruderError, match=message):
        assessed(cf.Targets.of_records(register, id="pid"))


def test_ids_that_differ_in_type_only_are_the_same():
    source = cf.Microdata.from_dict({"pid": [7, 8, 9], "sex": ["f", "m", "m"]})
    register = cf.Microdata.from_dict({"pid": ["9", "7"], "sex": ["m", "f"]})
    targets = cf.Targets.of_records(register, id="pid")
    links = cf.link(cf.Release().apply(source, seed=1), cf.Intruder(knows=["sex"]), targets)
    assert links.own.tolist() == [0.5, 1.0]


def test_limits_that_need_what_is_undefined_fail_and_say_why():
    found = cf.assess(RELEASED, INTRUDER, cf.Targets.of_records(elsewhere()))
    needs = [*(name for name in TRUE if name != "false_match_rate"), "probability"]
    lines = exceeded(Limits(largest=tuple((name, 1.0) for name in needs)), found)
    assert len(lines) == len(needs)
    assert all("is undefined, so that its limit cannot be held: the right record is not known" in x for x in lines)
    assert exceeded(Limits(largest=(("perceived", 1e9),)), found) == ()


def test_a_plan_with_targets_from_a_file_fails_without_an_id_and_holds_with_one(tmp_path, capsys):
    people().to_frame().write_csv(tmp_path / "people.csv")
    elsewhere().to_frame().write_csv(tmp_path / "register.csv")
    text = """
        [data]
        path = "people.csv"
        [data.roles]
        identifier = ["pid"]
        [[release]]
        methods = [{ method = "Noise", variable = "income", sd = 2000 }]
        [[intruder]]
        knows = ["sex", "age"]
        [[targets]]
        file = "register.csv"
        ID
        [output]
        json = "a.json"
        [limits]
        max_expected_matches = 100
    """
    (tmp_path / "plan.toml").write_text(text.replace("ID", ""))
    assert main(["assess", str(tmp_path / "plan.toml")]) == 3
    shown = capsys.readouterr()
    assert "limit exceeded: expected matches is undefined" in shown.err
    assert "give targets from elsewhere an id" in shown.out
    row = json.loads((tmp_path / "a.json").read_text())["scenarios"][0]
    assert row["expected_matches"] is None
    assert "not known for 100 of 100" in row["undefined"]["expected_matches"]
    (tmp_path / "plan.toml").write_text(text.replace("ID", 'id = "pid"'))
    assert main(["assess", str(tmp_path / "plan.toml")]) == 0
    (tmp_path / "plan.toml").write_text(text.replace("ID", 'id = "sex"'))
    assert main(["assess", str(tmp_path / "plan.toml")]) == 2
    assert "not unique" in capsys.readouterr().err


def test_frames_show_nothing_where_the_truth_is_not_known():
    found = assessed(cf.Targets.of_records(elsewhere()))
    frame = found.per_record()
    assert frame["own_probability"].null_count() == frame["expected_matches"].null_count() == 100
    assert frame["own_is_best"].null_count() == frame["others_at_least_as_probable"].null_count() == 100
    assert frame.select(pl.col(pl.Float64).is_nan().any()).row(0) == (False,) * frame.select(pl.col(pl.Float64)).width
    assert "A dash in 1 scenario(s), Right links > 0.2, Expected matches" in repr(cf.Assessment((found,)))


class OwnBest:
    """A user's measure that reads nothing but the flags."""

    name, title, is_count, larger_is_riskier = "own_best", "Own best", True, True

    def per_target(self, summary):
        return summary.own_is_best.astype(float)

    def value(self, summary):
        return float(summary.own_is_best.sum())

    def baseline(self, summary):
        return None


def test_a_measure_of_the_users_that_does_not_ask_for_the_truth_has_no_figure_either():
    assert assessed(cf.Targets.of_records(elsewhere()), measures=[OwnBest()]).value("own_best") is None
    assert assessed(cf.Targets.all(), measures=[OwnBest()]).value("own_best") > 0


def test_harm_that_depends_on_the_link_is_undefined_and_harm_that_does_not_is_counted():
    symmetric = cf.Harm("income", cf.AmountCosts(cf.Close(0.1)), acts=0.1)
    depends = cf.Harm("income", cf.AmountCosts(cf.Close(0.1), cf.Close(0.1, loss=0.0)), acts=0.1, name="by the right record")
    knows = cf.Intruder(knows=["sex", "age"])
    register = people().take(np.random.default_rng(3).permutation(N)[:100])  # its incomes are those of the source
    without, with_id = (
        cf.assess(RELEASED, knows, cf.Targets.of_records(register, id=name), harms=[symmetric, depends]).row(0)
        for name in (None, "pid")
    )
    assert without.harm("income").total == pytest.approx(with_id.harm("income").total)
    assert with_id.harm("by the right record").total > 0
    lost = without.harm("by the right record")
    assert (lost.total, lost.mean, lost.worst, lost.told.total, lost.bearers) == (None,) * 5
    assert "it is not known for" in lost.reason
    assert set(list(lost.outcomes.values())[1:]) == {None}
    assert "total -, mean -" in repr(lost)
    found = cf.Assessment((without,))
    assert len(exceeded(Limits(harms=(("income", 1e9), ("by the right record", 1e9))), found)) == 1
    assert list(found.over_intruders({knows.title: 1.0})) == [(without.released.name, "income")]
    with pytest.raises(HarmError, match="the harm is undefined"):
        cf.over_intruders({"a": lost}, {"a": 1.0})


def test_harm_without_any_link_is_known_to_be_none():
    unsure = cf.Intruder(knows=["sex"], target_in_file=False, population=cf.AtLeast(10_000))
    harm = cf.Harm("income", cf.AmountCosts(cf.Close(0.1), cf.Close(0.1, loss=0.0)))
    found = cf.assess(RELEASED, unsure, cf.Targets.of_records(elsewhere()), harms=harm).row(0)
    assert found.harm("income").total == 0.0
    assert found.right_links == 0.0  # nobody is acted on, whoever they are


def test_without_own_needs_to_know_the_own_record():
    links = cf.link(RELEASED, cf.Intruder(knows=["sex"]), cf.Targets.of_records(elsewhere()))
    with pytest.raises(HarmError, match="the right record is not known"):
        cf.inferential_disclosure(links, "income", without_own=True)


def test_a_map_of_targets_from_elsewhere_chooses_nothing():
    family = cf.Release(cf.Noise("income", sd=cf.vary("noise", 1000.0, 9000.0)))
    asked = {"utility": cf.MeansKept("income"), "seed": 1, "targets": cf.Targets.of_records(elsewhere())}
    own = cf.RiskOf("own", lambda scenario: float(scenario.summary.own.max()))
    group = cf.WorstGroup(cf.ExpectedMatches(), by="sex")
    found = cf.ru_map(people(), family, INTRUDER, risk=[cf.ExpectedMatches(), own, group], **asked)
    assert found.points() == ()
    assert "without a figure, and left out: 2 settings" in repr(found)
    for limits in ({"expected_matches": 1.0}, {"own": 1e9}, {"expected_matches by sex": 1.0}):
        with pytest.raises(MapError, match="nothing can be chosen: the right records of targets from elsewhere"):
            found.choose(limits=limits)
    assert cf.ru_map(people(), family, INTRUDER, risk=cf.PerceivedIdentifications(), **asked).choose(1.0).within == 2


class OneLevelOnly:
    """A measure that is undefined for one of two groups."""

    name, title, is_count, larger_is_riskier, tells_unknown = "odd", "Odd", False, True, True

    def per_target(self, summary):
        return summary.best

    def value(self, summary):
        return 1.0 if summary.n > N / 2 else None

    def baseline(self, summary):
        return None


def test_a_group_without_a_figure_passed_as_if_it_were_not_there():
    found = assessed(cf.Targets.all())
    assert sorted(found.by("sex")["targets"].to_list())[1] > N / 2  # one group has a figure, the other has none
    assert cf.WorstGroup(OneLevelOnly(), by="sex").of(found) is None


def test_the_report_says_what_is_not_known():
    harm = cf.Harm("income", cf.AmountCosts(cf.Close(0.1), cf.Close(0.1, loss=0.0)), acts=0.0)
    same = cf.Harm("income", cf.AmountCosts(cf.Close(0.1)), acts=0.0, name="alike")
    intruders = [cf.Intruder(knows=["sex"], name="one"), cf.Intruder(knows=["sex", "age"], name="two")]
    masked = cf.Release(cf.Swap("sex", rate=0.2), name="masked").apply(people(), seed=1)
    found = cf.assess([RELEASED, masked], intruders, cf.Targets.of_records(elsewhere()), harms=[harm, same])
    page = render(found, by=["sex"], likelihoods={"one": 0.5, "two": 0.1})
    assert "how many links are right is <strong>not known</strong>" in page
    assert "No limit that needs what is undefined holds." in page
    assert "who is at risk is not known" in page.lower()
    named = cf.assess([RELEASED, masked], intruders, cf.Targets.of_records(elsewhere(), id="pid"), harms=[harm, same])
    page = render(named, by=["sex"])
    assert "right is <strong>not known</strong>" not in page
    assert "100 people from elsewhere, found in the source file by pid" in page


def test_a_group_of_one_level_and_few_targets_was_named():
    found = cf.assess(RELEASED, cf.Intruder(knows=["sex", "age"]), cf.Targets.of_rows([0]))
    assert found.row(0).by("sex")["sex"].to_list() == ["all"]
