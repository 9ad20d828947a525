"""Swap matrices."""

from __future__ import annotations

from typing import Any

import confide as cf


def matrix(inputs: dict[str, Any]) -> list[list[float]]:
    """Expected Pr(released | true) of a random swap."""
    data = cf.Microdata.from_dict({"x": inputs["values"]}).declare(order={"x": inputs["levels"]})
    method = cf.Swap("x", rate=inputs["swapped"] / len(inputs["values"]))
    found: list[list[float]] = method.bind(data).channels["x"].matrix[0].tolist()
    return found


def marginal(inputs: dict[str, Any]) -> float:
    """Sum over true levels of prior times Pr(released | true)."""
    return float(cf.swap_marginal(inputs["prior"], inputs["column"]))
