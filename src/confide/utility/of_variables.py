"""What measures of some variables share: which ones, and whether weights count."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from confide.release.released import Released
from confide.utility.files import Files, Names, chosen, files_of
from confide.utility.measure import Unmasked


@dataclass(frozen=True, slots=True)
class OfVariables(Unmasked):
    """A measure of some variables of both files."""

    numeric: ClassVar[bool] = True
    """Whether the variables must hold numbers."""
    at_least: ClassVar[int] = 1
    """How many variables the measure needs; of fewer it would be the same whatever is released."""

    variables: Names = None
    """The variables; None: all numeric ones, or all but free text where categories will do."""
    weights: bool = field(default=True, kw_only=True)
    """Whether records count by their survey weights, where the files have any."""

    def __post_init__(self) -> None:
        """Keep the names as a tuple, so that equal measures are equal and can be looked up."""
        if self.variables is not None:
            names = (self.variables,) if isinstance(self.variables, str) else tuple(self.variables)
            object.__setattr__(self, "variables", names)

    @property
    def title(self) -> str:
        """The name in printed tables."""
        raise NotImplementedError

    def files(self, released: Released) -> Files:
        """Take both files."""
        return files_of(released, self.title, weights=self.weights)

    def names(self, files: Files) -> tuple[str, ...]:
        """Give the variables asked for, or all that fit."""
        return chosen(files, self.variables, self.title, numeric=self.numeric, at_least=self.at_least)
