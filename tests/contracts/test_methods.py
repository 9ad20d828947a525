"""Every masking method through the same checks: its two faces must agree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import confide as cf


@dataclass(frozen=True)
class Case:
    methods: tuple[Any, ...]
    touches: tuple[str, ...]
    random: bool = True
    values: tuple[Any, ...] = ()
    """True values at which both faces are compared."""
    discrete: bool = False
    """All released values have probability masses."""


def tax(
    *methods: Any, values: tuple[float, ...] = (0.0, 40.0, 635.0, 2900.0), discrete: bool = False, random: bool = True
) -> Case:
    return Case(methods, ("tax",), random, values, discrete)


CASES: dict[str, Case] = {
    "recode-width": Case((cf.Recode("age", width=5),), ("age",), False),
    "recode-width-start": Case((cf.Recode("age", width=7, start=3),), ("age",), False),
    "recode-breaks": Case((cf.Recode("income", breaks=[-np.inf, 0, 1000, np.inf]),), ("income",), False),
    "recode-labels": Case((cf.Recode("age", breaks=[0, 30, 60, 120], labels=["y", "m", "o"]),), ("age",), False),
    "recode-mapping": Case(
        (cf.Recode("race", mapping={"w": "w", "b": "other", "a": "other", "n": "other"}),), ("race",), False
    ),
    "topcode": Case((cf.Topcode("tax", at=2000),), ("tax",), False),
    "topcode-number": Case((cf.Topcode("tax", at=2000, replacement=2500.0),), ("tax",), False),
    "topcode-mean": Case((cf.Topcode("tax", at=2000, replacement="mean"),), ("tax",), False),
    "topcode-median": Case((cf.Topcode("tax", at=2000, replacement="median"),), ("tax",), False),
    "bottomcode": Case((cf.Bottomcode("income", at=0),), ("income",), False),
    "bottomcode-mean": Case((cf.Bottomcode("income", at=0, replacement="mean"),), ("income",), False),
    "round": Case((cf.Round("tax", to=100),), ("tax",), False),
    "round-small": Case((cf.Round("income", to=0.1),), ("income",), False),
    "drop": Case((cf.Drop("tax"),), ("tax",), False),
    "swap": Case((cf.Swap("race", rate=0.3),), ("race",), values=("w", "b", "a"), discrete=True),
    "swap-all": Case((cf.Swap("race", rate=1.0),), ("race",), values=("w", "b", "a"), discrete=True),
    "swap-simulated": Case(
        (cf.Swap("race", rate=0.3, matrix=cf.Simulated(20, seed=3)),), ("race",), values=("w", "b"), discrete=True
    ),
    "swap-within": Case((cf.Swap("race", rate=0.8, within="sex"),), ("race",), values=("w", "b"), discrete=True),
    "swap-numbers": Case((cf.Swap("age", rate=0.5),), ("age",), values=(30, 50), discrete=True),
    "noise": tax(cf.Noise("tax", sd=100, grid="none")),
    "noise-relative": tax(cf.Noise("tax", sd=0.1, relative_to="all", grid="none")),
    "noise-relative-positive": tax(cf.Noise("tax", sd=0.1, relative_to="positive", keep_zero=True, lower=0, grid="none")),
    "noise-keep-zero": tax(cf.Noise("tax", sd=100, keep_zero=True, grid="none")),
    "noise-redraw": tax(cf.Noise("tax", sd=300, keep_zero=True, lower=0, upper=3000, grid="none")),
    "noise-redraw-lower": tax(cf.Noise("tax", sd=300, lower=0, grid="none")),
    "noise-clamp": tax(cf.Noise("tax", sd=300, lower=0, upper=3000, outside="clamp", grid="none")),
    "noise-integer": tax(cf.Noise("tax", sd=4, grid=1), discrete=True),
    "noise-integer-keep-zero": tax(
        cf.Noise("tax", sd=2, grid=1, keep_zero=True, lower=0), values=(0.0, 1.0, 2.0, 40.0), discrete=True
    ),
    "noise-integer-keep-zero-free": tax(
        cf.Noise("tax", sd=2, grid=1, keep_zero=True), values=(0.0, 1.0, 40.0), discrete=True
    ),
    "noise-integer-bounds": tax(
        cf.Noise("tax", sd=3, grid=1, keep_zero=True, lower=0.4, upper=2900.7),
        values=(1.0, 40.0, 2900.0),
        discrete=True,
    ),
    "noise-integer-clamp": tax(
        cf.Noise("tax", sd=3, grid=1, lower=0, upper=2900.7, outside="clamp"),
        values=(0.0, 40.0, 2900.0),
        discrete=True,
    ),
    "noise-times-above": tax(cf.Noise("tax", sd=50, times_above={600: 4, 2000: 8}, grid="none")),
    "noise-negative": Case((cf.Noise("income", sd=20, upper=5000, grid="none"),), ("income",), values=(-50.0, 0.0, 800.0)),
    "multiplicative": Case(
        (cf.MultiplicativeNoise("income", sd=0.2, grid="none"),), ("income",), values=(-50.0, 0.0, 800.0)
    ),
    "multiplicative-mean-one": Case(
        (cf.MultiplicativeNoise("income", sd=0.5, mean_one=True, grid="none"),), ("income",), values=(-50.0, 0.0, 800.0)
    ),
    "multiplicative-integer": Case(
        (cf.MultiplicativeNoise("income", sd=0.5, grid=1),), ("income",), values=(-2.0, 0.0, 1.0, 30.0), discrete=True
    ),
    "topcode-noise": tax(
        cf.Topcode("tax", at=2000),
        cf.Noise("tax", sd=300, keep_zero=True, lower=0, upper=2000, grid="none"),
        values=(0.0, 40.0, 1900.0, 2900.0),
    ),
    "topcode-number-noise": tax(
        cf.Topcode("tax", at=2000, replacement=2000), cf.Noise("tax", sd=300, grid="none"), values=(40.0, 2900.0)
    ),
    "bottom-top-noise": tax(
        cf.Bottomcode("tax", at=10), cf.Topcode("tax", at=2000), cf.Noise("tax", sd=300, lower=10, upper=2000, grid="none")
    ),
    "noise-topcode": tax(cf.Noise("tax", sd=300, keep_zero=True, lower=0, grid="none"), cf.Topcode("tax", at=2500)),
    "noise-topcode-number": tax(cf.Noise("tax", sd=300, grid="none"), cf.Topcode("tax", at=2500, replacement=2500.0)),
    "noise-bottomcode": tax(cf.Noise("tax", sd=300, grid="none"), cf.Bottomcode("tax", at=100)),
    "noise-round": tax(cf.Noise("tax", sd=300), cf.Round("tax", to=100), discrete=True),
    "noise-redraw-round": tax(cf.Noise("tax", sd=300, lower=0, upper=3000), cf.Round("tax", to=400), discrete=True),
    "noise-clamp-round": tax(
        cf.Noise("tax", sd=300, lower=0, upper=3000, outside="clamp"), cf.Round("tax", to=400), discrete=True
    ),
    "noise-clamp-topcode": tax(
        cf.Noise("tax", sd=300, lower=0, upper=3000, outside="clamp", grid="none"), cf.Topcode("tax", at=2800)
    ),
    "noise-recode": tax(cf.Noise("tax", sd=300), cf.Recode("tax", width=250), discrete=True),
    "noise-recode-breaks": tax(
        cf.Noise("tax", sd=300), cf.Recode("tax", breaks=[-np.inf, 0, 500, 2500, np.inf]), discrete=True
    ),
    "noise-integer-topcode": tax(cf.Noise("tax", sd=4, grid=1, keep_zero=True), cf.Topcode("tax", at=638), discrete=True),
    "noise-grid": tax(cf.Noise("tax", sd=30), discrete=True),
    "noise-grid-coarse": tax(cf.Noise("tax", sd=40, grid=25), discrete=True),
    "noise-grid-cents": tax(cf.Noise("tax", sd=0.05, grid=0.01), discrete=True),
    "noise-grid-coarse-clamp": tax(
        cf.Noise("tax", sd=40, grid=25, keep_zero=True, lower=0, upper=2910, outside="clamp"), discrete=True
    ),
    "noise-grid-coarse-redraw": tax(cf.Noise("tax", sd=40, grid=25, lower=-10, upper=2910), discrete=True),
    "noise-grid-coarse-round": tax(cf.Noise("tax", sd=40, grid=25, keep_zero=True), cf.Round("tax", to=100), discrete=True),
    "noise-grid-coarse-topcode": tax(
        cf.Noise("tax", sd=40, grid=25, keep_zero=True), cf.Topcode("tax", at=600), discrete=True
    ),
    "topcode-noise-grid": tax(
        cf.Topcode("tax", at=2000, replacement=2000), cf.Noise("tax", sd=40, grid=25), values=(40.0, 2900.0), discrete=True
    ),
    "multiplicative-grid": Case(
        (cf.MultiplicativeNoise("income", sd=0.5, grid=25),), ("income",), values=(-50.0, 0.0, 800.0), discrete=True
    ),
    "multiplicative-grid-cents": Case(
        (cf.MultiplicativeNoise("income", sd=0.5, grid=0.01),), ("income",), values=(-2.0, 1.0), discrete=True
    ),
    "noise-integer-round": tax(cf.Noise("tax", sd=7, grid=1), cf.Round("tax", to=5), discrete=True),
    "noise-integer-recode": tax(cf.Noise("tax", sd=7, grid=1), cf.Recode("tax", width=5), discrete=True),
    "multiplicative-topcode": Case(
        (cf.MultiplicativeNoise("income", sd=0.3), cf.Topcode("income", at=900)), ("income",), values=(-50.0, 0.0, 800.0)
    ),
    "recode-swap": Case(
        (cf.Recode("race", mapping={"w": "w", "b": "other", "a": "other", "n": "n"}), cf.Swap("race", rate=0.6)),
        ("race",),
        values=("w", "b", "n"),
        discrete=True,
    ),
    "swap-recode": Case(
        (cf.Swap("race", rate=0.6), cf.Recode("race", mapping={"w": "w", "b": "other", "a": "other", "n": "n"})),
        ("race",),
        values=("w", "b", "n"),
        discrete=True,
    ),
    "swap-recode-numbers": Case(
        (cf.Swap("age", rate=0.6), cf.Recode("age", width=20)), ("age",), values=(30, 50), discrete=True
    ),
    "recode-swap-numbers": Case(
        (cf.Recode("age", width=20), cf.Swap("age", rate=0.6)), ("age",), values=(30, 50), discrete=True
    ),
    "topcode-swap": Case((cf.Topcode("age", at=60), cf.Swap("age", rate=0.6)), ("age",), values=(30, 70), discrete=True),
    "swap-twice": Case((cf.Swap("race", rate=0.3), cf.Swap("race", rate=0.3)), ("race",), values=("w", "b"), discrete=True),
    "swap-twice-numbers": Case(
        (cf.Swap("age", rate=0.3), cf.Swap("age", rate=0.3)), ("age",), values=(30, 50), discrete=True
    ),
    "correlated": Case(
        (cf.CorrelatedNoise(["tax", "income"], covariance=[[900.0, 200.0], [200.0, 400.0]]),), ("tax", "income")
    ),
    "correlated-fraction": Case((cf.CorrelatedNoise(["tax", "income"], fraction=0.1),), ("tax", "income")),
}
FACES = {name: case for name, case in CASES.items() if case.values}
TRUE = {
    "race": ("w", "b", "a", "n"),
    "sex": ("f", "m"),
    "tax": (0.0, 1.0, 2.0, 40.0, 635.0, 1900.0, 2900.0),
    "income": (-50.0, -2.0, 0.0, 1.0, 30.0, 800.0),
    "age": (30, 50, 70),
}
KINDS = {
    "age": "integer",
    "tax": "continuous",
    "income": "continuous",
    "race": "nominal",
    "sex": "nominal",
    "wt": "continuous",
}


def source(n: int = 300, *, seed: int = 1, few: bool = False) -> cf.Microdata:
    """Random records; with few values, so that each occurs often."""
    rng = np.random.default_rng(seed)
    age = rng.choice(TRUE["age"], n) if few else rng.integers(18, 90, n)
    amount = np.where(rng.random(n) < 0.2, 0.0, rng.lognormal(6, 1, n).clip(1, 2890).round())
    income = rng.choice(TRUE["income"], n) if few else rng.normal(500, 600, n).round(1).clip(None, 4900)
    data = cf.Microdata.from_dict(
        {
            "sex": rng.choice(TRUE["sex"], n).tolist(),
            "race": rng.choice(TRUE["race"], n, p=[0.6, 0.2, 0.15, 0.05]).tolist(),
            "age": [int(a) for a in age],
            "tax": (rng.choice(TRUE["tax"], n) if few else amount).tolist(),
            "income": income.tolist(),
            "wt": rng.uniform(1, 5, n).tolist(),
        }
    )
    return data.declare(kinds=KINDS, weight="wt")


@pytest.fixture(scope="module")
def big() -> cf.Microdata:
    return source(200_000, few=True)


def same(left: cf.Column, right: cf.Column) -> bool:
    return (
        left.labels == right.labels
        and left.codes.tobytes() == right.codes.tobytes()
        and left.numbers.tobytes() == right.numbers.tobytes()
    )


def rows_of(data: cf.Microdata, variable: str, value: Any) -> np.ndarray:
    column = data.columns[variable]
    if column.labels:
        return np.flatnonzero(column.codes == column.labels.index(value))
    return np.flatnonzero(column.numbers == float(value))


@pytest.mark.parametrize("name", CASES)
def test_one_seed_gives_the_same_bytes(name: str) -> None:
    case, data = CASES[name], source()
    release = cf.Release(*case.methods)
    a, b, c = (release.apply(data, seed=s).data for s in (7, 7, 8))
    assert a.names == b.names
    assert all(same(a.columns[v], b.columns[v]) for v in a.names)
    differs = any(not same(a.columns[v], c.columns[v]) for v in a.names)
    assert differs == case.random


@pytest.mark.parametrize("name", CASES)
def test_other_variables_and_the_source_stay(name: str) -> None:
    case, data = CASES[name], source()
    before = {v: (c.numbers.copy(), c.codes.copy(), c.labels) for v, c in data.columns.items()}
    released = cf.Release(*case.methods).apply(data, seed=7)
    for v, (numbers, codes, labels) in before.items():
        assert np.array_equal(data.columns[v].numbers, numbers, equal_nan=True)
        assert np.array_equal(data.columns[v].codes, codes)
        assert data.columns[v].labels == labels
        if v not in case.touches:
            assert same(released.data.columns[v], data.columns[v])
    assert released.source is data
    assert released.parent.tolist() == list(range(data.n))


@pytest.mark.parametrize("name", CASES)
def test_describe_names_the_variable(name: str) -> None:
    for method in CASES[name].methods:
        assert any(v in method.describe() for v in method.variables)


@pytest.mark.parametrize("name", [n for n, c in CASES.items() if not c.random and n != "drop"])
def test_a_deterministic_method_keeps_the_own_record_consistent(name: str) -> None:
    case, data = CASES[name], source(few=name == "round-small")
    links = cf.link(cf.Release(*case.methods).apply(data, seed=7), cf.Intruder(knows=["sex", *case.touches]))
    assert (links.own > 0).all()
    assert np.allclose(links.own * links.sample_matches, 1)
    assert links.own_is_best.all()
    assert links.contradicted == 0


@pytest.mark.parametrize("name", [n for n, c in CASES.items() if c.random])
def test_a_random_method_never_rules_the_own_record_out(name: str) -> None:
    case, data = CASES[name], source()
    knows = ["sex", *case.touches]
    links = cf.link(cf.Release(*case.methods).apply(data, seed=7), cf.Intruder(knows=knows, models_others=False))
    assert (links.own > 0).all()
    assert (links.null == 0).all()
    assert (links.best <= 1 + 1e-12).all()


@pytest.mark.parametrize("name", FACES)
def test_the_two_faces_agree(name: str, big: cf.Microdata) -> None:
    """The empirical distribution of released values is the likelihood the intruder uses."""
    case = FACES[name]
    released = cf.Release(*case.methods).apply(big, seed=11)
    (variable,) = case.touches
    within = ["sex"] if name == "swap-within" else []
    intruder = cf.Intruder(knows=[*within, variable], models_others=False)
    for value in case.values:
        rows = rows_of(big, variable, value)
        if within:
            rows = np.intersect1d(rows, rows_of(big, "sex", "f"))
        row = cf.link(released, intruder, cf.Targets.of_rows([int(rows[0])])).row(0)
        assert row.parts.consistent[rows].all()
        compare(released.data.columns[variable].take(rows), row.parts.a[rows], discrete=case.discrete)


def compare(column: cf.Column, a: np.ndarray, *, discrete: bool) -> None:
    """Masses by chi-square; densities by integrating them over the sorted sample."""
    positions, distinct = column.profile()
    counts = np.bincount(positions, minlength=distinct.size)
    likelihood = np.empty(distinct.size)
    likelihood[positions] = a
    n = column.size
    mass = np.ones(distinct.size, dtype=bool) if discrete else (counts > 1) | ~distinct.is_number
    total = float(likelihood[mass].sum())
    assert total <= 1 + 1e-9
    assert not discrete or total > 0.99
    often = mass & (likelihood * n >= 20)
    rare = max(1 - likelihood[often].sum(), 0.0) * n
    found = [*counts[often], n - counts[often].sum()]
    wanted = [*(likelihood[often] * n), rare]
    if rare < 1e-6:
        assert found[-1] == 0
        found, wanted = found[:-1], wanted[:-1]
    elif rare < 20:
        assert found[-1] < rare + 40
        found, wanted = found[:-1], wanted[:-1]
    if len(wanted) > 1:
        statistic = float(np.sum((np.array(found) - wanted) ** 2 / wanted))
        assert stats.chi2.sf(statistic, len(wanted)) > 1e-5
    elif wanted:
        assert abs(found[0] - wanted[0]) <= 5 * np.sqrt(n)
    if (~mass).sum() > 100:
        z, f = distinct.numbers[~mass], likelihood[~mass]
        order = np.argsort(z)
        z, f = z[order], f[order]
        cdf = np.concatenate([[0], np.cumsum((f[1:] + f[:-1]) / 2 * np.diff(z))])
        share = (~mass).sum() / n
        assert np.max(np.abs(cdf - np.arange(z.size) / n)) < 0.012
        assert abs(cdf[-1] - share) < 0.012


@pytest.mark.parametrize("name", ["correlated", "correlated-fraction"])
def test_the_two_faces_of_correlated_noise_agree(name: str, big: cf.Microdata) -> None:
    case = CASES[name]
    released = cf.Release(*case.methods).apply(big, seed=11)
    rows = np.intersect1d(rows_of(big, "tax", 635.0), rows_of(big, "income", 30.0))
    row = cf.link(
        released, cf.Intruder(knows=["tax", "income"], models_others=False), cf.Targets.of_rows([int(rows[0])])
    ).row(0)
    covariance = released.steps[0].channels["tax"].rounded
    peak = 1 / (2 * np.pi * np.sqrt(np.linalg.det(covariance)))
    distance = -2 * np.log(row.parts.a[rows] / peak)
    assert stats.kstest(distance, stats.chi2(2).cdf).pvalue > 1e-4
    one = cf.link(released, cf.Intruder(knows=["income"], models_others=False), cf.Targets.of_rows([int(rows[0])])).row(0)
    z = released.data.columns["income"].numbers[rows]
    assert np.allclose(one.parts.a[rows], stats.norm.pdf(z, 30.0, np.sqrt(covariance[1, 1])))


def test_a_swap_within_a_dropped_stratum_is_averaged_over_strata() -> None:
    data = cf.Microdata.from_dict({"s": ["p"] * 9000 + ["q"] * 1000, "r": ["a", "b"] * 4500 + ["a"] * 900 + ["b"] * 100})
    released = cf.Release(cf.Swap("r", rate=1.0, within="s"), cf.Drop("s")).apply(data, seed=1)
    row = cf.link(released, cf.Intruder(knows=["r"], models_others=False), cf.Targets.of_rows([0])).row(0)
    rows = rows_of(data, "r", "a")
    compare(released.data.columns["r"].take(rows), row.parts.a[rows], discrete=True)


def test_hierarchy_file(tmp_path: Path) -> None:
    path = tmp_path / "race.csv"
    path.write_text("w,white,all\nb,other,all\na,other,all\nn,other,all\n", encoding="utf-8")
    data = source()
    one = cf.Release(cf.Recode("race", hierarchy=path)).apply(data, seed=1)
    assert set(one.data.column("race").values()) == {"white", "other"}
    two = cf.Release(cf.Recode("race", hierarchy=path, level=2)).apply(data, seed=1)
    assert set(two.data.column("race").values()) == {"all"}
    links = cf.link(one, cf.Intruder(knows=["race"]))
    assert np.allclose(links.own * links.sample_matches, 1)


@pytest.mark.parametrize("method", [cf.Sample(n=120), cf.Sample(fraction=0.4)])
def test_sample(method: cf.Sample) -> None:
    data = source()
    release = cf.Release(method)
    a, b, c = (release.apply(data, seed=s) for s in (1, 1, 2))
    assert a.data.n == 120
    assert a.parent.tolist() == b.parent.tolist() == sorted(set(a.parent.tolist()))
    assert a.parent.tolist() != c.parent.tolist()
    for v in ("sex", "race", "age", "tax", "income"):
        assert same(a.data.columns[v], data.columns[v].take(a.parent))
    assert np.allclose(a.data.weights, data.weights[a.parent] * 300 / 120)
    links = cf.link(a, cf.Intruder(knows=["sex", "tax", "age"]))
    inside = np.isin(np.arange(data.n), a.parent)
    assert (links.own[inside] > 0).all()
    assert (links.own[~inside] == 0).all()
    assert np.array_equal(links.summary.in_file, inside)


@pytest.mark.parametrize(
    "method", [cf.Simulate(n=50), cf.Simulate(fraction=1 / 6), cf.Simulate(n=50, together=["sex", "race"])]
)
def test_simulate(method: cf.Simulate) -> None:
    data = source()
    a, b, c = (cf.Release(method).apply(data, seed=s) for s in (1, 1, 2))
    assert a.data.n == 350
    assert (a.parent == -1).sum() == 50
    assert all(same(a.data.columns[v], b.data.columns[v]) for v in a.data.names)
    assert any(not same(a.data.columns[v], c.data.columns[v]) for v in a.data.names)
    real = np.flatnonzero(a.parent >= 0)
    for v in ("sex", "race", "age", "tax", "income"):
        assert same(a.data.columns[v].take(real), data.columns[v].take(a.parent[real]))
        assert set(a.data.columns[v].values()) <= set(data.columns[v].values())
    assert np.isclose(a.data.weights.sum(), data.weights.sum())
    if method.together:
        pairs = set(zip(data.column("sex").values(), data.column("race").values(), strict=True))
        assert set(zip(a.data.column("sex").values(), a.data.column("race").values(), strict=True)) <= pairs
