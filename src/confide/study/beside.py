"""What was signed with a secret, kept beside it: several studies may share one, and folders are moved away.

Each line carries a checksum with the secret and the one of the line before, and logs keep how many there were.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from confide.errors import DataError
from confide.kit.files import write_text_whole
from confide.kit.ledger import plain
from confide.kit.secret import Secret
from confide.plan.holding import SIGNATURE
from confide.study.folder import Study, checksum

SUFFIX = ".signed"
"""How the file is called, after the name of that of the secret."""
FIRST = "0" * 64
"""What stands before the first line."""


def beside(secret: Path) -> Path:
    """Name the file of what was signed with a secret.

    >>> beside(Path("plan.secret")).name
    'plan.secret.signed'
    """
    return secret.with_name(secret.name + SUFFIX)


def lines_beside(secret: Path | None) -> list[dict[str, Any]]:
    """Read what was signed with a secret; lines that cannot be read are left out, and told by `beside_faults`."""
    found = []
    try:
        text = "" if secret is None else _text(secret)
    except (ValueError, OSError, DataError):
        return []
    for line in text.split("\n"):
        try:
            one = json.loads(line)
        except ValueError:
            continue
        found += [one] if isinstance(one, dict) else []
    return found


def beside_faults(study: Study, counted: int) -> list[str]:
    """Say that what was signed with the secret is not as it was written.

    Args:
        study: the study, with the place of its secret.
        counted: how many lines its log has seen.
    """
    if study.secret is None or not study.secret.exists():
        return []
    key, before, own = Secret.read(study.secret), FIRST, 0
    try:
        for line in _text(study.secret).split("\n")[:-1]:
            one = json.loads(line)
            if one["secret"] == key.fingerprint:
                own += 1
                if one["mac"] != _mac(key, one):
                    raise ValueError("a line was altered")
            if one["before"] != before:
                raise ValueError("a line is gone")
            before = one["mac"]
    except (ValueError, LookupError, TypeError, OSError, DataError):
        return [f"{str(beside(study.secret))!r} is not as confide wrote it, and nobody knows what was signed; restore it"]
    if own < counted:
        text = f"holds {own} signature(s) of this secret, where there were {counted}; restore what was cut off"
        return [f"{str(beside(study.secret))!r} {text}"]
    return []


def note_beside(study: Study) -> int:
    """Add a line for every signature of a study that has none yet, and say how many there are of this secret.

    Args:
        study: the study, with the place of its secret; both are held meanwhile.
    """
    if study.secret is None or not study.secret.exists():
        return 0
    key, lines = Secret.read(study.secret), lines_beside(study.secret)
    signed = [(checksum(f / SIGNATURE), f, one) for f, one in study.signatures() if one and one.made_with == key.fingerprint]
    known = {one.get("signature") for one in lines}
    for mark, folder, one in sorted(signed, key=lambda x: x[2].at):
        if mark in known:
            continue
        line = {
            "release": one.release, "edition": one.edition, "by": one.by, "on": one.on, "study": str(study.folder.resolve()),
            "folder": folder.name, "signature": mark, "secret": key.fingerprint,
            "before": lines[-1]["mac"] if lines else FIRST,
        }  # fmt: skip
        lines.append({**line, "mac": _mac(key, line)})
        write_text_whole(beside(study.secret), "".join(f"{json.dumps(x, ensure_ascii=False)}\n" for x in lines))
    return sum(one.get("secret") == key.fingerprint for one in lines)


def _mac(key: Secret, line: dict[str, Any]) -> str:
    """Give the checksum of a line with the secret."""
    return key.digest("signed", json.dumps({k: v for k, v in line.items() if k != "mac"}, sort_keys=True))


def _text(secret: Path) -> str:
    """Read the file beside a secret; empty where there is none."""
    file = plain(beside(secret), DataError)
    return file.read_text(encoding="utf-8") if file.exists() else ""
