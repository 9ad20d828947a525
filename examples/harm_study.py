"""Less identification, more harm: two releases of one file. Give a folder to have the picture drawn into it."""

import sys
from pathlib import Path

import confide as cf

# [declare]
cps = cf.examples.cps()
releases = [
    cf.Release(name="nothing masked"),
    cf.Release(cf.Recode("age", width=5), name="recode age"),
    cf.Release(cf.Noise("income", sd=0.5, relative_to="all"), name="noise on income"),
]
neighbour = cf.Intruder(knows=["sex", "race", "marital", "age", "education"], name="neighbour")
close, excess = cf.AmountCosts(cf.Close(0.1)), cf.AmountCosts(cf.Excess())
harms = [
    cf.Harm("income", close, name="found out"),
    cf.Harm("income", close.only_true(), name="found out, true only"),
    cf.Harm("income", close, reading=cf.MeasurementError(), name="found out, noise seen"),
    cf.Harm("income", excess, name="thought too rich"),
]
# [assess]
assessment = cf.assess([r.apply(cps, seed=7) for r in releases], neighbour, harms=harms)
print("1. Risk is a count of respondents, harm is a loss\n")
print(f"{'':16}{'expected':>10}{'perceived':>11}{'found out,':>35}{'found out,':>13}{'thought':>14}")
print(f"{'release':16}{'matches':>10}{'above .2':>11}{'found out':>20}{'true only':>15}{'noise seen':>13}{'too rich':>14}")
for s in assessment.scenarios:
    figures = "".join(f"{s.harm(h.title).total:{w},.0f}" for h, w in zip(harms, (20, 15, 13, 14), strict=True))
    print(f"{s.released.name:16}{s.expected_matches:10,.0f}{s.perceived:11,.0f}{figures}")
# [outcomes]
print("\n\n2. How it comes about: what is linked, what is inferred\n")
for name in ("recode age", "noise on income"):
    print(f"{name}\n{assessment.scenario(name, 'neighbour').harm('found out')!r}\n")
# [bearers]
print("\n3. Who bears it\n")
for s in assessment.scenarios[1:]:
    for title in ("found out", "thought too rich"):
        b = s.harm(title).bearers
        share = f"{b.share_harmed:.1%} harmed, half of it on {b.half:,}, Gini {b.gini:.2f}"
        print(f"{s.released.name:18}{title:18}{share}")
groups = assessment.scenario("recode age", "neighbour").by("race")
print("\nrecode age, found out, by race\n")
for row in groups.to_dicts():
    mean = row["mean_harm found out"]
    print(f"{row['race']!s:20}{row['targets']:8,} respondents, harm per respondent {mean:.3f}")
# [pictures]
if len(sys.argv) > 1:
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.rcParams.update({"svg.hashsalt": "confide", "svg.fonttype": "none", "font.size": 10, "axes.spines.top": False})
    mpl.rcParams.update({"axes.spines.right": False})
    shown = [("found out", "incomes known within 10 %"), ("thought too rich", "over-estimates, million dollars")]
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for axes, (title, label) in zip(panels, shown, strict=True):
        for s, colour, mark in zip(assessment.scenarios, ["#555555", "#0060a8", "#b34700"], "osD", strict=True):
            scale = 1e6 if title == "thought too rich" else 1.0
            x, y = s.expected_matches, s.harm(title).total / scale
            axes.plot(x, y, mark, color=colour, markersize=8)
            left = x > 8_000
            axes.annotate(
                s.released.name, (x, y), xytext=(-9 if left else 9, 5), textcoords="offset points", color=colour,
                ha="right" if left else "left",
            )  # fmt: skip
        axes.set(xlim=(0, 12_000), xlabel="Risk: expected matches (a count)", ylabel=f"Harm: {label}")
        axes.set_ylim(0, axes.get_ylim()[1] * 1.15)
    figure.savefig(Path(sys.argv[1]) / "harm-study.svg", metadata={"Date": None})
