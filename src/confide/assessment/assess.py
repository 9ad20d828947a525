"""Assess releases against intruders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from confide.assessment.assessment import Assessment, Scenario
from confide.calibration.readings import readings
from confide.errors import HarmError, IntruderError, ReleaseError, UserMistake, repeated
from confide.harm.evaluate import harm_of
from confide.harm.harm import Harm
from confide.harm.result import Harmed
from confide.intruder.intruder import Intruder
from confide.intruder.targets import Targets
from confide.linking.link import link
from confide.linking.parallel import Progress, phase_of, silent
from confide.release.released import NOBODY, Released
from confide.risk.file_measure import FileMeasure, Measured
from confide.risk.measure import Measure
from confide.risk.measures.expected import ExpectedMatches
from confide.risk.measures.perceived import PerceivedIdentifications
from confide.risk.measures.rates import FalseMatchRate, TrueMatchRate
from confide.risk.measures.right import RightLinks
from confide.risk.measures.unique import UniqueMatches

T = TypeVar("T", Harm, FileMeasure)


def default_measures(threshold: float = 0.2) -> tuple[Measure, ...]:
    """Give the file-level measures of Reiter (2005, section 4.3), the right links acted on, and the match rates."""
    return (
        PerceivedIdentifications(threshold),
        RightLinks(threshold),
        ExpectedMatches(),
        UniqueMatches(),
        TrueMatchRate(),
        FalseMatchRate(),
    )


def assess(
    released: Released | Sequence[Released],
    intruders: Intruder | Sequence[Intruder],
    targets: Targets | Sequence[Targets] | None = None,
    *,
    threshold: float = 0.2,
    measures: Sequence[Measure] | None = None,
    harms: Harm | Sequence[Harm] = (),
    file_measures: FileMeasure | Sequence[FileMeasure] = (),
    progress: Progress = silent,
) -> Assessment:
    """Assess every release against every intruder: one row each (the shape of Reiter's Table 6).

    Args:
        released: one or several released files.
        intruders: one or several intruders.
        targets: whom they look for; several groups may be known differently. None: everyone.
        threshold: the probability above which an identification is perceived.
        measures: file-level measures; None: `default_measures(threshold)`.
        harms: which harm to respondents to count; risk is a probability or a count, harm is a loss.
        file_measures: classical measures to take of every released file, on what each intruder knows, such as
            `FileMeasure(k_anonymity)`.
        progress: called with how much of how much is done.

    >>> import confide as cf
    >>> source = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "race": ["w", "w", "w"]})
    >>> assessment = cf.assess(cf.Release().apply(source, seed=1), cf.Intruder(knows=["sex", "race"]))
    >>> assessment.row(0).expected_matches, assessment.row(0).unique_matches
    (2.0, 1.0)
    """
    files = [released] if isinstance(released, Released) else list(released)
    people = [intruders] if isinstance(intruders, Intruder) else list(intruders)
    groups = [targets or Targets.all()] if targets is None or isinstance(targets, Targets) else list(targets)
    if not files or not all(isinstance(f, Released) for f in files):
        raise ReleaseError("assess needs released files; apply a Release first: release.apply(data, seed=...)")
    if not people or not all(isinstance(i, Intruder) for i in people):
        raise IntruderError("assess needs one Intruder or a list of them")
    if not groups:
        raise IntruderError("assess needs at least one group of targets")
    for file in files:
        _refuse_unowned(file)
    declared = _declared(harms, Harm, "harms", HarmError)
    classical = _declared(file_measures, FileMeasure, "file_measures", IntruderError)
    chosen = tuple(measures) if measures is not None else default_measures(threshold)
    looks = [(file, one) for file in files for person in people for one in readings(file, person)]
    total = len(looks) * len(groups)
    scenarios, done = [], 0
    taken: dict[tuple[int, str, tuple[str, ...]], Measured] = {}
    for file, intruder in looks:
        links = []
        for group in groups:
            links.append(link(file, intruder, group, progress=phase_of(progress, done, total)))
            done += 1
        harmed = tuple(Harmed.joined([harm_of(found, harm) for found in links]) for harm in declared)
        measured = tuple(_taken(measure, file, intruder, taken) for measure in classical)
        scenarios.append(Scenario(file, intruder, tuple(groups), tuple(links), chosen, harmed, measured))
    progress(1000, 1000)
    return Assessment(tuple(scenarios))


def _refuse_unowned(released: Released) -> None:
    """Raise where every record of a file that someone else made is said to be nobody's: no link could be right."""
    if released.source is None or released.methods or not bool((released.parent == NOBODY).all()):
        return
    raise ReleaseError(
        f"no record of {released.name!r} has a row in the source file: parent is -1 for all {released.data.n:,}, so that no "
        "link would count as right, whatever the file shows. Give parent=[...], the source row of each record; where nobody "
        "knows it, take Released.seen(records) and Targets.of_records(source): true matches are then undefined"
    )


def _declared(given: T | Sequence[T], kind: type[T], argument: str, wrong: type[UserMistake]) -> list[T]:
    """Take one declaration or several, each with a name of its own."""
    declared: list[T] = [given] if isinstance(given, kind) else list(given)  # type: ignore[arg-type]
    if not all(isinstance(d, kind) for d in declared):
        raise wrong(f"assess takes {argument}={kind.__name__}(...) or a list of them")
    twice = repeated(d.title if isinstance(d, Harm) else d.name for d in declared)
    if twice:
        called = f"several {argument.replace('_', ' ')} are called {', '.join(map(repr, twice))}"
        raise wrong(f"{called}; give each a name: {kind.__name__}(..., name=...)")
    return declared


def _taken(
    measure: FileMeasure, file: Released, intruder: Intruder, taken: dict[tuple[int, str, tuple[str, ...]], Measured]
) -> Measured:
    """Take a classical measure, once for all intruders who know the same."""
    which = id(file), measure.name, measure.on(file, intruder.variables)
    if which not in taken:
        taken[which] = measure.of(file, intruder.variables)
    return taken[which]
