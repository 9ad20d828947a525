"""Named axes: what of a release is still open.

`Noise("tax", sd=vary("noise", 0.05, 0.1))` is no method yet but two. A release with such parts is a family of releases; `at`
picks one of them, `grid` lists them all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import ReleaseError, unknown
from confide.release.argument_kinds import by_argument, check_kinds
from confide.release.method import Method, Step
from confide.typing import Label

Settings: TypeAlias = Mapping[str, Label]
"""Where a family of releases is taken: a value for each axis."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A named axis with a list of values."""

    name: str
    """What it is called."""
    labels: tuple[Label, ...]
    """What its values are called: numbers and words stand for themselves, methods for their names."""
    values: tuple[Any, ...]
    """The values."""

    def value(self, label: Label) -> Any:
        """Give the value with a label."""
        for known, value in zip(self.labels, self.values, strict=True):
            if known == label and isinstance(known, str) == isinstance(label, str):
                return value
        raise ReleaseError(f"{self.name}: {unknown('value', label, self.labels)}")

    def points(self, most: int) -> tuple[Label, ...]:
        """Give all labels, however many a grid asks for."""
        del most
        return self.labels


@dataclass(frozen=True, slots=True)
class Range:
    """A named axis with all numbers between two ends."""

    name: str
    """What it is called."""
    low: float
    """The lower end."""
    high: float
    """The upper end."""
    log: bool = False
    """Whether equal ratios are equally far apart."""

    def __post_init__(self) -> None:
        """Check the ends."""
        if not (np.isfinite(self.low) and np.isfinite(self.high) and self.low < self.high):
            raise ReleaseError(f"vary_between {self.name!r}: low must be below high, found {self.low} and {self.high}")
        if self.log and self.low <= 0:
            raise ReleaseError(f"vary_between {self.name!r}: log needs positive ends, found {self.low}")

    def value(self, label: Label) -> Any:
        """Give the value itself, when it lies between the ends."""
        if isinstance(label, str | bool) or not self.low <= label <= self.high:
            raise ReleaseError(f"{self.name} lies between {self.low:g} and {self.high:g}, found {label!r}")
        return float(label)

    def points(self, most: int) -> tuple[Label, ...]:
        """Give evenly spaced values, both ends among them."""
        space = np.geomspace if self.log else np.linspace
        return tuple(float(x) for x in space(self.low, self.high, max(most, 2)))


Open: TypeAlias = Axis | Range


def vary(name: str, *values: Any, **named: Any) -> Any:
    """Leave something open: one of several values.

    As an argument of a masking method the values are numbers or words. As a part of a Release they are methods, lists of
    methods, or None for nothing, and may have axes of their own.

    Args:
        name: what the axis is called.
        values: the values; a method is called by what it does.
        named: values with names of their own.

    >>> import confide as cf
    >>> swap = cf.vary("race", off=None, on=cf.Swap("race", rate=0.1))
    >>> release = cf.Release(cf.Noise("tax", sd=cf.vary("noise", 5, 10)), swap)
    >>> [dict(s) for s in release.grid()][:2]
    [{'noise': 5, 'race': 'off'}, {'noise': 5, 'race': 'on'}]
    >>> release.at(noise=5, race="on").name
    'noise 5, race on'
    """
    labels = [*(_label(v) for v in values), *named]
    if len(labels) < 1 or len(set(map(str, labels))) < len(labels):
        found = "none" if not labels else "two with the same name"
        raise ReleaseError(f"vary {name!r}: give at least one value, and each with a name of its own; found {found}")
    return Axis(name, tuple(labels), (*values, *named.values()))


def vary_between(name: str, low: float, high: float, *, log: bool = False) -> Any:
    """Leave a number open between two ends, for a search; a grid takes evenly spaced values.

    Args:
        name: what the axis is called.
        low: the lower end.
        high: the upper end.
        log: whether equal ratios are equally far apart.

    >>> import confide as cf
    >>> release = cf.Release(cf.Noise("tax", sd=cf.vary_between("noise", 1, 100, log=True)))
    >>> [s["noise"] for s in release.grid(points=3)]
    [1.0, 10.0, 100.0]
    """
    return Range(name, float(low), float(high), log)


