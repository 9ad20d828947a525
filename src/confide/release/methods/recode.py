"""Recode a variable into coarser categories."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from confide.data.codebook import Kind, Role
from confide.data.column import MISSING, NUMBER, Column
from confide.data.microdata import Microdata
from confide.errors import ReleaseError, repeated, such_as
from confide.kit.ledger import reading
from confide.kit.telling import counted
from confide.release.columnwise import ColumnStep
from confide.release.decimals import MOST_STEPS, Steps, printed
from confide.release.intervals import BreakIntervals, EqualIntervals, is_whole_name
from confide.release.method import the_column, the_numbers
from confide.release.vary import Varying
from confide.typing import FloatArray, Label


@dataclass(frozen=True, slots=True)
class Recode(Varying):
    """Release categories instead of values (Reiter 2005, sections 3.1 and 4.1).

    Give exactly one of `width`, `breaks`, `mapping` and `hierarchy`. Intervals are closed on the
    left and open on the right. Their ends are counted in decimals, as numbers print: with a width of .1
    the value .3 is in '[0.3, 0.4)'.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"age": [43, 39, 40]}).declare(kinds={"age": "integer"})
    >>> cf.Release(cf.Recode("age", width=5)).apply(data, seed=1).data.column("age").values()
    ['40-44', '35-39', '40-44']
    """

    variable: str
    """The variable that is recoded."""
    width: float | None = None
    """The width of equal intervals."""
    start: float = 0.0
    """Where one of the equal intervals starts."""
    breaks: Sequence[float] | None = None
    """The ends of unequal intervals, increasing; infinity is allowed at both ends."""
    labels: Sequence[Label] | None = None
    """Names for the intervals between breaks."""
    mapping: Mapping[Label, Label] | None = None
    """The category of each level."""
    hierarchy: str | Path | None = None
    """A CSV file without header: level, its parent, its grandparent, and so on."""
    level: int = 1
    """How many generations up the hierarchy to go."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        given = [x for x in ("width", "breaks", "mapping", "hierarchy") if getattr(self, x) is not None]
        if len(given) != 1:
            raise ReleaseError(
                f"Recode {self.variable!r}: give one of width, breaks, mapping, hierarchy; "
                f"found {', '.join(given) or 'none'}"
            )
        if self.width is not None and not (math.isfinite(self.width) and self.width > 0):
            raise ReleaseError(f"Recode {self.variable!r}: width must be positive, found {self.width}")
        if not abs(self.start) < MOST_STEPS * (self.width or 1.0):
            raise ReleaseError(
                f"Recode {self.variable!r}: start must be a number less than {MOST_STEPS:.0e} widths from zero, "
                f"found {self.start}"
            )
        if self.breaks is not None:
            ends = [float(b) for b in self.breaks]
            if len(ends) < 2 or not all(a < b for a, b in itertools.pairwise(ends)):
                raise ReleaseError(f"Recode {self.variable!r}: breaks must be two or more increasing numbers")
            if self.labels is not None and len(self.labels) != len(self.breaks) - 1:
                raise ReleaseError(
                    f"Recode {self.variable!r}: {len(self.breaks)} breaks make {len(self.breaks) - 1} categories, "
                    f"found {len(self.labels)} labels"
                )
            if repeated(map(str, self.labels or ())):
                raise ReleaseError(f"Recode {self.variable!r}: two intervals have the same label; give each its own")
        if self.level < 1:
            raise ReleaseError(f"Recode {self.variable!r}: level must be 1 or more, found {self.level}")

    @property
    def variables(self) -> tuple[str, ...]:
        """The variable that is recoded."""
        return (self.variable,)

    def describe(self) -> str:
        """Say in one line what is done."""
        if self.width is not None:
            return f"recode {self.variable} in intervals of width {self.width:g}"
        if self.breaks is not None:
            return f"recode {self.variable} in {len(self.breaks) - 1} intervals"
        return f"recode {self.variable} in broader categories"

    def suppose(self, released: Microdata) -> ColumnStep:
        """Fill in the method as an outsider who sees only the released file."""
        the_column(released, self.variable, self)
        if self.mapping is not None or self.hierarchy is not None:
            mapping = self.mapping if self.mapping is not None else read_hierarchy(self.hierarchy or "", self.level)
            return ColumnStep(self.variable, Mapped({str(k): v for k, v in mapping.items()}), Kind.NOMINAL)
        return ColumnStep(self.variable, self._intervals(whole=_shows_whole_numbers(released, self.variable)), Kind.ORDINAL)

    def bind(self, data: Microdata) -> ColumnStep:
        """Check the intervals or the categories against the values that occur."""
        if self.mapping is not None or self.hierarchy is not None:
            mapping = self.mapping if self.mapping is not None else read_hierarchy(self.hierarchy or "", self.level)
            column = the_column(data, self.variable, self)
            known = {str(k) for k in mapping}
            used = [column.labels[c] for c in np.unique(column.codes[column.codes >= 0])]
            absent = [x for x in used if str(x) not in known]
            if absent or column.is_number.any():
                confided = data.variables[self.variable].role is Role.SENSITIVE
                counts = counted(column.codes, len(column.labels))
                many = [counts[i] for i, x in enumerate(column.labels) if x in absent]
                rare = [x for x in column.labels if x in absent]
                raise ReleaseError(
                    f"Recode {self.variable!r}: {len(absent)} level(s) of the variable have no category"
                    + (such_as(rare, many, confided=confided) if absent else "; it holds numbers: declare it nominal")
                )
            return ColumnStep(self.variable, Mapped({str(k): v for k, v in mapping.items()}), Kind.NOMINAL)
        column = the_numbers(data, self.variable, self)
        whole = data.variables[self.variable].kind is Kind.INTEGER and column.is_whole()
        channel = self._intervals(whole=whole)
        if isinstance(channel, EqualIntervals):
            return ColumnStep(self.variable, channel, Kind.ORDINAL)
        breaks = channel.breaks
        numbers = column.numbers[column.is_number]
        outside = int(np.sum((numbers < breaks[0]) | (numbers >= breaks[-1])))
        if outside:
            raise ReleaseError(
                f"Recode {self.variable!r}: {outside} of {numbers.size} values lie outside the breaks "
                f"{breaks[0]:g} to {breaks[-1]:g} (the last break is not included); widen them, e.g. with inf"
            )
        return ColumnStep(self.variable, channel, Kind.ORDINAL)

    def _intervals(self, *, whole: bool) -> EqualIntervals | BreakIntervals:
        """Give the channel of intervals."""
        if self.width is not None:
            steps = Steps(printed(self.start), printed(self.width))
            return EqualIntervals(steps, whole and float(self.width).is_integer())
        labels = None if self.labels is None else tuple(self.labels)
        return BreakIntervals.of(tuple(float(b) for b in self.breaks or ()), labels, whole=whole)


