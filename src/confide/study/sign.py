"""Sign what is held: every check, the verdict, and the move."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from confide import __version__
from confide.errors import DataError, PlanError, ReleaseError, unknown
from confide.kit.files import make_folder, write_text_whole
from confide.kit.folders import lasting, locked
from confide.kit.secret import Secret, destroy, destroyed_note, kept_from_destroying
from confide.linking.parallel import Progress, silent
from confide.plan.files import reads
from confide.plan.holding import MANIFEST, SIGNATURE, study_folder
from confide.plan.load import load_schema
from confide.plan.schema import PlanSchema
from confide.plan.secret_path import secret_path
from confide.study.again import Again, made_again
from confide.study.before import signed_before
from confide.study.folder import Draft, Study, alterations, checksum, folded, manifest_in, open_to_others
from confide.study.key import KEY, keyed_checksum, seal_faults, study_key
from confide.study.link import check_link, write_link
from confide.study.log import log_faults, note, note_signed
from confide.study.manifest import REPRODUCIBLE, THEIRS, Signature, Verdict, fingerprint_of
from confide.study.releases import FROM_SEED

MEANWHILE = "it was signed or made anew meanwhile; look into the study, and run it again"


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks for."""

    by: str
    """Who signs."""
    on: dt.date
    """The day of the signature."""
    keep_order: bool = False
    """Whether records may stand in the order of the source file."""
    link: Path | None = None
    """Where to write whose released rows are."""
    destroy_secret: bool = False
    """Whether the secret is destroyed when all is done."""
    giving_up: Sequence[str] = ()
    """Other held releases of the same secret that may then never be signed."""


@dataclass(frozen=True, slots=True)
class Signing:
    """What came of it."""

    reasons: tuple[str, ...]
    """Why it was not signed; empty: it was."""
    folder: Path | None = None
    """Where it lies now."""
    title: str = ""
    """What was signed."""
    verdict: tuple[Verdict, ...] = ()
    """Every limit and what was found."""
    notes: tuple[str, ...] = ()
    """What a reader should know."""
    link: Path | None = None
    """Where it says whose released rows are."""
    destroyed: Path | None = None
    """The file of the secret that was destroyed."""
    left: str = ""
    """Why it was not destroyed, though it was signed."""


def sign(path: Path, name: str, wish: Wish, *, study: Path | None = None, progress: Progress = silent) -> Signing:
    """Sign what is held under a name, or say all that speaks against it.

    Args:
        path: the plan file.
        name: the release, or its folder.
        wish: what is asked for.
        study: the folder of the study; None: the one of the plan.
        progress: called with how much of how much is done.
    """
    schema = load_schema(path)
    secret = secret_path(schema, path.parent, path)
    place = Study(study_folder(schema, path.parent) if study is None else study, secret)
    draft = place.draft(name)
    if draft is None:
        return _not_held(place, name, wish, secret)
    if wish.link is not None:
        check_link(wish.link, place.folder)
    title = draft.manifest.title
    try:
        reasons, found = _looked_at(schema, path, place, draft, wish, study, secret, progress)
        if reasons:
            return Signing(tuple(dict.fromkeys(reasons)), title=title)
        link = None if wish.link is None or found.released is None else write_link(found.released, wish.link)
        meanwhile, folder = move(place, draft, wish, found)
    except FileNotFoundError:
        if draft.folder.is_dir():
            raise
        return Signing((MEANWHILE,), title=title)
    if folder is None:
        return Signing(tuple(meanwhile), title=title)
    done = Signing((), folder, title, found.verdict, found.notes, link)
    if not wish.destroy_secret:
        return done
    try:
        return replace(done, destroyed=_destroyed(place, draft.manifest.fingerprint, secret))
    except ReleaseError as error:
        return replace(done, left=str(error))


def _looked_at(
    schema: PlanSchema, path: Path, place: Study, draft: Draft, wish: Wish, study: Path | None, secret: Path | None,
    progress: Progress,
) -> tuple[list[str], Again]:  # fmt: skip
    """Say all that speaks against signing a draft, and what making it again showed."""
    manifest = draft.manifest
    reasons = [] if wish.by.strip() else ["nobody signs: give a name, --by NAME"]
    if not wish.by.strip().isprintable():
        reasons.append("the name of who signs holds characters that cannot be printed; write it in letters, --by NAME")
    reasons += [x for x in (signed_before(place, manifest.release, manifest.edition),) if x is not None]
    reasons += [*log_faults(place), *alterations(draft), *seal_faults(place, draft)]
    if manifest.made_with == REPRODUCIBLE or (schema.seed is not None and manifest.made_with != THEIRS):
        reasons.append(FROM_SEED)
    if wish.destroy_secret:
        reasons += _kept_secret(place, draft.folder, manifest.fingerprint, secret, wish)
    reasons += (apart := [*_changed(schema, path, place, draft), *_secret_gone(manifest.fingerprint, secret)])
    if apart or (manifest.made_with == REPRODUCIBLE and schema.seed is None):
        return reasons, Again(())
    found = made_again(path, draft, study=study, keep_order=wish.keep_order, progress=progress)
    reasons += found.reasons
    if wish.link is not None and found.released is None:
        reasons.append("a table has no rows to link; leave --link out")
    return reasons, found


