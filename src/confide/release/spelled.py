"""One spelling of what is declared, whatever types its numbers came in: a plan's 20.0 is 20 in Python."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np


def spelled(value: Any) -> str:
    """Write a declaration as a text that is the same for equal ones; arguments that have their default are left out.

    >>> import confide as cf
    >>> spelled(cf.Recode("age", width=20.0)), spelled(cf.Recode("age", width=20)) == spelled(cf.Recode("age", width=20.0))
    ('Recode(variable="age",width=20)', True)
    >>> spelled({"b": np.float64(0.5), "a": (1, None)})
    '{"a":[1,none],"b":0.5}'
    """
    if value is None or isinstance(value, bool | np.bool_):
        return "none" if value is None else str(bool(value)).lower()
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, int | float | np.integer | np.floating):
        return _number(value)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(sorted(f"{spelled(k)}:{spelled(v)}" for k, v in value.items())) + "}"
    if isinstance(value, list | tuple | np.ndarray):
        return "[" + ",".join(map(spelled, value)) + "]"
    if isinstance(value, set | frozenset):
        return "<" + ",".join(sorted(map(spelled, value))) + ">"
    return _object(value)


def _number(value: Any) -> str:
    """Write a number: whole ones without a point."""
    if isinstance(value, int | np.integer):
        return str(int(value))
    x = float(value)
    return str(int(x)) if math.isfinite(x) and x == int(x) else repr(x)


def _object(value: Any) -> str:
    """Write an object by its class and what it holds, and a function by its name and what it does."""
    name = type(value).__name__
    if is_dataclass(value) and not isinstance(value, type):
        held = [(f.name, getattr(value, f.name)) for f in fields(value) if not _is_default(f, getattr(value, f.name))]
    elif callable(value) and hasattr(value, "__code__"):
        return _function(value)
    elif hasattr(value, "__dict__") and not isinstance(value, type):
        held = sorted(vars(value).items())
    else:
        return f"{name}:{value!r}"
    return f"{name}({','.join(f'{k}={spelled(v)}' for k, v in held)})"


def _is_default(field: Field[Any], value: Any) -> bool:
    """Say whether an argument has its default; a plan may spell out what Python leaves out."""
    if field.default is not MISSING:
        return spelled(field.default) == spelled(value)
    return field.default_factory is not MISSING and spelled(field.default_factory()) == spelled(value)


def _function(value: Callable[..., Any]) -> str:
    """Write a function by its name, its code and what it encloses."""
    code = value.__code__
    enclosed = [cell.cell_contents for cell in getattr(value, "__closure__", None) or ()]
    text = f"{code.co_code.hex()} {code.co_names!r} {code.co_consts!r} {spelled(enclosed)}"
    return f"{value.__qualname__}#{hashlib.sha256(text.encode()).hexdigest()}"
