"""Recode a variable into coarser categories."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from confide.data.codebook import Kind
from confide.data.column import MISSING, NUMBER, Column
from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.release.columnwise import ColumnStep
from confide.release.method import the_column, the_numbers
from confide.release.vary import Varying
from confide.typing import FloatArray, Label


@dataclass(frozen=True, slots=True)
class Recode(Varying):
    """Release categories instead of values (Reiter 2005, sections 3.1 and 4.1).

    Give exactly one of `width`, `breaks`, `mapping` and `hierarchy`. Intervals are closed on the
    left and open on the right.

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
        if self.breaks is not None:
            ends = [float(b) for b in self.breaks]
            if len(ends) < 2 or not all(a < b for a, b in itertools.pairwise(ends)):
                raise ReleaseError(f"Recode {self.variable!r}: breaks must be two or more increasing numbers")
            if self.labels is not None and len(self.labels) != len(self.breaks) - 1:
                raise ReleaseError(
                    f"Recode {self.variable!r}: {len(self.breaks)} breaks make {len(self.breaks) - 1} categories, "
                    f"found {len(self.labels)} labels"
                )
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
        breaks = None if self.breaks is None else tuple(float(b) for b in self.breaks)
        labels = None if self.labels is None else tuple(self.labels)
        whole = all(float(x).is_integer() for x in (breaks or (self.width or 0.5,)) if math.isfinite(x))
        return ColumnStep(self.variable, Intervals(self.width, self.start, breaks, labels, whole), Kind.ORDINAL)

    def bind(self, data: Microdata) -> ColumnStep:
        """Check the intervals or the categories against the values that occur."""
        if self.mapping is not None or self.hierarchy is not None:
            mapping = self.mapping if self.mapping is not None else read_hierarchy(self.hierarchy or "", self.level)
            column = the_column(data, self.variable, self)
            known = {str(k) for k in mapping}
            used = [column.labels[c] for c in np.unique(column.codes[column.codes >= 0])]
            absent = [x for x in used if str(x) not in known]
            if absent or column.is_number.any():
                raise ReleaseError(
                    f"Recode {self.variable!r}: {len(absent)} level(s) of the variable have no category"
                    + (f", the first being {absent[0]!r}" if absent else "; it holds numbers: declare it nominal")
                )
            return ColumnStep(self.variable, Mapped({str(k): v for k, v in mapping.items()}), Kind.NOMINAL)
        column = the_numbers(data, self.variable, self)
        whole = data.variables[self.variable].kind is Kind.INTEGER
        if self.width is not None:
            channel = Intervals(self.width, self.start, None, None, whole and float(self.width).is_integer())
            return ColumnStep(self.variable, channel, Kind.ORDINAL)
        breaks = tuple(float(b) for b in self.breaks or ())
        numbers = column.numbers[column.is_number]
        outside = int(np.sum((numbers < breaks[0]) | (numbers >= breaks[-1])))
        if outside:
            raise ReleaseError(
                f"Recode {self.variable!r}: {outside} of {numbers.size} values lie outside the breaks "
                f"{breaks[0]:g} to {breaks[-1]:g} (the last break is not included); widen them, e.g. with inf"
            )
        labels = tuple(self.labels) if self.labels is not None else None
        return ColumnStep(self.variable, Intervals(None, 0.0, breaks, labels, whole), Kind.ORDINAL)


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """Numbers become intervals; categories and missing values pass."""

    width: float | None
    start: float
    breaks: tuple[float, ...] | None
    labels: tuple[Label, ...] | None
    whole: bool

    def _ends(self, k: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give both ends of the intervals with the given numbers."""
        if self.breaks is not None:
            ends = np.asarray(self.breaks)
            return ends[k.astype(np.int64)], ends[k.astype(np.int64) + 1]
        assert self.width is not None
        return self.start + k * self.width, self.start + (k + 1) * self.width

    def _number(self, x: FloatArray) -> FloatArray:
        """Give the number of the interval each value lies in; NaN outside the breaks."""
        if self.breaks is None:
            assert self.width is not None
            return np.floor((x - self.start) / self.width)
        k = np.searchsorted(np.asarray(self.breaks), x, side="right") - 1.0
        return np.where((k >= 0) & (k < len(self.breaks) - 1), k, np.nan)

    def _names(self, k: FloatArray) -> list[Label]:
        """Name the intervals."""
        if self.labels is not None:
            return [self.labels[int(i)] for i in k]
        return [interval_name(a, b, whole=self.whole) for a, b in zip(*self._ends(k), strict=True)]

    def push(self, column: Column) -> Column:
        """Replace numbers by the names of their intervals."""
        number = column.is_number
        k = self._number(column.numbers[number])
        distinct, inverse = np.unique(k, return_inverse=True)
        known = ~np.isnan(distinct)
        names = self._names(distinct[known])
        if self.breaks is not None:
            names = self._names(np.arange(len(self.breaks) - 1, dtype=np.float64))
            place = np.where(known, distinct, MISSING).astype(np.int64)
        else:
            place = np.where(known, np.cumsum(known) - 1, MISSING).astype(np.int64)
        labels = tuple(dict.fromkeys((*names, *column.labels)))
        codes = column.relabelled(labels).codes.copy()
        codes[number] = place[inverse]
        return Column.of_codes(codes, labels)

    def preimage(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Give the ends of the interval behind each category."""
        lo, hi = np.full(column.size, np.nan), np.full(column.size, np.nan)
        for code in np.unique(column.codes[column.codes >= 0]):
            a, b = self._parse(column.labels[code])
            lo[column.codes == code], hi[column.codes == code] = a, np.nextafter(b, -np.inf)
        return lo, hi

    def passes(self) -> tuple[float, float]:
        """Say that no number stays a number."""
        return np.inf, -np.inf

    def _parse(self, label: Label) -> tuple[float, float]:
        """Find the interval that has this name."""
        if self.breaks is not None:
            names = self._names(np.arange(len(self.breaks) - 1, dtype=np.float64))
            if label not in names:
                return np.nan, np.nan
            k = names.index(label)
            return self.breaks[k], self.breaks[k + 1]
        try:
            a = parse_interval_start(str(label))
        except ValueError:
            return np.nan, np.nan
        assert self.width is not None
        return a, a + self.width


def interval_name(a: float, b: float, *, whole: bool) -> str:
    """Name an interval: '40-44' for whole numbers, '[40, 45)' otherwise.

    >>> interval_name(40, 45, whole=True), interval_name(0.5, 1, whole=False)
    ('40-44', '[0.5, 1)')
    """
    if whole and float(a).is_integer() and float(b).is_integer() and a >= 0:
        return f"{a:.0f}" if b - a == 1 else f"{a:.0f}-{b - 1:.0f}"
    if whole and math.isinf(b) and a >= 0:
        return f"{a:.0f}+"
    return f"[{a:.12g}, {b:.12g})"


def parse_interval_start(name: str) -> float:
    """Read the lower end from the name of an interval."""
    return float(name[1:].split(",", maxsplit=1)[0] if name.startswith("[") else name.split("-", maxsplit=1)[0])


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
        text = Path(path).read_text(encoding="utf-8")
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
