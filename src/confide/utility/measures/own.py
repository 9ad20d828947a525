"""The user's own analysis, and the user's own measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar

from confide.data.microdata import Microdata
from confide.errors import UtilityError
from confide.harm.model.closeness import interval_overlap
from confide.release.released import Released
from confide.utility.files import RELEASED, SOURCE, files_of
from confide.utility.measure import SHARE, Parts, Unmasked, Utility

Estimates = Mapping[str, float | tuple[float, float]]
"""Estimates by name, each alone or with its standard error."""


@dataclass(frozen=True, slots=True)
class OwnAnalysis(Unmasked):
    """How much of an analysis of your own is kept: a function gives estimates from a file, here made from both.

    An estimate with a standard error keeps the overlap of its two 95 % intervals. One without keeps what is left of it: 1
    less the relative error, at least 0; an estimate of zero is kept or not. Estimates that the release does not give count
    0. The released file is handed over with numbers in place of the intervals that values were recoded into.

    >>> import confide as cf
    >>> def share_of_poor(data):
    ...     return {"poor": float((data.column("income").numbers < 10).mean())}
    >>> data = cf.Microdata.from_dict({"income": [5.5, 8.0, 20.0, 70.0]})
    >>> masked = cf.Microdata.from_dict({"income": [5.5, 10.5, 20.0, 70.0]})
    >>> cf.OwnAnalysis(share_of_poor, "poverty").of(cf.Released.from_files(data, masked, same_order=True)).value
    0.5
    """

    larger_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = SHARE

    function: Callable[[Microdata], Estimates]
    """From a file, estimates by name: {'slope': 0.4}, or with a standard error {'slope': (0.4, 0.1)}."""
    name: str = "own_analysis"
    """What it is called in tables and frames."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        _check(self.function, self.name, "OwnAnalysis", "a file", "{'name': value} or {'name': (value, standard error)}")

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return self.name

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = files_of(released, self.name, weights=False)
        own, other = self._made(files.source, SOURCE), self._made(files.released, RELEASED)
        kept = [_kept(e, other.get(name)) for name, e in own.items()]
        alone = sorted(set(other) - set(own))
        lost = [name for name in own if name not in other]
        notes = [*files.notes]
        notes += [f"{', '.join(alone[:5])}: given for the released file alone, not compared"] if alone else []
        notes += [f"{', '.join(lost[:5])}: not given for the released file, counts 0"] if lost else []
        parts: Parts = {
            "estimate": list(own),
            "source": [e[0] for e in own.values()],
            "source_se": [e[1] for e in own.values()],
            "released": [other[name][0] if name in other else None for name in own],
            "released_se": [other[name][1] if name in other else None for name in own],
            "kept": kept,
        }
        return Utility(self, sum(kept) / len(kept), parts, None, tuple(notes))

    def _made(self, data: Microdata, file: str) -> dict[str, tuple[float, float | None]]:
        """Make the estimates of one file and check them."""
        found = _called(self.function, data, self.name, file)
        if not isinstance(found, Mapping) or not found:
            raise UtilityError(
                f"{self.name!r} on the {file}: the function must return a mapping such as {{'slope': 0.4}} or "
                f"{{'slope': (0.4, 0.1)}} with an estimate or more, found {type(found).__name__}"
            )
        return {str(name): _estimate(name, given, self.name, file) for name, given in found.items()}


@dataclass(frozen=True, slots=True)
class OwnUtility(Unmasked):
    """A measure of your own: a function gives a value from a released file with its source.

    >>> import confide as cf
    >>> def records_kept(released):
    ...     return released.data.n / released.source.n
    >>> data = cf.Microdata.from_dict({"income": [5.5, 8.0, 20.0, 70.0]})
    >>> half = cf.Release(cf.Sample(2)).apply(data, seed=1)
    >>> cf.OwnUtility(records_kept, "records", larger_is_better=True, bounds=(0, 1)).of(half).value
    0.5
    """

    function: Callable[[Released], float | tuple[float, float]]
    """From a released file, a value, alone or with its standard error."""
    name: str
    """What it is called in tables and frames."""
    larger_is_better: bool
    """Whether a larger value means a more useful file."""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    """The smallest and the largest value there can be."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        _check(self.function, self.name, "OwnUtility", "a released file", "a number")
        object.__setattr__(self, "bounds", (float(self.bounds[0]), float(self.bounds[1])))
        if not self.bounds[0] < self.bounds[1]:
            raise UtilityError(f"OwnUtility {self.name!r}: bounds are (smallest, largest), found {self.bounds}")

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return self.name

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = files_of(released, self.name, weights=False)
        given = _called(self.function, replace(released, data=files.released), self.name, RELEASED)
        value, se = _estimate("value", given, self.name, RELEASED)
        if not self.bounds[0] <= value <= self.bounds[1]:
            raise UtilityError(f"{self.name!r} gave {value:g}, outside its bounds {self.bounds[0]:g} to {self.bounds[1]:g}")
        return Utility(self, value, {"value": [value]}, se, files.notes)


def _check(function: object, name: object, what: str, of: str, gives: str) -> None:
    """Raise unless there is a function, and a name for it."""
    if not callable(function):
        raise UtilityError(f"{what} takes a function of {of} that returns {gives}; found {type(function).__name__}")
    if not isinstance(name, str) or not name:
        raise UtilityError(f"{what} needs a name for tables: {what}(function, name='...')")


def _called(function: Callable[[Any], Any], data: object, name: str, file: str) -> Any:
    """Call the user's function; say where it failed."""
    try:
        return function(data)
    except Exception as error:
        error.add_note(f"while computing {name!r} from the {file}")
        raise


def _estimate(name: object, given: object, analysis: str, file: str) -> tuple[float, float | None]:
    """Check one estimate, and its standard error where there is one."""
    found = list(given) if isinstance(given, list | tuple) else [given]
    if len(found) not in (1, 2) or not all(isinstance(x, Real) and not isinstance(x, bool) for x in found):
        raise UtilityError(
            f"{analysis!r} on the {file}: {name!r} must be a number or (number, standard error), found "
            f"{type(given).__name__}"
        )
    checked = [float(x) for x in found if isinstance(x, Real)]
    value, se = checked[0], checked[1] if len(checked) == 2 else None
    if not math.isfinite(value) or (se is not None and not (math.isfinite(se) and se >= 0)):
        raise UtilityError(
            f"{analysis!r} on the {file}: {name!r} must be finite, and a standard error finite and not negative"
        )
    return value, se


def _kept(source: tuple[float, float | None], released: tuple[float, float | None] | None) -> float:
    """Say how much of one estimate is kept."""
    if released is None:
        return 0.0
    if source[1] is not None and released[1] is not None:
        return interval_overlap(source[0], source[1], released[0], released[1])
    if source[0] == released[0]:
        return 1.0
    return max(0.0, 1.0 - abs(released[0] - source[0]) / abs(source[0])) if source[0] else 0.0
