"""How the codes of one variable nest: each code lies in a coarser one, the coarsest in the total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from confide.errors import TableError

NO_TEXTS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A tree of codes below the total.

    >>> areas = Hierarchy.of({"North": ["N1", "N2"], "South": ["S1"]})
    >>> areas.leaves, areas.depth
    (('N1', 'N2', 'S1'), 2)
    """

    parents: Mapping[str, str | None]
    """The code above each code, None for those right below the total; in the order in which codes are shown."""
    origins: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The variable and the value that a code stands for, where these are not the dimension and the code itself."""
    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    """What codes mean, where a code list says so."""

    def __post_init__(self) -> None:
        """Refuse unknown parents and circles."""
        faults = [
            f"{p!r} lies above {c!r}, but is no code"
            for c, p in self.parents.items()
            if p is not None and p not in self.parents
        ]
        if faults:
            raise TableError(f"{faults[0]}; give every code a line, the coarser ones too")
        done: set[str] = set()
        for code in self.parents:
            path: list[str] = []
            at: str | None = code
            while at is not None and at not in done:
                if at in path:
                    raise TableError(f"the hierarchy goes in a circle at {at!r}; a code must not lie below itself")
                path.append(at)
                at = self.parents[at]
            done.update(path)

    @classmethod
    def of(cls, nested: Mapping[str, Any] | Sequence[str]) -> Hierarchy:
        """Make a hierarchy from nested mappings and lists.

        >>> Hierarchy.of({"A": {"A1": ["A11", "A12"], "A2": []}}).leaves
        ('A11', 'A12', 'A2')
        """
        parents: dict[str, str | None] = {}
        _nest(nested, None, parents)
        return cls(parents)

    @classmethod
    def of_correspondence(cls, rows: Iterable[Sequence[object]]) -> Hierarchy:
        """Make a hierarchy from the rows of a correspondence table, the coarsest code first.

        A code that stands in two columns next to each other is one code.

        >>> Hierarchy.of_correspondence([("AZ", "A", "01"), ("AZ", "A", "02"), ("ZZ", "X", "X")]).leaves
        ('01', '02', 'X')
        """
        parents: dict[str, str | None] = {}
        for row in rows:
            above: str | None = None
            for code in dict.fromkeys(str(value).strip() for value in row):
                if code in parents and parents[code] != above:
                    raise TableError(
                        f"code {code!r} lies both in {parents[code] or 'the total'!r} and in {above or 'the total'!r}"
                    )
                parents.setdefault(code, above)
                above = code
        return cls(parents)

    def with_codes(self, *codes: str, below: str | None = None) -> Hierarchy:
        """Add codes below one that is there, or right below the total.

        >>> Hierarchy.of(["01", "02"]).with_codes("00").leaves
        ('01', '02', '00')
        """
        twice = [c for c in codes if c in self.parents]
        if twice:
            raise TableError(f"code {twice[0]!r} is in the hierarchy already")
        return Hierarchy({**self.parents, **dict.fromkeys(codes, below)}, self.origins, self.texts)

    @property
    def children(self) -> dict[str | None, list[str]]:
        """The codes right below each code; None stands for the total."""
        found: dict[str | None, list[str]] = {}
        for code, parent in self.parents.items():
            found.setdefault(parent, []).append(code)
        return found

    @property
    def leaves(self) -> tuple[str, ...]:
        """The codes with nothing below."""
        above = set(self.parents.values())
        return tuple(c for c in self.parents if c not in above)

    @property
    def depths(self) -> dict[str, int]:
        """How many steps each code lies below the total."""
        found: dict[str, int] = {}
        for code in self.parents:
            path, at = [], code
            while at not in found:
                path.append(at)
                above = self.parents[at]
                if above is None:
                    break
                at = above
            depth = found.get(at, 0)
            for c in reversed(path):
                depth += 1
                found[c] = depth
        return found

    @property
    def depth(self) -> int:
        """How many steps the deepest code lies below the total."""
        return max(self.depths.values(), default=0)

    def __repr__(self) -> str:
        """Say how large the tree is."""
        return f"Hierarchy({len(self.parents):,} codes, {len(self.leaves):,} leaves, depth {self.depth})"


def _nest(nested: Mapping[str, Any] | Sequence[str], above: str | None, parents: dict[str, str | None]) -> None:
    """Write nested mappings as parents."""
    if isinstance(nested, str):
        raise TableError(f"codes below {above or 'the total'!r} must be a list or a mapping; found the text {nested!r}")
    for code in nested:
        if code in parents:
            raise TableError(f"code {code!r} stands twice in the hierarchy")
        parents[str(code)] = above
        if isinstance(nested, Mapping):
            _nest(nested[code], str(code), parents)
