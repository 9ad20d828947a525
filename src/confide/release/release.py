"""A release: an ordered list of masking methods, applied with one secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.data.codebook import Role
from confide.data.microdata import Microdata
from confide.errors import ReleaseError, raise_all, unknown
from confide.kit.secret import Secret
from confide.release.chance import Chance
from confide.release.method import Draft, Method, Step
from confide.release.methods.drop import Drop
from confide.release.released import Released
from confide.release.shuffle import shuffled
from confide.release.size import check_released
from confide.release.vary import Axis, Open, Part, Range, Settings, flat, grid_of, open_axes
from confide.typing import Label


@dataclass(frozen=True, slots=True, init=False)
class Release:
    """What the agency does to the file before anyone sees it.

    Identifiers are dropped always. Methods are applied in the order given.

    >>> import confide as cf
    >>> cps = cf.examples.cps()
    >>> released = cf.Release(cf.Recode("age", width=5), cf.Swap("race", rate=0.3)).apply(cps, seed=7)
    >>> released.partition(["sex", "age", "race"])
    Partition(deterministic=('sex', 'age'), perturbed=('race',), unavailable=('marital', 'education', \
'child_support', 'social_security', 'property_tax', 'income'))
    """

    parts: tuple[Part, ...]
    """What is done, in order: masking methods, some of which may be left open (see `vary`)."""
    name: str
    """What the release is called in tables."""

    def __init__(self, *parts: Part, name: str = "") -> None:
        _check_parts(parts)
        object.__setattr__(self, "parts", tuple(parts))
        object.__setattr__(self, "name", name)
        axes = open_axes(parts, {})
        made = " + ".join(f"{x} varied" for x in axes) if axes else " + ".join(type(m).__name__ for m in self.methods)
        object.__setattr__(self, "name", name or made or "no masking")

    @property
    def methods(self) -> tuple[Method, ...]:
        """The masking methods, in order; raises where something is left open."""
        return tuple(flat(self.parts, {}))

    @property
    def axes(self) -> dict[str, Open]:
        """What is left open, by name; axes inside a method that is itself to be chosen are not among them."""
        return open_axes(self.parts, {})

    def at(self, settings: Settings | None = None, /, *, named: str = "", **more: Label) -> Release:
        """Choose what was left open.

        Args:
            settings: a value for each axis.
            named: what the release is called; by its settings when left out.
            more: values for axes, by their names.
        """
        chosen = {**(settings or {}), **more}
        axes = open_axes(self.parts, chosen)
        raise_all([unknown("axis", name, axes) for name in chosen if name not in axes], ReleaseError)
        left = [name for name in axes if name not in chosen]
        if left:
            raise ReleaseError(f"{', '.join(left)} is left open; choose with release.at({left[0]}=...)")
        name = ", ".join(f"{k} {v:g}" if isinstance(v, float) else f"{k} {v}" for k, v in chosen.items())
        return Release(*flat(self.parts, chosen), name=named or name or self.name)

    def grid(self, points: int = 5) -> Iterator[dict[str, Label]]:
        """List all settings, those of the last axis changing fastest.

        Args:
            points: how many values an axis between two ends gets.
        """
        return grid_of(self.parts, points)

    def apply(
        self,
        data: Microdata,
        *,
        secret: Secret | None = None,
        seed: int | None = None,
        keep_order: bool | None = None,
        edition: int = 1,
    ) -> Released:
        """Mask a file.

        Args:
            data: the source file.
            secret: what all randomness hangs on; the same secret gives the same released file, byte by byte. None, and no
                seed: a fresh one, which nobody keeps.
            seed: an integer in place of a secret, for tests and studies. Anyone can guess it and undo the masking: what is
                made with it is not for publication.
            keep_order: whether records stay in the order of the source file, which tells whose they are; None: only with
                a seed.
            edition: counts releases of the same name that are published one after the other; they share no noise.
        """
        if seed is not None and secret is not None:
            raise ReleaseError("give a secret, or a seed for tests and studies, not both")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer)):
            raise ReleaseError(f"seed must be an integer, found {type(seed).__name__}")
        if data.n == 0:
            raise ReleaseError("the source file holds no records, so there is nothing to release")
        raise_all(self.faults(data), ReleaseError)
        chance = Chance.of(self, data, secret, None if seed is None else int(seed), edition)
        rows = np.arange(data.n, dtype=np.int64)
        draft = Draft(data.without(data.with_role(Role.IDENTIFIER)), rows, rows)
        steps: list[Step] = []
        for i, method in enumerate(self.methods):
            step = method.bind(draft.data)
            draft = step.apply(draft, chance.draws(f"{i} {type(method).__name__} {' '.join(method.variables)}"))
            steps.append(step)
            for name in set(method.variables) & set(draft.data.names):
                check_released(draft.data.columns[name].numbers, f"{type(method).__name__} {name!r}")
        kept = seed is not None if keep_order is None else keep_order
        draft = draft if kept else shuffled(draft, chance)
        made = Released(draft.data, data, draft.parent, self.name, tuple(self.methods), tuple(steps), chance.seed)
        return replace(made, fingerprint=chance.fingerprint, kept_order=kept)

    def bind(self, data: Microdata) -> tuple[Step, ...]:
        """Fill in the methods' numbers from a released file: what an outsider can do."""
        return tuple(
            getattr(method, "suppose", method.bind)(data) for method in self.methods if not isinstance(method, Drop)
        )

    def faults(self, data: Microdata) -> list[str]:
        """List every method that names a variable the file does not have (any more)."""
        names, faults = [n for n in data.names if data.variables[n].role is not Role.IDENTIFIER], []
        for i, method in enumerate(self.methods, 1):
            for name in (*method.variables, *getattr(method, "strata", ())):
                if name not in names:
                    gone = " (an earlier method dropped it, or it is an identifier)" if name in data.names else ""
                    faults.append(f"method {i}, {type(method).__name__}: {unknown('variable', name, names)}{gone}")
            if isinstance(method, Drop):
                names = [n for n in names if n not in method.variables]
        return faults

    def describe(self) -> tuple[str, ...]:
        """Say line by line what is done."""
        return tuple(method.describe() for method in self.methods) or ("nothing is masked",)


def _check_parts(parts: Sequence[Part]) -> None:
    """Raise where something is no masking method."""
    for part in parts:
        if isinstance(part, list | tuple):
            _check_parts(part)
        elif isinstance(part, Axis):
            _check_parts(part.values)
        elif part is not None and (isinstance(part, Range) or not isinstance(part, Method)):
            raise ReleaseError(f"a Release takes masking methods such as Recode or Swap, found {type(part).__name__}")
