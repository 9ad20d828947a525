"""Properties of link probabilities, and their values against a brute-force reference."""

from __future__ import annotations

import itertools
import math
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

import confide as cf
from confide.data.column import MISSING, NUMBER
from reference import reiter_brute as brute

RANDOM = st.integers(0, 2**32).map(Random)


def examples(count: int) -> Any:
    return settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


# --- files, built without any reader -----------------------------------------------------------------------------------


def column(values: list[Any]) -> cf.Column:
    labels = tuple(dict.fromkeys(v for v in values if isinstance(v, str)))
    codes = [MISSING if v is None else labels.index(v) if isinstance(v, str) else NUMBER for v in values]
    numbers = [math.nan if v is None or isinstance(v, str) else float(v) for v in values]
    return cf.Column(np.array(numbers), np.array(codes, dtype=np.int64), labels)


def coded(values: list[Any]) -> cf.Column:
    return cf.Column.of_labels(values)


def microdata(records: list[dict[str, Any]], nominal: set[str], weights: list[float] | None = None) -> cf.Microdata:
    variables, columns = {}, {}
    for name in records[0]:
        values = [r[name] for r in records]
        kind = cf.Kind.NOMINAL if name in nominal else cf.Kind.CONTINUOUS
        variables[name] = cf.Variable(name, kind, cf.Role.KEY)
        columns[name] = coded(values) if name in nominal else column(values)
    if weights is not None:
        variables["weight"] = cf.Variable("weight", cf.Kind.CONTINUOUS, cf.Role.WEIGHT)
        columns["weight"] = cf.Column.of_numbers(weights)
    return cf.Microdata(variables, columns)


# --- random problems ---------------------------------------------------------------------------------------------------

LEVELS = ["a", "b", "c"]


def matrix(rnd: Random, k: int) -> list[list[float]]:
    rows = []
    for i in range(k):
        row = [rnd.random() * (rnd.random() < 0.8) + (3.0 if i == j else 0.0) for j in range(k)]
        rows.append([x / sum(row) for x in row])
    return rows


def make_mask(rnd: Random, kind: str) -> dict[str, Any]:
    if kind == "recode":
        return {"kind": "recode", "breaks": [-1000.0, 20.0, 50.0, 1000.0]}
    if kind == "topcode":
        return {"kind": "topcode", "cut": rnd.choice([20.0, 60.0])}
    if kind == "swap":
        return {"kind": "swap", "levels": LEVELS, "matrix": matrix(rnd, 3)}
    if kind == "noise":
        top = rnd.choice([None, None, 60.0])
        lower = rnd.choice([None, 0.0])
        return {
            "kind": "noise",
            "sd": rnd.choice([2.0, 7.5, 25.0]),
            "lower": lower,
            "upper": top if rnd.random() < 0.7 else rnd.choice([None, 120.0]),
            "keep_zero": rnd.random() < 0.5,
            "integer": rnd.random() < 0.4,
            "topcode": top,
        }
    return {"kind": "none"}


def true_value(rnd: Random, mask: dict[str, Any]) -> Any:
    if mask["kind"] in ("none", "swap"):
        return rnd.choice(LEVELS)
    return rnd.choice([0.0, 3.0, 10.0, 20.0, 37.0, 50.0, 61.0, 90.0])


def release_value(rnd: Random, mask: dict[str, Any], y: Any) -> Any:
    if mask["kind"] == "swap":
        return rnd.choices(mask["levels"], mask["matrix"][LEVELS.index(y)])[0]
    if mask["kind"] != "noise":
        return brute.push(mask, y)
    group = brute.noisy_class(mask, y)
    if group != "moved":
        return "top" if group == "top" else 0.0
    low, high = brute.bounds(mask)
    while True:
        z = rnd.gauss(y, mask["sd"])
        if mask["integer"]:
            z = float(round(z))
            z = math.copysign(1.0, z) if z == 0 and mask["keep_zero"] else z
        if low <= z <= high:
            return z


def belief(rnd: Random, mask: dict[str, Any]) -> Any:
    if mask["kind"] == "swap":
        return rnd.choice(LEVELS)
    family = rnd.choice(["point", "normal", "lognormal", "uniform"])
    if family == "point":
        return rnd.choice([0.0, 10.0, 37.0, 90.0])
    return {
        "normal": {"normal": (rnd.choice([10.0, 40.0]), rnd.choice([12.0, 30.0]))},
        "lognormal": {"lognormal": (rnd.choice([2.5, 3.5]), rnd.choice([0.5, 1.1]))},
        "uniform": {"uniform": (-5.0, rnd.choice([80.0, 150.0]))},
    }[family]


