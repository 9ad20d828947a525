"""Tables 3 to 6 of Reiter (2005), recomputed on a synthetic file of the same shape.

Reiter, J. P. (2005). Estimating risks of identification disclosure in microdata. Journal of the
American Statistical Association 100, 1103-1112.

Why the numbers are not the printed ones: the file is synthetic. It was made so that what the paper
prints about it holds: every entry of Table 3 without swaps, the uniques of Table 4, the counts of
Table 5 above the cuts, the first two rows of Table 6 without P. What hangs on other details of the
real file, or on which records were drawn for swapping, is near the printed numbers and not equal.
Two choices differ from the paper on purpose; both are shown at the end.
"""

import numpy as np

import confide as cf

cps = cf.examples.cps()
# With this seed the swaps change the four units as in the paper's Table 2: Unique and Big P are
# released as married (1), Everyman and Big I as they are, with and without the age recode.
SEED = 2978

# [strategies]
base = ["sex", "race", "marital", "age"]
neighbour = cf.Intruder(knows=base, name="no P")
taxman = cf.Intruder(knows=[*base, "property_tax"], name="P known")
stranger = neighbour.but(target_in_file=False, name="unsure")

age = cf.Recode("age", width=5)
swaps = cf.Swap("race", rate=0.30), cf.Swap("marital", rate=0.30)
noise = cf.Noise("property_tax", sd=0.10, relative_to="positive", keep_zero=True, lower=0)
top = cf.Topcode("property_tax", at=3000)
below = cf.Noise("property_tax", sd=290.7, keep_zero=True, lower=0, upper=3000)
strategies = [
    cf.Release(name="No SDL"),
    cf.Release(age, name="Age recode"),
    cf.Release(*swaps, name="RM swap"),
    cf.Release(age, *swaps, name="Age recode + RM swap"),
    cf.Release(age, *swaps, noise, name="Age recode + RM swap + P perturb"),
    cf.Release(age, *swaps, top, below, name="Age recode + RM swap + P perturb/top code"),
]
released = [release.apply(cps, seed=SEED) for release in strategies]

# [units]
who = {
    "Everyman": {"sex": 1, "age": 43, "race": 1, "marital": 1, "property_tax": 635, "income": 40000},
    "Unique": {"sex": 2, "age": 39, "race": 3, "marital": 3},
    "Big I": {"income": 768742},
    "Big P": {"property_tax": 99997, "sex": 2, "age": 79, "income": 94552},
}
rows = {name: int(cf.Targets.where(**values).resolve(cps)[1][0]) for name, values in who.items()}
units = cf.Targets.of_rows(list(rows.values()))


def shown(value):
    """Write a column's value: numbers without decimals, labels as they are."""
    return f"{value:.0f}" if isinstance(value, float) else str(value)


print("Table 2. The four units: original values, and altered ones in the fifth release\n")
print(f"{'':10} {'':9} {'sex':>4} {'age':>6} {'race':>5} {'marital':>8} {'P':>7} {'income':>7}")
for name, row in rows.items():
    for first, word, file in ((name, "original", cps), ("", "altered", released[4].data)):
        one = file.take(np.array([row]))
        cells = [shown(one.column(v).values()[0]) for v in ("sex", "age", "race", "marital", "property_tax", "income")]
        print(f"{first:10} {word:9} {cells[0]:>4} {cells[1]:>6} {cells[2]:>5} {cells[3]:>8} {cells[4]:>7} {cells[5]:>7}")


# [tables]
def cell(links, k):
    """A probability with the number of other records at least as probable."""
    return f"{links.own[k]:.2g} ({links.others_at_least[k]})"


def table(head, columns, printed):
    """Print ours above the paper's, unit by unit."""
    print(f"{'':10} {'':6}" + "".join(f"{h:>24}" for h in head))
    for k, name in enumerate(rows):
        print(f"{name:10} {'ours':6}" + "".join(f"{c[k]:>24}" for c in columns))
        print(f"{'':10} {'paper':6}" + "".join(f"{p:>24}" for p in printed[k]))


four = released[:4]
head = [file.name for file in four]
in_file = [cf.link(file, neighbour, units) for file in four]
print("\n\nTable 3. The intruder knows sex, race, marital status and age, and that the target is in the file")
print("(in parentheses: other records at least as probable as the target's own)\n")
table(
    head,
    [[cell(links, k) for k in range(4)] for links in in_file],
    [
        [".0022 (454)", ".00045 (2229)", ".0023 (409)", ".00045 (2025)"],
        ["1 (0)", "1 (0)", ".022 (9)", ".0047 (48)"],
        [".0029 (344)", ".00067 (1497)", ".0031 (299)", ".00069 (1354)"],
        [".0060 (165)", ".0013 (775)", ".0046 (168)", ".00097 (835)"],
    ],
)
unsure = [cf.link(file, stranger, units) for file in four]
print("\n\nTable 3, continued. The intruder is unsure that the target is in the file; N_t from the weights\n")
table(
    head,
    [[f"{links.own[k]:.2g}" for k in range(4)] for links in unsure],
    [
        [".000001", ".0000002", ".000001", ".0000002"],
        [".00032", ".00032", ".000001", ".0000003"],
        [".000002", ".0000003", ".000002", ".0000003"],
        [".000003", ".0000006", ".000002", ".0000005"],
    ],
)

