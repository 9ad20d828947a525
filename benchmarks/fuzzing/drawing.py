"""Draw tables of a plan from the models that check them: their fields, types, bounds and words."""

from __future__ import annotations

import math
import random
import types
from collections.abc import Callable
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from confide.plan import schema_harm, schema_measures, schema_population, schema_tables

USUAL = (0.0, 1.0, 0.5, 0.1, 2.0, 3.0, 5.0, 10.0, 100.0, 0.01, 0.9, 20.0, 1000.0)
EXTREME = (5e-324, 1e308, -0.0, 1e-300, -1.0, 1e16, 9007199254740993.0, 1e-9, 0.9999999999999999)
WHOLE = (0, 1, 2, 3, 5, 10, 20)
FAR = (-1, 2**31, 2**53, 1000, -(2**53))
WORK = ("simulate", "replicates", "points", "verify", "evaluations", "population", "minutes", "seconds")
"""How much work is asked for: more of it takes longer, and that is no fault."""
TRIES = 40
Chooser = Callable[[str, str, random.Random], Any]
"""Gives the text for a field of a model by its name, or None."""
_NONE = object()
CHOICES: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
    "CostsTable": ("cost", schema_harm.COSTS),
    "AmountTable": ("cost", {k: schema_harm.COSTS[k] for k in schema_harm.AMOUNTS}),
    "ReadingTable": ("reading", schema_harm.READINGS),
    "MeasureTable": ("measure", {k: ("keys", "name", *v) for k, v in schema_measures.MEASURES.items()}),
    "RuleTable": ("rule", {k: (*a, *b) for k, (a, b) in schema_tables.RULES.items()}),
    "ProtectTable": ("method", schema_tables.METHODS),
}
"""Models whose other keys hang on one of them."""
ONE_OF: dict[str, tuple[str, ...]] = {
    "RecodeTable": ("width", "breaks", "mapping", "hierarchy"),
    "SampleTable": ("n", "fraction"),
    "SimulateTable": ("n", "fraction"),
    "CorrelatedNoiseTable": ("covariance", "fraction"),
    "NumbersTable": ("constant", "at_least", "table", "model", "chance"),
    "DistributionTable": ("normal", "lognormal", "uniform", "value", "mixture"),
    "PartTable": ("normal", "lognormal", "uniform", "value"),
    "NestingTable": ("levels", "digits", "file"),
    "VaryTable": ("values", "between"),
    "BlanksTable": ("value", "released"),
    "TargetsTable": ("where", "rows", "file"),
    "KnowsTable": (
        "within_percent", "low", "breaks", "sd", "one_of", "normal", "lognormal", "uniform", "mixture", "-", "-", "-",
    ),
}  # fmt: skip
"""Models that take one of some keys; `-` is none of them."""
NEEDED = {"SearchTable": ("evaluations",), "CostsTable": ("level", "costs", "correct", "above", "within"),
          "RuleTable": ("n", "k", "p", "q", "fractions", "least"), "ProtectTable": ("base",),
          "MeasureTable": ("sensitive",)}  # fmt: skip
"""Keys that are drawn wherever the choice of the model takes them."""


