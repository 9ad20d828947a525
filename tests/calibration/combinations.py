"""All combinations of masking, knowledge, and what is known of the file; generated from the public lists."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import confide as cf
from calibration import examples
from calibration.blanked import RULES, Blanked
from calibration.population import NOBODY, NUMBERS, Others

WHOLE = {"x": "x", "y": "y", "z": "z"}
"""A recode that leaves a category as it is."""


@dataclass(frozen=True)
class Combination:
    """One row of the table."""

    masking: str
    """What the masking is called."""
    methods: tuple[Any, ...]
    """The masking."""
    knows: str
    """How the masked variables are known: the name of a class, or unavailable with a kind of belief."""
    kind: type
    """The class of knowledge, or of belief."""
    variables: tuple[str, ...]
    """The variables that are known so."""
    unavailable: bool = False
    """Whether they are not known at all, but believed something of."""
    in_file: bool = True
    """Whether the intruder knows that the target is in the file."""
    without: bool = False
    """Whether records are matched without replacement."""
    fitted: bool = False
    """Whether beliefs are fitted to the source file; otherwise they are the truth."""
    population: str = "table"
    """Where N_t comes from."""
    area: type | None = cf.Exactly
    """How the area is known, of which everything depends; None: not at all."""
    blanks: Blanked | None = None
    """By which rule cells of the masked variables are left blank; None: they are not."""

    def masks(self, name: str) -> bool:
        """Whether a variable is masked."""
        return any(name in m.variables for m in self.methods)

    @property
    def others(self) -> Others:
        """Whose values have another distribution, where that is what the intruder knows of the targets."""
        alike = {cf.Regression, cf.AboutTargets, cf.OneOf}
        differ = self.kind is cf.Distributed or (self.unavailable and self.kind not in alike)
        return Others(self.variables, lumps=self.kind is cf.Mixture) if differ else NOBODY

    @property
    def cells(self) -> tuple[str, ...]:
        """The row's names in the table."""
        file = "in the file" if self.in_file else "maybe" if self.population == "table" else f"maybe, {self.population}"
        area = {cf.Exactly: "", cf.OneOf: ", area one of two", None: ", area not known"}[self.area]
        knows = self.knows + area + (f", {self.blanks.title}" if self.blanks is not None else "")
        return (
            self.masking, knows, file, "without" if self.without else "with", "fitted" if self.fitted else "true"
        )  # fmt: skip

    @property
    def title(self) -> str:
        """The row's name."""
        return " / ".join(self.cells)


def _settings(row: Combination) -> Iterator[Combination]:
    """The row with everything that may be known of the file, and both ways of matching."""
    for in_file, without in itertools.product((True, False), (False, True)):
        yield replace(row, in_file=in_file, without=without)


def touched(methods: tuple[Any, ...]) -> tuple[str, ...]:
    """The variables that some methods mask, beside the area; a file must hold more than what is dropped."""
    dropped = {v for m in methods if isinstance(m, cf.Drop) for v in m.variables}
    names = dict.fromkeys(v for m in methods for v in m.variables if v not in dropped)
    return tuple(n for n in names if n != "area")


def singles() -> Iterator[Combination]:
    """Every method with every kind of knowledge, with every kind of belief where it is unavailable."""
    for cls in examples.methods():
        for know in examples.knowledge():
            name = _variable(cls, know)
            made = (_made(cls, name),)
            row = Combination(cls.__name__, made, know.__name__, know, touched(made) or (name,))
            yield from _settings(row)
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
            yield from _settings(row)


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
        yield from _settings(Combination(name, made, "Exactly", cf.Exactly, known))
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
        yield from _settings(Combination(cls.__name__, made, "Exactly", cf.Exactly, touched(made) or ("kind",), fitted=True))


SOURCES = {cf.PopulationTable: "table", cf.FromWeights: "weights", cf.AtLeast: "at least", cf.KnownChance: "chance"}
"""Where N_t may come from; a constant is told to targets one by one, where no table can."""


def populations() -> Iterator[Combination]:
    """Other sources of the number of people like the target."""
    for name in list(SOURCES.values())[1:]:
        for made, known in ((cf.Recode("kind", mapping=WHOLE), ("kind", "age")), (cf.Noise("income", sd=6.0), ("income",))):
            masking = type(made).__name__
            yield Combination(masking, (made,), "Exactly", cf.Exactly, known, in_file=False, population=name)


WITHIN = {
    name: examples.VARIANTS[name]
    for name in ("Swap within area", "Swap within area, recoded later", "Swap within a stratum swapped later")
}
"""Swaps within an area that is seen as it is, recoded, or swapped."""


def strata() -> Iterator[Combination]:
    """Swaps within an area that is not known of the target, or known in part."""
    for (name, made), area, know in itertools.product(WITHIN.items(), (None, cf.OneOf), (cf.Exactly, cf.OneOf)):
        for own in (False, True):
            row = Combination(name, made, know.__name__, know, ("kind",), area=area, fitted=own)
            yield from _settings(row) if know is cf.Exactly else (row, replace(row, in_file=False))


def blanks() -> Iterator[Combination]:
    """Cells left blank at random, or by a rule that is known, after a masking of a category or a number, or none."""
    maskings = {name: (name, examples.method(cls, "kind")) for cls in (cf.Swap, cf.Recode) for name in [cls.__name__]}
    for rule in RULES:
        for name, *made in [*maskings.values(), ("nothing",)]:
            for own in (False, True) if name == "Swap" else (False,):
                yield from _settings(
                    Combination(name, tuple(made), "Exactly", cf.Exactly, ("kind",), blanks=rule, fitted=own)
                )
            one = Combination(name, tuple(made), "OneOf", cf.OneOf, ("kind",), blanks=rule)
            yield from (one, replace(one, in_file=False))
        if not isinstance(rule.chances, dict):
            for name, made in (
                ("Noise", (examples.method(cf.Noise, "income"),)),
                ("Noise, zeros kept", examples.VARIANTS["Noise, zeros kept"]),
            ):
                yield from _settings(Combination(name, made, "Exactly", cf.Exactly, touched(made), blanks=rule))
        if rule.rule is None:
            yield from _bounded(rule)
        both = Combination("nothing", (), "Exactly", cf.Exactly, ("kind", "age"), blanks=rule)
        yield from _settings(both) if not isinstance(rule.chances, dict) else ()


def _bounded(rule: Blanked) -> Iterator[Combination]:
    """Numbers with blanks that are known in any other way than exactly, released as they are, in part, or with noise."""
    kinds = [k for k in examples.knowledge() if k not in {cf.Exactly, cf.OneOf}]
    for cls, know in itertools.product((None, cf.Round, cf.Noise), kinds):
        made = () if cls is None else (examples.method(cls, "income"),)
        name = "nothing" if cls is None else cls.__name__
        yield from _settings(Combination(name, made, know.__name__, know, ("income",), blanks=rule))


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
    rows = [*singles(), *variants(), *fitted(), *populations(), *strata(), *blanks(), *chains()]
    return list({row.title: row for row in rows}.values())


def covering() -> list[Combination]:
    """Every masking with every knowledge once, each time with another setting of what is known of the file."""
    found: dict[tuple[str, ...], list[Combination]] = {}
    for row in combinations():
        found.setdefault((row.cells[0], row.cells[1], row.population, str(row.fitted)), []).append(row)
    return [rows[k % len(rows)] for k, rows in enumerate(found.values())]
