"""One dimension of a table: its codes, and how totals are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from confide.errors import TableError
from confide.tables.hierarchy import NO_TEXTS, Hierarchy
from confide.typing import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Dimension:
    """The codes of a dimension, with the total first.

    >>> areas = Dimension.of("area", [Hierarchy.of({"North": ["N1", "N2"], "South": ["S1"]})], "Total")
    >>> areas.codes
    ('Total', 'North', 'N1', 'N2', 'South', 'S1')
    >>> areas.parents.tolist()
    [[-1, 0, 1, 1, 0, 4]]
    """

    name: str
    """The variable."""
    codes: tuple[str, ...]
    """The total, then every code after the one it lies in."""
    leaves: IntArray
    """The places of the codes with nothing below."""
    rows: IntArray
    """One row per level: the code in which each leaf lies there, or -1; each code stands in one row only."""
    parents: IntArray
    """One row per hierarchy: the code above each code, or -1."""
    origins: tuple[tuple[str, str], ...]
    """The variable and value that each code stands for."""
    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    """What codes mean."""

    @classmethod
    def flat(cls, name: str, labels: Sequence[str], total: str, texts: Mapping[str, str] = NO_TEXTS) -> Dimension:
        """Make a dimension of codes that all lie right below the total."""
        return cls.of(name, [Hierarchy(dict.fromkeys(labels), texts=texts)], total)

    @classmethod
    def of(cls, name: str, hierarchies: Sequence[Hierarchy], total: str) -> Dimension:
        """Join hierarchies over the same codes; they need not nest in each other."""
        trees = [_below_total(h, total) for h in hierarchies]
        order: dict[str, None] = {total: None}
        for children in (t.children for t in trees):
            _walk(children, order)
        codes = tuple(order)
        at = {c: i for i, c in enumerate(codes)}
        parents = np.full((len(trees), len(codes)), -1, dtype=np.int64)
        for h, tree in enumerate(trees):
            for code, above in tree.parents.items():
                parents[h, at[code]] = 0 if above is None else at[above]
        inner = np.zeros(len(codes), dtype=np.bool_)
        inner[parents[parents > 0]] = True
        inner[0] = True
        leaves = np.flatnonzero(~inner).astype(np.int64)
        below = _leaves_below(parents, leaves, codes, name)
        rows = _rows(parents, leaves, below, [t.depths for t in trees], codes, name)
        _drop_repeated(parents, below, leaves.size)
        origins = {c: o for t in reversed(trees) for c, o in t.origins.items()}
        texts = {c: x for t in reversed(trees) for c, x in t.texts.items()}
        return cls(name, codes, leaves, rows, parents, tuple(origins.get(c, (name, c)) for c in codes), texts)

    @property
    def size(self) -> int:
        """How many codes there are, the total among them."""
        return len(self.codes)

    @property
    def levels(self) -> int:
        """On how many levels codes stand, the total's and the leaves' among them."""
        return int(self.rows.shape[0])

    @property
    def is_leaf(self) -> IntArray:
        """For each code its place among the leaves, or -1."""
        found = np.full(self.size, -1, dtype=np.int64)
        found[self.leaves] = np.arange(self.leaves.size)
        return found

    def __repr__(self) -> str:
        """Say how many codes there are."""
        return f"{self.name} ({self.size:,} codes on {self.levels} levels)"


def _below_total(h: Hierarchy, total: str) -> Hierarchy:
    """Leave out a code that is the total itself."""
    if total not in h.parents:
        return h
    if h.parents[total] is not None:
        raise TableError(f"the total {total!r} lies below {h.parents[total]!r}; name the total by total=...")
    kept = {c: None if p == total else p for c, p in h.parents.items() if c != total}
    return Hierarchy(kept, {c: o for c, o in h.origins.items() if c != total}, h.texts)


def _walk(children: Mapping[str | None, list[str]], order: dict[str, None]) -> None:
    """Put every code after the one it lies in."""
    stack = list(reversed(children.get(None, [])))
    while stack:
        code = stack.pop()
        order.setdefault(code)
        stack.extend(reversed(children.get(code, [])))


def _leaves_below(parents: IntArray, leaves: IntArray, codes: Sequence[str], name: str) -> list[set[int]]:
    """Find the leaves in each code; refuse a code that holds different ones in two hierarchies."""
    below: list[set[int]] = [set() for _ in codes]
    for leaf in leaves.tolist():
        seen, stack = {leaf}, [leaf]
        while stack:
            for p in parents[:, stack.pop()].tolist():
                if p > 0 and p not in seen:
                    seen.add(p)
                    stack.append(p)
        for code in seen:
            below[code].add(leaf)
    below[0] = set(leaves.tolist())
    for row in parents:
        for code in np.unique(row[row > 0]).tolist():
            parts = set().union(*(below[c] for c in np.flatnonzero(row == code).tolist()))
            if parts != below[code]:
                missing = codes[min(below[code] - parts)]
                raise TableError(
                    f"dimension {name!r}: {codes[code]!r} holds {missing!r} in one hierarchy and not in another; "
                    "give the codes different names, or make both hold the same"
                )
    return below


def _rows(
    parents: IntArray,
    leaves: IntArray,
    below: list[set[int]],
    depths: Sequence[Mapping[str, int]],
    codes: Sequence[str],
    name: str,
) -> IntArray:
    """Arrange codes on levels such that a leaf lies in one code of a level at most."""
    is_leaf = set(leaves.tolist())
    place = {leaf: i for i, leaf in enumerate(leaves.tolist())}
    rows: dict[tuple[int, int], IntArray] = {(-1, 0): np.zeros(leaves.size, dtype=np.int64)}
    done: set[int] = set()
    for h in range(parents.shape[0]):
        for code in range(1, len(codes)):
            if code in is_leaf or code in done or codes[code] not in depths[h]:
                continue
            done.add(code)
            row = rows.setdefault((h, depths[h][codes[code]]), np.full(leaves.size, -1, dtype=np.int64))
            places = [place[leaf] for leaf in below[code]]
            if (row[places] >= 0).any():
                other = codes[int(row[places].max())]
                raise TableError(
                    f"dimension {name!r}: {codes[code]!r} and {other!r} overlap on one level; a code must lie in one of them"
                )
            row[places] = code
    ordered = [rows[k] for k in sorted(rows)]
    return np.stack([*ordered, leaves]) if leaves.size else np.zeros((1, 0), dtype=np.int64)


def _drop_repeated(parents: IntArray, below: list[set[int]], leaves: int) -> None:
    """Keep a sum once that several hierarchies make alike, and none for a total that a hierarchy covers in part."""
    seen: set[tuple[int, tuple[int, ...]]] = set()
    for row in parents:
        for code in np.unique(row[row >= 0]).tolist():
            parts = np.flatnonzero(row == code)
            key = (code, tuple(parts.tolist()))
            partial = code == 0 and len(set().union(*(below[c] for c in parts.tolist()))) < leaves
            if key in seen or partial:
                row[parts] = -1
            seen.add(key)
