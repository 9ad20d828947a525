"""Break a plan in one or two places: extreme numbers, odd texts, names twice, lists without anything."""

from __future__ import annotations

import copy
import math
import random
from typing import Any

from pydantic import BaseModel

from fuzzing.drawing import WORK

NUMBERS = (0, 1, -1, 0.0, -0.0, 0.5, 1.0, 5e-324, 1e-300, 1e308, -1e308, 2**31, 2**53, 2**63, 10**30, 1e16,
           float("nan"), float("inf"), float("-inf"))  # fmt: skip
TEXTS = ("", " ", "\0", "nan", "NaN", "inf", "-inf", "Total", "x" * 5000, "é", "日本", "a\nb", "<b>", "../x", "'", '"', "{}",
         "%s", "\u202e", "-", "1", "1e5", "income", "region", "people.csv", "sex", "f", "right_links",
         "k_anonymity")  # fmt: skip
UNDEFINED = ("nan", "NaN", "inf", "-inf")
Place = tuple[Any, Any]
"""What holds a value, and under which key or index."""


def broken(rng: random.Random, plan: dict[str, Any], model: type[BaseModel]) -> bool:
    """Change one or two values of a plan; say whether no text of it reads as a figure that is not defined."""
    figures = True
    for _ in range(rng.choice([1, 1, 2])):
        places = [p for p in _places(plan) if p[1] not in ("path", "method", "rule", "cost") or rng.random() < 0.1]
        if not places:
            break
        holder, key = rng.choice(places)
        if rng.random() < 0.05 and isinstance(holder, dict):
            holder[rng.choice([*model.model_fields, "x", "x" * 3000, "é", ""])] = rng.choice([1, "x", [], {}])
            continue
        value = _changed(rng, holder[key])
        if key in WORK and isinstance(value, int | float) and value > 10:
            continue
        figures = figures and not (value in UNDEFINED or (isinstance(value, float) and not math.isfinite(value)))
        if value is None:
            del holder[key]
        else:
            holder[key] = value
    return figures


def _places(value: Any) -> list[Place]:
    """List every value of a plan with what holds it."""
    items = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    found: list[Place] = []
    for key, part in items:
        found += [(value, key), *_places(part)]
    return found


def _changed(rng: random.Random, value: Any) -> Any:
    """Change a value: mostly into another of its kind; None leaves it out."""
    what = rng.random()
    if what < 0.05:
        return None
    if what < 0.10:
        return rng.choice([1, 0.5, "x", True, [], {}, [[]], [1, "x"], {"a": 1}])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        near = (value * 2, -value, value + 1, float(value))
        return rng.choice([*NUMBERS, *near])
    if isinstance(value, str):
        return rng.choice([*TEXTS, value + "x", value.upper(), value * 50])
    if isinstance(value, list):
        return rng.choice([[], value + copy.deepcopy(value[-1:]), value[:1], value[::-1], value * 20])
    if isinstance(value, dict) and value:
        left = rng.choice(list(value))
        return rng.choice([{}, {k: v for k, v in value.items() if k != left}])
    return {}
