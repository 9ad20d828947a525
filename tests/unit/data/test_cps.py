"""The synthetic household file holds every figure Reiter (2005) prints about his extract."""

import hashlib
import time

import numpy as np
import pytest

from confide.data.cps import cps_arrays

Arrays = dict[str, np.ndarray]

PEOPLE = 51_016
KEYS = ("sex", "race", "marital", "age")
COLUMNS = [
    "sex",
    "race",
    "marital",
    "education",
    "age",
    "child_support",
    "social_security",
    "property_tax",
    "income",
    "weight",
]


@pytest.fixture(scope="module")
def cps() -> Arrays:
    return cps_arrays()


def grouped(cps: Arrays) -> Arrays:
    """The file with age in fives from 15."""
    return {**cps, "age": (cps["age"] - 15) // 5}


def where(cps: Arrays, sex: int, race: int, marital: int) -> np.ndarray:
    same = (cps["sex"] == sex) & (cps["race"] == race) & (cps["marital"] == marital)
    return np.asarray(same)


def between(values: np.ndarray, low: int, high: int) -> np.ndarray:
    return np.asarray((values >= low) & (values <= high))


def cell_sizes(cps: Arrays, names: tuple[str, ...]) -> np.ndarray:
    rows = np.stack([cps[name] for name in names], axis=1)
    return np.unique(rows, axis=0, return_counts=True)[1]


def summary(sizes: np.ndarray) -> tuple[int, int, int]:
    """Occupied cells, cells of one person, people in cells of at most four."""
    return sizes.size, int((sizes == 1).sum()), int(sizes[sizes <= 4].sum())


# Shape -----------------------------------------------------------------------------------------


def test_columns_and_types(cps: Arrays) -> None:
    assert list(cps) == COLUMNS
    assert all(column.shape == (PEOPLE,) for column in cps.values())
    assert all(np.issubdtype(cps[name].dtype, np.integer) for name in COLUMNS[:-1])
    assert cps["weight"].dtype == np.float64


def test_same_file_every_time_and_fast(cps: Arrays) -> None:
    start = time.perf_counter()
    again = cps_arrays()
    assert time.perf_counter() - start < 5.0
    assert all(np.array_equal(cps[name], again[name]) for name in COLUMNS)


def test_fingerprint(cps: Arrays) -> None:
    table = np.stack([cps[name].astype("<i8") for name in COLUMNS[:-1]], axis=1)
    digest = hashlib.sha256(np.ascontiguousarray(table).tobytes()).hexdigest()
    assert digest.startswith("36a8a0c40f3b59d8")


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("sex", range(1, 3)),
        ("race", range(1, 5)),
        ("marital", range(1, 8)),
        ("education", range(31, 47)),
        ("age", range(15, 91)),
    ],
)
def test_every_category_occurs(cps: Arrays, name: str, codes: range) -> None:
    assert np.unique(cps[name]).tolist() == list(codes)


# Amounts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "people", "highest"),
    [
        ("child_support", 1_677, 23_917),
        ("social_security", 12_021, 50_000),
        ("property_tax", 33_076, 99_997),
    ],
)
def test_positive_amounts(cps: Arrays, name: str, people: int, highest: int) -> None:
    positive = cps[name][cps[name] > 0]
    assert cps[name].min() == 0
    assert (positive.size, positive.min(), positive.max()) == (people, 1, highest)
    assert positive.mean() > np.median(positive)


def test_incomes(cps: Arrays) -> None:
    income = np.sort(cps["income"])
    assert income[0] == -21_011
    assert income[-1] == 768_742
    assert abs(income[-2] - 618_742) <= 2_000
    assert ((income < 0).sum(), (income == 0).sum()) == (132, 582)
    assert income[income > 0].mean() > np.median(income[income > 0])


