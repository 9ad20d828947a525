"""Make a map: ask, evaluate, keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from confide.data.microdata import Microdata
from confide.errors import IntruderError, MapError, repeated
from confide.intruder.intruder import Intruder
from confide.intruder.targets import Targets
from confide.linking.parallel import Progress, silent
from confide.release.release import Release
from confide.release.vary import Settings
from confide.risk.measures.right import RightLinks
from confide.rumap.general.evaluate import Question
from confide.rumap.general.map import RUMap
from confide.rumap.general.risks import Declared, RiskAxis
from confide.rumap.general.rows import Row, evaluate_rows
from confide.rumap.general.store import Store
from confide.rumap.general.varies import check_varies
from confide.utility.measure import UtilityMeasure


def ask(
    data: Microdata,
    release: Release,
    intruders: Intruder | Sequence[Intruder],
    risk: Declared | Sequence[Declared],
    utility: UtilityMeasure | Sequence[UtilityMeasure],
    targets: Targets | Sequence[Targets] | None,
    seed: int,
) -> Question:
    """Check what is asked; every name must be one of its own."""
    people = (intruders,) if isinstance(intruders, Intruder) else tuple(intruders)
    groups = (targets or Targets.all(),) if targets is None or isinstance(targets, Targets) else tuple(targets)
    declared: Sequence[Any] = risk if isinstance(risk, list | tuple) else [risk]
    risks = tuple(RiskAxis(r) for r in declared)
    uses = tuple(utility) if isinstance(utility, list | tuple) else (utility,)
    if not people or not all(isinstance(i, Intruder) for i in people):
        raise IntruderError("a map needs one Intruder or a list of them")
    if not groups:
        raise IntruderError("a map needs at least one group of targets; leave targets out for everyone")
    if not risks or not uses:
        raise MapError("a map needs a risk and a utility: risk=ExpectedMatches(), utility=MeansKept(...)")
    wrong = [type(u).__name__ for u in uses if not isinstance(u, UtilityMeasure)]
    if wrong:
        raise MapError(f"utility takes measures of utility, such as RegressionKept(...); found {', '.join(wrong)}")
    for what, names in (
        ("intruders", [i.title for i in people]),
        ("risks", [r.name for r in risks]),
        ("utilities", [u.name for u in uses]),
    ):
        twice = repeated(names)
        if twice:
            raise MapError(f"several {what} are called {', '.join(map(repr, twice))}; give each a name of its own")
    check_varies(data, release, uses[0])
    return Question(data, release, people, groups, risks, uses, int(seed))


def ru_map(
    data: Microdata,
    release: Release,
    intruders: Intruder | Sequence[Intruder],
    *,
    risk: Declared | Sequence[Declared] = RightLinks(),  # noqa: B008  frozen
    utility: UtilityMeasure | Sequence[UtilityMeasure],
    targets: Targets | Sequence[Targets] | None = None,
    seed: int,
    replicates: int = 1,
    settings: Iterable[Settings] | None = None,
    points: int = 5,
    store: Store | None = None,
    workers: int | None = None,
    progress: Progress = silent,
) -> RUMap:
    """Map risk against utility over a family of releases.

    Counts of targets and losses are given per target, so that a limit of 0.05 means five in a hundred.

    Args:
        data: the source file.
        release: a release with something left open, see `vary`.
        intruders: one or several; each is a curve of its own.
        risk: measures of risk, `Harm`, `FileMeasure`, `WorstGroup` or `RiskOf`; the first is the axis of the map.
            `RightLinks()` differs where intruders do; `ExpectedMatches()`, which links everyone, often does not.
        utility: measures of utility; the first is the axis of the map, and something that is left open must touch what it
            reads.
        targets: whom the intruders look for; None: everyone.
        seed: the seed of the masking; all settings share it, so that they differ by what is done and not by luck.
        replicates: how often each setting is masked, with seeds of its own; two or more give standard errors.
        settings: where; None: the whole grid.
        points: how many values an axis between two ends gets in the grid.
        store: what was evaluated already; `FolderStore(folder)` outlives the process.
        workers: how many evaluations at a time; None: as many as there are cores.
        progress: called with how much of how much is done.

    >>> import confide as cf
    >>> people = cf.Microdata.from_dict({"age": [21, 34, 34, 52, 67, 67], "pay": [1.0, 4.0, 5.0, 9.0, 8.0, 7.0]})
    >>> people = people.declare(kinds={"age": "integer", "pay": "continuous"})
    >>> release = cf.Release(cf.Noise("pay", sd=cf.vary("noise", 0.1, 1.0, 5.0)))
    >>> ru = cf.ru_map(
    ...     people, release, cf.Intruder(knows=["pay"]), risk=cf.ExpectedMatches(), utility=cf.MeansKept(["pay"]), seed=7
    ... )
    >>> len(ru.points()), ru.choose(max_risk=0.9).settings["noise"] >= 0.1
    (3, True)
    """
    if replicates < 1:
        raise MapError(f"replicates must be 1 or more, found {replicates}")
    question = ask(data, release, intruders, risk, utility, targets, seed)
    where = list(release.grid(points)) if settings is None else [dict(s) for s in settings]
    if not where:
        raise MapError("there is no setting to evaluate; give at least one")
    for chosen in where:
        release.at(chosen)
    kept = Store() if store is None else store
    rows, complete = evaluate_rows(question, where, range(replicates), kept, workers=workers, progress=progress)
    return as_map(question, rows, replicates, kept, complete=complete)


def as_map(question: Question, rows: Sequence[Row], replicates: int, store: Store, *, complete: bool) -> RUMap:
    """Put evaluated rows on a map."""
    unmasked: Mapping[str, float] = {u.name: u.unmasked(question.source).value for u in question.utilities}
    return RUMap(question, tuple(rows), replicates, unmasked, question.risks[0], question.utilities[0], store, complete)
