"""Why records in isolation mislead, and whom sampling protects. Give a folder to have the pictures drawn into it."""

import sys
import textwrap
from pathlib import Path

import numpy as np
from scipy.stats import lognorm

import confide as cf

# [two]
# Two respondents, believed to be lognormal around 1 and around e^2; both are released, as 7 and 20.
y = np.array([7.0, 20.0])
f = np.column_stack([lognorm.pdf(y, 1.0), lognorm.pdf(y, 1.0, scale=np.exp(2.0))])
two = {"isolated (4.2)": cf.isolated(f)[:, 0], "joint (4.1)": cf.link_probabilities(f).p[:, 0]}
print("1. Two respondents, both released: which record is the first respondent's?\n")
print(f"{'':16}{'record 7':>10}{'record 20':>11}{'sum':>8}")
for name, p in two.items():
    print(f"{name:16}{p[0]:10.3f}{p[1]:11.3f}{p.sum():8.3f}")
# [hundred]
# One target who is probably small, 99 others who are alike; ten records are released.
y = np.array([0.05, 0.135, 1.505, 2.401, 3.151, 3.825, 4.591, 8.723, 10.343, 10.732])
target, others = lognorm.pdf(y, 1.0), lognorm.pdf(y, 1.0, scale=np.exp(2.0))
f = np.column_stack([target, np.tile(others[:, None], 99)])
links = cf.link_probabilities(f)
hundred = {"isolated (4.2)": cf.isolated(f)[:, 0], "product (4.3)": cf.product_form(f)}
hundred["joint (4.1)"] = links.p[:, 0]
print("\n\n2. One target among 100 respondents, ten records: which is the target's?\n")
print(f"{'':16}{'record .05':>12}{'.135':>8}{'1.505':>8}{'sum of all ten':>17}")
for name, p in hundred.items():
    print(f"{name:16}{p[0]:12.3f}{p[1]:8.3f}{p[2]:8.3f}{p.sum():17.3f}")
print(f"not released, joint: {links.null[0]:.3f}")
# [file]
# 200 respondents, three variables with sd 1, all released with noise; the intruder knows the noise.
rng = np.random.default_rng(1)
people, noise = rng.normal(size=(200, 3)), rng.normal(size=(200, 3))
levels = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0])
own, truth, perceived = np.arange(200), {}, []
print("\n\n3. A whole file: 200 respondents in three dimensions, all released\n")
print(f"{'':7}{'mean perceived risk':>29}{'isolated, at the true pair':>29}{'a respondent sums to':>23}")
print(f"{'noise':>6}{'(4.2)':>11}{'(4.3)':>9}{'(4.1)':>9}{'too low':>20}{'too high':>10}{'from':>16}{'to':>7}")
for sd in levels:
    released = people + sd * noise
    beliefs = cf.NormalAppearance(people, sd=sd)
    joint = cf.link_probabilities(beliefs, released, tolerance=0.005, seed=1).p.toarray()
    logs = cf.log_densities(beliefs, released)
    alone, product = cf.isolated(logs, log=True), cf.with_replacement(logs, log=True)
    product /= product.sum(axis=1, keepdims=True)  # (4.3) for all targets at once
    perceived.append([p.max(axis=0).mean() for p in (alone, product, joint)])
    truth[sd] = alone[own, own], joint[own, own]
    off, total = truth[sd][0] - truth[sd][1], alone.sum(axis=0)
    text = f"{sd:6.2f}{perceived[-1][0]:11.2f}{perceived[-1][1]:9.2f}{perceived[-1][2]:9.2f}"
    print(text + f"{np.sum(off < -0.05):20}{np.sum(off > 0.05):10}{total.min():16.2f}{total.max():7.2f}")
    if sd == 0.2:
        below, above = np.sum(total[off < -0.05] < 1), np.sum(total[off > 0.05] > 1)
print("\ntoo low, too high: respondents whose own record's probability is off by more than .05")
print(f"with noise .2, {below} of those too low have a sum below 1, {above} of those too high one above 1")
# [sampling]
# 100 incomes: 97 of the usual kind, two of 400, one of 1,000; released with an error of 5 per cent.
rng = np.random.default_rng(1)
incomes = np.append(np.sort(rng.lognormal(3.0, 1.0, 97).round(1)), [400.0, 400.0, 1000.0])
who = {"typical": 48, "one of two": 97, "stands out": 99}
watched = list(who.values())


