"""Examples of every public class of the house: masking methods, knowledge, distributions.

A class that is not named here gets an example from its own fields, so that a new method or a new kind of knowledge
is calibrated without anybody naming it; where that fails, a test says what to add.
"""

from __future__ import annotations

import dataclasses
import itertools
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import confide as cf
import confide.api.release as public
from calibration.population import AREAS, NOBODY, NUMBERS, SCALE, VARIABLES, Amount, Finite, Others, middle, people
from confide.errors import UserMistake
from confide.intruder.distribution import Belief
from confide.intruder.knowledge import Knowledge
from confide.intruder.population import Population
from confide.release.method import Method

Make = Callable[[str], Any]


def methods() -> list[type]:
    """Every public class that is a masking method."""
    found = [getattr(public, name) for name in public.__all__]
    return [c for c in found if isinstance(c, type) and all(hasattr(c, x) for x in ("variables", "bind", "describe"))]


def knowledge() -> list[type]:
    """Every kind of knowledge."""
    return list(typing.get_args(Knowledge))


def beliefs() -> list[type]:
    """Every kind of belief about an unavailable variable, for the variable alone and for targets or records."""
    about = [c for c in typing.get_args(Belief) if c not in {str, int, float, bool}]
    return [*about, cf.OneOf, cf.Regression, cf.AboutTargets, cf.GivenRecords]


def populations() -> list[type]:
    """Everything the number of people like the target may come from."""
    return [*(c for c in typing.get_args(Population) if c is not cf.PopulationModel), *models()]


def models() -> list[type]:
    """Every public model of the number of people like the target that is fitted to the released file.

    Those whose numbers are given come true in tests/unit/linking/test_population_models.py.
    """
    found = dict.fromkeys(x for x in (getattr(cf, name) for name in dir(cf)) if isinstance(x, type) and is_model(x))
    given = {c: [f for f in dataclasses.fields(c) if f.default is dataclasses.MISSING] for c in found}
    return [c for c, needed in given.items() if {f.name for f in needed} <= {"fraction"}]


def is_model(cls: type) -> bool:
    """Whether a class says how many people have each combination of keys."""
    return dataclasses.is_dataclass(cls) and all(callable(getattr(cls, x, None)) for x in ("people", "describe"))


def model(cls: type, share: float) -> Any:
    """Make a model that is told which share of all people is released, where it can be told."""
    told = {"fraction": share} if any(f.name == "fraction" for f in dataclasses.fields(cls)) else {}
    return cls(**told)


def is_number(name: str) -> bool:
    return name in NUMBERS


def _noise(v: str) -> Any:
    if v == "tax":
        return cf.Noise(v, sd=3.0, keep_zero=True, lower=0)
    return cf.Noise(v, sd=SCALE[v] / 2, integer=v == "age")


def _recode(v: str) -> Any:
    if is_number(v):
        return cf.Recode(v, breaks=[-np.inf, *middle(v), np.inf])
    levels = VARIABLES[v].levels
    return cf.Recode(v, mapping={x: levels[min(i, 1)] for i, x in enumerate(levels)})


METHODS: dict[type, Make] = {
    cf.Recode: _recode,
    cf.Topcode: lambda v: cf.Topcode(v, at=middle(v)[1]),
    cf.Bottomcode: lambda v: cf.Bottomcode(v, at=middle(v)[0]),
    cf.Round: lambda v: cf.Round(v, to=float(f"{SCALE[v]:.1g}")),
    cf.Swap: lambda v: cf.Swap(v, rate=0.6),
    cf.Noise: _noise,
    cf.MultiplicativeNoise: lambda v: cf.MultiplicativeNoise(v, sd=0.3),
    cf.CorrelatedNoise: lambda v: cf.CorrelatedNoise(["height", "mass"], covariance=[[36.0, 20.0], [20.0, 49.0]]),
    cf.Drop: cf.Drop,
    cf.Sample: lambda v: cf.Sample(fraction=0.8),
    cf.Simulate: lambda v: cf.Simulate(fraction=0.25, together=["area", v]),
}
"""How an example of a method is made for a variable."""

VARIABLE: dict[type, str] = {cf.Swap: "kind", cf.Simulate: "kind", cf.CorrelatedNoise: "height", cf.Sample: "kind"}
"""The variable of the first example; others take the income."""

