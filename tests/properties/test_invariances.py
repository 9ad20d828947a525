"""What must not change an intruder's probabilities: units, signs, names, order, columns nobody looks at, words."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confide as cf
from confide.data.column import MISSING, Column
from reference.problems import RANDOM, examples

KINDS = {"sex": "nominal", "race": "nominal", "age": "integer", "pay": "continuous", "tax": "continuous"}
RACES = ("w", "b", "a")
PAY = (
    "nothing",
    "noise",
    "redrawn",
    "multiplied",
    "rounded",
    "topcoded",
    "bottomcoded",
    "noise, rounded",
    "topcoded, noise",
)
SWAP = ("nothing", "swapped", "within sex")


@dataclass(frozen=True)
class World:
    """A random file, its masking and its intruder, in a unit of measurement (negative: the other sign)."""

    seed: int
    """Of everything random."""
    pay: str
    """How the number is masked."""
    swap: str
    """How the category is masked."""
    in_file: bool
    """What the intruder knows of the file."""
    unit: float = 1.0
    """What the number is multiplied by."""
    races: tuple[str, ...] = RACES
    """What the categories are called."""
    blanks: tuple[str, ...] = ()
    """Where cells are left blank."""

    @property
    def data(self) -> cf.Microdata:
        """The source file."""
        rng = np.random.default_rng(self.seed)
        n = int(rng.integers(40, 70))
        race = rng.choice(3, n)
        race[:3] = np.arange(3)
        columns: dict[str, Any] = {
            "sex": rng.choice(["f", "m"], n).tolist(),
            "race": [self.races[r] for r in race],
            "age": rng.integers(20, 60, n).tolist(),
            "pay": (self.unit * np.round(np.exp(rng.normal(3, 0.6, n)), 3)).tolist(),
            "tax": np.where(rng.random(n) < 0.3, 0.0, np.exp(rng.normal(2, 0.5, n))).tolist(),
        }
        return cf.Microdata.from_dict(columns).declare(kinds=KINDS)

    def bounds(self, low: float | None, high: float | None) -> tuple[float | None, float | None]:
        """Bounds in the unit; with the other sign they change places."""
        a, b = (None if x is None else self.unit * x for x in (low, high))
        return (a, b) if self.unit > 0 else (b, a)

    @property
    def methods(self) -> list[Any]:
        """The masking."""
        u = abs(self.unit)
        grid = 1e-3 * u
        low, high = self.bounds(0.0, 400.0)
        cut, other = (cf.Topcode, cf.Bottomcode) if self.unit > 0 else (cf.Bottomcode, cf.Topcode)
        numbers: dict[str, list[Any]] = {
            "nothing": [],
            "noise": [cf.Noise("pay", sd=4 * u, grid=grid)],
            "redrawn": [cf.Noise("pay", sd=9 * u, lower=low, upper=high, grid=grid)],
            "multiplied": [cf.MultiplicativeNoise("pay", sd=0.3, grid=grid)],
            "rounded": [cf.Round("pay", to=8 * u)],
            "topcoded": [cut("pay", at=30 * self.unit, label="far")],
            "bottomcoded": [other("pay", at=10 * self.unit, label="near")],
            "noise, rounded": [cf.Noise("pay", sd=4 * u, grid=grid), cf.Round("pay", to=8 * u)],
            "topcoded, noise": [
                cut("pay", at=30 * self.unit, label="far"),
                cf.Noise("pay", sd=4 * u, grid=grid, **dict(zip(("lower", "upper"), self.bounds(None, 30.0), strict=True))),
            ],
        }
        swaps = {
            "nothing": [],
            "swapped": [cf.Swap("race", rate=0.6)],
            "within sex": [cf.Swap("race", rate=0.8, within="sex")],
        }
        return [*numbers[self.pay], *swaps[self.swap], cf.Recode("age", width=10)]

    @property
    def intruder(self) -> cf.Intruder:
        """The intruder."""
        told: dict[str, Any] = {} if self.in_file else {"target_in_file": False, "population": cf.Constant(60)}
        return cf.Intruder(knows=["sex", "race", "age", "pay"], **told)

    @property
    def release(self) -> cf.Release:
        """The masking, as a release."""
        return cf.Release(*self.methods)

    @property
    def released(self) -> cf.Released:
        """The released file."""
        return self.left_blank(self.release.apply(self.data, seed=self.seed))

    def blank_in(self, *names: str) -> World:
        """The same with blanks in some variables only."""
        return replace(self, blanks=tuple(n for n in self.blanks if n in names))

    def left_blank(self, released: cf.Released) -> cf.Released:
        """Leave three cells in ten blank, the same ones in whatever unit and order."""
        rng, columns = np.random.default_rng([self.seed, 1]), {}
        for name in self.blanks:
            column, blank = released.data.columns[name], rng.random(released.data.n) < 0.3
            numbers, codes = np.where(blank, np.nan, column.numbers), np.where(blank, MISSING, column.codes)
            columns[name] = replace(column, numbers=numbers, codes=codes)
        return replace(released, data=released.data.with_columns(columns))


WORLDS = st.builds(
    World,
    seed=st.integers(0, 10_000),
    pay=st.sampled_from(PAY),
    swap=st.sampled_from(SWAP),
    in_file=st.booleans(),
    blanks=st.sampled_from([(), ("pay",), ("age", "pay"), ("race",), ("sex", "race", "age", "pay")]),
)


def table(links: cf.Links) -> np.ndarray:
    """All probabilities, the null link last."""
    return np.array([[*links.row(i).p, links.null[i]] for i in range(links.n)])


def same(one: np.ndarray, two: np.ndarray) -> None:
    assert two == pytest.approx(one, rel=1e-6, abs=1e-9)


def in_unit(world: World, unit: float) -> tuple[np.ndarray, np.ndarray]:
    """The same file in another unit: the same noise; what is released without noise follows by itself."""
    other = replace(world, unit=unit)
    one, two = world.released, other.released
    if "pay" in one.perturbed:
        drawn, column = one.data.columns["pay"], two.data.columns["pay"]
        numbers = np.where(drawn.is_number, drawn.numbers * unit, column.numbers)
        codes = Column(numbers, drawn.codes, drawn.labels).relabelled(column.labels or drawn.labels).codes
        moved = Column(numbers, codes, column.labels or drawn.labels)
        two = replace(two, data=two.data.with_columns({"pay": moved}))
    return table(cf.link(one, world.intruder)), table(cf.link(two, other.intruder))


@examples(60)
@given(WORLDS, st.sampled_from([0.25, 64.0, 100.0, 1e4, 1e-12, 1e-7, 1e12]))
def test_the_unit_of_measurement_does_not_matter(world: World, unit: float) -> None:
    """Pounds or pence: the null link included."""
    same(*in_unit(world, unit))


@examples(20)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from([1e7, 1e9]))
def test_where_zero_lies_does_not_matter(seed: int, in_file: bool, offset: float) -> None:
    """Amounts far from zero are as far from each other as before."""
    world = World(seed, "nothing", "swapped", in_file)
    noise = np.random.default_rng(seed).normal(0, 4, world.data.n)
    found = []
    for shift in (1e5, offset):
        columns: dict[str, Any] = {name: world.data.column(name).values() for name in ("sex", "race", "age")}
        columns["pay"] = (world.data.columns["pay"].numbers + shift).tolist()
        data = cf.Microdata.from_dict(columns).declare(kinds={k: KINDS[k] for k in columns})
        released = cf.Release(cf.Noise("pay", sd=4, grid="none"), *world.methods).apply(data, seed=seed)
        drawn = (data.columns["pay"].numbers[released.parent] + noise).tolist()
        moved = released.data.with_columns({"pay": Column.of_numbers(drawn)})
        found.append(table(cf.link(replace(released, data=moved), world.intruder)))
    # amounts are fitted on the log scale, which differs from the plain one by their spread over the offset
    assert found[1] == pytest.approx(found[0], rel=0.02, abs=1e-6)


@examples(60)
@given(WORLDS, st.sampled_from([-1.0, -8.0]))
def test_the_sign_convention_does_not_matter(world: World, unit: float) -> None:
    """Gains or losses."""
    same(*in_unit(world, unit))


@examples(40)
@given(WORLDS, st.permutations(["q", "m", "zz"]))
def test_names_of_categories_do_not_matter(world: World, names: list[str]) -> None:
    other = replace(world, races=tuple(names))
    same(table(cf.link(world.released, world.intruder)), table(cf.link(other.released, other.intruder)))


@examples(40)
@given(WORLDS, RANDOM)
def test_the_order_of_released_records_does_not_matter(world: World, rnd: Random) -> None:
    released = world.released
    order = np.array(rnd.sample(range(released.data.n), released.data.n))
    moved = replace(released, data=released.data.take(order), parent=released.parent[order])
    one, two = table(cf.link(released, world.intruder)), table(cf.link(moved, world.intruder))
    same(one[:, [*order, -1]], two)


@examples(40)
@given(WORLDS, RANDOM)
def test_the_order_of_the_source_file_does_not_matter(world: World, rnd: Random) -> None:
    released = world.released
    assert released.source is not None
    n = released.source.n
    order = np.array(rnd.sample(range(n), n))
    place = np.argsort(order)
    moved = replace(released, source=released.source.take(order), parent=place[released.parent])
    same(table(cf.link(released, world.intruder))[order], table(cf.link(moved, world.intruder)))


@examples(40)
@given(WORLDS)
def test_columns_nobody_looks_at_do_not_matter(world: World) -> None:
    """Neither those released as they are nor those that are masked, while the intruder does not know them."""
    released = world.released
    drop = world.left_blank(cf.Release(*world.methods).apply(world.data.without(["tax"]), seed=world.seed))
    more = cf.Release(*world.methods, cf.Noise("tax", sd=2, keep_zero=True, lower=0))
    noisy = world.left_blank(more.apply(world.data, seed=world.seed))
    one = table(cf.link(released, world.intruder))
    for other in (drop, noisy):
        assert other.data.columns["race"].values() == released.data.columns["race"].values()
        same(one, table(cf.link(other, world.intruder)))


@examples(40)
@given(WORLDS, st.booleans())
def test_knowing_that_a_number_has_any_value_is_not_knowing_it(world: World, wide: bool) -> None:
    """Bounds that hold every number say nothing beside what is believed of a number that is not known."""
    same(*with_any_number(world.blank_in("pay"), wide=wide))


def with_any_number(world: World, *, wide: bool) -> tuple[np.ndarray, np.ndarray]:
    """The intruder who does not know the number, and who knows that it has any value."""
    released = world.released
    modelled = {"pay": cf.Regression()} if "pay" in released.perturbed else None
    bounds = cf.Between("pay", -1e9, 1e9) if wide else cf.Between("pay", low=-math.inf)
    less = world.intruder.but(knows=["sex", "race", "age"], unavailable=modelled)
    more = world.intruder.but(knows=["sex", "race", "age", bounds])
    return table(cf.link(released, less)), table(cf.link(released, more))


@examples(40)
@given(WORLDS)
def test_knowing_that_a_category_is_any_of_its_levels_is_not_knowing_it(world: World) -> None:
    released = world.released
    modelled = {"race": cf.Regression()} if "race" in released.perturbed else None
    less = world.intruder.but(knows=["sex", "age", "pay"], unavailable=modelled)
    more = world.intruder.but(knows=["sex", "age", "pay", cf.OneOf("race", list(RACES))])
    same(table(cf.link(released, less)), table(cf.link(released, more)))


KNOWN: list[list[Any]] = [
    [],
    ["sex"],
    [cf.OneOf("race", RACES[:2])],
    [cf.Within("pay", 30)],
    [cf.Roughly("pay", 5)],
    [cf.Bracket("pay", [10, 20, 40])],
    [cf.Between("pay", 0, 1e4)],
    ["sex", "race", cf.Within("pay", 10)],
]


@examples(80)
@given(WORLDS, st.sampled_from(KNOWN))
def test_probabilities_and_the_null_link_sum_to_one(world: World, instead: list[Any]) -> None:
    if any(isinstance(k, cf.Roughly) for k in instead) and "pay" not in world.released.perturbed:
        world = world.blank_in("sex", "race", "age")
    released = world.released
    knows = [*instead, "age"] if instead else world.intruder.knows
    allowed = [i for i, race in enumerate(world.data.column("race").values()) if race != "a"]
    links = cf.link(released, world.intruder.but(knows=knows), cf.Targets.of_rows(allowed))
    sums = table(links).sum(axis=1)
    assert sums == pytest.approx(np.ones(links.n), rel=1e-9)
    assert (table(links) >= 0).all()
    one_by_one = [links.row(i) for i in range(links.n)]
    assert links.own == pytest.approx([0.0 if r.own is None else r.p[r.own] for r in one_by_one], rel=1e-6, abs=1e-9)
    assert links.best == pytest.approx([r.p.max() for r in one_by_one], rel=1e-6, abs=1e-9)


@examples(40)
@given(WORLDS, RANDOM)
def test_splitting_a_group_of_targets_changes_nothing(world: World, rnd: Random) -> None:
    released = world.released
    n = world.data.n
    cut = rnd.randint(1, n - 1)
    rows = rnd.sample(range(n), n)
    whole = table(cf.link(released, world.intruder))
    for part in (rows[:cut], rows[cut:]):
        same(whole[part], table(cf.link(released, world.intruder, cf.Targets.of_rows(part))))
