"""Which cells of a table must stay unpublished, and what can be deduced all the same."""

# [table]
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
    """Print the table, x where a value is not published."""
    print(f"{'':6}" + "".join(f"{b:>7}" for b in BRANCHES))
    for region, row in zip(REGIONS, values.reshape(4, 5), strict=True):
        print(f"{region:6}" + "".join(f"{'x' if np.isnan(v) else f'{v:g}':>7}" for v in row))


# [audit]
print("The sensitive cells alone are not published")
only = cf.audit(table, sensitive, levels)
print(only)
for e in only.exposed:
    print(f"  {e.name}: between {e.low:g} and {e.high:g}")

# [suppress]
print("\nA pattern")
pattern = cf.suppress(table, protection=levels)
print(pattern)
show(pattern.published)
print(pattern.audit)
proof = cf.audit(table, pattern.suppressed, levels)
for cell in pattern.suppressed:
    low, high = proof.interval(cell)
    print(f"  {table.name(cell):12} {table.values[cell]:4g} in [{low:g}, {high:g}]")

# [exact]
print("\nThe cheapest pattern")
best = cf.suppress(table, protection=levels, method=cf.Exact())
print(best)
fewest = cf.suppress(table, protection=levels, method=cf.Exact(), costs=np.ones(table.n))
print(fewest)

# [insiders]
print("\nRespondents look too")
firm = cf.Attacker.knowing(table, sensitive[:1], "the only firm of south/mines")
seen = cf.audit(table, best.suppressed, levels, [firm])
print(seen)
held = cf.suppress(table, protection=levels, method=cf.Exact(), attackers=[firm])
print(held)
show(held.published)

# [reason]
print("\nWhat cannot be done")
frozen = [c for c in range(table.n) if names[c].startswith(("all", "south")) or "mines" not in names[c]]
try:
    cf.suppress(table, protection=levels, frozen=np.setdiff1d(frozen, sensitive))
except cf.Unprotectable as e:
    print(e)
