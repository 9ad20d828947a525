"""The folder of a study: what is held, what was signed."""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from confide.plan.holding import HELD, MANIFEST, OURS, SIGNATURE, SIGNED
from confide.study.manifest import Manifest, Signature, read_manifest, read_signature


@dataclass(frozen=True, slots=True)
class Draft:
    """What is held in one folder."""

    folder: Path
    """The folder."""
    manifest: Manifest
    """What lies in it."""


@dataclass(frozen=True, slots=True)
class Study:
    """A folder with `held/`, `signed/` and `log.jsonl`."""

    folder: Path
    """Where it is."""
    secret: Path | None = None
    """Where the secret is; names that were signed with it are kept beside it."""

    @property
    def held(self) -> Path:
        """What is not to be passed on."""
        return self.folder / HELD

    @property
    def signed(self) -> Path:
        """What somebody let out."""
        return self.folder / SIGNED

    @property
    def log(self) -> Path:
        """Who signed what."""
        return self.folder / "log.jsonl"

    def drafts(self) -> list[Draft]:
        """List what is held, as far as its manifests can be read."""
        found = [(p, manifest_in(p)) for p in _folders(self.held)]
        return [Draft(p, m) for p, m in found if m is not None]

    def draft(self, name: str) -> Draft | None:
        """Find what is held by the name of the release, of an edition of it, or of its folder; the highest edition first."""
        drafts = sorted(self.drafts(), key=lambda d: -d.manifest.edition)
        ways = (
            lambda d: name in (d.manifest.release, d.manifest.title),
            lambda d: name == d.folder.name,
            lambda d: folded(name) == folded(d.manifest.release),
        )
        return next((d for is_it in ways for d in drafts if is_it(d)), None)

    def signatures(self) -> list[tuple[Path, Signature | None]]:
        """List what was signed; None where a signature cannot be read."""
        return [(p, _signature_in(p)) for p in _folders(self.signed)]


def folded(name: str) -> str:
    """Write names alike that differ in case, accents or signs alone.

    >>> folded("Écoles,  2026"), folded("ECOLES 2026")
    ('ecoles 2026', 'ecoles 2026')
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return " ".join("".join(c if c.isalnum() else " " for c in plain if not unicodedata.combining(c)).split())


def checksum(path: Path) -> str:
    """Give the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def manifest_in(folder: Path) -> Manifest | None:
    """Read the manifest in a folder; None where there is none that can be read."""
    text = _text(folder / MANIFEST)
    return None if text is None else read_manifest(text)


def alterations(draft: Draft) -> list[str]:
    """Say where a held folder is not as it was written, or others can get at it.

    Args:
        draft: what is held.
    """
    folder, faults = draft.folder, []
    for path in (folder.parent, folder):
        if path.is_symlink():
            return [f"{str(path)!r} is a link; what is signed must lie in the study itself"]
    wanted = dict(draft.manifest.files)
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or not path.is_file():
            faults.append(f"{path.name!r} in {str(folder)!r} is no plain file; remove it, or make the release anew")
        elif path.stat().st_nlink > 1:
            text = "has another name elsewhere (a hard link), by which it can be altered; make the release anew"
            faults.append(f"{path.name!r} in {str(folder)!r} {text}")
            wanted.pop(path.name, None)
        elif path.name not in OURS and path.name not in wanted:
            faults.append(f"{path.name!r} in {str(folder)!r} was not written there by confide; remove it")
        elif path.name in wanted and checksum(path) != wanted.pop(path.name):
            faults.append(f"{path.name!r} is not as it was written: somebody altered it; make the release anew")
    faults += [f"{name!r} is gone from {str(folder)!r}; make the release anew" for name in wanted if name not in OURS]
    if not draft.manifest.files:
        faults.append(f"nothing is held in {str(folder)!r}; make the release anew")
    return faults + open_to_others([folder.parent, folder, *folder.iterdir()])


def open_to_others(paths: Iterable[Path]) -> list[str]:
    """Say whether others than the owner can get at folders or files.

    Args:
        paths: the folders and files; the first one holds all others.
    """
    if os.name != "posix":
        return []
    given = list(paths)
    if any(p.lstat().st_mode & (stat.S_IRWXG | stat.S_IRWXO) for p in given if not p.is_symlink()):
        return [f"others can read or alter what lies in {str(given[0])!r}; take their rights away: chmod -R go= {given[0]}"]
    return []


def _folders(parent: Path) -> Iterator[Path]:
    """Give the folders in a folder, without those on their way."""
    if parent.is_dir():
        yield from (p for p in sorted(parent.iterdir()) if p.is_dir() and not p.name.startswith("."))


def _signature_in(folder: Path) -> Signature | None:
    """Read the signature in a folder; None where there is none that can be read."""
    text = _text(folder / SIGNATURE)
    return None if text is None else read_signature(text)


def _text(path: Path) -> str | None:
    """Read a small file; None where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else None
    except (OSError, ValueError):
        return None
