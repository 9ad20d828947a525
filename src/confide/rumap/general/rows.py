"""The evaluated settings of a map, one row each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from confide.linking.parallel import Progress, cores, silent
from confide.rumap.general.evaluate import Question
from confide.rumap.general.fingerprint import fingerprint
from confide.rumap.general.limited import Limited, is_note
from confide.rumap.general.store import Figures, Store
from confide.typing import Label


class Estimate(NamedTuple):
    """A mean over replicates."""

    mean: float
    """The mean."""
    se: float | None
    """Its standard error; None with one replicate."""

    @classmethod
    def of(cls, values: Sequence[float | None]) -> Estimate | None:
        """Give the mean; None where a replicate has no figure.

        >>> Estimate.of([1.0, 3.0])
        Estimate(mean=2.0, se=1.0)
        >>> Estimate.of([0.1, 0.1, 0.1])
        Estimate(mean=0.1, se=0.0)
        >>> Estimate.of([0.1, math.nan]), Estimate.of([0.1, math.inf])
        (None, Estimate(mean=inf, se=None))
        """
        known = [v for v in values if v is not None and not math.isnan(v)]
        if len(known) < len(values) or not known:
            return None
        if len(set(known)) == 1:
            # what is not random has no error, not one of rounding
            return cls(float(known[0]), 0.0 if len(known) > 1 else None)
        if not all(map(math.isfinite, known)):
            return cls(float(np.mean(known)), None)
        se = float(np.std(known, ddof=1)) / math.sqrt(len(known))
        return cls(float(np.mean(known)), se)


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One setting with what it costs and what it keeps."""

    settings: Mapping[str, Label]
    """A value for each axis."""
    risks: tuple[tuple[Figures, ...], ...]
    """The figures of risk by intruder and replicate."""
    utilities: tuple[Figures, ...]
    """The figures of utility by replicate."""

    def risk(self, intruder: int, name: str) -> Estimate | None:
        """Give a figure of risk; None where it is undefined."""
        return Estimate.of([figures[name] for figures in self.risks[intruder]])

    def limited(self, intruder: int, name: str) -> tuple[Estimate | None, Estimate | None]:
        """Give the two figures that a limit on a risk is held against; None where one is undefined."""
        found = [Limited.of_figures(figures, name) for figures in self.risks[intruder]]
        return Estimate.of([x.counted for x in found]), Estimate.of([x.surely for x in found])

    def notes(self, intruder: int) -> Figures:
        """Give what is to be noted of an intruder's figures; of replicates, the largest count."""
        names = dict.fromkeys(name for figures in self.risks[intruder] for name in figures if is_note(name))
        return {name: max(figures.get(name) or 0.0 for figures in self.risks[intruder]) for name in names}

    def utility(self, name: str) -> Estimate | None:
        """Give a figure of utility; None where it is undefined."""
        return Estimate.of([figures[name] for figures in self.utilities])


def evaluate_rows(
    question: Question,
    settings: Iterable[Mapping[str, Label]],
    replicates: Sequence[int],
    store: Store,
    *,
    workers: int | None = None,
    progress: Progress = silent,
) -> tuple[list[Row], bool]:
    """Evaluate settings, several at a time; give the rows in their order and whether all of them are there.

    An interruption ends the work: what is done is in the store, and the rows that are complete are given back.

    Args:
        question: what is asked.
        settings: where.
        replicates: the numbers of the replicates.
        store: what is known already.
        workers: how many evaluations at a time; None: as many as there are cores.
        progress: called with how much of how much is done.
    """
    asked = [dict(s) for s in settings]
    source_key = fingerprint(question.source)
    found: dict[tuple[int, int], tuple[list[Figures], Figures]] = {}
    tasks = [(i, r) for i in range(len(asked)) for r in replicates]
    complete = True
    with ThreadPoolExecutor(max_workers=workers or cores()) as pool:
        running: dict[Future[tuple[list[Figures], Figures]], tuple[int, int]] = {}
        try:
            waiting = iter(tasks)
            while len(found) < len(tasks):
                for task in waiting:
                    place = pool.submit(question.figures, asked[task[0]], task[1], store, source_key)
                    running[place] = task
                    if len(running) >= 2 * (workers or cores()):
                        break
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for place in done:
                    found[running.pop(place)] = place.result()
                progress(len(found), len(tasks))
        except BaseException as error:
            for place in running:
                place.cancel()
            if not isinstance(error, KeyboardInterrupt):
                raise
            complete = False
    rows = []
    for i, chosen in enumerate(asked):
        if all((i, r) in found for r in replicates):
            parts = [found[i, r] for r in replicates]
            people = range(len(question.intruders))
            rows.append(Row(chosen, tuple(tuple(p[0][k] for p in parts) for k in people), tuple(p[1] for p in parts)))
    return rows, complete
