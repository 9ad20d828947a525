"""The figures that limits are held against: those of the assessment, and the larger risk where these rest on what is broken.

Targets who fit no record, or whose own record is ruled out, count as not linked. That is a finding only where the intruder
errs as supposed; so a limit must also hold with each of them linked rightly. Where N_t rests on one or two weights, which
understates the risk, a limit that would not hold with those targets linked rightly is undefined, unless the intruder's
`population` names the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.assessment.doubt import doubts_of
from confide.assessment.notes import few_by_weights, weak_targets
from confide.intruder.population import FromWeights
from confide.linking.summary import Summary
from confide.risk.measure import Measure, defined, figure, why_undefined
from confide.typing import BoolArray

if TYPE_CHECKING:
    from confide.assessment.assessment import Scenario

ACCEPT = 'let the plan accept it by name, population = "weights" (FromWeights()), or take population = "log-linear"'
"""What to type where N_t rests on few weights."""
MODEL = 'take a model of the population instead, population = "log-linear"'
"""What to type where what is declared cannot be accepted by its name."""


@dataclass(frozen=True, slots=True)
class Held:
    """A figure as a limit takes it."""

    value: float | None
    """The figure; None: it is undefined."""
    why: str
    """Why it is undefined; or, where it is not that of the assessment, what it counts."""
    surely: float | None
    """The figure with targets of weak N_t linked rightly, too; a limit that only `value` keeps to is undefined."""
    weak: str = ""
    """Why a limit that only `value` keeps to is undefined."""

    def excess_reason(self, limit: float, *, larger_is_riskier: bool = True) -> str | None:
        """Say why the figure cannot be held against a limit; empty: it exceeds it; None: it keeps to it.

        >>> Held(3.0, "", 9.0, "N_t is weak").excess_reason(5.0)
        'N_t is weak'
        >>> Held(3.0, "", 3.0).excess_reason(5.0) is None, Held(7.0, "", 7.0).excess_reason(5.0)
        (True, '')
        """
        if self.value is None:
            return self.why
        sign = 1.0 if larger_is_riskier else -1.0
        if not sign * self.value <= sign * limit:
            return ""
        return self.weak if self.surely is None or not sign * self.surely <= sign * limit else None


def broken(scenario: Scenario) -> BoolArray:
    """Say which targets fit no record although they are in the file, or have a record that cannot be theirs."""
    return np.concatenate([links.without_own | links.fits_none for links in scenario.links])


def accepted(scenario: Scenario) -> bool:
    """Say whether the intruder's declaration names the weights as the source of N_t."""
    return isinstance(scenario.intruder.population, FromWeights)


def held(scenario: Scenario, measure: Measure, who: BoolArray | None = None) -> Held:
    """Give the figure of a measure as a limit takes it.

    Args:
        scenario: what was assessed.
        measure: the measure.
        who: the targets it is taken of; None: all.
    """
    doubts, chosen = doubts_of(scenario), np.ones(scenario.summary.n, dtype=np.bool_) if who is None else who
    summary, wrong = scenario.summary.take(chosen), broken(scenario)[chosen]
    found = figure(measure, summary)
    if found is None or (doubts and figure(measure, _untold(summary)) is None):
        return Held(None, why_undefined(measure, summary) or doubts, None)
    larger = measure.larger_is_riskier
    counted = _riskier(found, figure(measure, linked_rightly(summary, wrong)), larger=larger) if wrong.any() else found
    weak = np.zeros(0, dtype=np.bool_) if accepted(scenario) else weak_targets(scenario)[chosen]
    if not weak.any():
        return Held(counted, _counts(wrong) if counted != found else "", counted)
    surely = _riskier(counted, figure(measure, linked_rightly(summary, wrong | weak)), larger=larger)
    return Held(counted, _counts(wrong) if counted != found else "", surely, _weak(scenario))


def held_probability(scenario: Scenario) -> Held:
    """Give the largest probability of an own record as a limit takes it."""
    summary, wrong = scenario.summary, broken(scenario)
    found, doubts = defined(float(summary.own.max())), doubts_of(scenario)
    if found is None or doubts:
        return Held(None, summary.why_unknown or doubts, None)
    counted = 1.0 if wrong.any() else found
    surely = 1.0 if not accepted(scenario) and weak_targets(scenario).any() else counted
    return Held(counted, _counts(wrong) if wrong.any() else "", surely, _weak(scenario) if surely > counted else "")


def why_not_held(scenario: Scenario) -> str:
    """Say why a figure that is not counted target by target, such as harm, cannot be held against a limit; empty: it can."""
    wrong = broken(scenario)
    if doubts := doubts_of(scenario):
        return doubts
    if wrong.any():
        none = "fit no record, or not their own, and no harm is counted for them"
        return f"{int(wrong.sum()):,} of {wrong.size:,} targets {none}"
    return _weak(scenario) if not accepted(scenario) and few_by_weights(scenario) else ""


def linked_rightly(summary: Summary, who: BoolArray) -> Summary:
    """Give the summary with some targets linked to their own record for sure.

    >>> summary = Summary.of_matrix(np.array([[0.5, 0.5], [0.2, 0.8]]), [0, 1])
    >>> linked_rightly(summary, np.array([True, False])).matched.tolist()
    [1.0, 1.0]
    """
    if not who.any():
        return summary
    return Summary(
        np.where(who, 1.0, summary.best),
        np.where(who, 1, summary.at_best),
        np.where(who, 1.0, summary.own),
        summary.own_is_best | who,
        np.where(who, 0.0, summary.null),
        summary.records,
        summary.in_file | who,
        summary.known | who,
    )


def _untold(summary: Summary) -> Summary:
    """Give the summary of somebody who does not know whose record is whose."""
    nobody = np.zeros(summary.n, dtype=np.bool_)
    own = np.full(summary.n, np.nan)
    return Summary(summary.best, summary.at_best, own, nobody, summary.null, summary.records, nobody, nobody)


def _riskier(a: float, b: float | None, *, larger: bool) -> float:
    """Give the riskier of two figures; the second may be undefined."""
    return a if b is None else max(a, b) if larger else min(a, b)


def _counts(wrong: BoolArray) -> str:
    """Say what a figure counts that the assessment's does not."""
    return (
        f"{int(wrong.sum()):,} of {wrong.size:,} targets fit no record, or not their own, and a limit counts each as linked "
        "rightly, as nobody knows that an intruder errs so"
    )


def _weak(scenario: Scenario) -> str:
    """Say why N_t is too weak for a limit."""
    what = f"{few_by_weights(scenario):,} of {scenario.summary.n:,} targets"
    how = ACCEPT if scenario.intruder.population is None else MODEL
    return f"it rests on one or two weights, or records, for {what}, and with these linked rightly the limit fails; {how}"
