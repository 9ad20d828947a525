"""Duncan and Lambert 1987, Lambert 1993: link probabilities, intruders who count and decide, perceived risks."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import lognorm

import confide as cf


def link_posterior(inputs: dict[str, Any]) -> list[list[float]]:
    """Eq. (1) of Lambert, (4.1) of Duncan and Lambert."""
    found: list[list[float]] = cf.link_probabilities(np.asarray(inputs["F"])).p.tolist()
    return found


def two_groups(inputs: dict[str, Any]) -> np.ndarray:
    """Densities of records under one target and N - 1 others who are alike."""
    y = np.asarray(inputs["y"])
    (m1, s1), (m2, s2) = inputs["target_lognormal"], inputs["others_lognormal"]
    target = lognorm.pdf(y, s1, scale=np.exp(m1))
    others = lognorm.pdf(y, s2, scale=np.exp(m2))
    return np.column_stack([target, np.tile(others[:, None], inputs["N"] - 1)])


def link_target_two_groups(inputs: dict[str, Any]) -> dict[str, Any]:
    """Table 1 and section 4.2.4."""
    links = cf.link_probabilities(two_groups(inputs))
    risks = cf.perceived_risks(links.p, 0.5)
    return {
        "p": links.p[:, 0].tolist(),
        "null": float(links.null[0]),
        "D": risks.worst,
        "D_average": risks.average,
        "D_total": risks.total,
        "D_tau(.5)": risks.at_or_above,
    }


def isolated_two_groups(inputs: dict[str, Any]) -> list[float]:
    """Eq. (4.2)."""
    found: list[float] = cf.isolated(two_groups(inputs))[:, 0].tolist()
    return found


def approx43_two_groups(inputs: dict[str, Any]) -> list[float]:
    """Eq. (4.3)."""
    found: list[float] = cf.product_form(two_groups(inputs)).tolist()
    return found


def link_compare(inputs: dict[str, Any]) -> dict[str, Any]:
    """(4.1), (4.2) and (4.3) side by side."""
    f = np.asarray(inputs["F"])
    return {
        "full": cf.link_probabilities(f).p[:, 0].tolist(),
        "isolated": cf.isolated(f)[:, 0].tolist(),
        "approx43": cf.product_form(f).tolist(),
    }


def null_simulation(inputs: dict[str, Any]) -> float:
    """The best probability by chance."""
    best = cf.best_by_chance((0, 1), (2, 1), respondents=inputs["N"], released=inputs["n"], samples=10_000, seed=1)
    if inputs["statistic"] == "mean":
        return float(best.mean())
    return float(np.quantile(best, float(inputs["statistic"][1:]) / 100))


def perceived_risks(inputs: dict[str, Any]) -> dict[str, Any]:
    """Section 3 of Lambert."""
    risks = cf.perceived_risks(np.asarray(inputs["P"]), inputs["tau"])
    return {
        "per_respondent": risks.per_respondent.tolist(),
        "D": risks.worst,
        "D_average": risks.average,
        "D_total": risks.total,
        "D_tau": risks.at_or_above,
    }


def true_identification(inputs: dict[str, Any]) -> float:
    """Section 5 of Lambert."""
    return cf.true_identification(np.asarray(inputs["P"]), inputs["parent"], inputs["act_at"]).share


def risk_of_matching(inputs: dict[str, Any]) -> float:
    """Spruill."""
    distance = {"absolute": cf.AbsoluteDistance(), "log": cf.LogDistance()}[inputs["distance"]]
    return cf.risk_of_matching(inputs["released"], inputs["source"], inputs["parent"], distance).value


def naive_outsider(inputs: dict[str, Any]) -> float:
    """Section 4.1."""
    return cf.naive_outsider(inputs["N"], inputs["n"], inputs["m"])


def insider(inputs: dict[str, Any]) -> dict[str, float]:
    """Section 4.2."""
    view = cf.insider(inputs["N"], inputs["Nx"], inputs["n"], inputs["nx"])
    return {"p": view.p, "released": view.released, "joint": view.joint}


def simulated_records(inputs: dict[str, Any]) -> float:
    """Section 4.2, the number of simulated look-alikes known."""
    return cf.insider_with_simulated(inputs["Nx"], inputs["nx"], inputs["mx"])


def simulated_records_unknown(inputs: dict[str, Any]) -> dict[str, float]:
    """Section 4.2, the number uncertain."""
    prior = {int(m): w for m, w in inputs["prior"].items()}
    view = cf.insider_with_unknown_simulated(inputs["N"], inputs["Nx"], inputs["n_real"], inputs["nx"], prior)
    mean = sum(m * w for m, w in prior.items())
    return {
        "p": view.p,
        "posterior_mean_m": view.expected_simulated,
        "p_prior_mean_formula": cf.insider_with_simulated(inputs["Nx"], inputs["nx"], mean),
    }


def uncertainty(inputs: dict[str, Any]) -> dict[str, Any]:
    """U(y), both losses and the decision."""
    found = cf.Losses(missed=inputs["l1"], wrong=inputs["l2"]).decide(inputs["p"])
    return {
        "U": found.uncertainty,
        "loss_null": found.loss_null,
        "loss_link": found.loss_link,
        "decision": "link" if found.links else "null",
    }


def best_link(inputs: dict[str, Any]) -> dict[str, Any]:
    """Section 5.2: every released record is as likely, and a wrong link costs less when it is like the target's."""
    disparity = {"squared": cf.SquaredDistance(), "absolute": cf.AbsoluteDistance()}[inputs["loss"]]
    p = np.full(len(inputs["y"]), cf.naive_outsider(len(inputs["y"]), len(inputs["y"])))
    matrix = cf.LossMatrix.by_disparity(inputs["y"], disparity, wrong=inputs["l2"])
    return {"argmin": list(matrix.best_links(p)), "expected_loss": matrix.decide(p).loss_link}
