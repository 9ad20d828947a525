"""Whether what was signed is still as it was signed."""

from __future__ import annotations

from pathlib import Path

from confide.errors import DataError
from confide.kit.ledger import plain
from confide.plan.holding import MANIFEST, SIGNATURE
from confide.study.folder import Draft, Study, alterations, checksum, manifest_in
from confide.study.key import seal_faults
from confide.study.log import log_faults, noted
from confide.study.manifest import Signature


def verify(study: Study) -> list[str]:
    """Check everything in `signed/` against its signatures and the log; empty: all is as it was signed.

    Args:
        study: the study.
    """
    reasons = log_faults(study)
    if study.signed.is_symlink():
        return [*reasons, f"{str(study.signed)!r} is a link; what is signed must lie in the study itself"]
    marks = {line.get("signature"): str(line.get("folder")) for line in noted(study) if line.get("what") == "signed"}
    for folder, signature in study.signatures():
        manifest = manifest_in(folder)
        if signature is None or manifest is None:
            reasons.append(f"{str(folder)!r} holds no signature and manifest that can be read")
            continue
        mark = checksum(plain(folder / SIGNATURE, DataError))
        if mark not in marks:
            reasons.append(f"the signature in {str(folder)!r} is not the one in the log")
        marks.pop(mark, None)
        draft = Draft(folder, manifest)
        reasons += [*_not_as_signed(folder, signature), *alterations(draft), *seal_faults(study, draft)]
    reasons += [f"{name!r} was signed, and is not in {str(study.signed)!r} any more" for name in marks.values()]
    return list(dict.fromkeys(reasons))


def _not_as_signed(folder: Path, signature: Signature) -> list[str]:
    """Say which files are not those that the signature names."""
    found = {p.name: p for p in folder.iterdir() if p.is_file() and not p.is_symlink() and p.name != SIGNATURE}
    reasons = [] if MANIFEST in signature.files else [f"the signature in {str(folder)!r} names no manifest"]
    other = [n for n in {*found, *signature.files} if n not in found or signature.files.get(n) != checksum(found[n])]
    return reasons + [f"{name!r} in {str(folder)!r} is not what was signed" for name in sorted(other)]
