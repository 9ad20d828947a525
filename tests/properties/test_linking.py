"""Properties of link probabilities, and their values against a brute-force reference."""

from __future__ import annotations

import itertools
import math
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import confide as cf
from reference import reiter_brute as brute
from reference.problems import (
    RANDOM,
    agree,
    atoms_for,
    examples,
    fast_equals_row,
    intruder_of,
    make_mask,
    microdata,
    problems,
    reference,
    release_value,
    released_file,
)

# --- against the reference ---------------------------------------------------------------------------------------------


@examples(60)
@given(problems())
def test_link_probabilities_equal_the_brute_force(problem: dict[str, Any]) -> None:
    links = cf.link(released_file(problem), intruder_of(problem))
    fast_equals_row(links)
    seen: list[dict[str, Any]] = []
    for i, target in enumerate(problem["source"]):
        if target not in seen and len(seen) < 3:
            seen.append(target)
            agree(links.row(i), reference(problem, target))


@examples(40)
@given(problems(kinds=("noise",), most=2))
def test_noise_equals_the_brute_force(problem: dict[str, Any]) -> None:
    links = cf.link(released_file(problem), intruder_of(problem))
    fast_equals_row(links)
    agree(links.row(0), reference(problem, problem["source"][0]))


KNOWLEDGE = ["within", "between", "bracket", "roughly", "roughly relative", "normal", "lognormal", "uniform", "oneof"]


def partial(how: str, name: str, y: Any) -> tuple[Any, dict[str, Any]]:
    """Partial knowledge for the package and for the reference."""
    if how == "within":
        return cf.Within(name, 30), {"between": (y - 0.3 * abs(y), y + 0.3 * abs(y))}
    if how == "between":
        return cf.Between(name, y - 4, y + 11), {"bounds": (y - 4, y + 11)}
    if how == "bracket":
        low, high = [(-15.0, 5.0), (5.0, 20.0), (20.0, 55.0), (55.0, 130.0)][sum(y >= b for b in (5, 20, 55))]
        return cf.Bracket(name, [-15.0, 5.0, 20.0, 55.0, 130.0]), {"bounds": (low, math.nextafter(high, -math.inf))}
    if how == "roughly":
        return cf.Roughly(name, sd=6), {"normal": (y, 6.0)}
    if how == "roughly relative":
        return cf.Roughly(name, sd=0.2, relative=True), {"lognormal": (math.log(y), 0.2)}
    if how == "normal":
        return cf.Distributed(name, cf.Normal(30, 20)), {"normal": (30.0, 20.0)}
    if how == "lognormal":
        return cf.Distributed(name, cf.Lognormal(3.5, 0.6)), {"lognormal": (3.5, 0.6)}
    if how == "uniform":
        return cf.Distributed(name, cf.Uniform(2, 55)), {"uniform": (2.0, 55.0)}
    return cf.OneOf(name, ["a", "b"]), {"oneof": ["a", "b"]}


@examples(90)
@given(
    how=st.sampled_from(KNOWLEDGE[:-1]),
    kind=st.sampled_from(["none", "recode", "noise"]),
    others=st.booleans(),
    n=st.integers(1, 8),
    rnd=RANDOM,
)
def test_partial_knowledge_of_a_number(how: str, kind: str, others: bool, n: int, rnd: Random) -> None:
    m: dict[str, Any] = {"kind": "none"}
    if kind == "recode":
        m = {"kind": "recode", "breaks": [-1000.0, 20.0, 50.0, 1000.0]}
    if kind == "noise":
        m = {**make_mask(rnd, "noise"), "keep_zero": False, "topcode": None}
    # values off the edges of intervals (they are an open bug of their own)
    low, high = brute.moved_range(m) if kind == "noise" else (-math.inf, math.inf)
    source = [{"x": min(max(rnd.choice([3.5, 11.0, 23.0, 37.5, 52.0, 61.0, 90.0]), low), high)} for _ in range(n)]
    variables = [{"name": "x", "mask": m}]
    problem = {
        "variables": variables,
        "source": source,
        "released": [{"x": release_value(rnd, m, s["x"])} for s in source],
        "weights": [1.0] * n,
        "mode": "in" if others and kind == "noise" else "in, others skipped",
        "atoms": [atoms_for(rnd, variables) for _ in range(n)],
        "people": 1.0,
    }
    assume(how != "uniform" or source[0]["x"] <= 55)
    item, known = partial(how, "x", source[0]["x"])
    links = cf.link(released_file_numbers(problem), intruder_of(problem, [item]), cf.Targets.of_rows([0]))
    fast_equals_row(links)
    want = reference(problem, {"x": known})
    row = links.row(0)
    assert row.sample_matches == want["n_t"]
    assert row.p.tolist() == pytest.approx(want["p"], rel=2e-5, abs=1e-9)


