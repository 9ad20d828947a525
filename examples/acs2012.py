"""A released file made by someone else: three synthetic copies of an American Community Survey file.

The files and the published figures are those of a course on data confidentiality (10,000 records of
the 2012 ACS; lectures 7 and 8). The intruder knows seven variables and takes the released values at
face value.
"""

import os
import sys
from pathlib import Path

import confide as cf

shared = Path(os.environ.get("CONFIDE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
folder = shared / "data" / "acs2012_hu"
if not folder.is_dir():
    print("The ACS 2012 files are not here; set CONFIDE_SHARED to the folder that holds data/acs2012_hu.")
    sys.exit(0)

# [assess]
knows = ["SEX", "RACE", "MAR", "LANX", "WAOB", "DIS", "HICOV"]
codes = dict.fromkeys(knows, "nominal")
source = cf.read(folder / "ACSdata_org.csv.gz").declare(kinds=codes, key=knows)
copies = [
    cf.Released.from_files(source, cf.read(folder / f"{name}.csv.gz").declare(kinds=codes), name=name, same_order=True)
    for name in ("ACSdata_syn", "ACSdata_syn2", "ACSdata_syn3")
]
intruder = cf.Intruder(knows=knows, understands_masking=False, name="face value")
answer = cf.assess(copies, intruder)
# [print]


def figures(scenario):
    """Expected match risk, true and false match rate, number of targets with one best record."""
    s = scenario
    unique = int((s.summary.at_best == 1).sum())
    return s.expected_matches, s.value("true_match_rate"), s.value("false_match_rate"), unique


def line(name, values):
    """Print one line of the table."""
    expected, true, false, unique = values
    print(f"{name:22} {expected:13.5f} {true:12.8f} {false:12.7f} {unique:8.0f}")


found = [figures(s) for s in answer.scenarios]
mean = [sum(column) / len(found) for column in zip(*found, strict=True)]
print(f"{'':22} {'expected risk':>13} {'true rate':>12} {'false rate':>12} {'unique':>8}")
line("first copy, published", (41.36863, 0.0005, 0.974359, 195))
line("first copy, ours", found[0])
line("mean of 3, published", (41.46743, 0.00056667, 0.9638026, 161))
line("mean of 3, ours", mean)
print("\nEach copy:")
for scenario, values in zip(answer.scenarios, found, strict=True):
    line(scenario.released.name, values)
print(f"\nTargets that fit no released record of the first copy: {answer.row(0).contradicted:,} of {source.n:,}")
print(f"A random guess would be right for {answer.row(0).baseline('expected_matches'):.0f} of {source.n:,} targets.")
