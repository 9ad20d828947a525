"""Studies whose held folders, signatures, log, plan or secret are damaged, and odd wishes of those who sign."""

from __future__ import annotations

import functools
import json
import os
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

from confide.plan.schema import PlanSchema
from fuzzing.breaking import broken
from fuzzing.case import Case
from fuzzing.damage import damaged, damaged_text
from fuzzing.kept import SECRET
from fuzzing.scene import scene
from fuzzing.toml import toml

METHOD = {"method": "Swap", "variable": "region", "rate": 0.3}
PLAN: dict[str, Any] = {
    "data": {"path": "people.csv", "roles": {"key": ["sex", "region"], "sensitive": ["income"]}},
    "release": [{"name": "one", "methods": [METHOD]}, {"name": "Two", "methods": [METHOD]}, {"name": "gone", "methods": []}],
    "intruder": [{"knows": ["sex", "region"]}],
    "output": {"released": "."},
    "limits": {"max_expected_matches": 1000},
}
TABLES: dict[str, Any] = {
    "data": {"path": "people.csv"}, "tables": {"rule": [{"rule": "MinimumFrequency", "n": 3}]},
    "table": [{"name": "t", "by": ["sex", "region"], "published": ["t.csv", "t.json"]}],
}  # fmt: skip
DAYS = ("2026-12-31", "", "2026-02-30", "0001-01-01", "9999-12-31", "20261231", "2026-W01-1", "x" * 3000, "\0", "-1")
NAMES = ("one", "one", "one", "Two", "t", "ONE", "öne", "one, edition 2", "", ".", "..", "/", "../held/one", "x" * 3000,
         "gone", "\0", "-", "%s", "日本")  # fmt: skip
WHO = ("A. Name", "A. Name", "A. Name", "", " ", "\n", "é" * 3000, "\0", "a\u202e", '"', "a\nb", "\udc80")


@functools.cache
def _study() -> dict[str, bytes]:
    """Hold two releases and a table once, sign a third, and keep all files of it."""
    from confide.cli.main import main

    folder, here = Path(tempfile.mkdtemp()), Path.cwd()
    scene(random.Random(5), folder)
    (folder / "plan.secret").write_text(SECRET, encoding="ascii")
    (folder / "plan.secret").chmod(0o600)
    (folder / "plan.toml").write_text(toml(PLAN), encoding="utf-8")
    (folder / "tables.toml").write_text(toml(TABLES), encoding="utf-8")
    os.chdir(folder)
    try:
        for command in (["assess", "plan.toml"], ["table", "tables.toml"]):
            main([*command, "--quiet"])
        main(["sign", "plan.toml", "gone", "--by", "A. Name", "--on", "2026-01-01", "--keep-order", "--quiet"])
    finally:
        os.chdir(here)
    found = {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
    shutil.rmtree(folder, ignore_errors=True)
    return found


def draw_signing(rng: random.Random, folder: Path) -> Case:
    """Draw a study that somebody altered, and somebody who signs."""
    files = dict(_study())
    figures = True
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        name = _chosen(rng, sorted(files))
        if name.endswith(".json") and rng.random() < 0.5:
            files[name] = _json(rng, files[name])
            figures = False
        else:
            text = files[name].decode("utf-8", "replace")
            altered = damaged_text(rng, text).encode("utf-8", "replace")
            files[name] = altered if rng.random() < 0.5 else damaged(rng, files[name])
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o600)
    for part in [p for p in sorted(folder.rglob("*")) if p.is_dir()]:
        part.chmod(0o700)
    if rng.random() < 0.3:
        _disturb(rng, folder)
    release = rng.choice(NAMES)
    plan = "tables.toml" if release == "t" or rng.random() < 0.05 else "plan.toml"
    return Case((("sign", plan, release, *_options(rng)),), figures)


def _chosen(rng: random.Random, names: list[str]) -> str:
    """Choose a file, mostly one that confide wrote."""
    ours = [n for n in names if n.startswith(("held", "signed", "log"))]
    return rng.choice(ours if rng.random() < 0.85 else names)


def _json(rng: random.Random, data: bytes) -> bytes:
    """Change values of a manifest or a signature, or put something else in its place."""
    try:
        found = json.loads(data)
    except ValueError:
        return data
    if not isinstance(found, dict) or rng.random() < 0.1:
        found = rng.choice([{}, [], 1, "x", None, [found], {"x": found}])
    else:
        broken(rng, found, PlanSchema)
    return json.dumps(found).encode("utf-8", "replace")


def _disturb(rng: random.Random, folder: Path) -> None:
    """Put links, pipes, folders and foreign files where none belong, open things to others, or take them away."""
    places = [folder / "held", folder / "log.jsonl"]
    places += [p for top in ("held", "signed") for p in sorted((folder / top).rglob("*"))]
    place = rng.choice([p for p in places if p.exists()])
    what = rng.randrange(6)
    if what == 0:
        place.chmod(0o755 if place.is_dir() else 0o644)
        return
    if what == 1 and place.is_dir():
        (place / rng.choice(["x", ".x", "manifest.json", "signature.json", "é" * 80])).write_text("x", encoding="utf-8")
        return
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink()
    if what == 2:
        place.symlink_to(rng.choice([".", "nowhere", place.name, folder / "people.csv"]))
    elif what == 3:
        os.mkfifo(place)
    elif what == 4:
        place.mkdir(mode=0o700)
    elif what == 5:
        place.write_text(rng.choice(["", "x", "{}"]), encoding="utf-8")


def _options(rng: random.Random) -> tuple[str, ...]:
    """Draw who signs, when, and what else is asked for."""
    found: list[str] = ["--by", rng.choice(WHO)]
    if rng.random() < 0.4:
        found += ["--on", rng.choice(DAYS)]
    if rng.random() < 0.15:
        found += ["--study", rng.choice([".", "held", "nowhere", "people.csv", "", "x" * 3000])]
    if rng.random() < 0.15:
        found += ["--link", rng.choice(["link.csv", "people.csv", "held/x.csv", ".", "", "no/where.csv", "x" * 3000])]
    if rng.random() < 0.15:
        found += ["--destroy-secret", *(["--yes"] if rng.random() < 0.7 else [])]
        found += ["--giving-up", rng.choice(["Two", "one", "x", ""])] if rng.random() < 0.5 else []
    return (*found, *(["--keep-order"] if rng.random() < 0.2 else []))