def released_file_numbers(problem: dict[str, Any]) -> cf.Released:
    recoded = {v["name"] for v in problem["variables"] if v["mask"]["kind"] == "recode"}
    data = microdata(problem["released"], recoded, problem["weights"])
    return cf.Released(data, microdata(problem["source"], set(), problem["weights"]), np.arange(data.n), "test")


@examples(40)
@given(problems(kinds=("none", "swap"), most=2))
def test_one_of_several_levels(problem: dict[str, Any]) -> None:
    rows = [i for i, s in enumerate(problem["source"]) if s["v0"] in ("a", "b")]
    held = {s["v0"] for s in problem["source"]}
    if not rows or not {"a", "b"} <= held:
        return
    item, known = partial("oneof", "v0", None)
    knows = [item, *(v["name"] for v in problem["variables"][1:])]
    links = cf.link(released_file(problem), intruder_of(problem, knows), cf.Targets.of_rows(rows))
    fast_equals_row(links)
    # levels are as common as among the people who agree in what is known
    mine = problem["source"][rows[0]]
    alike = [s["v0"] for s in problem["source"] if all(s[v["name"]] == mine[v["name"]] for v in problem["variables"][1:])]
    known["prior"] = [alike.count(level) for level in known["oneof"]]
    agree(links.row(0), reference(problem, {**mine, "v0": known}))


# --- properties --------------------------------------------------------------------------------------------------------


@examples(40)
@given(problems(), RANDOM)
def test_the_order_of_records_does_not_matter(problem: dict[str, Any], rnd: Random) -> None:
    n = len(problem["source"])
    order = list(range(n))
    rnd.shuffle(order)
    moved = {**problem, **{k: [problem[k][i] for i in order] for k in ("source", "released", "weights", "atoms")}}
    one, two = (cf.link(released_file(p), intruder_of(p)) for p in (problem, moved))
    for name in ("best", "own", "null", "at_best", "others_at_least", "sample_matches", "population_matches"):
        assert getattr(two, name).tolist() == pytest.approx(getattr(one, name)[order].tolist(), rel=1e-9)
    for i in range(n):
        assert two.row(i).p.tolist() == pytest.approx(one.row(order[i]).p[order].tolist(), rel=1e-9)
    for m in cf.default_measures():
        values = [m.value(one.summary), m.value(two.summary)]
        assert values == [None, None] or values[0] == pytest.approx(values[1], rel=1e-9)


@examples(30)
@given(problems())
def test_a_file_laid_on_itself_halves_probabilities(problem: dict[str, Any]) -> None:
    problem = {**problem, "mode": "in"}
    twice = {**problem, **{k: problem[k] * 2 for k in ("source", "released", "weights", "atoms")}}
    one, two = (cf.link(released_file(p), intruder_of(p)) for p in (problem, twice))
    n = one.n
    assert two.own[:n].tolist() == pytest.approx((one.own / 2).tolist(), rel=1e-9)
    assert two.best[:n].tolist() == pytest.approx((one.best / 2).tolist(), rel=1e-9)
    assert two.at_best[:n].tolist() == (2 * one.at_best).tolist()
    assert two.sample_matches[:n].tolist() == (2 * one.sample_matches).tolist()


