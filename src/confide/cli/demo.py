"""`confide demo`: the main job on the embedded example."""

from __future__ import annotations

import webbrowser
from importlib.resources import files
from pathlib import Path

from confide.cli.assess import NO_REPORT, report_writer, run_plan, without_report
from confide.cli.files import write_text
from confide.cli.say import echo
from confide.data import examples
from confide.data.readers.write import text_bytes, write
from confide.errors import DataError, UserMistake
from confide.kit.files import make_folder
from confide.kit.ledger import plain
from confide.kit.pieces import tidy
from confide.plan.load import load_plan

OURS = ("cps.csv", "plan.toml", "assessment.json", "report.html")
"""The files a demo leaves."""


def demo_plan() -> str:
    """Give the text of the example plan."""
    return files("confide.plan").joinpath("demo.toml").read_text(encoding="utf-8")


def demo(out: Path, *, show: bool, quiet: bool = False) -> int:
    """Write the example file and its plan, and run it."""
    _check_folder(out)
    make_folder(out)
    write(examples.cps(), out / "cps.csv", overwrite=True)
    write_text(out / "plan.toml", demo_plan(), overwrite=True)
    plan = load_plan(out / "plan.toml")
    has_report = True
    try:
        report_writer()
    except UserMistake:
        has_report = False
        plan = without_report(plan)
    code = run_plan(plan, quiet=quiet)
    if not has_report:
        echo(f"confide: no report was written: {NO_REPORT}", err=True)
    elif show:
        webbrowser.open((out / "report.html").resolve().as_uri())
    if not quiet:
        look = f"look at {out / 'report.html'}; " if has_report else ""
        echo(f"\nNext: {look}change {out / 'plan.toml'} and run: confide assess {out / 'plan.toml'}")
    return code


def _check_folder(out: Path) -> None:
    """Refuse a folder with files that are not an earlier demo's."""
    if out.exists() and not out.is_dir():
        raise DataError(f"{str(out)!r} is a file; choose a folder with --out")
    if not out.is_dir():
        return
    tidy(out)
    there = {p.name for p in out.iterdir()}
    plan, data = out / "plan.toml", out / "cps.csv"
    theirs = bool(there - set(OURS)) or (
        bool(there & {"assessment.json", "report.html"}) and not {plan.name, data.name} <= there
    )
    theirs = theirs or (plan.name in there and _bytes(plan) != demo_plan().encode())
    if theirs or (data.name in there and _bytes(data) != text_bytes(examples.cps(), ",")):
        raise DataError(f"{str(out)!r} holds files that are not the demo's; choose another folder with --out")


def _bytes(path: Path) -> bytes | None:
    """Give what stands in a file; None where it cannot be opened."""
    try:
        return plain(path, DataError).read_bytes()
    except OSError:
        return None