def released_with(people, n):
    """Draw n respondents, these people among them, and what is released."""
    rest = rng.permutation(np.setdiff1d(np.arange(100), people))[: n - len(people)]
    drawn = np.concatenate([people, rest])
    return drawn, incomes[drawn] * rng.lognormal(0.0, 0.05, n)


def linked(source, released):
    """Match all records with all these respondents."""
    return cf.link_probabilities(cf.LognormalAppearance.around(source, sd=0.05), released, tolerance=0.01, seed=1, work=1e7)


def best_and_null(n, samples=20):
    """Average over samples: null link, best probability, best probability if it is known who was sampled."""
    found = np.zeros((3, 3))
    for _ in range(samples):
        drawn, released = released_with(watched, n)
        links, known = linked(incomes, released), linked(incomes[drawn], released)
        found += np.array([links.null[watched], links.largest[watched], known.largest[:3]]) / samples
    return found


sizes = np.array([5, 10, 20, 35, 50, 75, 100])
sampled = np.array([best_and_null(n) for n in sizes])
print("\n\n4. Sampling: 100 respondents, n of them released; three who were\n")
print(f"{'':5}{'null link':>32}{'best probability':>32}{'... known who was sampled':>32}")
print(f"{'n':>5}" + 3 * f"{'typical':>10}{'one of two':>11}{'stands out':>11}")
for n, found in zip(sizes, sampled, strict=True):
    print(f"{n:5}" + "".join(f"{a:10.2f}{b:11.2f}{c:11.2f}" for a, b, c in found))
# [absent]
drawn, released = released_with([48], 20)
links = linked(incomes, released[drawn != 99])
print(f"\nNot sampled, the one who stands out has null link {links.null[99]:.3f}")
# [large]
rng = np.random.default_rng(1)
people = rng.normal(size=(5000, 3))
released = people + 0.06 * rng.normal(size=(5000, 3))
links = cf.link_probabilities(cf.NormalAppearance(people, sd=0.06), released, tolerance=0.01, seed=1)
print("\n\n5. 5,000 respondents in three dimensions\n")
print(textwrap.fill(repr(links), 100))
d = links.diagnostics
print(f"\nroot mean square error {d.rms:.4f}, tolerance {d.tolerance}, met: {links.tolerance_met}, exact: {links.is_exact}")
print(f"the two chains made {d.sweeps:,} sweeps and differ by {d.agreement:.3f}; totals are off by at most {d.residual:.3f}")
print(f"left out with unlikely candidates: {d.dropped.max():.1g} of a record's probability at most")
risks = cf.perceived_risks(links, 0.5)
print(f"respondents with a link at .5 or more: {risks.at_or_above:,}, give or take {risks.at_or_above_error:,}")
best = links.p[:, [0]].toarray().argmax()
print(f"the first respondent: best link {links.p[best, 0]:.3f}, give or take {links.error[best, 0]:.3f}")
# [pictures]
INK, FAINT, LOW, MIDDLE, HIGH = "#1f2933", "#52606d", "#e08214", "#56b4e9", "#1b4f8a"


