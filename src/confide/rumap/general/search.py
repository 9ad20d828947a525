"""Search a family of releases for its frontier, with a multi-objective optimiser (NSGA-II, Deb et al. 2002, by optuna)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from confide.data.microdata import Microdata
from confide.errors import MapError
from confide.intruder.intruder import Intruder
from confide.intruder.targets import Targets
from confide.linking.parallel import Progress, silent
from confide.release.release import Release
from confide.release.vary import Axis, Open, open_axes
from confide.risk.measures.right import RightLinks
from confide.rumap.general.compare import Comparison, compare_maps
from confide.rumap.general.evaluate import Question
from confide.rumap.general.make import as_map, ask
from confide.rumap.general.map import RUMap
from confide.rumap.general.risks import Declared
from confide.rumap.general.rows import Row, evaluate_rows
from confide.rumap.general.store import Store
from confide.typing import Label
from confide.utility.measure import UtilityMeasure

NEEDS_OPTUNA = "the search needs an extra; install it with: pip install 'confide[search]'"
MOST_REPEATS = 30
"""A search ends when this many generations in a row bring nothing new."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to search.

    >>> Budget(evaluations=200)
    Budget(evaluations=200, minutes=None)
    """

    evaluations: int | None = None
    """How many different settings to evaluate at most."""
    minutes: float | None = None
    """How long to go on; the generation that is under way is finished."""

    def __post_init__(self) -> None:
        """Check that something is limited."""
        if self.evaluations is None and self.minutes is None:
            raise MapError("a Budget needs evaluations or minutes")
        if (self.evaluations or 1) < 1 or (self.minutes or 1) <= 0:
            raise MapError(f"a Budget is positive, found {self.evaluations} evaluations and {self.minutes} minutes")


def search_releases(
    data: Microdata,
    release: Release,
    intruders: Intruder | Sequence[Intruder],
    *,
    risk: Declared | Sequence[Declared] = RightLinks(),  # noqa: B008  frozen
    utility: UtilityMeasure | Sequence[UtilityMeasure],
    budget: Budget,
    targets: Targets | Sequence[Targets] | None = None,
    seed: int,
    replicates: int = 1,
    population: int = 20,
    store: Store | None = None,
    workers: int | None = None,
    progress: Progress = silent,
    growing: Callable[[RUMap], None] | None = None,
) -> RUMap:
    """Search the releases of a family that no other beats: least risk of the worst intruder, most utility.

    One seed gives one search. With a `FolderStore` a search that was killed goes on where it was: what is in the store is
    not evaluated again by the same program, and the end is the same as without the interruption.

    Args:
        data: the source file.
        release: a release with something left open: strengths, methods, or both, see `vary` and `vary_between`.
        intruders: one or several; the search goes by the worst of them.
        risk: what risk is; the first is searched by.
        utility: what utility is; the first is searched by.
        budget: how long to search.
        targets: whom the intruders look for; None: everyone.
        seed: the seed of the masking and of the search.
        replicates: how often each setting is masked.
        population: how many settings make a generation.
        store: what was evaluated already; `FolderStore(folder)` outlives the process.
        workers: how many evaluations at a time; None: as many as there are cores.
        progress: called with how much of how much is done.
        growing: called with the map after every generation.
    """
    question = ask(data, release, intruders, risk, utility, targets, seed)
    if not release.axes:
        raise MapError("there is nothing to search: the release leaves nothing open; see vary and vary_between")
    kept = Store() if store is None else store
    hunt = _Hunt(question, population, seed)
    rows: dict[str, Row] = {}
    ends = None if budget.minutes is None else time.monotonic() + 60 * budget.minutes
    idle, complete = 0, True
    while idle < MOST_REPEATS:
        left = None if budget.evaluations is None else budget.evaluations - len(rows)
        asked = hunt.ask(rows, left)
        fresh = list(asked.fresh.values())
        found, whole = evaluate_rows(question, fresh, range(replicates), kept, workers=workers)
        rows.update({told_key(row.settings): row for row in found})
        if not whole:
            complete = False
            break
        hunt.tell(asked, rows)
        idle = idle + 1 if not fresh else 0
        progress(len(rows), budget.evaluations or len(rows) + 1)
        if growing is not None:
            growing(as_map(question, list(rows.values()), replicates, kept, complete=False))
        if (budget.evaluations is not None and len(rows) >= budget.evaluations) or (
            ends is not None and time.monotonic() >= ends
        ):
            break
    if not rows:
        raise KeyboardInterrupt("the search was interrupted before anything was evaluated")
    return as_map(question, list(rows.values()), replicates, kept, complete=complete)


def told_key(settings: dict[str, Label] | Any) -> str:
    """Write settings so that they can be looked up."""
    return repr(sorted(settings.items()))


@dataclass(slots=True)
class _Asked:
    """One generation: the trials, their settings, and those of them that are new."""

    trials: list[Any]
    settings: list[dict[str, Label]]
    fresh: dict[str, dict[str, Label]]


class _Hunt:
    """The optimiser, asked for generations and told what they gave."""

    def __init__(self, question: Question, population: int, seed: int) -> None:
        try:
            import optuna
        except ImportError:
            raise MapError(NEEDS_OPTUNA) from None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.question, self.population = question, population
        sampler = optuna.samplers.NSGAIISampler(population_size=population, seed=seed % 2**32)
        most, least = optuna.study.StudyDirection.MAXIMIZE, optuna.study.StudyDirection.MINIMIZE
        use = most if question.utilities[0].larger_is_better else least
        risk = least if question.risks[0].larger_is_riskier else most
        self.study = optuna.create_study(directions=[risk, use], sampler=sampler)
        self.failed = optuna.trial.TrialState.FAIL

    def ask(self, known: dict[str, Row], left: int | None) -> _Asked:
        """Ask for a generation, with no more new settings than are left."""
        asked = _Asked([], [], {})
        for _ in range(self.population):
            if left is not None and len(asked.fresh) >= left:
                break
            trial = self.study.ask()
            settings = self._settings(trial)
            key = told_key(settings)
            asked.trials.append(trial)
            asked.settings.append(settings)
            if key not in known:
                asked.fresh.setdefault(key, settings)
        return asked

    def _settings(self, trial: Any) -> dict[str, Label]:
        """Let a trial choose a value for every axis that its choices leave open."""
        settings: dict[str, Label] = {}
        while True:
            axes = open_axes(self.question.family.parts, settings)
            left = [axis for name, axis in axes.items() if name not in settings]
            if not left:
                return settings
            for axis in left:
                settings[axis.name] = _suggested(trial, axis)

    def tell(self, asked: _Asked, rows: dict[str, Row]) -> None:
        """Tell what the trials of a generation gave; a setting without a figure has failed."""
        risk, use = self.question.risks[0], self.question.utilities[0]
        for trial, settings in zip(asked.trials, asked.settings, strict=True):
            row = rows[told_key(settings)]
            risks = [row.risk(k, risk.name) for k in range(len(self.question.intruders))]
            known = [r.mean for r in risks if r is not None]
            useful = row.utility(use.name)
            if useful is None or len(known) < len(risks):
                self.study.tell(trial, state=self.failed)
            else:
                self.study.tell(trial, [(max if risk.larger_is_riskier else min)(known), useful.mean])


def _suggested(trial: Any, axis: Open) -> Label:
    """Let a trial choose on an axis: numbers in their order, words as words; four digits between two ends."""
    if not isinstance(axis, Axis):
        value = trial.suggest_float(axis.name, axis.low, axis.high, log=axis.log)
        return min(max(float(f"{value:.4g}"), axis.low), axis.high)
    ordered = all(isinstance(x, int | float) and not isinstance(x, bool) for x in axis.labels)
    if ordered and len(axis.labels) > 1:
        places = sorted(range(len(axis.labels)), key=lambda i: axis.labels[i])
        return axis.labels[places[int(trial.suggest_int(axis.name, 0, len(places) - 1))]]
    return axis.labels[int(trial.suggest_categorical(axis.name, list(range(len(axis.labels)))))]


def beside_grid(found: RUMap, *, points: int, workers: int | None = None, progress: Progress = silent) -> Comparison:
    """Say how much better the frontier of a search is than that of a plain grid.

    Args:
        found: what the search gave.
        points: how many values an axis between two ends gets in the grid.
        workers: how many evaluations at a time; None: as many as there are cores.
        progress: called with how much of how much is done.
    """
    question = found.question
    where = list(question.family.grid(points))
    rows, complete = evaluate_rows(question, where, range(found.replicates), found.store, workers=workers, progress=progress)
    grid = as_map(question, rows, found.replicates, found.store, complete=complete)
    return compare_maps(found, grid)
