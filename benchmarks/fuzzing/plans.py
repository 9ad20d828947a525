"""Plans within the schema, mended by their own faults until they pass, then some of them broken again."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from confide.errors import ConfideError, PlanError
from confide.plan.schema import LimitsTable, OutputTable, PlanSchema
from confide.plan.schema_harm import HarmTable
from confide.plan.schema_intruder import IntruderTable, TargetsTable
from confide.plan.schema_map import MapTable, UtilityTable, VaryTable
from confide.plan.schema_measures import MeasureTable
from confide.plan.schema_methods import TABLES
from confide.plan.schema_tables import AllTables, TableTable
from fuzzing.breaking import broken
from fuzzing.case import Case
from fuzzing.drawing import Drawer
from fuzzing.roots import chance, data_keys, report, role_keys, theirs
from fuzzing.scene import LEVELS, REGIONS, Scene, scene
from fuzzing.toml import toml

LISTS = {
    "intruder": IntruderTable, "harm": HarmTable, "measure": MeasureTable, "targets": TargetsTable, "utility": UtilityTable,
}  # fmt: skip
FIXED: dict[tuple[str, str], str] = {
    ("DataTable", "path"): "people.csv", ("RecodeTable", "hierarchy"): "levels.csv",
    ("NumbersTable", "table"): "population.csv", ("NumbersTable", "count"): "count", ("TargetsTable", "file"): "others.csv",
    ("NestingTable", "file"): "region.hrc", ("NestingTable", "codelist"): "region.cdl", ("TableTable", "a_priori"): "a.hst",
    ("NestingTable", "leading"): "@", ("OutputTable", "links"): "inside", ("OutputTable", "json"): "o.json",
    ("OutputTable", "table"): "o.csv", ("OutputTable", "per_record"): "p.csv", ("OutputTable", "released"): ".",
    ("OutputTable", "per_released_record"): "q.csv", ("OutputTable", "json_"): "o.json", ("MapTable", "store"): "kept",
    ("MapTable", "picture"): "m.svg", ("MapTable", "page"): "m.html", ("MapTable", "table"): "m.csv",
    ("TableTable", "cells"): "cells.csv", ("TableTable", "previous"): "previous.csv",
    ("TableTable", "internal"): "internal.csv", ("TableTable", "page"): "t.html", ("TableTable", "internal_page"): "ti.html",
}  # fmt: skip
ARGUMENTS = {"Swap": "rate", "Noise": "sd", "MultiplicativeNoise": "sd", "Round": "to", "Topcode": "at", "Bottomcode": "at",
             "Recode": "width", "CorrelatedNoise": "fraction", "Sample": "fraction", "Simulate": "fraction"}  # fmt: skip
NUMERIC = ("Topcode", "Bottomcode", "Round", "Noise", "MultiplicativeNoise", "CorrelatedNoise")
ROUNDS = 16


class Chooser:
    """Names variables, levels and files for fields of the schema."""

    def __init__(self, found: Scene) -> None:
        """Know a scene."""
        self.scene = found

    def __call__(self, model: str, key: str, rng: random.Random) -> Any:
        """Give a value for a field; None where its type says enough."""
        names, plain = self.scene.names, key.rstrip("[].")
        if (model, key) in FIXED:
            return FIXED[model, key]
        if model == "LimitsTable" and plain in {"max_probability", "max_true_match_rate"}:
            return rng.choice([0.0, 0.2, 1.0, round(rng.random(), 3)])  # a larger share limits nothing, and is refused
        numeric, levels = rng.choice(self.scene.numeric), rng.choice(self.scene.labelled)
        if plain == "formula":
            return rng.choice(["income ~ age", "income ~ age + C(school)", "tax ~ income + C(sex)", "age ~ C(region) + tax"])
        if plain == "published":
            return rng.choice(["t.csv", "t.sdmx.csv", "t.json", "t.tsv", "t.parquet"])
        if plain == "hierarchies" and model == "TableTable":
            named = {"file": "region.hrc", "codelist": "region.cdl"}
            return {names["area"]: rng.choice(["region.hrc", {"digits": [1, 1]}, named])}
        if plain == "mapping":
            return {r: rng.choice(["up", "down", r]) for r in REGIONS}
        if key == "where":
            return {names["region"]: rng.choice(REGIONS)}
        if plain == "digits":
            return 1
        if plain in ("within", "by", "together", "names", "stratum", "levels") and key != plain:
            return numeric if model == "CorrelatedNoiseTable" else levels
        if plain in ("variable", "attribute", "variables", "covariates", "block", "sensitive", "keys"):
            if key == plain and plain in ("variables", "covariates", "block", "keys"):
                return None
            if model == "ProtectTable":
                return None
            return numeric if model.removesuffix("Table") in (*NUMERIC, "UtilityTable") else rng.choice([numeric, levels])
        if plain in ("weight", "holding", "waiver", "request") and model in ("TableTable", "HarmTable"):
            return names["weight"] if plain == "weight" else None
        if plain in ("costs", "correct", "incorrect") and key.endswith("."):
            return rng.choice([*LEVELS["school"], *REGIONS])
        if plain == "level":
            return rng.choice([*LEVELS["school"], *REGIONS]) if model == "CostsTable" else rng.choice([1, 1, 2])
        if key in ("max_harm.", "measure.", "limits.", "times_above.", "fractions."):
            return rng.choice(["1000", "10", "f", "m"])
        return None


def plan(rng: random.Random, found: Scene, drawer: Drawer) -> dict[str, Any]:
    """Draw a plan of releases, intruders and more."""
    names = found.names
    keys = rng.sample([names[n] for n in ("sex", "region", "school", "area", "age")], rng.randint(1, 4))
    roles = {"identifier": [names["id"]], "key": keys, "sensitive": [names["income"]], "weight": names["weight"]}
    if rng.random() < 0.2:
        roles["household"] = names["hid"]
    roles |= role_keys(rng, found, keys)
    data: dict[str, Any] = {"path": "people.csv", "roles": roles, **data_keys(rng, found)}
    if rng.random() < 0.15 and names["school"] == "school":
        data["order"] = {"school": list(LEVELS["school"])}
    made: dict[str, Any] = {"seed": rng.choice([7, 0, 2**53, -3]), "data": data}
    if rng.random() < 0.3:
        made["threshold"] = rng.choice([0.0, 0.5, 0.999999])
    made["release"] = [release(rng, drawer, found, i) for i in range(rng.choice([1, 1, 2]))]
    knows = [drawer.table(IntruderTable.model_fields["knows"].annotation.__args__[0], variable=k) or k for k in keys]
    first = drawer.table(IntruderTable, knows=knows, name="one") or {"knows": keys}
    made["intruder"] = [first, *([{"knows": keys, "name": "two"}] if rng.random() < 0.2 else [])]
    for key, model, often in (("harm", HarmTable, 0.4), ("measure", MeasureTable, 0.5), ("targets", TargetsTable, 0.15)):
        if rng.random() < often:
            drawn = [drawer.table(model) for _ in range(rng.choice([1, 2]))]
            made[key] = [{**d, "name": f"{key}{i}"} if key != "targets" else d for i, d in enumerate(drawn) if d is not None]
    for key, model, often in (("limits", LimitsTable, 0.3), ("output", OutputTable, 0.3)):
        if rng.random() < often:
            made[key] = drawer.table(model) or {}
    if rng.random() < 0.04:
        made["report"] = report(rng, found)
    return made


def release(rng: random.Random, drawer: Drawer, found: Scene, i: int) -> dict[str, Any]:
    """Draw a release: mostly methods, now and then a file of someone else."""
    if rng.random() < 0.06:
        return theirs(rng, found, i)
    methods = [drawer.table(TABLES[m], method=m) for m in rng.choices(list(TABLES), k=rng.choice([0, 1, 1, 2, 3]))]
    edition = {"edition": rng.choice([1, 2, 10**9])} if rng.random() < 0.05 else {}
    return {"name": f"r{i}", "methods": [m for m in methods if m is not None], **edition}


def mapped(rng: random.Random, made: dict[str, Any], drawer: Drawer) -> None:
    """Add a small map to a plan."""
    methods = [m for m in made["release"][0].get("methods", []) if m["method"] in ARGUMENTS]
    if not methods:
        made["release"][0] = {"name": "r0", "methods": [{"method": "Swap", "variable": "region", "rate": 0.1}]}
        methods = made["release"][0]["methods"]
    at = made["release"][0]["methods"].index(rng.choice(methods))
    name = made["release"][0]["methods"][at]["method"]
    choices: list[dict[str, Any]] = [
        {"values": [0.1, 0.3]}, {"values": [rng.choice(["x", "", True, -1, 0, 1e308, 5e-324, 10**30, 0.5])]},
        {"values": [2.0, 5.0]}, {"values": [1000.0]}, {"between": [0.05, 0.5]}, {"between": [1.0, 9.0]},
    ]  # fmt: skip
    axis: dict[str, Any] = {"name": "axis", "method": at + 1}
    if rng.random() < 0.9:
        keys = [k for k in TABLES[name].model_fields if k != "method"]
        axis |= {"argument": ARGUMENTS[name] if rng.random() < 0.8 else rng.choice(keys), **rng.choice(choices)}
    if rng.random() < 0.15:
        axis = drawer.table(VaryTable, name="axis") or axis
    uses = [drawer.table(UtilityTable) for _ in range(rng.choice([1, 1, 2]))]
    made["utility"] = [u for u in uses if u is not None]
    risk = rng.choice(["right_links", "expected_matches", "unique_matches", "perceived", "true_match_rate"])
    limit = rng.choice([0.5, 10.0, 0.0])
    search = {"evaluations": 3, "population": 2} if rng.random() < 0.2 else None
    drawn = drawer.table(
        MapTable, release="r0", vary=[axis], points=2, replicates=1, verify=1, worst=[], risk=risk, max_risk=limit,
        search=search,
    )  # fmt: skip
    made["map"] = {k: v for k, v in (drawn or {"release": "r0", "vary": [axis], "points": 2}).items() if v is not None}


def tables(rng: random.Random, found: Scene, drawer: Drawer) -> dict[str, Any]:
    """Draw a plan of one to three tables."""
    made: dict[str, Any] = {"seed": 7, "data": {"path": "people.csv"}}
    made["tables"] = {**(drawer.table(AllTables) or {})}
    if rng.random() < 0.8 or "rule" not in made["tables"]:
        made["tables"]["rule"] = [{"rule": "MinimumFrequency", "n": rng.choice([1, 2, 3, 5])}]
    made["table"] = []
    for i in range(rng.choice([1, 1, 2])):
        if rng.random() < 0.2:
            fixed: dict[str, Any] = {"cells": "cells.csv", "by": ["sex", "area"], "value": "x"}
            fixed |= {"count": "count", "largest": ["big"]}
        else:
            by = rng.sample([found.names[n] for n in ("sex", "region", "school", "area")], rng.choice([1, 2, 2, 3]))
            fixed = {"by": by, "value": rng.choice([None, *found.numeric])}
        drawn = drawer.table(TableTable, name=f"t{i}", **fixed) or {"name": f"t{i}", **fixed}
        made["table"].append({k: v for k, v in drawn.items() if v is not None})
    return made


def mend(made: dict[str, Any], folder: Path, *, of_tables: bool) -> None:
    """Leave out what the plan's own faults name, until it passes or nothing more can be left out."""
    from confide.plan.build import build
    from confide.plan.build_tables import build_tables
    from confide.plan.load import parse_plan

    for _ in range(ROUNDS):
        try:
            schema = parse_plan(toml(made))
            (build_tables if of_tables else build)(schema, folder)
        except PlanError as error:
            mended = [_left_out(made, fault) for fault in reversed(error.faults)]
            if not any(mended):
                return
        except ConfideError:
            return
        except Exception:  # noqa: BLE001 - the command is to meet it, and to be judged
            return
        else:
            return


