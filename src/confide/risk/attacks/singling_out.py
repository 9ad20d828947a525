"""Singling out: does a statement that holds for one released record hold for one person?"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.risk.attacks.people import check_attacks, people_of
from confide.risk.attacks.predicates import Multivariate, Predicates
from confide.risk.attacks.result import AttackRate, AttackRisk, SuccessRate
from confide.risk.attacks.statements import tables_of
from confide.risk.frequency.keys import File
from confide.typing import FloatArray, IntArray

THREE = Multivariate(3)


def singling_out(
    original: Microdata,
    released: File,
    control: Microdata | None,
    *,
    predicates: Predicates = THREE,
    attacks: int = 2000,
    level: float = 0.95,
    seed: int = 1,
) -> AttackRate:
    """Try statements that hold for one released record alone on the people (Giomi et al. 2023).

    An attack succeeds when exactly one person of the original file satisfies the statement. On the control group the same
    statements are tried. How many people there are matters: a statement true of one in n singles out most often in a file
    of n. With a larger control group the chance is counted that a statement singles out in a random part of it as large as
    the original file, which is exact. A smaller control group is refused (the paper extrapolates by a fitted curve).

    There is one statement about a released record at most, since several about one are not several attacks. The interval
    takes statements as independent; where nothing leaked, the variance was seen to be .7 to 1.1 times that of such.

    Args:
        original: the people the release was made from.
        released: the released file, masked or synthetic.
        control: as many people like them or more who are not in it, from `split_control`; None: success alone is counted,
            and no risk.
        predicates: which statements are tried: `Multivariate(columns)` or `Univariate()`.
        attacks: how many statements; fewer where no more can be found.
        level: the level of the intervals.
        seed: the same seed gives the same result.

    >>> import confide as cf
    >>> train, control = cf.split_control(cf.examples.cps(), seed=7)
    >>> cf.singling_out(train, train, control, attacks=200).main.value
    1.0
    """
    check_attacks(attacks)
    people = people_of(original, released, control)
    n = people.original.n
    if people.control is not None and people.control.n < n:
        raise IntruderError(
            f"singling out needs a control group no smaller than the original file: {people.control.n:,} people against "
            f"{n:,}; take split_control(data, 0.5) before masking, or control=None for the rate of success alone"
        )
    tables = tables_of(
        [people.original, people.released, *([] if people.control is None else [people.control])], people.names
    )
    numeric = np.array([people.released.variables[name].kind.is_numeric for name in people.names])
    said = predicates.found(tables[1], numeric, attacks, seed)
    made = said.many
    if not made:
        raise IntruderError(
            f"no statement about {predicates.describe()} holds for one released record alone, so that there is no attack "
            "to count; that speaks for the release. Other predicates may find some: Univariate(), Multivariate(columns)"
        )
    count, row = said.matches(tables[0])
    success = (count == 1).astype(np.float64)
    guessed, _ = predicates.guessed(tables[1], numeric, attacks, seed).matches(tables[0])
    baseline = SuccessRate.of(int(np.sum(guessed == 1)), attacks, level)
    main = SuccessRate.of(success.sum(), made, level)
    targets = np.where(count == 1, row, -1)
    common = ("singling_out", predicates.describe(), main, baseline, targets, success, attacks, level)
    if people.control is None:
        return AttackRate(*common)
    there, _ = said.matches(tables[2], most=1 if people.control.n == n else people.control.n)
    return AttackRisk(*common, SuccessRate.of(float(alone(there, people.control.n, n).sum()), made, level))


def alone(count: IntArray, size: int, part: int) -> FloatArray:
    """Give the chance that exactly one of `count` people among `size` is in a random part of them (hypergeometric).

    >>> alone(np.array([0, 1, 2]), 4, 2).round(4).tolist()
    [0.0, 0.5, 0.6667]
    """
    if size == part:
        return np.asarray(count == 1, dtype=np.float64)
    x = count.astype(np.float64)
    possible = (x >= 1) & (size - x >= part - 1)
    x = np.where(possible, x, 1.0)

    def ways(a: FloatArray | float, b: float) -> FloatArray:
        return np.asarray(gammaln(np.asarray(a) + 1) - gammaln(b + 1) - gammaln(np.asarray(a) - b + 1))

    chance = x * np.exp(ways(size - x, part - 1) - ways(size, part))
    return np.asarray(np.where(possible, np.minimum(chance, 1.0), 0.0))
