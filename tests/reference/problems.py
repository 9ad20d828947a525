"""Random small problems of linking, for the package and for the brute force."""

from __future__ import annotations

import itertools
import math
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, settings
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
    wide = {"normal": (30.0, 35.0)}
    kinds = [LEVELS if v["mask"]["kind"] == "swap" else [0.0, wide] for v in perturbed]
    broad = [{v["name"]: y for v, y in zip(perturbed, values, strict=True)} for values in itertools.product(*kinds)]
    return atoms + [(rnd.uniform(0.1, 1), one) for one in broad]


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
        grid = 1 if m["integer"] else "none"
        return [
            *first,
            cf.Noise(name, sd=m["sd"], lower=m["lower"], upper=m["upper"], keep_zero=m["keep_zero"], grid=grid),
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
