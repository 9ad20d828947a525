"""Write what is held: a folder with its manifest, whole or not at all."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from confide import __version__
from confide.errors import DataError, raise_all
from confide.kit.files import make_folder, write_text_whole
from confide.kit.folders import locked, whole_folder
from confide.kit.ledger import refusal
from confide.plan.holding import MANIFEST, OURS
from confide.study.folder import Study, checksum, folded, manifest_in
from confide.study.key import keyed_checksum, study_key
from confide.study.manifest import Manifest


def origin(study: Study, path: Path | None, reads: Mapping[str, Path]) -> dict[str, Any]:
    """Give the checksums of a plan and of all that it reads, as a manifest holds them.

    Args:
        study: the study, whose key they are made with.
        path: the plan file.
        reads: the files it reads, by their names in it.
    """
    key = study_key(study)
    plan = {} if path is None else {path.name: keyed_checksum(key, path)}
    return {"plan": plan, "read": {name: keyed_checksum(key, file) for name, file in reads.items()}}


def check_place(study: Study, stem: str, name: str) -> None:
    """Refuse where a folder is held that is no earlier draft of the same name, or holds what a plan reads.

    Args:
        study: the study.
        stem: what the folder is called.
        name: what the release is called.
    """
    folder = study.held / stem
    for path in (study.held, folder):
        if path.is_symlink():
            raise DataError(f"{str(path)!r} is a link; what is held must lie in the study itself: remove the link")
        if path.exists() and not path.is_dir():
            raise DataError(f"{str(path)!r} is a file, where a folder of the study must stand; move it away")
    if not folder.exists():
        return
    before = manifest_in(folder)
    if before is None:
        raise DataError(f"{str(folder)!r} is no draft that confide wrote, and is not replaced; move it away")
    faults = []
    if folded(before.release) != folded(name):
        faults.append(f"{str(folder)!r} holds the draft of another release, {before.release!r}; move it away")
    for path in folder.iterdir():
        reason = refusal(path)
        if path.name not in (*OURS, *before.files):
            faults.append(f"{str(path)!r} was not written there by confide, and is not removed; move it away")
        elif reason is not None:
            faults.append(f"{str(path)!r} {reason.partition(';')[0]}, and a new draft would remove it; move it away")
    raise_all(faults, DataError)


def hold(study: Study, stem: str, manifest: Manifest, write: Callable[[Path], object]) -> list[Path]:
    """Write a held folder; an earlier draft of the same name is replaced as a whole.

    Args:
        study: the study.
        stem: what the folder is called.
        manifest: what is known of the files; their checksums are filled in.
        write: writes the files into a folder.
    """
    make_folder(study.folder)
    check_place(study, stem, manifest.release)
    make_folder(study.held)
    folder = study.held / stem
    with locked(study.folder):
        with whole_folder(folder) as new:
            write(new)
            sums = {path.name: checksum(path) for path in sorted(new.iterdir())}
            today = dt.datetime.now(tz=dt.UTC).date().isoformat()
            whole = replace(manifest, files=sums, made=manifest.made or today, confide=__version__)
            write_text_whole(new / MANIFEST, whole.sealed(study_key(study)).to_json())
        return [folder / name for name in (*whole.files, MANIFEST)]


def check_places(study: Study, wanted: Iterable[tuple[str, str]]) -> None:
    """Refuse all folders at once that cannot be written, before anything is computed.

    Args:
        study: the study.
        wanted: what each folder is called, and its release.
    """
    faults = []
    for stem, name in wanted:
        try:
            check_place(study, stem, name)
        except DataError as error:
            faults.append(str(error))
    raise_all(list(dict.fromkeys(faults)), DataError)
