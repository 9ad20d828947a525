"""What an intruder hears of each person's value: a noisy signal, and what follows from it, exactly (Bayes)."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

import confide as cf
from calibration.population import AREAS, VARIABLES, Finite

SURE = 0.6
"""How often a level that is heard is the true one; otherwise it is any."""
BLUR = 0.5
"""The error of a number that is heard, in standard deviations of the number."""


def heard(data: cf.Microdata, rows: np.ndarray, names: tuple[str, ...], seed: int) -> list[list[cf.Atom]]:
    """Give what is believed of each person's variables after a signal of each was heard."""
    rng = np.random.default_rng([seed, 11])
    area = [AREAS.index(a) for a in data.column("area").take(rows).values()]
    of_each = [
        [_posterior(name, a, x, rng) for a, x in zip(area, data.column(name).take(rows).values(), strict=True)]
        for name in names
    ]
    return [[_atom(names, parts) for parts in itertools.product(*possible)] for possible in zip(*of_each, strict=True)]


def _atom(names: tuple[str, ...], parts: tuple[tuple[float, Any], ...]) -> cf.Atom:
    """One possibility for several variables, which are independent."""
    return cf.Atom(math.prod(q for q, _ in parts), {name: x for name, (_, x) in zip(names, parts, strict=True)})


def _posterior(name: str, area: int, value: Any, rng: np.random.Generator) -> list[tuple[float, Any]]:
    """Draw a signal of a value, and give what may be the value then."""
    variable = VARIABLES[name]
    if isinstance(variable, Finite):
        told = value if rng.random() < SURE else variable.levels[int(rng.integers(len(variable.levels)))]
        chance = (1 - SURE) / len(variable.levels)
        return [(q * (chance + SURE * (x == told)), x) for q, x in variable.parts(area)]
    d = variable.belief[area]
    if isinstance(d, cf.Uniform):
        cut = float(rng.uniform(d.low, d.high))
        return [(1.0, cf.Uniform(d.low, cut) if value < cut else cf.Uniform(cut, d.high))]
    blur, zeros_at = BLUR * d.sd, d.mean - 2 * d.sd
    if value == 0 and variable.zeros:
        told = rng.normal(zeros_at, d.sd)
    else:
        told = rng.normal(math.log(value) if isinstance(d, cf.Lognormal) else value, blur)
    share = 1 / (1 + BLUR**2)
    found = [(1 - variable.zeros) * _density(told, d.mean, math.hypot(d.sd, blur))]
    parts: list[Any] = [type(d)(share * told + (1 - share) * d.mean, math.sqrt(share) * blur)]
    if variable.zeros:
        found, parts = [*found, variable.zeros * _density(told, zeros_at, d.sd)], [*parts, 0.0]
    return list(zip(found, parts, strict=True))


def _density(x: float, mean: float, sd: float) -> float:
    """The density of a normal distribution."""
    return math.exp(-0.5 * ((x - mean) / sd) ** 2) / sd
