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
levels that are not confided and that at least ten records have, and counts, never the values of a single record.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

LEVELS_SHOWN = 8
"""So many levels of a variable are named."""
FEWEST = 10
"""A group of which something is told, and a level that a message names, has at least so many records."""


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


def nameable(levels: Iterable[object], counts: Iterable[int] | None = None, *, confided: bool) -> list[str]:
    """Give the levels of a variable that a message may name: not confided, texts, and of enough records each.

    Levels that are numbers may be values of respondents, and a level that few records have tells of these.

    Args:
        levels: the levels there are.
        counts: how many records have each; None: the levels were declared, and tell of nobody.
        confided: whether the variable is sensitive, or may be; then none is named.

    >>> nameable(["white", "black", 7], [90, 4, 20], confided=False)
    ['white']
    """
    given = list(levels)
    enough = [True] * len(given) if counts is None else [int(k) >= FEWEST for k in counts]
    return [str(x) for x, told in zip(given, enough, strict=True) if told and not confided and isinstance(x, str | bool)]


def such_as(levels: Iterable[object], counts: Iterable[int] | None = None, *, confided: bool) -> str:
    """Name the first of some levels that may be named, to stand in a message; empty where none may be.

    >>> such_as(["black", "white"], [4, 90], confided=False), such_as(["black"], [4], confided=False)
    (", such as 'white'", '')
    """
    return next((f", such as {x!r}" for x in nameable(levels, counts, confided=confided)), "")


def unknown_level(
    level: object, levels: Iterable[object], *, confided: bool, counts: Iterable[int] | None = None
) -> str:
    """Say that a variable has no such level, and which it has: a few of those that may be named, see `nameable`.

    Args:
        level: what was asked for.
        levels: the levels there are.
        confided: whether the variable is sensitive, or may be; then none of its levels is named.
        counts: how many records have each level; None: the levels were declared, and tell of nobody.

    >>> unknown_level("w", ["white", "black", 7], confided=False)
    "there is no level 'w'. Available: white, black, 1 number"
    >>> unknown_level("blakc", ["white", "black"], confided=False, counts=[90, 4])
    "there is no level 'blakc'. Available: white, 1 of fewer than 10 records"
    >>> unknown_level("Flu", ["flu", "cold"], confided=True)
    "there is no level 'Flu'. It has 2 levels, which are not listed, since respondents confided them"
    """
    given = list(levels)
    names = nameable(given, counts, confided=confided)
    same = [x for x in names if x.strip().casefold() == str(level).strip().casefold()]
    close = same or difflib.get_close_matches(str(level), names, n=1)
    head = f"there is no level {level!r}" + (f"; did you mean {close[0]!r}?" if close else ".")
    if confided:
        return f"{head} It has {_counted(len(given), 'level')}, which are not listed, since respondents confided them"
    numbers = sum(not isinstance(x, str | bool) for x in given)
    more, rare = len(names) - LEVELS_SHOWN, len(given) - numbers - len(names)
    shown = ", ".join(names[:LEVELS_SHOWN]) + (f" and {more} more" if more > 0 else "")
    few = f"{rare:,} of fewer than {FEWEST} records" if rare else ""
    told = [x for x in (shown, _counted(numbers, "number") if numbers else "", few) if x]
    return f"{head} Available: {', '.join(told) or 'none'}"


def _counted(n: int, what: str) -> str:
    """Write a number of things."""
    return f"{n:,} {what}" + ("" if n == 1 else "s")
