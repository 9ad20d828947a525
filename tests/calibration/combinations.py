"""All combinations of masking, knowledge, and what is known of the file; generated from the public lists."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import confide as cf
from calibration import examples
from calibration.blanked import RULES
from calibration.combination import Combination, settings, touched
from calibration.company import blanked_kinds, company, sparse
from calibration.population import NUMBERS

WHOLE = {"x": "x", "y": "y", "z": "z"}
"""A recode that leaves a category as it is."""


def singles() -> Iterator[Combination]:
    """Every method with every kind of knowledge, with every kind of belief where it is unavailable."""
    for cls in examples.methods():
        for know in examples.knowledge():
            name = _variable(cls, know)
            made = (_made(cls, name),)
            row = Combination(cls.__name__, made, know.__name__, know, touched(made) or (name,))
            yield from settings(row)
        for family in examples.beliefs():
            usual = _variable(cls, cf.OneOf if examples.of_levels(family) else cf.Exactly)
            name = examples.OF_FAMILY.get(family, usual)
            made, title = (_made(cls, name),), cls.__name__
            how = f"unavailable, {family.__name__}"
            known = touched(made) or (name,)
            if not touched(made):
                # what is released as it is is known, or not looked at: beliefs are about what is altered
                company = examples.method(cf.Noise if examples.is_number(known[0]) else cf.Swap, known[0])
                made, title = (*made, company), f"{title}, then {type(company).__name__}"
            if family is cf.Regression:
                # a regression on what is seen tells nobody from strangers: the target's own area is known, not seen
                made, title = (cf.Swap("area", rate=0.6), *made), f"Swap of area, then {title}"
            row = Combination(title, made, how, family, known, unavailable=True, fitted=family is cf.Regression)
            yield from settings(row)


def _variable(cls: type, know: type) -> str:
    """The variable for a method: its own for exact knowledge, else one that the knowledge is about."""
    own = examples.VARIABLE.get(cls, "income")
    category = know in examples.CATEGORIES or (know is cf.Distributed and own == "kind")
    wanted = ["kind", "age"] if category else [own] if know is cf.Exactly else ["income", "age"]
    return next(v for v in [*wanted, own] if examples.takes(cls, v))


def _made(cls: type, name: str) -> Any:
    """An example of a method; what is dropped is another variable than what is known."""
    return examples.method(cls, "mass" if cls is cf.Drop else name)


def variants() -> Iterator[Combination]:
    """More ways to use the house's own methods; known exactly, with true and with fitted beliefs."""
    for name, made in examples.VARIANTS.items():
        known = touched(made) or ("kind",)
        yield from settings(Combination(name, made, "Exactly", cf.Exactly, known))
    for name, made in examples.VARIANTS.items():
        for know in (cf.OneOf, cf.Between, cf.Distributed):
            known = touched(made) or ("income",)
            fits = all((v in NUMBERS) != (know is cf.OneOf) for v in known)
            if fits and (know is not cf.Distributed or "age" not in known):
                yield Combination(name, made, know.__name__, know, known)
                yield Combination(name, made, know.__name__, know, known, in_file=False)


def fitted() -> Iterator[Combination]:
    """Every method known exactly, with beliefs fitted to the source file: what is used when nothing is said."""
    for cls in examples.methods():
        made = (examples.method(cls, examples.VARIABLE.get(cls, "income")),)
        yield from settings(Combination(cls.__name__, made, "Exactly", cf.Exactly, touched(made) or ("kind",), fitted=True))


SOURCES = {cf.PopulationTable: "table", cf.FromWeights: "weights", cf.AtLeast: "at least", cf.KnownChance: "chance"}
"""What sources of N_t are called; others by their own name. A constant is told where no table can be."""


def source_names() -> list[str]:
    """Where N_t may come from."""
    return [SOURCES.get(cls, cls.__name__) for cls in examples.populations() if cls is not cf.Constant]


