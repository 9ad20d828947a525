"""The commands and their exit codes.

====  =======================================================
code  meaning
====  =======================================================
0     done
1     a bug of confide
2     a mistake of yours or too little memory; it says what to do
3     a limit of the plan is exceeded, or a release is not signed
130   interrupted
143   told to end by the system
====  =======================================================
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from confide.cli.ending import ENDED, INTERRUPTED, STOPPED, TERMINATED, Terminated, close_stdout, heed_the_system
from confide.cli.say import echo
from confide.errors import ConfideError, UserMistake
from confide.kit.ledger import forget

BUG, MISTAKE = 1, 2

STUDY = "An integer in place of the secret, for tests and studies; not for publication."
TRIALS = "An integer for the trials of the map; from the secret when left out."
app = typer.Typer(
    name="confide",
    help="Tell whether a masked data file is safe to release.",
    epilog="Exit codes: 0 done, 1 a bug of confide, 2 your mistake, 3 a limit is exceeded or not signed, 130 or 143 ended.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class YesNo(Enum):
    """An answer."""

    YES = "yes"
    NO = "no"


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer passes it so
    """Print the version and stop."""
    if wanted:
        from confide import __version__

        echo(f"confide {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def top(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Tell whether a masked data file is safe to release."""
    del version
    if context.invoked_subcommand is None:
        echo(context.get_help())


@app.command("init")
def init_command(
    data: Annotated[Path, typer.Argument(help="The data file.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The plan to write.")] = Path("plan.toml"),
    encoding: Annotated[str | None, typer.Option(help="How a text file writes its characters.")] = None,
    delimiter: Annotated[str | None, typer.Option(help="What stands between cells.")] = None,
    *,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a plan that is there.")] = False,
    tables: Annotated[bool, typer.Option("--tables", help="A plan of tables instead of releases.")] = False,
) -> None:
    """Write a commented plan to start from, and show what was inferred of the data."""
    from confide.cli.init import init

    init(data, out, overwrite=overwrite, encoding=encoding, delimiter=delimiter, tables=tables)


@app.command("assess")
def assess_command(
    plan: Annotated[Path, typer.Argument(help="The plan file.", show_default=False)],
    report: Annotated[Path | None, typer.Option(help="Write the HTML report there.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the assessment as JSON there.")] = None,
    threshold: Annotated[float | None, typer.Option(help="The probability above which an identification counts.")] = None,
    seed: Annotated[int | None, typer.Option(help=STUDY)] = None,
    *,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but mistakes and exceeded limits.")] = False,
) -> None:
    """Mask the file as the plan says and measure the risk of each release against each intruder."""
    from confide.cli.assess import assess_plan

    raise typer.Exit(assess_plan(plan, report=report, json=json, threshold=threshold, seed=seed, quiet=quiet))


@app.command("calibrate")
def calibrate_command(
    plan: Annotated[Path, typer.Argument(help="The plan file.", show_default=False)],
    times: Annotated[int, typer.Option(help="How often each file is masked.", min=2)] = 20,
    release: Annotated[list[str] | None, typer.Option(help="Only this release; several may be named.")] = None,
    report: Annotated[Path | None, typer.Option(help="Assess the plan as well, and write the HTML report there.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the figures as JSON there.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the reliability diagram there, for one release.")] = None,
    seed: Annotated[int | None, typer.Option(help="Where the fresh seeds come from; the secret when left out.")] = None,
    *,
    everyone: Annotated[
        bool, typer.Option("--everyone", help="The data file holds all people the intruders could mean.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but mistakes.")] = False,
) -> None:
    """Mask the file again and again, and say whether the intruders' probabilities come true on it."""
    from confide.cli.calibrate import calibrate_plan

    raise typer.Exit(
        calibrate_plan(
            plan, times=times, releases=release or [], report=report, json=json, picture=picture, seed=seed,
            everyone=everyone, quiet=quiet,
        )
    )  # fmt: skip


@app.command("map")
def map_command(
    plan: Annotated[Path, typer.Argument(help="The plan file.", show_default=False)],
    picture: Annotated[Path | None, typer.Option(help="Draw the map there: SVG, PNG or PDF.")] = None,
    page: Annotated[Path | None, typer.Option(help="Write the map as a page to look around in.")] = None,
    evaluations: Annotated[int | None, typer.Option(help="Search, with at most so many settings.", min=1)] = None,
    minutes: Annotated[float | None, typer.Option(help="Search, for so many minutes.")] = None,
    seed: Annotated[int | None, typer.Option(help=TRIALS)] = None,
    *,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but mistakes.")] = False,
) -> None:
    """Map risk against utility over what the plan varies, and show the releases that no other beats."""
    from confide.cli.map import map_plan

    raise typer.Exit(
        map_plan(plan, seed=seed, evaluations=evaluations, minutes=minutes, picture=picture, page=page, quiet=quiet)
    )


