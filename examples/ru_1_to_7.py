"""Figures 1 to 7 of Duncan, Keller-McNulty and Stokes. Give a folder to have them drawn into it."""

import sys
from pathlib import Path

import numpy as np

import confide as cf

# [typical]
n, sigma2 = 200, 1.0
mean = cf.Snooper(cf.Typical(), cf.KnowsPopulation())
linked = cf.Snooper(cf.Typical(), cf.KnowsRecord())
figure2 = cf.analytic_map([mean, linked], n=n, sigma2=sigma2)
print("A sample of 200, noise of variance lambda2 added\n")
print(cf.analytic_map([mean, linked], n=n, lambda2=[0.05, 0.2, 0.21, 0.5, 1.0, 2.0]))
print("\nThe least noise with R at most 5:")
for snooper, choice in zip(figure2.snoopers, figure2.meets(5.0), strict=True):
    print(f"  {snooper.label}: {choice}")
print(f"\nThe mean beats the linked record from lambda2 = {cf.mean_beats_record_from(n, sigma2):.5f} on")
# [percentile]
large = cf.AsymptoticForm()
percentile = cf.AtPercentile(0.99)
printed8 = cf.Snooper(percentile, cf.KnowsPopulation(), large)
exact8 = cf.Snooper(percentile, cf.KnowsPopulation())
figure3 = cf.analytic_map([mean, linked, printed8, exact8], n=n)
print("\n\nThe 99th percentile\n")
for name, first, second in (
    ("(8) and (2)", printed8, mean),
    ("(8) and (4)", printed8, linked),
    ("exact and (2)", exact8, mean),
    ("exact and (4)", exact8, linked),
):
    print(f"{name:14} cross at lambda2 = {', '.join(f'{v:.4f}' for v in cf.crossings(first, second, n, sigma2))}")
# [extreme]
printed10 = cf.Snooper(cf.AtMaximum(), cf.KnowsPopulation(), large)
own_maximum = cf.Snooper(cf.AtMaximum(), cf.KnowsSample())
own_percentile = cf.Snooper(percentile, cf.KnowsSample())
figure4 = cf.analytic_map([mean, linked, printed8, printed10, own_maximum], n=n)
print("\n\nHow good are (8) and (10)?\n")
fixed = cf.Snooper(cf.AtMaximum(), cf.KnowsPopulation())
columns = {"(8)": printed8, "exact": exact8, "own 99th": own_percentile, "(10)": printed10, "exact ": fixed}
columns |= {"own max": own_maximum, "(4)": linked}
print(f"{'lambda2':>7}" + "".join(f"{c:>10}" for c in columns))
for lambda2 in (0.05, 0.2, 0.5, 1.0, 2.0):
    print(f"{lambda2:7}" + "".join(f"{float(cf.snooper_risk(s, n, sigma2, lambda2)):10.3f}" for s in columns.values()))
# [file]
x = cf.examples.teachers().column("income").numbers
limit = 1 / 5_000**2
position, index = cf.KnowsSample(), cf.KnowsRecord()
ends = [cf.Snooper(t, position) for t in (cf.AtMaximum(), cf.AtMinimum())]
figure5 = cf.empirical_map(x, ends, masking=cf.AddedNoise(lower=0), seed=1)
print("\n\n177 made-up incomes, masked 200 times at each of 14 variances\n")
print(figure5)
print(f"\nThe least noise on the map with R at most {limit:.1e}:")
for level in (None, 0.95):
    print("  by the estimate" if level is None else f"  by the upper end of the interval of {level:.0%}")
    for snooper, lowest, point in zip(ends, figure5.risk.min(axis=1), figure5.meets(limit, level=level), strict=True):
        if point is None:
            print(f"    {snooper.label}: none; the lowest risk is {lowest:.3g}")
        else:
            share = point.settings["lambda2"] / figure5.variance
            efficiency = point.utility * figure5.variance / figure5.n
            print(f"    {snooper.label}: {share:.2f} S2, utility {point.utility:.3g}, efficiency {efficiency:.1%}")
print("without replicates, maximum:", end="")
for fraction in (0.1, 0.12, 0.15):
    exact = cf.given_sample_risk(x, len(x), fraction * figure5.variance, cf.AddedNoise(lower=0))
    print(f"  {fraction} S2: {exact:.2e}", end="")