@examples(40)
@given(problems(kinds=("none", "recode", "topcode"), most=3))
def test_without_perturbation_it_is_counting(problem: dict[str, Any]) -> None:
    links = cf.link(released_file(problem), intruder_of(problem))
    n_t, people = links.sample_matches, links.population_matches
    assert (n_t >= 1).all()
    assert np.allclose(links.own, 1 / people)
    assert np.allclose(links.null, (people - n_t) / people)
    assert (links.at_best == n_t).all()
    assert (links.others_at_least == n_t - 1).all()


@examples(30)
@given(problems(kinds=("none", "swap"), most=3))
def test_the_naive_intruder_misses_changed_records(problem: dict[str, Any]) -> None:
    problem = {**problem, "mode": "in"}
    file, naive = released_file(problem), intruder_of(problem).but(understands_masking=False, supposes=None)
    values = [[{r[v["name"]] for r in problem[what]} for what in ("source", "released")] for v in problem["variables"]]
    if any(a.isdisjoint(b) for a, b in values):
        # nobody could tell such a file from one that is coded otherwise
        with pytest.raises(cf.LikelihoodError, match="coded otherwise"):
            cf.link(file, naive)
        return
    links = cf.link(file, naive)
    for i, (true, released) in enumerate(zip(problem["source"], problem["released"], strict=True)):
        assert (links.own[i] > 0) == (true == released)
        same = sum(r == true for r in problem["released"])
        assert links.own[i] == (1 / same if true == released else 0)
        assert links.null[i] == (0 if same else 1)


@examples(40)
@given(problems(kinds=("none", "recode", "topcode", "swap", "noise"), most=3))
def test_more_knowledge_never_fits_more_records(problem: dict[str, Any]) -> None:
    names = [v["name"] for v in problem["variables"]]
    n_t = [cf.link(released_file(problem), intruder_of(problem, names[:k])).sample_matches for k in range(1, len(names) + 1)]
    for fewer, more in itertools.pairwise(n_t):
        assert (more <= fewer).all()


@examples(30)
@given(problems(kinds=("noise",), most=1), st.sampled_from([1e-3, 0.5, 7.0, 1e6]))
def test_units_of_measurement_do_not_matter(problem: dict[str, Any], factor: float) -> None:
    problem = {**problem, "mode": "in"}
    problem["variables"][0]["mask"]["integer"] = False
    mask = problem["variables"][0]["mask"]

    def scaled(x: Any) -> Any:
        return x * factor if isinstance(x, float) else x

    def moved(b: Any) -> Any:
        if not isinstance(b, dict):
            return scaled(b)
        ((family, (first, second)),) = b.items()
        return {family: (first + math.log(factor), second) if family == "lognormal" else (first * factor, second * factor)}

    other = {
        **problem,
        "variables": [{"name": "v0", "mask": {**mask, **{k: scaled(mask[k]) for k in ("sd", "lower", "upper", "topcode")}}}],
        "source": [{"v0": scaled(r["v0"])} for r in problem["source"]],
        "released": [{"v0": scaled(r["v0"])} for r in problem["released"]],
        "atoms": [[(w, {"v0": moved(v["v0"])}) for w, v in atoms] for atoms in problem["atoms"]],
    }
    one, two = (cf.link(released_file(p), intruder_of(p)) for p in (problem, other))
    for i in range(one.n):
        assert two.row(i).p.tolist() == pytest.approx(one.row(i).p.tolist(), rel=1e-6, abs=1e-12)


@examples(30)
@given(problems(), RANDOM)
def test_groups_of_targets_may_be_known_differently(problem: dict[str, Any], rnd: Random) -> None:
    n = len(problem["source"])
    if n < 2:
        return
    names = [v["name"] for v in problem["variables"]]
    released, everyone = released_file(problem), intruder_of(problem)
    cut = rnd.randint(1, n - 1)
    groups = [cf.Targets.of_rows(range(cut)), cf.Targets.of_rows(range(cut, n), knows=names[:1])]
    scenario = cf.assess(released, everyone, groups).row(0)
    whole, less = cf.link(released, everyone), cf.link(released, everyone.but(knows=names[:1]))
    want = np.concatenate([whole.own[:cut], less.own[cut:]])
    assert scenario.summary.own.tolist() == pytest.approx(want.tolist(), rel=1e-12)
    assert scenario.summary.n == n


