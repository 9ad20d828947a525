"""Guess the kind and the role of a variable from its name and from counts.

A guess is marked as such (`Variable.inferred`) and every guess is overridden by `declare`.

Kinds, the first line that fits:

=================================================================  ==========
what the column holds                                              kind
=================================================================  ==========
nothing but missing values                                         nominal
truth values, or a type with a fixed list of levels                nominal
text with at most max(50, n / 20) distinct values                  nominal
other text                                                         text
whole numbers (also written 3.0), at most 12 distinct values       nominal
other whole numbers                                                integer
other numbers                                                      continuous
=================================================================  ==========

Roles, the first line that fits. Names are split into words: ``HSUP_WGT`` is *hsup* and *wgt*,
``birthDate`` is *birth* and *date*.

=================================================================  ===========
name and values                                                    role
=================================================================  ===========
a word for a survey weight; numbers, none missing, none negative;
the best name only; not *weight* beside *height*                   weight
a word for a household with a word for a number, as in ``hh_id``   household
*email*, *phone*, *surname*, ...; half of the values distinct      identifier
*id*, *number*, *address*, ...; all values distinct                identifier
a word for money, health or crime                                  sensitive
a word for a demographic or regional fact                          key
anything else                                                      unavailable
=================================================================  ===========

A weight is never read as categories, however few distinct values it has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from confide.data.codebook import Kind, Role, Variable
from confide.data.column import Column

FEW_CODES = 12
"""Whole numbers with at most this many distinct values are codes."""
FEW_TEXTS = 50
"""Text with at most this many distinct values is a list of categories in a file of any size."""
TEXTS_PER_RECORD = 1 / 20
"""Text with at most this many distinct values per record is a list of categories."""

_SURVEY_WEIGHTS = frozenset(
    "fnlwgt afnlwgt pwgt pwgtp perwt hhwt finalwgt finalweight pweight dweight pspwght wtfinl "
    "surveyweight samplingweight sampleweight designweight personweight hsupwgt marsupwt".split()
)
_NOT_SURVEY = frozenset("body birth kg lb lbs gain loss over under overweight underweight height".split())
_HOUSEHOLD_IDS = frozenset("hhid hid householdid idhh hhnr hhnum household hh famid familyid serialno hserial hseq".split())
_HOUSEHOLD = frozenset("household hh family fam dwelling".split())
_NUMBERING = frozenset("id nr no num number key seq serial code".split())
_DIRECT = frozenset(
    "name names firstname lastname surname forename fullname ssn nino bsn passport email mail phone "
    "telephone mobile iban licence license".split()
)
_INDIRECT = frozenset(
    "id ids uid uuid guid pid identifier personid respid respondentid caseid recordid number num nr key "
    "serial address street account policy".split()
)
_SENSITIVE = re.compile(
    r"inc|.*income|earn(ed|ings?)|salar(y|ies)|wages?|.*tax(es)?|wealth|assets?|debts?|savings?|benefits?|pension|"
    r"diagnos[ei]s|disease|illness|hiv|aids|cancer|disability|drugs?|crimes?|arrests?|convictions?|abortions?"
)
_KEY = re.compile(
    r"age|agegroup|sex|gender|races?|ethnic.*|hispan(ic)?|nationality|citizen.*|birth.*|dob|marital|married|marstat|"
    r"educ.*|edu|school.*|degree|region|state|county|province|district|municipality|city|town|country|"
    r"zip.*|post(al|code|codes)|occupation|occ|job|industry|religion|language"
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a column: counts, never values of a record."""

    n: int
    """Records."""
    missing: int
    """Records without a value."""
    distinct: int
    """Distinct values."""
    is_number: bool
    """Whether values are numbers."""
    is_whole: bool
    """Whether all numbers are whole."""
    nonnegative: bool
    """Whether all numbers are zero or more and some are more."""
    has_levels: bool = False
    """Whether the column came with a fixed list of levels."""

    @property
    def present(self) -> int:
        """Records with a value."""
        return self.n - self.missing


def facts_of(column: Column, *, has_levels: bool = False) -> Facts:
    """Count what the inference needs.

    >>> facts_of(Column.of_numbers([1.0, 1.0, float("nan")])).distinct
    1
    """
    x = column.numbers[column.is_number]
    return Facts(
        n=column.size,
        missing=int(column.is_missing.sum()),
        distinct=count_distinct(column),
        is_number=x.size > 0,
        is_whole=column.is_whole(),
        nonnegative=bool(x.size and x.min() >= 0 and x.max() > 0),
        has_levels=has_levels,
    )


