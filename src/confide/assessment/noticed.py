"""Warnings that printed assessments and reports share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.assessment.assessment import Scenario
from confide.intruder.supposing import supposes_otherwise
from confide.linking.ruling import ruling_out


def contradicted_note(scenarios: Sequence[Scenario]) -> str | None:
    """Say where targets in the file fit no record, or not their own, and what it means; None: nowhere.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["m", "f", "f"]})
    >>> masked = cf.Microdata.from_dict({"sex": ["f", "f", "f"]})
    >>> released = cf.Released.from_files(data, masked, same_order=True)
    >>> print(contradicted_note(cf.assess(released, cf.Intruder(knows=["sex"])).scenarios))
    In the scenario, 1 of 3 targets known to be in the file fit no released record and count as not linked. \
In the scenario, 1 of 3 targets have a record in the file that the likelihood rules out, by 'sex': figures of risk are too \
low if an intruder sees through it. A limit must also hold with each of them linked rightly.
    """
    texts = []
    wrong = [s for s in scenarios if s.contradicted]
    if wrong:
        known = "known to be " if all(s.intruder.target_in_file for s in wrong) else ""
        texts.append(
            f"{_where(wrong, scenarios)}{_most(wrong, [s.contradicted for s in wrong])} {known}in the file fit no released "
            "record and count as not linked."
        )
    ruled = [s for s in scenarios if s.ruled_out]
    if ruled:
        by = ", ".join(map(repr, dict.fromkeys(name for s in ruled for name in _ruling(s))))
        texts.append(
            f"{_where(ruled, scenarios)}{_most(ruled, [s.ruled_out for s in ruled])} have a record in the file that the "
            f"likelihood rules out{f', by {by}' if by else ''}: figures of risk are too low if an intruder sees through it."
        )
    supposing = [s.intruder.title for s in ruled if supposes_otherwise(s.intruder, s.released)]
    if supposing:
        named = ", ".join(map(repr, dict.fromkeys(supposing)))
        texts.append(f"What {named} supposes is not how the file was masked.")
    if texts:
        texts.append("A limit must also hold with each of them linked rightly.")
    return " ".join(texts) or None


def _where(some: Sequence[Scenario], scenarios: Sequence[Scenario]) -> str:
    """Say in how many scenarios."""
    return "In the scenario, " if len(scenarios) == 1 else f"In {len(some)} of {len(scenarios)} scenarios, "


def _most(some: Sequence[Scenario], counts: Sequence[int]) -> str:
    """Give the largest count and the number of targets it is out of."""
    worst = int(np.argmax(counts))
    return f"{'' if len(some) == 1 else 'up to '}{counts[worst]:,} of {some[worst].summary.n:,} targets"


def _ruling(scenario: Scenario) -> list[str]:
    """Name the variables that rule out records of targets."""
    found = [ruling_out(links.evidence, np.flatnonzero(links.without_own))[0] for links in scenario.links if links.ruled_out]
    return [name for names in found for name in names]