def _left_out(made: dict[str, Any], fault: str) -> bool:
    """Leave out the part that a fault names; say whether something was."""
    place = fault.partition(": ")[0] if ": " in fault else ""
    found = re.findall(r"([a-z_]+)|\[(\d+)\]", place.split(" (")[0])
    steps: list[str | int] = [int(i) - 1 if i else word for word, i in found]
    if not steps:
        return False
    key = steps[0]
    if not isinstance(key, str) or (key in ("data", "release") and len(steps) < 3 and key != "data"):
        return False
    if key == "data" and len(steps) > 1 and steps[1] not in ("path", "roles"):
        return made["data"].pop(steps[1], None) is not None
    if key == "release" and len(steps) >= 4 and isinstance(steps[3], int):
        methods = made["release"][steps[1]].get("methods", [])
        return steps[3] < len(methods) and methods.pop(steps[3]) is not None
    if key == "intruder" and len(steps) > 1:
        return _plainer(made["intruder"], steps[1])
    if key == "intruder":
        told = [t.pop("likelihood", None) for t in made["intruder"]]
        return any(x is not None for x in told)
    if key == "table" and len(steps) > 1:
        return _fewer(made["table"], steps[1])
    if key == "tables":
        old = made.get("tables")
        made["tables"] = {"rule": [{"rule": "MinimumFrequency", "n": 3}]}
        return old != made["tables"]
    if key in LISTS and len(steps) > 1 and isinstance(steps[1], int):
        items = made.get(key, [])
        return steps[1] < len(items) and items.pop(steps[1]) is not None and (bool(items) or made.pop(key) == [])
    return key != "data" and made.pop(key, None) is not None


