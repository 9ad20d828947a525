"""What an intruder may hold (HELD.md, sections E to G): blanks, beliefs about what is not known, one of several levels."""

from __future__ import annotations

from typing import Any

import numpy as np

import confide as cf
from cases.reiter import file, possibilities, unavailable


def log_posterior(inputs: dict[str, Any]) -> list[list[float]]:
    """Eq. (4.1) from log densities; null is a density of zero."""
    logs = [[-np.inf if x is None else x for x in row] for row in inputs["logF"]]
    found: list[list[float]] = cf.link_probabilities(np.asarray(logs), log=True).p.tolist()
    return found


def methods(variable: dict[str, Any]) -> list[Any]:
    """Translate the mask of a variable."""
    name, mask = variable["name"], variable["mask"]
    kind = mask["kind"]
    if kind == "recode":
        return [cf.Recode(name, breaks=mask["breaks"], labels=[str(k) for k in range(len(mask["breaks"]) - 1)])]
    if kind == "topcode":
        return [cf.Topcode(name, at=mask["cut"], label="top")]
    if kind == "swap":
        return [cf.Swap(name, matrix=cf.GivenMatrix(mask["levels"], mask["matrix"]))]
    if kind == "swap_within":
        return [cf.Swap(name, within=mask["by"], matrix=cf.GivenMatrices(mask["levels"], mask["matrices"]))]
    if kind == "multiplicative":
        return [cf.MultiplicativeNoise(name, sd=mask["sd"], grid="none")]
    if kind == "noise":
        top = [] if mask["topcode"] is None else [cf.Topcode(name, at=mask["topcode"], label="top")]
        noise = cf.Noise(
            name,
            sd=mask["sd"],
            lower=mask["lower"],
            upper=mask["upper"],
            keep_zero=mask["zero_fixed"],
            grid=1 if mask["round"] else "none",
            outside=mask.get("outside", "redraw"),
        )
        return [*top, noise]
    return []


def in_order(variables: list[dict[str, Any]]) -> list[Any]:
    """Mask what others are swapped within after them, so that matrices are those of the true strata."""
    later = {v["mask"]["by"] for v in variables if v["mask"]["kind"] == "swap_within"}
    ordered = sorted(variables, key=lambda v: v["name"] in later)
    return [m for v in ordered for m in methods(v)]


def known_records(records: list[dict[str, Any]], variables: list[dict[str, Any]], *, true: bool) -> cf.Microdata:
    """Make a file of records; recoded categories are named, not numbered."""
    if not true:
        coded = [v["name"] for v in variables if v["mask"]["kind"] == "recode"]
        records = [{k: str(x) if k in coded and x is not None else x for k, x in r.items()} for r in records]
    noisy = [v | {"mask": v["mask"] | {"kind": "noise"}} if v["mask"]["kind"] == "multiplicative" else v for v in variables]
    return file(records, noisy, true=true)


def one_of(value: Any) -> bool:
    """Say whether a target's value is one of several."""
    return isinstance(value, dict) and "one_of" in value


def knowledge(name: str, value: Any) -> Any:
    """Translate what is known of a target's value."""
    return cf.OneOf(name, list(value["one_of"]), list(value["one_of"].values())) if one_of(value) else name


def reiter_more(inputs: dict[str, Any]) -> dict[str, Any]:
    """Pr(J = j | t, Z), j = 1 .. r + 1, with more masks and beliefs."""
    variables, known = inputs["variables"], inputs["known_in_file"]
    data = known_records(inputs["released"], variables, true=False)
    if inputs.get("weights") is not None:
        frame = data.to_frame().with_columns(weight=np.asarray(inputs["weights"], dtype=float))
        weight = cf.from_frame(frame).variables["weight"]
        column = cf.Column.of_numbers(inputs["weights"])
        data = cf.Microdata({**data.variables, "weight": weight}, {**data.columns, "weight": column})
        data = data.declare(weight="weight")
    target = inputs["target"]
    shown = [v for v in variables if v["role"] == "A" and not one_of(target[v["name"]])]
    intruder = cf.Intruder(
        knows=[knowledge(v["name"], target[v["name"]]) for v in variables if v["role"] == "A"],
        target_in_file=known,
        population=None if known or inputs.get("N_t") is None else cf.Constant(inputs["N_t"]),
        supposes=cf.Release(*in_order(variables)),
        models_others=inputs.get("use_marginals") is not False,
        unavailable=unavailable(inputs),
        beliefs=cf.SuppliedBeliefs(possibilities(inputs["unit_prior"], {v["name"] for v in variables})),
    )
    people = known_records([{k: x for k, x in target.items() if not one_of(x)}], shown, true=True)
    row = cf.link(cf.Released.seen(data), intruder, cf.Targets.of_records(people)).row(0)
    return {"prob": [*row.p.tolist(), row.null]}


def blank_link(inputs: dict[str, Any]) -> dict[str, Any]:
    """Section E: blanks as evidence and as wildcards, the chance of presence known."""
    variables = inputs["variables"]
    names = [v["name"] for v in variables]
    released = cf.Released.seen(known_records(inputs["released"], variables, true=False))
    people = cf.Targets.of_records(known_records([inputs["target"]], variables, true=True))
    rules = {
        by: {v["name"]: v["blank"] for v in variables if v["blank_on"] == by} for by in ("true", "released")
    }
    given = [cf.BlankedByValue(rules["true"])] if rules["true"] else []
    given += [cf.BlankedByReleased(rules["released"])] if rules["released"] else []
    chances = cf.BlankRules(given)
    wildcard = cf.Intruder(
        knows=names,
        target_in_file=False,
        population=cf.KnownChance(inputs["q"]),
        supposes=cf.Release(*in_order(variables)),
        beliefs=cf.SuppliedBeliefs(possibilities([inputs["population"]], set(names))),
    )
    readings = {"prob": chances, "wildcard": cf.NotTold()}
    rows = {k: cf.link(released, wildcard.but(blanks=reading), people).row(0) for k, reading in readings.items()}
    return {k: [*row.p.tolist(), row.null] for k, row in rows.items()}