@app.command("choose")
def choose_command(
    plan: Annotated[Path, typer.Argument(help="The plan file.", show_default=False)],
    max_risk: Annotated[float | None, typer.Option(help="The most risk, on the map's axis, for every intruder.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder of the study, in which the released file is held.")] = None,
    evaluations: Annotated[int | None, typer.Option(help="Search, with at most so many settings.", min=1)] = None,
    minutes: Annotated[float | None, typer.Option(help="Search, for so many minutes.")] = None,
    seed: Annotated[int | None, typer.Option(help=TRIALS)] = None,
    *,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but mistakes and exceeded limits.")] = False,
) -> None:
    """Choose the most useful release within a risk limit, and evaluate it again with fresh seeds."""
    from confide.cli.map import choose_plan

    raise typer.Exit(
        choose_plan(plan, max_risk=max_risk, seed=seed, evaluations=evaluations, minutes=minutes, out=out, quiet=quiet)
    )


@app.command("table")
def table_command(
    plan: Annotated[Path, typer.Argument(help="The plan file.", show_default=False)],
    out: Annotated[Path | None, typer.Option(help="The folder of the study, and of all else that is written.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds for each search.", min=0.001)] = None,
    seed: Annotated[int | None, typer.Option(help=STUDY)] = None,
    *,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print nothing but mistakes and tables without protection.")
    ] = False,
) -> None:
    """Protect the tables of a plan, and write what is published and what stays inside."""
    from confide.cli.table import table_plan

    raise typer.Exit(table_plan(plan, out=out, time_limit=time_limit, seed=seed, quiet=quiet))


