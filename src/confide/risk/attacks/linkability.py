"""Linkability: does the release tell that two records elsewhere belong to one person?"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.risk.attacks.lookup import Known, names_of, search_for
from confide.risk.attacks.nearest import nearest_rows
from confide.risk.attacks.people import check_attacks, check_names, people_of
from confide.risk.attacks.result import AttackRate, AttackRisk, SuccessRate
from confide.risk.frequency.keys import File
from confide.seeds import Stream


def linkability(
    original: Microdata,
    released: File,
    control: Microdata | None,
    known: tuple[Known, Known],
    *,
    neighbours: int = 1,
    attacks: int = 2000,
    level: float = 0.95,
    seed: int = 1,
) -> AttackRate:
    """Link two halves of people through the released file (Giomi et al. 2023).

    Some of a person's variables stand in one file elsewhere, others in a second one. The intruder finds the released records
    nearest to each half, and says that the halves belong together when a released record is among both. Nearest records are
    exact, by the distances of `distance_linkage`; where more are equally near than count, they are drawn at random.

    Args:
        original: the people the release was made from.
        released: the released file, masked or synthetic.
        control: people like them who are not in it, from `split_control`; None: success alone is counted, and no risk.
        known: the variables of the two halves, names or distances such as `NumericDistance`; no variable is in both.
        neighbours: how many released records count as nearest.
        attacks: how many people are attacked in each file; all where there are fewer.
        level: the level of the intervals.
        seed: the same seed gives the same result.

    >>> import confide as cf
    >>> train, control = cf.split_control(cf.examples.cps(), seed=7)
    >>> halves = ["age", "race", "property_tax"], ["sex", "education", "income"]
    >>> found = cf.linkability(train, train, control, halves, attacks=500)
    >>> round(found.main.value, 3), round(found.control.value, 3), found.beats_guessing
    (0.41, 0.0, True)
    """
    check_attacks(attacks)
    people = people_of(original, released, control)
    names = [names_of(half) for half in known]
    both = sorted(set(names[0]) & set(names[1]))
    if len(known) != 2 or not all(names) or both:
        found = f"{', '.join(both)} in both" if both else f"{len(known)} lists of {[len(n) for n in names]} variables"
        raise IntruderError(f"known must be two lists of variables, none in both, such as (['age'], ['job']); found {found}")
    check_names(people, [*names[0], *names[1]])
    n = people.released.n
    if not 1 <= neighbours <= n:
        raise IntruderError(f"neighbours must be from 1 to the number of released records, {n:,}; found {neighbours}")
    rows = np.arange(people.original.n), None if people.control is None else np.arange(people.control.n)
    targets, others = people.drawn(attacks, seed, rows)
    attacked = people.pooled(targets, others, [*names[0], *names[1]])
    picks = [
        nearest_rows(
            search_for(attacked, people.released, half, people.channels), neighbours, Stream(seed, f"linkability {i}")
        )
        for i, half in enumerate(known)
    ]
    same = (picks[0][:, :, None] == picks[1][:, None, :]) & (picks[0] >= 0)[:, :, None]
    success = same.any(axis=(1, 2)).astype(np.float64)
    how = f"{', '.join(names[0])} with {', '.join(names[1])}, {neighbours} nearest"
    baseline = SuccessRate.exactly(chance_overlap(n, neighbours), targets.size)
    main = SuccessRate.of(success[: targets.size].sum(), targets.size, level)
    common = ("linkability", how, main, baseline, targets, success[: targets.size], attacks, level)
    if others is None:
        return AttackRate(*common)
    return AttackRisk(*common, SuccessRate.of(success[targets.size :].sum(), others.size, level))


def chance_overlap(n: int, k: int) -> float:
    """Give the chance that two random sets of k out of n have a member in common, 1 - C(n-k, k) / C(n, k).

    >>> round(chance_overlap(10, 2), 4)
    0.3778
    """
    if 2 * k > n:
        return 1.0
    return float(-np.expm1(2 * gammaln(n - k + 1) - gammaln(n - 2 * k + 1) - gammaln(n + 1)))
