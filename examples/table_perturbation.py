"""Tables with changed values: rounded, adjusted, or with noise by cell keys; and what they still tell."""

# [table]
import random

import numpy as np

import confide as cf

REGIONS, BRANCHES = ["all", "north", "south", "west"], ["all", "farms", "mills", "mines", "shops"]
turnover = np.array([[20, 50, 10, 80], [8, 19, 22, 70], [17, 32, 12, 44]])
plain = cf.nested_system(turnover)
names = [f"{region}/{branch}" for region in REGIONS for branch in BRANCHES]
table = cf.System(plain.values, plain.equations, names=names)
sensitive = [names.index("south/mines"), names.index("north/mines")]
levels = cf.Protection.of(table, sensitive, 0.2)


def show(values):
    """Print the table."""
    print(f"{'':6}" + "".join(f"{b:>7}" for b in BRANCHES))
    for region, row in zip(REGIONS, values.reshape(4, 5), strict=True):
        print(f"{region:6}" + "".join(f"{round(v, 2):>7g}" for v in row))


print("The true table")
show(table.values)

# [round]
print("\nRounded to multiples of 5")
rounded = cf.round_table(table, 5, protection=levels)
print(rounded)
show(rounded.values)
low, high = rounded.intervals()
for cell in sensitive:
    shown = f"{table.values[cell]:g} is published as {rounded.values[cell]:g}"
    print(f"  {names[cell]}: {shown}, in [{low[cell]:g}, {high[cell]:g}]")
print(rounded.audit())
wider = cf.round_table(table, 10, protection=levels)
print(wider)
print(wider.audit())
quick = cf.round_table(table, 5, method=cf.FamilyRounding())
print(quick)

# [adjust]
print("\nAdjusted")
adjusted = cf.adjust_table(table, levels)
print(adjusted)
show(adjusted.values)
for name, share in adjusted.largest(3):
    print(f"  {name} changed by {share:.1%}")
held = cf.adjust_table(table, levels, frozen=[c for c in range(table.n) if "all" in names[c]])
print(held)
try:
    cf.adjust_table(table, levels, frozen=np.setdiff1d(np.arange(table.n), sensitive))
except cf.Unprotectable as e:
    print(e)

# [noise]
print("\nNoise of counts")
noise = cf.PerturbationTable.of(3, 1.5, js=1)
print("published:", "  ".join(f"{j:5d}" for j in range(8)))
for count in range(5):
    shares = [float(noise.likelihood(j, np.array([count]))[0]) for j in range(8)]
    print(f"count {count}:  ", "  ".join(f"{p:5.3f}" for p in shares))

# [keys]
print("\nCell keys")
draw = random.Random(3)
people = cf.Microdata.from_dict(
    {
        "region": [draw.choice(["north", "north", "south", "west"]) for _ in range(120)],
        "branch": [draw.choice(["farms", "mills", "mills", "mines"]) for _ in range(120)],
        "pay": [round(draw.lognormvariate(3, 0.8)) for _ in range(120)],
    }
)
counts = cf.perturb_cells(people, ["region", "branch"], noise=cf.CountNoise(noise), keys=cf.RecordKeys(seed=1))
print(counts)
alone = cf.perturb_cells(people, "branch", noise=cf.CountNoise(noise), keys=cf.RecordKeys(seed=1))
same = [float(t.values[t.table.cell(branch="mines")]) for t in (counts, alone)]
print(f"mines in both tables: {same[0]:g} and {same[1]:g}, truly {alone.table.values[alone.table.cell('mines')]:g}")
for share, off in counts.additivity().items():
    print(f"  {share:.0%} of the sums are off by at most {off:g}")
noise = cf.MagnitudeNoise(share=0.2, least=0.2)
pay = cf.perturb_cells(people, ["region", "branch"], "pay", noise=noise, keys=cf.RecordKeys(seed=1))
print(pay)

# [intruder]
print("\nWhat an intruder makes of it")
even = counts.posterior(5, np.ones(30))
print("published 5, every count as likely:", {i: round(float(p), 3) for i, p in enumerate(even) if p > 0})
print(f"the true count has probability {counts.recognised(np.ones(200)).mean():.3f} on average")
together = counts.consistent_counts()
width = together.high - together.low
print(f"with all sums: {width.min():g} to {width.max():g} wide, {together.exposed.size} cell(s) given away")
little = cf.CountNoise(cf.PerturbationTable.of(1, 0.6))
keys = [cf.RecordKeys(seed=seed) for seed in range(1, 41)]
tries = [cf.perturb_cells(people, ["region", "branch"], noise=little, keys=k) for k in keys]
found = [t.consistent_counts().exposed.size for t in tries]
print(f"with noise of 1 at most: {np.count_nonzero(found)} of 40 seeds give cells away, up to {max(found)} of 16")
