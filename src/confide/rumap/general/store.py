"""What was evaluated already: figures by content, kept in memory or in a folder."""

from __future__ import annotations

import json
import math
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from confide.errors import DataError
from confide.kit.ledger import refusal
from confide.release.released import Released

Figures = dict[str, float | None]
"""Figures by name; None where one is undefined."""
FILE = "evaluations.jsonl"


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


class FolderStore(Store):
    """A store whose figures outlive the process, killed or not.

    Every evaluation is one line of a file that only its owner can read. It holds figures of whole files and no
    respondent's values; masked files are kept in memory only. Figures go by the program that made them, too: another
    version evaluates anew.
    """

    def __init__(self, folder: str | os.PathLike[str], *, room: int = 1_000_000_000) -> None:
        """Open a folder, or make it.

        Args:
            folder: where the figures are kept.
            room: how many bytes of masked files to keep in memory.
        """
        super().__init__(room=room)
        self._path = Path(folder) / FILE
        reason = refusal(self._path)
        if reason is not None:
            raise DataError(f"{str(self._path)!r} {reason}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._path.exists():
                self._read()
            self._append(b"")
        except OSError as error:
            raise DataError(f"the folder {str(folder)!r} cannot be used for evaluations: {error.strerror}") from None

    def _read(self) -> None:
        """Read what earlier runs wrote; a line that was cut off is left out, and the file mended."""
        lines = self._path.read_bytes().split(b"\n")
        for line in lines:
            try:
                entry = json.loads(line)
                if _is_entry(entry):
                    self._figures[entry["key"]] = entry["figures"]
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
        if lines[-1]:
            self._append(b"\n")

    def _append(self, data: bytes) -> None:
        """Write at the end of the file, to the disk."""
        handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)

    def put(self, key: str, figures: Figures) -> None:
        """Keep figures and write them down at once."""
        super().put(key, figures)
        line = json.dumps({"key": key, "figures": figures}) + "\n"
        with self._lock:
            self._append(line.encode())


def _is_entry(entry: Any) -> bool:
    """Say whether a line holds a name and figures under it, numbers or nothing."""
    figures = entry["figures"]
    known = isinstance(entry["key"], str) and isinstance(figures, dict) and "value" in figures
    return known and all(
        x is None or (isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x)) for x in figures.values()
    )


def _size(file: Released) -> int:
    """Give the bytes of a masked file that it does not share with its source."""
    source = {} if file.source is None else file.source.columns
    shared = {id(a) for c in source.values() for a in (c.numbers, c.codes)}
    arrays = {id(a): a.nbytes for c in file.data.columns.values() for a in (c.numbers, c.codes)}
    return sum(size for key, size in arrays.items() if key not in shared) + file.parent.nbytes
