"""A release: an ordered list of masking methods, applied with one seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.codebook import Role
from confide.data.microdata import Microdata
from confide.errors import ReleaseError, raise_all, unknown
from confide.release.method import Draft, Method, Step
from confide.release.methods.drop import Drop
from confide.release.released import Released
from confide.seeds import Stream


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

    methods: tuple[Method, ...]
    """The masking methods, in order."""
    name: str
    """What the release is called in tables."""

    def __init__(self, *methods: Method, name: str = "") -> None:
        for method in methods:
            if not isinstance(method, Method):
                raise ReleaseError(f"a Release takes masking methods such as Recode or Swap, found {type(method).__name__}")
        object.__setattr__(self, "methods", tuple(methods))
        object.__setattr__(self, "name", name or " + ".join(type(m).__name__ for m in methods) or "no masking")

    def apply(self, data: Microdata, *, seed: int) -> Released:
        """Mask a file.

        Args:
            data: the source file.
            seed: one integer; the same seed gives the same released file, byte by byte.
        """
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
            raise ReleaseError(f"seed must be an integer, found {type(seed).__name__}")
        if data.n == 0:
            raise ReleaseError("the source file holds no records, so there is nothing to release")
        raise_all(self.faults(data), ReleaseError)
        rows = np.arange(data.n, dtype=np.int64)
        draft = Draft(data.without(data.with_role(Role.IDENTIFIER)), rows, rows)
        steps: list[Step] = []
        for i, method in enumerate(self.methods):
            step = method.bind(draft.data)
            draft = step.apply(draft, Stream(int(seed), f"{i} {type(method).__name__} {' '.join(method.variables)}"))
            steps.append(step)
        return Released(draft.data, data, draft.parent, self.name, tuple(self.methods), tuple(steps), int(seed))

    def bind(self, data: Microdata) -> tuple[Step, ...]:
        """Fill in the methods' numbers from a released file: what an outsider can do."""
        return tuple(
            getattr(method, "suppose", method.bind)(data) for method in self.methods if not isinstance(method, Drop)
        )

    def faults(self, data: Microdata) -> list[str]:
        """List every method that names a variable the file does not have (any more)."""
        names, faults = [n for n in data.names if data.variables[n].role is not Role.IDENTIFIER], []
        for i, method in enumerate(self.methods, 1):
            within = getattr(method, "within", None)
            for name in (*method.variables, *((within,) if within else ())):
                if name not in names:
                    gone = " (an earlier method dropped it, or it is an identifier)" if name in data.names else ""
                    faults.append(f"method {i}, {type(method).__name__}: {unknown('variable', name, names)}{gone}")
            if isinstance(method, Drop):
                names = [n for n in names if n not in method.variables]
        return faults

    def describe(self) -> tuple[str, ...]:
        """Say line by line what is done."""
        return tuple(method.describe() for method in self.methods) or ("nothing is masked",)
