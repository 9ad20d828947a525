"""Cases of Domingo-Ferrer and Torra 2004, section 2."""

from __future__ import annotations

from typing import Any

import confide as cf

NAMES = ["name", "surname", "age"]


def nominal_distance(inputs: dict[str, Any]) -> Any:
    return cf.NominalDistance("v").between(inputs["a"], inputs["b"])


def ordinal_distance(inputs: dict[str, Any]) -> Any:
    kind = cf.OrdinalDistance if inputs["corrected"] else cf.PrintedOrdinalDistance
    return kind("v", levels=inputs["levels"]).between(inputs["a"], inputs["b"])


def released(inputs: dict[str, Any]) -> cf.Released:
    files = [cf.Microdata.from_dict(dict(zip(NAMES, zip(*inputs[f], strict=True), strict=True))) for f in "AB"]
    return cf.Released.from_files(*files, same_order=True)


def distance_linkage(inputs: dict[str, Any]) -> Any:
    age = cf.NumericDistance("age", scale=cf.BySd(both=inputs["sd_of"] == "both"))
    by = [cf.NominalDistance("name"), cf.NominalDistance("surname"), age]
    found = cf.distance_linkage(released(inputs), by)
    return {
        "nearest": [found.nearest(i).tolist() for i in range(found.n)],
        "distances": cf.record_distances(released(inputs), by).tolist(),
        "correct_unique": found.certain,
        "expected_correct": found.expected,
    }


def coincidence_vectors(inputs: dict[str, Any]) -> Any:
    found = cf.coincidence_vectors(released(inputs), NAMES)
    return {"all": found.all_pairs, "matched": found.matched}


def interval_disclosure(inputs: dict[str, Any]) -> Any:
    around = {"width": cf.RankWidth, "halfwidth": cf.RankHalfWidth}[inputs["reading"]](inputs["p"])
    files = [cf.Microdata.from_dict({"x": inputs[f]}) for f in ("original", "masked")]
    found = cf.interval_disclosure(cf.Released.from_files(*files, same_order=True), "x", around)
    return {
        "h": around.half(len(inputs["masked"])),
        "intervals": found.intervals("x").tolist(),
        "fraction": found.per_variable["x"],
    }
