"""Log-linear fits as sdcMicro 5.8.1 makes them (modRisk), and our estimates beside the truth of a real file.

sdcMicro's gr1 and gr2 are not tau1 and tau2. It puts the fitted *sample* mean mu where Skinner and Shlomo have the
population mean lambda = mu / pi, and divides by the number of non-empty cells: gr1 = sum exp(-(1 - pi) mu) / cells. So
we take its formula with our mu, and hold tau1 and tau2 on the same fit beside the values worked out by hand.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import confide as cf
from outside import others

VALUES = Path(__file__).parent / "values"
KEYS = ["sex", "race", "marital", "edu", "age", "region"]
CALLS = {
    (1000, 4): (0.2240991372, 0.2938359193, 896),
    (10000, 4): (0.1317887703, 0.1948388667, 896),
    (1000, 5): (0.7362080404, 0.8018452814, 68096),
    (10000, 5): (0.4572127651, 0.5452070532, 68096),
}


def micro(n: int) -> cf.Microdata:
    return cf.read(VALUES / f"micro_{n}.csv.gz").declare(key=KEYS, weight="weight")


def modrisk(found: cf.LogLinearRisk) -> tuple[float, float]:
    """Give gr1 and gr2."""
    v = ((1 - found.fraction) * found.mean)[found.unique]
    return np.exp(-v).sum() / found.cells, (-np.expm1(-v) / v).sum() / found.cells


@pytest.mark.parametrize(("n", "many"), CALLS)
def test_modrisk(n, many):
    """modRisk(d, method="default", weights="weight", formulaM=~sex+race+marital+edu[+age]), keys as factors.

    R's glm stops when the deviance changes by less than 1e-8 of itself; ours is the closed form it goes to.
    """
    gr1, gr2, cells = CALLS[n, many]
    found = cf.loglinear_risk(micro(n), KEYS[:many], cf.MainEffects(), test=False)
    assert found.possible == cells
    assert modrisk(found) == pytest.approx((gr1, gr2), rel=1e-9)


@pytest.mark.parametrize(("n", "cells"), [(1000, 3404800), (10000, 3472896)])
def test_six_keys(n, cells):
    """modRisk(method="IPF") with six keys prints gr1 = 0.8267941941 and 0.6343130105, which is not its own formula.

    Main effects have one fit, the product of shares, and its formula then gives 0.9106 and 0.7412. We did not run
    it. Its source sorts the fitted cells by their labels as text, turns these into numbers, joins by them and leaves out
    cells without a partner; that may be the cause.
    """
    data = micro(n)
    found = cf.loglinear_risk(data, KEYS, cf.MainEffects(), test=False)
    mean = np.full(n, float(n))
    for key in KEYS:
        mean *= cf.frequencies(data, key, weights=False).f / n
    assert found.possible == cells
    assert found.mean == pytest.approx(mean, rel=1e-12)
    assert modrisk(found)[0] == pytest.approx({1000: 0.9106095497, 10000: 0.7411888502}[n], rel=1e-9)


def test_tau_on_the_same_fit():
    """By hand, with lambda = mu w, on n = 10000 and four keys: 146 uniques in 504 cells."""
    found = cf.loglinear_risk(micro(10000), KEYS[:4], cf.MainEffects())
    assert (int(found.unique.sum()), found.cells) == (146, 504)
    assert found.tau1 == pytest.approx(1.0932e-11, rel=1e-4)
    assert f"{found.tau2:.10g}" == "0.2286024077"


ADULT_KEYS = ["age", "workclass", "education", "marital_status", "race", "sex"]


def test_samples_of_a_real_file():
    """Take 48,842 people as the population: what is estimated from a sample is near what is true of it.

    Forward selection is within a tenth of both figures. Main effects overstate and the test says so; all two-way
    interactions understate and the test says that too.
    """
    people = cf.read(others("adult/adult.csv.gz"))
    for fraction in (0.02, 0.1, 0.5):
        check(people, fraction)


def check(people, fraction):
    """Hold estimates from a sample against the truth."""
    big = cf.frequencies(people, ADULT_KEYS).f
    rows = np.sort(np.random.default_rng(1).choice(people.n, int(people.n * fraction), replace=False))
    sample = people.take(rows)
    alone = big[rows][cf.frequencies(sample, ADULT_KEYS).unique]
    tau1, tau2 = np.count_nonzero(alone == 1), (1 / alone).sum()
    main, chosen, two = (
        cf.loglinear_risk(sample, ADULT_KEYS, terms, fraction=fraction, tolerance=0.1)
        for terms in (cf.MainEffects(), cf.ForwardSelection(), cf.AllTwoWay())
    )
    assert chosen.tau1 == pytest.approx(tau1, rel=0.1)
    assert chosen.tau2 == pytest.approx(tau2, rel=0.1)
    assert abs(chosen.test.worst) < 1.96
    assert main.tau1 > tau1 > two.tau1
    assert main.tau2 > tau2 > two.tau2
    assert main.test.worst > 3
    assert two.test.worst < -1.9
    pitman = cf.population_uniques(sample, ADULT_KEYS, population_size=people.n)
    assert pitman.tau1 == pytest.approx(tau1, rel=0.3)
    assert pitman.uniques == pytest.approx(np.count_nonzero(big == 1), rel=0.3)
    rule = cf.population_uniques(sample, ADULT_KEYS, cf.DankarRule(), population_size=people.n)
    assert rule.uniques == pytest.approx(np.count_nonzero(big == 1), rel=0.3)