class Drawer:
    """Draws tables for one plan."""

    def __init__(self, rng: random.Random, chooser: Chooser) -> None:
        """Begin.

        Args:
            rng: where chances come from.
            chooser: knows the variables, levels and files there are.
        """
        self.rng, self._choose = rng, chooser
        self.seen: set[tuple[str, str]] = set()

    def table(self, model: type[BaseModel], **given: Any) -> dict[str, Any] | None:
        """Draw a table that its model takes; None where many trials gave none."""
        for _ in range(TRIES):
            drawn = {**self._fields(model, set(given)), **given}
            try:
                model.model_validate(drawn)
            except ValidationError:
                continue
            self.seen |= {(model.__name__, k) for k in drawn}
            return drawn
        return None

    def _fields(self, model: type[BaseModel], without: set[str]) -> dict[str, Any]:
        """Draw each key that is needed, and some of the others."""
        name, rng = model.__name__, self.rng
        often = rng.choice([0.0, 0.15, 0.4])
        drawn: dict[str, Any] = {}
        allowed: tuple[str, ...] | None = None
        if name in CHOICES and CHOICES[name][0] not in without:
            key, keys = CHOICES[name]
            drawn[key] = rng.choice(list(keys))
            allowed = keys[drawn[key]]
            if name == "CostsTable" and drawn[key] in schema_harm.AMOUNTS:
                allowed = (*allowed, "incorrect", "tn", "fn")
        one = rng.choice(ONE_OF[name]) if name in ONE_OF else None
        if name == "NumbersTable" and one == "model":
            drawn["model"] = rng.choice(list(schema_population.MODELS))
            allowed = schema_population.MODELS[drawn["model"]]
            often = 1.0 if drawn["model"] in schema_population.GIVEN else often
        for key, field in model.model_fields.items():
            if key in without or key in drawn or (allowed is not None and key not in allowed):
                continue
            rivals = ONE_OF.get(name, ())
            wanted = key == one or field.is_required() or key in NEEDED.get(name, ())
            if wanted or (key not in rivals and rng.random() < often):
                value = self._value(field.annotation, list(field.metadata), name, key)
                if value is not _NONE:
                    drawn[field.alias or key] = value
        return drawn

    def _value(self, kind: Any, bounds: list[Any], model: str, key: str, depth: int = 0) -> Any:
        """Draw a value of a type."""
        rng, origin, args = self.rng, get_origin(kind), get_args(kind)
        named = self._choose(model, key, rng) if depth == 0 else None
        if named is not None:
            return named
        if hasattr(kind, "__metadata__"):
            return self._value(args[0], [*bounds, *kind.__metadata__], model, key, depth)
        if origin in (Union, types.UnionType):
            return self._value(rng.choice([a for a in args if a is not type(None)]), bounds, model, key, depth)
        if origin is Literal:
            return rng.choice(args)
        if origin is list:
            many = max(rng.choice([1, 1, 2, 3]), *(getattr(b, "min_length", 0) or 0 for b in bounds), 0)
            many = min([many, *(b.max_length for b in bounds if getattr(b, "max_length", None))])
            found = [self._value(args[0], [], model, key, 1) for _ in range(many)]
            return _NONE if _NONE in found else found
        if origin is dict:
            names = [self._choose(model, f"{key}.", rng) or "x" for _ in range(rng.choice([1, 2]))]
            pairs = {str(k): self._value(args[1], [], model, f"{key}.value", 1) for k in names}
            return _NONE if _NONE in pairs.values() else pairs
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return self.table(kind) or _NONE
        return self._simple(kind, bounds, model, key)

    def _simple(self, kind: Any, bounds: list[Any], model: str, key: str) -> Any:
        """Draw a number, a truth value or a text."""
        rng = self.rng
        if kind is bool:
            return rng.random() < 0.5
        if kind is int:
            far = rng.random() < 0.1 and key not in WORK
            return rng.choice(within(FAR, bounds) or [1] if far else within(WHOLE, bounds))
        if kind is float:
            drawn = rng.choice(within(USUAL, bounds) or [0.5])
            return rng.choice(within(EXTREME, bounds) or [drawn]) if rng.random() < 0.06 else drawn
        found = self._choose(model, f"{key}[]", rng)
        if found is not None:
            return found
        return rng.choice([1, 2.5, "f", "north", True]) if kind is not str else rng.choice(["f", "north", "x"])


def within(values: tuple[float, ...] | tuple[int, ...], bounds: list[Any]) -> list[Any]:
    """Keep the values that bounds allow.

    >>> from annotated_types import Ge
    >>> within((-1, 0, 1), [Ge(0)])
    [0, 1]
    """
    tests: dict[str, Callable[[float, float], bool]] = {
        "ge": lambda x, b: x >= b, "gt": lambda x, b: x > b, "le": lambda x, b: x <= b, "lt": lambda x, b: x < b,
    }  # fmt: skip
    flat = [m for b in bounds for m in (*getattr(b, "metadata", ()), b)]
    known = [(t, getattr(b, k)) for b in flat for k, t in tests.items() if getattr(b, k, None) is not None]
    return [v for v in values if math.isfinite(v) and all(test(v, bound) for test, bound in known)]
