"""The protocol every masking method follows.

A method is what the user declares. `bind` reads from the data what the method needs (a standard
deviation, the counts of levels) and gives a step: the method with all its numbers filled in,
which can be applied and which knows its channels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from confide.data.codebook import Variable
from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import ReleaseError, unknown
from confide.kit.keyed import Draws
from confide.release.channel import Channel
from confide.typing import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A file on its way through a release."""

    data: Microdata
    """The values after the steps so far."""
    parent: IntArray
    """The source row each record comes from; -1 for simulated records."""
    keys: IntArray
    """A number for each record that its random stream hangs on."""


@runtime_checkable
class Step(Protocol):
    """A method with all its numbers filled in."""

    @property
    def channels(self) -> Mapping[str, Channel]:
        """What the step does to each variable it touches."""
        ...

    def apply(self, draft: Draft, stream: Draws) -> Draft:
        """Mask the file."""
        ...


@runtime_checkable
class Method(Protocol):
    """A masking method as the user declares it."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables the method touches."""
        ...

    def bind(self, data: Microdata) -> Step:
        """Fill in the numbers the method reads from the data."""
        ...

    def describe(self) -> str:
        """Say in one line what is done."""
        ...


def the_column(data: Microdata, name: str, method: object) -> Column:
    """Give the column a method asks for, or say which there are."""
    if name not in data.columns:
        raise ReleaseError(f"{type(method).__name__}: {unknown('variable', name, data.names)}")
    return data.columns[name]


def the_numbers(data: Microdata, name: str, method: object) -> Column:
    """Give a column that must hold numbers (beside categories of an earlier topcode)."""
    column = the_column(data, name, method)
    variable: Variable = data.variables[name]
    if not column.is_number.any():
        raise ReleaseError(
            f"{type(method).__name__} needs numbers, but {name!r} is {variable.kind.value} and holds none; "
            f"choose another variable or declare kinds={{{name!r}: 'continuous'}} first"
        )
    return column