VARIANTS: dict[str, Any] = {
    "Recode of a category": (cf.Recode("kind", mapping={"x": "x", "y": "yz", "z": "yz"}),),
    "Recode by width": (cf.Recode("age", width=10),),
    "Topcode to a number": (cf.Topcode("income", at=30, replacement=45.0),),
    "Topcode to the mean": (cf.Topcode("income", at=30, replacement="mean"),),
    "Swap of all": (cf.Swap("kind", rate=1.0),),
    "Swap of numbers": (cf.Swap("age", rate=0.6),),
    "Swap within area": (cf.Swap("kind", rate=0.6, within="area"),),
    "Swap within area, recoded later": (
        cf.Swap("kind", rate=0.6, within="area"),
        cf.Recode("area", mapping={"a": "a", "b": "b or c", "c": "b or c"}),
    ),
    "Swap of area": (cf.Swap("area", rate=0.6),),
    "Swap with a simulated matrix": (cf.Swap("kind", rate=0.6, matrix=cf.Simulated(20, seed=3)),),
    "Noise, zeros kept": (cf.Noise("tax", sd=3.0, keep_zero=True, lower=0),),
    "Noise, redrawn": (cf.Noise("income", sd=9.0, lower=0, upper=500),),
    "Noise, clamped": (cf.Noise("income", sd=9.0, lower=0, outside="clamp"),),
    "Noise, clamped with zeros kept": (cf.Noise("tax", sd=6.0, lower=0, outside="clamp", keep_zero=True),),
    "Noise, whole numbers": (cf.Noise("age", sd=3.0, integer=True),),
    "Noise, more above": (cf.Noise("income", sd=4.0, times_above={20: 3}),),
    "Noise, normal amounts": (cf.Noise("height", sd=5.0),),
    "Multiplicative, whole numbers": (cf.MultiplicativeNoise("income", sd=0.3, integer=True),),
    "Multiplicative, zeros": (cf.MultiplicativeNoise("tax", sd=0.3),),
    "Simulate, values drawn apart": (cf.Simulate(fraction=0.25),),
    "Swap within a stratum swapped later": (cf.Swap("kind", rate=1.0, within="area"), cf.Swap("area", rate=0.6)),
    "Swap of area, noise": (cf.Swap("area", rate=0.6), cf.Noise("income", sd=5.0)),
    "Topcode, then noise": (cf.Topcode("income", at=30), cf.Noise("income", sd=5.0, lower=0, upper=30)),
    "Topcode to a number, then noise": (cf.Topcode("income", at=30, replacement=45.0), cf.Noise("income", sd=5.0)),
    "Noise, then round": (cf.Noise("income", sd=5.0), cf.Round("income", to=10)),
    "Round to a multiple of the noise, then noise": (cf.Round("income", to=20), cf.Noise("income", sd=5.0)),
    "Noise, then recode": (cf.Noise("income", sd=5.0), cf.Recode("income", breaks=[-np.inf, 10, 20, 40, np.inf])),
    "nothing": (),
}
"""More examples of the house's own methods."""


def method(cls: type, variable: str) -> Any:
    """Make an example of a method for a variable."""
    return METHODS[cls](variable) if cls in METHODS else derived(cls, variable)


def takes(cls: type, variable: str) -> bool:
    """Whether a method can be applied to a variable."""
    try:
        method(cls, variable).bind(people(200, seed=1))
    except (UserMistake, KeyError, AssertionError):
        return False
    return True


def derived(cls: type, variable: str) -> Any:
    """Make an example from the fields of a class: the first set of values that it accepts."""
    data = people(200, seed=1)
    for values in _guesses(cls, variable):
        try:
            made = cls(**values)
            if isinstance(made, Method):
                made.bind(data)
        except (UserMistake, TypeError, ValueError):
            continue
        return made
    raise AssertionError(
        f"no example of {cls.__name__} could be made of its fields; add one to METHODS or ITEMS in "
        "tests/calibration/examples.py"
    )


def _guesses(cls: type, variable: str) -> Iterator[dict[str, Any]]:
    """Guess arguments: every field that must be given, then also one of those that need not be."""
    fields = [f for f in dataclasses.fields(cls) if f.init]
    needed = [f for f in fields if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING]
    free = [f for f in fields if f not in needed and "str" not in str(f.type)]
    for extra in [None, *free]:
        chosen = [*needed, *([] if extra is None else [extra])]
        choices = [_values(str(f.type), variable) for f in chosen]
        for values in itertools.islice(itertools.product(*choices), 500):
            yield {f.name: v for f, v in zip(chosen, values, strict=True)}


def _values(kind: str, variable: str) -> list[Any]:
    """Values to try for a field."""
    partner = next(n for n in NUMBERS if n != variable)
    if "Sequence[str]" in kind:
        return [[variable], [variable, partner]]
    if "Label" in kind:
        return [list(getattr(VARIABLES[variable], "levels", (1.0, 2.0)))[:2]]
    if "str" in kind:
        return [variable]
    if "bool" in kind:
        return [True]
    if "Sequence[float]" in kind:
        return [list(middle(variable))] if is_number(variable) else []
    if "int" in kind and "float" not in kind:
        return [5, 2, 1]
    scale = SCALE.get(variable, 1.0)
    return [scale / 2, *(middle(variable) if is_number(variable) else ()), 0.3, 0.05, 5.0]


ITEMS: dict[type, Make] = {
    cf.Exactly: cf.Exactly,
    cf.Within: lambda v: cf.Within(v, percent=20),
    cf.Between: lambda v: cf.Between(v, *middle(v)),
    cf.Bracket: lambda v: cf.Bracket(v, middle(v)),
    cf.Roughly: lambda v: cf.Roughly(v, sd=SCALE[v] / 3),
    cf.Distributed: lambda v: cf.Distributed(v, belief(v, others=Others((v,)))),
    cf.OneOf: lambda v: cf.OneOf(v, list(VARIABLES[v].levels if isinstance(VARIABLES[v], Finite) else middle(v))[1:]),
}
"""How an example of knowledge of a variable is made."""

CATEGORIES = {cf.OneOf}
"""Knowledge of categories rather than numbers."""


def of_levels(family: Any) -> bool:
    """Whether a belief is about levels rather than numbers."""
    return family is cf.OneOf or typing.get_origin(family) is Mapping


def item(cls: type, variable: str) -> Any:
    """Make an example of knowledge about a variable."""
    return ITEMS[cls](variable) if cls in ITEMS else derived(cls, variable)


def belief(variable: str, area: int = 0, *, family: Any = None, others: Others = NOBODY) -> Any:
    """What is true of a variable in an area: its distribution, or its levels or zeros and the others as a mixture."""
    parts, mixture = others.of(variable).parts(area), family is cf.Mixture
    if typing.get_origin(family) is Mapping:
        return {x: q for q, x in parts}
    return cf.Mixture(parts) if mixture or len(parts) > 1 else parts[0][1]


OF_FAMILY = {type(v.belief[0]): name for name, v in reversed(VARIABLES.items()) if isinstance(v, Amount) and not v.zeros}
"""A number whose true distribution is of each family."""
FIRST_AREA = AREAS[0]
