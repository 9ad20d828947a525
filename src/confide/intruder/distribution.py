"""Distributions an intruder may hold about a value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

from confide.errors import IntruderError
from confide.typing import Label


@dataclass(frozen=True, slots=True)
class Normal:
    """A normal distribution.

    >>> Normal(mean=150, sd=60).sd
    60
    """

    mean: float
    """The mean."""
    sd: float
    """The standard deviation."""

    def __post_init__(self) -> None:
        """Check the parameters."""
        _check("Normal", self.mean, self.sd)


@dataclass(frozen=True, slots=True)
class Lognormal:
    """A lognormal distribution; both parameters are those of the logarithm."""

    mean: float
    """The mean of the logarithm."""
    sd: float
    """The standard deviation of the logarithm."""

    def __post_init__(self) -> None:
        """Check the parameters."""
        _check("Lognormal", self.mean, self.sd)


@dataclass(frozen=True, slots=True)
class Uniform:
    """A uniform distribution on a range."""

    low: float
    """The lower end."""
    high: float
    """The upper end."""

    def __post_init__(self) -> None:
        """Check the parameters."""
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise IntruderError(f"Uniform: low must be below high and both finite, found {self.low} and {self.high}")


Distribution = Normal | Lognormal | Uniform


@dataclass(frozen=True, slots=True)
class Mixture:
    """Several possibilities with their probabilities: values, levels, or distributions of numbers.

    >>> Mixture([(0.2, 0), (0.8, Lognormal(7.0, 1.2))]).parts[0]
    (0.2, 0)
    >>> Mixture([(3, "yes"), (1, "no")]).weights
    (0.75, 0.25)
    """

    parts: Sequence[tuple[float, Label | Distribution]]
    """Each possibility with its probability; they are scaled to sum to one."""

    def __post_init__(self) -> None:
        """Check the probabilities."""
        if isinstance(self.parts, Mapping | str) or not all(isinstance(p, tuple | list) and len(p) == 2 for p in self.parts):
            raise IntruderError("Mixture takes pairs of a probability and a possibility: Mixture([(0.2, 0), (0.8, 10)])")
        weights = [w for w, _ in self.parts]
        if not weights or not all(_is_number(w) and w >= 0 for w in weights) or sum(weights) <= 0:
            raise IntruderError("Mixture: give one or more possibilities with probabilities of 0 or more, not all 0")
        if any(isinstance(x, Mixture) for _, x in self.parts):
            raise IntruderError("Mixture: its possibilities are values and distributions, not mixtures")
        wrong = [type(x).__name__ for _, x in self.parts if not _is_possibility(x)]
        if wrong:
            raise IntruderError(f"Mixture: its possibilities are values and distributions, found {wrong[0]}")

    @property
    def weights(self) -> tuple[float, ...]:
        """The probabilities, scaled to sum to one."""
        total = sum(w for w, _ in self.parts)
        return tuple(w / total for w, _ in self.parts)


Belief = Normal | Lognormal | Uniform | Mixture | Mapping[Label, float] | str | int | float | bool
"""What may be believed about one value: a distribution, a mixture, levels with their probabilities, or a value itself."""


def possibilities(belief: Belief) -> list[tuple[float, Label | Distribution]]:
    """Give the possibilities of a belief with their probabilities.

    >>> possibilities("yes"), possibilities({"yes": 3, "no": 1})
    ([(1.0, 'yes')], [(0.75, 'yes'), (0.25, 'no')])
    """
    if isinstance(belief, Mapping):
        return possibilities(Mixture([(w, x) for x, w in belief.items()]))
    if isinstance(belief, Mixture):
        return [(w, x) for w, (_, x) in zip(belief.weights, belief.parts, strict=True)]
    return [(1.0, belief)]


def check_belief(name: str, belief: object) -> None:
    """Raise where something is no belief about a value.

    Args:
        name: the variable it is about.
        belief: what was given.
    """
    if isinstance(belief, Mapping):
        if not belief or not all(_is_number(w) and w >= 0 for w in belief.values()) or sum(belief.values()) <= 0:
            raise IntruderError(
                f"the belief about {name!r}: a dict gives each level a probability of 0 or more, not all 0, as in "
                '{"yes": 0.2, "no": 0.8}'
            )
        possibilities(belief)
    elif not isinstance(belief, Mixture) and not _is_possibility(belief):
        found = f"the class {belief.__name__}; add ()" if isinstance(belief, type) else type(belief).__name__
        raise IntruderError(
            f"the belief about {name!r} takes a value, a distribution such as Lognormal(7, 1), a Mixture, or a dict of "
            f"levels with their probabilities, found {found}"
        )


def _is_number(x: object) -> bool:
    """Say whether something is a finite number."""
    return isinstance(x, Real) and math.isfinite(x)


def _is_possibility(x: object) -> bool:
    """Say whether something is a value or a distribution."""
    return isinstance(x, Normal | Lognormal | Uniform | str) or _is_number(x)


def _check(name: str, mean: float, sd: float) -> None:
    """Raise on parameters that are no distribution."""
    if not math.isfinite(mean) or not (math.isfinite(sd) and sd > 0):
        raise IntruderError(f"{name}: mean must be finite and sd positive, found {mean} and {sd}")
