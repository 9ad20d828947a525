"""Files that a plan is to write: whether they can be."""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path

from confide.plan.faults import Faults


class Files:
    """The files of a plan, checked one after the other."""

    def __init__(self, faults: Faults, kept: Container[Path]) -> None:
        """Begin without any.

        Args:
            faults: where faults are noted.
            kept: files that the plan reads, which must not be replaced.
        """
        self._faults = faults
        self._kept = kept
        self._seen: dict[Path, str] = {}

    def check(self, key: str, path: Path, ending: str | None, endings: Sequence[str]) -> None:
        """Note why a file cannot be written, if so.

        Args:
            key: what the plan calls it.
            path: where it is to be.
            ending: how its name ends; None: in no way that is known.
            endings: how it may end.
        """
        first = self._seen.setdefault(path.resolve(), key)
        if path.resolve() in self._kept:
            self._faults.add(key, f"would replace {path.name!r}, which the plan reads; choose another name")
        elif ending not in endings:
            self._faults.add(key, f"must end in {' or '.join(endings)}, found {path.name!r}")
        elif first != key:
            self._faults.add(key, f"is the same file as {first}; choose another name")
        elif path.is_dir():
            self._faults.add(key, f"{str(path)!r} is a folder; give the path of a file")
        elif not path.parent.is_dir():
            self._faults.add(key, f"the folder {str(path.parent)!r} does not exist; make it first")
