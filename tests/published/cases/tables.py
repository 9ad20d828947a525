"""Domingo-Ferrer and Torra 2004, section 3: sensitivity rules, Constructions 1 and 2."""

from __future__ import annotations

from typing import Any

import confide as cf


def sensitivity(inputs: dict[str, Any]) -> bool:
    """Whether one cell is sensitive."""
    cell = cf.tabulate(cf.Microdata.from_dict({"x": inputs["contributions"]}), [], "x")
    rules = {
        "p%": lambda: cf.PPercentRule(inputs["p"]),
        "pq": lambda: cf.PQRule(inputs["p"], inputs["q"]),
        "dominance": lambda: cf.DominanceRule(inputs["n"], inputs["k"]),
    }
    return bool(rules[inputs["rule"]]().sensitive(cell)[0])


def constructions(inputs: dict[str, Any]) -> dict[str, Any]:
    """The two cells and their tails."""
    found = cf.dominance_constructions(inputs["n"], inputs["N"], k=inputs.get("k"), r=inputs.get("r"))
    return {
        "r": found.r,
        "k": found.k,
        "eps": found.eps,
        "X_ns": found.safe.tolist(),
        "X_s": found.sensitive.tolist(),
        "tail_ns": found.tail(found.safe),
        "tail_s": found.tail(found.sensitive),
        "relative_ns": found.closeness(found.safe),
        "relative_s": found.closeness(found.sensitive),
    }
