"""The map of a plan: what is varied, what stands on the axes, how long to search."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from confide.plan.table import Level, OutputText, Table, Whole, one_of

UtilityName = Literal[
    "MeansKept", "TotalsKept", "QuantilesKept", "CovariancesKept", "RegressionKept", "PropensityScore", "Hellinger",
    "KullbackLeibler", "IL1s", "EigenvalueLoss", "CorrelationLoss",
]  # fmt: skip


class UtilityTable(Table):
    """A use of the data."""

    utility: UtilityName
    """The class."""
    variables: list[str] | None = Field(default=None, min_length=1)
    """The variables; all it can be taken of when left out."""
    formula: str | None = None
    """A regression, such as "income ~ age + C(education)"."""

    @model_validator(mode="after")
    def _fits(self) -> UtilityTable:
        """Refuse what the class does not take."""
        if (self.formula is not None) != (self.utility == "RegressionKept"):
            raise ValueError("formula goes with RegressionKept, which needs it")
        if self.variables is not None and self.utility == "RegressionKept":
            raise ValueError("(RegressionKept) takes formula; found variables")
        return self


class VaryTable(Table):
    """One axis: an argument of a method of the release, or whether the method is applied at all."""

    name: str
    """What the axis is called."""
    method: int = Field(ge=1)
    """Which method of the release, counted from 1."""
    argument: str | None = None
    """The argument that varies; whether the method is applied when left out."""
    values: list[Level] | None = Field(default=None, min_length=1)
    """Its values."""
    between: Annotated[list[float], Field(min_length=2, max_length=2)] | None = None
    """Its two ends."""
    log: bool = False
    """Whether equal ratios are equally far apart."""

    @model_validator(mode="after")
    def _fits(self) -> VaryTable:
        """Refuse an argument without values, and values without an argument."""
        if self.argument is not None:
            one_of("an argument", self.__dict__, ("values", "between"))
        elif self.values is not None or self.between is not None:
            raise ValueError("values and between go with argument; without one the axis says whether the method is applied")
        if self.log and self.between is None:
            raise ValueError("log goes with between")
        return self


class SearchTable(Table):
    """A search instead of a grid."""

    evaluations: int | None = Field(default=None, ge=1)
    """How many settings to evaluate at most."""
    minutes: float | None = Field(default=None, gt=0)
    """How long to go on."""
    population: int = Field(default=20, ge=2)
    """How many settings make a generation."""

    @model_validator(mode="after")
    def _fits(self) -> SearchTable:
        """Refuse a search without an end."""
        if self.evaluations is None and self.minutes is None:
            raise ValueError("needs evaluations or minutes")
        return self


class WorstTable(Table):
    """A measure in the group where it is worst."""

    worst: str
    """The measure."""
    by: str
    """The variable that makes the groups."""


RISKS = ("perceived", "right_links", "expected_matches", "unique_matches", "true_match_rate", "false_match_rate")
"""The measures of an assessment."""


class MapTable(Table):
    """A map of risk against utility."""

    release: str | None = None
    """The release that is varied, by its name; the only one when left out."""
    vary: list[VaryTable] = Field(default_factory=list)
    """The axes."""
    risk: str = "right_links"
    """What risk is: a measure of the assessment, `harm NAME`, or the name of a classical measure."""
    utility: str | None = None
    """What utility is, by the name of its class; the first of the plan's when left out."""
    worst: list[WorstTable] = Field(default_factory=list)
    """Measures to be taken in the group where they are worst; they are called `MEASURE by VARIABLE`."""
    replicates: int = Field(default=1, ge=1)
    """How often each setting is masked."""
    points: int = Field(default=5, ge=2)
    """How many values an axis between two ends gets in a grid."""
    search: SearchTable | None = None
    """A search instead of a grid."""
    max_risk: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """The limit on the axis of risk, for every intruder."""
    limits: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = Field(default_factory=dict)
    """Further limits, by the name of a risk."""
    store: OutputText | None = None
    """A folder that keeps figures from run to run."""
    picture: OutputText | None = None
    """The map as SVG, PNG or PDF."""
    page: OutputText | None = None
    """The map as a page to look around in."""
    table: OutputText | None = None
    """All settings with their figures, as CSV."""
    verify: Whole = 5
    """With how many fresh seeds a choice is evaluated again."""
