"""The whole exception tree of confide.

::

    ConfideError
    ├── UserMistake            something you can mend; the message says how
    │   ├── DataError          a file or a frame cannot be read as it stands
    │   ├── DeclarationError   names, roles and kinds of variables
    │   ├── ReleaseError       a masking method and its settings
    │   ├── IntruderError      what the intruder knows, believes or targets
    │   ├── LikelihoodError    a likelihood is not tractable, or a release is impossible
    │   ├── ModelError         a model cannot be fitted to these data; no number is given
    │   ├── TableError         a table, its rules or its protection
    │   │   └── Unprotectable  no pattern protects a cell; says which cells and equations give it away
    │   ├── HarmError          what is learned of respondents, and what it costs them
    │   ├── MapError           risk against utility: settings, points and limits of a map
    │   ├── UtilityError       a use of the data cannot be computed from what was given
    │   └── PlanError          a plan file; lists every fault at once
    └── InternalError          our bug; please report it

A message says what was asked, what was found and what to type next. It names variables,
levels of declared code lists and counts, never the values of a single record.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

LEVELS_SHOWN = 8
"""So many levels of a variable are named."""


class ConfideError(Exception):
    """Everything confide raises on purpose."""


class UserMistake(ConfideError):
    """Something the user can mend; the message says how."""


class DataError(UserMistake):
    """A file or a frame cannot be read as it stands."""


class DeclarationError(UserMistake):
    """Names, roles or kinds of variables do not fit the data."""


class ReleaseError(UserMistake):
    """A masking method or its settings do not fit the data."""


class IntruderError(UserMistake):
    """What the intruder knows, believes or targets does not fit the data."""


class LikelihoodError(UserMistake):
    """A likelihood is not tractable, or the release is impossible under the beliefs."""


class ModelError(UserMistake):
    """A model cannot be fitted to these data, or says nothing about them; no number is given."""


class TableError(UserMistake):
    """A table, its rules or its protection do not fit together."""


class Unprotectable(TableError):
    """No pattern protects a cell; the message says which cells and equations give it away."""

    def __init__(self, message: str, cell: int, frozen: Sequence[int] = (), equations: Sequence[int] = ()) -> None:
        self.cell, self.frozen, self.equations = cell, tuple(frozen), tuple(equations)
        super().__init__(message)


class HarmError(UserMistake):
    """What the intruder learns, or what it costs, cannot be computed from what was given."""


class MapError(UserMistake):
    """A map of risk against utility cannot be made from these settings, or no point of it meets a limit."""


class UtilityError(UserMistake):
    """A use of the data cannot be computed from what was given."""


class PlanError(UserMistake):
    """A plan has faults; all of them are listed.

    >>> print(PlanError(["first fault", "second fault"]))
    2 faults:
      1. first fault
      2. second fault
    """

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(listed(self.faults))


class InternalError(ConfideError):
    """A bug of confide, not a mistake of yours."""


def listed(faults: Sequence[str]) -> str:
    """Write one fault as it is, several as a numbered list."""
    if len(faults) == 1:
        return faults[0]
    lines = [f"  {i}. {fault}" for i, fault in enumerate(faults, 1)]
    return "\n".join([f"{len(faults)} faults:", *lines])


def raise_all(faults: Sequence[str], kind: type[UserMistake]) -> None:
    """Raise one error with every fault in it; do nothing when there is none."""
    if faults:
        raise PlanError(faults) if kind is PlanError else kind(listed(faults))


def repeated(names: Iterable[str]) -> list[str]:
    """Give the names that occur more than once.

    >>> repeated(["a", "b", "a"])
    ['a']
    """
    given = list(names)
    return sorted({n for n in given if given.count(n) > 1})


def unknown(what: str, name: object, available: Iterable[object]) -> str:
    """Say that a name is unknown, what is there, and which one was probably meant.

    >>> unknown("variable", "agee", ["age", "sex"])
    "there is no variable 'agee'; did you mean 'age'? Available: age, sex"
    """
    names = [str(a) for a in available]
    close = difflib.get_close_matches(str(name), names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    shown = ", ".join(names[:30]) + (f", ... ({len(names)} in all)" if len(names) > 30 else "")
    return f"there is no {what} {name!r}{hint} Available: {shown or 'none'}"


def unknown_level(level: object, levels: Iterable[object], *, confided: bool) -> str:
    """Say that a variable has no such level, and which it has: a few, and none where respondents confided them.

    Levels that are numbers may be values of respondents, and are counted.

    Args:
        level: what was asked for.
        levels: the levels there are.
        confided: whether the variable is sensitive, or may be. Then a level is named only where it was all but written.

    >>> unknown_level("w", ["white", "black", 7], confided=False)
    "there is no level 'w'. Available: white, black, 1 number"
    >>> unknown_level("Flu", ["flu", "cold"], confided=True)
    "there is no level 'Flu'; did you mean 'flu'? It has 2 levels, which are not listed, since respondents confided them"
    """
    given = list(levels)
    names = [str(x) for x in given if isinstance(x, str | bool)]
    same = [x for x in names if x.strip().casefold() == str(level).strip().casefold()]
    close = same or difflib.get_close_matches(str(level), names, n=1, cutoff=0.8 if confided else 0.6)
    head = f"there is no level {level!r}" + (f"; did you mean {close[0]!r}?" if close else ".")
    if confided:
        return f"{head} It has {_counted(len(given), 'level')}, which are not listed, since respondents confided them"
    more, numbers = len(names) - LEVELS_SHOWN, len(given) - len(names)
    shown = ", ".join(names[:LEVELS_SHOWN]) + (f" and {more} more" if more > 0 else "")
    told = [x for x in (shown, _counted(numbers, "number") if numbers else "") if x]
    return f"{head} Available: {', '.join(told) or 'none'}"


def _counted(n: int, what: str) -> str:
    """Write a number of things."""
    return f"{n:,} {what}" + ("" if n == 1 else "s")
