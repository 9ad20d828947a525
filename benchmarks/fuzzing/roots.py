"""What a plan says besides its tables: how data are read, what variables are, what keeps noise apart."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from fuzzing.kept import SECRET
from fuzzing.scene import LEVELS, REGIONS, Scene


def data_keys(rng: random.Random, found: Scene) -> dict[str, Any]:
    """Draw some keys of `[data]`, most of them true of the file."""
    names = found.names
    every: dict[str, Any] = {
        "encoding": rng.choice(["utf-8", "utf-8", "utf-8-sig", "latin-1"]), "delimiter": rng.choice([",", ",", ",", ";"]),
        "missing": rng.choice([["", "NA"], ["99"], [], ["f"]]), "text": rng.choice([[names["area"]], [names["hid"]], ["x"]]),
        "name": rng.choice(["people", "é", "x" * 200]),
        "kinds": {names["school"]: rng.choice(["nominal", "ordinal", "text"]), names["tax"]: "continuous"},
        "order": {names["school"]: list(LEVELS["school"])},
        "labels": {names["sex"]: {"f": "women", "m": rng.choice(["men", ""])}},
        "coded": {names["income"]: rng.choice([["more"], ["more", "less"], [99]])},
    }  # fmt: skip
    return {k: v for k, v in every.items() if rng.random() < 0.05}


def role_keys(rng: random.Random, found: Scene, keys: list[str]) -> dict[str, Any]:
    """Draw further roles."""
    left = [found.names[n] for n in LEVELS if found.names[n] not in keys]
    every = {"unavailable": rng.sample(left, min(1, len(left))) or [found.names["tax"]], "stratum": left[:1]}
    return {k: v for k, v in every.items() if v and rng.random() < 0.1}


def theirs(rng: random.Random, found: Scene, i: int) -> dict[str, Any]:
    """Draw a release that somebody else made."""
    plain = {"name": f"r{i}", "released": "masked.csv"}
    more: dict[str, Any] = {"parent": "row", "text": [found.names["area"]], "kinds": {found.names["area"]: "nominal"},
                            "coded": {found.names["income"]: ["more"]}}  # fmt: skip
    drawn = {k: v for k, v in more.items() if rng.random() < 0.3}
    ordered = {} if "parent" in drawn or rng.random() < 0.8 else {"same_order": True}
    return plain | drawn | ordered | ({"released": "linked.csv"} if "parent" in drawn else {})


def chance(rng: random.Random, made: dict[str, Any], folder: Path) -> None:
    """Give a plan a secret in the place of its seed now and then."""
    if rng.random() < 0.15:
        made.pop("seed", None)
        made["secret"] = "a.secret"
        (folder / "a.secret").write_text(SECRET, encoding="ascii")
        (folder / "a.secret").chmod(0o600)


def report(rng: random.Random, found: Scene) -> dict[str, Any]:
    """Draw what a report is asked for."""
    by = [found.names["sex"]] if rng.random() < 0.5 else []
    return {"path": "r.html", "by": by, "title": rng.choice(["May it go out?", "", "<b>", rng.choice(REGIONS)])}
