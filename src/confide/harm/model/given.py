"""A model of the user's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real

from confide.data.microdata import Microdata
from confide.errors import HarmError

Estimates = Mapping[str, tuple[float, float]]
"""Estimates by name, each with its standard error."""


@dataclass(frozen=True, slots=True)
class GivenModel:
    """A function that fits a model to a file and gives estimates with standard errors.

    >>> import numpy as np
    >>> def mean_age(data):
    ...     x = data.column("age").numbers
    ...     return {"mean": (x.mean(), x.std(ddof=1) / np.sqrt(x.size))}
    >>> GivenModel(mean_age, "mean age").describe()
    'mean age (a function that was given)'
    """

    function: Callable[[Microdata], Estimates]
    """From a file, estimates by name: value and standard error."""
    name: str = "given model"
    """What the model is called in tables."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        if not callable(self.function):
            raise HarmError(
                f"GivenModel takes a function of a file, found {type(self.function).__name__}; "
                "give a function that returns {'name': (value, standard error)}"
            )

    def describe(self) -> str:
        """Say it in words."""
        return f"{self.name} (a function that was given)"

    def fit(self, data: Microdata, file: str) -> dict[str, tuple[float, float]]:
        """Fit the model to a file and check what the function gave."""
        try:
            found = self.function(data)
        except Exception as error:
            error.add_note(f"while fitting {self.name!r} to the {file}")
            raise
        if not isinstance(found, Mapping) or not found:
            raise HarmError(
                f"{self.name!r} on the {file}: the function must return a mapping such as "
                f"{{'age': (0.4, 0.1)}} with an estimate or more, found {_what(found)}"
            )
        return {_name(k, self.name, file): _pair(k, pair, self.name, file) for k, pair in found.items()}


def _name(name: object, model: str, file: str) -> str:
    """Check the name of an estimate."""
    if not isinstance(name, str):
        raise HarmError(f"{model!r} on the {file}: names of estimates must be text, found {type(name).__name__}")
    return name


def _pair(name: object, pair: object, model: str, file: str) -> tuple[float, float]:
    """Check one estimate and its standard error."""
    numbers = list(pair) if isinstance(pair, list | tuple) else []
    if len(numbers) != 2 or not all(isinstance(x, Real) and not isinstance(x, bool) for x in numbers):
        raise HarmError(
            f"{model!r} on the {file}: estimate {name!r} must be two numbers, (value, standard error), found {_what(pair)}"
        )
    value, se = float(numbers[0]), float(numbers[1])
    if not math.isfinite(value) or not (math.isfinite(se) and se > 0):
        raise HarmError(
            f"{model!r} on the {file}: estimate {name!r} must be finite and its standard error positive and finite"
        )
    return value, se


def _what(found: object) -> str:
    """Name what was found."""
    return "an empty mapping" if isinstance(found, Mapping) else type(found).__name__
