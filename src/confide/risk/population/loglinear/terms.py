"""Which interactions of keys a log-linear model holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from confide.errors import DeclarationError, IntruderError, raise_all, unknown

Generator = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MainEffects:
    """Keys are independent: the fitted count is a product of shares. It tends to overstate risk."""

    def generators(self, keys: Sequence[str]) -> tuple[Generator, ...]:
        """Give the sets of keys whose margins are fitted."""
        return tuple((key,) for key in keys)

    def describe(self) -> str:
        """Say it in words."""
        return "main effects"


@dataclass(frozen=True, slots=True)
class AllTwoWay:
    """Every pair of keys interacts."""

    def generators(self, keys: Sequence[str]) -> tuple[Generator, ...]:
        """Give the sets of keys whose margins are fitted."""
        return tuple(combinations(keys, 2)) if len(keys) > 1 else tuple((key,) for key in keys)

    def describe(self) -> str:
        """Say it in words."""
        return "all two-way interactions"


@dataclass(frozen=True, slots=True, init=False)
class Interactions:
    """The interactions that are named, and the main effects of all keys.

    >>> Interactions(["age", "sex"], ["sex", "job"]).generators(["age", "sex", "job", "region"])
    (('age', 'sex'), ('sex', 'job'), ('region',))
    """

    groups: tuple[Generator, ...]
    """The sets of keys that interact."""

    def __init__(self, *groups: Sequence[str]) -> None:
        object.__setattr__(self, "groups", tuple((g,) if isinstance(g, str) else tuple(g) for g in groups))
        faults = [f"Interactions: group {i} is empty" for i, g in enumerate(self.groups, 1) if not g]
        faults += [
            f"Interactions: {', '.join(g)} names a key twice" for g in self.groups if len(set(g)) < len(g)
        ]  # fmt: skip
        raise_all(faults, IntruderError)

    def generators(self, keys: Sequence[str]) -> tuple[Generator, ...]:
        """Give the sets of keys whose margins are fitted, none inside another."""
        raise_all([unknown("key", name, keys) for g in self.groups for name in g if name not in keys], DeclarationError)
        groups = [tuple(sorted(g, key=list(keys).index)) for g in self.groups]
        groups += [(key,) for key in keys]
        kept: list[Generator] = []
        for g in groups:
            inside = any(set(g) < set(other) for other in groups)
            if not inside and g not in kept:
                kept.append(g)
        return tuple(kept)

    def describe(self) -> str:
        """Say it in words."""
        return "main effects and " + ", ".join(" x ".join(g) for g in self.groups) if self.groups else "main effects"


@dataclass(frozen=True, slots=True)
class ForwardSelection:
    """Start from main effects and add two-way interactions until the test shows no underfitting.

    In each step every pair of keys that is not in the model yet is tried, and the one that brings the larger of
    B1 / sqrt(v1) and B2 / sqrt(v2) lowest is added. Skinner and Shlomo (2008) go forward since overfitting shows less
    clearly than underfitting.
    """

    until: float = 1.96
    """Stop when neither test statistic is above this."""

    def __post_init__(self) -> None:
        """Check the limit."""
        if not self.until > 0:
            raise IntruderError(f"ForwardSelection: until is a limit for a standard normal statistic, found {self.until}")

    def describe(self) -> str:
        """Say it in words."""
        return f"forward selection until the test statistics are at most {self.until:g}"


Terms = MainEffects | AllTwoWay | Interactions | ForwardSelection
