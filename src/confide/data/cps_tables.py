"""Published figures and rounded aggregate shares behind the synthetic household file.

The published figures are those of Reiter (2005); the shares are rounded percentages typical
of United States household heads in 2000.  Nothing here describes an individual respondent.
Next to the figures stand the two steps that turn them into numbers of people: the expected cells,
and the moves that make drawn cells meet the published sizes.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

SEED: Final = 20000316
PEOPLE: Final = 51_016
POPULATION: Final = 104_781_947
AGE_MIN: Final = 15
AGES: Final = 76
AGE_GROUPS: Final = 16
SHAPE: Final = (2, 4, 7, AGES)

CHILD_SUPPORT_PEOPLE: Final = 1_677
SOCIAL_SECURITY_PEOPLE: Final = 12_021
TAXED_PEOPLE: Final = 33_076
NEGATIVE_INCOMES: Final = 132
ZERO_INCOMES: Final = 582
LOWEST_INCOME: Final = -21_011
TOP_INCOME: Final = 768_742
TOP_TAX: Final = 99_997


class Unit(NamedTuple):
    """One of the four named units: sex, race, marital status, age, tax and income."""

    sex: int
    race: int
    marital: int
    age: int
    tax: int
    income: int

    @property
    def cell(self) -> tuple[int, int, int, int]:
        """Return the place of the unit's sex, race, marital status and age."""
        return self.sex - 1, self.race - 1, self.marital - 1, self.age - AGE_MIN


EVERYMAN: Final = Unit(1, 1, 1, 43, 635, 40_000)
UNIQUE: Final = Unit(2, 3, 3, 39, 0, 12_700)
BIG_I: Final = Unit(1, 1, 1, 57, 1_100, TOP_INCOME)
BIG_P: Final = Unit(2, 1, 4, 79, TOP_TAX, 94_552)
UNIQUE_WEIGHT: Final = 3_125.0
BIG_I_CELL_WEIGHT: Final = 0.89
"""Factor on the weights of the cell of Big I, whose published risk is above the average one."""

FIXED_CELLS: Final[tuple[tuple[Unit, int, int], ...]] = (
    (EVERYMAN, 455, 2_230),
    (UNIQUE, 1, 1),
    (Unit(2, 3, 3, 40, 0, 0), 1, 3),
    (BIG_I, 345, 1_498),
    (BIG_P, 166, 776),
)
"""A named unit, the people of its sex, race, marital status and age, and with age in fives."""


class SizeTargets(NamedTuple):
    """How many cells are occupied, hold one person, and how many people are in small cells."""

    occupied: int
    singles: int
    in_small: int
    small: int = 4

    def effect(self, size: int) -> tuple[int, int, int]:
        """Return what a cell of the size adds to the three numbers."""
        return int(size > 0), int(size == 1), size if size <= self.small else 0

    def gap(self, sizes: Ints) -> list[int]:
        """Return how far the sizes exceed the three numbers."""
        in_small = int(sizes[sizes <= self.small].sum())
        occupied, singles = int((sizes > 0).sum()), int((sizes == 1).sum())
        return [occupied - self.occupied, singles - self.singles, in_small - self.in_small]

    def without(self, sizes: Ints) -> "SizeTargets":
        """Return what is left for the other cells when some have the given sizes."""
        occupied, singles, in_small = (-gap for gap in self.gap(sizes))
        return SizeTargets(occupied, singles, in_small, self.small)

    def reach(self, counts: Ints, block: Ints, rng: np.random.Generator) -> Ints:
        """Move single people to a next cell of their block until the numbers are met.

        Cells with a negative block stay as they are.
        """
        sizes, blocks, gap = counts.tolist(), block.tolist(), self.gap(counts)
        proposals = rng.random((200_000, 2))
        places = (proposals[:, 0] * counts.size).astype(np.int64).tolist()
        steps = np.where(proposals[:, 1] < 0.5, -1, 1).tolist()
        for place, step in zip(places, steps, strict=True):
            if not any(gap):
                break
            other = place + step
            if not 0 <= other < len(sizes) or blocks[place] < 0 or blocks[place] != blocks[other]:
                continue
            if sizes[place] == 0:
                continue
            before = self.effect(sizes[place]), self.effect(sizes[other])
            after = self.effect(sizes[place] - 1), self.effect(sizes[other] + 1)
            moved = [gap[k] + sum(a[k] for a in after) - sum(b[k] for b in before) for k in range(3)]
            if moved != gap and sum(map(abs, moved)) <= sum(map(abs, gap)):
                gap = moved
                sizes[place] -= 1
                sizes[other] += 1
        return np.array(sizes, dtype=np.int64)


