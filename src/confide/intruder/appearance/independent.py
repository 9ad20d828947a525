"""Different beliefs about different variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.intruder.appearance.appearance import Appearance, Located
from confide.intruder.appearance.check import as_records, check_mass, shared_mass
from confide.intruder.appearance.formed import title
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IndependentAppearance:
    """Groups of variables that appear independently: densities multiply.

    The first part speaks of the first columns of a record, the next of the next ones.

    >>> from confide.intruder.appearance.lognormal import LognormalAppearance
    >>> from confide.intruder.appearance.misreported import MisreportedAppearance
    >>> income = LognormalAppearance.around([15.0, 30.0], sd=0.5)
    >>> IndependentAppearance([income, MisreportedAppearance.at_rate([0, 1], rate=0.05, levels=2)])
    IndependentAppearance(2 respondents, 2 variables)
    """

    parts: Sequence[Appearance]
    """The beliefs about each group of variables."""

    def __post_init__(self) -> None:
        """Check that all parts speak of the same respondents."""
        object.__setattr__(self, "parts", tuple(self.parts))
        if not self.parts:
            raise IntruderError("IndependentAppearance: give at least one part")
        sizes = [part.respondents for part in self.parts]
        if len(set(sizes)) > 1:
            raise IntruderError(f"IndependentAppearance: the parts speak of {sizes} respondents; they must be the same ones")

    @property
    def respondents(self) -> int:
        """The number of respondents, N."""
        return self.parts[0].respondents

    @property
    def variables(self) -> int:
        """The number of columns of a record."""
        return sum(part.variables for part in self.parts)

    def log_density(self, records: FloatArray, record: IntArray, respondent: IntArray) -> FloatArray:
        """Give log f_i(y_j) of the pairs (record[k], respondent[k]); -inf where it is impossible."""
        total = np.zeros(np.asarray(record).shape)
        for part, columns in self._split(records):
            total = total + part.log_density(columns, record, respondent)
        return total

    def coordinates(self, records: FloatArray) -> FloatArray:
        """Give the coordinates of all parts, side by side."""
        return np.column_stack([part.coordinates(columns) for part, columns in self._split(records)])

    def boxes(self, mass: float) -> tuple[FloatArray, FloatArray]:
        """Share the mass among the parts by their number of variables."""
        check_mass(mass)
        ends = [part.boxes(shared_mass(mass, part.variables / self.variables)) for part in self.parts]
        return np.column_stack([low for low, _ in ends]), np.column_stack([high for _, high in ends])

    def located(self, records: FloatArray) -> Located | None:
        """Put the forms of the parts side by side; None where one has none."""
        found = [part.located(columns) for part, columns in self._split(records)]
        forms = [form for form in found if form is not None]
        if len(forms) < len(found):
            return None
        z = np.column_stack([f.z for f in forms])
        centre = np.column_stack([f.centre for f in forms])
        scale = np.column_stack([f.scale for f in forms])
        constant = np.sum([f.constant for f in forms], axis=0)
        jacobian = np.sum([f.jacobian for f in forms], axis=0)
        return Located(z, centre, scale, np.concatenate([f.shape for f in forms]), constant, jacobian)

    def _split(self, records: FloatArray) -> Iterator[tuple[Appearance, FloatArray]]:
        """Give each part with its columns."""
        table, start = as_records(records, self.variables), 0
        for part in self.parts:
            yield part, table[:, start : start + part.variables]
            start += part.variables

    def __repr__(self) -> str:
        """Show the size."""
        return title(self)
