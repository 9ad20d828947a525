"""Reiter 2005: link probabilities of one target, file-level measures, marginals."""

from __future__ import annotations

from typing import Any

import numpy as np

import confide as cf

OPEN = object()
"""Stands for an entry that the contract leaves open."""


def distribution(value: Any) -> Any:
    """Translate a level, a number or a distribution."""
    if not isinstance(value, dict):
        return value
    ((name, parameters),) = value.items()
    return {"lognormal": cf.Lognormal, "normal": cf.Normal, "uniform": cf.Uniform}[name](*parameters)


def methods(variable: dict[str, Any]) -> list[Any]:
    """Translate the mask of a variable."""
    name, mask = variable["name"], variable["mask"]
    if mask["kind"] == "recode":
        return [cf.Recode(name, breaks=mask["breaks"], labels=list(range(len(mask["breaks"]) - 1)))]
    if mask["kind"] == "topcode":
        return [cf.Topcode(name, at=mask["cut"], label="top")]
    if mask["kind"] == "swap":
        return [cf.Swap(name, matrix=cf.GivenMatrix(mask["levels"], mask["matrix"]))]
    if mask["kind"] == "noise":
        top = [] if mask["topcode"] is None else [cf.Topcode(name, at=mask["topcode"], label="top")]
        noise = cf.Noise(
            name,
            sd=mask["sd"],
            lower=mask["lower"],
            upper=mask["upper"],
            keep_zero=mask["zero_fixed"],
            grid=1 if mask["round"] else "none",
        )
        return [*top, noise]
    return []


def numeric(variable: dict[str, Any]) -> bool:
    """Say whether a variable holds numbers."""
    return variable["mask"]["kind"] in ("noise", "topcode")


def file(records: list[dict[str, Any]], variables: list[dict[str, Any]], *, true: bool) -> cf.Microdata:
    """Make a file of records."""
    names = [v["name"] for v in variables if v["name"] in records[0]]
    data = cf.Microdata.from_dict({n: [r[n] for r in records] for n in names})
    kinds, coded = {}, {}
    for v in variables:
        if v["name"] in names:
            is_number = numeric(v) or (true and v["mask"]["kind"] == "recode")
            kinds[v["name"]] = "continuous" if is_number else "nominal"
            coded[v["name"]] = ["top"]
    return data.declare(kinds=kinds, coded=coded)


def possibilities(units: list[Any], names: set[str]) -> list[list[cf.Atom]]:
    """Translate lists of possibilities."""
    return [[cf.Atom(a["p"], {k: distribution(y) for k, y in a["y"].items() if k in names}) for a in unit] for unit in units]


def unavailable(inputs: dict[str, Any]) -> Any:
    """Translate beliefs about altered variables of the target that are not known: one list, or one for each record."""
    altered = {v["name"] for v in inputs["variables"] if v["role"] == "U" and v["mask"]["kind"] != "none"}
    prior = inputs.get("target_prior") or []
    if inputs.get("use_unavailable") is False or not altered or not prior:
        return None
    if isinstance(prior[0], list):
        return cf.GivenRecords(possibilities(prior, altered))
    return cf.AboutTargets(possibilities([prior], altered))


def link_probabilities(inputs: dict[str, Any]) -> dict[str, Any]:
    """Pr(J = j | t, Z), j = 1 .. r + 1, and its parts."""
    variables = inputs["variables"]
    data = file(inputs["released"], variables, true=False)
    if inputs.get("weights") is not None:
        frame = data.to_frame().with_columns(weight=np.asarray(inputs["weights"], dtype=float))
        data = cf.Microdata(
            {**data.variables, "weight": cf.from_frame(frame).variables["weight"]},
            {**data.columns, "weight": cf.Column.of_numbers(inputs["weights"])},
        ).declare(weight="weight")
    known = inputs["known_in_file"]
    atoms = possibilities(inputs["unit_prior"], {v["name"] for v in variables})
    intruder = cf.Intruder(
        knows=[v["name"] for v in variables if v["role"] == "A"],
        target_in_file=known,
        population=None if known or inputs.get("N_t") is None else cf.Constant(inputs["N_t"]),
        supposes=cf.Release(*(m for v in variables for m in methods(v))),
        models_others=inputs.get("use_marginals") is not False,
        unavailable=unavailable(inputs),
        beliefs=cf.SuppliedBeliefs(atoms),
    )
    released = cf.Released.seen(data)
    target = file([inputs["target"]], [v for v in variables if v["role"] == "A"], true=True)
    row = cf.link(released, intruder, cf.Targets.of_records(target)).row(0)
    parts, total = row.parts, row.population_matches
    prior = [float(c) / total for c in parts.consistent] + [(total - row.sample_matches) / total]

    def where(values: Any) -> list[Any]:
        return [float(x) if c else OPEN for x, c in zip(values, parts.consistent, strict=True)]

    return {
        "prob": [*row.p.tolist(), row.null],
        "prior": prior,
        "n_t": row.sample_matches,
        "N_t": total,
        "a": where(parts.a),
        "u": where(parts.u),
        "m": where(parts.m),
    }


def file_measures(inputs: dict[str, Any]) -> dict[str, Any]:
    """Section 4.3: the three measures of a whole file."""
    summary = cf.Summary.of_matrix(np.asarray(inputs["probs"]), inputs["truth"])
    return {
        "over_threshold": int(cf.PerceivedIdentifications(inputs["threshold"]).value(summary)),
        "expected_matches": cf.ExpectedMatches().value(summary),
        "unique_matches": int(cf.UniqueMatches().value(summary)),
    }


def marginal(inputs: dict[str, Any]) -> dict[str, float]:
    """Pr(z^Ap | Z^Ad) of one unit: the joint sum and the product of dot products."""
    joint = inputs["joint"]
    matrices = [cf.GivenMatrix(inputs[v]["levels"], inputs[v]["matrix"]) for v in ("race", "marital")]
    atoms = [(tuple(row[:-1]), row[-1]) for row in joint]
    return {
        "joint": cf.joint_swap_marginal(atoms, matrices, inputs["z"]),
        "product": cf.dot_product_marginal(atoms, matrices, inputs["z"]),
    }
