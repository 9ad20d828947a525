"""Levels one of which is believed to be true, of variables that are not known, and within strata that were masked later."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.release.channel import Discrete


def people(n=400):
    rng = np.random.default_rng(3)
    sex = rng.choice(["m", "f"], n)
    race = np.where(sex == "m", rng.choice(list("abc"), n, p=[0.7, 0.2, 0.1]), rng.choice(list("abc"), n, p=[0.2, 0.3, 0.5]))
    return cf.Microdata.from_dict({"sex": sex.tolist(), "race": race.tolist(), "age": rng.integers(20, 60, n).tolist()})


DATA = people()
SWAPPED = cf.Release(cf.Swap("race", rate=0.4)).apply(DATA, seed=1)


def matrix(file, variable, stratum=None):
    """Give Pr(released level | true level), of a stratum."""
    (channel,) = [s.channels[variable] for s in file.steps if variable in s.channels]
    assert isinstance(channel, Discrete)
    at = 0 if stratum is None else channel.strata.index((stratum,))
    return {a: {b: channel.matrix[at, i, k] for k, b in enumerate(channel.levels)} for i, a in enumerate(channel.levels)}


def values(data, name):
    return data.column(name).values()


@pytest.mark.parametrize("levels", [["a", "b"], ["b", "c"], ["a", "b", "c"], ["c"]])
def test_one_of_several_levels_of_a_variable_that_is_not_known_weighs_them_as_they_are_common(levels):
    who = cf.Intruder(knows=["sex"], unavailable={"race": cf.OneOf("race", levels)}, models_others=False)
    links, m = cf.link(SWAPPED, who), matrix(SWAPPED, "race")
    sex, race = values(DATA, "sex"), values(DATA, "race")
    shown_sex, shown = values(SWAPPED.data, "sex"), values(SWAPPED.data, "race")
    for t in (0, 1, 2, 3):
        common = {x: sum(s == sex[t] and r == x for s, r in zip(sex, race, strict=True)) for x in levels}
        score = [(s == sex[t]) * sum(common[x] * m[x][z] for x in levels) for s, z in zip(shown_sex, shown, strict=True)]
        assert links.row(t).p == pytest.approx(np.array(score) / sum(score), rel=5e-3)


def test_one_of_all_levels_that_is_not_known_is_a_regression():
    beliefs = cf.OneOf("race", ["a", "b", "c"]), cf.Regression()
    one, other = (cf.Intruder(knows=["sex", "age"], unavailable={"race": x}) for x in beliefs)
    assert cf.link(SWAPPED, one).own == pytest.approx(cf.link(SWAPPED, other).own)


def test_one_of_several_levels_with_a_prior_and_a_dict_of_levels_are_a_mixture():
    given = {"a": 0.1, "c": 0.9}
    beliefs = (
        cf.OneOf("race", ["a", "c"], prior=[1, 9]),
        given,
        cf.Mixture([(0.1, "a"), (0.9, "c")]),
    )
    one, two, three = (cf.link(SWAPPED, cf.Intruder(knows=["sex"], unavailable={"race": b})).own for b in beliefs)
    assert one == pytest.approx(three)
    assert two == pytest.approx(three)
    known = [cf.link(SWAPPED, cf.Intruder(knows=["sex", cf.Distributed("race", b)])).own for b in (given, beliefs[2])]
    assert known[0] == pytest.approx(known[1])


def test_one_of_several_levels_of_a_recoded_variable_that_is_not_known():
    file = cf.Release(cf.Recode("race", mapping={"a": "x", "b": "x", "c": "y"})).apply(DATA, seed=1)
    who = cf.Intruder(knows=["sex"], unavailable={"race": cf.OneOf("race", ["a", "c"])}, models_others=False)
    links = cf.link(file, who)
    sex, race = values(DATA, "sex"), values(DATA, "race")
    shown = values(file.data, "race")
    common = {x: sum(s == sex[0] and r == x for s, r in zip(sex, race, strict=True)) for x in "ac"}
    score = np.array([float((s == sex[0]) * common["a" if z == "x" else "c"]) for s, z in zip(sex, shown, strict=True)])
    assert links.row(0).p == pytest.approx(score / score.sum(), rel=5e-3)


def test_one_of_levels_that_are_not_a_targets_is_noticed():
    file = cf.Release(cf.Recode("race", mapping={"a": "x", "b": "y", "c": "z"})).apply(DATA, seed=1)
    found = cf.assess(file, cf.Intruder(knows=["sex"], unavailable={"race": cf.OneOf("race", ["a", "b"])}))
    assert found.row(0).ruled_out == values(DATA, "race").count("c") > 0


@pytest.mark.parametrize("target_in_file", [True, False])
@pytest.mark.parametrize("belief", [{"a": 0.2, "b": 0.3, "c": 0.5}, cf.Mixture([(0.4, "a"), (0.6, "b")]), "c"])
def test_a_distribution_of_what_was_swapped_within_a_stratum_that_was_swapped_later(belief, target_in_file):
    file = cf.Release(cf.Swap("race", rate=0.5, within="sex"), cf.Swap("sex", rate=0.4)).apply(DATA, seed=1)
    population = None if target_in_file else cf.Constant(500)
    knows = ["sex", cf.Distributed("race", belief)]
    who = cf.Intruder(knows, target_in_file=target_in_file, population=population, models_others=not target_in_file)
    links = cf.link(file, who)
    of_sex = matrix(file, "sex")
    weights = {"c": 1.0} if belief == "c" else dict(belief) if isinstance(belief, dict) else {"a": 0.4, "b": 0.6}
    true, sex, race = values(DATA, "sex"), values(file.data, "sex"), values(file.data, "race")
    inside = {s: matrix(file, "race", s) for s in "mf"}
    records = list(zip(sex, race, strict=True))
    people = list(zip(true, values(DATA, "race"), strict=True))
    everybody = np.ones(len(records))
    if not target_in_file:
        everybody = np.array([np.mean([inside[s][r][z] * of_sex[s][x] for s, r in people]) for x, z in records])
    for t in (0, 1, 2):
        mine = of_sex[true[t]], inside[true[t]]
        score = np.array([mine[0][s] * sum(w * mine[1][x][z] for x, w in weights.items()) for s, z in records])
        score /= everybody
        total = score.sum() + (0 if target_in_file else 500 - len(records))
        assert links.row(t).p == pytest.approx(score / total, rel=1e-4 if target_in_file else 5e-3)


def test_it_may_be_one_of_several_strata_and_supplied_beliefs_may_speak_of_others():
    file = cf.Release(cf.Swap("race", rate=0.5, within="sex"), cf.Swap("sex", rate=0.4)).apply(DATA, seed=1)
    race = cf.Distributed("race", {"a": 0.5, "b": 0.5})
    atoms = [cf.Atom(1, {"sex": s, "race": r}) for s in "mf" for r in "abc"]
    for who in (
        cf.Intruder(knows=[cf.OneOf("sex", ["m", "f"]), race]),
        cf.Intruder(knows=["sex", race], beliefs=cf.SuppliedBeliefs([atoms])),
    ):
        p = cf.link(file, who).row(0).p
        assert p.sum() == pytest.approx(1)
        assert (p > 0).all()


AGES = cf.Release(cf.Recode("age", width=10)).apply(DATA, seed=1)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: cf.Intruder(knows=["sex"], unavailable={"race": ["a", "b"]}), r"write OneOf\('race', \[...\]\)"),
        (lambda: cf.Intruder(knows=["sex"], unavailable={"race": cf.OneOf("sex", ["m"])}), "name 'race' in both places"),
        (lambda: cf.Intruder(knows=["sex"], unavailable={"race": None}), "the belief about 'race' takes .* found NoneType"),
        (lambda: cf.Intruder(knows=["sex"], unavailable={"race": cf.Regression}), r"the class Regression; add \(\)"),
        (lambda: cf.Intruder(knows=["sex"], unavailable={"race": {}}), "a dict gives each level a probability"),
        (lambda: cf.Intruder(knows=["sex"], unavailable={"race": {"a": "b"}}), "a dict gives each level a probability"),
        (lambda: cf.Intruder(knows=["sex"], unavailable={"race": float("nan")}), "the belief about 'race'"),
        (lambda: cf.Intruder(knows=["sex"], unavailable=["race"]), r"unavailable takes Regression\(\), .* found list"),
        (lambda: cf.Intruder(knows=["sex"], unavailable=cf.OneOf("race", ["a"])), r"unavailable takes .* found OneOf"),
        (lambda: cf.Distributed("race", ["a"]), "the belief about 'race' takes .* found list"),
        (lambda: cf.Distributed("race", cf.OneOf("race", ["a"])), r"know OneOf\('race', \[...\]\) itself"),
        (lambda: cf.Mixture(["a", "b"]), "pairs of a probability and a possibility"),
        (lambda: cf.Mixture({"a": 0.5}), "pairs of a probability and a possibility"),
        (lambda: cf.Mixture([(0.5, None)]), "found NoneType"),
    ],
)
def test_what_is_no_belief_is_refused_in_words(make, says):
    with pytest.raises(cf.IntruderError, match=says):
        make()


@pytest.mark.parametrize(
    ("belief", "says"),
    [
        ("old", "its true values are numbers, found str"),
        ({"20-29": 1.0}, "its true values are numbers, found str"),
        (cf.OneOf("age", [20, 30]), "OneOf 'age' names levels and the variable holds numbers"),
        (cf.Mixture([(1, "old")]), "its true values are numbers, found str"),
    ],
)
def test_text_about_a_recoded_number_is_refused_in_words(belief, says):
    with pytest.raises(cf.IntruderError, match=says):
        cf.assess(AGES, cf.Intruder(knows=["sex"], unavailable={"age": belief}))


def test_a_level_that_is_not_there_is_named():
    with pytest.raises(cf.IntruderError, match="there is no level 'zz'"):
        cf.link(SWAPPED, cf.Intruder(knows=["sex"], unavailable={"race": cf.OneOf("race", ["zz"])}))
    file = cf.Release(cf.Swap("race", rate=0.5, within="sex"), cf.Swap("sex", rate=0.4)).apply(DATA, seed=1)
    with pytest.raises(cf.IntruderError, match="there is no level 'zz'"):
        cf.link(file, cf.Intruder(knows=["sex", cf.Distributed("race", "zz")]))
