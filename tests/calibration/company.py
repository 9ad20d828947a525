"""Masked variables that depend on each other, rare levels, sparse keys, blanks of every kind of knowledge, odd amounts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import confide as cf
from calibration import examples
from calibration.combination import Combination, settings, touched

WAGE, RENT = cf.Noise("wage", sd=5.0), cf.Noise("rent", sd=3.0)
SWAPPED, MERGED = cf.Swap("trade", rate=0.6), cf.Recode("trade", mapping={"p": "p", "q": "q or r", "r": "q or r"})
ALIKE = cf.Recode("job", mapping={f"j{k:02d}": f"j{k:02d}" for k in range(40)})
"""A recode that leaves a category as it is."""


def company() -> Iterator[Combination]:
    """What depends on each other, is rare, coarse, or far away."""
    yield from _both()
    yield from _one_in_part()
    yield from _odd()


def _ways(row: Combination, *, full: bool = False) -> Iterator[Combination]:
    """The row with true and with fitted beliefs, known to be in the file or not; in full also without replacement."""
    for own in (False, True):
        fitted = replace(row, fitted=own)
        yield from settings(fitted) if full else (fitted, replace(fitted, in_file=False))


def _both() -> Iterator[Combination]:
    """Two masked variables that depend on each other, both known exactly."""
    for name, made in (
        ("Noise of wage and rent", (WAGE, RENT)),
        ("Swap of trade, Noise of wage", (SWAPPED, WAGE)),
        ("Recode of trade, Noise of wage", (MERGED, WAGE)),
    ):
        yield from _ways(Combination(name, made, "Exactly", cf.Exactly, touched(made)), full=True)


def _one_in_part() -> Iterator[Combination]:
    """Two masked variables that depend on each other: one known exactly, the other in every other way."""
    of_trade = (("Swap of trade, Noise of wage", (SWAPPED, WAGE)), ("Recode of trade, Noise of wage", (MERGED, WAGE)))
    wide = examples.method(cf.Recode, "rent")
    for know in others():
        if know in examples.CATEGORIES:
            for name, made in of_trade:
                yield from _ways(Combination(name, made, know.__name__, know, ("trade",), exactly=("wage",)))
            continue
        for name, made, about, exactly in (
            ("Noise of wage and rent", (WAGE, RENT), "rent", "wage"),
            ("Recode of rent, Noise of wage", (wide, WAGE), "rent", "wage"),
            ("Swap of trade, Noise of wage", (SWAPPED, WAGE), "wage", "trade"),
        ):
            yield from _ways(Combination(name, made, know.__name__, know, (about,), exactly=(exactly,)))
    for name, made, about, exactly in (
        ("Noise of wage and rent", (WAGE, RENT), "rent", "wage"),
        ("Recode of rent, Noise of wage", (wide, WAGE), "rent", "wage"),
        ("Swap of trade, Noise of wage", (SWAPPED, WAGE), "trade", "wage"),
        ("Recode of trade, Noise of wage", (MERGED, WAGE), "trade", "wage"),
    ):
        believed = Combination(name, made, "unavailable, Regression", cf.Regression, (about,), unavailable=True, fitted=True)
        row = replace(believed, exactly=(exactly,))
        yield from (row, replace(row, in_file=False))


def others() -> list[type]:
    """Every kind of knowledge but the exact."""
    return [k for k in examples.knowledge() if k is not cf.Exactly]


def _odd() -> Iterator[Combination]:
    """Steps wider than the noise, an amount of which one is zero, amounts far from the origin, rare levels.

    Some per cent of an amount far from the origin are all of it.
    """
    wide = "Round to a multiple of the noise, then noise"
    coarse = Combination(wide, examples.VARIANTS[wide], "Exactly", cf.Exactly, ("income",), fitted=True)
    yield from settings(coarse)
    zero = Combination("Noise, one amount zero", (cf.Noise("fee", sd=20.0),), "Exactly", cf.Exactly, ("fee",), fitted=True)
    yield from (zero, replace(zero, in_file=False))
    for know in (cf.Exactly, *(k for k in others() if k not in {*examples.CATEGORIES, cf.Within})):
        far = (cf.Noise("place", sd=5.0),)
        yield from _ways(Combination("Noise, far from zero", far, know.__name__, know, ("place",)))
    rare = Combination("Swap of 40 levels", (cf.Swap("job", rate=0.1),), "Exactly", cf.Exactly, ("job",))
    yield from _ways(rare, full=True)
    # the matrix tells how common levels are in the file, which beliefs about all people contradict where few are in it
    sparsely = replace(rare, few=True, fitted=True)
    yield from (sparsely, replace(sparsely, in_file=False))


def sparse(sources: Sequence[str]) -> Iterator[Combination]:
    """Few of many people released, with keys that few of them share: every source of the number of people."""
    noisy: tuple[Any, ...] = (ALIKE, cf.Noise("income", sd=6.0))
    for source in sources:
        for name, made, known in (("Recode", (ALIKE,), ("job",)), ("Recode, Noise", noisy, ("job", "income"))):
            row = Combination(name, made, "Exactly", cf.Exactly, known, in_file=False, population=source, few=True)
            # where nothing is perturbed, beliefs are only asked for a known chance
            yield from (row, replace(row, fitted=True)) if len(made) > 1 or source == "chance" else (row,)


def blanked_kinds() -> Iterator[tuple[str, tuple[Any, ...], type, str]]:
    """Maskings with every kind of knowledge but the exact, for cells that are left blank."""
    for know in others():
        name = "kind" if know in examples.CATEGORIES else "income"
        for cls in (None, cf.Swap if name == "kind" else cf.Noise, cf.Recode):
            made = () if cls is None else (examples.method(cls, name),)
            yield ("nothing" if cls is None else cls.__name__), made, know, name
