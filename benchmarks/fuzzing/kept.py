"""What is kept from run to run: stores of evaluations and secrets; and the text of plans."""

from __future__ import annotations

import functools
import os
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

from fuzzing.breaking import broken
from fuzzing.case import Case
from fuzzing.damage import damaged, damaged_text
from fuzzing.scene import scene
from fuzzing.toml import toml

METHOD = {"method": "Noise", "variable": "income", "sd": 100.0}
PLAN: dict[str, Any] = {
    "seed": 7,
    "data": {"path": "people.csv", "roles": {"key": ["sex", "region"], "sensitive": ["income"]}},
    "release": [{"name": "r", "methods": [METHOD]}],
    "intruder": [{"knows": ["sex", "region"]}],
    "utility": [{"utility": "MeansKept"}],
    "map": {"vary": [{"name": "rate", "method": 1, "argument": "sd", "values": [100.0, 300.0]}], "store": "kept"},
}
LINES = ("{}", "[]", "null", "1", '"x"', '{"key": 1, "figures": {}}', '{"key": "a", "figures": null}', "[" * 5000,
         '{"key": "a", "figures": {"x": NaN}}', '{"key": "a", "figures": {"x": "y"}}', "\0", "{" * 3000)  # fmt: skip
SECRET = "confide secret 1\n" + "0a" * 32 + "\n"  # nobody's


@functools.cache
def _store() -> dict[str, bytes]:
    """Make a map once and keep what it left in its store."""
    from confide.cli.main import main

    folder, here = Path(tempfile.mkdtemp()), Path.cwd()
    scene(random.Random(5), folder)
    (folder / "plan.toml").write_text(toml(PLAN), encoding="utf-8")
    os.chdir(folder)
    try:
        main(["map", "plan.toml", "--quiet"])
    finally:
        os.chdir(here)
    found = {p.name: p.read_bytes() for p in sorted((folder / "kept").iterdir()) if p.is_file()}
    shutil.rmtree(folder, ignore_errors=True)
    return found


def draw_store(rng: random.Random, folder: Path) -> Case:
    """Draw a store whose files are damaged."""
    scene(random.Random(5), folder)
    (folder / "plan.toml").write_text(toml(PLAN), encoding="utf-8")
    (folder / "kept").mkdir(mode=0o700)
    for name, data in _store().items():
        lines = data.decode().split("\n")
        what = rng.random()
        if what < 0.3:
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(LINES))
        elif what < 0.7:
            lines.insert(rng.randrange(len(lines) + 1), _checked(rng, lines))
        made = "\n".join(lines).encode() if what < 0.7 else damaged(rng, data)
        (folder / "kept" / name).write_bytes(made)
        (folder / "kept" / name).chmod(0o600)
    return Case((("map", "plan.toml"),))


def _checked(rng: random.Random, lines: list[str]) -> str:
    """Write a line whose checksum is right: figures changed, left out, or of another name; or one that stands there."""
    from confide.rumap.general.line import Evaluation, line_of, read_line

    old = rng.choice([x for x in lines if x])
    found = read_line(old.encode())
    if found is None or rng.random() < 0.2:
        return old
    figures: dict[str, Any] = dict(found.figures)
    name = rng.choice(list(figures))
    what = rng.randrange(4)
    if what == 0:
        del figures[name]
    elif what == 1:
        figures = {rng.choice(["x", "é", ""]): 1.0}
    else:
        figures[name] = rng.choice([None, 0, -1, 1e308, 5e-324, -0.0, 2**63, 0.5])
    key = found.key if rng.random() < 0.8 else rng.choice(["", "x", found.key[::-1], found.key.upper()])
    return line_of(Evaluation(key, figures)).decode()


def draw_secret(rng: random.Random, folder: Path) -> Case:
    """Draw a secret that is damaged, missing, a folder, or readable by others."""
    scene(random.Random(5), folder)
    made = {k: v for k, v in PLAN.items() if k not in ("seed", "map", "utility")}
    (folder / "plan.toml").write_text(toml(made), encoding="utf-8")
    path = folder / "plan.secret"
    what = rng.random()
    if what < 0.05:
        path.mkdir()
    elif what < 0.1:
        path.symlink_to(rng.choice(["plan.secret", "nowhere", "people.csv", "."]))
    elif what < 0.13:
        os.mkfifo(path)
    else:
        data = SECRET.encode()
        if what >= 0.3:
            data = damaged(rng, data, 2) if what < 0.8 else damaged_text(rng, SECRET).encode()
        path.write_bytes(data)
        path.chmod(rng.choice([0o600, 0o600, 0o600, 0o644, 0o400]))
    return Case((("assess", "plan.toml"),))


def draw_toml(rng: random.Random, folder: Path) -> Case:
    """Draw the text of a plan: damaged, nested deeply, endless, or with keys of all kinds."""
    scene(random.Random(5), folder)
    made = {k: v for k, v in PLAN.items() if k != "map"} | {"map": {**PLAN["map"]}}
    figures = broken(rng, made := _copy(made), _schema()) if rng.random() < 0.3 else True
    text = toml(made)
    what = rng.random()
    deep = rng.choice([50, 500, 5000, 100_000])
    if what < 0.1:
        sign, end = rng.choice([("[", "]"), ("{a=", "}"), ("[[", "]]")])
        text += f"x = {sign * deep}1{end * deep}\n"
    elif what < 0.15:
        text += f"[{'.'.join(['a'] * deep)}]\n" if rng.random() < 0.5 else f"{'a.' * deep}a = 1\n"
    elif what < 0.2:
        number = rng.choice(["9" * 5000, "0x" + "f" * 400, "1e999", "1_0", "2020-01-01", "07:32:00", "nan"])
        text = text.replace("100.0", number)
    elif what < 0.6:
        text = damaged_text(rng, text)
    data = text.encode("utf-8", "replace")
    data = damaged(rng, data) if what > 0.5 else data
    (folder / "plan.toml").write_bytes(data)
    return Case(((rng.choice(["assess", "map", "table", "choose"]), "plan.toml"),), figures and what >= 0.2)


def _copy(value: Any) -> Any:
    """Copy tables and lists, however deep."""
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    return [_copy(v) for v in value] if isinstance(value, list) else value


def _schema() -> Any:
    """Give the model of a plan."""
    from confide.plan.schema import PlanSchema

    return PlanSchema
