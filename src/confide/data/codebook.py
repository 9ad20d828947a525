"""What a variable is: its kind, its role, its levels and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from confide.typing import Label


class Kind(Enum):
    """How the values of a variable are to be read."""

    NOMINAL = "nominal"
    """Categories without order."""
    ORDINAL = "ordinal"
    """Categories in the order of the variable's levels."""
    INTEGER = "integer"
    """Whole numbers."""
    CONTINUOUS = "continuous"
    """Numbers."""
    TEXT = "text"
    """Free text, such as names or addresses."""

    @property
    def is_numeric(self) -> bool:
        """Say whether values are numbers."""
        return self in (Kind.INTEGER, Kind.CONTINUOUS)


class Role(Enum):
    """What a variable means for disclosure."""

    IDENTIFIER = "identifier"
    """Names a respondent directly; never released."""
    KEY = "key"
    """Available to the intruder from elsewhere (Reiter's A)."""
    UNAVAILABLE = "unavailable"
    """Released, but not available to the intruder from elsewhere (Reiter's U)."""
    SENSITIVE = "sensitive"
    """Unavailable, and what the respondent confided."""
    WEIGHT = "weight"
    """The survey weight."""
    HOUSEHOLD = "household"
    """The household the respondent belongs to."""
    STRATUM = "stratum"
    """The design stratum."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of a file.

    >>> Variable("age", Kind.INTEGER, Role.KEY).kind.is_numeric
    True
    """

    name: str
    """The name, as in the file's header."""
    kind: Kind
    """How values are to be read."""
    role: Role = Role.UNAVAILABLE
    """What the variable means for disclosure."""
    labels: tuple[tuple[Label, str], ...] = ()
    """Texts for codes, e.g. ((1, "male"), (2, "female")), as statistical packages keep them."""
    inferred: tuple[str, ...] = ()
    """Which of kind and role were inferred rather than declared."""

    def label_of(self, value: Label) -> str:
        """Give the text for a code, or the code itself."""
        return dict(self.labels).get(value, str(value))
