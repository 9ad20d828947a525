"""Tables as JSON-stat 2.0."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from confide.tables.dimension import Dimension

if TYPE_CHECKING:
    from confide.tables.protected import ProtectedTable

SPARSE = 2
"""Tables with more empty places than this many times their cells list their cells instead of all places."""


@dataclass(frozen=True, slots=True)
class JsonStat:
    """A dataset of JSON-stat 2.0: dimensions with codes, labels and children, values and statuses.

    The value of a cell that is left out is null, and its status says so. Cells to which nobody contributes have no value.
    """

    label: str | None = None
    """What the table is called; None: value and dimensions."""
    source: str | None = None
    """Who publishes it."""
    flag: str = "c"
    """The status of cells that are left out."""

    def bytes_of(self, protected: ProtectedTable) -> bytes:
        """Give the file."""
        t = protected.table
        size = [d.size for d in t.dimensions]
        places = int(np.prod(size)) if size else 1
        at = np.ravel_multi_index(tuple(t.codes.T), tuple(size)) if size else np.zeros(t.n, dtype=np.int64)
        values = protected.published(self.flag).to_series(len(t.by)).to_list()
        found: dict[int, Any] = dict(sorted(zip(at.tolist(), values, strict=True)))
        hidden = sorted(at[np.isnan(protected.values)].tolist())
        dense = places <= SPARSE * t.n
        notes = [*filter(None, [protected.banner]), *protected.outcome.told]
        dataset: dict[str, Any] = {
            "version": "2.0",
            "class": "dataset",
            "label": self.label or f"{t.name} by {', '.join(t.by)}",
            **({} if self.source is None else {"source": self.source}),
            **({"note": notes} if notes else {}),
            "id": list(t.by),
            "size": size,
            "dimension": {d.name: dimension_of(d) for d in t.dimensions},
            "value": [found.get(i) for i in range(places)] if dense else {str(i): v for i, v in found.items()},
            "status": {str(i): self.flag for i in hidden},
        }
        return (json.dumps(dataset, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def dimension_of(d: Dimension) -> dict[str, Any]:
    """Write a dimension: its codes in order, what they mean, and which codes lie in which."""
    children: dict[str, list[str]] = {}
    for row in d.parents:
        for code in np.flatnonzero(row >= 0).tolist():
            held = children.setdefault(d.codes[int(row[code])], [])
            if d.codes[code] not in held:
                held.append(d.codes[code])
    category = {"index": list(d.codes), "label": {c: d.texts.get(c, c) for c in d.codes}, "child": children}
    return {"label": d.name, "category": category}
