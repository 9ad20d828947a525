"""A declared population: people whose variables depend on their area, some also on a class of people nobody sees.

Because the whole distribution is declared, an intruder can be given exactly the beliefs that are true of it.
What is stated must then come true as often as stated, whatever the masking: that is a theorem, not a hope.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from scipy import stats

import confide as cf
from confide.data.column import Column

AREAS, SHARES = ("a", "b", "c"), (0.5, 0.3, 0.2)
"""Where people live, and how many live there."""
FAR = 0.25
"""How many are of a second distribution, where there are two."""
CLASSES = (0.6, 0.4)
"""How many people are of each class; what depends on the class depends on each other."""


@cache
def _frozen(d: Any) -> Any:
    """A distribution that can be drawn from."""
    if isinstance(d, cf.Lognormal):
        return stats.lognorm(d.sd, scale=math.exp(d.mean))
    return stats.norm(d.mean, d.sd) if isinstance(d, cf.Normal) else stats.uniform(d.low, d.high - d.low)


@dataclass(frozen=True)
class Finite:
    """A variable with a few values."""

    levels: tuple[Any, ...]
    by_area: tuple[tuple[float, ...], ...]
    second: Finite | None = None
    """How it is distributed in the second class; None: as in the first."""

    def parts(self, area: int) -> list[tuple[float, Any]]:
        """The values with their probabilities."""
        return [(q, x) for x, q in zip(self.levels, self.by_area[area], strict=True) if q > 0]

    def draw(self, area: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        u = rng.random(area.size)[:, None]
        return np.asarray(self.levels, dtype=object)[(u > np.cumsum(self.by_area, axis=1)[area][:, :-1]).sum(axis=1)]


@dataclass(frozen=True)
class Amount:
    """A number, some of them zero."""

    belief: tuple[Any, ...]
    """The distribution in each area of those that are not zero."""
    zeros: float = 0.0
    far: tuple[Any, ...] = ()
    """The distribution in each area of some of them; empty: all are of the first."""
    second: Amount | None = None
    """How it is distributed in the second class; None: as in the first."""

    def frozen(self, area: int) -> Any:
        return _frozen(self.belief[area])

    def draw(self, area: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        u, zero = rng.random(area.size), rng.random(area.size) < self.zeros
        x = np.select([area == k for k in range(3)], [self.frozen(k).ppf(u) for k in range(3)])
        if self.far:
            far = np.select([area == k for k in range(3)], [_frozen(self.far[k]).ppf(u) for k in range(3)])
            x = np.where(rng.random(area.size) < FAR, far, x)
        return np.where(zero, 0.0, x)

    def parts(self, area: int) -> list[tuple[float, Any]]:
        """Zero and the distributions of the others, with their probabilities."""
        far = (1 - self.zeros) * (FAR if self.far else 0)
        found = [
            (self.zeros, 0.0),
            (1 - self.zeros - far, self.belief[area]),
            *([(far, self.far[area])] if self.far else []),
        ]
        return [(q, x) for q, x in found if q > 0]

    def quantile(self, share: float) -> float:
        """A quantile in the middle area, to two digits."""
        return float(f"{self.frozen(1).ppf(share):.2g}")


VARIABLES: dict[str, Finite | Amount] = {
    "area": Finite(AREAS, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))),
    "kind": Finite(("x", "y", "z"), ((0.7, 0.2, 0.1), (0.3, 0.5, 0.2), (0.2, 0.2, 0.6))),
    "age": Finite(
        (20, 24, 28, 32, 36, 40),
        ((0.3, 0.2, 0.2, 0.1, 0.1, 0.1), (0.1, 0.2, 0.3, 0.2, 0.1, 0.1), (0.05, 0.05, 0.1, 0.2, 0.3, 0.3)),
    ),
    "income": Amount((cf.Lognormal(3.0, 0.6), cf.Lognormal(3.3, 0.6), cf.Lognormal(2.6, 0.6))),
    "tax": Amount((cf.Lognormal(2.0, 0.7), cf.Lognormal(2.4, 0.7), cf.Lognormal(1.8, 0.7)), zeros=0.3),
    "height": Amount((cf.Normal(170.0, 8.0), cf.Normal(174.0, 8.0), cf.Normal(166.0, 8.0))),
    "mass": Amount((cf.Normal(70.0, 10.0), cf.Normal(75.0, 10.0), cf.Normal(68.0, 10.0))),
    "score": Amount((cf.Uniform(1.0, 60.0), cf.Uniform(10.0, 70.0), cf.Uniform(20.0, 80.0))),
}
USUAL = tuple(VARIABLES)
"""What everybody has; the others are drawn where somebody asks for them."""


def _normal(*means: float, sd: float, second: Amount | None = None) -> Amount:
    """A normal number with a mean in each area."""
    return Amount(tuple(cf.Normal(m, sd) for m in means), second=second)


RARE = tuple(round(1 / k / sum(1 / j for j in range(1, 41)), 4) for k in range(1, 40))
"""How common 39 of 40 levels are, from common to rare; the last is the rest."""
VARIABLES |= {
    # who is r is of the second class, so that an amount is normal given the trade
    "trade": Finite(("p", "q", "r"), ((0.6, 0.4, 0.0),) * 3, second=Finite(("p", "q", "r"), ((0.0, 0.0, 1.0),) * 3)),
    "wage": _normal(40.0, 44.0, 36.0, sd=6.0, second=_normal(58.0, 62.0, 54.0, sd=6.0)),
    "rent": _normal(30.0, 28.0, 32.0, sd=4.0, second=_normal(42.0, 40.0, 44.0, sd=4.0)),
    "job": Finite(tuple(f"j{k:02d}" for k in range(40)), ((*RARE, 1 - sum(RARE)),) * 3),
    "fee": Amount((cf.Lognormal(4.0, 1.0), cf.Lognormal(4.4, 1.0), cf.Lognormal(3.6, 1.0))),
    "place": _normal(1e7 + 170, 1e7 + 174, 1e7 + 166, sd=8.0),
}
ONE_ZERO = "fee"
"""The amount of which one person has none."""
NUMBERS = ("income", "tax", "height", "mass", "score", "age", "wage", "rent", "fee", "place")
KINDS = dict.fromkeys(("area", "kind", "trade", "job"), "nominal") | dict.fromkeys((*NUMBERS, "wt"), "continuous")
KINDS |= {"age": "integer"}
SCALE = {"income": 12.0, "tax": 6.0, "height": 8.0, "mass": 10.0, "score": 15.0, "age": 6.0}
SCALE |= {"wage": 10.0, "rent": 7.0, "fee": 40.0, "place": 8.0}
"""About the spread of each number."""
MIDDLE = {"age": (28.0, 36.0), "wage": (38.0, 55.0), "rent": (29.0, 39.0), "place": (1e7 + 168, 1e7 + 175)}
"""Bounds in the middle of a number."""


MEMBERS = 0.3
"""How many people are members: those an intruder may know to differ from strangers."""


def members(n: int, seed: int) -> np.ndarray:
    """Who is a member; nothing else tells."""
    return np.random.default_rng([seed, 7]).random(n) < MEMBERS


def _moved(d: Any, steps: float, narrower: float) -> Any:
    """A distribution of the same family elsewhere: so many deviations up, and narrower; or the end of a range."""
    if isinstance(d, cf.Uniform):
        return cf.Uniform(d.high - narrower * (d.high - d.low), d.high)
    return type(d)(d.mean + steps * d.sd, narrower * d.sd)


@dataclass(frozen=True)
class Others:
    """Some variables have another distribution among members, so that beliefs about them say something."""

    variables: tuple[str, ...] = ()
    """Which."""
    lumps: bool = False
    """Whether numbers are of two distributions."""

    def of(self, name: str) -> Finite | Amount:
        """How a variable is distributed."""
        usual = VARIABLES[name]
        if name not in self.variables:
            return usual
        if isinstance(usual, Finite):
            return Finite(usual.levels, tuple(tuple(reversed(shares)) for shares in usual.by_area))
        far = tuple(_moved(d, -1.0, 0.4) for d in usual.belief) if self.lumps else ()
        return Amount(tuple(_moved(d, 0.9, 0.5) for d in usual.belief), usual.zeros * 2, far)


NOBODY = Others()
"""Everybody's variables are distributed as those of all."""


