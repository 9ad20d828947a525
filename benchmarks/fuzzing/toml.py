"""Write a plan that may hold anything as TOML."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def toml(plan: Mapping[str, Any]) -> str:
    r"""Write one key on each line, tables inline.

    >>> toml({"a": {"b": [1, 2.5]}, "c": float("inf"), "d": "x\n"})
    '"a" = {"b" = [1, 2.5]}\n"c" = inf\n"d" = "x\\n"\n'
    """
    return "".join(f"{_text(str(k))} = {_value(v)}\n" for k, v in plan.items())


def _value(value: Any) -> str:
    """Write one value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(str(k))} = {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return _text(str(value))


def _number(value: float) -> str:
    """Write a number, so that it stays one that is not whole."""
    if math.isfinite(value):
        return repr(value) if "e" in repr(value) or "." in repr(value) else f"{value!r}.0"
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def _text(text: str) -> str:
    """Write a text; what TOML does not allow in it is escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