def count_distinct(column: Column) -> int:
    """Count the distinct values that occur, numbers and categories alike."""
    coded = column.codes[column.codes >= 0]
    used = np.count_nonzero(np.bincount(coded, minlength=1))
    return int(np.unique(column.numbers[column.is_number]).size + used)


def infer_kind(facts: Facts) -> Kind:
    """Guess the kind of a column; see the table above.

    >>> infer_kind(Facts(n=100, missing=0, distinct=70, is_number=True, is_whole=True, nonnegative=True))
    <Kind.INTEGER: 'integer'>
    """
    if facts.present == 0 or facts.has_levels:
        return Kind.NOMINAL
    if not facts.is_number:
        few = facts.distinct <= max(FEW_TEXTS, facts.n * TEXTS_PER_RECORD)
        return Kind.NOMINAL if few else Kind.TEXT
    if facts.is_whole:
        return Kind.NOMINAL if facts.distinct <= FEW_CODES else Kind.INTEGER
    return Kind.CONTINUOUS


def infer_role(name: str, facts: Facts) -> Role:
    """Guess the role of one variable on its own, weights apart; see the table above.

    >>> infer_role("Marital Status", Facts(9, 0, 4, is_number=False, is_whole=True, nonnegative=False))
    <Role.KEY: 'key'>
    """
    words = split_name(name)
    if "".join(words) in _HOUSEHOLD_IDS or (_HOUSEHOLD & set(words) and _NUMBERING & set(words)):
        return Role.HOUSEHOLD
    if facts.present and not (facts.is_number and not facts.is_whole):
        if _DIRECT & {*words, "".join(words)} and 2 * facts.distinct >= facts.present:
            return Role.IDENTIFIER
        if _INDIRECT & {*words, "".join(words)} and facts.distinct == facts.present:
            return Role.IDENTIFIER
    if any(_SENSITIVE.fullmatch(w) for w in words):
        return Role.SENSITIVE
    return Role.KEY if any(_KEY.fullmatch(w) for w in words) else Role.UNAVAILABLE


def infer_weight(facts: Mapping[str, Facts]) -> str | None:
    """Find the variable that is most likely the survey weight, if there is one.

    >>> weight = Facts(n=9, missing=0, distinct=9, is_number=True, is_whole=False, nonnegative=True)
    >>> infer_weight({"x_wt": weight, "fnlwgt": weight})
    'fnlwgt'
    """
    beside_height = any("height" in split_name(name) for name in facts)
    scores = {
        name: _weight_score(name, beside_height=beside_height)
        for name, known in facts.items()
        if known.is_number and not known.missing and known.nonnegative
    }
    best = max(scores, key=lambda name: scores[name], default=None)
    return best if best is not None and scores[best] > 0 else None


def infer_variables(facts: Mapping[str, Facts], kinds: Mapping[str, Kind]) -> dict[str, Variable]:
    """Describe every variable; `kinds` are known and not guessed.

    >>> age = Facts(n=100, missing=0, distinct=70, is_number=True, is_whole=True, nonnegative=True)
    >>> infer_variables({"age": age}, {})["age"].role
    <Role.KEY: 'key'>
    """
    weight = infer_weight(facts)
    variables: dict[str, Variable] = {}
    for name, known in facts.items():
        kind = kinds.get(name, infer_kind(known))
        role = Role.WEIGHT if name == weight else infer_role(name, known)
        if name == weight and not kind.is_numeric:
            kind = Kind.INTEGER if known.is_whole else Kind.CONTINUOUS
        inferred = ("role",) if name in kinds else ("kind", "role")
        variables[name] = Variable(name, kind, role, inferred=inferred)
    return variables


def split_name(name: str) -> tuple[str, ...]:
    """Split a name into lower-case words at signs, digits and capitals.

    >>> split_name("HSUP_WGT"), split_name("birthDate2")
    (('hsup', 'wgt'), ('birth', 'date'))
    """
    return tuple(w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[^\W\d_]+", name))


def _weight_score(name: str, *, beside_height: bool) -> int:
    """Rate how much a name looks like that of a survey weight."""
    words = split_name(name)
    joined = "".join(words)
    if _NOT_SURVEY & set(words):
        return 0
    if joined in _SURVEY_WEIGHTS:
        return 3
    if joined in {"weight", "weights", "wt", "wts", "wgt"}:
        return 0 if beside_height else 2
    return int(any(w.endswith(("weight", "wgt", "wt")) for w in words))
