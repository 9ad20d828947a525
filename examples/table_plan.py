"""Protect the tables of a plan, audit another program's pattern, and draw ways to protect a table on one map."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import polars as pl

import confide as cf
from confide.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
os.chdir(tempfile.mkdtemp())
cf.write(cf.examples.cps(), "cps.csv")
Path("plan.toml").write_text((ROOT / "docs" / "table-plan-example.toml").read_text(encoding="utf-8"), encoding="utf-8")

print("$ confide table plan.toml")
main(["table", "plan.toml"])

print("\nWhat is published")
published = pl.read_csv("held/by-race-marital-status-and-sex/race-marital-sex.csv", infer_schema=False)
print(published.filter(pl.col("race") == "3").write_csv(), end="")

print("\nWhat stays inside")
inside = pl.read_csv("race-marital-sex-internal.csv", infer_schema_length=None)
shown = ["race", "marital", "sex", "status", "respondents", "lower", "low", "high"]
print(inside.filter(pl.col("status") == "primary").select(shown).write_csv(float_precision=1), end="")

# [audit]
theirs = inside.select(
    "race", "marital", "sex", pl.col("status").replace_strict({"primary": "u"}, default="s").alias("sdcStatus")
)
theirs.write_csv("theirs.csv")
print("\n$ confide audit plan.toml --table ... --pattern theirs.csv")
code = main(["audit", "plan.toml", "--table", "by race, marital status and sex", "--pattern", "theirs.csv"])
print(f"exit code {code}")

# [python]
print("\nThe same in Python")
table = cf.tabulate(cf.examples.cps(), ["race", "marital", "sex"], "property_tax")
done = cf.protect_table(table, cf.MinimumFrequency(5) | cf.PPercentRule(10))
print(done)

# [map]
print("\nWays to protect it")
table = cf.tabulate(cf.examples.cps(), ["race", "education", "sex"], "property_tax", keys=cf.RecordKeys(seed=1))
rule = cf.MinimumFrequency(5) | cf.PPercentRule(10)
way = cf.TableCandidate
ways = {
    "nothing": way(method=cf.NoProtection()),
    "sensitive cells only": way(method=cf.PrimaryOnly()),
    "fewer than 3": way(cf.MinimumFrequency(3)),
    "p 5": way(cf.PPercentRule(5)),
    "p 10": way(cf.PPercentRule(10)),
    "both rules": way(),
    "both rules, fewest cells": way(method=cf.Suppression(costs=cf.EqualCosts())),
    **{f"rounded to {base:,}": way(method=cf.ControlledRounding(base)) for base in (50, 200, 1_000, 5_000)},
    "adjusted": way(method=cf.TabularAdjustment(keys=cf.RecordKeys(seed=1))),
    **{f"noise up to {share:.0%}": way(method=cf.CellKeys(cf.MagnitudeNoise(share))) for share in (0.1, 0.3, 0.5)},
}
ru = cf.table_map(table, rule, ways, share=0.1).on("cells_kept")
print(ru)
if len(sys.argv) > 1:
    ru.plot(Path(sys.argv[1]) / "table-map.svg", overwrite=True)
