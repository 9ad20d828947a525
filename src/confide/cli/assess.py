"""`confide assess`: run a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from confide.assessment.assess import assess
from confide.assessment.assessment import Assessment
from confide.cli.files import write_text
from confide.cli.progress import Bar
from confide.cli.say import echo
from confide.errors import UserMistake
from confide.kit.shown import defused
from confide.kit.telling import marked
from confide.plan.limits import exceeded, judged
from confide.plan.load import load_plan
from confide.plan.plan import Plan
from confide.release.marks import short_mark, with_mark
from confide.release.released import Released
from confide.study.before import signed_before
from confide.study.folder import Study
from confide.study.hold import check_places
from confide.study.link import write_links
from confide.study.releases import hold_releases

if TYPE_CHECKING:
    import polars as pl

LIMIT_EXCEEDED = 3
NO_REPORT = "the report needs an extra; install it with: pip install 'confide[report]', or leave the report out"


def assess_plan(
    path: Path, *, report: Path | None, json: Path | None, threshold: float | None, seed: int | None, quiet: bool
) -> int:
    """Run a plan file and give the exit code."""
    plan = load_plan(path, seed=seed, threshold=threshold, report=report, json=json)
    return run_plan(plan, quiet=quiet, hint=f"confide assess {path} --report report.html")


def run_plan(plan: Plan, *, quiet: bool, hint: str = "") -> int:
    """Mask, assess, print, write; give the exit code."""
    if plan.outputs.report is not None:
        report_writer()
    if plan.outputs.released is not None:
        check_places(Study(plan.outputs.released), [(h.stem, h.name) for h in plan.holdings])
    with Bar("masking", shown=not quiet) as bar:
        released = plan.released(bar)
    with Bar("assessing", shown=not quiet) as bar:
        assessment = assess(
            released,
            plan.intruders,
            plan.targets,
            threshold=plan.threshold,
            harms=plan.harms,
            file_measures=plan.file_measures,
            progress=bar,
        )
    if not quiet:
        echo(repr(assessment))
        echo_over_intruders(plan, assessment)
    written = write_outputs(plan, assessment, released)
    faults = exceeded(plan.limits, assessment)
    if plan.outputs.released is not None:
        tell_signed(Study(plan.outputs.released, plan.secret), [(h.name, h.edition) for h in plan.holdings])
    if not quiet:
        for file in written:
            private = file in (plan.outputs.per_record, plan.outputs.per_released_record)
            echo(f"wrote {file}{', which is confidential' if private else ''}", err=True)
        if hint and plan.outputs.report is None:
            echo(f"for a report: {hint}", err=True)
    for fault in faults:
        echo(f"confide: limit exceeded: {fault}", err=True)
    return LIMIT_EXCEEDED if faults else 0


def tell_signed(study: Study, names: Sequence[tuple[str, int]]) -> None:
    """Say which drafts have a name that was signed, so that they cannot be.

    Args:
        study: the study.
        names: names and editions of what is held now.
    """
    for name, edition in names:
        reason = signed_before(study, name, edition)
        if reason is not None:
            echo(f"confide: this draft cannot be signed: {reason}", err=True)


def echo_over_intruders(plan: Plan, assessment: Assessment) -> None:
    """Print the harm over intruders, where the plan says how likely each is."""
    if plan.likelihoods is None or not plan.harms:
        return
    for (release, harm), found in assessment.over_intruders(plan.likelihoods).items():
        echo(f"\nharm {harm!r} of release {release!r} over intruders\n{found!r}")
    for s in assessment.scenarios:
        for h in (h for h in s.harms if not h.is_defined):
            echo(f"\nharm {h.harm.title!r} of release {s.released.name!r} over intruders is undefined: {h.reason}")


def write_outputs(plan: Plan, assessment: Assessment, released: Sequence[Released]) -> list[Path]:
    """Write the files a plan asks for; those of an earlier run are replaced."""
    outputs = plan.outputs
    written: list[Path] = []
    if outputs.json is not None:
        written.append(write_text(outputs.json, assessment.to_json() + "\n", overwrite=True))
    if outputs.table is not None:
        written.append(write_text(outputs.table, defused(table_of(assessment)).write_csv(), overwrite=True))
    if outputs.per_record is not None:
        written.append(write_text(outputs.per_record, per_record(assessment), overwrite=True))
    if outputs.per_released_record is not None:
        written.append(write_text(outputs.per_released_record, per_released_record(assessment), overwrite=True))
    if outputs.released is not None:
        written += hold_releases(Study(outputs.released), plan, released, judged(plan.limits, assessment))
    written += write_links(plan, released)
    if outputs.report is not None:
        written.append(write_html(outputs.report, plan, assessment))
    return written


def table_of(assessment: Assessment) -> pl.DataFrame:
    """Give the table of scenarios, with the mark of those that were made with a seed."""
    import polars as pl

    frame = assessment.to_frame()
    found = [short_mark(s.released.seed) for s in assessment.scenarios]
    return frame.with_columns(pl.Series("marks", found)) if any(found) else frame


def per_record(assessment: Assessment) -> str:
    """Write row numbers, probabilities and harms of every target as CSV, marked as confidential: harms may tell values."""
    return _stacked(assessment, [s.per_record() for s in assessment.scenarios])


def per_released_record(assessment: Assessment) -> str:
    """Write row numbers and figures of every released record as CSV, marked as confidential."""
    return _stacked(assessment, [s.per_released_record() for s in assessment.scenarios])


def _stacked(assessment: Assessment, frames: Sequence[pl.DataFrame]) -> str:
    """Write the frames of all scenarios below each other, with the names of release and intruder."""
    import polars as pl

    named = [
        with_mark(frame, s.released.seed).select(
            pl.lit(s.released.name).alias("release"), pl.lit(s.intruder.title).alias("intruder"), pl.all()
        )
        for s, frame in zip(assessment.scenarios, frames, strict=True)
    ]
    return defused(marked(pl.concat(named, how="diagonal"))).write_csv()


def report_writer() -> Callable[..., Path]:
    """Find the report, or say what to install."""
    if find_spec("matplotlib") is None:
        raise UserMistake(NO_REPORT)
    try:
        from confide.report.html import write_report
    except ImportError:
        raise UserMistake(NO_REPORT) from None
    writer: Callable[..., Path] = write_report
    return writer


def write_html(path: Path, plan: Plan, assessment: Assessment, **more: Any) -> Path:
    """Write the report."""
    writer, outputs = report_writer(), plan.outputs
    try:
        return writer(
            assessment,
            path,
            title=outputs.title,
            by=outputs.by,
            overwrite=True,
            plan_sha256=plan.sha256,
            likelihoods=plan.likelihoods,
            **more,
        )
    except ImportError:
        raise UserMistake(NO_REPORT) from None


def without_report(plan: Plan) -> Plan:
    """Give the same plan without its report."""
    return replace(plan, outputs=replace(plan.outputs, report=None))
