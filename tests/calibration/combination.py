"""One row of the table: a masking, what is known of what it masks, and what is known of the file."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import confide as cf
from calibration.blanked import Blanked
from calibration.population import NOBODY, USUAL, Others


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
    exactly: tuple[str, ...] = ()
    """What else is known, exactly."""
    few: bool = False
    """Whether few of many people are released, so that keys are sparse."""

    @property
    def more(self) -> tuple[str, ...]:
        """The variables that not everybody is asked for."""
        return tuple(n for n in dict.fromkeys((*self.variables, *self.exactly)) if n not in USUAL)

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
    def known(self) -> str:
        """What is known, in words."""
        area = {cf.Exactly: "", cf.OneOf: ", area one of two", None: ", area not known"}[self.area]
        also = f", {' and '.join(self.exactly)} exactly" if self.exactly else ""
        return self.knows + also + area + (f", {self.blanks.title}" if self.blanks is not None else "")

    @property
    def cells(self) -> tuple[str, ...]:
        """The row's names."""
        file = "in the file" if self.in_file else "maybe" if self.population == "table" else f"maybe, {self.population}"
        file += ", few released" if self.few else ""
        return self.masking, self.known, file, "without" if self.without else "with", "fitted" if self.fitted else "true"

    @property
    def line(self) -> tuple[str, str]:
        """The names of its line in a table whose columns are what is known of the file and the ways of matching."""
        known = self.known + (", fitted beliefs" if self.fitted else "") + (", few released" if self.few else "")
        return self.masking, known + ("" if self.population == "table" else f", number of people from {self.population}")

    @property
    def title(self) -> str:
        """The row's name."""
        return " / ".join(self.cells)


def settings(row: Combination) -> Iterator[Combination]:
    """The row with everything that may be known of the file, and both ways of matching."""
    for in_file, without in itertools.product((True, False), (False, True)):
        yield replace(row, in_file=in_file, without=without)


def touched(methods: tuple[Any, ...]) -> tuple[str, ...]:
    """The variables that some methods mask, beside the area; a file must hold more than what is dropped."""
    dropped = {v for m in methods if isinstance(m, cf.Drop) for v in m.variables}
    names = dict.fromkeys(v for m in methods for v in m.variables if v not in dropped)
    return tuple(n for n in names if n != "area")