print()
# [knowledge]
who = [cf.Snooper(cf.AtPercentile(0.99), knows) for knows in (position, index)]
figure6 = cf.empirical_map(x, who, masking=cf.AddedNoise(lower=0), seed=1)
print("\n\nPosition against index: how many times the risk\n")
targets = [cf.AtMinimum(), *(cf.AtPercentile(p) for p in (0.01, 0.1, 0.9, 0.99)), cf.AtMaximum()]
print(f"{'lambda2/S2':14}" + "".join(f"{f:>9}" for f in (0.05, 0.12, 0.25, 0.5, 1.0)))
for target in targets:
    both = [cf.Snooper(target, knows) for knows in (position, index)]
    many = cf.empirical_map(
        x, both, masking=cf.AddedNoise(lower=0), fractions=[0.05, 0.12, 0.25, 0.5, 1.0], replicates=5_000, seed=1
    )
    print(f"{target.label:14}" + "".join(f"{r:9.3f}" for r in many.risk[0] / many.risk[1]))
# [unequal]
who = cf.Snooper(cf.AtPercentile(0.99), position)
fine = np.linspace(0.05, 1.0, 20)
unequal = cf.AddedNoise(lower=0, variance_above={35_000: 2})
figure7 = [
    cf.empirical_map(x, who, masking=masking, fractions=fine, seed=1) for masking in (cf.AddedNoise(lower=0), unequal)
]
print("\n\nThe 99th percentile, position known: twice the variance above 35,000\n")
for found in figure7:
    (point,) = found.meets(limit)
    share = point.settings["lambda2"] / found.variance
    print(f"{found.masking.label:17} {share:.2f} S2: risk {point.risk:.2e}, utility {point.utility:.3g}")
method = unequal.method("income", figure7[1].meets(limit)[0].settings["lambda2"])
released = cf.Release(method).apply(cf.examples.teachers(), seed=3)
print(f"\nas a release: {method.describe()}; {released.data.n} records")
# [linkage]
cps = cf.examples.cps()
numbers = ["age", "income", "property_tax", "social_security"]
cps = cps.declare(kinds=dict.fromkeys(numbers, "continuous"))
alike = cf.frequencies(cps, ["sex", "race", "marital", "education"]).f
unusual = np.sort(np.argsort(alike, kind="stable")[:771])
noises = np.array([0.0049, 0.01, 0.02, 0.04, 0.08, 0.12, 0.16, 0.2, 0.2333, 9.0])
shares = []
for lambda2 in noises:
    masked = cf.Release(cf.CorrelatedNoise(numbers, fraction=lambda2)).apply(cps, seed=1).data.take(unusual)
    part = cf.Released.from_files(cps, masked, parent=unusual)
    shares.append(cf.distance_linkage(part, ["sex", "race", "marital", *numbers]).share)
print("\n\n771 unusual records of 51,016, correlated noise, linked by distance\n")
print("lambda2   " + "".join(f"{v:8g}" for v in noises))
print("utility   " + "".join(f"{v:8.3f}" for v in cf.relative_utility(noises)))
print("linked    " + "".join(f"{v:8.3f}" for v in shares))
# [pictures]
if len(sys.argv) > 1:
    from confide.rumap.chart import Curve, draw_curves

    folder = Path(sys.argv[1])
    notes = [f"{v:g}" if v in (0.0049, 0.04, 0.2333, 9.0) else "" for v in noises]
    curve = Curve(
        "share of 771 unusual records linked correctly", cf.relative_utility(noises), np.array(shares), notes=notes
    )
    draw_curves([curve], folder / "ru-1.svg", title="Figure 1: record linkage", marks=True, logarithmic=False)
    figure2.plot(folder / "ru-2.svg", max_risk=5.0, title="Figure 2: typical target")
    figure3.plot(folder / "ru-3.svg", max_risk=5.0, title="Figure 3: the 99th percentile")
    figure4.plot(folder / "ru-4.svg", max_risk=5.0, title="Figure 4: the maximum")
    figure5.plot(folder / "ru-5.svg", max_risk=limit, title="Figure 5: maximum and minimum, position known")
    figure6.plot(folder / "ru-6.svg", max_risk=limit, title="Figure 6: position or index of the 99th percentile")
    equal, twice = figure7
    equal.plot(folder / "ru-7.svg", beside=[twice], max_risk=limit, title="Figure 7: equal and unequal variance")
