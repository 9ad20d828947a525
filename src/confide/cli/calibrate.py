"""`confide calibrate`: do the intruders' probabilities come true on this file?"""

from __future__ import annotations

import json as json_module
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from confide.assessment.assess import assess
from confide.calibration.calibrate import calibrate
from confide.calibration.result import Calibration
from confide.cli.assess import report_writer, write_html
from confide.cli.files import write_text
from confide.cli.progress import Bar
from confide.cli.say import echo
from confide.errors import PlanError, ReleaseError, unknown
from confide.plan.files import Output
from confide.plan.load import load_plan
from confide.plan.plan import Plan
from confide.release.release import Release


def calibrate_plan(
    path: Path,
    *,
    times: int,
    releases: Sequence[str],
    report: Path | None,
    json: Path | None,
    picture: Path | None,
    seed: int | None,
    everyone: bool,
    quiet: bool,
) -> int:
    """Run a plan file and give the exit code."""
    pictures = (".svg", ".png", ".pdf")
    given = (("report.path", report, (".html",)), ("output.json", json, (".json",)), ("--picture", picture, pictures))
    plan = load_plan(path, seed=seed, also=[Output(key, p, endings) for key, p, endings in given if p is not None])
    chosen = _releases(plan, releases)
    if picture is not None and len(chosen) > 1:
        names = ", ".join(repr(r.name) for r in chosen)
        raise PlanError([f"--picture draws one release, the plan has {len(chosen)}; name one with --release: {names}"])
    if report is not None:
        report_writer()
    found = [_calibrated(plan, release, times=times, everyone=everyone, quiet=quiet) for release in chosen]
    if not quiet:
        echo("\n\n".join(map(repr, found)))
    for file in _written(plan, found, report=report, json=json, picture=picture, quiet=quiet):
        if not quiet:
            echo(f"wrote {file}", err=True)
    return 0


def _releases(plan: Plan, names: Sequence[str]) -> list[Release]:
    """Give the releases that can be masked again: those named, or all."""
    ours = {r.name: r for r in plan.releases if isinstance(r, Release)}
    missing = [unknown("release that confide masks", n, ours) for n in names if n not in ours]
    if missing:
        raise PlanError(missing)
    if not ours:
        raise ReleaseError("every release of the plan was made elsewhere; calibrate masks the file again and needs methods")
    return [ours[n] for n in names] or list(ours.values())


def _calibrated(plan: Plan, release: Release, *, times: int, everyone: bool, quiet: bool) -> Calibration:
    """Calibrate one release against all intruders."""
    if plan.targets is not None and len(plan.targets) > 1:
        raise PlanError(["calibrate takes one group of targets; the plan has several"])
    targets = plan.targets[0] if plan.targets else None
    with Bar(f"calibrating {release.name}", shown=not quiet) as bar:
        found = calibrate(
            plan.microdata,
            release,
            plan.intruders,
            times,
            targets=targets,
            by=plan.outputs.by or None,
            everyone=everyone,
            seed=plan.trial_seed("calibrate"),
            progress=bar,
        )
    return replace(found, given_seed=plan.seed)


def _written(
    plan: Plan, found: Sequence[Calibration], *, report: Path | None, json: Path | None, picture: Path | None, quiet: bool
) -> list[Path]:
    """Write the files asked for; those of an earlier run are replaced."""
    files = []
    if json is not None:
        text = json_module.dumps({"calibrations": [json_module.loads(f.to_json()) for f in found]}, indent=2)
        files.append(write_text(json, text + "\n", overwrite=True))
    if picture is not None:
        files.append(found[0].plot(picture))
    if report is not None:
        with Bar("assessing", shown=not quiet) as bar:
            assessment = assess(
                plan.released(),
                plan.intruders,
                plan.targets,
                threshold=plan.threshold,
                harms=plan.harms,
                file_measures=plan.file_measures,
                progress=bar,
            )
        files.append(write_html(report, plan, assessment, calibrations=found))
    return files
