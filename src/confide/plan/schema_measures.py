"""Classical measures of a plan: keys are named as the arguments of the Python functions."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from confide.plan.table import Table

MEASURES: dict[str, tuple[str, ...]] = {
    "k_anonymity": ("missing",),
    "l_diversity": ("sensitive", "diversity", "c"),
    "t_closeness": ("sensitive",),
    "k_map": ("missing",),
    "prosecutor_risk": ("missing",),
    "journalist_risk": ("missing",),
    "marketer_risk": ("missing",),
    "individual_risk": ("missing",),
    "sample_uniques": ("missing",),
    "special_uniques": ("missing",),
    "suda": ("max_size", "missing"),
    "dis_suda": ("fraction", "max_size", "missing"),
    "population_uniques": ("model", "population_size"),
    "loglinear_risk": ("terms", "fraction"),
    "distance_linkage": ("replacement",),
    "probabilistic_linkage": ("block", "false_match", "false_non_match", "one_to_one"),
    "interval_disclosure": ("percent", "half_percent", "sd"),
}
"""The keys that each measure takes beside `measure`, `keys` and `name`."""
NEEDED = {"l_diversity": "sensitive", "t_closeness": "sensitive"}
"""The key that a measure cannot do without."""


class MeasureTable(Table):
    """A classical measure to take of every released file."""

    measure: str
    """Which one."""
    keys: list[str] | None = Field(default=None, min_length=1)
    """The variables it is taken on; what each intruder knows when left out."""
    name: str = ""
    """What it is called in tables; as the measure when left out."""
    missing: Literal["level", "wildcard"] | None = None
    """What a missing key value says."""
    sensitive: str | None = None
    """The variable to protect."""
    diversity: Literal["distinct", "entropy", "recursive"] | None = None
    """What l means."""
    c: float | None = Field(default=None, gt=0)
    """The constant of recursive diversity."""
    max_size: int | None = Field(default=None, ge=1)
    """The most keys of a minimal unique."""
    fraction: float | None = Field(default=None, gt=0, le=1)
    """The share of the population that is in the file; from the weights when left out."""
    model: Literal["Pitman", "Ewens", "Zayatz", "SlideNegativeBinomial", "DankarRule"] | None = None
    """The model of population uniques."""
    population_size: float | None = Field(default=None, gt=0)
    """The number of people; the sum of the weights when left out."""
    terms: Literal["MainEffects", "AllTwoWay", "ForwardSelection"] | None = None
    """The terms of a log-linear model."""
    block: list[str] | None = Field(default=None, min_length=1)
    """Variables that must agree for a pair of records to be compared."""
    false_match: float | None = Field(default=None, ge=0, lt=1)
    """An upper bound for the share of links that are false."""
    false_non_match: float | None = Field(default=None, ge=0, lt=1)
    """An upper bound for the share of matches that are dismissed."""
    one_to_one: bool | None = None
    """Whether every record has one link at most."""
    replacement: bool | None = None
    """Whether several records may be linked to one respondent."""
    percent: float | None = Field(default=None, gt=0, le=200)
    """The width of an interval, in per cent of the ranks."""
    half_percent: float | None = Field(default=None, gt=0, le=200)
    """The width of either side of an interval, in per cent of the ranks."""
    sd: float | None = Field(default=None, gt=0)
    """The width of either side of an interval, in standard deviations."""

    @property
    def title(self) -> str:
        """What it is called."""
        return self.name or self.measure

    @model_validator(mode="after")
    def _fits(self) -> MeasureTable:
        """Refuse what the measure does not take."""
        if self.measure not in MEASURES:
            raise ValueError(f"must have a measure that is one of {', '.join(MEASURES)}; found {self.measure!r}")
        given = [k for k, v in self.__dict__.items() if v is not None and k not in ("measure", "keys", "name")]
        allowed = MEASURES[self.measure]
        wrong = [k for k in given if k not in allowed]
        if wrong:
            raise ValueError(f"({self.measure}) takes keys, name, {', '.join(allowed)}; found {', '.join(wrong)}")
        needed = NEEDED.get(self.measure)
        if needed is not None and needed not in given:
            raise ValueError(f"({self.measure}) needs {needed}")
        if self.measure == "interval_disclosure" and len(given) > 1:
            raise ValueError(f"({self.measure}) takes one of percent, half_percent, sd; found {', '.join(given)}")
        if (self.c is not None) != (self.diversity == "recursive"):
            raise ValueError('c goes with diversity = "recursive", which needs it')
        return self
