"""Why the paper perceives fewer identifications when race and marital status are swapped (Table 6).

Equation (5) needs Pr(released | true), whose rows (true) sum to one. The entries of the paper's worked
example (released black; true white .05, black .75, Native American .10, Asian .10) sum to one over
the true value instead. This script computes Table 6 (no P) with both, from scratch.
"""

import numpy as np

import confide as cf

SEED = 2978
cps = cf.examples.cps()
codes = {name: np.array(cps.column(name).values()) - 1 for name in ("sex", "race", "marital")}
fives = (cps.column("age").numbers // 5).astype(int)
swaps = cf.Swap("race", rate=0.30), cf.Swap("marital", rate=0.30)
released = cf.Release(*swaps).apply(cps, seed=SEED)
z_race, z_marital = (np.array(released.data.column(name).values()) - 1 for name in ("race", "marital"))
race, marital = (step.channels[name].matrix[0] for step, name in zip(released.steps, ("race", "marital"), strict=True))

# beliefs: the shares of the 28 combinations among people of the same sex and five years of age
group = codes["sex"] * 100 + fives
shares = np.zeros((group.max() + 1, 4, 7))
np.add.at(shares, (group, codes["race"], codes["marital"]), 1.0)
shares /= np.maximum(shares.sum(axis=(1, 2), keepdims=True), 1.0)
# Pr(z_j | J = j, t): from the target's true levels to the released ones
likelihood = race[:, None, :, None] * marital[None, :, None, :]


def table_6(block, marginal):
    """Perceived identifications, expected matches and unique matches of all respondents."""
    perceived, expected, unique = 0, 0.0, 0
    for b in np.unique(block):
        here = np.flatnonzero(block == b)
        records = np.zeros((4, 7))
        np.add.at(records, (z_race[here], z_marital[here]), 1.0)
        score = likelihood / marginal[group[here[0]]]
        total = (score * records).sum(axis=(2, 3))
        best = np.where(records > 0, score, 0.0).max(axis=(2, 3))
        ties = (records * (score >= best[:, :, None, None] * (1 - 1e-9))).sum(axis=(2, 3))
        r, m = codes["race"][here], codes["marital"][here]
        perceived += int((best[r, m] / total[r, m] > 0.2).sum())
        right = score[r, m, z_race[here], z_marital[here]] >= best[r, m] * (1 - 1e-9)
        expected += float((right / ties[r, m]).sum())
        unique += int((right & (ties[r, m] == 1)).sum())
    return perceived, expected, unique


def line(name, figures):
    """Print one line of the table."""
    print(f"{name:58} {figures[0]:11,.0f} {figures[1]:10,.0f} {figures[2]:7,.0f}")


exact = codes["sex"] * 1000 + cps.column("age").numbers.astype(int)
rows = np.einsum("gij,ik,jl->gkl", shares, race, marital)
columns = np.einsum("gij,ik->gk", shares, race.T)[:, :, None] * np.einsum("gij,jl->gl", shares, marital.T)[:, None, :]
for title, block, paper in (("RM swap", exact, (143, 1292, 264)), ("Age recode + RM swap", group, (8, 337, 43))):
    print(f"{title:58} {'Prob. > 0.2':>11} {'Expected':>10} {'Unique':>7}")
    line("  Pr(released | true), joint sum", table_6(block, rows))
    line("  entries that sum to one over the true, two dot products", table_6(block, columns))
    line("  the paper", paper)
    print()
