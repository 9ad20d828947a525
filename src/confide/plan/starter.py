"""Write a commented plan to start from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from confide.data.codebook import Kind, Role
from confide.data.column import Column
from confide.data.inference import count_distinct, facts_of
from confide.data.microdata import Microdata
from confide.errors import DataError, UserMistake
from confide.plan.dump import key, value_text
from confide.plan.schema_measures import MEASURES as CLASSICAL
from confide.release.method import Method
from confide.release.methods.noise import Noise
from confide.release.methods.recode import Recode
from confide.release.methods.swap import Swap

FEWEST_IDS = 20
"""In fewer records anything may differ between all."""
MOST_KNOWN = 6
"""How many variables the example intruder knows at most."""
HEAD = """\
# A plan for confide: what the file holds, how it will be masked, who may look for respondents.
# Everything below was inferred or is an example. Mend it, then run:  confide assess {name}
# Paths are relative to this file.

# Masking hangs on a secret that is made at the first run and kept beside this file, for its owner only. Whoever has it can
# take the masking away: give it to nobody. For tests and studies, an integer gives everyone the same files:  seed = 7
# An intruder declares an identification when a record is more probable than this.
threshold = 0.2
"""
ROLES = """
# What each variable means for disclosure; a variable has one role.
[data.roles]
"""
MEANING = {
    "identifier": "names a respondent directly; never released",
    "key": "an intruder can know it from elsewhere",
    "sensitive": "what the respondent confided",
    "unavailable": "released, and hardly known to anyone else",
    "stratum": "the design stratum",
    "weight": "the survey weight",
    "household": "the household the respondent belongs to",
}
KINDS = """
# nominal, ordinal (give [data.order] too), integer, continuous or text.
[data.kinds]
"""
RELEASES = """
# Releases are compared with each other. This one shows the risk of doing nothing.
[[release]]
name = "nothing masked"
"""
MORE_METHODS = """
# Other methods, with the arguments of the Python classes of the same names:
# { method = "Topcode", variable = "income", at = 100000 }       Bottomcode likewise
# { method = "Round", variable = "income", to = 100 }
# { method = "MultiplicativeNoise", variable = "income", sd = 0.1 }
# { method = "Drop", names = ["region"] }
# { method = "Sample", fraction = 0.5 }
# A file that someone else masked, with the source row of each record in a column of it:
# [[release]]
# name = "the contractor's file"
# released = "masked.csv"
# parent = "source_row"
"""
NEIGHBOUR = """
# Knows these variables of a respondent, and knows that the respondent took part.
[[intruder]]
name = "neighbour"
"""
STRANGER = """
# Knows the same, but not whether the target is in the file at all.
[[intruder]]
name = "stranger"
knows = {knows}
target_in_file = false
# population = "log-linear"  # or "pitman", {{ table = "census.csv", count = "count" }}
# Without population, the number of people like a target is the sum of the weights of the records that fit. That understates
# the risk of rare ones, and a limit that rests on it is undefined.
"""
NO_STRANGER = """
# Who does not know whether the target is in the file at all. This needs the number of people like each target, which
# nothing in this file tells: give a table of the population, or the share of all people who are in the file.
# [[intruder]]
# name = "stranger"
# knows = {knows}
# target_in_file = false
# population = {{ table = "census.csv", count = "count" }}  # or {{ model = "log-linear", fraction = 0.02 }}
"""
MORE_KNOWLEDGE = """
# Variables can be known less than exactly:
# knows = [{{ variable = {0}, within_percent = 20 }}]
# Further: low = .., high = .., breaks = [..], sd = .., one_of = [..], normal = [mean, sd], lognormal, uniform.
# understands_masking = false      takes released values at face value
# models_others = false            acts as if only the target's record had been altered
# matching = "without replacement" lets all records compete for all targets
"""
HARM = """
# Harm is a loss to respondents from what is inferred about them. What an outcome costs is for you to say.
{comment}[[harm]]
{comment}attribute = {attribute}
{comment}costs = {costs}
"""
MEASURES = """
# Classical measures, taken of every released file on what each intruder knows.
[[measure]]
measure = "k_anonymity"

# Others: {others}.
# {{ measure = "l_diversity", sensitive = "income" }} protects a variable; keys = [..] names other keys.
"""
TAIL = """
# Files to write. None of these holds a respondent's values; files of single records are confidential, and say so.
# [report]
# path = "report.html"
# by = [{by}]
# [output]
# json = "assessment.json"
# table = "table.csv"
# per_record = "per_record.csv"

