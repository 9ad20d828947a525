"""Warnings that printed assessments and reports share."""

from __future__ import annotations

from collections.abc import Sequence

from confide.assessment.assessment import Scenario


def contradicted_note(scenarios: Sequence[Scenario]) -> str | None:
    """Say where targets who are known to be in the file fit no record, and what it means; None: nowhere.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["m", "f", "f"]})
    >>> masked = cf.Microdata.from_dict({"sex": ["f", "f", "f"]})
    >>> print(contradicted_note(cf.assess(cf.Released.from_files(data, masked), cf.Intruder(knows=["sex"])).scenarios))
    In the scenario, 1 of 3 targets known to be in the file fit no released record and count as not linked. \
1 of them have a record there, which the likelihood rules out: figures of risk are too low if an intruder sees through it.
    """
    wrong = [s for s in scenarios if s.contradicted]
    if not wrong:
        return None
    worst = max(wrong, key=lambda s: s.contradicted)
    where = "the scenario" if len(scenarios) == 1 else f"{len(wrong)} of {len(scenarios)} scenarios"
    most = "" if len(wrong) == 1 else "up to "
    text = (
        f"In {where}, {most}{worst.contradicted:,} of {worst.summary.n:,} targets known to be in the file fit no released "
        "record and count as not linked."
    )
    ruled_out = max(s.ruled_out for s in wrong)
    if ruled_out:
        text += (
            f" {most.capitalize()}{ruled_out:,} of them have a record there, which the likelihood rules out: figures of "
            "risk are too low if an intruder sees through it."
        )
    supposing = [s.intruder.title for s in wrong if s.intruder.supposes is not None and s.ruled_out]
    if supposing:
        named = ", ".join(map(repr, dict.fromkeys(supposing)))
        text += f" What {named} supposes is not how the file was masked."
    return text
