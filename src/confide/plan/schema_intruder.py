"""Intruders and targets of a plan."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_serializer, model_validator

from confide.plan.schema_methods import MethodTable
from confide.plan.schema_population import NumbersTable
from confide.plan.table import InputText, Level, Table, Whole, kind_of, one_of

DISTRIBUTIONS = ("normal", "lognormal", "uniform")
BELIEFS = (*DISTRIBUTIONS, "value", "mixture")
FORMS = ("within_percent", "low/high", "breaks", "sd", "one_of", *DISTRIBUTIONS, "mixture")
MATCHINGS = ("with replacement", "without replacement")
Pair = Annotated[list[float], Field(min_length=2, max_length=2)]


class PartTable(Table):
    """A possibility of a mixture: its weight, and a value or a distribution."""

    weight: float = Field(ge=0)
    """Its probability; the weights are scaled to sum to one."""
    value: Level | None = None
    """A number or a level."""
    normal: Pair | None = None
    """Mean and sd of a normal distribution."""
    lognormal: Pair | None = None
    """Mean and sd of the logarithm."""
    uniform: Pair | None = None
    """Lower and upper end of a uniform distribution."""

    @model_validator(mode="after")
    def _one(self) -> PartTable:
        """Take exactly one of them."""
        one_of("a part of a mixture", self.__dict__, (*DISTRIBUTIONS, "value"))
        return self


class DistributionTable(Table):
    """A belief: normal = [mean, sd], lognormal = [mean, sd] of the log, uniform = [low, high], a value, or a mixture."""

    normal: Pair | None = None
    lognormal: Pair | None = None
    uniform: Pair | None = None
    value: Level | None = None
    """A number or a level that is held to be true."""
    mixture: list[PartTable] | None = Field(default=None, min_length=1)
    """Several possibilities with weights."""

    @model_validator(mode="after")
    def _one(self) -> DistributionTable:
        """Take exactly one of them."""
        one_of("a distribution", self.__dict__, BELIEFS)
        return self


Chances = dict[str, dict[str, float] | float]


class BlanksTable(Table):
    """How blanks are read: "not told", or how likely true or masked values of each variable are left blank."""

    value: Chances | None = None
    """The chance of each true value of each variable, or one chance for all its values."""
    released: Chances | None = None
    """The chance of each masked value."""

    @model_validator(mode="before")
    @classmethod
    def _words(cls, value: Any) -> Any:
        """Read the words; refuse other texts."""
        if value == "not told":
            return {}
        if not isinstance(value, dict):
            example = "{ value = { region = { west = 0.9 } } }"
            raise ValueError(f'must be "not told" or a table such as {example}, found {kind_of(value)}')  # noqa: TRY004
        if not set(value) & {"value", "released"}:
            one_of("blanks", value, ("value", "released"))
        return value

    @model_serializer
    def _short(self) -> Any:
        """Write a word where blanks tell nothing."""
        return {k: v for k, v in self.__dict__.items() if v is not None} or "not told"


class KnowsTable(Table):
    """How one variable is known; a plain name means exactly."""

    variable: str
    """The variable."""
    within_percent: float | None = None
    """Known within some per cent."""
    low: float | None = None
    """Known to be at least this."""
    high: float | None = None
    """Known to be at most this."""
    breaks: list[float] | None = None
    """Known to lie in one of the brackets between these."""
    sd: float | None = None
    """Known up to an error with this standard deviation."""
    relative: bool = False
    """Whether that error multiplies."""
    one_of: list[Level] | None = None
    """Known to be one of these levels."""
    prior: list[float] | None = None
    """The probability of each of them; as common as they are when left out."""
    normal: Pair | None = None
    """Mean and sd of a normal distribution."""
    lognormal: Pair | None = None
    """Mean and sd of the logarithm."""
    uniform: Pair | None = None
    """Lower and upper end of a uniform distribution."""
    mixture: list[PartTable] | None = Field(default=None, min_length=1)
    """Several possibilities with weights."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        """Read a plain name as exact knowledge."""
        if isinstance(value, str):
            return {"variable": value}
        if not isinstance(value, dict):
            example = '{ variable = "income", within_percent = 20 }'
            raise ValueError(f"must be a name or a table such as {example}, found {kind_of(value)}")  # noqa: TRY004
        return value

    @model_validator(mode="after")
    def _one(self) -> KnowsTable:
        """Take at most one form."""
        if len(self.forms) > 1:
            raise ValueError(f"{self.variable!r} is known in {len(self.forms)} ways ({', '.join(self.forms)}); give one")
        if self.relative and self.sd is None:
            raise ValueError(f"{self.variable!r}: relative goes with sd; give sd or leave relative out")
        if self.prior is not None and self.one_of is None:
            raise ValueError(f"{self.variable!r}: prior goes with one_of; give one_of or leave prior out")
        return self

    @property
    def forms(self) -> list[str]:
        """The ways in which the variable is known less than exactly."""
        given = [f for f in FORMS if getattr(self, f, None) is not None]
        return given + ["low/high"] * (self.low is not None or self.high is not None)

    @model_serializer
    def _short(self) -> Any:
        """Write exact knowledge as a plain name."""
        given = {k: v for k, v in self.__dict__.items() if v is not None and v is not False}
        return self.variable if list(given) == ["variable"] else given


class MatchingTable(Table):
    """How the intruder matches: "with replacement", "without replacement", or a table with the second and its settings."""

    how: Literal["with replacement", "without replacement"]
    """Each target on its own, or all records against all targets."""
    tolerance: float | None = None
    """How far a probability may be off."""
    seconds: float | None = None
    """The time the solver may take."""
    seed: Whole = 0
    """The seed of the solver."""

    @model_validator(mode="before")
    @classmethod
    def _words(cls, value: Any) -> Any:
        """Read a word; refuse what is neither a word nor a table."""
        if isinstance(value, str):
            value = {"how": value}
        words = MATCHINGS
        if not isinstance(value, dict) or value.get("how", words[0]) not in words:
            table = '{ how = "without replacement", tolerance = 0.01 }'
            raise ValueError(f'must be "{words[0]}", "{words[1]}" or a table such as {table}')
        return value

    @model_validator(mode="after")
    def _settings(self) -> MatchingTable:
        """Refuse settings of a solver that is not used."""
        given = [k for k in ("tolerance", "seconds") if getattr(self, k) is not None] + ["seed"] * (self.seed != 0)
        if self.how == MATCHINGS[0] and given:
            raise ValueError(f'{", ".join(given)} go with how = "{MATCHINGS[1]}"; leave them out or change how')
        return self

    @model_serializer
    def _short(self) -> Any:
        """Write a word where nothing else is said."""
        given = {k: v for k, v in self.__dict__.items() if v is not None and (k != "seed" or v != 0)}
        return self.how if list(given) == ["how"] else given


def _word_or_table(value: Any) -> str:
    """Tell the word apart from the table, for better messages."""
    return "(word)" if isinstance(value, str) else "(table)"


DistributionChoice = Annotated[
    Annotated[Literal["regression"], Tag("(word)")] | Annotated[DistributionTable, Tag("(table)")],
    Discriminator(_word_or_table),
]
Unavailable = Annotated[
    Annotated[Literal["regression"], Tag("(word)")] | Annotated[dict[str, DistributionChoice], Tag("(table)")],
    Discriminator(_word_or_table),
]


class IntruderTable(Table):
    """Someone who tries to find respondents in the released file."""

    name: str = ""
    knows: list[KnowsTable]
    target_in_file: bool = True
    population: NumbersTable | None = None
    understands_masking: bool = True
    supposes: list[MethodTable] | None = None
    models_others: bool = True
    unavailable: Unavailable | None = None
    product_of_dot_products: bool = False
    matching: MatchingTable | None = None
    blanks: BlanksTable | None = None
    likelihood: float | None = Field(default=None, ge=0, le=1)
    """How likely it is that this intruder looks at the file; for the harm over several intruders."""


class TargetsTable(Table):
    """A group of targets, and what is known about them if it differs."""

    where: dict[str, Level] | None = None
    """Values that the targets have in the source file."""
    rows: list[Whole] | None = None
    """Rows of the source file, counted from 0."""
    file: InputText | None = None
    """A file of people from elsewhere."""
    id: str | None = None
    """The variable that names a person in that file and in the source file; without it true matches are undefined."""
    knows: list[KnowsTable] | None = None
    """What is known about these targets."""

    @model_validator(mode="after")
    def _one(self) -> TargetsTable:
        """Take at most one way to name them."""
        if sum(x is not None for x in (self.where, self.rows, self.file)) > 1:
            raise ValueError("give one of where, rows and file, or none of them for all respondents")
        if self.id is not None and self.file is None:
            raise ValueError("id goes with file; respondents of the source file need none")
        return self
