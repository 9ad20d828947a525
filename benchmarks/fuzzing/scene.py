"""A small file of respondents for plans, and the other files that plans may name."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REGIONS = ("north", "south", "east", "west")
SCHOOLS = ("none", "school", "college")
AREAS = ("N1", "N2", "S1", "S2")
EXTREME = (0.0, -0.0, 5e-324, 1e308, -1e308, 1e-300, 9007199254740993.0, -1.0, 1e16)
LEVELS: dict[str, tuple[Any, ...]] = {"sex": ("f", "m"), "region": REGIONS, "school": SCHOOLS, "area": AREAS}
NUMBERS = ("age", "income", "tax", "weight")
OTHERS = {"region.hrc": "N\n@N1\n@N2\nS\n@S1\n@S2\n", "region.cdl": "N,North\nS,South\nN1,One\n",
          "levels.csv": "north,up\nsouth,down\neast,down\nwest,up\n", "cells.csv":
          "sex,area,x,count,big\nf,N1,10,3,6\nf,N2,4,2,3\nf,S1,8,5,2\nf,S2,1,1,1\nm,N1,7,3,4\nm,N2,9,4,5\nm,S1,3,2,2\nm,S2,6,6,1\n",
          "previous.csv": "sex,area,region,school,status\nf,N1,north,none,u\nm,N2,south,school,x\n",
          "a.hst": "f,N1,u\nm,S2,s\n"}  # fmt: skip
"""Further files by name."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The variables of a file, by what they are called there."""

    names: dict[str, str]
    """What each variable is called."""
    rows: list[dict[str, Any]]
    """The records."""

    @property
    def labelled(self) -> list[str]:
        """Names of variables with levels."""
        return [self.names[n] for n in LEVELS]

    @property
    def numeric(self) -> list[str]:
        """Names of variables with numbers."""
        return [self.names[n] for n in NUMBERS]


def scene(rng: random.Random, folder: Path) -> Scene:
    """Write a file of 1 to 120 respondents, ordinary or odd, and the files that may go with it."""
    plain = rng.random() < 0.7
    names = {n: n for n in ("id", "hid", *LEVELS, *NUMBERS)}
    if rng.random() < 0.15:
        one = rng.choice([*LEVELS, *NUMBERS])
        odd = ["é", "a b", "x" * 200, "日本", "sum", "count", "weight2", 'q"', "C(x)", "=a", "a,b", "-", "Total"]
        names[one] = rng.choice(odd)
    n = rng.choice([40, 60, 80, 120]) if plain else rng.choice([1, 2, 3, 10, 60])
    rows = [_record(rng, i) for i in range(n)]
    if not plain:
        for _ in range(rng.randint(1, 3)):
            _odd(rng, rows)
    found = Scene(names, [{names[k]: v for k, v in row.items()} for row in rows])
    (folder / "people.csv").write_text(as_csv(found.rows), encoding="utf-8")
    chosen = [r for r in found.rows if rng.random() < 0.7 or n < 4]
    kept = [{k: v for k, v in r.items() if k != names["id"]} for r in chosen]
    (folder / "masked.csv").write_text(as_csv(kept), encoding="utf-8")
    linked = [{**row, "row": i} for i, row in enumerate(found.rows)]
    (folder / "linked.csv").write_text(as_csv(linked), encoding="utf-8")
    (folder / "others.csv").write_text(as_csv(rng.sample(found.rows, min(5, n))), encoding="utf-8")
    counts = [{names["sex"]: s, names["region"]: r, "count": rng.randint(0, 900)} for s in "fm" for r in REGIONS]
    (folder / "population.csv").write_text(as_csv(counts), encoding="utf-8")
    for name, text in OTHERS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return found


def _record(rng: random.Random, i: int) -> dict[str, Any]:
    """Draw one respondent."""
    return {
        "id": f"p{i}",
        "hid": i // 3,
        "sex": rng.choice("fm"),
        "region": rng.choice(REGIONS),
        "school": rng.choice(SCHOOLS),
        "area": rng.choice(AREAS),
        "age": rng.randint(18, 90),
        "income": 0 if rng.random() < 0.1 else round(rng.lognormvariate(10, 1)),
        "tax": round(rng.lognormvariate(5, 1), 2),
        "weight": rng.choice([1.5, 10, 25]),
    }


def _odd(rng: random.Random, rows: list[dict[str, Any]]) -> None:
    """Make a column empty, constant, nearly empty, extreme, or all different."""
    name = rng.choice([*LEVELS, *NUMBERS, "id", "hid"])
    what = rng.randrange(5)
    for i, row in enumerate(rows):
        extreme = rng.choice(EXTREME)
        choices = ("", rows[0][name], row[name] if i % 7 == 0 else "", extreme, f"v{i}" if name in LEVELS else i * 1.25)
        row[name] = choices[what] if what != 3 or (name in NUMBERS and rng.random() < 0.3) else row[name]


def as_csv(rows: list[dict[str, Any]]) -> str:
    """Write records as text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(rows[0].keys())
    writer.writerows(row.values() for row in rows)
    return out.getvalue()