GROUPED_CELLS: Final = SizeTargets(622, 96, 496)
EXACT_CELLS: Final = SizeTargets(2_192, 521, 2_102)
TAX_VALUES: Final = SizeTargets(2_533, 527, 0, small=0)

AGE_SEX: Final = (
    (20, 101, 218, 308, 338, 333, 331, 330, 203, 168, 146, 130, 116, 68, 28, 9),
    (19, 121, 194, 204, 229, 250, 213, 207, 151, 120, 113, 120, 106, 80, 34, 17),
)
"""Relative numbers of men and of women by five years of age from 15 (the last: 90 and over)."""

MARITAL_CENTRES: Final = (20, 30, 40, 50, 60, 70, 80, 90)
MARITAL: Final = (
    (
        (262, 3, 6, 1, 17, 12, 699),
        (557, 3, 15, 2, 70, 28, 325),
        (700, 2, 14, 4, 124, 23, 133),
        (764, 1, 8, 12, 129, 15, 71),
        (781, 0.4, 11, 22, 121, 16, 48),
        (780, 0.2, 11, 105, 56, 9, 39),
        (670, 0.1, 18, 212, 50, 6, 42),
        (515, 0.1, 8, 420, 25, 3, 29),
    ),
    (
        (171, 20, 13, 1, 25, 18, 752),
        (435, 9, 12, 7, 83, 60, 394),
        (420, 6, 14, 20, 236, 84, 220),
        (412, 3, 25, 63, 324, 44, 129),
        (381, 1, 28, 190, 310, 15, 75),
        (258, 0.4, 24, 515, 125, 17, 60),
        (100, 0.2, 8, 715, 96, 17, 55),
        (20, 0.1, 8, 880, 45, 4, 40),
    ),
)
"""Marital status per mille, by sex and at the ages of MARITAL_CENTRES."""

RACE: Final = (
    (
        (902, 59, 9, 30),
        (780, 130, 15, 75),
        (770, 90, 15, 125),
        (840, 130, 12, 18),
        (869, 102, 15, 14),
        (745, 205, 15, 35),
        (814, 131, 14, 41),
    ),
    (
        (885, 81, 9, 25),
        (790, 120, 15, 75),
        (770, 160, 20, 50),
        (862, 122, 8, 8),
        (816, 150, 13, 21),
        (695, 272, 13, 20),
        (735, 205, 19, 41),
    ),
)
"""Race per mille, by sex and marital status, at age 47."""

RACE_BY_DECADE: Final = (0.0, -0.03, -0.12, -0.15)
"""Change of the log share of each race for ten years of age."""

EDUCATION: Final = (3, 10, 20, 38, 22, 27, 33, 10, 322, 187, 40, 36, 161, 61, 15, 15)
"""Education levels 31 to 46, per mille."""

SOCIAL_SECURITY_AGES: Final = (15, 25, 37, 50, 58, 61, 63, 67, 75, 90)
SOCIAL_SECURITY_SHARE: Final = (0.004, 0.008, 0.03, 0.055, 0.10, 0.20, 0.52, 0.84, 0.94, 0.96)
CHILD_SUPPORT_SHARE: Final = (
    (0.0035, 0.003, 0.005, 0.003, 0.0126, 0.02, 0.003),
    (0.036, 0.02, 0.036, 0.017, 0.21, 0.27, 0.094),
)

QUANTILES: Final = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0)
CHILD_SUPPORT_AMOUNTS: Final = (
    1, 150, 500, 620, 1_500, 3_300, 5_600, 10_600, 14_500, 21_000, 23_500, 23_917,
)  # fmt: skip
SOCIAL_SECURITY_AMOUNTS: Final = (
    1, 1_150, 3_000, 4_400, 6_550, 9_550, 12_000, 14_400, 16_150, 24_500, 35_000, 50_000,
)  # fmt: skip
INCOMES: Final = (
    1, 2_800, 7_650, 11_800, 21_500, 40_700, 69_400, 106_900, 144_000, 256_000, 424_000, 618_742,
)  # fmt: skip
NEGATIVE_AMOUNTS: Final = (
    21_011, 20_000, 16_000, 12_000, 9_000, 5_000, 2_500, 1_000, 400, 80, 10, 1,
)  # fmt: skip


