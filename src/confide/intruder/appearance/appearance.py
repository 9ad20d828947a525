"""What every belief about the appearance of records can be asked."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from confide.typing import FloatArray, IntArray

NORMAL, LAPLACE, UNIFORM = 0, 1, 2
"""The shapes g of a located density: x²/2, |x|, and 0 inside [-1, 1]."""


class Located(NamedTuple):
    """Densities that are a shape moved and stretched, coordinate by coordinate.

    The log density of record j under respondent i is constant[i] + jacobian[j] less the sum over
    the coordinates k of g(shape[k], (z[j, k] - centre[i, k]) / scale[i, k]). With n records, N
    respondents and d coordinates, millions of pairs can be evaluated from these arrays alone.
    """

    z: FloatArray
    """The coordinates of the records, n by d; -inf in a record that can be nobody's."""
    centre: FloatArray
    """Where the record of each respondent is expected, N by d."""
    scale: FloatArray
    """How precisely it is known, N by d."""
    shape: IntArray
    """NORMAL, LAPLACE or UNIFORM for each coordinate."""
    constant: FloatArray
    """A number for each respondent."""
    jacobian: FloatArray
    """A number for each record; -inf in a record that can be nobody's."""


@runtime_checkable
class Appearance(Protocol):
    """The density f_i of the record of each respondent i (Duncan and Lambert 1987, section 4.3).

    Not the probability that a record is the respondent's, but how the respondent's record would
    look if it were released.
    """

    @property
    def respondents(self) -> int:
        """The number of respondents, N."""

    @property
    def variables(self) -> int:
        """The number of columns of a record, d."""

    def log_density(self, records: FloatArray, record: IntArray, respondent: IntArray) -> FloatArray:
        """Give log f_i(y_j) of the pairs (record[k], respondent[k]); -inf where it is impossible."""

    def coordinates(self, records: FloatArray) -> FloatArray:
        """Give the records in the coordinates of `boxes`; -inf in a record that can be nobody's."""

    def boxes(self, mass: float) -> tuple[FloatArray, FloatArray]:
        """Give lower and upper ends of a box that the record of each respondent leaves with probability `mass` at most."""

    def located(self, records: FloatArray) -> Located | None:
        """Give the same densities as moved and stretched shapes; None where they are not."""
