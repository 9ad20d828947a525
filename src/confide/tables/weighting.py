"""What a survey weight says about the contributions to a cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class WeightsAsCopies:
    """A record of weight w stands for w respondents who contribute the record's value each.

    The two largest contributions of a cell with the record 100 of weight 4 are 100 and 100. A share of a respondent
    counts by its share.
    """


@dataclass(frozen=True, slots=True)
class WeightsAsContributions:
    """A record of weight w is one respondent who contributes w times the record's value."""


Weighting: TypeAlias = WeightsAsCopies | WeightsAsContributions
AS_COPIES = WeightsAsCopies()