def test_tax_values(cps: Arrays) -> None:
    sizes = np.unique(cps["property_tax"], return_counts=True)[1]
    assert (sizes.size, (sizes == 1).sum()) == (2_534, 527)
    assert (cps["property_tax"] == 99_997).sum() == 4


def test_tax_spread(cps: Arrays) -> None:
    positive = cps["property_tax"][cps["property_tax"] > 0]
    assert abs(positive.std() - 2_907) <= 1
    assert abs(positive.std(ddof=1) - 2_907) <= 1


@pytest.mark.parametrize(("cutpoint", "people"), [(35_000, 28), (10_000, 253), (5_000, 1_100), (3_000, 3_448)])
def test_taxes_above_the_cutpoints(cps: Arrays, cutpoint: int, people: int) -> None:
    assert (cps["property_tax"] > cutpoint).sum() == people


def test_taxes_are_heaped(cps: Arrays) -> None:
    positive = cps["property_tax"][cps["property_tax"] > 0]
    assert 0.4 < (positive % 100 == 0).mean() < 0.5
    assert 0.55 < (positive % 10 == 0).mean() < 0.7


# Weights ---------------------------------------------------------------------------------------


def test_weights(cps: Arrays) -> None:
    weight = cps["weight"]
    assert weight.min() > 0
    assert abs(weight.sum() - 104_781_947) < 1e-3
    assert weight.mean() > np.median(weight)


@pytest.mark.parametrize(
    ("kind", "ages", "printed", "digits"),
    [
        ((1, 1, 1), (43, 43), 1e-6, 6),
        ((1, 1, 1), (40, 44), 2e-7, 7),
        ((2, 3, 3), (39, 39), 32e-5, 5),
        ((2, 3, 3), (35, 39), 32e-5, 5),
        ((1, 1, 1), (57, 57), 2e-6, 6),
        ((1, 1, 1), (55, 59), 3e-7, 7),
        ((2, 1, 4), (79, 79), 3e-6, 6),
        ((2, 1, 4), (75, 79), 6e-7, 7),
    ],
)
def test_risks_by_weight(
    cps: Arrays, kind: tuple[int, int, int], ages: tuple[int, int], printed: float, digits: int
) -> None:
    cell = where(cps, *kind) & between(cps["age"], *ages)
    assert round(1.0 / cps["weight"][cell].sum(), digits) == pytest.approx(printed)


# The named units -------------------------------------------------------------------------------


def test_everyman(cps: Arrays) -> None:
    age, tax, cell = cps["age"], cps["property_tax"], where(cps, 1, 1, 1)
    forties = cell & between(age, 40, 44)
    assert (cell & (age == 43)).sum() == 455
    assert forties.sum() == 2_230
    assert (cell & (age == 43) & (tax == 635)).sum() == 2
    assert (forties & (tax == 635)).sum() == 2
    assert ((cps["race"] == 1) & (tax == 635)).sum() == 8
    assert (cell & (age == 43) & (tax == 635) & (cps["income"] == 40_000)).any()


def test_unique(cps: Arrays) -> None:
    age, cell = cps["age"], where(cps, 2, 3, 3)
    alone = cell & (age == 39)
    assert alone.sum() == 1
    assert (cell & between(age, 35, 39)).sum() == 1
    assert (cell & between(age, 36, 40)).sum() == 2
    assert cps["property_tax"][alone].tolist() == [0]
    assert cps["income"][alone].tolist() == [12_700]
    assert cps["weight"][alone].tolist() == [3_125.0]


def test_big_i(cps: Arrays) -> None:
    age, tax, cell = cps["age"], cps["property_tax"], where(cps, 1, 1, 1)
    same_age = cell & (age == 57)
    assert same_age.sum() == 345
    assert (cell & between(age, 55, 59)).sum() == 1_498
    assert (same_age & (tax == 1_100)).sum() == 7
    assert (same_age & (tax == 1_100) & (cps["income"] == 768_742)).sum() == 1


