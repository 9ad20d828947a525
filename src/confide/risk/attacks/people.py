"""The files of an attack: original, released and control, in one form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import DataError, IntruderError, raise_all, unknown
from confide.linking.distance.encode import NOT_KEYS
from confide.release.channel import Deterministic
from confide.release.coding import coded, deterministic
from confide.release.released import Released
from confide.risk.attacks.control import check_control
from confide.risk.frequency.keys import File
from confide.seeds import Stream
from confide.typing import IntArray

Channels: TypeAlias = dict[str, list[Deterministic]]
"""What is done to each variable, without randomness, in order."""


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """The files of an attack; variables of the same name mean the same thing, in the form that is released."""

    original: Microdata
    """Whom the release was made from."""
    released: Microdata
    """What is released."""
    control: Microdata | None
    """People who are not in it."""
    names: tuple[str, ...]
    """The variables that all of them have, but identifiers, weights, households and strata."""
    channels: Channels
    """What the release is known to do to each variable, but for noise and swaps."""

    def drawn(self, attacks: int, seed: int, allowed: tuple[IntArray, IntArray | None]) -> tuple[IntArray, IntArray | None]:
        """Draw whom to attack, in the original file and in the control group: all where there are fewer."""
        found: list[IntArray | None] = []
        for what, rows in zip(("original", "control"), allowed, strict=True):
            if rows is None:
                found.append(None)
                continue
            order = Stream(seed, f"attacked in {what}").order(rows)[:attacks]
            found.append(np.sort(rows[order]))
        assert found[0] is not None
        return found[0], found[1]

    def pooled(self, original: IntArray, control: IntArray | None, names: Sequence[str]) -> Microdata:
        """Put the people who are attacked in one file: those of the original file first."""
        first = self.original.take(original)
        if control is None or self.control is None:
            return first
        other = self.control.take(control)
        columns = {n: first.columns[n].append(other.columns[n]) for n in names}
        return Microdata({n: first.variables[n] for n in names}, columns)


def people_of(original: Microdata, released: File, control: Microdata | None) -> People:
    """Bring the files in one form, after checking them.

    An intruder who knows how values were recoded, rounded or topcoded does the same to what they know: this is done for a
    `Released` file whose steps are known. Noise and swaps are not undone.
    """
    file = released.data if isinstance(released, Released) else released
    given = {"original": original, "released": file} | ({} if control is None else {"control": control})
    raise_all([f"the {what} file has no records" for what, f in given.items() if f.n == 0], DataError)
    auxiliary = {n for f in given.values() for n in f.with_role(*NOT_KEYS)}
    names = tuple(n for n in file.names if all(n in f.columns for f in given.values()) and n not in auxiliary)
    if not names:
        raise IntruderError("the files have no variable in common, but identifiers, weights, households or strata")
    if control is not None:
        check_control(original, control, names)
    steps = released.steps if isinstance(released, Released) else ()
    channels: Channels = {n: deterministic(steps, n) for n in file.names}
    alike = {w: f if w == "released" else _as_released(f, channels, file) for w, f in given.items()}
    faults = []
    for name in names:
        kinds = {what: f.variables[name].kind for what, f in alike.items()}
        if len({k.is_numeric for k in kinds.values()}) > 1:
            found = ", ".join(f"{k.value} in the {what} file" for what, k in kinds.items())
            faults.append(f"variable {name!r} is {found}; declare(kinds={{{name!r}: ...}}) the same kind in all")
    raise_all(faults, IntruderError)
    files = {what: _numbered(f, names) for what, f in alike.items()}
    return People(files["original"], files["released"], files.get("control"), names, channels)


def check_names(people: People, names: Sequence[str]) -> None:
    """Raise where a variable is not in all files."""
    raise_all([unknown("variable in all files", n, people.names) for n in names if n not in people.names], IntruderError)


def check_attacks(attacks: int) -> None:
    """Raise unless there is something to do."""
    if attacks < 1:
        raise IntruderError(f"attacks must be 1 or more, found {attacks}; 2000 give a rate within about .02")


def _as_released(file: Microdata, channels: Channels, released: Microdata) -> Microdata:
    """Give known values the form that the release gives them."""
    columns = {n: coded(file.columns[n], steps) for n, steps in channels.items() if steps and n in file.columns}
    return file.with_columns(columns, {n: released.variables[n].kind for n in columns})


def _numbered(file: Microdata, names: Sequence[str]) -> Microdata:
    """Take codes of numeric variables that are numbers, such as ages in a small file, as numbers."""
    return file.with_columns({n: file.columns[n].as_numbers() for n in names if file.variables[n].kind.is_numeric})
