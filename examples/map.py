"""Map risk against utility, choose a release within a limit, search for better ones."""

from __future__ import annotations

import sys
from pathlib import Path

import confide as cf

cps = cf.examples.cps()
# [family]
family = cf.Release(
    cf.Recode("age", width=cf.vary("age", 2, 5, 10)),
    cf.Swap("race", rate=cf.vary("race", 0.02, 0.1, 0.3)),
    cf.Swap("marital", rate=cf.vary("marital", 0.02, 0.1, 0.3)),
)
neighbour = cf.Intruder(knows=["sex", "race", "marital", "age"], name="neighbour")
colleague = cf.Intruder(knows=["sex", "race", "age"], name="colleague")
# [map]
ru = cf.ru_map(
    cps, family, [neighbour, colleague],
    risk=[cf.ExpectedMatches(), cf.WorstGroup(cf.ExpectedMatches(), by="race"), cf.FileMeasure(cf.k_anonymity)],
    utility=cf.RegressionKept("income ~ age + C(race) + C(marital) + C(sex)"),
    seed=7,
)  # fmt: skip
print(ru)
# [choose]
choice = ru.choose(max_risk=0.01, limits={"expected_matches by race": {"neighbour": 0.1}})
print(f"\n{choice}\n{choice.verify(seeds=3)}")
# [search]
space = cf.Release(
    cf.Recode("age", width=cf.vary("age", 2, 3, 4, 5, 6, 8, 10)),
    cf.vary("race", kept=None, swapped=cf.Swap("race", rate=cf.vary_between("race rate", 0.01, 0.3, log=True))),
    cf.vary("marital", kept=None, swapped=cf.Swap("marital", rate=cf.vary_between("marital rate", 0.01, 0.3, log=True))),
)
found = cf.search_releases(
    cps, space, [neighbour, colleague], risk=cf.ExpectedMatches(), utility=ru.utility, seed=7,
    budget=cf.Budget(evaluations=54),
)  # fmt: skip
print(f"\n{found}\n\n{cf.compare_maps(found, ru)}")
# [draw]
if len(sys.argv) > 1:
    ru.plot(Path(sys.argv[1]) / "map.svg", max_risk=0.01, overwrite=True)
