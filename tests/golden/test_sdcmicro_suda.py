"""SUDA and DIS-SUDA as sdcMicro 5.8.1 gives them.

The files and values are those of golden/sdcmicro.md and data/sdcmicro; each test names the call. Scores and contributions
agree in all printed digits. DIS scores differ in the eighth: sdcMicro computes the odds of the file and the exponent Q in
single precision. `in_single_precision` does the same, and then all printed digits agree.
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
    return cf.read(VALUES / f"micro_{n}.csv.gz").declare(key=KEYS)


def digits(*figures: float, many: int = 10) -> str:
    return " ".join(f"{x:.{many}g}" for x in figures)


def in_single_precision(data: cf.Microdata, scores: cf.SudaScores, fraction: float) -> np.ndarray:
    """The DIS scores in the arithmetic of sdcMicro.

    The number of uniques cancels but for rounding. There it is the number of records alone in one of 65,536 buckets, to
    which key values are added after a rotation by one bit.
    """
    one, p = np.float32(1), np.float32(fraction)
    bucket = np.zeros(data.n, dtype=np.int64)
    for name in scores.found.keys:
        value = np.array([int(x) for x in data.columns[name].values()])
        bucket = ((bucket << 1) + value + (bucket >> 15 & 1)) & 0xFFFF
    uniques = np.float32(np.sum(np.bincount(bucket) == 1))
    dis = uniques * p / (uniques * p + np.float32(scores.found.pairs) * (one - p))
    q = float(one + np.float32(8 - len(scores.found.keys)) / np.float32(20))
    power = np.where(scores.per_record > 0, scores.per_record, np.inf) ** q
    return np.where(np.isinf(power), 0.0, 1 / (1 + float(uniques / dis - uniques) / power / np.sum(1 / power)))


SUDA = {
    1000: (
        "933 33101 33.101 168",
        "24 48 72 132",
        "30 12 34 24 146",
        "266.2876006 0.2662876006 0.7283131522",
        "0.2396826403 0.4032459704 0.5135100445 0.6727837599",
        "0.2872122303 0.1282096536 0.3162016683 0.2396826403 0.6967117101",
        "12.10537446 13.57058699 26.86323676 45.65118879 73.7198272 54.25515845",
        (
            "0:67 1:6 2:18 3:3 4:25 5:3 6:69 7:1 8:42 10:13 11:3 12:52 13:2 14:19 16:11 17:1 18:30 19:1 20:17 22:6 24:113 "
            "25:6 26:32 27:1 28:7 29:1 30:64 31:2 32:20 34:4 36:49 37:3 38:13 40:2 42:24 44:2 46:2 48:38 50:10 52:3 54:33 "
            "55:1 56:9 58:1 60:25 62:4 66:6 68:2 72:44 74:5 78:14 80:3 84:9 90:3 96:12 98:3 100:1 102:5 104:1 108:5 114:2 "
            "120:11 121:1 122:1 126:2 132:4 138:1 144:2 146:1 150:1 156:1 162:1 168:1"
        ),
    ),
    10000: (
        "6973 92677 9.2677 108",
        "4 12 26 54",
        "0 8 38 48 2",
        "903.119921 0.0903119921 0.62210256",
        "0.04200964399 0.1280328414 0.2557919791 0.4343856419",
        "0 0.08592195395 0.3428729365 0.402865138 0.02004748483",
        "16.95350518 18.80725531 34.39580478 52.30316044 84.08774561 72.85086915",
        (
            "0:3027 1:453 2:837 3:138 4:571 5:44 6:1068 7:94 8:468 9:31 10:179 11:21 12:604 13:41 14:208 15:20 16:82 17:4 "
            "18:303 19:23 20:119 21:5 22:55 23:2 24:548 25:36 26:156 27:7 28:47 29:5 30:190 31:5 32:65 33:1 34:22 36:157 "
            "37:4 38:42 40:14 42:58 44:18 46:10 48:52 49:3 50:20 52:6 54:50 56:15 58:3 60:26 62:8 64:1 66:4 68:2 70:1 "
            "72:9 74:3 76:1 78:6 80:1 84:1 86:1 90:2 92:1 96:1 108:1"
        ),
    ),
}
"""Records with a score, sum, mean and maximum; quantiles; the first five; the same of DIS; contributions; the table."""


@pytest.mark.parametrize("n", SUDA)
def test_suda2_scores(n):
    """suda2(d, variables=K, DisFraction=0.01)."""
    found = cf.suda(micro(n))
    file, quantiles, first, _, _, _, contributions, table = SUDA[n]
    assert digits(found.above(0), found.total, found.value, found.per_record.max()) == file
    assert digits(*np.quantile(found.per_record, [0.5, 0.75, 0.9, 0.99])) == quantiles
    assert digits(*found.per_record[:5]) == first
    assert digits(*found.contributions().values()) == contributions
    score, many = np.unique(found.per_record, return_counts=True)
    assert " ".join(f"{s:g}:{m}" for s, m in zip(score, many, strict=True)) == table


@pytest.mark.parametrize("n", SUDA)
def test_suda2_dis_scores(n):
    """suda2(d, variables=K, DisFraction=0.01)$disScore."""
    data = micro(n)
    found = cf.dis_suda(data, fraction=0.01)
    x = in_single_precision(data, found.scores, 0.01)
    _, _, _, file, quantiles, first, _, _ = SUDA[n]
    assert digits(x.sum(), x.mean(), x.max()) == file
    assert digits(*np.quantile(x, [0.5, 0.75, 0.9, 0.99])) == quantiles
    assert digits(*x[:5]) == first
    assert found.per_record == pytest.approx(x, rel=2e-7)
    assert found.expected == pytest.approx(x.sum(), rel=1e-7)


@pytest.mark.parametrize(
    ("n", "figures"),
    [(1000, "1571.25 7.05 206.0397736 0.6040205295"), (10000, "5462.15 4.7 557.2657893 0.3906392456")],
)
def test_suda2old(n, figures):
    """suda2(d, variables=K, DisFraction=0.01, original_scores=FALSE): a set of all keys counts nothing there."""
    data = micro(n)
    found = cf.dis_suda(data, None, 0.01, cf.SupersetScore())
    x = in_single_precision(data, found.scores, 0.01)
    assert digits(found.scores.total, found.scores.per_record.max(), x.sum(), x.max()) == figures
    assert found.per_record == pytest.approx(x, rel=2e-7)


def test_testdata():
    """testdata suda2(DisFraction=.01) on seven keys."""
    data = cf.read(others("sdcmicro/testdata.csv.gz"))
    found = cf.dis_suda(data, SEVEN, 0.01)
    scores = found.scores
    assert digits(scores.above(0), scores.total, scores.per_record.max()) == "157 4890 720"
    x = in_single_precision(data, scores, 0.01)
    assert digits(x.sum(), x.max(), x.mean(), many=12) == "9.83109092128 0.678142553743 0.00214652640203"
    assert found.per_record == pytest.approx(x, rel=3e-7)
    assert digits(*scores.contributions().values()) == (
        "12.04498978 33.86503067 18.09815951 53.41513292 22.51533742 92.59713701 24.94887526"
    )


def test_values_of_the_tests_of_sdcmicro():
    """The values that sdcMicro's own tests hold: the first record of testdata2, and a file of three records."""
    data = cf.read(others("sdcmicro/testdata2.csv.gz"))
    assert cf.suda(data, ["urbrur", "roof", "walls", "water", "sex"]).per_record[0] == 2
    assert cf.suda(data, SEVEN).per_record[0] == 180
    assert cf.suda(data, SEVEN, cf.SupersetScore()).per_record[0] == pytest.approx(2.73, abs=0.005)
    three = cf.Microdata.from_dict({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]})
    assert cf.suda(three, ["a", "b", "c"]).contributions() == {"a": 50, "b": 37.5, "c": 37.5}
