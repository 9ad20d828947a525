"""Who signed what: a line for each act, each with the checksum of the one before, so that none is taken out unseen."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from confide.errors import DataError
from confide.kit.files import write_text_whole
from confide.kit.ledger import plain
from confide.kit.secret import Secret
from confide.plan.holding import SIGNATURE
from confide.study.beside import FIRST, beside_faults, note_beside
from confide.study.folder import Study, checksum


def log_faults(study: Study) -> list[str]:
    """Say where the log of a study is not as it was written."""
    try:
        found = [json.loads(line) for line in _lines(study)]
    except (ValueError, OSError):
        return [f"{str(study.log)!r} is not as confide wrote it; keep it elsewhere, and a new one begins"]
    except DataError as error:
        return [str(error)]
    if study.secret is None or not study.secret.exists():
        return []
    own = Secret.read(study.secret).fingerprint
    return beside_faults(study, max((x.get("beside", 0) for x in found if x.get("secret") == own), default=0))


def noted(study: Study) -> list[dict[str, Any]]:
    """Read the log as far as it can be; what is wrong with it is told by `log_faults`."""
    try:
        return [json.loads(line) for line in _lines(study)]
    except (ValueError, OSError, DataError):
        return []


def note(study: Study, **what: Any) -> None:
    """Add a line to the log; hold the study meanwhile.

    Args:
        study: the study.
        what: what happened.
    """
    lines = _lines(study)
    before = hashlib.sha256(lines[-1].encode()).hexdigest() if lines else FIRST
    lines.append(json.dumps({**what, "before": before}, ensure_ascii=False))
    write_text_whole(study.log, "".join(f"{line}\n" for line in lines))


def note_signed(study: Study) -> None:
    """Add a line for every signature that has none yet: a run may have ended between the move and its line."""
    count = note_beside(study)
    known = {json.loads(line).get("signature") for line in _lines(study)}
    signed = [(folder, one) for folder, one in study.signatures() if one is not None]
    for folder, one in sorted(signed, key=lambda x: x[1].at):
        mark = checksum(folder / SIGNATURE)
        if mark not in known:
            note(
                study, what="signed", release=one.release, edition=one.edition, by=one.by, on=one.on, at=one.at,
                folder=folder.name, signature=mark, secret=one.made_with, beside=count,
            )  # fmt: skip


def _lines(study: Study) -> list[str]:
    """Read the lines; raise where one does not hold the checksum of the one before, or it is no plain file."""
    plain(study.log, DataError)
    if not study.log.exists():
        return []
    lines, before = study.log.read_text(encoding="utf-8").split("\n")[:-1], FIRST
    for line in lines:
        found = json.loads(line)
        if not isinstance(found, dict) or found.get("before") != before:
            raise ValueError("a line was altered")
        before = hashlib.sha256(line.encode()).hexdigest()
    return lines