def atoms_for(rnd: Random, variables: list[dict[str, Any]]) -> list[tuple[float, dict[str, Any]]]:
    """Random atoms, and one broad atom per combination of levels, so that no released record is impossible."""
    perturbed = [v for v in variables if v["mask"]["kind"] in ("swap", "noise")]
    atoms = [(rnd.uniform(0.1, 1), {v["name"]: belief(rnd, v["mask"]) for v in perturbed}) for _ in range(rnd.randint(0, 2))]
    noisy = [v["name"] for v in perturbed if v["mask"]["kind"] == "noise"]
    for k in range(3):
        for zeros in itertools.product((False, True), repeat=len(noisy)):
            zero = dict(zip(noisy, zeros, strict=True))
            broad: dict[str, Any] = {}
            for v in perturbed:
                name = v["name"]
                broad[name] = LEVELS[k] if name not in zero else 0.0 if zero[name] else {"normal": (30.0, 35.0)}
            atoms.append((rnd.uniform(0.1, 1), broad))
    return atoms


@st.composite
def problems(
    draw: st.DrawFn, kinds: tuple[str, ...] = ("none", "recode", "topcode", "swap", "noise"), most: int = 3
) -> dict[str, Any]:
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=most))
    n = draw(st.integers(1, 12))
    rnd = draw(RANDOM)
    variables = [{"name": f"v{i}", "mask": make_mask(rnd, kind)} for i, kind in enumerate(chosen)]
    # values outside the noise's bounds would be refused by the agency
    sources = []
    for _ in range(n):
        record = {}
        for v in variables:
            y = true_value(rnd, v["mask"])
            if v["mask"]["kind"] == "noise" and brute.noisy_class(v["mask"], y) == "moved":
                low, high = brute.moved_range(v["mask"])
                y = min(max(y, low), high)
            record[v["name"]] = y
        sources.append(record)
    records = [{v["name"]: release_value(rnd, v["mask"], s[v["name"]]) for v in variables} for s in sources]
    # a noisy variable of which every value is coded is refused
    assume(all(any(r[v["name"]] != "top" for r in records) for v in variables if v["mask"]["kind"] in ("noise", "topcode")))
    mode = draw(st.sampled_from(["in", "in, others skipped", "weights", "constant"]))
    return {
        "variables": variables,
        "source": sources,
        "released": records,
        "mode": mode,
        "weights": [rnd.uniform(0.3, 6) for _ in range(n)],
        "people": rnd.choice([1.0, 5.0, 40.0]),
        "atoms": [atoms_for(rnd, variables) for _ in range(n)],
    }


# --- the same problem for the package ----------------------------------------------------------------------------------


def methods(variable: dict[str, Any]) -> list[Any]:
    name, m = variable["name"], variable["mask"]
    if m["kind"] == "recode":
        return [cf.Recode(name, breaks=m["breaks"], labels=list(range(len(m["breaks"]) - 1)))]
    if m["kind"] == "topcode":
        return [cf.Topcode(name, at=m["cut"], label="top")]
    if m["kind"] == "swap":
        return [cf.Swap(name, matrix=cf.GivenMatrix(m["levels"], m["matrix"]))]
    if m["kind"] == "noise":
        first = [] if m["topcode"] is None else [cf.Topcode(name, at=m["topcode"], label="top")]
        return [
            *first,
            cf.Noise(name, sd=m["sd"], lower=m["lower"], upper=m["upper"], keep_zero=m["keep_zero"], integer=m["integer"]),
        ]
    return []


