"""How many people are like a target: F given f, log-linear models, and both in Reiter's prior."""

from __future__ import annotations

from functools import partial
from typing import Any

import confide as cf


def frequency(model: dict[str, Any], pi: float | None) -> Any:
    """Translate a model of F given f."""
    ((name, given),) = model.items()
    if name == "poisson":
        return partial(cf.poisson_frequency, people=given["lambda"], fraction=pi)
    if name == "gamma_poisson":
        return partial(cf.gamma_poisson_frequency, shape=given["shape"], rate=given["rate"], fraction=pi)
    if name == "negative_binomial":
        return partial(cf.negative_binomial_frequency, p=given["p"])
    size = given["N"]
    return partial(cf.pitman_frequency, theta=given["theta"], alpha=given["alpha"], n=given["n"], population_size=size)


def population_frequency(inputs: dict[str, Any]) -> dict[str, float]:
    """Mean, chance of nobody else, and E(1/F)."""
    found = frequency(inputs["model"], inputs["pi"])(inputs["f"])
    return {
        "mean": float(found.mean[0]),
        "p_equal": float(found.alone[0]),
        "expected_inverse": float(found.inverse[0]),
    }


def loglinear_population(inputs: dict[str, Any]) -> dict[str, Any]:
    """Fitted means and the risk of each cell."""
    cells, names = inputs["cells"], inputs["variables"]
    levels = {name: [cell["levels"][i] for cell in cells] for i, name in enumerate(names)}
    found = cf.loglinear_table([cell["f"] for cell in cells], levels, inputs["margins"], inputs["pi"])
    return {"mu": found.mean.tolist(), "risk": found.inverse.tolist(), "tau1": found.tau1, "tau2": found.tau2}


def reiter_population_model(inputs: dict[str, Any]) -> dict[str, Any]:
    """Link probabilities under a random N_t, mixed and plugged in."""
    model = frequency(inputs["model"], inputs["pi"])
    found = {}
    for name, people in (("exact", cf.MixedOverPeople()), ("plug_in", cf.PlugInPeople())):
        p, null = cf.look_alike_posterior(inputs["evidence"], model, people)
        found[name] = {"p": p.tolist(), "null": null}
    return found