# --- fitted beliefs ----------------------------------------------------------------------------------------------------


def random_file(rnd: Random, n: int, *, zeros: bool) -> cf.Microdata:
    records = [
        {
            "sex": rnd.choice(["f", "m"]),
            "race": rnd.choice(["w", "w", "b", "a"]),
            "tax": 0.0 if zeros and rnd.random() < 0.3 else math.exp(rnd.gauss(6, 1)),
            "age": float(rnd.randint(18, 80)),
        }
        for _ in range(n)
    ]
    return microdata(records, {"sex", "race"}, [rnd.uniform(1, 9) for _ in range(n)])


RELEASES = [
    cf.Release(cf.Swap("race", rate=0.5)),
    cf.Release(cf.Noise("tax", sd=0.3, relative_to="positive", lower=0)),
    cf.Release(cf.Swap("race", rate=0.5), cf.Noise("tax", sd=100, lower=0, grid=1)),
    cf.Release(cf.Recode("age", width=10), cf.Swap("race", rate=0.5), cf.MultiplicativeNoise("tax", sd=0.3)),
    cf.Release(cf.Swap("race", rate=0.5), cf.Noise("tax", sd=50, times_above={500: 2})),
    cf.Release(cf.Topcode("tax", at=1e9), cf.Noise("tax", sd=50, upper=1e9), cf.Noise("age", sd=5)),
    cf.Release(
        cf.CorrelatedNoise(["tax", "age"], covariance=[[900.0, 10.0], [10.0, 4.0]], grid="none"),
        cf.Swap("race", rate=0.5),
    ),
    cf.Release(cf.Swap("race", rate=0.5, within="sex"), cf.Noise("tax", sd=100), cf.Topcode("tax", at=2000)),
]


@examples(40)
@given(st.sampled_from(range(len(RELEASES))), st.integers(4, 40), st.booleans(), RANDOM)
def test_fitted_beliefs_fast_path_equals_row_path(which: int, n: int, known: bool, rnd: Random) -> None:
    data = random_file(rnd, n, zeros=False)
    released = RELEASES[which].apply(data, seed=rnd.randint(0, 99))
    names = ["sex", "race", "tax", "age"]
    links = cf.link(released, cf.Intruder(knows=names, target_in_file=known))
    fast_equals_row(links)
    assert (links.own > 0).sum() >= 0.5 * n


@examples(25)
@given(st.integers(4, 40), st.booleans(), RANDOM)
def test_fitted_beliefs_with_kept_zeros(n: int, known: bool, rnd: Random) -> None:
    data = random_file(rnd, n, zeros=True)
    released = cf.Release(cf.Noise("tax", sd=100, keep_zero=True, lower=0)).apply(data, seed=3)
    links = cf.link(released, cf.Intruder(knows=["sex", "tax"], target_in_file=known))
    fast_equals_row(links)
    zero = data.column("tax").numbers == 0
    assert np.allclose(links.own[zero], 1 / links.population_matches[zero])


@examples(3)
@given(st.integers(40, 60), RANDOM)
def test_unavailable_variables_fast_path_equals_row_path(n: int, rnd: Random) -> None:
    data = random_file(rnd, n, zeros=False)
    released = cf.Release(cf.Swap("race", rate=0.5), cf.Noise("age", sd=5)).apply(data, seed=3)
    for model in (cf.Regression(), {"age": cf.Uniform(10, 90)}, {"age": cf.Normal(45, 20), "race": cf.Regression()}):
        fast_equals_row(cf.link(released, cf.Intruder(knows=["sex", "tax"], unavailable=model)))


# --- populations, samples, simulated records ---------------------------------------------------------------------------


