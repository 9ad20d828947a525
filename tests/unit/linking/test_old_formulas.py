"""What was wrong, on the old formula: each written out beside what is stated now and what is true by simulation."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import lognorm, norm

import confide as cf
from confide.intruder.exceeds import exceeds


def _z(gaps: list[float]) -> float:
    """Give how many standard errors a mean gap is from zero."""
    gap = np.array(gaps)
    return float(gap.mean() / (gap.std(ddof=1) / np.sqrt(gap.size)))


def test_1_a_kernel_on_the_log_scale_was_compared_with_a_density_on_the_plain_scale() -> None:
    n, held, sd = 40, 16, 0.2
    belief = lognorm(np.hypot(0.8, sd), scale=np.exp(3.0))
    now, before = [], []
    for seed in range(100):
        x = np.random.default_rng(seed).lognormal(3.0, 0.8, n)
        data = cf.Microdata.from_dict({"x": x.tolist()}).declare(kinds={"x": "continuous"})
        released = cf.Release(cf.Sample(n=held), cf.MultiplicativeNoise("x", sd=sd)).apply(data, seed=seed)
        beliefs = cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Lognormal(3.0, 0.8)})]])
        intruder = cf.Intruder(knows=["x"], target_in_file=False, population=cf.Constant(n), beliefs=beliefs)
        z = released.data.column("x").numbers
        kernel = norm.pdf(np.log(z), np.log(x)[:, None], sd)
        for into, ratio in ((before, kernel / (belief.pdf(z) * 1.0)), (now, kernel / z / belief.pdf(z))):
            into.append(float(np.mean((n - held) / (n - held + ratio.sum(axis=1)))) - 0.6)
        assert np.mean(cf.link(released, intruder).null) - 0.6 == pytest.approx(now[-1], rel=1e-6)
    assert abs(_z(now)) < 4
    assert _z(before) < -10  # the kernel was z times too large for amounts; with cents it would be a hundred times more


def test_2_one_of_all_levels_weighed_them_equally() -> None:
    race = np.array(["white"] * 900 + ["black"] * 80 + ["native"] * 20)
    matrix = np.full((3, 3), 0.0)
    levels = ["white", "black", "native"]
    for i in range(3):
        matrix[i] = 0.3 * np.array([900, 80, 20]) / 999
        matrix[i, i] += 0.7 - 0.3 / 999
    source = cf.Microdata.from_dict({"race": race.tolist()})
    stated, true, before = [], [], []
    for seed in range(40):
        released = cf.Release(cf.Swap("race", rate=0.3)).apply(source, seed=seed)
        z = np.array(released.data.column("race").values())
        rows = np.flatnonzero(race != "black")
        links = cf.link(released, cf.Intruder(knows=[cf.OneOf("race", ["white", "native"])]), cf.Targets.of_rows([0]))
        stated.append(links.row(0).p[z == "native"].sum() * rows.size)
        true.append(float(np.sum(z[rows] == "native")))
        here = np.array([levels.index(x) for x in z])
        ratio = (matrix[0] + matrix[2]) / 2 / (np.array([0.9, 0.08, 0.02]) @ matrix)
        before.append(rows.size * ratio[here][z == "native"].sum() / ratio[here].sum())
    assert abs(_z([s - t for s, t in zip(stated, true, strict=True)])) < 4
    assert np.mean(before) > 10 * np.mean(true)


def test_3_the_matrix_of_the_released_stratum_was_taken() -> None:
    n, now, before = 2000, [], []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        sex = rng.integers(0, 2, n)
        race = np.where(sex == 0, rng.choice(2, n, p=[0.95, 0.05]), rng.choice(2, n, p=[0.05, 0.95]))
        data = cf.Microdata.from_dict({"sex": [f"s{x}" for x in sex], "race": [f"r{x}" for x in race]})
        release = cf.Release(cf.Swap("race", rate=1.0, within="sex"), cf.Swap("sex", rate=1.0))
        released = release.apply(data, seed=seed)
        zs, zr = (np.array([int(x[1]) for x in released.data.column(v).values()]) for v in ("sex", "race"))
        rows = np.flatnonzero((sex == 0) & (race == 0))
        p = cf.link(released, cf.Intruder(knows=["sex", "race"]), cf.Targets.of_rows([int(rows[0])])).row(0).p
        strange = (zs == 1) & (zr == 1)
        true = int(np.isin(np.flatnonzero(strange), rows).sum())
        now.append(p[strange].sum() * rows.size - true)
        # all people are swapped, so that each stratum's race is drawn from it, and sex from everybody
        share = np.array([[np.mean(race[sex == s] == r) for r in (0, 1)] for s in (0, 1)])
        marginal = np.mean(sex == 0) * share[0] + np.mean(sex == 1) * share[1]
        wrong = share[zs, zr] / marginal[zr]
        before.append(rows.size * wrong[strange].sum() / wrong.sum() - true)
    assert abs(_z(now)) < 4
    assert abs(_z(before)) > 10


def test_5_a_blank_contradicted_everybody() -> None:
    rng = np.random.default_rng(1)
    rows = [(str(a), str(b), str(c)) for a, b, c in rng.integers(0, [2, 5, 8], (200, 3))]
    count = Counter(rows)
    shown = [(a, None if count[a, b, c] == 1 else b, c) for a, b, c in rows]
    old = sum(any(z == mine for z in shown) for mine, many in zip(rows, (count[r] for r in rows), strict=True) if many == 1)
    assert old == 0  # every unique person was contradicted by the file
    source, masked = (
        cf.Microdata.from_dict({k: [r[i] for r in file] for i, k in enumerate("abc")}) for file in (rows, shown)
    )
    links = cf.link(cf.Released.from_files(source, masked, same_order=True), cf.Intruder(knows=["a", "b", "c"]))
    unique = np.array([count[r] == 1 for r in rows])
    assert np.all(links.own[unique] > 0)
    # the records behind blanks belong to the unique people of a and c, each as likely
    alike = Counter((a, c) for (a, _, c), u in zip(rows, unique, strict=True) if u)
    expected = [1 / alike[a, c] for (a, _, c), u in zip(rows, unique, strict=True) if u]
    assert links.own[unique] == pytest.approx(expected, rel=1e-6)


def test_8_a_belief_about_a_recoded_amount_was_dropped() -> None:
    now, before = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rich = rng.random(60) < 0.3
        debt = np.where(rich, rng.lognormal(5.0, 0.5, 60), rng.lognormal(3.0, 0.6, 60))
        source = cf.Microdata.from_dict({"k": ["x"] * 60, "debt": debt.tolist()}).declare(kinds={"debt": "continuous"})
        released = cf.Release(cf.Recode("debt", breaks=[0, 50, 100, np.inf])).apply(source, seed=seed)
        everyone = [cf.Atom(0.7, {"debt": cf.Lognormal(3.0, 0.6)}), cf.Atom(0.3, {"debt": cf.Lognormal(5.0, 0.5)})]
        told = cf.Intruder(
            knows=["k"], unavailable={"debt": cf.Lognormal(5.0, 0.5)}, beliefs=cf.SuppliedBeliefs([everyone])
        )
        z = np.array(released.data.column("debt").values())
        high = z == z[int(np.argmax(debt))]
        targets = np.flatnonzero(rich)
        true = np.isin(released.parent[high], targets).sum()
        now.append(cf.link(released, told, cf.Targets.of_rows([int(targets[0])])).row(0).p[high].sum() * targets.size - true)
        before.append(high.mean() * targets.size - true)
    assert abs(_z(now)) < 4
    assert _z(before) < -10


def test_13_two_comparisons_counted_ties_differently() -> None:
    fifths = np.array([1 / 5, 1 - 4 / 5, 0.1 * 3 - 0.1, 3 / 15])
    assert int(np.sum(fifths > 0.2)) == 1  # the one that rounding put above
    assert int(np.sum(fifths >= 0.2)) == 3
    assert not np.any(exceeds(fifths, 0.2))