def as_distribution(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    ((family, parameters),) = value.items()
    return {"normal": cf.Normal, "lognormal": cf.Lognormal, "uniform": cf.Uniform}[family](*parameters)


def released_file(problem: dict[str, Any]) -> cf.Released:
    nominal = {v["name"] for v in problem["variables"] if v["mask"]["kind"] in ("none", "swap")}
    recoded = {v["name"] for v in problem["variables"] if v["mask"]["kind"] == "recode"}
    source = microdata(problem["source"], nominal, problem["weights"])
    data = microdata(problem["released"], nominal | recoded, problem["weights"])
    return cf.Released(data, source, np.arange(data.n), "test")


def intruder_of(problem: dict[str, Any], knows: list[Any] | None = None) -> cf.Intruder:
    mode = problem["mode"]
    units = [
        [cf.Atom(w, {k: as_distribution(x) for k, x in values.items()}) for w, values in atoms] for atoms in problem["atoms"]
    ]
    return cf.Intruder(
        knows=knows or [v["name"] for v in problem["variables"]],
        target_in_file=mode.startswith("in"),
        population=cf.Constant(problem["people"]) if mode == "constant" else None,
        supposes=cf.Release(*(m for v in problem["variables"] for m in methods(v))),
        models_others=mode != "in, others skipped",
        beliefs=cf.SuppliedBeliefs(units),
    )


def reference(problem: dict[str, Any], target: dict[str, Any]) -> dict[str, Any]:
    mode = problem["mode"]
    return brute.link(
        problem["variables"],
        problem["released"],
        target,
        atoms=None if mode == "in, others skipped" else problem["atoms"],
        weights=problem["weights"] if mode == "weights" else None,
        people=problem["people"] if mode == "constant" else None,
        beliefs=problem["atoms"],
    )


def agree(row: cf.LinkRow, want: dict[str, Any]) -> None:
    assert row.sample_matches == want["n_t"]
    assert row.population_matches == pytest.approx(want["N_t"], rel=1e-12)
    assert row.p.tolist() == pytest.approx(want["p"], rel=1e-6, abs=1e-10)
    assert row.null == pytest.approx(want["null"], rel=1e-6, abs=1e-10)


def fast_equals_row(links: cf.Links) -> None:
    """What the inner loops kept for every target is what the row says."""
    for i in range(links.n):
        row = links.row(i)
        assert np.isfinite(row.p).all()
        assert row.p.sum() + row.null == pytest.approx(1, rel=1e-9)
        best = row.p.max()
        assert links.best[i] == pytest.approx(best, rel=1e-9, abs=1e-15)
        assert links.null[i] == row.null
        if best > 0:
            assert links.at_best[i] == row.at_best.size
        if row.own is not None:
            assert links.own[i] == pytest.approx(row.p[row.own], rel=1e-8, abs=1e-15)
            assert bool(links.own_is_best[i]) == (row.own in row.at_best)
            assert links.others_at_least[i] == row.others_at_least


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
    if kind != "noise" and how == "uniform":
        known = {"between": known["uniform"]}
    if isinstance(item, cf.Between) and how == "uniform":
        return
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
    agree(links.row(0), reference(problem, {**problem["source"][rows[0]], "v0": known}))


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
    links = cf.link(released_file(problem), intruder_of(problem).but(understands_masking=False, supposes=None))
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
    cf.Release(cf.Swap("race", rate=0.5), cf.Noise("tax", sd=100, lower=0, integer=True)),
    cf.Release(cf.Recode("age", width=10), cf.Swap("race", rate=0.5), cf.MultiplicativeNoise("tax", sd=0.3)),
    cf.Release(cf.Swap("race", rate=0.5), cf.Noise("tax", sd=50, times_above={500: 2})),
    cf.Release(cf.Topcode("tax", at=1e9), cf.Noise("tax", sd=50, upper=1e9), cf.Noise("age", sd=5)),
    cf.Release(cf.CorrelatedNoise(["tax", "age"], covariance=[[900.0, 10.0], [10.0, 4.0]]), cf.Swap("race", rate=0.5)),
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


# --- smallest examples of bugs that were found -------------------------------------------------------------------------


def numbers(**values: list[float]) -> cf.Microdata:
    return microdata([dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)], set())


def test_the_edge_of_a_recoded_interval() -> None:
    released = cf.Release(cf.Recode("x", width=10)).apply(numbers(x=[5, 15, 20, 25]), seed=1)
    row = cf.link(released, cf.Intruder(knows=[cf.Between("x", low=20)]), cf.Targets.of_rows([2])).row(0)
    assert row.parts.consistent.tolist() == [False, False, True, True]


def test_the_edge_of_a_topcode() -> None:
    released = cf.Release(cf.Topcode("x", at=20)).apply(numbers(x=[5, 15, 20, 25]), seed=1)
    row = cf.link(released, cf.Intruder(knows=[cf.Between("x", high=20)]), cf.Targets.of_rows([2])).row(0)
    assert row.parts.consistent.tolist() == [True, True, True, False]


def test_a_wide_interval_and_small_noise() -> None:
    # a uniform belief on a million dollars, noise of ten
    released = cf.Release(cf.Noise("x", sd=10)).apply(numbers(x=[500, 5e5, 9e5, 1000, 1500]), seed=1)
    supplied = cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Uniform(0, 1e6)})]])
    for item in (cf.Between("x", 0, 1e6), cf.Distributed("x", cf.Uniform(0, 1e6))):
        row = cf.link(released, cf.Intruder(knows=[item], models_others=False, beliefs=supplied)).row(0)
        assert row.parts.a.tolist() == pytest.approx([1e-6] * 5, rel=1e-6)


def test_one_sided_bounds_on_a_noisy_number() -> None:
    released = cf.Release(cf.Noise("x", sd=5)).apply(numbers(x=[10, 20, 30, 200, 210]), seed=1)
    intruder = cf.Intruder(knows=[cf.Between("x", low=100)])
    links = cf.link(released, intruder, cf.Targets.of_rows([3, 4]))
    assert links.own.tolist() == pytest.approx([0.5, 0.5], rel=1e-6)


