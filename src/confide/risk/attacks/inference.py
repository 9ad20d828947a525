"""Inference: does the release tell a secret of people whose other values are known?"""

from __future__ import annotations

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.risk.attacks.lookup import Known, names_of, search_for
from confide.risk.attacks.nearest import nearest_rows
from confide.risk.attacks.people import check_attacks, check_names, people_of
from confide.risk.attacks.result import AttackRate, AttackRisk, SuccessRate
from confide.risk.attacks.tolerance import Tolerance, WithinShare
from confide.risk.frequency.keys import File
from confide.seeds import Stream
from confide.typing import BoolArray, FloatArray

FIVE = WithinShare(0.05)


def inference(
    original: Microdata,
    released: File,
    control: Microdata | None,
    known: Known,
    secret: str,
    *,
    tolerance: Tolerance = FIVE,
    attacks: int = 2000,
    level: float = 0.95,
    seed: int = 1,
) -> AttackRate:
    """Guess a secret from the nearest released record (Giomi et al. 2023).

    The intruder knows some values of a person, finds the released record nearest to them, and takes its secret for the
    person's. Among records equally near one is drawn at random. People whose secret is missing are not attacked, and
    released records without it give no guess.

    The baseline takes the secret of any released record. Its chance is counted, not simulated.

    Args:
        original: the people the release was made from.
        released: the released file, masked or synthetic.
        control: people like them who are not in it, from `split_control`; None: success alone is counted, and no risk.
        known: the variables that the intruder knows, names or distances such as `NumericDistance`.
        secret: the variable that is guessed.
        tolerance: when the guess of a number is right: `WithinShare(0.05)` or `WithinAmount(...)`; a category must be the
            same. Here the share is one of the true number; in the paper, of the guess.
        attacks: how many people are attacked in each file; all where there are fewer.
        level: the level of the intervals.
        seed: the same seed gives the same result.

    >>> import confide as cf
    >>> train, control = cf.split_control(cf.examples.cps(), seed=7)
    >>> found = cf.inference(train, train, control, ["age", "sex", "race", "property_tax"], "income", attacks=500)
    >>> round(found.main.value, 3), round(found.control.value, 3), found.beats_guessing
    (0.528, 0.028, True)
    """
    check_attacks(attacks)
    people = people_of(original, released, control)
    names = names_of(known)
    if not names or secret in names:
        raise IntruderError(
            f"known must name variables other than the secret {secret!r}; found {', '.join(names) or 'none'}"
        )
    check_names(people, [*names, secret])
    told = np.flatnonzero(~people.released.columns[secret].is_missing)
    allowed = [
        None if f is None else np.flatnonzero(~f.columns[secret].is_missing) for f in (people.original, people.control)
    ]
    for what, rows in (("released", told), ("original", allowed[0]), ("control", allowed[1])):
        if rows is not None and rows.size == 0:
            raise IntruderError(
                f"the secret {secret!r} is missing in every record of the {what} file; there is nothing to guess"
            )
    assert allowed[0] is not None
    targets, others = people.drawn(attacks, seed, (allowed[0], allowed[1]))
    attacked = people.pooled(targets, others, [*names, secret])
    file = people.released.take(told)
    rows = nearest_rows(search_for(attacked, file, known, people.channels), 1, Stream(seed, "inference"))[:, 0]
    true, given = _joined(attacked.columns[secret], file.columns[secret])
    success = right(true, given.take(np.maximum(rows, 0)), tolerance) & (rows >= 0)
    n = targets.size
    numeric = bool(true.is_number.any() or given.is_number.any())
    how = f"{secret} from {', '.join(names)}" + (f", {tolerance.describe()}" if numeric else "")
    guessing = SuccessRate.of(chances(true.take(np.arange(n)), given, tolerance).sum(), n, level)
    main = SuccessRate.of(float(success[:n].sum()), n, level)
    common = ("inference", how, main, guessing, targets, success[:n].astype(np.float64), attacks, level)
    if others is None:
        return AttackRate(*common)
    return AttackRisk(*common, SuccessRate.of(float(success[n:].sum()), others.size, level))


def _joined(a: Column, b: Column) -> tuple[Column, Column]:
    """Give both columns the same list of labels."""
    labels = tuple(dict.fromkeys((*a.labels, *b.labels)))
    return a.relabelled(labels), b.relabelled(labels)


def right(true: Column, guess: Column, tolerance: Tolerance) -> BoolArray:
    """Say which guesses are right; a missing one is not.

    >>> right(Column.of_numbers([100.0, 0.0]), Column.of_numbers([104.0, 1.0]), WithinShare(0.05)).tolist()
    [True, False]
    """
    same = (true.codes == guess.codes) & (true.codes >= 0)
    both = true.is_number & guess.is_number
    with np.errstate(invalid="ignore"):
        close = np.abs(true.numbers - guess.numbers) <= tolerance.reach(true.numbers)
    return np.asarray(same | (both & close), dtype=np.bool_)


def chances(true: Column, given: Column, tolerance: Tolerance) -> FloatArray:
    """Give the chance that the value of a random record is a right guess of each true one.

    >>> chances(Column.of_labels(["a"]), Column.of_labels(["a", "b", "a", "a"]), WithinShare()).tolist()
    [0.75]
    """
    held = np.bincount(given.codes[given.codes >= 0], minlength=max(len(given.labels), 1))
    count = np.where(true.codes >= 0, held[np.maximum(true.codes, 0)], 0).astype(np.float64)
    numbers = np.sort(given.numbers[given.is_number])
    x = true.numbers[true.is_number]
    reach = tolerance.reach(x)
    ends = np.searchsorted(numbers, x + reach, side="right") - np.searchsorted(numbers, x - reach, side="left")
    count[true.is_number] = ends
    return np.asarray(count / given.size)
