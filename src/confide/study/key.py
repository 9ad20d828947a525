"""The key of a study: what seals its manifests, and keeps checksums of what was read from being guessed."""

from __future__ import annotations

from pathlib import Path

from confide.kit.files import make_folder
from confide.kit.secret import Secret
from confide.study.folder import Draft, Study, checksum

KEY = "study.key"
"""How its file is called; it is for the owner of the study alone."""


def study_key(study: Study) -> Secret:
    """Read the key of a study, or make it where there is none yet."""
    make_folder(study.folder)
    return Secret.kept(study.folder / KEY)


def keyed_checksum(key: Secret, path: Path) -> str:
    """Give the checksum of a file that nobody can compare guesses with who lacks the key.

    Args:
        key: the key of the study.
        path: the file.
    """
    return key.digest("file", checksum(path))


def seal_faults(study: Study, draft: Draft) -> list[str]:
    """Say that a manifest is not as it was written.

    Args:
        study: the study.
        draft: what is held, or was signed.
    """
    if not (study.folder / KEY).exists():
        return [f"the key of the study is gone ({study.folder / KEY}), so that nothing shows what was altered; make it anew"]
    if draft.manifest.seal == draft.manifest.sealed(study_key(study)).seal:
        return []
    return [f"the manifest in {str(draft.folder)!r} is not as it was written: somebody altered it; make the release anew"]
