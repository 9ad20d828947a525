"""Whether a name was signed before: by what lies in the study, its log, and what is kept beside the secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from confide.study.beside import lines_beside
from confide.study.folder import Study, folded
from confide.study.log import noted


@dataclass(frozen=True, slots=True)
class Signed:
    """What was signed once."""

    release: str
    """What it was called."""
    edition: int
    """Its edition."""
    by: str
    """Who signed."""
    on: str
    """On which day."""


def signed_before(study: Study, name: str, edition: int) -> str | None:
    """Say why a name cannot be signed again; None where it can.

    Names that differ in case, accents or signs alone are the same, and an edition must be higher than all before.

    Args:
        study: the study.
        name: what the release is called.
        edition: its edition.
    """
    for folder, one in study.signatures():
        if one is None:
            return f"{str(folder)!r} holds no signature that can be read, so that nobody knows the name; move it away"
    before = [one for one in _all(study) if edition <= one.edition and folded(one.release) == folded(name)]
    if not before:
        return None
    last = max(before, key=lambda one: one.edition)
    again = "" if last.release == name else f" as {last.release!r}"
    which = f"{name!r}, edition {edition}," if edition > 1 else repr(name)
    return (
        f"{which} was signed before{again}, on {last.on} by {last.by}; give the release another name, or "
        f"edition = {last.edition + 1}, and make it anew"
    )


def _all(study: Study) -> Iterator[Signed]:
    """Give all that was signed, wherever it is written down; the same one may come several times."""
    for _, one in study.signatures():
        if one is not None:
            yield Signed(one.release, one.edition, one.by, one.on)
    for line in (*noted(study), *lines_beside(study.secret)):
        match line:
            case {"release": str(name), "edition": int(edition), "by": str(by), "on": str(on)}:
                yield Signed(name, edition, by, on)