@examples(30)
@given(st.integers(1, 12), RANDOM)
def test_population_table_is_a_count(n: int, rnd: Random) -> None:
    data = random_file(rnd, n, zeros=False)
    people = [(s, r, a, rnd.randint(0, 50)) for s in "fm" for r in ("w", "b", "a") for a in range(18, 81)]
    table = microdata([{"sex": s, "race": r, "age": float(a), "count": float(c)} for s, r, a, c in people], {"sex", "race"})
    released = cf.Release(cf.Recode("age", width=10), cf.Swap("race", rate=0.5)).apply(data, seed=1)
    aware = cf.Intruder(knows=["sex", "age"], target_in_file=False, population=cf.PopulationTable(table))
    links = cf.link(released, aware)
    for i in range(n):
        sex, age = data.column("sex").values()[i], data.column("age").numbers[i]
        count = sum(c for s, _, a, c in people if s == sex and a // 10 == age // 10)
        assert links.population_matches[i] == max(count, links.sample_matches[i])
        assert links.own[i] == pytest.approx(1 / links.population_matches[i])
    naive = aware.but(knows=["sex", "race"], understands_masking=False)
    links = cf.link(released, naive)
    for i in range(n):
        mine = data.column("sex").values()[i], data.column("race").values()[i]
        assert links.population_matches[i] == max(sum(c for s, r, _, c in people if (s, r) == mine), links.sample_matches[i])


@examples(20)
@given(problems(kinds=("none", "swap", "noise"), most=2), st.sampled_from([1.0, 3.0, 50.0]))
def test_at_least_is_a_constant_that_says_so(problem: dict[str, Any], people: float) -> None:
    problem = {**problem, "mode": "constant", "people": people}
    intruder = intruder_of(problem)
    released = released_file(problem)
    one, two = cf.link(released, intruder), cf.link(released, intruder.but(population=cf.AtLeast(people)))
    assert one.own.tolist() == two.own.tolist()
    assert "upper limits" in " ".join(intruder.but(population=cf.AtLeast(people)).describe())
    more = cf.link(released, intruder.but(population=cf.AtLeast(people + 10)))
    assert (more.own <= one.own + 1e-12).all()


@examples(30)
@given(st.integers(2, 12), st.integers(1, 6), RANDOM)
def test_simulated_records_share_the_prior(n: int, extra: int, rnd: Random) -> None:
    data = random_file(rnd, n, zeros=False)
    released = cf.Release(cf.Simulate(n=extra)).apply(data, seed=rnd.randint(0, 99))
    real = n / (n + extra)
    unsure = cf.Intruder(knows=["sex", "race"], target_in_file=False, population=cf.Constant(40))
    links = cf.link(released, unsure)
    fast_equals_row(links)
    n_t, people = links.sample_matches, links.population_matches
    assert np.allclose(links.own, real / people)
    assert np.allclose(links.null, (people - real * n_t) / people)
    sure = cf.link(released, cf.Intruder(knows=["sex", "race"]))
    assert np.allclose(sure.own, 1 / sure.sample_matches)
    naive = cf.link(released, unsure.but(understands_masking=False))
    assert np.allclose(naive.own, 1 / naive.population_matches)


@examples(30)
@given(st.integers(2, 12), RANDOM)
def test_a_sample_has_the_weights_of_the_file(n: int, rnd: Random) -> None:
    data = random_file(rnd, n, zeros=False)
    size = rnd.randint(1, n)
    released = cf.Release(cf.Sample(n=size)).apply(data, seed=rnd.randint(0, 99))
    links = cf.link(released, cf.Intruder(knows=["sex", "race"], target_in_file=False))
    fast_equals_row(links)
    key = [data.column("sex").values(), data.column("race").values()]
    for i in range(n):
        like = [j for j in released.parent if (key[0][j], key[1][j]) == (key[0][i], key[1][i])]
        people = max(sum(data.weights[j] for j in like) * n / size, len(like))
        assert links.population_matches[i] == pytest.approx(people)
        assert links.own[i] == pytest.approx(1 / people if i in released.parent else 0)
