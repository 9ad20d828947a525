"""Topcode and bottomcode: extreme values are released only as extreme."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.release.columnwise import ColumnStep
from confide.release.method import the_column, the_numbers
from confide.release.vary import Varying
from confide.typing import BoolArray, FloatArray

Replacement = float | Literal["mean", "median"]


@dataclass(frozen=True, slots=True)
class Topcode(Varying):
    """Release values above a cut only as being above it (Reiter 2005, sections 3.1 and 4.2.2).

    Without `replacement` the released value is a category such as "more than 3000". With a
    replacement it is that number, or the mean or median of the values above the cut. Noise that is
    declared after a topcode leaves topcoded values alone; give it `upper=at` so that it never
    crosses the cut.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"tax": [500, 3000, 99997]}).declare(kinds={"tax": "integer"})
    >>> cf.Release(cf.Topcode("tax", at=3000)).apply(data, seed=1).data.column("tax").values()
    [500, 3000, 'more than 3000']
    """

    variable: str
    """The variable that is topcoded."""
    at: float
    """The cut; values strictly above it are coded."""
    label: str | None = None
    """The name of the category."""
    replacement: Replacement | None = None
    """A number released instead of a category."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        check_cut(self.variable, self.at, self.label, self.replacement, "Topcode")

    @property
    def variables(self) -> tuple[str, ...]:
        """The variable that is topcoded."""
        return (self.variable,)

    def describe(self) -> str:
        """Say in one line what is done."""
        return f"topcode {self.variable} above {self.at:g}"

    def bind(self, data: Microdata) -> ColumnStep:
        """Check the cut against the values and find the replacement."""
        return bind_cut(
            data, self, self.variable, self.at, self.label or f"more than {self.at:g}", self.replacement, top=True
        )

    def suppose(self, released: Microdata) -> ColumnStep:
        """Fill in the method as an outsider who sees only the released file."""
        return suppose_cut(
            released, self, self.variable, self.at, self.label or f"more than {self.at:g}", self.replacement, top=True
        )


@dataclass(frozen=True, slots=True)
class Bottomcode(Varying):
    """Release values below a cut only as being below it.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"income": [-500, 3000]}).declare(kinds={"income": "integer"})
    >>> cf.Release(cf.Bottomcode("income", at=0)).apply(data, seed=1).data.column("income").values()
    ['less than 0', 3000]
    """

    variable: str
    """The variable that is bottomcoded."""
    at: float
    """The cut; values strictly below it are coded."""
    label: str | None = None
    """The name of the category."""
    replacement: Replacement | None = None
    """A number released instead of a category."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        check_cut(self.variable, self.at, self.label, self.replacement, "Bottomcode")

    @property
    def variables(self) -> tuple[str, ...]:
        """The variable that is bottomcoded."""
        return (self.variable,)

    def describe(self) -> str:
        """Say in one line what is done."""
        return f"bottomcode {self.variable} below {self.at:g}"

    def bind(self, data: Microdata) -> ColumnStep:
        """Check the cut against the values and find the replacement."""
        return bind_cut(
            data, self, self.variable, self.at, self.label or f"less than {self.at:g}", self.replacement, top=False
        )

    def suppose(self, released: Microdata) -> ColumnStep:
        """Fill in the method as an outsider who sees only the released file."""
        return suppose_cut(
            released, self, self.variable, self.at, self.label or f"less than {self.at:g}", self.replacement, top=False
        )


def check_cut(variable: str, at: float, label: str | None, replacement: Replacement | None, method: str) -> None:
    """Raise on a cut that is no number and on a replacement that is none of the choices."""
    if not math.isfinite(at):
        raise ReleaseError(f"{method} {variable!r}: the cut must be a finite number, found {at}")
    if label is not None and replacement is not None:
        raise ReleaseError(f"{method} {variable!r}: give a label or a replacement, not both")
    if isinstance(replacement, str) and replacement not in ("mean", "median"):
        raise ReleaseError(f"{method} {variable!r}: replacement is a number, 'mean' or 'median', found {replacement!r}")


def bind_cut(
    data: Microdata, method: object, variable: str, at: float, label: str, replacement: Replacement | None, *, top: bool
) -> ColumnStep:
    """Fill in the replacement and check the cut against the values."""
    column = the_numbers(data, variable, method)
    x = column.numbers[column.is_number]
    beyond = x > at if top else x < at
    if beyond.all():
        side = "below" if top else "above"
        raise ReleaseError(
            f"{type(method).__name__} {variable!r}: the cut {at:g} lies {side} all values; every record would be coded. "
            "Choose a cut inside the range, or drop the variable"
        )
    number = None
    if replacement is not None and beyond.any():
        number = {"mean": float(np.mean(x[beyond])), "median": float(np.median(x[beyond]))}.get(
            str(replacement), math.nan if isinstance(replacement, str) else float(replacement)
        )
    elif replacement is not None:
        number = at if isinstance(replacement, str) else float(replacement)
    return ColumnStep(variable, Cut(at, label, number, top=top))


def suppose_cut(
    released: Microdata, method: object, variable: str, at: float, label: str, replacement: Replacement | None, *, top: bool
) -> ColumnStep:
    """Read the replacement off the released file: the one number beyond the cut."""
    column = the_column(released, variable, method)
    if replacement is None:
        return ColumnStep(variable, Cut(at, label, None, top=top))
    beyond = column.is_number & ((column.numbers > at) if top else (column.numbers < at))
    found = np.unique(column.numbers[beyond])
    number = float(found[0]) if found.size == 1 and isinstance(replacement, str) else at
    return ColumnStep(variable, Cut(at, label, number if isinstance(replacement, str) else float(replacement), top=top))


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Numbers beyond the cut become one category or one number; all else passes."""

    at: float
    label: str
    number: float | None
    top: bool

    def _beyond(self, column: Column) -> BoolArray:
        """Which records hold a number beyond the cut."""
        with np.errstate(invalid="ignore"):
            return column.is_number & (column.numbers > self.at if self.top else column.numbers < self.at)

    def push(self, column: Column) -> Column:
        """Code the numbers beyond the cut."""
        beyond = self._beyond(column)
        if self.number is None:
            return column.with_codes(beyond, self.label)
        return column.with_numbers(beyond, np.full(column.size, self.number))

    def preimage(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Give the number itself, or all numbers beyond the cut."""
        lo, hi = column.numbers.copy(), column.numbers.copy()
        if self.number is None:
            coded = column.codes == column.labels.index(self.label) if self.label in column.labels else column.codes == -9
        else:
            coded = column.is_number & (column.numbers == self.number)
        first, last = (np.nextafter(self.at, np.inf), np.inf) if self.top else (-np.inf, np.nextafter(self.at, -np.inf))
        if self.number is not None:
            # a replacement that is not beyond the cut is a true value, too
            first, last = min(first, self.number), max(last, self.number)
        lo[coded], hi[coded] = first, last
        return lo, hi

    def passes(self) -> tuple[float, float]:
        """Say that numbers beyond the cut become a category, or one number."""
        return (-np.inf, self.at) if self.top else (self.at, np.inf)
