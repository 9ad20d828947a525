"""The record of what was run."""

from __future__ import annotations

import datetime as dt
import hashlib
import platform
from dataclasses import dataclass
from importlib import metadata

import numpy as np

from confide.assessment.assessment import Assessment
from confide.data.microdata import Microdata
from confide.report.grid import Grid
from confide.report.info import thresholds


@dataclass(frozen=True, slots=True)
class ReleasedFile:
    """A released file, as it is recorded."""

    name: str
    """What the release is called."""
    records: int
    """How many records it holds."""
    variables: int
    """How many variables it holds."""
    seed: int | None
    """The seed it was made with; None when it was made with a secret, or elsewhere."""
    secret: str | None
    """The fingerprint of the secret it was made with."""
    sha256: str
    """The checksum of its names, kinds and values."""


@dataclass(frozen=True, slots=True)
class Record:
    """What was run, when, and with which software."""

    date: str
    """When, in the form of ISO 8601."""
    versions: tuple[tuple[str, str], ...]
    """The versions of the software."""
    files: tuple[ReleasedFile, ...]
    """The released files."""
    intruders: tuple[str, ...]
    """The intruders' names."""
    scenarios: int
    """How many scenarios were assessed."""
    thresholds: tuple[float, ...]
    """The probabilities above which an identification is perceived."""
    measures: tuple[str, ...]
    """The names of the measures."""
    plan_sha256: str | None = None
    """The checksum of the plan, where there was one."""
    harms: tuple[str, ...] = ()
    """The names of the harms."""
    file_measures: tuple[str, ...] = ()
    """The names of the classical measures."""

    @property
    def kept_inside(self) -> str:
        """Why a page with this record stays inside the agency, true of how the files were made."""
        said = "This page holds no value of a respondent. "
        if any(f.seed is not None for f in self.files):
            return said + "It holds seeds, with which the masking could be undone: keep it inside the agency."
        if any(f.secret is not None for f in self.files):
            said += "It names the secret by its fingerprint, with which nothing can be undone. "
        return said + "It says who is at risk: keep it inside the agency."

    def to_dict(self) -> dict[str, object]:
        """Give the record as plain objects, ready for JSON."""
        return {
            "date": self.date,
            "versions": dict(self.versions),
            "plan_sha256": self.plan_sha256,
            "released_files": [{k: getattr(f, k) for k in ReleasedFile.__slots__} for f in self.files],
            "intruders": list(self.intruders),
            "scenarios": self.scenarios,
            "thresholds": list(self.thresholds),
            "measures": list(self.measures),
            "harms": list(self.harms),
            "file_measures": list(self.file_measures),
        }


def record(assessment: Assessment, *, date: dt.date | None = None, plan_sha256: str | None = None) -> Record:
    """Write down what was run.

    Args:
        assessment: what was run.
        date: when; None: now, in universal time.
        plan_sha256: the checksum of the plan, where there was one.
    """
    grid = Grid.of(assessment)
    files = []
    for row, name in enumerate(grid.releases):
        released = next(s.released for (r, _), s in grid.cells.items() if r == row)
        data = released.data
        files.append(ReleasedFile(name, data.n, len(data.names), released.seed, released.fingerprint, checksum(data)))
    measures = dict.fromkeys(m.name for s in assessment.scenarios for m in s.measures)
    return Record(
        written(date),
        versions(),
        tuple(files),
        grid.intruders,
        len(assessment.scenarios),
        thresholds(grid),
        tuple(measures),
        plan_sha256,
        tuple(dict.fromkeys(h.harm.title for s in assessment.scenarios for h in s.harms)),
        tuple(dict.fromkeys(m.name for s in assessment.scenarios for m in s.measured)),
    )


def written(date: dt.date | None) -> str:
    """Write a date or a moment in the form of ISO 8601.

    >>> written(dt.date(2026, 1, 31))
    '2026-01-31'
    """
    if date is None:
        date = dt.datetime.now(dt.UTC)
    return date.isoformat(timespec="seconds") if isinstance(date, dt.datetime) else date.isoformat()


def versions() -> tuple[tuple[str, str], ...]:
    """Give the versions of what computed the figures."""
    from confide import __version__

    installed = [(name, metadata.version(name)) for name in ("numpy", "polars", "scipy", "numba")]
    return (("confide", __version__), ("python", platform.python_version()), *installed)


def checksum(data: Microdata) -> str:
    """Give the SHA-256 of a file's names, kinds and values, the same on every machine.

    >>> checksum(Microdata.from_dict({"sex": ["m", "f"]}))[:12]
    '0bcf372fe47f'
    """
    digest = hashlib.sha256()
    for name in data.names:
        column = data.columns[name]
        numbers = np.where(column.is_number, column.numbers, 0.0) + 0.0
        for part in (name, data.variables[name].kind.value, repr(tuple(map(_plain, column.labels))), str(column.size)):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
        digest.update(numbers.astype("<f8").tobytes())
        digest.update(column.codes.astype("<i8").tobytes())
    return digest.hexdigest()


def _plain(label: object) -> object:
    """Write numpy's numbers and texts as Python's."""
    return label.item() if isinstance(label, np.generic) else label
