"""Does what an intruder supposes, believes and knows fit what the released file shows?

Where it rules out what happened for everybody, a risk of zero would be no finding about the file.
"""

from __future__ import annotations

import numpy as np

from confide.data.codebook import Role
from confide.data.column import Column
from confide.errors import IntruderError, LikelihoodError
from confide.linking.evidence import Evidence
from confide.linking.links import Links
from confide.linking.ruling import coded_otherwise, listed, ruling_out
from confide.typing import BoolArray

SHOWN = 4
"""So many categories of a released variable are named."""
NAMED = 8
"""So many variables are named."""


def refuse_nobody(evidence: Evidence) -> None:
    """Raise where an intruder is sure that targets are in a file in which no record is anybody's."""
    released, intruder = evidence.released, evidence.intruder
    if intruder.target_in_file and released.simulated_share == 1.0:
        raise IntruderError(
            f"{intruder.title!r} knows that the targets are in the released file, and none of its {released.data.n:,} "
            "records is said to be anybody's (parent is -1 everywhere). Give parent=[...], the source row of each "
            "record; or set target_in_file=False"
        )


def refuse_contradicted(links: Links) -> None:
    """Raise where the intruder gives no target in the file a chance to be found.

    That is where the own record of every target who has one is ruled out; or, where it is not known who has one, where no
    record fits anybody. Who takes released values at face value may err so, unless the codings of the files differ.
    """
    evidence = links.evidence
    who = _refuted(links)
    if not who.any():
        return
    coded = coded_otherwise(evidence, who)
    if coded:
        raise LikelihoodError(_coded(evidence, coded, who))
    if not evidence.intruder.understands_masking:
        return
    if evidence.intruder.supposes is not None:
        raise LikelihoodError(_supposed(evidence, who))
    names, believed = ruling_out(evidence, np.flatnonzero(who))
    named = _named(names or list(evidence.intruder.variables))
    start = f"{evidence.intruder.title!r} looks for {int(who.sum()):,} targets, and "
    if believed:
        raise LikelihoodError(
            f"{start}what is believed about {named} has probability 0 for what {_whose(evidence, who)}. Believe in what is "
            "possible, with a Mixture or a distribution that has all the true values; or leave the belief out"
        )
    if not bool(np.any(evidence.own_records[who] >= 0)):
        raise LikelihoodError(
            f"{start}none of them fits any released record by {named}; nobody knows whether they are in the file, so that a "
            "risk of zero would be no finding. Check that both files are coded alike; say what was done to the file with "
            "supposes=Release(...); or give the targets an id that the source file has, too"
        )
    done = "; ".join(m.describe() for m in evidence.released.methods)
    if done:
        raise LikelihoodError(
            f"{start}none of their own records can be theirs by {named}, given what was done ({done}). Check that the "
            "source file, the released file and parent belong together"
        )
    raise LikelihoodError(
        f"{start}none of their own records can be theirs by {named}. Nothing is known to have been done to the file: say "
        "what was with supposes=Release(...), check the coding and the order of the records (parent=[...]); or let the "
        "intruder take released values at face value with understands_masking=False"
    )


def _refuted(links: Links) -> BoolArray:
    """Give the targets who refute the intruder's model, all together; nobody: one of them is possible."""
    evidence = links.evidence
    there, unknown = evidence.own_records >= 0, ~evidence.truth_known
    nobody = np.zeros(links.n, dtype=np.bool_)
    if there.any():
        estimated = links.matched is not None and not links.matched.is_exact
        chance = links.best if estimated else links.own
        return nobody if bool(np.any(chance[there] > 0)) else there
    return nobody if bool(np.any(links.best[unknown] > 0)) else unknown


def _whose(evidence: Evidence, who: BoolArray) -> str:
    """Say whose records are ruled out."""
    return "is released of each of them" if bool(np.any(evidence.own_records[who] >= 0)) else "any released record shows"


def _coded(evidence: Evidence, names: list[str], who: BoolArray) -> str:
    """Say that codings differ."""
    known = evidence.released.source is not None and bool(np.all(evidence.target_rows[who] >= 0))
    other = "the source file" if known else "the targets' file"
    return (
        f"{evidence.intruder.title!r} looks for {int(who.sum()):,} targets by {_named(names)}, to which nothing is known "
        f"to have been done, and no value in the released file is a value in {other}. The files are coded otherwise, as "
        "'a' and 'A', or '1' and '01': a risk of zero would be no finding. Bring them to the same coding; or, if values "
        "were recoded on purpose, say how with supposes=Release(Recode(...))"
    )


def _supposed(evidence: Evidence, who: BoolArray) -> str:
    """Say that the file was not masked as supposed."""
    supposes, data = evidence.intruder.supposes, evidence.released.data
    assert supposes is not None
    names = [n for m in supposes.methods for n in m.variables if n in evidence.intruder.variables and n in data.columns]
    names = list(dict.fromkeys(names)) or [n for n in evidence.intruder.variables if n in data.columns]
    there = " in the file" if bool(np.any(evidence.own_records[who] >= 0)) else ""
    hidden = set(data.with_role(Role.SENSITIVE))
    told = [f"{n!r}" + ("" if n in hidden else f" as {shown(data.columns[n])}") for n in names[:NAMED]]
    return (
        f"{evidence.intruder.title!r} supposes this masking: {'; '.join(supposes.describe())}. Then no released record can "
        f"belong to any of the {int(who.sum()):,} targets{there}, so it was not masked like that. The file shows "
        f"{listed(told)}. Suppose the masking that leads to these, or leave supposes out"
    )


def _named(names: list[str]) -> str:
    """Name variables, not too many."""
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    return listed([*map(repr, names[:NAMED]), *more])


def shown(column: Column) -> str:
    """Say what form the values of a released variable have; categories are named, numbers are not.

    >>> shown(Column.of_labels(["[0, 10)", "[10, 20)"])), shown(Column.of_numbers([3.0]))
    ("'[0, 10)' and '[10, 20)'", 'numbers')
    """
    used = [repr(str(column.labels[c])) for c in np.unique(column.codes[column.codes >= 0])]
    more = [f"{len(used) - SHOWN:,} more categories"] if len(used) > SHOWN else []
    numbers = ["numbers"] if bool(column.is_number.any()) else []
    return listed([*used[:SHOWN], *more, *numbers]) or "missing"