class TaxBand(NamedTuple):
    """Positive taxes of a band.

    ``span``: above the first, up to the second figure, and how many people; ``at`` and
    ``amounts``: levels and values of quantiles; ``heaps``: round units and the shares that report
    in them; ``donors``: how many odd figures the others share.
    """

    span: tuple[int, int, int]
    at: tuple[float, ...]
    amounts: tuple[float, ...]
    heaps: tuple[tuple[int, float], ...]
    donors: int


TAX_BANDS: Final = (
    TaxBand(
        (0, 1_000, 16_600),
        (0.0, 0.02, 0.09, 0.18, 0.45, 0.7, 1.0),
        (1, 29, 95, 195, 445, 670, 1_000),
        ((500, 0.03), (100, 0.22), (50, 0.1), (25, 0.04), (10, 0.115), (5, 0.03), (1, 0.08)),
        140,
    ),
    TaxBand(
        (1_000, 3_000, 13_028),
        (0.0, 0.43, 0.78, 0.89, 1.0),
        (1_000, 1_500, 2_200, 2_500, 3_000),
        ((600, 0.11), (500, 0.05), (100, 0.38), (50, 0.05), (10, 0.05), (5, 0.02), (1, 0.08)),
        140,
    ),
    TaxBand(
        (3_000, 5_000, 2_348),
        (0.0, 0.5, 1.0),
        (3_000, 3_700, 5_000),
        ((1_000, 0.16), (500, 0.18), (100, 0.36), (50, 0.02), (10, 0.02), (5, 0.03), (1, 0.06)),
        40,
    ),
    TaxBand(
        (5_000, 10_000, 847),
        (0.0, 0.5, 1.0),
        (5_000, 6_400, 10_000),
        ((1_000, 0.2), (500, 0.12), (100, 0.28), (50, 0.02), (5, 0.05)),
        80,
    ),
    TaxBand(
        (10_000, 35_000, 225),
        (0.0, 0.5, 1.0),
        (10_000, 14_100, 35_000),
        ((5_000, 0.1), (1_000, 0.2), (500, 0.2), (100, 0.25)),
        40,
    ),
    TaxBand(
        (35_000, 98_000, 24),
        (0.0, 0.5, 1.0),
        (35_000, 63_000, 98_000),
        ((5_000, 0.3), (1_000, 0.3), (10, 0.4)),
        1,
    ),
)

EVERYMAN_TAX_PEOPLE: Final = 9
"""Households with the tax of Everyman; eight of them are white."""

BIG_P_NEIGHBOURS: Final = ((39_997, 99_997, 0), (35_000, 39_997, 1), (10_000, 35_000, 2),
                           (5_000, 10_000, 12), (3_000, 5_000, 42))  # fmt: skip
"""Other women of the age group of Big P with a tax above the first and up to the second figure."""


def expected_people() -> NDArray[np.float64]:
    """Return relative numbers of people by sex, race, marital status and single year of age."""
    ages = np.arange(AGES) + AGE_MIN
    drift = np.exp(np.outer(RACE_BY_DECADE, (ages - 47.0) / 10.0))
    expected = np.empty(SHAPE)
    for sex in range(2):
        by_five = np.array(AGE_SEX[sex], dtype=float)
        points = [15.0, *np.arange(17.0, 90.0, 5.0)]
        by_age = np.interp(ages, points, [0.3, *by_five[:-1] / 5.0])
        by_age[-1] = by_five[-1]
        marital = np.array(MARITAL[sex], dtype=float)
        for status in range(7):
            share = np.interp(ages, MARITAL_CENTRES, marital[:, status] / 1000.0)
            race = np.array(RACE[sex][status], dtype=float)[:, None] * drift
            expected[sex, :, status, :] = by_age * share * race / race.sum(axis=0)
    return expected