three = [released[0], released[3], released[4]]
known = [cf.link(file, taxman, units) for file in three]
print("\n\nTable 4. The intruder knows the property tax P, too, and that the target is in the file\n")
table(
    ["No SDL", "Age recode + RM swap", "... + P perturb"],
    [[cell(links, k) for k in range(4)] for links in known],
    [
        [".5 (1)", ".5 (1)", ".0016 (134)"],
        ["1 (0)", ".01 (26)", ".01 (26)"],
        [".14 (6)", ".05 (20)", ".0028 (29)"],
        ["1 (0)", "1 (0)", "1 (0)"],
    ],
)

print("\n\nTable 5. Big P when P is topcoded; age recoded, race and marital status swapped, no noise\n")
print(f"{'cut':>7} {'records above':>14} {'paper':>6} {'probability':>14} {'paper':>11}")
tax = cps.column("property_tax").numbers
big_p = cf.Targets.of_rows([rows["Big P"]])
for cut, count, printed in (
    (35_000, "28", ".500 (1)"),
    (10_000, "253", ".216 (3)"),
    (5_000, "1,100", ".056 (14)"),
    (3_000, "3,448", ".016 (52)"),
):
    file = cf.Release(age, *swaps, cf.Topcode("property_tax", at=cut)).apply(cps, seed=SEED)
    links = cf.link(file, taxman, big_p)
    ours = f"{links.own[0]:.3f} ({links.others_at_least[0]})"
    print(f"{cut:7,} {int((tax > cut).sum()):14,} {count:>6} {ours:>14} {printed:>11}")

# [table6]
grid = cf.assess(released, [neighbour, taxman])
paper = [
    (2102, 31175, 2192, 26839, 521, 21750),
    (496, 22878, 622, 18747, 96, 13746),
    (143, 31484, 1292, 24748, 264, 23891),
    (8, 21905, 337, 16801, 43, 12739),
    (8, 1164, 337, 1854, 43, 1573),
    (8, 267, 337, 1307, 43, 914),
]
print("\n\nTable 6. The whole file: every respondent is a target known to be in the file\n")
print(f"{'':49}{'Prob. > .2':>17}{'Expected matches':>18}{'Unique matches':>17}")
print(f"{'':49}" + f"{'no P':>9}{'P known':>9}" * 3)
for k, release in enumerate(strategies):
    a, b = grid.scenarios[2 * k], grid.scenarios[2 * k + 1]
    ours = (a.perceived, b.perceived, a.expected_matches, b.expected_matches, a.unique_matches, b.unique_matches)
    print(f"{release.name:42} {'ours':6}" + "".join(f"{round(x):9,}" for x in ours))
    print(f"{'':42} {'paper':6}" + "".join(f"{x:9,}" for x in paper[k]))

# [identities]
print("\n\nWhat must hold, and does\n")
plain, plain_unsure = in_file[0], unsure[0]
n_t, big_n = plain.sample_matches, plain_unsure.population_matches
print(f"Without masking Pr(own record) = 1/n_t:         {bool(np.allclose(plain.own, 1 / n_t))}")
print(f"Unsure, without masking Pr(own record) = 1/N_t: {bool(np.allclose(plain_unsure.own, 1 / big_n))}")
print(f"... and Pr(null link) = (N_t - n_t)/N_t:        {bool(np.allclose(plain_unsure.null, (big_n - n_t) / big_n))}")
naive = cf.link(released[2], neighbour.but(understands_masking=False))
changed = np.zeros(cps.n, dtype=bool)
for name in ("race", "marital"):
    changed |= np.array(released[2].data.column(name).values()) != np.array(cps.column(name).values())
missed = bool((naive.own[changed] == 0).all())
print(f"The naive intruder gives 0 to all {int(changed.sum()):,} records that a swap changed: {missed}")
print(f"... and finds every other one among the best:   {bool(naive.own_is_best[~changed].all())}")
print(f"Noise leaves Big P at one:                      {bool(known[2].own[3] > 0.9999)}")

# [approximation]
print("\n\nTwo choices that differ from the paper\n")
print("1. Pr(z^Ap | z^Ad) is the joint sum over race and marital status (eq. 5), not the product of two dot products.")
product = neighbour.but(beliefs=cf.FittedBeliefs(product_of_dot_products=True))
both = cf.link(released[3], neighbour, units), cf.link(released[3], product, units)
print("   Age recode + RM swap, no P:")
for k, name in enumerate(rows):
    print(f"   {name:10} joint sum {both[0].own[k]:.6f}   product of dot products {both[1].own[k]:.6f}")
matrix = released[2].steps[0].channels["race"]
print("\n2. The swap matrix is Pr(released | true): rows (true) sum to one. Race, 30 per cent swapped:")
for i, level in enumerate(matrix.levels):
    entries = matrix.matrix[0, i]
    print(f"   true {level}: " + "  ".join(f"{x:.4f}" for x in entries) + f"   sum {entries.sum():.4f}")
# [end]
