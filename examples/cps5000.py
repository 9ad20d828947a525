"""The study of Reiter (2005) on real records: 5,000 household heads of the March 2000 CPS.

The subset is public. It has no weights, so an intruder who is unsure that a target is in the file
takes the number of people like the target from elsewhere. Five partially synthetic copies of the
file, made by others, are assessed too.
"""

import os
import sys
from pathlib import Path

import numpy as np

import confide as cf

shared = Path(os.environ.get("CONFIDE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
folder = shared / "data" / "cps2000_drechsler5000"
if not folder.is_dir():
    print("The CPS files are not here; set CONFIDE_SHARED to the folder that holds data/cps2000_drechsler5000.")
    sys.exit(0)

# [read]
base = ["sex", "race", "marital", "age"]
kinds = {"tax": "continuous", "income": "continuous", "educ": "ordinal"}
cps = cf.read(folder / "cps5000.csv.gz").declare(
    key=[*base, "tax"], unavailable=["educ", "csp", "ss"], sensitive="income", kinds=kinds
)
print(cps)
tax = cps.column("tax").numbers
positive = tax[tax > 0]
print(f"\nPositive property taxes: {positive.size:,}; their sd: {positive.std(ddof=1):,.0f}; largest: {tax.max():,.0f}")

# [strategies]
age = cf.Recode("age", width=5)
swaps = cf.Swap("race", rate=0.30), cf.Swap("marital", rate=0.30)
noise = cf.Noise("tax", sd=0.10, relative_to="positive", keep_zero=True, lower=0)
top = cf.Topcode("tax", at=3000)
below = cf.Noise("tax", sd=296.2, keep_zero=True, lower=0, upper=3000)
strategies = [
    cf.Release(name="No SDL"),
    cf.Release(age, name="Age recode"),
    cf.Release(*swaps, name="RM swap"),
    cf.Release(age, *swaps, name="Age recode + RM swap"),
    cf.Release(age, *swaps, noise, name="Age recode + RM swap + P perturb"),
    cf.Release(age, *swaps, top, below, name="Age recode + RM swap + P perturb/top code"),
]
released = [release.apply(cps, seed=7) for release in strategies]
neighbour = cf.Intruder(knows=base, name="no P")
taxman = cf.Intruder(knows=[*base, "tax"], name="P known")
naive = [i.but(understands_masking=False, name=f"{i.name}, naive") for i in (neighbour, taxman)]


# [grid]
def grid(people):
    """Print the three measures of each strategy, without and with P known."""
    found = cf.assess(released, people)
    print(f"{'':42}{'Prob. > .2':>17}{'Expected matches':>18}{'Unique matches':>17}")
    print(f"{'':42}" + f"{'no P':>9}{'P known':>9}" * 3)
    for k, release in enumerate(strategies):
        a, b = found.scenarios[2 * k], found.scenarios[2 * k + 1]
        figures = (a.perceived, b.perceived, a.expected_matches, b.expected_matches, a.unique_matches, b.unique_matches)
        print(f"{release.name:42}" + "".join(f"{x:9,.0f}" for x in figures))


print("\n\nThe whole file; the intruder understands the masking (the shape of Table 6)\n")
grid([neighbour, taxman])
print("\n\nThe whole file; the naive intruder takes released values at face value\n")
grid(naive)

# [units]
print("\n\nSingle respondents (in parentheses: other records at least as probable)\n")
unit = {
    "largest tax": int(np.argmax(tax)),
    "largest income": int(np.argmax(cps.column("income").numbers)),
    "first American Indian woman": int(cf.Targets.where(sex=2, race=3).resolve(cps)[1][0]),
}
units = cf.Targets.of_rows(list(unit.values()))
widths = (14, 16, 16, 24)
print(f"{'known to be in the file':36}" + "".join(f"{r.name:>{w}}" for r, w in zip(strategies, widths, strict=False)))
for who in (neighbour, taxman):
    links = [cf.link(file, who, units) for file in released[:4]]
    for k, name in enumerate(unit):
        cells = [f"{one.own[k]:.2g} ({one.others_at_least[k]})" for one in links]
        print(f"{name + ', ' + who.name:36}" + "".join(f"{c:>{w}}" for c, w in zip(cells, widths, strict=True)))

# [unsure]
print("\n\nUnsure that the target is in the file: 'largest tax', nothing masked, no P\n")
largest = cf.Targets.of_rows([unit["largest tax"]])
for population in (cf.AtLeast(100), cf.AtLeast(1000), cf.Constant(545_000)):
    links = cf.link(released[0], neighbour.but(target_in_file=False, population=population), largest)
    name = f"{type(population).__name__}({population.n:,})"
    print(f"{name:18} n_t {links.sample_matches[0]:3}   N_t {links.population_matches[0]:9,.0f}   ", end="")
    print(f"Pr(own record) {links.own[0]:9.3g}   Pr(null link) {links.null[0]:.5f}")

# [synthetic]
print("\n\nFive partially synthetic copies, made by others; released values taken at face value\n")
copies = cf.read(folder / "synthetic_cps_m5.csv.gz").declare(kinds={**kinds, "m": "integer"})
number, row = copies.column("m").numbers, copies.column("row").numbers
files = []
for m in range(1, 6):
    here = np.flatnonzero(number == m)
    copy = copies.take(here).without(["m", "row"])
    files.append(cf.Released.from_files(cps, copy, parent=[int(r) - 1 for r in row[here]], name=f"copy {m}"))
print(f"{'':8} {'intruder':15} {'Prob. > 0.2':>11} {'Expected':>9} {'Unique':>7}", end="")
print(f" {'True rate':>10} {'False rate':>11} {'No record':>10}")
for s in cf.assess(files, naive).scenarios:
    print(f"{s.released.name:8} {s.intruder.name:15} {s.perceived:11,.0f} {s.expected_matches:9,.1f}", end="")
    print(f" {s.unique_matches:7,.0f} {s.value('true_match_rate'):10.4f} {s.value('false_match_rate'):11.4f}", end="")
    print(f" {s.contradicted:10,}")
# [end]