def populations() -> Iterator[Combination]:
    """Every source of the number of people like the target."""
    for name in source_names():
        if name in ("table", *(m.__name__ for m in examples.models())):
            continue
        for made, known in ((cf.Recode("kind", mapping=WHOLE), ("kind", "age")), (cf.Noise("income", sd=6.0), ("income",))):
            masking = type(made).__name__
            yield Combination(masking, (made,), "Exactly", cf.Exactly, known, in_file=False, population=name)


WITHIN = {n: made for n, made in examples.VARIANTS.items() if any(getattr(m, "within", None) for m in made)}
"""Swaps within an area that is seen as it is, recoded, or swapped."""


def strata() -> Iterator[Combination]:
    """Swaps within an area that is not known of the target, or known in part."""
    for (name, made), area, know in itertools.product(WITHIN.items(), (None, cf.OneOf), (cf.Exactly, cf.OneOf)):
        for own in (False, True):
            row = Combination(name, made, know.__name__, know, ("kind",), area=area, fitted=own)
            yield from settings(row) if know is cf.Exactly else (row, replace(row, in_file=False))


def blanks() -> Iterator[Combination]:
    """Cells left blank at random, or by a rule that is known, after a masking of a category or a number, or none."""
    maskings = {name: (name, examples.method(cls, "kind")) for cls in (cf.Swap, cf.Recode) for name in [cls.__name__]}
    for rule in RULES:
        for name, *made in [*maskings.values(), ("nothing",)]:
            for own in (False, True) if name == "Swap" else (False,):
                yield from settings(
                    Combination(name, tuple(made), "Exactly", cf.Exactly, ("kind",), blanks=rule, fitted=own)
                )
        if not isinstance(rule.chances, dict):
            for name, made in (
                ("Noise", (examples.method(cf.Noise, "income"),)),
                ("Noise, zeros kept", examples.VARIANTS["Noise, zeros kept"]),
            ):
                yield from settings(Combination(name, made, "Exactly", cf.Exactly, touched(made), blanks=rule))
        for name, made, know, known in blanked_kinds():
            if not isinstance(rule.chances, dict) or known == "kind":
                one = Combination(name, made, know.__name__, know, (known,), blanks=rule)
                yield from (one, replace(one, in_file=False))
        both = Combination("nothing", (), "Exactly", cf.Exactly, ("kind", "age"), blanks=rule)
        yield from settings(both) if not isinstance(rule.chances, dict) else ()


def chains() -> Iterator[Combination]:
    """Chains of two: every ordered pair of methods. Chains of three: until every ordered pair has had company."""
    classes = examples.methods()
    turn = itertools.cycle(itertools.product((True, False), (False, True)))
    for pair in itertools.product(classes, classes):
        yield _chain(pair, *next(turn))
    rng, left = np.random.default_rng(3), set(itertools.product(range(len(classes)), repeat=2))
    while left:
        triple = tuple(int(i) for i in rng.choice(len(classes), 3))
        found = set(itertools.combinations(triple, 2))
        if found & left:
            left -= found
            yield _chain(tuple(classes[i] for i in triple), *next(turn))


def _chain(classes: tuple[type, ...], in_file: bool, without: bool) -> Combination:
    """A chain on one variable where its methods take numbers, so that they meet; swaps act on a category."""
    dropped = iter(("tax", "mass", "score"))
    made = tuple(
        examples.method(c, "kind" if c is cf.Swap else next(dropped) if c is cf.Drop else "income") for c in classes
    )
    name = ", then ".join(c.__name__ for c in classes)
    known = touched(made) or ("income",)
    return Combination(name, made, "Exactly", cf.Exactly, known, in_file=in_file, without=without)


def combinations() -> list[Combination]:
    """Every row of the table, each once."""
    rows = [*singles(), *variants(), *fitted(), *populations(), *strata(), *blanks(), *chains(), *company()]
    rows += sparse(source_names())
    return list({row.title: row for row in rows}.values())


def covering() -> list[Combination]:
    """Every masking with every knowledge once, each time with another setting of what is known of the file."""
    found: dict[tuple[str, ...], list[Combination]] = {}
    for row in combinations():
        found.setdefault(row.line, []).append(row)
    return [rows[k % len(rows)] for k, rows in enumerate(found.values())]
