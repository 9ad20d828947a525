"""`confide map` and `confide choose`: risk against utility, and the best release within a limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from confide.cli.assess import LIMIT_EXCEEDED, tell_signed
from confide.cli.files import write_text
from confide.cli.progress import Bar
from confide.cli.say import echo
from confide.data.readers.write import SUFFIXES
from confide.errors import MapError, UserMistake, raise_all
from confide.harm.harm import Harm
from confide.kit.shown import defused
from confide.plan.build_map import MapPlan
from confide.plan.files import Output
from confide.plan.load import load_plan
from confide.plan.plan import Plan
from confide.release.marks import banner
from confide.risk.limit import limit_fault
from confide.rumap.general.choose import Verified
from confide.rumap.general.folder_store import FolderStore
from confide.rumap.general.make import ru_map
from confide.rumap.general.map import RUMap
from confide.rumap.general.risks import RiskAxis
from confide.rumap.general.search import Budget, search_releases
from confide.rumap.general.store import Store
from confide.study.folder import Study
from confide.study.manifest import Verdict
from confide.study.releases import chosen_holding, hold_chosen

MARK = "not-for-publication.txt"
"""Stands in a store whose figures are of files made with a seed."""
NO_MAP = "the plan has no [map]; add one with [[map.vary]] and a [[utility]], see the page on plans"


def map_plan(
    path: Path, *, seed: int | None, evaluations: int | None, minutes: float | None, picture: Path | None,
    page: Path | None, quiet: bool,
) -> int:  # fmt: skip
    """Make the map of a plan, print its frontier and write what the plan asks for."""
    given = (("map.picture", picture, (".svg", ".png", ".pdf")), ("map.page", page, (".html",)))
    plan, asked = _read(path, seed, [Output(key, p, endings) for key, p, endings in given if p is not None])
    found = run_map(plan, asked, _budget(asked, evaluations, minutes), quiet=quiet)
    if not quiet:
        echo(repr(found))
    for file in _write(asked, found, picture, page):
        if not quiet:
            echo(f"wrote {file}", err=True)
    return 0


def choose_plan(
    path: Path, *, max_risk: float | None, seed: int | None, evaluations: int | None, minutes: float | None,
    out: Path | None, quiet: bool,
) -> int:  # fmt: skip
    """Choose the most useful release of a plan's map within the limits, and evaluate it again with fresh seeds."""
    plan, asked = _read(path, seed, [])
    limit = asked.max_risk if max_risk is None else max_risk
    if limit is None and not asked.limits:
        raise UserMistake("choose needs a limit: --max-risk 0.05, or max_risk and limits in the plan's [map]")
    raise_all(limit_fault("--max-risk", limit) if limit is not None else [], UserMistake)
    if limit is not None:
        raise_all([f"--max-risk: {fault}" for fault in RiskAxis(asked.risks[0]).limit_faults(limit)], UserMistake)
    if out is not None and ((out.exists() and not out.is_dir()) or out.suffix.lower() in SUFFIXES):
        raise UserMistake(
            f"--out {str(out)!r} is a file; give the folder of the study, such as --out . The chosen file is held in it, in "
            "held/NAME/, until it is signed"
        )
    found = run_map(plan, asked, _budget(asked, evaluations, minutes), quiet=quiet)
    try:
        choice = found.choose(limit, limits=dict(asked.limits))
    except MapError as error:
        echo(f"confide: limit exceeded: {error}", err=True)
        return LIMIT_EXCEEDED
    verified = choice.verify(asked.verify)
    if not quiet:
        echo(f"{choice!r}\n{verified!r}")
    if out is not None:
        for file in hold_chosen(Study(out), plan, choice.settings, found_of(verified)):
            echo(f"wrote {file}", err=True)
        chosen = chosen_holding(plan, choice.settings)
        tell_signed(Study(out, plan.secret), [(chosen.name, chosen.edition)])
    if not verified.holds:
        echo("confide: limit exceeded: with fresh seeds the limits do not hold; lower the limit a little", err=True)
        return LIMIT_EXCEEDED
    return 0


def found_of(verified: Verified) -> list[Verdict]:
    """Say which limits hold with fresh seeds."""
    found = []
    for limit in verified.choice.limits:
        figure, name = verified.row.risk(limit.intruder, limit.axis.name), verified.choice.map.intruders[limit.intruder]
        excess = limit.excess(figure, 0.0)
        amount = isinstance(limit.axis.declared, Harm)
        told = None if amount or figure is None else float(f"{figure.mean:.6g}")
        found.append(Verdict(limit.axis.title, name, told, limit.at, excess is not None and excess <= 0))
    return found


def run_map(plan: Plan, asked: MapPlan, budget: Budget | None, *, quiet: bool) -> RUMap:
    """Evaluate the grid, or search; what was done is kept where the plan names a store."""
    store = _store(asked)

    def growing(found: RUMap) -> None:
        best = found.frontier()
        if not quiet and best:
            risks, uses = [p.risk for p in best], [p.utility for p in best]
            echo(
                f"{len(found.rows):,} settings: {len(best)} on the frontier, risk {min(risks):.4g} to {max(risks):.4g}, "
                f"utility {min(uses):.4g} to {max(uses):.4g}",
                err=True,
            )

    seed = plan.trial_seed("map")
    with Bar("mapping", shown=not quiet) as bar:
        if budget is None:
            found = ru_map(
                plan.microdata, asked.family, plan.intruders, risk=asked.risks, utility=asked.utilities,
                targets=plan.targets, seed=seed, replicates=asked.replicates, points=asked.points, store=store, progress=bar,
            )  # fmt: skip
        else:
            found = search_releases(
                plan.microdata, asked.family, plan.intruders, risk=asked.risks, utility=asked.utilities, budget=budget,
                targets=plan.targets, seed=seed, replicates=asked.replicates, population=asked.population, store=store,
                progress=bar, growing=growing,
            )  # fmt: skip
    if not found.complete:
        kept = "nothing keeps them: a store in [map] would" if asked.store is None else "kept, run it again to go on"
        echo(f"confide: {len(found.rows)} settings were evaluated; {kept}", err=True)
        raise KeyboardInterrupt
    if plan.seed is not None and asked.store is not None:
        write_text(asked.store / MARK, banner(plan.seed) + "\n", overwrite=True)
    return replace(found, given_seed=plan.seed)


def _store(asked: MapPlan) -> Store:
    """Open the plan's store; what cannot be believed in it is told, whoever asked for quiet."""
    if asked.store is None:
        return Store()
    store = FolderStore(asked.store)
    if store.told:
        echo(f"confide: {store.told}", err=True)
    return store


def _read(path: Path, seed: int | None, also: Sequence[Output]) -> tuple[Plan, MapPlan]:
    """Read a plan that has a map."""
    plan = load_plan(path, seed=seed, also=also)
    if plan.map is None:
        raise UserMistake(NO_MAP)
    return plan, plan.map


def _budget(asked: MapPlan, evaluations: int | None, minutes: float | None) -> Budget | None:
    """Give the budget of the command line, or of the plan."""
    return asked.budget if evaluations is None and minutes is None else Budget(evaluations, minutes)


def _write(asked: MapPlan, found: RUMap, picture: Path | None, page: Path | None) -> list[Path]:
    """Write picture, page and table; those of an earlier run are replaced."""
    paths = [p for p in (picture or asked.picture, page or asked.page) if p is not None]
    written = [found.plot(path, max_risk=asked.max_risk, overwrite=True) for path in paths]
    if asked.table is not None:
        written.append(write_text(asked.table, defused(found.to_frame()).write_csv(), overwrite=True))
    return written
