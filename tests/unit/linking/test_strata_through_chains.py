"""Swaps within strata to which several things happen later: against the chain written out, and by simulation."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

N = 300
SEX, RACE, AGE = ("s0", "s1", "s2"), ("r0", "r1"), ("a0", "a1")
EXCHANGE = cf.Recode("sex", mapping={"s0": "s1", "s1": "s0", "s2": "s2"})
RENAME = cf.Recode("sex", mapping={"s0": "A", "s1": "B", "s2": "C"})
MERGE = cf.Recode("sex", mapping={"s0": "s0", "s1": "s0", "s2": "s1"})
CHAINS = {
    "names exchanged, swapped": [EXCHANGE, cf.Swap("sex", rate=0.5)],
    "new names, swapped": [RENAME, cf.Swap("sex", rate=0.5)],
    "two taken as one by a name they had, swapped": [MERGE, cf.Swap("sex", rate=0.5)],
    "exchanged, taken as one, swapped, renamed": [
        EXCHANGE, MERGE, cf.Swap("sex", rate=0.5), cf.Recode("sex", mapping={"s0": "s1", "s1": "s0"})
    ],
    "left out": [cf.Drop("sex")],
    "swapped, left out": [cf.Swap("sex", rate=0.5), cf.Drop("sex")],
    "exchanged, left out": [EXCHANGE, cf.Drop("sex")],
    "age swapped within new names": [EXCHANGE, cf.Swap("age", rate=0.7, within="sex"), cf.Swap("sex", rate=0.5)],
}  # fmt: skip


def people(seed: int, n: int = N) -> cf.Microdata:
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 3, n)
    race = (rng.random(n) < np.array([0.05, 0.95, 0.5])[sex]).astype(int)
    age = (rng.random(n) < np.array([0.8, 0.3, 0.1])[sex]).astype(int)
    columns = {"sex": [SEX[i] for i in sex], "race": [RACE[i] for i in race], "age": [AGE[i] for i in age]}
    return cf.Microdata.from_dict(columns).declare(key=["sex", "race", "age"])


def chances(released: cf.Released, person: tuple[str, ...]) -> dict[tuple[str | None, ...], float]:
    """Write the chain out: how probable every released combination of a person is."""
    out = {person: 1.0}
    for method, step in zip(released.methods, released.steps, strict=True):
        new: dict[tuple[str | None, ...], float] = {}
        for (sex, race, age), p in out.items():
            if isinstance(method, cf.Recode):
                moves = {(method.mapping[sex], race, age): 1.0}
            elif isinstance(method, cf.Drop):
                moves = {(None, race, age): 1.0}
            else:
                name = method.variables[0]
                core, now = step.channels[name], {"sex": sex, "race": race, "age": age}
                s = core.strata.index((sex,)) if core.stratum else 0
                row = core.matrix[s, core.levels.index(now[name])]
                moves = {tuple((now | {name: z}).values()): q for z, q in zip(core.levels, row, strict=True)}
            for z, q in moves.items():
                new[z] = new.get(z, 0.0) + p * q
        out = new
    return out


def by_hand(released: cf.Released, person: tuple[str, ...]) -> np.ndarray:
    """Pr(z_j | target) over its mean among all people, made to add up to one."""
    everybody = list(zip(*(released.source.column(n).values() for n in ("sex", "race", "age")), strict=True))
    n, known = released.data.n, released.data.names
    shown = [released.data.column(x).values() if x in known else [None] * n for x in ("sex", "race", "age")]
    kinds = {k: chances(released, k) for k in set(everybody)}
    of_all = {}
    for k in everybody:
        for z, p in kinds[k].items():
            of_all[z] = of_all.get(z, 0.0) + p / len(everybody)
    ratio = np.array([kinds[person].get(z, 0.0) / of_all[z] for z in zip(*shown, strict=True)])
    return ratio / ratio.sum()


@pytest.mark.parametrize("name", CHAINS)
def test_a_stratum_was_read_by_the_names_it_had_later(name):
    data = people(7)
    within = cf.Swap("race", rate=0.8, within="sex")
    swap_age = [] if "age" in name else [cf.Swap("age", rate=0.3)]
    released = cf.Release(within, *CHAINS[name], *swap_age).apply(data, seed=7)
    links = cf.link(released, cf.Intruder(knows=["sex", "race", "age"]))
    assert links.evidence.ignored == ()
    for i in range(0, N, 23):
        person = tuple(data.column(n).values()[i] for n in ("sex", "race", "age"))
        assert links.row(i).p == pytest.approx(by_hand(released, person), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("later", [[cf.Drop("sex")], [EXCHANGE, cf.Swap("sex", rate=0.5)]], ids=["left out", "exchanged"])
def test_a_stratum_that_was_left_out_or_renamed_by_simulation(later):
    """People of s1 and r0 who are shown r1, nearly all of them: a twentieth, a half of the true number was stated."""
    stated, true = [], []
    for seed in range(12):
        data = people(seed, 2000)
        sex, race = (np.array(data.column(n).values()) for n in ("sex", "race"))
        mine = np.flatnonzero((sex == "s1") & (race == "r0"))
        released = cf.Release(cf.Swap("race", rate=0.8, within="sex"), *later).apply(data, seed=seed)
        p = cf.link(released, cf.Intruder(knows=["sex", "race"]), cf.Targets.of_rows(mine[:1].tolist())).row(0).p
        there = np.array(released.data.column("race").values()) == "r1"
        stated.append(p[there].sum() * mine.size)
        true.append(np.isin(released.parent[there], mine).sum())
    off = np.array(stated) - np.array(true)
    assert abs(off.mean()) < 4 * off.std(ddof=1) / np.sqrt(off.size)
    assert np.mean(stated) == pytest.approx(np.mean(true), rel=0.15)


def test_leaving_a_stratum_out_says_what_recoding_it_to_one_says():
    """Whatever is known of the population, which a variable that is not released does not narrow down."""
    data = people(3)
    within, one = cf.Swap("race", rate=0.8, within="sex"), cf.Recode("sex", mapping=dict.fromkeys(SEX, "any"))
    sample = cf.Sample(n=150)
    left, recoded = (cf.Release(sample, within, m).apply(data, seed=3) for m in (cf.Drop("sex"), one))
    table = cf.PopulationTable(data.with_columns({"count": cf.Microdata.from_dict({"count": [2] * N}).columns["count"]}))
    for knows in (["sex", "race", "age"], ["race", "age", cf.OneOf("sex", ["s0", "s1"])]):
        told = cf.Targets.of_rows([i for i, s in enumerate(data.column("sex").values()) if s != "s2"])
        intruder = cf.Intruder(knows=knows, target_in_file=False, population=table)
        one, two = (cf.link(r, intruder, told) for r in (left, recoded))
        for i in range(0, one.n, 17):
            assert one.row(i).p == pytest.approx(two.row(i).p, rel=1e-9)
        assert one.null == pytest.approx(two.null, rel=1e-9)


def test_who_does_not_know_the_stratum_that_was_left_out_averages_over_it():
    released = cf.Release(cf.Swap("race", rate=0.8, within="sex"), cf.Drop("sex")).apply(people(3), seed=3)
    without = cf.link(released, cf.Intruder(knows=["race"]))
    some = cf.link(released, cf.Intruder(knows=["race", cf.OneOf("sex", SEX)]))
    assert some.row(0).p == pytest.approx(without.row(0).p, rel=1e-6)
    assert cf.failing_assumptions(cf.Intruder(knows=["race"]), released) == ()
    # who knows more than race does not learn from it what the stratum is
    named = cf.failing_assumptions(cf.Intruder(knows=["race", "age"]), released)
    assert named == ("sex is not known; given the true race, it is taken to be independent of what else is known",)


@pytest.mark.parametrize("later", [cf.Drop("sex"), cf.Recode("sex", mapping=dict.fromkeys(SEX, "any"))])
def test_knowledge_of_one_of_several_strata_that_is_not_used_was_not_named(later):
    released = cf.Release(cf.Swap("race", rate=0.8, within=["sex", "age"]), later).apply(people(3), seed=3)
    named = cf.failing_assumptions(cf.Intruder(knows=["race", "sex", "age"]), released)
    assert any("what is known of sex is not used" in reason for reason in named)


def test_a_stratum_that_was_perturbed_before_the_swap_is_refused_however_it_is_known():
    data = people(1)
    chain = [cf.Swap("sex", rate=0.3), cf.Swap("race", rate=0.8, within="sex"), cf.Drop("sex")]
    released = cf.Release(*chain).apply(data, seed=1)
    for how in ("sex", cf.OneOf("sex", SEX)):
        with pytest.raises(cf.LikelihoodError, match="then values are swapped within it, then it is masked again"):
            cf.link(released, cf.Intruder(knows=["race", how]))