def _plainer(intruders: list[dict[str, Any]], i: Any) -> bool:
    """Reduce an intruder to plain knowledge."""
    if i >= len(intruders):
        return False
    old = intruders[i]
    names = [k if isinstance(k, str) else k.get("variable") for k in old["knows"]]
    intruders[i] = {"name": old.get("name", ""), "knows": names}
    return old != intruders[i]


def _fewer(found: list[dict[str, Any]], i: Any) -> bool:
    """Reduce a table to what spans it."""
    if i >= len(found):
        return False
    old = found[i]
    found[i] = {k: old[k] for k in ("name", "by", "value", "cells", "published") if k in old}
    return old != found[i]


def draw_plan(rng: random.Random, folder: Path) -> Case:
    """Draw a plan with its files, and the command that it is for."""
    found = scene(rng, folder)
    drawer = Drawer(rng, Chooser(found))
    kind = rng.choices(["assess", "map", "choose", "calibrate", "table"], [45, 15, 8, 7, 25])[0]
    made = tables(rng, found, drawer) if kind == "table" else plan(rng, found, drawer)
    if kind in ("map", "choose"):
        mapped(rng, made, drawer)
    chance(rng, made, folder)
    if rng.random() < 0.95:
        mend(made, folder, of_tables=kind == "table")
        if kind in ("map", "choose") and "map" not in made:
            mapped(rng, made, drawer)
            mend(made, folder, of_tables=False)
    figures = True
    if rng.random() < 0.3:
        figures = broken(rng, made, PlanSchema)
    (folder / "plan.toml").write_text(toml(made), encoding="utf-8")
    study = rng.choice([(), ("--out", "."), ("--out", "study")])
    more: dict[str, tuple[str, ...]] = {
        "calibrate": ("--times", "2"), "table": ("--time-limit", "2"),
        "choose": ("--max-risk", str(rng.choice([0.5, 20])), *study),
    }  # fmt: skip
    return Case(((kind, "plan.toml", *more.get(kind, ())),), figures)


