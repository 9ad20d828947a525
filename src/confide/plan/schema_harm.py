"""Harms of a plan: keys are named as the arguments of the Python classes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_serializer, model_validator

from confide.plan.table import Level, Table, kind_of

COSTS: dict[str, tuple[str, ...]] = {
    "Outcomes": ("tt", "tf", "ft", "ff", "tn", "fn"),
    "AssignedTo": ("level", "loss", "false_too"),
    "ByTrueValue": ("costs", "otherwise"),
    "BeliefCosts": ("correct", "incorrect", "tn", "fn"),
    "OverEstimate": (),
    "Threshold": ("above", "loss"),
    "Excess": (),
    "AbsoluteError": (),
    "SquaredError": (),
    "Close": ("within", "loss", "relative"),
}
"""The arguments of each class of costs."""
AMOUNTS = ("OverEstimate", "Threshold", "Excess", "AbsoluteError", "SquaredError", "Close")
"""Those for amounts; they may also say what a wrong record costs, and what an inference costs that is not made."""
NEEDED = {"AssignedTo": "level", "ByTrueValue": "costs", "BeliefCosts": "correct", "Threshold": "above", "Close": "within"}
"""The argument that a class of costs cannot do without."""
READINGS: dict[str, tuple[str, ...]] = {
    "AsReleased": (),
    "Shrunk": ("weight",),
    "MeasurementError": ("covariates",),
    "Misrecorded": ("covariates", "q"),
}


class OutcomesTable(Table):
    """What each of the seven outcomes costs."""

    tt: float = 0.0
    tf: float = 0.0
    ft: float = 0.0
    ff: float = 0.0
    tn: float = 0.0
    fn: float = 0.0


def _form(value: Any) -> str:
    """Tell a word or number from a table."""
    return "(table)" if isinstance(value, dict | Table) else "(word)"


def _wrong_form(value: Any) -> str:
    """Tell the costs of each level from those of an amount, which name their class."""
    told = value.get("cost") if isinstance(value, dict) else None
    return "(table)" if isinstance(value, AmountTable) or isinstance(told, str) else "(levels)"


def _check(table: Table, cost: str, allowed: tuple[str, ...], choices: tuple[str, ...]) -> None:
    """Refuse a class that is none of the choices, keys that it does not take and a key that is left out."""
    if cost not in choices:
        raise ValueError(f"must have a cost that is one of {', '.join(choices)}; found {cost!r}")
    given = [k for k, v in table.__dict__.items() if v is not None and k != "cost"]
    wrong = [k for k in given if k not in allowed]
    if wrong:
        raise ValueError(f"({cost}) takes {', '.join(sorted(allowed)) or 'no keys'}; found {', '.join(wrong)}")
    if cost in NEEDED and NEEDED[cost] not in given:
        raise ValueError(f"({cost}) needs {NEEDED[cost]}")


class AmountTable(Table):
    """What an inferred amount costs."""

    cost: str
    """The class."""
    above: float | None = None
    within: float | None = None
    loss: float | None = None
    relative: bool | None = None

    @model_validator(mode="after")
    def _fits(self) -> AmountTable:
        """Refuse what the class does not take."""
        _check(self, self.cost, COSTS.get(self.cost, ()), AMOUNTS)
        return self


class CostsTable(Table):
    """Costs by the name of their class, with its arguments."""

    cost: str
    """The class."""
    tt: float | None = None
    tf: float | None = None
    ft: float | None = None
    ff: float | None = None
    tn: float | None = None
    fn: float | None = None
    level: Level | None = None
    loss: float | None = None
    false_too: bool | None = None
    costs: dict[str, OutcomesTable] | None = None
    otherwise: OutcomesTable | None = None
    correct: dict[str, float] | None = None
    incorrect: (
        Annotated[
            Annotated[dict[str, float], Tag("(levels)")] | Annotated[AmountTable, Tag("(table)")],
            Discriminator(_wrong_form),
        ]
        | None
    ) = None
    """For BeliefCosts the cost of each level; for amounts the costs of a wrong record, a table with `cost`."""
    above: float | None = None
    within: float | None = None
    relative: bool | None = None

    @model_validator(mode="after")
    def _fits(self) -> CostsTable:
        """Refuse what the class does not take."""
        extra = ("incorrect", "tn", "fn") if self.cost in AMOUNTS else ()
        _check(self, self.cost, (*COSTS.get(self.cost, ()), *extra), tuple(COSTS))
        if self.incorrect is not None and isinstance(self.incorrect, AmountTable) != (self.cost in AMOUNTS):
            wanted = 'a table such as { cost = "Excess" }' if self.cost in AMOUNTS else "the cost of each level"
            raise ValueError(f"({self.cost}) takes as incorrect {wanted}")
        return self


def _number(value: Any) -> str:
    """Tell a word from a number."""
    return "(word)" if isinstance(value, str) else "(number)"


class ReadingTable(Table):
    """What a record tells about its owner, by the name of the class; a word where it has no settings."""

    reading: str
    """The class."""
    covariates: list[str] | None = None
    """The released variables to predict from."""
    weight: float | None = None
    """The weight of the record's own value."""
    q: (
        Annotated[Annotated[float, Tag("(number)")] | Annotated[Literal["estimated"], Tag("(word)")], Discriminator(_number)]
        | None
    ) = None
    """How often a value is recorded correctly."""

    @model_validator(mode="before")
    @classmethod
    def _words(cls, value: Any) -> Any:
        """Read a word as a class without settings."""
        if isinstance(value, str):
            value = {"reading": value}
        if not isinstance(value, dict):
            example = '{ reading = "Misrecorded", q = 0.9 }'
            raise ValueError(f"must be one of {', '.join(READINGS)}, or a table such as {example}; found {kind_of(value)}")  # noqa: TRY004
        return value

    @model_validator(mode="after")
    def _fits(self) -> ReadingTable:
        """Refuse keys that the class does not take."""
        if self.reading not in READINGS:
            raise ValueError(f"must be one of {', '.join(READINGS)}; found {self.reading!r}")
        wrong = [k for k, v in self.__dict__.items() if v is not None and k not in ("reading", *READINGS[self.reading])]
        if wrong:
            takes = ", ".join(READINGS[self.reading]) or "no keys"
            raise ValueError(f"({self.reading}) takes {takes}; found {', '.join(wrong)}")
        return self

    @model_serializer
    def _short(self) -> Any:
        """Write a word where nothing else is said."""
        given = {k: v for k, v in self.__dict__.items() if v is not None}
        return self.reading if list(given) == ["reading"] else given


class LossesTable(Table):
    """What it costs the intruder to miss and to err."""

    missed: float = 1.0
    wrong: float = 1.0


class HarmTable(Table):
    """The harm to respondents from what an intruder infers."""

    attribute: str
    """The sensitive attribute."""
    costs: CostsTable
    """What each outcome costs a respondent."""
    name: str = ""
    """What it is called in tables."""
    reading: ReadingTable | None = None
    """What a record tells about its owner; as released when left out."""
    using: Literal["LinkedRecord", "AllCandidates"] = "LinkedRecord"
    """Which records the inference uses."""
    bayesian: bool = False
    """Whether the intruder keeps the whole posterior."""
    acts: (
        Annotated[Annotated[float, Tag("(word)")] | Annotated[LossesTable, Tag("(table)")], Discriminator(_form)] | None
    ) = None
    """When the intruder links; the plan's threshold when left out."""
    sure: float = Field(default=0.5, ge=0, lt=1)
    """The probability above which a category is inferred."""
    weight: str | None = None
    """A variable that multiplies each respondent's harm."""
    only_true: bool = False
    """Whether only true re-identifications do harm."""
