"""The inputs that nobody would write: they are the same for the same seed, faults are seen, and a small run finds none."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FUZZ = ROOT / "benchmarks" / "fuzz.py"


@pytest.fixture(autouse=True)
def _path(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


def files_of(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.parametrize("kind", ["plans", "texts", "hierarchies", "cells", "toml"])
def test_an_input_is_made_of_its_seed_kind_and_number_alone(tmp_path, kind):
    from fuzzing.case import randomness
    from fuzzing.kinds import KINDS

    def made(folder, number):
        folder.mkdir()
        case = KINDS[kind](randomness(5, kind, number), folder)
        return case.commands, files_of(folder)

    one, same, other = made(tmp_path / "a", 3), made(tmp_path / "b", 3), made(tmp_path / "c", 4)
    assert one == same
    assert one != other


def test_what_goes_wrong_is_seen(tmp_path):
    from fuzzing.judge import PEAK, SECONDS, Outcome, complaints

    def seen(**given):
        usual = {"code": 0, "out": "risk 0.25", "err": "", "seconds": 0.1, "peak": 10**8}
        return complaints(Outcome(**(usual | given)), figures=True)

    (tmp_path / "a.json").write_text('{"risk": NaN}')
    (tmp_path / "b.csv").write_text("name,risk\nnancy,-inf\n")
    (tmp_path / "c.html").write_text("<td>nan</td>")
    (tmp_path / "d.csv").write_text("name,risk\nnancy information,\n")
    assert seen() == []
    assert seen(code=1, err="confide: internal error: x")[0].startswith("exit code 1")
    assert "panicked" in seen(code=2, err="thread 'x' panicked at y")[0]
    assert seen(code=2) == ["exit code 2 without a word"]
    assert seen(warned=("RuntimeWarning: x",)) == ["warning: RuntimeWarning: x"]
    assert len(seen(seconds=SECONDS + 1, peak=PEAK + 1)) == 2
    assert seen(out="risk nan, utility 1") == ["undefined: standard output: 'risk nan, utility 1'"]
    assert len(seen(files=tuple(tmp_path / n for n in ("a.json", "b.csv", "c.html", "d.csv")))) == 3


def test_every_key_of_a_plan_is_drawn_somewhere(tmp_path):
    """Tables whose keys are never drawn would never be tried."""
    from fuzzing.case import randomness
    from fuzzing.drawing import Drawer
    from fuzzing.plans import Chooser
    from fuzzing.scene import scene

    from confide.plan import schema_harm, schema_intruder, schema_map, schema_measures, schema_methods, schema_tables
    from confide.plan.table import Table

    rng = randomness(1, "keys", 0)
    drawer = Drawer(rng, Chooser(scene(rng, tmp_path)))
    rooms = (schema_harm, schema_intruder, schema_map, schema_measures, schema_methods, schema_tables)
    classes = {m for room in rooms for m in vars(room).values() if isinstance(m, type)}
    models = {m for m in classes if issubclass(m, Table) and m is not Table}
    for model in models:
        for _ in range(250):
            drawer.table(model)
    wanted = {(m.__name__, key) for m in models for key in m.model_fields}
    assert len(wanted) > 200
    assert len(wanted & drawer.seen) >= 0.9 * len(wanted), sorted(wanted - drawer.seen)


def test_every_key_beside_the_tables_is_drawn_and_passes_somewhere(tmp_path):
    """How data are read, roles, outputs, limits, the report and the secret: in plans that pass the schema."""
    from fuzzing.case import randomness
    from fuzzing.plans import draw_plan

    from confide.errors import ConfideError
    from confide.plan import schema
    from confide.plan.load import load_schema

    tables = {"PlanSchema": (), "DataTable": ("data",), "RolesTable": ("data", "roles"), "OutputTable": ("output",),
              "LimitsTable": ("limits",), "ReportTable": ("report",), "ReleaseTable": ("release",)}  # fmt: skip
    seen = set()
    for number in range(900):
        folder = tmp_path / str(number)
        folder.mkdir()
        draw_plan(randomness(3, "plans", number), folder)
        try:
            load_schema(folder / "plan.toml")
        except ConfideError:
            continue
        plan = tomllib.loads((folder / "plan.toml").read_text(encoding="utf-8"))
        for model, path in tables.items():
            found = plan
            for step in path:
                found = found.get(step, {})
            for one in found if isinstance(found, list) else [found]:
                seen |= {(model, key) for key in one}
    wanted = {(m, f.alias or key) for m in tables for key, f in getattr(schema, m).model_fields.items()}
    assert len(wanted) > 55
    assert wanted <= seen, sorted(wanted - seen)


@pytest.mark.slow
def test_a_small_run_finds_nothing_and_most_plans_pass(tmp_path):
    found = subprocess.run(
        [sys.executable, str(FUZZ), "--seed", "2", "--inputs", "300", "--minutes", "5", "--findings", str(tmp_path)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr
    assert "300 inputs, 0 with a finding" in found.stdout
    (plans,) = [line.split("|") for line in found.stdout.splitlines() if line.startswith("| plans |")]
    assert float(plans[3].strip().rstrip("%")) >= 60
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_dies_is_told_with_its_input():
    from fuzzing import pool

    told = pool._told((1, "texts", 4), "the process died with code -9", "")
    assert told["found"] == ["the process died with code -9"]
    assert told["number"] == 4