def move(study: Study, draft: Draft, wish: Wish, found: Again) -> tuple[list[str], Path | None]:
    """Move a held folder to what is signed, with its signature; say why, where that cannot be.

    Until the move it is held, from then on signed, whenever the run may end. What is held is looked at once more.

    Args:
        study: the study.
        draft: what is held.
        wish: what was asked for.
        found: what making it again showed.
    """
    manifest, target = draft.manifest, study.signed / f"{wish.on.isoformat()}-{draft.folder.name}"
    with contextlib.ExitStack() as held:
        held.enter_context(locked(study.folder))
        if study.secret is not None and study.secret.exists():
            held.enter_context(locked(study.secret))  # others may share it
        if not draft.folder.is_dir() or manifest_in(draft.folder) != manifest:
            return [MEANWHILE], None
        before = signed_before(study, manifest.release, manifest.edition)
        reasons = [*([before] if before else []), *alterations(draft), *log_faults(study)]
        if os.path.lexists(target):
            reasons.append(f"{str(target)!r} is there already; move it away")
        if study.signed.is_symlink():
            reasons.append(f"{str(study.signed)!r} is a link; what is signed must lie in the study itself")
        elif study.signed.exists():
            reasons += open_to_others([study.signed])
        if reasons:
            return reasons, None
        signature = Signature(
            wish.by.strip(), wish.on.isoformat(), dt.datetime.now(tz=dt.UTC).isoformat(timespec="seconds"), manifest.release,
            manifest.edition, manifest.made_with, {**manifest.files, MANIFEST: checksum(draft.folder / MANIFEST)},
            list(found.verdict), list(found.notes), __version__,
        )  # fmt: skip
        write_text_whole(draft.folder / SIGNATURE, signature.to_json())
        make_folder(study.signed)
        lasting(draft.folder)
        try:
            draft.folder.rename(target)
        except OSError as error:
            raise DataError(f"{str(draft.folder)!r} cannot be moved to {str(target)!r}: {error.strerror}") from None
        lasting(study.signed)
        lasting(study.held)
        note_signed(study)
    return [], target


def _changed(schema: PlanSchema, path: Path, study: Study, draft: Draft) -> list[str]:
    """Say what was read then and is not the same now."""
    then, now = draft.manifest, reads(schema, path.parent)
    if not (study.folder / KEY).exists():
        return []
    key = study_key(study)
    advice = "run it again, and sign what it makes then"
    same_plan = then.plan.get(path.name) == keyed_checksum(key, path)
    reasons = [] if same_plan else [f"the plan {path.name!r} has changed since; {advice}"]
    same = {name for name, file in now.items() if file.is_file() and then.read.get(name) == keyed_checksum(key, file)}
    return reasons + [
        f"{name!r}, which the plan reads, has changed since; {advice}" for name in sorted({*then.read, *now} - same)
    ]


def _secret_gone(fingerprint: str | None, secret: Path | None) -> list[str]:
    """Say that the secret is not there, or another one."""
    if fingerprint is None or secret is None:
        return []
    if not secret.exists():
        return [f"the secret {fingerprint} is gone ({secret}), so that it cannot be made again; make it anew"]
    other = Secret.read(secret).fingerprint
    text = f"it was made with the secret {fingerprint}, that of the plan is {other}; make it anew"
    return [] if other == fingerprint else [text]


def _kept_secret(study: Study, folder: Path, fingerprint: str | None, secret: Path | None, wish: Wish) -> list[str]:
    """Say why the secret cannot be destroyed."""
    if fingerprint is None or secret is None:
        return ["no secret was used, so that there is none to destroy; leave --destroy-secret out"]
    fault = kept_from_destroying(secret, fingerprint) if secret.exists() else None
    named = {folded(name) for name in wish.giving_up}
    held = [d for d in study.drafts() if d.folder != folder and d.manifest.fingerprint == fingerprint]
    left = [d.manifest.title for d in held if not named & {folded(d.manifest.title), folded(d.folder.name)}]
    text = "hang on the same secret and are held: sign them first, or say that they may never be signed"
    reasons = [f"{', '.join(map(repr, left))} {text}: {' '.join(f'--giving-up {x!r}' for x in left)}"] if left else []
    return reasons + ([] if fault is None else [fault])


def _destroyed(study: Study, fingerprint: str | None, secret: Path | None) -> Path | None:
    """Destroy the secret and say so in the log."""
    if fingerprint is None or secret is None:
        return None
    fault = kept_from_destroying(secret, fingerprint)
    if fault is not None:
        raise ReleaseError(fault)
    at = dt.datetime.now(tz=dt.UTC).isoformat(timespec="seconds")
    with locked(study.folder):
        # the intent comes first: a run may end between the destruction and its line
        note(study, what="secret to be destroyed", fingerprint=fingerprint, at=at)
        write_text_whole(destroyed_note(secret), f"{fingerprint} {at}\n")
    destroy(secret, fingerprint)
    with locked(study.folder):
        note(study, what="secret destroyed", fingerprint=fingerprint, at=at)
    return secret


def _not_held(study: Study, name: str, wish: Wish, secret: Path | None) -> Signing:
    """Say that nothing of that name is held; destroy the secret of what was signed, where that is asked for."""
    before = [(f, one) for f, one in study.signatures() if one and folded(name) in (folded(one.release), folded(f.name))]
    if not before:
        titles = [d.manifest.title for d in study.drafts()]
        hint = f'in {str(study.folder)!r}; write it with [output] released = "." and: confide assess PLAN'
        raise PlanError([f"{unknown('held release', name, titles)} {hint}"])
    folder, one = before[-1]
    if not wish.destroy_secret:
        reason = signed_before(study, one.release, one.edition)
        return Signing((reason or MEANWHILE,), title=one.release)
    fingerprint = fingerprint_of(one.made_with)
    reasons = _kept_secret(study, folder, fingerprint, secret, wish)
    reasons += [] if secret is None or secret.exists() else [f"there is no secret at {secret} to destroy"]
    if reasons:
        return Signing(tuple(reasons), title=one.release)
    gone = _destroyed(study, fingerprint, secret)
    return Signing((), folder, one.release, tuple(one.verdict), tuple(one.notes), None, gone)
