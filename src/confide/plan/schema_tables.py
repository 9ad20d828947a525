"""Tables of a plan: what spans them, which cells are sensitive, how they are protected, which files are written."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from confide.plan.table import InputText, OutputText, Table, one_of

RULES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "MinimumFrequency": (("n",), ("share", "least", "zeros", "empty")),
    "DominanceRule": (("n", "k"), ()),
    "PPercentRule": (("p",), ("coalition",)),
    "PQRule": (("p", "q"), ("coalition",)),
    "RequestRule": (("fractions",), ("share", "least")),
    "ZeroCells": (("least",), ()),
}
"""The keys that each rule needs, and those it also takes."""
METHODS: dict[str, tuple[str, ...]] = {
    "Suppression": ("search", "gap", "time_limit", "costs", "attackers"),
    "PrimaryOnly": ("costs", "attackers"),
    "NoProtection": (),
    "ControlledRounding": ("base", "power", "search", "gap", "time_limit", "attackers", "judge"),
    "TabularAdjustment": ("search", "gap", "time_limit", "costs", "told", "attackers", "judge"),
    "CellKeys": (
        "D", "V", "js", "pstay", "by", "top", "share", "spread", "least", "steps", "grid", "keys", "attackers",
        "judge",
    ),
}  # fmt: skip
"""The keys that each method takes."""


class RuleTable(Table):
    """A sensitivity rule."""

    rule: str
    """Which one."""
    n: int | None = None
    k: float | None = None
    p: float | None = None
    q: float | None = None
    coalition: int | None = None
    fractions: dict[str, float] | None = None
    share: float | None = None
    least: float | None = None
    zeros: bool | None = None
    empty: bool | None = None

    @model_validator(mode="after")
    def _fits(self) -> RuleTable:
        """Refuse what the rule does not take."""
        if self.rule not in RULES:
            raise ValueError(f"must be a rule that is one of {', '.join(RULES)}; found {self.rule!r}")
        needed, more = RULES[self.rule]
        given = [k for k, v in self.__dict__.items() if v is not None and k != "rule"]
        wrong = [k for k in given if k not in needed + more]
        if wrong:
            raise ValueError(f"({self.rule}) takes {', '.join(needed + more)}; found {', '.join(wrong)}")
        lacking = [k for k in needed if k not in given]
        if lacking:
            raise ValueError(f"({self.rule}) needs {', '.join(lacking)}")
        return self


class NestingTable(Table):
    """How the codes of one dimension nest."""

    levels: list[str] | None = Field(default=None, min_length=1)
    """Columns with the coarser codes, the coarsest first."""
    digits: list[int] | None = Field(default=None, min_length=1)
    """How many digits each level adds."""
    file: InputText | None = None
    """A `.hrc` file of tau-ARGUS."""
    codelist: InputText | None = None
    """A `.cdl` file that says what codes mean."""
    leading: str | None = None
    """What marks levels in the file."""

    @model_validator(mode="after")
    def _fits(self) -> NestingTable:
        """Refuse none or several."""
        one_of("a hierarchy", self.__dict__, ("levels", "digits", "file"))
        if self.file is None and (self.codelist is not None or self.leading is not None):
            raise ValueError("codelist and leading go with file")
        return self


def _form(value: Any) -> str:
    """Tell the forms of a key apart."""
    return "(word)" if isinstance(value, str) else "(list)" if isinstance(value, list) else "(table)"


def _list_or(value: Any) -> str:
    """Tell a list from a single value."""
    return "(word)" if isinstance(value, str) else "(number)" if isinstance(value, int) else "(list)"


Paths = Annotated[
    Annotated[OutputText, Tag("(word)")]
    | Annotated[list[OutputText], Tag("(list)")]
    | Annotated[OutputText, Tag("(number)")],
    Discriminator(_list_or),
]
"""One path or several."""
Largest = Annotated[
    Annotated[Annotated[int, Field(ge=1, le=10_000)], Tag("(number)")]
    | Annotated[list[str], Tag("(list)")]
    | Annotated[list[str], Tag("(word)")],
    Discriminator(_list_or),
]
"""How many, or which columns."""
Nested = Annotated[
    Annotated[InputText, Tag("(word)")]
    | Annotated[list[NestingTable], Tag("(list)")]
    | Annotated[NestingTable, Tag("(table)")],
    Discriminator(_form),
]
"""A `.hrc` file, one hierarchy, or several that need not nest in each other."""


class AttackersTable(Table):
    """Respondents who look at the table."""

    who: Literal["singletons", "contributors"]
    """The only respondents of cells, or the largest contributors."""
    coalition: int | None = Field(default=None, ge=1)
    """How many contributors put their knowledge together."""
    most: int | None = Field(default=None, ge=1)
    """How many are looked at."""

    @model_validator(mode="after")
    def _fits(self) -> AttackersTable:
        """Refuse coalitions of those who are alone."""
        if self.coalition is not None and self.who != "contributors":
            raise ValueError('coalition goes with who = "contributors"')
        return self


class CostsTable(Table):
    """Costs by another variable."""

    variable: str
    """The variable that is added up to the costs of cells."""


Costs = Annotated[
    Annotated[Literal["value", "count", "respondents"], Tag("(word)")] | Annotated[CostsTable, Tag("(table)")],
    Discriminator(_form),
]
Attacks = Annotated[
    Annotated[Literal["singletons", "contributors"], Tag("(word)")] | Annotated[AttackersTable, Tag("(table)")],
    Discriminator(_form),
]


class ProtectTable(Table):
    """How tables are protected."""

    method: str = "Suppression"
    """The method."""
    search: Literal["heuristic", "exact"] | None = None
    """How a pattern is sought."""
    gap: float | None = Field(default=None, ge=0, lt=1)
    """Which gap is good enough for an exact search."""
    time_limit: float | None = Field(default=None, gt=0)
    """Seconds."""
    costs: Costs | None = None
    """What readers lose with a cell."""
    attackers: list[Attacks] | None = None
    """Who looks beside everybody."""
    base: float | None = Field(default=None, gt=0)
    """What rounded values are multiples of."""
    power: float | None = Field(default=None, ge=1)
    """The power of the differences that rounding adds up."""
    told: float | None = Field(default=None, gt=0, lt=1)
    """The share by which no adjusted value was changed by more, if that is told with the table."""
    D: int | None = Field(default=None, ge=1)
    """The largest noise of counts."""
    V: float | None = Field(default=None, gt=0)
    """Its variance."""
    js: int | None = Field(default=None, ge=0)
    """Counts from 1 to this are never published."""
    pstay: float | None = Field(default=None, ge=0, lt=1)
    """The probability that a count stays."""
    by: Literal["largest", "mean", "value"] | None = None
    """What the noise of magnitudes is in proportion to."""
    top: int | None = Field(default=None, ge=1)
    """How many of the largest contributions."""
    share: float | None = Field(default=None, gt=0, lt=1)
    """The largest noise of magnitudes, as a share."""
    spread: float | None = Field(default=None, gt=0)
    """Its standard deviation, as a share of the largest."""
    least: float | None = Field(default=None, ge=0, lt=1)
    """The least noise, as a share of the largest."""
    steps: int | None = Field(default=None, ge=1)
    """How many pieces the distribution of noise has in each direction."""
    grid: float | None = Field(default=None, gt=0)
    """What values with noise are multiples of."""
    keys: str | None = None
    """The column with the keys of records; from the seed when left out."""
    judge: bool | None = None
    """Whether to find what can be deduced of changed values."""

    @model_validator(mode="after")
    def _fits(self) -> ProtectTable:
        """Refuse what the method does not take."""
        if self.method not in METHODS:
            raise ValueError(f"must be a method that is one of {', '.join(METHODS)}; found {self.method!r}")
        given = [k for k, v in self.__dict__.items() if v is not None and k != "method"]
        wrong = [k for k in given if k not in METHODS[self.method]]
        if wrong:
            raise ValueError(
                f"({self.method}) takes {', '.join(METHODS[self.method]) or 'nothing'}; found {', '.join(wrong)}"
            )
        if self.method == "ControlledRounding" and self.base is None:
            raise ValueError("(ControlledRounding) needs base")
        if self.gap is not None and self.search != "exact":
            raise ValueError('gap goes with search = "exact"')
        return self


class AllTables(Table):
    """What holds for all tables of the plan."""

    linked: bool = True
    """Whether tables of the same value are protected as one."""
    rule: list[RuleTable] = Field(default_factory=list)
    """The rules of tables that have none of their own."""
    agree: Literal["any", "all"] = "any"
    """Whether one rule is enough, or all must agree."""
    method: ProtectTable = ProtectTable()
    """How tables are protected."""
    exact_intervals: bool | None = None
    """Whether exact intervals are computed for internal files; up to 2,000 cells left out when left out."""


class TableTable(Table):
    """A table to protect."""

    name: str
    """What it is called."""
    edition: int = Field(default=1, ge=1)
    """Counts tables of the same name that are published one after the other."""
    by: list[str]
    """The variables that span it."""
    value: str | None = None
    """What is added up; records are counted when left out."""
    cells: InputText | None = None
    """A file of cells that were added up already, instead of the data."""
    hierarchies: dict[str, Nested] = Field(default_factory=dict)
    """How codes nest, by variable."""
    weight: str | None = None
    weighting: Literal["copies", "contributions"] = "copies"
    holding: str | None = None
    waiver: str | None = None
    request: str | None = None
    count: str | None = None
    """The column of a file of cells with the number of contributors."""
    largest: Largest | None = None
    """How many of the largest contributions are kept, or the columns of a file of cells with them."""
    total: str = "Total"
    """What totals are called."""
    missing: str | None = None
    """A code for records without one."""
    tolerance: float | None = Field(default=None, ge=0)
    """By what share sums of a file of cells may be off."""
    whole: bool | None = None
    """Whether everybody knows values to be whole numbers."""
    linked: bool | None = None
    """Whether it is protected together with other tables of the same value."""
    rule: list[RuleTable] = Field(default_factory=list)
    """Which cells are sensitive; the rules of [tables] when left out."""
    agree: Literal["any", "all"] | None = None
    method: ProtectTable | None = None
    """How it is protected; as in [tables] when left out."""
    a_priori: InputText | None = None
    """A file with statuses, costs and levels of single cells."""
    a_priori_share: float | None = Field(default=None, gt=0)
    """How far the intervals of cells must reach that this file calls sensitive, as a share of the value."""
    previous: InputText | None = None
    """The table as published last time, or its internal file."""
    published: Paths = Field(default_factory=list)
    """Files for publication: .csv, .tsv, .parquet, .sdmx.csv, .json."""
    internal: OutputText | None = None
    """The internal file: .csv, .tsv, .parquet."""
    page: OutputText | None = None
    """A page for publication: .html."""
    internal_page: OutputText | None = None
    """The internal page: .html."""

    @model_validator(mode="after")
    def _fits(self) -> TableTable:
        """Refuse what goes with the other kind of source."""
        cells = self.cells is not None
        records = ("weight", "holding", "waiver", "request", "missing") if cells else ("count", "tolerance")
        wrong = [k for k in records if getattr(self, k) is not None]
        if wrong:
            source = "a table of records, without cells" if cells else "a file of cells, cells = ..."
            raise ValueError(f"{wrong[0]} goes with {source}")
        if cells and self.value is None:
            raise ValueError("value is missing: the column of the file of cells that holds the values")
        if isinstance(self.largest, int) == cells and self.largest is not None:
            raise ValueError("largest is a number for records, and a list of columns for a file of cells")
        return self