@app.command("audit")
def audit_command(
    path: Annotated[Path, typer.Argument(help="A plan, or a file of cells with values and statuses.", show_default=False)],
    pattern: Annotated[list[Path] | None, typer.Option(help="The published file of a plan's table; several as one.")] = None,
    table: Annotated[list[str] | None, typer.Option(help="Which table of the plan; one for each pattern.")] = None,
    by: Annotated[str | None, typer.Option(help="The dimensions of a file of cells, with commas between.")] = None,
    value: Annotated[str | None, typer.Option(help="The column with the values.")] = None,
    status: Annotated[str | None, typer.Option(help="The column with the statuses.")] = None,
    hierarchy: Annotated[list[str] | None, typer.Option(help="DIMENSION=FILE.hrc, for a file of cells.")] = None,
    total: Annotated[str, typer.Option(help="What totals are called in a file of cells.")] = "Total",
    share: Annotated[
        float | None, typer.Option(help="How far intervals must reach, as a share of the value.", min=0)
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write exposed cells and their intervals there; confidential.")] = None,
    *,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but mistakes and exposed cells.")] = False,
) -> None:
    """Say what can be deduced of the cells that a table leaves out, whoever protected it."""
    from confide.cli.audit import audit_cells, audit_plan

    if path.suffix.lower() == ".toml":
        if not pattern:
            raise UserMistake("give the published file: confide audit PLAN --pattern published.csv")
        wrong = [o for o, v in (("--by", by), ("--hierarchy", hierarchy), ("--share", share)) if v]
        if wrong:
            raise UserMistake(f"{wrong[0]} is for a file of cells; the plan says it")
        code = audit_plan(path, patterns=pattern, tables=table or [], status=status, value=value, out=out, quiet=quiet)
    else:
        if by is None or value is None:
            raise UserMistake(
                "a file of cells needs --by and --value: confide audit cells.csv --by a,b --value v --status s"
            )
        if pattern or table:
            raise UserMistake("--pattern and --table are for a plan; a file of cells holds its own statuses")
        names = [n.strip() for n in by.split(",")]
        code = audit_cells(
            path, by=names, value=value, status=status, hierarchies=hierarchy or [], total=total, share=share, out=out,
            quiet=quiet,
        )  # fmt: skip
    raise typer.Exit(code)


@app.command("sign")
def sign_command(
    plan: Annotated[Path, typer.Argument(help="The plan file.", show_default=False)],
    release: Annotated[str, typer.Argument(help="What is held: the name of a release or a table.", show_default=False)],
    by: Annotated[str, typer.Option(help="Who signs.")] = "",
    on: Annotated[str | None, typer.Option(help="The day of the signature, as 2026-12-31; today when left out.")] = None,
    study: Annotated[Path | None, typer.Option(help="The folder with held/ and signed/, if not the plan's.")] = None,
    link: Annotated[Path | None, typer.Option(help="Write whose released rows are there; confidential.")] = None,
    giving_up: Annotated[
        list[str] | None, typer.Option(help="A held release that may never be signed once the secret is destroyed.")
    ] = None,
    *,
    keep_order: Annotated[
        bool, typer.Option("--keep-order", help="Records may stand in the order of the source file.")
    ] = False,
    destroy_secret: Annotated[bool, typer.Option("--destroy-secret", help="Destroy the secret when it is signed.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before the secret is destroyed.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but what speaks against it.")] = False,
) -> None:
    """Check what is held, make it again, judge it, and move it to what is signed; only a pass is."""
    from confide.cli.sign import sign_plan

    raise typer.Exit(
        sign_plan(
            plan, release, by=by, on=on, study=study, link=link, giving_up=giving_up or [], keep_order=keep_order,
            destroy_secret=destroy_secret, yes=yes, quiet=quiet,
        )
    )  # fmt: skip


@app.command("verify")
def verify_command(
    study: Annotated[Path, typer.Argument(help="The folder with signed/ and log.jsonl.", show_default=False)],
) -> None:
    """Check that everything that was signed is still as it was signed."""
    from confide.cli.sign import verify_study

    raise typer.Exit(verify_study(study))


@app.command("demo")
def demo_command(
    out: Annotated[Path, typer.Option(help="The folder for the example, its plan and its report.")] = Path("confide-demo"),
    show: Annotated[YesNo, typer.Option("--open", help="Open the report in a browser.")] = YesNo.NO,
) -> None:
    """Run the main job on a synthetic file of 51,016 household heads and leave a report."""
    from confide.cli.demo import demo

    raise typer.Exit(demo(out, show=show is YesNo.YES))


def main(arguments: Sequence[str]) -> int:
    """Run a command and give its exit code; no user ever sees a traceback."""
    forget()
    try:
        command: Any = typer.main.get_command(app)
        code = int(command.main(args=list(arguments), prog_name="confide", standalone_mode=False) or 0)
        return _say(STOPPED, code) if code == INTERRUPTED else code
    except UserMistake as error:
        return _say(str(error), MISTAKE)
    except (KeyboardInterrupt, typer.Abort):
        return _say(STOPPED, INTERRUPTED)
    except Terminated:
        return _say(ENDED, TERMINATED)
    except BrokenPipeError:
        close_stdout()
        return 0
    except MemoryError:
        return _say(
            "the memory of this machine does not suffice; assess fewer targets or scenarios at once, or take a larger one",
            MISTAKE,
        )
    except Exception as error:  # noqa: BLE001 - the last resort
        # Errors of the command line library have a method of this name in all its versions.
        if hasattr(error, "format_message"):
            return _say(_usage(error), MISTAKE)
        return _say(_bug(error), BUG)


def run() -> None:
    """Run the command line."""
    # Fits are small: several threads of the linear algebra library only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    heed_the_system()
    sys.exit(main(sys.argv[1:]))


def _say(message: str, code: int) -> int:
    """Print a message to stderr and hand the exit code on."""
    echo(f"confide: {message}", err=True)
    return code


def _usage(error: Any) -> str:
    """Say what is wrong with the command line, and where its help is."""
    path = getattr(getattr(error, "ctx", None), "command_path", "confide")
    return f"{error.format_message()}\nHelp: {path} --help"


def _bug(error: Exception) -> str:
    """Name a bug by its kind and place: its text might hold a respondent's values."""
    if os.environ.get("CONFIDE_TRACEBACK"):
        traceback.print_exception(error)
    steps = [s for s in traceback.extract_tb(error.__traceback__) if "confide" in s.filename]
    where = f" in {Path(steps[-1].filename).name}, line {steps[-1].lineno}" if steps else ""
    text = f": {error}" if isinstance(error, ConfideError) else ""
    return (
        f"internal error: {type(error).__name__}{where}{text}. This is a bug of confide, please report it. "
        "CONFIDE_TRACEBACK=1 shows the whole trace, which may hold values of your data"
    )
