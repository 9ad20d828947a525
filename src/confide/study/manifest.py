"""What lies beside held files: what they are, how they were made, and what was found."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError

from confide.kit.secret import Secret
from confide.plan.limits import Judged
from confide.release.released import NOT_FOR_PUBLICATION

FORMAT = 1
"""The number of this format."""
REPRODUCIBLE = NOT_FOR_PUBLICATION
"""How what was made with a seed is marked."""
THEIRS, NOT_RANDOM, GIVEN_KEYS = "made by someone else", "nothing in it is random", "keys that the data hold"
"""Other answers to what it was made with."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One limit and what was found."""

    what: str
    """What is limited."""
    whom: str
    """The intruder, or the keys."""
    figure: float | None
    """What was found; None where it is undefined, or an amount that respondents lose."""
    limit: float
    """The limit; for the audit of a table: no exposed cell."""
    kept: bool
    """Whether it holds."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    @classmethod
    def of(cls, one: Judged) -> Verdict:
        """Write down a limit that was held against a figure, with no more digits than figures are printed with.

        Harm may be an amount that one person has, and is not written down.
        """
        told = None if one.figure is None or not one.of_risk else float(f"{one.figure:.6g}")
        return cls(one.what, one.whom, told, one.limit, one.kept)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is held in a folder.

    >>> one = Manifest("release", "people", files={"people.csv": "00"})
    >>> read_manifest(one.to_json()) == one
    True
    """

    kind: str
    """A release, a chosen release, a file of someone else, or a table."""
    release: str
    """What it is called."""
    edition: int = 1
    """Counts what is published under that name."""
    made_with: str = NOT_RANDOM
    """The fingerprint of the secret, or one of the words above."""
    files: dict[str, str] = field(default_factory=dict)
    """The checksums (SHA-256) of the files beside it."""
    plan: dict[str, str] = field(default_factory=dict)
    """The plan file and its checksum with the key of the study."""
    read: dict[str, str] = field(default_factory=dict)
    """The checksums of all files that the plan reads, with the key of the study, by their names in it, but the secret's."""
    methods: list[str] = field(default_factory=list)
    """What was done, in words."""
    settings: dict[str, str | int | float | bool | None] | None = None
    """Of a chosen release: a value for each axis."""
    verdict: list[Verdict] = field(default_factory=list)
    """What was found when it was written; signing finds it anew."""
    made: str = ""
    """The day on which it was written."""
    confide: str = ""
    """The version of confide."""
    seal: str = ""
    """A checksum of all this with the key of the study: whoever lacks the key cannot alter it unseen."""
    format: int = FORMAT
    """The number of this format."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    @property
    def title(self) -> str:
        """Name and edition."""
        return self.release + (f", edition {self.edition}" if self.edition > 1 else "")

    @property
    def fingerprint(self) -> str | None:
        """The secret it hangs on; None: on none."""
        return fingerprint_of(self.made_with)

    def sealed(self, key: Secret) -> Manifest:
        """Seal it with the key of the study."""
        return replace(self, seal=key.digest("manifest", replace(self, seal="").to_json()))

    def to_json(self) -> str:
        """Write it."""
        return _MANIFEST.dump_json(self, indent=1).decode() + "\n"


@dataclass(frozen=True, slots=True)
class Signature:
    """Who let it out."""

    by: str
    """Who signed."""
    on: str
    """The day of the signature."""
    at: str
    """When it was signed, in universal time."""
    release: str
    """What was signed."""
    edition: int
    """Its edition."""
    made_with: str
    """As in the manifest."""
    files: dict[str, str]
    """The checksums of the files, the manifest's among them."""
    verdict: list[Verdict]
    """What was found: every limit holds."""
    notes: list[str]
    """What a reader should know of what was signed."""
    confide: str
    """The version of confide."""
    format: int = FORMAT
    """The number of this format."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    def to_json(self) -> str:
        """Write it."""
        return _SIGNATURE.dump_json(self, indent=1).decode() + "\n"


_MANIFEST, _SIGNATURE = TypeAdapter(Manifest), TypeAdapter(Signature)


def fingerprint_of(made_with: str) -> str | None:
    """Give the secret that something was made with; None: with none.

    >>> fingerprint_of(NOT_RANDOM) is None
    True
    """
    return None if made_with in (REPRODUCIBLE, THEIRS, NOT_RANDOM, GIVEN_KEYS) else made_with


def read_manifest(text: str) -> Manifest | None:
    """Read a manifest; None where it is none of this format.

    >>> read_manifest("{}") is None
    True
    """
    try:
        found = _MANIFEST.validate_json(text, strict=True)
    except ValidationError:
        return None
    safe = all(name and Path(name).name == name for name in found.files) and found.edition >= 1
    try:
        dt.date.fromisoformat(found.made or "2000-01-01")
    except ValueError:
        return None
    return found if found.format == FORMAT and safe else None


def read_signature(text: str) -> Signature | None:
    """Read a signature; None where it is none of this format.

    >>> read_signature("") is None
    True
    """
    try:
        found = _SIGNATURE.validate_json(text, strict=True)
    except ValidationError:
        return None
    return found if found.format == FORMAT else None


def verdicts(found: Iterable[Judged]) -> list[Verdict]:
    """Write down all limits that were held against figures."""
    return [Verdict.of(one) for one in found]
