"""How close the model of the release is to that of the source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from confide.harm.model.closeness import interval_overlap
from confide.harm.model.predictions import PredictionCloseness

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class CoefficientPair:
    """One coefficient in both files."""

    name: str
    """What it belongs to."""
    source: float | None
    """The estimate from the source; None where its model has no such coefficient."""
    source_se: float | None
    """Its standard error."""
    released: float | None
    """The estimate from the release; None where its model has no such coefficient."""
    released_se: float | None
    """Its standard error."""
    compared: bool
    """Whether the coefficient means the same in both files."""

    @classmethod
    def of(
        cls, name: str, source: tuple[float, float] | None, released: tuple[float, float] | None, *, compared: bool
    ) -> CoefficientPair:
        """Make a pair of two estimates with their standard errors, or None."""
        here, there = source or (None, None), released or (None, None)
        return cls(name, here[0], here[1], there[0], there[1], compared)

    @property
    def difference(self) -> float | None:
        """Released minus source, in standard errors of the source; None where they cannot be compared."""
        if not self.compared or self.source is None or self.released is None or self.source_se is None:
            return None
        return (self.released - self.source) / self.source_se

    @property
    def overlap(self) -> float | None:
        """The overlap of the 95 % intervals, from 0 (apart) to 1 (equal); None where they cannot be compared."""
        if not self.compared or self.source is None or self.source_se is None:
            return None
        if self.released is None or self.released_se is None:
            return None
        return interval_overlap(self.source, self.source_se, self.released, self.released_se)


@dataclass(frozen=True, slots=True, eq=False)
class ModelDisclosure:
    """Closeness of a model fitted to the release to the one fitted to the source (1987, section 2).

    A closeness is neither a risk to a respondent nor a loss; it is never added to either.
    """

    model: str
    """The model in words."""
    how: str
    """How it was fitted, in words."""
    release: str
    """What the release is called."""
    wanted: bool | None
    """Whether closeness is wanted (utility); False: the model is confidential (risk); None: not declared."""
    coefficients: tuple[CoefficientPair, ...]
    """The coefficients of both models."""
    distance: float | None
    """The Mahalanobis distance of the coefficients that can be compared, with the covariance of the source: 0 is
    equal, no bound above; None where no coefficient can be compared or no covariance is known."""
    predictions: PredictionCloseness | None
    """How close predictions are; None for a given model."""
    source_records: tuple[int, int]
    """How many source records were used, and how many there are."""
    released_records: tuple[int, int]
    """How many released records were used, and how many there are."""
    notes: tuple[str, ...] = ()
    """What differs between the files, and what was left out."""

    @property
    def degrees(self) -> int:
        """The number of coefficients that are compared."""
        return sum(c.compared for c in self.coefficients)

    @property
    def mean_overlap(self) -> float | None:
        """The mean overlap of the 95 % intervals, from 0 to 1, larger is closer; None where nothing is compared."""
        found = [c.overlap for c in self.coefficients if c.overlap is not None]
        return sum(found) / len(found) if found else None

    @property
    def distance_per_degree(self) -> float | None:
        """The squared distance per coefficient compared: about 1 where differences are as large as sampling errors."""
        return None if self.distance is None else self.distance**2 / self.degrees

    @property
    def statement(self) -> str:
        """Say how close the models are, and whether that is wanted."""
        if self.mean_overlap is None:
            found = "No coefficient of the two models can be compared"
        else:
            found = f"The 95 % intervals of {self.degrees} coefficient(s) overlap by {self.mean_overlap:.4g} on average"
        return f"{found}. {_MEANING[self.wanted]}"

    def coefficient(self, name: str) -> CoefficientPair:
        """Give one coefficient, or say which there are."""
        from confide.errors import HarmError, unknown

        for pair in self.coefficients:
            if pair.name == name:
                return pair
        raise HarmError(unknown("coefficient", name, [c.name for c in self.coefficients]))

    def to_frame(self) -> pl.DataFrame:
        """Give one row per coefficient."""
        import polars as pl

        rows = [
            (c.name, c.source, c.source_se, c.released, c.released_se, c.difference, c.overlap, c.compared)
            for c in self.coefficients
        ]
        figures = ("source", "source_se", "released", "released_se", "difference", "overlap")
        schema = {"coefficient": pl.String, **dict.fromkeys(figures, pl.Float64), "compared": pl.Boolean}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def describe(self) -> str:
        """Say in words what was compared and how."""
        lines = [
            f"{self.model}: {self.how}, release {self.release!r}.",
            f"Fitted to {_used(self.source_records)} source records and {_used(self.released_records)} released records.",
            "Differences are in standard errors of the source.",
            "Overlap is the mean of the shares that two intervals (estimate ± 1.96 standard errors) have in each other,",
            "and 0 where they do not meet (Karr et al. 2006, cut at 0).",
        ]
        if self.distance is not None and self.distance_per_degree is not None:
            lines.append(
                f"Distance of the coefficients {self.distance:.4g}, squared per coefficient {self.distance_per_degree:.4g}."
            )
        lines += [f"{_capital(str(self.predictions))}."] if self.predictions is not None else []
        return "\n".join([*lines, *(f"{_capital(note)}." for note in self.notes), self.statement])

    def __repr__(self) -> str:
        """Show the coefficients, the figures of the whole model and what they mean."""
        head = ("", "source", "se", "released", "se", "difference", "overlap")
        rows = [
            (c.name, *(_figure(x) for x in (c.source, c.source_se, c.released, c.released_se, c.difference, c.overlap)))
            for c in self.coefficients
        ]
        widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
        table = [
            "  ".join(cell.rjust(w) if k else cell.ljust(w) for k, (cell, w) in enumerate(zip(row, widths, strict=True)))
            for row in (head, *rows)
        ]
        lines = [f"Model disclosure: {self.model}, {self.how}; release {self.release!r}", *(x.rstrip() for x in table)]
        used = f"{_used(self.source_records)} source and {_used(self.released_records)} released records used"
        lines.append(f"{used}; mean overlap {_figure(self.mean_overlap)}, distance {_figure(self.distance)}")
        lines += [str(self.predictions)] if self.predictions is not None else []
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes), self.statement])


_MEANING = {
    True: "Closeness is wanted here (utility): the closer the two models, the more useful the release.",
    False: "The model is confidential (risk): the closer the two models, the more is disclosed.",
    None: (
        "It was not declared whether closeness is wanted (utility, wanted=True) or the model is confidential "
        "(risk, wanted=False); the reader must decide."
    ),
}


def _figure(x: float | None) -> str:
    """Write a figure; a dash where there is none."""
    return "-" if x is None else f"{x:.4g}"


def _used(counts: tuple[int, int]) -> str:
    """Say how many of how many."""
    return f"{counts[0]:,} of {counts[1]:,}"


def _capital(text: str) -> str:
    """Begin a sentence."""
    return text[:1].upper() + text[1:]
