"""`confide sign`: let what is held go out, or say what speaks against it."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from confide.cli.assess import LIMIT_EXCEEDED
from confide.cli.progress import Bar
from confide.cli.say import echo
from confide.errors import UserMistake
from confide.kit.identity import FOLDER, odd_kind
from confide.study.folder import Study
from confide.study.manifest import Verdict
from confide.study.sign import Signing, Wish, sign
from confide.study.verify import verify

MISTAKE = 2
MEANING = (
    "The secret is overwritten and removed. Nobody, you included, can then make this file again or undo its masking. Other "
    "releases of this plan cannot be made the same again, and what else is held cannot be signed any more. Copies and "
    "backups of the secret are yours to remove; on SSDs and on disks that keep journals, overwriting does not prove that it "
    "is gone."
)
"""What destroying the secret means."""


def sign_plan(
    path: Path, release: str, *, by: str, on: str | None, study: Path | None, link: Path | None, giving_up: Sequence[str],
    keep_order: bool, destroy_secret: bool, yes: bool, quiet: bool,
) -> int:  # fmt: skip
    """Sign what is held, and give the exit code."""
    wish = Wish(by, _day(on), keep_order, link, destroy_secret, giving_up)
    if study is not None and odd_kind(study) != FOLDER:
        raise UserMistake(f"there is no folder {str(study)!r}; --study is the folder with held/ and signed/")
    if destroy_secret:
        _ask(yes=yes)
    elif giving_up:
        raise UserMistake("--giving-up goes with --destroy-secret")
    with Bar("signing", shown=not quiet) as bar:
        done = sign(path, release, wish, study=study, progress=bar)
    for reason in done.reasons:
        echo(f"confide: not signed: {reason}", err=True)
    if done.reasons:
        return LIMIT_EXCEEDED
    if not quiet:
        _tell(done, wish)
    if done.left:
        echo(f"confide: signed, but the secret is still there: {done.left}", err=True)
    return MISTAKE if done.left else 0


def verify_study(folder: Path) -> int:
    """Check what was signed in a study, and give the exit code."""
    study = Study(folder)
    if not study.signed.is_dir() and not study.log.exists():
        raise UserMistake(f"nothing was signed in {str(folder)!r}; give the folder that holds signed/ and log.jsonl")
    reasons = verify(study)
    for reason in reasons:
        typer.echo(f"confide: not as it was signed: {reason}", err=True)
    if reasons:
        return LIMIT_EXCEEDED
    typer.echo(f"{len(study.signatures()):,} signed, and all is as it was signed")
    return 0


def _tell(done: Signing, wish: Wish) -> None:
    """Say what was signed, on what grounds, and where it lies."""
    echo(f"signed: {done.title!r}, by {wish.by.strip()}, on {wish.on.isoformat()}")
    for line in [*map(_line, done.verdict), *(f"note: {note}" for note in done.notes)]:
        echo(f"  {line}")
    echo(f"it lies in {done.folder}")
    if done.link is not None:
        echo(f"wrote {done.link}, which is confidential: it tells whose each row is", err=True)
    if done.destroyed is not None:
        echo(f"destroyed {done.destroyed}. {MEANING}", err=True)


def _line(one: Verdict) -> str:
    """Write a limit and what was found."""
    figure = "" if one.figure is None else f" {one.figure:g}"
    return f"{one.what}{figure}, limit {one.limit:g}: {'kept' if one.kept else 'not kept'} ({one.whom})"


def _day(on: str | None) -> dt.date:
    """Read the day of the signature."""
    try:
        return dt.datetime.now().astimezone().date() if on is None else dt.date.fromisoformat(on)
    except ValueError:
        raise UserMistake(f"--on is a day such as 2026-12-31, found {on!r}") from None


def _ask(*, yes: bool) -> None:
    """Have somebody confirm that the secret is to be destroyed."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UserMistake(f"--destroy-secret cannot be undone; say --yes as well. {MEANING}")
    typer.confirm(f"{MEANING}\nDestroy it?", abort=True, err=True)