@pytest.mark.filterwarnings("default:overflow encountered")
def test_a_target_far_from_all_records() -> None:
    released = cf.Released.from_files(numbers(g=[0, 1, 1], x=[0, 0, 1000]), numbers(g=[0, 1, 1], x=[100, 1, 1000]))
    supposed = cf.Release(cf.Noise("x", sd=1))
    links = cf.link(released, cf.Intruder(knows=["g", "x"], models_others=False, supposes=supposed))
    fast_equals_row(links)


def test_a_record_that_is_impossible_under_the_beliefs_is_an_error() -> None:
    data = microdata([{"r": x} for x in "aba"], {"r"})
    supposed = cf.Release(cf.Swap("r", matrix=cf.GivenMatrix(["a", "b"], [[1, 0], [0, 1]])))
    beliefs = cf.SuppliedBeliefs([[cf.Atom(1, {"r": "a"})]])
    intruder = cf.Intruder(knows=["r"], supposes=supposed, beliefs=beliefs)
    with pytest.raises(cf.LikelihoodError, match="impossible"):
        cf.link(cf.Released.from_files(data, data), intruder)


@pytest.mark.parametrize(
    "believed", [(-5.0, 5.0), (cf.Uniform(-10, -1), cf.Uniform(1, 10)), (cf.Normal(-5, 1), cf.Normal(5, 1))]
)
def test_negative_amounts_mirror_positive_ones(believed: tuple[Any, Any]) -> None:
    released = cf.Release(cf.MultiplicativeNoise("x", sd=0.1)).apply(numbers(x=[-5, 5]), seed=1)
    data = numbers(x=[-4.9, 4.9])
    released = cf.Released(data, released.source, released.parent, "x", released.methods, released.steps)
    beliefs = cf.SuppliedBeliefs([[cf.Atom(0.5, {"x": b}) for b in believed]])
    links = cf.link(released, cf.Intruder(knows=["x"], beliefs=beliefs))
    m = links.row(0).parts.log_m
    assert np.isfinite(m).all()
    assert m[0] == pytest.approx(m[1], rel=1e-9)


def test_a_distribution_says_nothing_about_kept_zeros() -> None:
    released = cf.Release(cf.Noise("x", sd=1, keep_zero=True)).apply(numbers(x=[0, 5, 0, 7]), seed=1)
    with pytest.raises(cf.LikelihoodError, match="kept zeros"):
        cf.link(released, cf.Intruder(knows=[cf.Distributed("x", cf.Normal(1, 2))], models_others=False))


def test_population_table_with_unrestricted_noise() -> None:
    data = microdata([{"g": g, "x": x} for g, x in (("a", 5.0), ("b", 6.0), ("b", 7.0))], {"g"})
    table = microdata([{"g": "a", "count": 100.0}, {"g": "b", "count": 200.0}], {"g"})
    intruder = cf.Intruder(knows=["g", "x"], target_in_file=False, population=cf.PopulationTable(table))
    links = cf.link(cf.Release(cf.Noise("x", sd=1)).apply(data, seed=1), intruder)
    assert links.population_matches.tolist() == [100, 200, 200]


def test_regression_of_unavailable_on_a_distribution() -> None:
    released = cf.Release(cf.Noise("x", sd=1), cf.Noise("u", sd=1)).apply(
        numbers(x=[5, 6, 7, 8, 10], u=[1, 3, 2, 5, 8]), seed=1
    )
    intruder = cf.Intruder(knows=[cf.Distributed("x", cf.Normal(7, 2))], unavailable=cf.Regression())
    fast_equals_row(cf.link(released, intruder))


def test_a_level_called_missing() -> None:
    data = microdata([{"r": x} for x in ("missing", "b", None, "missing", None, "b")], {"r"})
    named = microdata([{"r": x} for x in ("other", "b", None, "other", None, "b")], {"r"})
    one, two = (
        cf.link(cf.Release(cf.Swap("r", rate=1.0)).apply(d, seed=1), cf.Intruder(knows=["r"])) for d in (data, named)
    )
    assert one.own.tolist() == pytest.approx(two.own.tolist())


def test_a_uniform_belief_is_cut_to_the_bounds() -> None:
    data = numbers(x=[24, 3, 46])
    supposed = cf.Release(cf.Noise("x", sd=25, lower=0, upper=60))
    a = []
    for high in (60, 70):
        intruder = cf.Intruder(knows=[cf.Distributed("x", cf.Uniform(2, high))], models_others=False, supposes=supposed)
        a.append(cf.link(cf.Released.from_files(data, data), intruder).row(0).parts.a.tolist())
    assert a[0] == pytest.approx(a[1], rel=1e-6)
