"""Take a log-linear model apart: what has a closed form, and what must be fitted by iteration.

A set of keys is an ear of the others when all that it shares with them lies inside one of them. Its counts given the
shared keys are then the observed ones: the fitted mean is that of the rest times n(ear) / n(shared). A model that ears
use up is decomposable (Lauritzen 1996, chapter 4); what is left otherwise is the core.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from confide.risk.population.loglinear.terms import Generator


@dataclass(frozen=True, slots=True)
class Structure:
    """A model as ears, and a core."""

    ears: tuple[tuple[Generator, Generator], ...]
    """Sets of keys with a closed form, each with what it shares with the rest; the empty set is shared with nobody."""
    core: tuple[Generator, ...]
    """Sets of keys whose margins must be fitted together; empty for a decomposable model."""

    @property
    def core_keys(self) -> tuple[str, ...]:
        """The keys of the core, in order of appearance."""
        return tuple(dict.fromkeys(key for g in self.core for key in g))


def take_apart(generators: Sequence[Generator]) -> Structure:
    """Find the ears, one after the other, and the core.

    >>> take_apart([("a", "b"), ("b", "c"), ("d",)]).ears
    ((('a', 'b'), ('b',)), (('b', 'c'), ()), (('d',), ()))
    >>> take_apart([("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")]).core
    (('a', 'b'), ('b', 'c'), ('a', 'c'))
    """
    left, ears = list(generators), []
    while left:
        for g in left:
            others = [h for h in left if h is not g]
            elsewhere = {key for h in others for key in h}
            shared = tuple(key for key in g if key in elsewhere)
            if not shared or any(set(shared) <= set(h) for h in others):
                ears.append((g, shared))
                left = others
                break
        else:
            return Structure(tuple(ears), tuple(left))
    return Structure(tuple(ears), ())
