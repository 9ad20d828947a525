"""What was evaluated already: figures by content, kept in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from confide.release.released import Released

Figures = dict[str, float | None]
"""Figures by name; None where one is undefined."""


class Store:
    """Figures and masked files of earlier evaluations, in memory.

    Figures are kept under names made of the content of what was asked. Masked files are kept as long as there is room, so
    that another intruder or another use of the data does not mask again.

    >>> store = Store()
    >>> store.put("a", {"risk": 0.5})
    >>> store.get("a"), store.get("b")
    ({'risk': 0.5}, None)
    """

    def __init__(self, *, room: int = 1_000_000_000) -> None:
        """Make an empty store.

        Args:
            room: how many bytes of masked files to keep.
        """
        self._figures: dict[str, Figures] = {}
        self._released: OrderedDict[str, Released] = OrderedDict()
        self._room, self._held = room, 0
        self._lock = threading.Lock()
        self.masked = 0
        """How often a file was masked."""

    def __len__(self) -> int:
        """How many evaluations are kept."""
        return len(self._figures)

    def get(self, key: str) -> Figures | None:
        """Give the figures under a name; None where there are none."""
        return self._figures.get(key)

    def put(self, key: str, figures: Figures) -> None:
        """Keep figures."""
        with self._lock:
            self._figures[key] = dict(figures)

    def released(self, key: str, make: Callable[[], Released]) -> Released:
        """Give the masked file under a name, or make it and keep it while there is room."""
        with self._lock:
            if key in self._released:
                self._released.move_to_end(key)
                return self._released[key]
        file = make()
        with self._lock:
            self.masked += 1
            if key not in self._released:
                self._released[key] = file
                self._held += _size(file)
            while self._held > self._room and len(self._released) > 1:
                _, dropped = self._released.popitem(last=False)
                self._held -= _size(dropped)
        return file


def _size(file: Released) -> int:
    """Give the bytes of a masked file that it does not share with its source."""
    source = {} if file.source is None else file.source.columns
    shared = {id(a) for c in source.values() for a in (c.numbers, c.codes)}
    arrays = {id(a): a.nbytes for c in file.data.columns.values() for a in (c.numbers, c.codes)}
    return sum(size for key, size in arrays.items() if key not in shared) + file.parent.nbytes