def _label(value: Any) -> Label:
    """Name a value."""
    if isinstance(value, str | int | float):
        return value
    if value is None:
        return "nothing"
    parts = value if isinstance(value, list | tuple) else [value]
    return ", ".join(part.describe() if isinstance(part, Method) else str(part) for part in parts) or "nothing"


class Varying:
    """A masking method whose arguments may be left open."""

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Give the method, or what will be one when its open arguments are chosen."""
        if any(isinstance(a, Axis | Range) for a in (*args, *kwargs.values())):
            given = by_argument(cls, args, kwargs)
            check_kinds(cls, {k: (a.name, _gives(a)) for k, a in given.items() if isinstance(a, Axis | Range)})
            return Varied(cls, args, tuple(kwargs.items()))
        return super().__new__(cls)


@dataclass(frozen=True, slots=True)
class Varied:
    """A masking method with open arguments."""

    made: type
    """The class of the method."""
    args: tuple[Any, ...]
    """Its arguments."""
    kwargs: tuple[tuple[str, Any], ...]
    """Its arguments by name."""

    @property
    def axes(self) -> tuple[Open, ...]:
        """What is open."""
        return tuple(a for a in (*self.args, *(v for _, v in self.kwargs)) if isinstance(a, Axis | Range))

    def at(self, settings: Settings) -> Method:
        """Give the method at the settings."""
        args = [_at(a, settings) for a in self.args]
        method: Method = self.made(*args, **{k: _at(v, settings) for k, v in self.kwargs})
        return method

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables the method touches."""
        return self.at({a.name: a.points(2)[0] for a in self.axes}).variables

    def bind(self, data: Microdata) -> Step:
        """Refuse: something is open."""
        del data
        raise ReleaseError(f"{self.made.__name__} leaves {_names(self.axes)} open; choose with release.at(...)")

    def describe(self) -> str:
        """Say what is open."""
        return f"{self.made.__name__} with {_names(self.axes)} left open"


def _gives(axis: Open) -> tuple[Any, ...]:
    """List the values of an axis, of a range its ends."""
    return axis.values if isinstance(axis, Axis) else (axis.low, axis.high)


def _names(axes: Sequence[Open]) -> str:
    """Name some axes."""
    return ", ".join(dict.fromkeys(a.name for a in axes))


def _at(value: Any, settings: Settings) -> Any:
    """Give an argument at the settings."""
    if not isinstance(value, Axis | Range):
        return value
    if value.name not in settings:
        raise ReleaseError(f"{value.name} is left open; choose with release.at({value.name}=...)")
    return value.value(settings[value.name])


Part: TypeAlias = Any
"""A method, one with open arguments, an axis of methods, a list of these, or None."""


def flat(part: Part, settings: Settings) -> list[Method]:
    """Give the methods of a part at the settings."""
    if part is None:
        return []
    if isinstance(part, list | tuple):
        return [m for p in part for m in flat(p, settings)]
    if isinstance(part, Axis | Range):
        return flat(_at(part, settings), settings)
    return [part.at(settings)] if isinstance(part, Varied) else [part]


def open_axes(parts: Sequence[Part], settings: Settings) -> dict[str, Open]:
    """Give the axes that are open, given what is settled of axes of methods; those of methods come before those in them."""
    found: dict[str, Open] = {}
    for part in parts:
        if isinstance(part, list | tuple):
            new = open_axes(part, settings)
        elif isinstance(part, Axis | Range):
            new = {part.name: part}
            if part.name in settings:
                new |= open_axes([part.value(settings[part.name])], settings)
        else:
            new = {a.name: a for a in part.axes} if isinstance(part, Varied) else {}
        for name, axis in new.items():
            if found.setdefault(name, axis) != axis:
                raise ReleaseError(f"two axes are called {name!r} and differ; give each a name of its own")
    return found


def grid_of(parts: Sequence[Part], points: int) -> Iterator[dict[str, Label]]:
    """List all settings; an axis inside a method that is not chosen is left out."""
    settled: list[dict[str, Label]] = [{}]
    while True:
        longer: list[dict[str, Label]] = []
        for settings in settled:
            left = [a for n, a in open_axes(parts, settings).items() if n not in settings]
            names, values = [a.name for a in left], [a.points(points) for a in left]
            longer += [settings | dict(zip(names, chosen, strict=True)) for chosen in itertools.product(*values)]
        if longer == settled:
            yield from settled
            return
        settled = longer
