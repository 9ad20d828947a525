"""A file with a unique text and a unique number in every column, and a search for them in whatever is written or printed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

PEOPLE = 160
PLANTED = 37
"""The row of the planted person."""
TEXTS = {"pid": "zqx-person", "region": "zqxville", "ill": "zqxosis", "note": "zqx wrote this"}
AMOUNTS = {"income": 987_654_321.13, "wealth": 871_243_219.77, "debt": 763_412_198.31, "turnover": 651_827_364.59}
PLAIN = re.compile(r"(?<![\w.#])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
GROUPED = re.compile(r"(?<![\w.#])\d{1,3}(?:[,\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE} ]\d{3})+(?:\.\d+)?")
POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
NEAR = 1e-3


def write_people(path: Path) -> None:
    """Write the file."""
    rng = np.random.default_rng(4)
    columns = {
        "pid": [f"p{i:04d}" for i in range(PEOPLE)],
        "sex": rng.choice(["f", "m"], PEOPLE).tolist(),
        "region": rng.choice(["north", "south", "east"], PEOPLE, p=[0.5, 0.3, 0.2]).tolist(),
        "age": rng.integers(20, 70, PEOPLE).tolist(),
        "ill": rng.choice(["no", "flu", "cold"], PEOPLE, p=[0.7, 0.2, 0.1]).tolist(),
        "note": [f"note {i % 40}" for i in range(PEOPLE)],
        "wt": [10] * PEOPLE,
        **{name: np.round(rng.uniform(100, 9_000, PEOPLE), 2).tolist() for name in AMOUNTS},
    }
    for name, value in {**TEXTS, **AMOUNTS, "age": 107}.items():
        columns[name][PLANTED] = value
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n")


def numbers_in(text: str) -> list[float]:
    """Give all numbers that stand in a text, with thousands apart or not, and times powers of ten."""
    found = []
    for match in (*PLAIN.finditer(text), *GROUPED.finditer(text)):
        value = float(re.sub(r"[^\d.eE+-]", "", match.group()))
        found.append(value)
        power = re.match("\\s*\N{MULTIPLICATION SIGN}\\s*10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text[match.end() : match.end() + 12])
        if power:
            found.append(value * 10.0 ** int(power.group(1).translate(POWERS)))
    return found


def told(text: str) -> list[str]:
    """Say what of the planted person a text tells: a planted text, or a number within 0.1 per cent of a planted amount."""
    low = text.lower()
    found = [name for name, planted in TEXTS.items() if planted in low]
    values = np.abs(np.array(numbers_in(text)))
    with np.errstate(invalid="ignore"):
        found += [name for name, x in AMOUNTS.items() if bool(np.any(np.abs(values - x) <= NEAR * x))]
    return found


def text_of(path: Path) -> str:
    """Read a file as text; a Parquet file as that of its cells."""
    if path.suffix == ".parquet":
        import polars as pl

        return pl.read_parquet(path).write_csv()
    return path.read_bytes().decode("utf-8", "replace")


def is_marked(path: Path, text: str) -> bool:
    """Say whether a file says of itself that it is confidential, and only its owner can read it."""
    head = text[:200] if path.suffix in {".csv", ".tsv", ".parquet"} else text
    return "confidential" in head.lower() and path.stat().st_mode & 0o077 == 0
