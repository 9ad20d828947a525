"""Duncan, Keller-McNulty and Stokes: the R-U confidentiality map."""

from __future__ import annotations

from typing import Any

import numpy as np

import confide as cf

TARGETS = {"max": cf.AtMaximum(), "min": cf.AtMinimum()}


def point(inputs: dict[str, Any]) -> dict[str, float]:
    """U and eqs (2), (4), (8) and (10), through the map."""
    large = cf.AsymptoticForm()
    snoopers = {
        "R2": cf.Snooper(),
        "R4": cf.Snooper(knows=cf.KnowsRecord()),
        "R8": cf.Snooper(cf.AtPercentile(inputs["p"]), cf.KnowsPopulation(), large),
        "R10": cf.Snooper(cf.AtMaximum(), cf.KnowsPopulation(), large),
    }
    found = cf.analytic_map(list(snoopers.values()), n=inputs["n"], sigma2=inputs["sigma2"], lambda2=[inputs["lambda2"]])
    return {"U": float(found.utility[0]), **{k: float(r) for k, r in zip(snoopers, found.risk[:, 0], strict=True)}}


def eq1(inputs: dict[str, Any]) -> float:
    """Eq. (1)."""
    return float(cf.mean_attack_risk(**inputs))


def eq3(inputs: dict[str, Any]) -> float:
    """Eq. (3)."""
    return float(cf.sample_average_risk(**inputs))


def eq5(inputs: dict[str, Any]) -> float:
    """Eq. (5)."""
    return float(cf.percentile_risk(inputs["n"], inputs["p"], inputs["fY"], inputs["xiY"], inputs["xiX"]))


def eq9(inputs: dict[str, Any]) -> float:
    """Eq. (9)."""
    return float(cf.maximum_risk(inputs["n"], inputs["mu"], inputs["sigma2"], inputs["lambda2"], x_max=inputs["xmax"]))


def sample_target(inputs: dict[str, Any]) -> float:
    """A target in the sample, estimated by the mean."""
    snooper = cf.Snooper(cf.Typical(), cf.KnowsSample())
    return float(cf.snooper_risk(snooper, inputs["n"], inputs["sigma2"], inputs["lambda2"]))


def constants(inputs: dict[str, Any]) -> dict[str, float]:
    """K_n1 and K_n2, and what they approximate."""
    first, second = cf.extreme_constants(inputs["n"])
    mean, variance = cf.order_statistic_moments(inputs["n"], inputs["n"])
    return {"K1": first, "K2": second, "exact_mean": mean, "exact_var": variance}


def exact_percentile(inputs: dict[str, Any]) -> float:
    """The risk that (8) approximates."""
    snooper = cf.Snooper(cf.AtPercentile(inputs["p"]), cf.KnowsPopulation())
    return float(cf.snooper_risk(snooper, inputs["n"], inputs["sigma2"], inputs["lambda2"]))


def exact_fixed_max(inputs: dict[str, Any]) -> float:
    """The risk that (10) approximates."""
    snooper = cf.Snooper(cf.AtMaximum(), cf.KnowsPopulation())
    return float(cf.snooper_risk(snooper, inputs["n"], inputs["sigma2"], inputs["lambda2"]))


def true_sample_max(inputs: dict[str, Any]) -> float:
    """The risk of the sample's own maximum."""
    snooper = cf.Snooper(cf.AtMaximum(), cf.KnowsSample())
    return float(cf.snooper_risk(snooper, inputs["n"], inputs["sigma2"], inputs["lambda2"]))


def relative_utility(inputs: dict[str, Any]) -> float:
    """The utility of Figure 1."""
    return float(cf.relative_utility(inputs["lambda2"]))


def empirical(inputs: dict[str, Any]) -> dict[str, float]:
    """Eqs (11) to (14) from given noise."""
    x = np.array(inputs["x"])
    target = TARGETS[inputs["target"]] if isinstance(inputs["target"], str) else cf.AtPercentile(inputs["target"])
    masked = cf.AddedNoise(lower=0).masked(x, np.array(inputs["noise"]))
    index = cf.empirical_point(x, masked, cf.Snooper(target, cf.KnowsRecord()))
    position = cf.empirical_point(x, masked, cf.Snooper(target, cf.KnowsSample()))
    tau = cf.target_value(x, target)
    return {"R_index": index.risk, "R_position": position.risk, "U": index.utility, "tau": tau}
