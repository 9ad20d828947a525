"""A released file, with what the agency knows about how it came to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from confide.data.codebook import Role
from confide.data.microdata import Microdata
from confide.errors import ReleaseError, raise_all
from confide.release.channel import Deterministic
from confide.release.method import Method, Step
from confide.release.owners import UNKNOWN, owner_faults, rows_said
from confide.typing import IntArray

NOT_FOR_PUBLICATION = "reproducible: not for publication"
"""What stands on every output of what was made with a seed."""
NOBODY = -1
"""The parent of a simulated record; `UNKNOWN` is that of a record whose parent is not known."""
__all__ = ["NOBODY", "NOT_FOR_PUBLICATION", "UNKNOWN", "Partition", "Released"]


class Partition(NamedTuple):
    """How the released variables stand to an intruder (Reiter 2005, section 3)."""

    deterministic: tuple[str, ...]
    """Known to the intruder and not perturbed (Ad)."""
    perturbed: tuple[str, ...]
    """Known to the intruder and perturbed (Ap)."""
    unavailable: tuple[str, ...]
    """Not known to the intruder (U)."""


@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """The released file, its source, and each record's parent."""

    data: Microdata
    """What is released."""
    source: Microdata | None
    """The source file, or None for an intruder's view."""
    parent: IntArray
    """The source row each released record comes from; NOBODY or UNKNOWN where there is none."""
    name: str = "released"
    """What the release is called in tables."""
    methods: tuple[Method, ...] = ()
    """The masking methods, in order."""
    steps: tuple[Step, ...] = ()
    """The methods with their numbers filled in."""
    seed: int | None = None
    """The seed the release was made with, if any: it can be guessed, so that the file is not for publication."""
    fingerprint: str | None = None
    """The name of the secret it was made with, which tells nothing about the secret."""
    kept_order: bool = True
    """Whether its records are in the order of the source file."""

    @classmethod
    def from_files(
        cls,
        source: Microdata,
        released: Microdata,
        *,
        parent: Sequence[int] | None = None,
        same_order: bool = False,
        name: str = "released",
    ) -> Released:
        """Take a released file that someone else made.

        Whose record is whose is never guessed: `parent` says it, or an identifier that both files hold, or `same_order`
        declares it. Otherwise it is not known, true matches are undefined, and no limit that needs them holds.

        Args:
            source: the source file.
            released: the released file; variables of the same name mean the same thing, and an identifier that both hold
                must say of each record whose it is as `parent` and `same_order` do.
            parent: the source row of each released record, -1 for records that belong to nobody.
            same_order: whether both files hold the same records in the same order; nothing in the files can show it.
            name: what the release is called in tables.

        >>> import confide as cf
        >>> source = cf.Microdata.from_dict({"sex": ["m", "f"], "race": ["w", "b"]})
        >>> masked = cf.Microdata.from_dict({"sex": ["m", "f"], "race": ["b", "w"]})
        >>> cf.Released.from_files(source, masked, same_order=True).parent.tolist()
        [0, 1]
        >>> (cf.Released.from_files(source, masked).parent == UNKNOWN).tolist()
        [True, True]
        """
        faults = []
        if released.n == 0 or source.n == 0:
            faults.append("a file without records cannot be assessed")
        rows, wrong = rows_said(source, released, parent, same_order=same_order)
        faults += wrong
        if not set(released.names) & set(source.names):
            faults.append("the released file has no variable in common with the source file")
        for variable in set(released.names) & set(source.names):
            kinds = released.variables[variable].kind, source.variables[variable].kind
            if kinds[0].is_numeric != kinds[1].is_numeric and kinds[1].is_numeric:
                faults.append(
                    f"variable {variable!r} is {kinds[1].value} in the source and {kinds[0].value} in the released file; "
                    "declare the same kind in both"
                )
        raise_all(sorted(faults or owner_faults(source, released, rows, said=parent is not None)), ReleaseError)
        return cls(released, source, rows, name)

    @classmethod
    def seen(cls, records: Microdata, *, name: str = "released") -> Released:
        """Take the released file as an intruder sees it: no source, no parents.

        What was done to the records is then what the intruder `supposes`.
        """
        if records.n == 0:
            raise ReleaseError("a file without records cannot be assessed")
        return cls(records, None, np.full(records.n, UNKNOWN, dtype=np.int64), name)

    @property
    def made_here(self) -> bool:
        """Whether methods of this library made it; otherwise someone else did, or nobody knows."""
        return self.seed is not None or self.fingerprint is not None

    @property
    def grids(self) -> dict[str, float | None]:
        """The step that numbers with noise are multiples of, by variable; None: they are unrounded."""
        return {name: step for s in self.steps for name, step in getattr(s, "grids", {}).items()}

    def describe(self) -> tuple[str, ...]:
        """Say line by line what was done, with the steps that were found.

        >>> import confide as cf
        >>> data = cf.Microdata.from_dict({"tax": [0.5, 7.25]}).declare(kinds={"tax": "continuous"})
        >>> cf.Release(cf.Noise("tax", sd=5)).apply(data, seed=7).describe()
        ('add noise with sd 5 to tax, in steps of 0.01', 'reproducible: not for publication')
        """
        lines = [m.describe() for m in self.methods]
        for i, (method, step) in enumerate(zip(self.methods, self.steps, strict=False)):
            found = {name: f"{g:g}" for name, g in getattr(step, "grids", {}).items() if g is not None}
            if found and getattr(method, "grid", None) == "source":
                same = len(set(found.values())) == 1
                lines[i] += ", in steps of " + (
                    next(iter(found.values())) if same else ", ".join(f"{g} ({name})" for name, g in found.items())
                )
        return tuple(lines if self.seed is None else [*lines, NOT_FOR_PUBLICATION])

    @property
    def perturbed(self) -> set[str]:
        """The variables that some step perturbs."""
        return {
            name for step in self.steps for name, channel in step.channels.items() if not isinstance(channel, Deterministic)
        }

    @property
    def simulated_share(self) -> float:
        """The share of released records that belong to nobody."""
        return float(np.mean(self.parent == NOBODY)) if self.parent.size else 0.0

    def partition(self, knows: Sequence[str]) -> Partition:
        """Say which released variables are deterministic, perturbed and unavailable to an intruder."""
        auxiliary = self.data.with_role(Role.WEIGHT, Role.HOUSEHOLD)
        names = [n for n in self.data.names if n not in auxiliary or n in knows]
        perturbed = self.perturbed
        return Partition(
            tuple(n for n in names if n in knows and n not in perturbed),
            tuple(n for n in names if n in knows and n in perturbed),
            tuple(n for n in names if n not in knows),
        )

    def __repr__(self) -> str:
        """Say what was done to how many records."""
        done = "; ".join(self.describe()) or "nothing is known about its masking"
        return f"Released({self.name!r}, {self.data.n} records, {len(self.data.names)} variables: {done})"