def test_big_p(cps: Arrays) -> None:
    age, tax, cell = cps["age"], cps["property_tax"], where(cps, 2, 1, 4)
    assert (cell & (age == 79)).sum() == 166
    assert (cell & between(age, 75, 79)).sum() == 776
    assert (cell & between(age, 75, 79) & (tax == 99_997)).sum() == 1
    assert cps["income"][cell & (age == 79) & (tax == 99_997)].tolist() == [94_552]


def test_neighbours_of_big_p(cps: Arrays) -> None:
    old = between(cps["age"], 75, 79)
    assert (old & (cps["property_tax"] > 39_997)).sum() == 1
    taxes = cps["property_tax"][old & (cps["sex"] == 2)]
    others = [int((taxes > cutpoint).sum()) - 1 for cutpoint in (35_000, 10_000, 5_000, 3_000)]
    assert others == [1, 3, 15, 57]


# Cells -----------------------------------------------------------------------------------------


def test_cells_without_tax(cps: Arrays) -> None:
    assert summary(cell_sizes(cps, KEYS)) == (2_192, 521, 2_102)
    assert summary(cell_sizes(grouped(cps), KEYS)) == (622, 96, 496)


def test_cells_with_tax(cps: Arrays) -> None:
    keys = (*KEYS, "property_tax")
    assert summary(cell_sizes(cps, keys)) == pytest.approx((26_839, 21_750, 31_175), rel=0.05)
    assert summary(cell_sizes(grouped(cps), keys)) == pytest.approx((18_747, 13_746, 22_878), rel=0.05)
    taxed = {name: column[cps["property_tax"] > 0] for name, column in cps.items()}
    assert summary(cell_sizes(taxed, keys))[1] == pytest.approx(21_211, rel=0.05)


# Dependence ------------------------------------------------------------------------------------


def test_categories_are_ample(cps: Arrays) -> None:
    for name in ("sex", "race", "marital", "education"):
        assert np.unique(cps[name], return_counts=True)[1].min() > 100


def test_marital_status_by_age_and_sex(cps: Arrays) -> None:
    age, marital, women = cps["age"], cps["marital"], cps["sex"] == 2
    assert (marital[age < 25] == 7).mean() > 0.6
    assert (marital[age >= 65] == 7).mean() < 0.1
    assert (marital[women & (age >= 75)] == 4).mean() > 0.6
    assert (marital[~women & (age >= 75)] == 4).mean() < 0.4
    assert (marital == 1).mean() > 0.5
    assert (marital == 2).mean() < 0.01
    assert (marital == 3).mean() < 0.03


def test_income_and_tax_dependence(cps: Arrays) -> None:
    income, tax, age, married = cps["income"], cps["property_tax"], cps["age"], cps["marital"] == 1
    school = cps["education"]
    owner = tax > 0
    assert np.median(income[school >= 43]) > 1.5 * np.median(income[school < 39])
    assert np.median(income[married]) > np.median(income[~married])
    assert np.median(income[between(age, 40, 55)]) > np.median(income[age >= 70])
    assert owner[married].mean() > owner[~married].mean() + 0.2
    assert owner[age >= 45].mean() > owner[age < 35].mean() + 0.2
    assert owner[income > 60_000].mean() > owner[income < 20_000].mean() + 0.15
    sensible = owner & (income > 500)
    assert np.corrcoef(np.log(income[sensible]), np.log(tax[sensible]))[0, 1] > 0.25


def test_payments_dependence(cps: Arrays) -> None:
    retired = cps["age"] >= 62
    security, support = cps["social_security"] > 0, cps["child_support"] > 0
    assert security[cps["age"] >= 70].mean() > 0.9
    assert security[retired].sum() > 0.7 * security.sum()
    apart = (cps["sex"] == 2) & (cps["marital"] >= 5)
    assert support[apart].sum() > 0.7 * support.sum()
    assert between(cps["age"][support], 18, 60).mean() > 0.95
