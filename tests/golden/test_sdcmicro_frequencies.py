"""Frequency counts, individual and household risk and l-diversity as sdcMicro 5.8.1 gives them.

The files and values are those of golden/sdcmicro.md and data/sdcmicro; each test names the call. Values are printed with
ten or twelve digits and are held to these.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import confide as cf
from outside import others

VALUES = Path(__file__).parent / "values"
KEYS = ["sex", "race", "marital", "edu", "age", "region"]
SEVEN = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]


def micro(n: int) -> cf.Microdata:
    return cf.read(VALUES / f"micro_{n}.csv.gz").declare(key=KEYS, weight="weight")


def shipped() -> cf.Microdata:
    return cf.read(others("sdcmicro/testdata.csv.gz")).declare(weight="sampling_weight", household="ori_hid")


def francdat(*, holes: bool = False) -> cf.Microdata:
    """The file of the help page of freqCalc; with holes, after its five assignments of NA."""
    data = cf.read(others("sdcmicro/francdat.csv.gz")).declare(weight="w")
    if not holes:
        return data
    columns = {name: data.columns[name].values() for name in ("Key1", "Key2", "Key3", "Key4")}
    for name, row in (("Key3", 2), ("Key1", 3), ("Key2", 3), ("Key4", 4), ("Key1", 5)):
        columns[name][row] = None
    return data.with_columns({name: cf.Column.of_labels(values) for name, values in columns.items()})


def digits(x: float, many: int = 10) -> str:
    return f"{x:.{many}g}"


@pytest.mark.parametrize(
    ("n", "uniques", "pairs", "below", "cells", "largest"),
    [(1000, 933, 58, (933, 991, 1000), 965, 3), (10000, 6973, 1438, (6973, 8411, 9406), 8089, 15)],
)
def test_freq(n, uniques, pairs, below, cells, largest):
    """freqCalc(d, keyVars=K, w=NULL)."""
    found = cf.frequencies(micro(n), weights=False)
    assert (found.uniques, int((found.f == 2).sum())) == (uniques, pairs)
    assert tuple(found.violates(k) for k in (2, 3, 5)) == below
    assert (found.cells, found.f.max()) == (cells, largest)


@pytest.mark.parametrize(
    ("n", "total", "low", "high"), [(1000, 2223253.56, 169.56, 8748.42), (10000, 34379007.47, 78.6, 32709.43)]
)
def test_freqw(n, total, low, high):
    """freqCalc(d, keyVars=K, w="weight")."""
    big = cf.frequencies(micro(n)).F
    assert [digits(x) for x in (big.sum(), big.min(), big.max())] == [digits(x) for x in (total, low, high)]


INDIVIDUAL = {
    1000: (
        "4.455527677 0.004455527677",
        "0.0001714301388 0.002767878008 0.003865909585 0.005488724133 0.007593689429 0.01525595364 0.03045329169",
        "0.002336427051 0.007897470957 0.002697355844 0.008899316473 0.008779554103",
    ),
    10000: (
        "34.55121403 0.003455121403",
        "3.275488068e-05 0.000606627808 0.003199612181 0.004865138155 0.007007487819 0.01329342016 0.05624190334",
        "0.0004830484956 0.003990451429 0.005709050669 0.007761504439 0.006174118279",
    ),
}


@pytest.mark.parametrize("n", INDIVIDUAL)
def test_indiv_and_mrisk(n):
    """indivRisk(freqCalc(d, keyVars=K, w="weight")) and measure_risk(d, keyVars=K, w="weight"): the approximation."""
    risk = cf.individual_risk(micro(n), form=cf.ApproximateRisk())
    file, quantiles, first = INDIVIDUAL[n]
    assert " ".join(digits(x) for x in (risk.expected, risk.value)) == file
    found = np.quantile(risk.per_record, [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1])
    assert " ".join(digits(x) for x in found) == quantiles
    assert " ".join(digits(x) for x in risk.per_record[:5]) == first


@pytest.mark.parametrize(
    ("n", "figures"),
    [(1000, "4.45552724 0.03045329169 0.0001714009969"), (10000, "34.55115619 0.05624190334 3.27547982e-05")],
)
def test_indivexact(n, figures):
    """indivRisk(freqCalc(d, keyVars=K, w="weight"), method="exact"); ours by default."""
    risk = cf.individual_risk(micro(n))
    assert " ".join(digits(x) for x in (risk.expected, risk.highest, risk.per_record.min())) == figures


@pytest.mark.parametrize(("n", "expected"), [(1000, 965.0), (10000, 8089.0)])
def test_mrisknw(n, expected):
    """measure_risk(d, keyVars=K): without weights the risk is 1/f, our prosecutor's."""
    risk = cf.prosecutor_risk(micro(n))
    assert risk.expected == pytest.approx(expected, rel=1e-12)
    assert risk.average == pytest.approx(expected / n, rel=1e-12)


