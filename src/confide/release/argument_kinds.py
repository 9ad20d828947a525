"""Whether what an axis gives is of a kind that the argument of a masking method takes."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from confide.errors import ReleaseError, raise_all

_WORDS: dict[Any, str] = {
    float: "a number", int: "a whole number", bool: "true or false", str: "a text", Sequence: "a list", Mapping: "a table",
}  # fmt: skip


def check_kinds(made: type, given: Mapping[str, tuple[str, Iterable[Any]]]) -> None:
    """Raise where an axis gives an argument a value of a wrong kind.

    Args:
        made: the class of a masking method.
        given: for each open argument the name of its axis and the values it gives.

    >>> import confide as cf
    >>> check_kinds(cf.Noise, {"sd": ("noise", [1, "large"])})
    Traceback (most recent call last):
    confide.errors.ReleaseError: Noise: sd takes a number; 'noise' gives 'large'
    """
    hints = get_type_hints(made)
    faults = []
    for name, (axis, values) in given.items():
        if name in hints:
            wrong = [v for v in values if not _fits(v, hints[name])]
            faults += [f"{made.__name__}: {name} takes {_named(hints[name])}; {axis!r} gives {wrong[0]!r}"] if wrong else []
    raise_all(faults, ReleaseError)


def by_argument(made: type, args: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """Name the arguments that were given by their places.

    >>> import confide as cf
    >>> by_argument(cf.Noise, ["tax"], {"sd": 5})
    {'variable': 'tax', 'sd': 5}
    """
    places = [f.name for f in fields(made)]
    return {**dict(zip(places, args, strict=False)), **named}


def _parts(kind: Any) -> tuple[Any, ...]:
    """List the kinds that a kind allows."""
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def _fits(value: Any, kind: Any) -> bool:
    """Say whether a value is of one of the kinds."""
    return any(_is(value, one) for one in _parts(kind))


def _is(value: Any, kind: Any) -> bool:
    """Say whether a value is of one kind; numbers are no truth values, texts are no lists."""
    plain = get_origin(kind) or kind
    if plain is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if plain in (float, int):
        classes = (int, np.integer) if plain is int else (int, float, np.number)
        return isinstance(value, classes) and not isinstance(value, bool)
    if plain is Sequence:
        return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)
    return isinstance(value, plain)


def _named(kind: Any) -> str:
    """Say in words what an argument takes."""
    words = []
    for one in _parts(kind):
        plain = get_origin(one) or one
        if plain is Literal:
            words += [repr(x) for x in get_args(one)]
        elif one is not type(None):
            words.append(_WORDS.get(plain, plain.__name__))
    return " or ".join(words)
