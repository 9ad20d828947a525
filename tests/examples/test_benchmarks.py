"""The commands of docs/benchmarks.md work, at a small size."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from outside import SHARED, needs

ROOT = Path(__file__).parents[2]


def run(name, arguments):
    paths = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    ran = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / name), *arguments],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.slow
def test_the_benchmark_of_harm_runs():
    rows = run("harm.py", ["--sizes", "1000", "2000", "--replicates", "20", "--targets", "2000"])
    assert [line for line in rows if line.startswith("| 2,000 |")]
    (total,) = [line for line in rows if line.startswith("| all |")]
    assert 0.8 <= float(total.split("|")[3]) <= 1.0
    assert [line for line in rows if "inferential disclosure" in line]


@pytest.mark.slow
def test_the_benchmark_of_calibration_runs():
    table = run("calibration.py", ["table", "--size", "40", "--times", "3", "--part", "1/12"])
    assert len([line for line in table if line.startswith("| ")]) > 60
    assert not [line for line in table if line.startswith("NO REASON")]
    rule = run("calibration.py", ["rule", "--tables", "3", "--rows", "2", "--times", "100"])
    assert [line.split("|")[3].strip() for line in rule if line.startswith("| right")] == ["0", "0"]


@pytest.mark.slow
def test_the_benchmark_of_frequencies_runs():
    printed = run("frequencies.py", ["--sizes", "1000", "2000", "--together"])
    rows = [line for line in printed if line.startswith("| 2,000 |")]
    assert len(rows) == 5
    assert all(" for x 2 |" in row for row in rows), "growth is told"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["approximate", "--sizes", "300", "--wide-sizes", "300"], "| 300 |"),
        (["accuracy", "--instances", "6"], "| propagation alone |"),
    ],
)
def test_the_joint_benchmark_runs(arguments, shown):
    rows = [line for line in run("joint.py", arguments) if line.startswith(shown)]
    assert rows
    if arguments[0] == "approximate":
        cells = [cell.strip() for cell in rows[0].split("|")]
        assert 0 < float(cells[11]) < 0.02, "held-out chains judge the answer"


@pytest.mark.slow
def test_the_benchmark_of_linkage_runs():
    rows = run("linkage.py", ["--sizes", "1000", "2000", "--mixed-sizes", "1000", "--rounds", "1"])
    (line,) = [r for r in rows if r.startswith("| 1,000 |") and r.count("|") == 8 and "process" not in r and "| 1 |" in r]
    assert 0.9 <= float(line.split("|")[6]) <= 1.0, "nearly all records of a small file are found"
    assert [r for r in rows if "within 0.05 standard deviations" in r]


@pytest.mark.slow
def test_the_benchmark_of_population_uniques_runs():
    printed = run("uniques_population.py", ["--sizes", "3000", "6000", "--together"])
    rows = [line for line in printed if line.startswith("| 6,000 |")]
    assert len(rows) == 6
    assert all(" for x 2 |" in row for row in rows), "growth is told, and every model is fitted"


@pytest.mark.slow
def test_the_benchmark_of_attacks_runs():
    rows = run("attacks.py", ["--size", "3000", "--attacks", "100", "--rounds", "1"])
    copies = [r.split("|") for r in rows if r.startswith("| adult | train itself |")]
    assert len(copies) == 5
    assert [r[4].split()[0] for r in copies[:2]] == ["1.000", "1.000"], "a copy singles out"


@pytest.mark.slow
def test_the_benchmark_of_utility_runs():
    rows = [line for line in run("utility.py", ["--sizes", "1000", "2000", "--together"]) if line.startswith("| 2,000 |")]
    assert len(rows) == 12
    assert all(" for x 2 |" in row for row in rows), "growth is told"


@pytest.mark.slow
def test_the_benchmark_of_tables_runs():
    rows = [line for line in run("tables.py", ["--sizes", "500", "1000", "--together"]) if line.startswith("| 1,000 |")]
    assert len(rows) == 5
    assert all(" for x 2 |" in row for row in rows), "growth is told"


@pytest.mark.slow
def test_the_benchmark_of_audits_runs():
    (line,) = [r for r in run("audit.py", ["--sizes", "1000", "--fresh", "6"]) if r.startswith("| 1,014 |")]
    cells = [cell.strip() for cell in line.split("|")]
    assert float(cells[12]) < 1e-6, "fresh programmes agree"


@pytest.mark.slow
def test_the_benchmark_of_patterns_runs():
    rows = run("protect.py", ["--sizes", "1000", "--insiders", "1000"])
    assert len([r for r in rows if r.startswith("| 1,014 | 1 | 127 |")]) == 1
    assert len([r for r in rows if r.startswith("| 1,014 | 73 | 127 |")]) == 1


@pytest.mark.slow
def test_the_benchmark_of_perturbed_tables_runs():
    rows = run("perturb.py", ["--sizes", "1000", "--records", "2000", "4000", "--seconds", "3"])
    assert len([r for r in rows if r.startswith("| 1,014 |")]) == 6
    assert len([r for r in rows if r.startswith("| 4,000 |") and " for x 2 |" in r]) == 2


@pytest.mark.slow
@needs("ssbtools")
def test_the_benchmark_of_tables_beside_a_peer_runs():
    rows = [r.split("|") for r in run("table_peers.py", ["--shared", str(SHARED), "--cases", "14"]) if r.startswith("| z1 ")]
    assert [r[6].strip() for r in rows[:3]] == ["6", "6", "6"]
    assert all(r[9].strip() == r[10].strip() == "0" for r in rows[:3])