def test_francdat():
    """freqCalc(francdat, keyVars=c(2,4,5,6), w=8), indivRisk."""
    keys = ["Key1", "Key2", "Key3", "Key4"]
    found = cf.frequencies(francdat(), keys)
    assert found.f.tolist() == [2, 2, 2, 1, 1, 1, 1, 2]
    assert found.F.tolist() == [110, 84.5, 84.5, 17, 541, 8, 5, 110]
    want = (
        "0.0171442615963 0.0220423261833 0.0220423261833 0.177075834004 0.011654480146 0.297063077383 0.402359478109 "
        "0.0171442615963"
    )
    for form in (cf.FormulaRisk(), cf.ApproximateRisk()):
        risk = cf.individual_risk(francdat(), keys, form)
        assert " ".join(digits(x, 12) for x in risk.per_record) == want


HOLES = (
    (1.0, [3, 2, 4, 3, 3, 2, 2, 3], [149, 84.5, 194.5, 563, 566, 549, 22, 149]),
    (0.5, [2.5, 1.5, 4, 2.5, 2, 1.5, 1.5, 2.5], [129.5, 65, 194.5, 292.5, 553.5, 278.5, 13.5, 129.5]),
    (0.1, [2.1, 1.1, 4, 2.1, 1.2, 1.1, 1.1, 2.1], [113.9, 49.4, 194.5, 76.1, 543.5, 62.1, 6.7, 113.9]),
)


def test_francdat_with_missing_values():
    """freqCalc(francdat with NAs, alpha=share).

    Our definition is the same but in one case: a record whose keys are all missing agrees, here, with every record and
    every record with it; sdcMicro gives that record all n, and does not count it for records without missing values.
    """
    keys = ["Key1", "Key2", "Key3", "Key4"]
    for share, f, big in HOLES:
        found = cf.frequencies(francdat(holes=True), keys, missing=cf.MissingAsWildcard(share))
        assert found.f.tolist() == pytest.approx(f, rel=1e-12)
        assert found.F.tolist() == pytest.approx(big, rel=1e-12)


def test_testdata():
    """freqCalc and measure_risk on the seven keys of testdata, and the hierarchical risk with hid=ori_hid."""
    data = shipped()
    found = cf.frequencies(data, SEVEN)
    assert (found.uniques, int((found.f == 2).sum()), found.violates(3), found.violates(5)) == (157, 124, 281, 458)
    assert found.F.sum() == 27548400
    risk = cf.individual_risk(data, SEVEN, cf.ApproximateRisk())
    assert [digits(x, 12) for x in (risk.expected, risk.value, risk.highest)] == [
        "10.7782989187", "0.00235334037527", "0.0465168705655",
    ]  # fmt: skip
    house = cf.household_risk(data, risk)
    assert [digits(x, 12) for x in (house.expected, house.value)] == ["51.812927436", "0.0113128662524"]


def test_exact_risk_of_large_cells():
    """indivRisk(method="exact") is NaN for the 176 records with fk=176 and 1.2885517 at fk=40, p=.5; ours is neither."""
    data = shipped()
    found, risk = cf.frequencies(data, SEVEN), cf.individual_risk(data, SEVEN)
    assert int((found.f == 176).sum()) == 176
    assert np.all((risk.per_record > 0) & (risk.per_record < 1 / found.f))
    assert digits(cf.FormulaRisk().of(np.array([40]), np.array([0.5]))[0], 8) == "0.012656201"


def test_ldiversity():
    """ldiversity(testdata, ldiv_index="electcon", keyVars=c("urbrur","roof","walls","water","sex")): c is 2 there."""
    forms = cf.DistinctDiversity(), cf.EntropyDiversity(), cf.RecursiveDiversity(2)
    keys = ["urbrur", "roof", "walls", "water", "sex"]
    found = [cf.l_diversity(shipped(), keys, "electcon", form).per_record.mean() for form in forms]
    assert [digits(x, 12) for x in found] == ["2.37445414847", "1.7131611839", "1.33406113537"]
