"""Hierarchies that are found in the data: columns of the file, digits of the codes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from confide.data.codebook import Role
from confide.data.microdata import Microdata
from confide.errors import DeclarationError, TableError, such_as, unknown
from confide.kit.telling import counted
from confide.tables.hierarchy import Hierarchy
from confide.tables.hrc import read_hierarchy
from confide.tables.labels import Labelled, labelled


@dataclass(frozen=True, slots=True)
class Levels:
    """Columns of the file that hold the coarser codes, the coarsest first.

    For `by=["A88"]`, `Levels("A10", "A21")` nests the divisions A88 in sections A21 and these in groups A10.
    """

    columns: tuple[str, ...]
    """The coarser variables, the coarsest first."""

    def __init__(self, *columns: str) -> None:
        object.__setattr__(self, "columns", columns)
        if not columns:
            raise TableError("Levels needs at least one column; a variable without coarser codes needs no hierarchy")

    def resolve(self, data: Microdata, name: str, taken: dict[str, tuple[str, str]]) -> Hierarchy:
        """Read the nesting from the records; a code must lie in one coarser code only."""
        for column in self.columns:
            if column not in data.columns:
                raise DeclarationError(unknown("variable", column, data.names))
        chain = [*self.columns, name]
        held = [labelled(data.columns[c], data.variables[c]) for c in chain]
        parents: dict[str, str | None] = {}
        origins: dict[str, tuple[str, str]] = {}
        names = _names(chain, held, taken)
        for above, below, up, down, k in zip([None, *held], held, [None, *names], names, range(len(chain)), strict=False):
            for code, label in zip(down, below.labels, strict=True):
                parents[code] = None
                origins[code] = (chain[k], label)
            if above is not None and up is not None:
                for i, j in _pairs(below, above, chain[k], chain[k - 1]):
                    parents[down[i]] = up[j]
        return Hierarchy(parents, origins)


@dataclass(frozen=True, slots=True)
class Digits:
    """The leading digits of a code are the coarser code: `Digits(3, 1, 1)` nests 34110 in 3411 and this in 341."""

    widths: tuple[int, ...]
    """How many digits each level adds, the coarsest first."""

    def __init__(self, *widths: int) -> None:
        object.__setattr__(self, "widths", widths)
        if not widths or any(w < 1 for w in widths):
            raise TableError(f"digits of a level are counted from 1; found {widths}")

    def resolve(self, data: Microdata, name: str, taken: dict[str, tuple[str, str]]) -> Hierarchy:
        """Cut the codes that occur; all must be as long as the levels together."""
        del taken
        whole = sum(self.widths)
        held = labelled(data.columns[name], data.variables[name])
        labels = held.labels
        wrong = [i for i, c in enumerate(labels) if len(c) != whole]
        if wrong:
            counts = counted(held.ids, len(labels))
            confided = data.variables[name].role is Role.SENSITIVE
            named = such_as([labels[i] for i in wrong], [counts[i] for i in wrong], confided=confided)
            raise TableError(f"{len(wrong)} code(s) of {name!r} have not {whole} digits{named}; widths are {self.widths}")
        ends = np.cumsum(self.widths).tolist()
        return Hierarchy.of_correspondence([c[:e] for e in ends] for c in labels)


Nesting: TypeAlias = Hierarchy | Levels | Digits | str | os.PathLike[str]
"""A hierarchy, where to find it in the data, or a `.hrc` file."""


def resolved(data: Microdata, name: str, given: Nesting | Sequence[Nesting] | None) -> list[Hierarchy]:
    """Find the hierarchies of one variable; several need not nest in each other."""
    if given is None:
        return []
    several = [given] if isinstance(given, Hierarchy | Levels | Digits | str | os.PathLike) else list(given)
    found: list[Hierarchy] = []
    taken: dict[str, tuple[str, str]] = {}
    for one in several:
        if isinstance(one, Levels | Digits):
            hierarchy = one.resolve(data, name, taken)
        else:
            hierarchy = one if isinstance(one, Hierarchy) else read_hierarchy(one)
        taken.update(hierarchy.origins)
        found.append(hierarchy)
    return found


def check_named(hierarchies: Mapping[str, object], by: Sequence[str]) -> None:
    """Refuse hierarchies of variables that the table does not have."""
    for name in hierarchies:
        if name not in by:
            raise TableError(f"hierarchies: {unknown('dimension', name, by)}")


def _names(chain: Sequence[str], held: Sequence[Labelled], taken: Mapping[str, tuple[str, str]]) -> list[list[str]]:
    """Name the codes of each column, the finest first; a name that is taken already gets the column before it."""
    means = dict(taken)
    found: list[list[str]] = []
    for column, labels in zip(reversed(chain), [h.labels for h in reversed(held)], strict=True):
        names = [t if column == chain[-1] or means.get(t, (column, t)) == (column, t) else f"{column} {t}" for t in labels]
        means.update({n: (column, t) for n, t in zip(names, labels, strict=True)})
        found.insert(0, names)
    return found


def _pairs(below: Labelled, above: Labelled, fine: str, coarse: str) -> list[tuple[int, int]]:
    """Find in which coarser code each code lies; raise where there are two or none."""
    seen = np.unique(np.stack([below.ids, above.ids], axis=1), axis=0)
    seen = seen[seen[:, 0] >= 0]
    if seen.size and seen[:, 1].min() < 0:
        without = len(np.unique(seen[seen[:, 1] < 0][:, 0]))
        raise TableError(f"{coarse!r} is missing for records of {without} code(s) of {fine!r}; fill it in")
    twice = np.flatnonzero(seen[1:, 0] == seen[:-1, 0])
    if twice.size:
        raise TableError(
            f"{len(np.unique(seen[twice, 0]))} code(s) of {fine!r} lie in two codes of {coarse!r}; "
            "give several hierarchies as a list, or tabulate by both variables"
        )
    return [(int(i), int(j)) for i, j in seen]
