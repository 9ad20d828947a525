"""Different beliefs about different respondents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.intruder.appearance.appearance import Appearance, Located
from confide.intruder.appearance.axes import Axes
from confide.intruder.appearance.check import as_records, check_pairs
from confide.intruder.appearance.formed import Formed, title
from confide.intruder.appearance.function import FunctionAppearance
from confide.intruder.appearance.independent import IndependentAppearance
from confide.intruder.appearance.misreported import MisreportedAppearance
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GroupedAppearance:
    """Groups of respondents about whom the intruder has beliefs of different kinds (Lambert 1993, 4.2.3).

    The first part speaks of the first respondents, the next of the next ones; all speak of the
    same variables.

    >>> from confide.intruder.appearance.normal import NormalAppearance
    >>> from confide.intruder.appearance.uniform import UniformAppearance
    >>> GroupedAppearance([UniformAppearance([-4.0], [4.0]), NormalAppearance([0.0], sd=1.0)])
    GroupedAppearance(2 respondents, 1 variable)
    """

    parts: Sequence[Appearance]
    """The beliefs about each group of respondents."""

    def __post_init__(self) -> None:
        """Check that all parts speak of the same variables."""
        object.__setattr__(self, "parts", tuple(self.parts))
        if not self.parts:
            raise IntruderError("GroupedAppearance: give at least one part")
        sizes = [part.variables for part in self.parts]
        if len(set(sizes)) > 1:
            raise IntruderError(f"GroupedAppearance: the parts speak of {sizes} variables; they must be the same ones")

    @property
    def respondents(self) -> int:
        """The number of respondents, N."""
        return sum(part.respondents for part in self.parts)

    @property
    def variables(self) -> int:
        """The number of columns of a record."""
        return self.parts[0].variables

    def log_density(self, records: FloatArray, record: IntArray, respondent: IntArray) -> FloatArray:
        """Give log f_i(y_j) of the pairs (record[k], respondent[k]); -inf where it is impossible."""
        n = as_records(records, self.variables).shape[0]
        record, respondent = check_pairs(n, self.respondents, record, respondent)
        found, start = np.empty(record.size), 0
        for part in self.parts:
            here = (respondent >= start) & (respondent < start + part.respondents)
            found[here] = part.log_density(records, record[here], respondent[here] - start)
            start += part.respondents
        return found

    def coordinates(self, records: FloatArray) -> FloatArray:
        """Give the coordinates of the parts: once where they agree, else side by side."""
        if self._agree:
            return self.parts[0].coordinates(records)
        return np.column_stack([part.coordinates(records) for part in self.parts])

    def boxes(self, mass: float) -> tuple[FloatArray, FloatArray]:
        """Give the boxes of the parts, without ends in the coordinates of other parts."""
        ends = [part.boxes(mass) for part in self.parts]
        if self._agree:
            return np.concatenate([low for low, _ in ends]), np.concatenate([high for _, high in ends])
        shape = (self.respondents, sum(low.shape[1] for low, _ in ends))
        lower, upper = np.full(shape, -np.inf), np.full(shape, np.inf)
        row = column = 0
        for low, high in ends:
            block = slice(row, row + low.shape[0]), slice(column, column + low.shape[1])
            lower[block], upper[block] = low, high
            row, column = row + low.shape[0], column + low.shape[1]
        return lower, upper

    def located(self, records: FloatArray) -> Located | None:
        """Put the forms of the parts below each other where they have coordinates and shapes in common; else None."""
        if not self._agree:
            return None
        found = [part.located(records) for part in self.parts]
        forms = [form for form in found if form is not None]
        if len(forms) < len(found) or not all(np.array_equal(f.shape, forms[0].shape) for f in forms):
            return None
        centre, scale, constant = (np.concatenate([f[k] for f in forms]) for k in (1, 2, 4))
        return Located(forms[0].z, centre, scale, forms[0].shape, constant, forms[0].jacobian)

    @property
    def _agree(self) -> bool:
        """Whether all parts have the same coordinates."""
        first, *others = (axes_of(part) for part in self.parts)
        return first is not None and all(axes is not None and _same(first, axes) for axes in others)

    def __repr__(self) -> str:
        """Show the size."""
        return title(self)


def axes_of(appearance: Appearance) -> tuple[Axes, ...] | None:
    """Give the coordinates of an appearance, group of variables by group; None where they are not known."""
    if isinstance(appearance, Formed):
        return (appearance.axes,)
    if isinstance(appearance, MisreportedAppearance | FunctionAppearance):
        return (Axes(appearance.variables),)
    if not isinstance(appearance, IndependentAppearance):
        return None
    parts = [axes_of(part) for part in appearance.parts]
    known = [part for part in parts if part is not None]
    return tuple(axes for part in known for axes in part) if len(known) == len(parts) else None


def _same(first: tuple[Axes, ...], second: tuple[Axes, ...]) -> bool:
    """Say whether two appearances have the same coordinates."""
    return len(first) == len(second) and all(a.same_as(b) for a, b in zip(first, second, strict=True))