# The run fails with exit code 3 when a limit is exceeded.
# [limits]
# releases = [{release}]
# max_right_links = 10        # a number of targets; the risk of a [map] is a share of them, from 0 to 1
# max_expected_matches = 10
# max_probability = 0.5
# measure = {{ k_anonymity = 3 }}
"""


def starter_plan(
    microdata: Microdata,
    data_path: str | os.PathLike[str],
    *,
    name: str = "plan.toml",
    encoding: str | None = None,
    delimiter: str | None = None,
) -> str:
    """Write a commented plan for a file; it runs as it is.

    Args:
        microdata: the file, with the kinds and roles it has.
        data_path: where the file is, seen from the plan.
        name: what the plan file will be called.
        encoding: how the file writes its characters, where it is not UTF-8.
        delimiter: what stands between cells, where its suffix does not say it.
    """
    microdata = with_ids(microdata)
    known = known_variables(microdata)
    methods = example_methods(microdata, known)
    parts = [HEAD.format(name=name), "\n[data]", f"\npath = {value_text(Path(data_path).as_posix())}\n"]
    parts += [f"{k} = {value_text(v)}\n" for k, v in (("encoding", encoding), ("delimiter", delimiter)) if v is not None]
    parts += [ROLES, *_told_of_ids(microdata), *_roles(microdata), KINDS, *_kinds(microdata), RELEASES]
    masked = "some masking"
    if methods:
        parts += ["\n# Methods are applied in this order.\n[[release]]\n", f"name = {value_text(masked)}\n"]
        parts += [f"\n[[release.methods]]\n{_method(m)}" for m in methods]
    parts += [MORE_METHODS, NEIGHBOUR, f"knows = {value_text(known)}\ntarget_in_file = true\n"]
    parts.append((NO_STRANGER if microdata.weights is None else STRANGER).format(knows=value_text(known)))
    parts += [MORE_KNOWLEDGE.format(value_text(_some_number(microdata) or "income"))]
    parts += [_harm(microdata, known), MEASURES.format(others=", ".join(m for m in CLASSICAL if m != "k_anonymity"))]
    parts += [TAIL.format(by=value_text(known[0]), release=value_text(masked if methods else "nothing masked"))]
    return "".join(parts)


def all_distinct(data: Microdata) -> list[str]:
    """Name the variables that look like numbers of records: no two of at least twenty records share a value.

    They hold text, or whole numbers that are counted up or have one length of six digits or more; amounts may differ, too.
    """
    found = []
    for name, column in data.columns.items():
        facts = facts_of(column)
        if facts.present >= FEWEST_IDS and facts.distinct == facts.present and (not facts.is_number or _is_counted(column)):
            found.append(name)
    return found


def _is_counted(column: Column) -> bool:
    """Say whether numbers are like those that somebody gave to records."""
    x = column.numbers[column.is_number]
    if not column.is_whole() or not x.size:
        return False
    low, high = float(x.min()), float(x.max())
    return high - low < 2 * x.size or (low >= 1e5 and len(str(int(low))) == len(str(int(high))))


def with_ids(data: Microdata) -> Microdata:
    """Take what is different for every record for an identifier, whatever it is called, unless nothing else is left.

    A survey weight keeps its role, and so does what was declared.

    >>> rows = {"lfdnr": list(range(30)), "sex": ["f", "m"] * 15}
    >>> with_ids(Microdata.from_dict(rows)).with_role(Role.IDENTIFIER)
    ('lfdnr',)
    """
    guessed = [n for n in all_distinct(data) if "role" in data.variables[n].inferred]
    new = [n for n in guessed if data.variables[n].role not in (Role.IDENTIFIER, Role.WEIGHT)]
    kept = [n for n in data.names if n not in new and data.variables[n].role not in (Role.IDENTIFIER, Role.WEIGHT)]
    if not new or not kept:
        return data
    # still a guess: the star beside it stays
    guesses = {n: replace(data.variables[n], role=Role.IDENTIFIER) for n in new}
    return replace(data, variables={**data.variables, **guesses})


def _told_of_ids(data: Microdata) -> list[str]:
    """Say which identifiers are no more than a guess by their values."""
    found = [n for n in all_distinct(data) if data.variables[n].role is Role.IDENTIFIER]
    if not found:
        return []
    names = value_text(found)
    told = (
        f"# Different for every record, and therefore taken for identifiers: {names}. Released, such a number tells whose\n"
        "# a record is, and undoes the random order of records. Give another role to what is none, such as an amount.\n"
    )
    return [told]


def known_variables(data: Microdata) -> list[str]:
    """Choose what an example intruder knows: keys if there are any."""
    never = (Role.IDENTIFIER, Role.WEIGHT, Role.HOUSEHOLD)
    usable = [n for n in data.names if data.variables[n].role not in never and not data.columns[n].is_missing.all()]
    plain = [n for n in usable if data.variables[n].kind is not Kind.TEXT]
    keys = [n for n in plain if data.variables[n].role is Role.KEY]
    chosen = keys[:MOST_KNOWN] or plain[:3] or usable[:1]
    if not chosen:
        raise DataError(f"{data.name!r} has no variable that an intruder could know: all are identifiers, weights or empty")
    return chosen


def example_methods(data: Microdata, known: list[str]) -> list[Method]:
    """Choose masking methods that fit the data: one recode, one swap, one noise."""
    numeric = [n for n in data.names if data.variables[n].kind.is_numeric and data.variables[n].role not in _DESIGN]
    categories = [n for n in known if not data.variables[n].kind.is_numeric]
    sensitive = sorted((n for n in numeric if n not in known), key=lambda n: data.variables[n].role is not Role.SENSITIVE)
    tries: list[Sequence[Method]] = [
        [Recode(n, width=_width(data, n)) for n in known if n in numeric],
        [Swap(n, rate=0.1) for n in categories],
        [_noise(data, n) for n in sensitive],
    ]
    found = [next((m for m in group if _fits(m, data)), None) for group in tries]
    return [m for m in found if m is not None]


_DESIGN = (Role.IDENTIFIER, Role.WEIGHT, Role.HOUSEHOLD, Role.STRATUM)


def _fits(method: Method, data: Microdata) -> bool:
    """Try a method on the data without masking it."""
    try:
        method.bind(data)
    except UserMistake:
        return False
    return True


def _width(data: Microdata, name: str) -> float:
    """Choose the width of intervals: a round number of at most half a standard deviation."""
    column = data.columns[name]
    spread = float(np.std(column.numbers[column.is_number])) if column.is_number.any() else 0.0
    if spread == 0.0:
        return 1
    size = 10.0 ** np.floor(np.log10(spread / 2))
    width = float(size * next(x for x in (5, 2, 1) if size * x <= spread / 2))
    whole = data.variables[name].kind is Kind.INTEGER
    return max(2, round(width)) if whole else width


def _noise(data: Microdata, name: str) -> Noise:
    """Add noise of a tenth of the spread."""
    column = data.columns[name]
    x = column.numbers[column.is_number]
    return Noise(
        name,
        sd=0.1,
        relative_to="all",
        keep_zero=bool((x == 0).any()),
        lower=0 if x.size and float(x.min()) >= 0 else None,
    )


def _method(method: Method) -> str:
    """Write a method as a table, without what is left at its default."""
    fields = getattr(type(method), "__dataclass_fields__", {})
    given = {k: getattr(method, k) for k, f in fields.items() if getattr(method, k) != f.default}
    given = {"method": type(method).__name__, **given}
    return "".join(f"{k} = {value_text(v)}\n" for k, v in given.items())


def _harm(data: Microdata, known: list[str]) -> str:
    """Give an example of harm from a sensitive attribute; as a comment where none is declared."""
    sensitive = [n for n in data.with_role(Role.SENSITIVE) if n not in known and not data.columns[n].is_missing.all()]
    if sensitive and data.variables[sensitive[0]].kind.is_numeric:
        costs: dict[str, object] = {"cost": "Close", "within": 0.1, "loss": 1}
    else:
        costs = {"cost": "Outcomes", "tt": 1, "ft": 1}
    comment = "" if sensitive else "# "
    return HARM.format(attribute=value_text((sensitive or ["income"])[0]), costs=value_text(costs), comment=comment)


def _roles(data: Microdata) -> list[str]:
    """List the variables of each role."""
    lines = []
    for role, meaning in MEANING.items():
        names = list(data.with_role(Role(role)))
        one = role in {"weight", "household"}
        if one and not names:
            lines.append(f'# {role} = "..."  # {meaning}\n')
        else:
            lines.append(f"{role} = {value_text(names[0] if one else names)}  # {meaning}\n")
    return lines


def _kinds(data: Microdata) -> list[str]:
    """List the kind of every variable, with counts."""
    lines = [f"{key(n)} = {value_text(v.kind.value)}" for n, v in data.variables.items()]
    width = max(len(line) for line in lines)
    notes = [f"{count_distinct(c):,} distinct, {int(c.is_missing.sum()):,} missing" for c in data.columns.values()]
    return [f"{line.ljust(width)}  # {note}\n" for line, note in zip(lines, notes, strict=True)]


def _some_number(data: Microdata) -> str | None:
    """Name a numeric variable for the comments."""
    return next((n for n in data.names if data.variables[n].kind.is_numeric and data.variables[n].role not in _DESIGN), None)
