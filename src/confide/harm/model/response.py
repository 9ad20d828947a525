"""The response of a model, in both files."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.errors import HarmError
from confide.harm.model.terms import MOST_LEVELS
from confide.typing import IntArray, Label


@dataclass(frozen=True, slots=True)
class Response:
    """An amount, or one of several categories."""

    text: str
    """The response as in the formula."""
    levels: tuple[Label, ...] = ()
    """The categories that occur in the source, in order; none for an amount."""

    @property
    def amount(self) -> bool:
        """Whether it is an amount."""
        return not self.levels

    @property
    def title(self) -> str:
        """What the model is called."""
        if self.amount:
            return "linear regression"
        if len(self.levels) == 2:
            return f"logistic regression of {self.levels[1]!r} against {self.levels[0]!r}"
        return f"multinomial regression of {len(self.levels)} categories against {self.levels[0]!r}"

    def names(self, columns: tuple[str, ...]) -> list[tuple[str, str]]:
        """Name the coefficients: the full name, and the column it belongs to."""
        if len(self.levels) <= 2:
            return [(c, c) for c in columns]
        return [(f"{level}: {c}", c) for level in self.levels[1:] for c in columns]

    def classes(self, column: Column, file: str) -> IntArray:
        """Give the category of each record; raise where one is unknown or does not occur."""
        place = np.array([self.levels.index(x) if x in self.levels else -1 for x in column.labels], dtype=np.int64)
        if bool(np.any(column.codes < 0)) or bool(np.any(place[column.codes] < 0)):
            raise HarmError(recoded(self.text))
        found: IntArray = place[column.codes]
        absent = [str(self.levels[k]) for k in range(len(self.levels)) if not bool(np.any(found == k))]
        if absent:
            raise HarmError(
                f"the response {self.text} has no record of category {', '.join(absent[:5])} in the {file}, so that it "
                "cannot be modelled; join rare categories in the source before the release"
            )
        return found


def response_of(text: str, source: Column) -> Response:
    """Learn from the source what the response is.

    >>> response_of("sex", Column.of_labels(["m", "f"])).title
    "logistic regression of 'f' against 'm'"
    """
    if bool(source.is_number.any()):
        return Response(text)
    levels = tuple(source.labels[c] for c in np.unique(source.codes[source.codes >= 0]))
    if not levels:
        raise HarmError(f"the response {text} has no values in the source file")
    if len(levels) == 1:
        raise HarmError(f"the response {text} has one category in the source file; there is nothing to explain")
    if len(levels) > MOST_LEVELS:
        raise HarmError(
            f"the response {text} has {len(levels):,} categories, a model takes at most {MOST_LEVELS}; recode it"
        )
    return Response(text, levels)


def recoded(text: str) -> str:
    """Say that the released response is not what the source model explains."""
    return (
        f"the response {text} is released in other categories than the source has, so that the same model cannot be fitted "
        "to both files; write it in the released categories in the source too, or compare with GivenModel"
    )
