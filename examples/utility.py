"""What is a masked file still good for? Four releases of the example file, and the uses its readers have."""

import numpy as np

import confide as cf

# [releases]
people = cf.examples.cps()
releases = [
    cf.Release(cf.Noise("age", sd=2), cf.Noise("income", sd=2_000), name="little noise").apply(people, seed=1),
    cf.Release(cf.Noise("age", sd=15), cf.Noise("income", sd=60_000), name="much noise").apply(people, seed=1),
    cf.Release(cf.Recode("age", width=10), cf.Topcode("income", at=200_000), name="recoded").apply(people, seed=1),
    cf.Release(cf.Swap("race", rate=0.3), cf.Swap("marital", rate=0.3), name="swapped").apply(people, seed=1),
]
# [one]
means = cf.MeansKept(["age", "income"])
print(f"{means.title} by 'recoded':\n")
print(f"{'':14}{'source':>10}{'released':>10}{'bias':>10}{'error':>8}{'kept':>7}")
for row in means.of(releases[2]).to_frame().iter_rows(named=True):
    figures = f"{row['source']:10,.2f}{row['released']:10,.2f}{row['bias']:10,.2f}{row['source_se']:8,.2f}"
    print(f"{row['estimate']:14}{figures}{row['efficiency']:7.3f}")
for note in means.of(releases[2]).notes:
    print("note:", note)
# [several]
variables = ["age", "sex", "race", "marital", "education", "income"]


def poverty(data):
    """Give the share below half of the median income, with its standard error."""
    x = data.column("income").numbers
    share = float(np.mean(x < np.median(x) / 2))
    return {"poor": (share, (share * (1 - share) / x.size) ** 0.5)}


table = cf.compare(
    releases,
    [
        means,
        cf.QuantilesKept(["age", "income"]),
        cf.CovariancesKept(["age", "income"]),
        cf.RegressionKept("income ~ age + sex + marital"),
        cf.OwnAnalysis(poverty, "Poverty"),
        cf.Hellinger(variables),
        cf.Hellinger(variables, ways=2),
        cf.PropensityScore(variables),
        cf.IL1s(["age", "income"], per_value=True),
    ],
)
print("\n\nFour releases, nine uses\n")
print(table)
# [efficiency]
print("\n\nEfficiency: what is left of the unmasked file\n")
frame = table.to_frame().drop_nulls("efficiency")
for release in table.releases:
    left = frame.filter(frame["release"] == release)["efficiency"]
    print(f"{release:14}least {left.min():.3f}, largest {left.max():.3f}")
# [propensity]
print("\n\nCan released records be told from source records?\n")
print(f"{'':14}{'pMSE':>10}{'ratio':>9}{'with interactions':>19}{'ratio':>9}")
for released in releases:
    plain, more = (cf.PropensityScore(variables, interactions=k).of(released) for k in (False, True))
    print(f"{released.name:14}{plain.value:10.2g}{plain.ratio:9.2f}{more.value:19.2g}{more.ratio:9.2f}")
# [precision]
print("\n\nThe utility of the R-U map, over 20 seeds\n")
measure = cf.MeanPrecision("income")
noisy = [cf.Release(cf.Noise("income", sd=30_000)).apply(people, seed=k) for k in range(20)]
found, best = measure.over(noisy), measure.unmasked(people)
print(f"U = {found.value:.3g} (Monte Carlo error {found.se:.1g}), unmasked {best.value:.3g}")
print(f"efficiency {found.efficiency(best):.3f}")