def picture(draw, folder, name, high, panels=1):
    """Draw into an SVG with the same bytes every time."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    style = {"svg.fonttype": "none", "svg.hashsalt": "confide", "font.family": "DejaVu Sans", "font.size": 9.0}
    style |= {"axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": FAINT, "text.color": INK}
    style |= {"axes.titlesize": 10.0, "axes.titleweight": "bold", "axes.titlelocation": "left", "legend.frameon": False}
    with mpl.rc_context(style):
        figure = Figure(figsize=(4.6, high), layout="constrained")
        axes = figure.subplots(panels)
        draw(axes)
        figure.savefig(Path(folder) / f"{name}.svg", metadata={"Date": None})


def bars(ax, groups, labels, title, top):
    """Draw bars side by side, with their heights."""
    colours = {"isolated (4.2)": LOW, "product (4.3)": MIDDLE, "joint (4.1)": HIGH}
    wide = 0.8 / len(groups)
    for k, (name, p) in enumerate(groups.items()):
        x = np.arange(len(labels)) + (k - (len(groups) - 1) / 2) * wide
        ax.bar(x, p, wide * 0.94, color=colours[name], label=name)
        for at, value in zip(x, p, strict=True):
            text = f"{value:.3f}".lstrip("0")
            ax.text(at, value + top / 50, text, ha="center", fontsize=8, bbox={"color": "white", "pad": 0.5})
    ax.set_xticks(np.arange(len(labels)), labels)
    ax.tick_params(axis="x", length=0)
    ax.axhline(1.0, color=FAINT, linewidth=0.8, linestyle=":", zorder=0)
    ax.set_ylim(0, top)
    ax.set_ylabel("probability")
    ax.set_title(title)


def draw_two(ax):
    """Draw the case in which isolation is too low."""
    groups = {name: [*p, p.sum()] for name, p in two.items()}
    bars(ax, groups, ["record 7", "record 20", "one of the two"], "Too low: the first of two respondents", 1.15)
    ax.legend(loc="center", bbox_to_anchor=(0.52, 0.6))


def draw_hundred(ax):
    """Draw the case in which isolation is too high."""
    groups = {name: [p[0], p[1], p.sum()] for name, p in hundred.items()}
    bars(ax, groups, ["record .05", "record .135", "any of the ten"], "Too high: one target among 100", 2.1)
    ax.legend(loc="upper left")


def draw_scatter(ax):
    """Draw isolated against joint probabilities of the true pairs."""
    alone, joint = truth[0.2]
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=0.8)
    for mask, colour, mark, label in (
        (alone < joint - 0.05, LOW, "v", "isolation too low"),
        (abs(alone - joint) <= 0.05, FAINT, ".", "within .05"),
        (alone > joint + 0.05, HIGH, "^", "isolation too high"),
    ):
        text = f"{label}: {mask.sum()}"
        ax.scatter(joint[mask], alone[mask], s=22, color=colour, marker=mark, linewidth=0, alpha=0.85, label=text)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="joint (4.1)", ylabel="isolated (4.2)")
    ax.set_title("Own record's probability, noise 20 per cent")
    ax.legend(loc="upper left", handletextpad=0.2)


def draw_noise(ax):
    """Draw the mean perceived risk against the noise."""
    risk = np.array(perceived)
    for k, (name, colour, mark, line) in enumerate(
        (("isolated (4.2)", LOW, "v", "--"), ("product (4.3)", MIDDLE, "s", ":"), ("joint (4.1)", HIGH, "o", "-"))
    ):
        ax.plot(100 * levels, risk[:, k], line, color=colour, marker=mark, markersize=5, label=name)
    ax.set_xscale("log")
    ax.set_xticks([1, 2, 5, 10, 20, 50, 100, 200], ["1", "2", "5", "10", "20", "50", "100", "200"])
    ax.minorticks_off()
    ax.set(ylim=(0, 1.05), xlabel="noise, per cent of the sd", ylabel="mean over respondents")
    ax.set_title("Perceived risk")
    ax.legend(loc="lower left")


def draw_sampling(axes):
    """Draw null link and best probability against the sampling fraction."""
    looks = dict(zip(who, ((LOW, "o"), (MIDDLE, "s"), (HIGH, "^")), strict=True))
    for k, (name, (colour, mark)) in enumerate(looks.items()):
        for ax, what in zip(axes, (0, 1), strict=True):
            ax.plot(sizes, sampled[:, what, k], "-", color=colour, marker=mark, markersize=5, label=name, clip_on=False)
    axes[1].plot(sizes, sampled[:, 2, 0], "--", color=LOW, marker="o", markersize=5, markerfacecolor="white", clip_on=False)
    axes[1].annotate("typical, if it is known\nwho was sampled", (30, 0.6), fontsize=8)
    for ax, title in zip(axes, ("Null link", "Best probability"), strict=True):
        ax.set(xlim=(0, 100), ylim=(0, 1.05), ylabel="probability", title=title)
    axes[1].set_xlabel("per cent of the respondents released")
    axes[0].legend(loc="upper right")


if len(sys.argv) > 1:
    for high, draw in ((2.9, draw_two), (2.9, draw_hundred), (3.6, draw_scatter), (3.0, draw_noise)):
        picture(draw, sys.argv[1], draw.__name__.replace("draw_", "isolation-"), high)
    picture(draw_sampling, sys.argv[1], "isolation-sampling", 5.0, panels=2)