def _shows_whole_numbers(released: Microdata, variable: str) -> bool:
    """Say whether a released file names intervals as those of whole numbers: '20-24', and not '[20, 25)'."""
    column = released.columns[variable]
    used = [column.labels[c] for c in np.unique(column.codes[column.codes >= 0])]
    return any(is_whole_name(x) for x in used)


@dataclass(frozen=True, slots=True, eq=False)
class Mapped:
    """Levels become other levels; missing values pass."""

    mapping: Mapping[str, Label]

    def push(self, column: Column) -> Column:
        """Replace levels by their categories; levels without category become missing."""
        labels = tuple(dict.fromkeys(self.mapping.values()))
        place = [labels.index(self.mapping[str(x)]) if str(x) in self.mapping else MISSING for x in column.labels]
        table = np.array([*place, MISSING, NUMBER], dtype=np.int64)
        return Column(column.numbers, table[column.codes], labels)

    def preimage(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Say that no number leads to a category."""
        return np.full(column.size, np.nan), np.full(column.size, np.nan)

    def passes(self) -> tuple[float, float]:
        """Say that numbers pass."""
        return -np.inf, np.inf


def read_hierarchy(path: str | Path, level: int) -> dict[Label, Label]:
    """Read the category of each level from a hierarchy file.

    Each line holds a level, its parent, its grandparent and so on, separated by commas or
    semicolons.
    """
    try:
        text = reading(path, ReleaseError).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ReleaseError(f"cannot read the hierarchy file {str(path)!r}: {type(error).__name__}") from None
    delimiter = ";" if text.count(";") > text.count(",") else ","
    mapping: dict[Label, Label] = {}
    for number, row in enumerate(csv.reader(text.splitlines(), delimiter=delimiter), 1):
        if not row:
            continue
        if len(row) <= level:
            raise ReleaseError(
                f"hierarchy file {str(path)!r}, line {number}: {len(row)} levels, level {level} was asked for"
            )
        mapping[row[0].strip()] = row[level].strip()
    if not mapping:
        raise ReleaseError(f"the hierarchy file {str(path)!r} is empty")
    return mapping