@lru_cache(maxsize=256)
def people(n: int, seed: int, others: Others = NOBODY, more: tuple[str, ...] = ()) -> cf.Microdata:
    """Draw a population; with more variables than the usual ones where they are asked for."""
    rng = np.random.default_rng(seed)
    area = rng.choice(3, n, p=SHARES)
    columns = {name: VARIABLES[name].draw(area, rng) for name in USUAL}
    columns |= _drawn(more, area, seed)
    here = members(n, seed)
    for name in others.variables:
        columns[name] = np.where(here, others.of(name).draw(area, rng), columns[name])
    values = {name: x.tolist() for name, x in columns.items()} | {"wt": [1.0] * n}
    return cf.Microdata.from_dict(values).declare(kinds={n: KINDS[n] for n in values}, weight="wt")


def _drawn(names: tuple[str, ...], area: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """Draw what may depend on the class of people, too."""
    rng = np.random.default_rng([seed, 17])
    of_second, columns = rng.random(area.size) >= CLASSES[0], {}
    for name in names:
        variable = VARIABLES[name]
        columns[name] = variable.draw(area, rng)
        if variable.second is not None:
            columns[name] = np.where(of_second, variable.second.draw(area, rng), columns[name])
        if name == ONE_ZERO:
            columns[name][rng.integers(area.size)] = 0.0
    return columns


@cache
def middle(name: str) -> tuple[float, float]:
    """Bounds in the middle of a number."""
    variable = VARIABLES[name]
    if name in MIDDLE or isinstance(variable, Finite):
        return MIDDLE[name]
    return variable.quantile(0.3), variable.quantile(0.7)


def true_beliefs(
    released: cf.Released,
    exact: Sequence[str],
    perturbed: Sequence[str],
    others: Others = NOBODY,
    share: float = 0.0,
    some: Sequence[str] = (),
) -> cf.SuppliedBeliefs:
    """Give what is true of every record's perturbed values, given its unperturbed ones that the intruder knows.

    Args:
        released: the released file.
        exact: what is known and not perturbed.
        perturbed: what is perturbed.
        others: whose values have another distribution.
        share: how many of the people a record may be of are such.
        some: the areas of which the target's is known to be one; empty: that is not what is known.
    """
    weights = np.tile(SHARES, (released.data.n, 1))
    if some:
        # records tell whether they are of these areas, and which other area they are of
        shown = np.array(released.data.columns["area"].values())
        of = np.array([[a in some if s in some else a == s for a in AREAS] for s in shown])
        weights = weights * of
    classes = _classes((*exact, *perturbed))
    groups = [(q, of) for q, of in ((1 - share, NOBODY), (share, others)) if q > 0]
    found: list[list[cf.Atom]] = [[] for _ in range(released.data.n)]
    for k, chance in enumerate(classes):
        of_class = weights * chance
        for name in exact:
            of_class = of_class * _likelihood(released, name, k)
        atoms = [[(q * p, v) for q, of in groups for p, v in _independent(area, perturbed, of, k)] for area in range(3)]
        for unit, row in zip(found, of_class.tolist(), strict=True):
            unit += [cf.Atom(w * p, v) for area, w in enumerate(row) if w > 0 for p, v in atoms[area]]
    return cf.SuppliedBeliefs(found)


def _classes(names: Sequence[str]) -> tuple[float, ...]:
    """How many people are of each class, where one of the variables depends on it."""
    return CLASSES if any(VARIABLES[n].second is not None for n in names) else (1.0,)


def all_possibilities(area: int, names: Sequence[str], others: Others = NOBODY) -> list[tuple[float, dict[str, Any]]]:
    """What several variables may be in an area."""
    classes = enumerate(_classes(names))
    return [(q * p, v) for k, q in classes for p, v in _independent(area, names, others, k)]


def _independent(area: int, names: Sequence[str], others: Others, k: int) -> list[tuple[float, dict[str, Any]]]:
    """What several variables may be in an area and a class, where they are independent."""
    found: list[tuple[float, dict[str, Any]]] = [(1.0, {})]
    for name in names:
        usual = others.of(name)
        variable = usual.second if k and usual.second is not None else usual
        found = [(p * q, {**v, name: value}) for q, value in variable.parts(area) for p, v in found]
    return found


def _likelihood(released: cf.Released, name: str, k: int) -> np.ndarray:
    """Pr(released value | area) of every record of a class, for a variable that is not perturbed."""
    usual, column = VARIABLES[name], released.data.columns[name]
    variable = usual.second if k and usual.second is not None else usual
    steps = [s.channels[name] for s in released.steps if name in s.channels]
    out = np.zeros((column.size, 3))
    if isinstance(variable, Finite):
        text = isinstance(variable.levels[0], str)
        pushed = Column.of_labels(list(variable.levels)) if text else Column.of_numbers(np.array(variable.levels, float))
        for step in steps:
            pushed = step.push(pushed)
        for value, shares in zip(pushed.values(), np.transpose(variable.by_area), strict=True):
            out[[v == value for v in column.values()]] += shares
        return out
    lo, hi = column.numbers.copy(), column.numbers.copy()
    for step in reversed(steps):
        a, b = step.preimage(column)
        wide = (a < b) & ~(lo < hi)
        lo[wide], hi[wide] = a[wide], b[wide]
    for area in range(3):
        d = variable.frozen(area)
        mass = np.where(lo == hi, d.pdf(lo), d.cdf(hi) - d.cdf(np.minimum(lo, hi)))
        zero = (lo <= 0) & (hi >= 0)
        point = zero & (lo == hi)
        out[:, area] = np.where(point, variable.zeros, (1 - variable.zeros) * mass + variable.zeros * zero)
    return out
