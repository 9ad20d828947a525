"""Where the number of people like a target comes from."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_serializer, model_validator

from confide.plan.table import InputText, Table, kind_of, one_of

MODELS: dict[str, tuple[str, ...]] = {
    "log-linear": ("terms", "interactions", "fraction"),
    "pitman": ("theta", "alpha", "population_size"),
    "negative binomial": (),
    "poisson": ("mean", "fraction"),
    "gamma-poisson": ("shape", "rate", "fraction"),
}
"""The models of the number of people, and the keys that each takes."""
GIVEN = ("poisson", "gamma-poisson")
"""Models that nothing is fitted for: all their keys are needed."""
CHOICES = ("constant", "at_least", "table", "model", "chance")


class NumbersTable(Table):
    """Where N_t comes from: "weights", a constant, a bound, a table of the population, or a model."""

    constant: float | None = None
    """The number of people like the target, the same for every target."""
    at_least: float | None = None
    """A lower bound of it."""
    chance: float | None = None
    """The probability that a target is in the file, where that is known and not the number of people like it."""
    table: InputText | None = None
    """A file with a count for each combination of values."""
    count: str = "count"
    """The column of that file that holds the counts."""
    model: Literal["log-linear", "pitman", "negative binomial", "poisson", "gamma-poisson"] | None = None
    """A model of the number of people, fitted to the released file or with given parameters."""
    terms: Literal["MainEffects", "AllTwoWay", "ForwardSelection"] | None = None
    """The terms of a log-linear model."""
    interactions: list[list[str]] | None = Field(default=None, min_length=1)
    """The interactions of a log-linear model by name, instead of terms."""
    fraction: float | None = None
    """The share of people who are in the released file."""
    theta: float | None = None
    """A parameter of Pitman's model, with alpha."""
    alpha: float | None = None
    """A parameter of Pitman's model, with theta."""
    population_size: float | None = None
    """The number of people, for Pitman's model; the sum of the weights when left out."""
    mean: float | None = None
    """The mean of a Poisson number of people."""
    shape: float | None = None
    """The shape of gamma distributed means."""
    rate: float | None = None
    """Their rate."""

    @model_validator(mode="before")
    @classmethod
    def _words(cls, value: Any) -> Any:
        """Read the words; refuse other texts."""
        if value == "weights":
            return {}
        if isinstance(value, str) and value in MODELS and value not in GIVEN:
            return {"model": value}
        if not isinstance(value, dict):
            choices = (
                '"weights", "log-linear", "pitman", "negative binomial", { constant = 1000 }, { at_least = 10 }, '
                '{ table = "population.csv", count = "count" }, { chance = 0.1 } or '
                '{ model = "log-linear", fraction = 0.02 }'
            )
            raise ValueError(f"must be {choices}, found {kind_of(value)}")  # noqa: TRY004
        one_of("population", value, CHOICES)
        return value

    @model_validator(mode="after")
    def _fits(self) -> NumbersTable:
        """Refuse what the model does not take, and a given model without its parameters."""
        known = {k for keys in MODELS.values() for k in keys}
        given = [k for k in type(self).model_fields if k in known and getattr(self, k) is not None]
        allowed = MODELS.get(self.model or "", ())
        wrong = [k for k in given if k not in allowed]
        if wrong:
            takes = ", ".join(allowed) or "no keys"
            raise ValueError(f"(model = {self.model!r}) takes {takes}; found {', '.join(wrong)}")
        missing = [k for k in allowed if k not in given] if self.model in GIVEN else []
        if missing:
            raise ValueError(f"(model = {self.model!r}) needs {', '.join(missing)}")
        if self.terms is not None and self.interactions is not None:
            raise ValueError("give terms or interactions, not both")
        return self

    @model_serializer
    def _short(self) -> Any:
        """Write the weights, and a model without settings, as a word."""
        given = {k: v for k, v in self.__dict__.items() if v is not None and (k != "count" or v != "count")}
        return self.model if list(given) == ["model"] else given or "weights"
