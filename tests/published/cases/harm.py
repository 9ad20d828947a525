"""Lambert 1993, section 6.3: the costs of inferences."""

from __future__ import annotations

from typing import Any

import numpy as np

import confide as cf

REIDENTIFIED = {None: -1, False: 0, True: 1}
LEVELS = [0, 1]


def harm_binary(inputs: dict[str, Any]) -> list[float]:
    """The seven outcomes."""
    costs = cf.Outcomes(**{name.lower(): cost for name, cost in inputs["c"].items()})
    linked = [REIDENTIFIED[state[0]] for state in inputs["states"]]
    guess = [-1 if state[1] is None else LEVELS.index(state[1]) for state in inputs["states"]]
    truth = [LEVELS.index(state[2]) for state in inputs["states"]]
    return costs.harm(linked, truth, guess, LEVELS).tolist()


def harm_bayes_binary(inputs: dict[str, Any]) -> float:
    """The average over what is believed."""
    costs = cf.BeliefCosts({1: inputs["c1"], 0: inputs["c0"]})
    return float(costs.expected([1], [1], [[1 - inputs["p1"], inputs["p1"]]], LEVELS)[0])


def harm_over(inputs: dict[str, Any]) -> list[float]:
    """The squared over-estimate."""
    return cf.OverEstimate().at(inputs["y"], inputs["yhat"]).tolist()


def harm_bayes_over(inputs: dict[str, Any]) -> float:
    """The squared over-estimate, averaged over a normal belief."""
    return float(cf.OverEstimate().expected(inputs["y"], cf.NormalBelief(inputs["mean"], inputs["sd"]))[0])


def harm_threshold(inputs: dict[str, Any]) -> list[float]:
    """A loss above a threshold; the true amount does not enter."""
    return cf.Threshold(above=inputs["T"], loss=inputs["L"]).at(0.0, inputs["yhat"]).tolist()


def harm_excess_total(inputs: dict[str, Any]) -> float:
    """The sum of the over-estimates; nothing inferred costs nothing."""
    estimate = [np.nan if x is None else x for x in inputs["yhat"]]
    harm = cf.AmountCosts(cf.Excess()).harm(np.ones(len(estimate), dtype=int), inputs["y"], estimate)
    return cf.Bearers.of(harm).total
