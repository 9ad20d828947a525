"""A plan file as it is written: every table and key it may hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from confide.plan.schema_harm import HarmTable
from confide.plan.schema_intruder import IntruderTable, TargetsTable
from confide.plan.schema_map import MapTable, UtilityTable
from confide.plan.schema_measures import MeasureTable
from confide.plan.schema_methods import MethodTable
from confide.plan.schema_tables import AllTables, TableTable
from confide.plan.table import InputText, Level, OutputText, Table, Whole

KindName = Literal["nominal", "ordinal", "integer", "continuous", "text"]


class RolesTable(Table):
    """What variables mean for disclosure; those not named keep the role that is inferred."""

    identifier: list[str] = Field(default_factory=list)
    key: list[str] = Field(default_factory=list)
    unavailable: list[str] = Field(default_factory=list)
    sensitive: list[str] = Field(default_factory=list)
    weight: str | None = None
    household: str | None = None
    stratum: list[str] = Field(default_factory=list)


class DataTable(Table):
    """The source file and what its variables are."""

    path: InputText
    """The file, relative to the plan."""
    encoding: str = "utf-8"
    """How a text file writes its characters."""
    delimiter: str | None = None
    """What stands between cells; by suffix when left out."""
    missing: list[str] | None = None
    """Cells of a text file that mean "no value"."""
    text: list[str] = Field(default_factory=list)
    """Columns to be read as text."""
    name: str | None = None
    """What the file is called in prints and reports."""
    roles: RolesTable = RolesTable()
    """Roles, by role."""
    kinds: dict[str, KindName] = Field(default_factory=dict)
    """Kinds, by variable."""
    order: dict[str, list[Level]] = Field(default_factory=dict)
    """The levels of ordinal variables from lowest to highest."""
    labels: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Texts for codes, by variable."""
    coded: dict[str, list[Level]] = Field(default_factory=dict)
    """Categories that stand among the numbers of a numeric variable."""


class ReleaseTable(Table):
    """A list of masking methods, or a released file that someone else made."""

    name: str = ""
    """What the release is called in tables."""
    edition: int = Field(default=1, ge=1)
    """Counts releases of the same name that are published one after the other; they share no noise."""
    methods: list[MethodTable] = Field(default_factory=list)
    """The masking methods, in order."""
    released: InputText | None = None
    """A released file that someone else made."""
    parent: str | None = None
    """The column of it that holds the source row of each record, counted from 0, or -1."""
    same_order: bool = False
    """Whether its records are those of the source file, in the same order; nothing in the files can show it."""
    text: list[str] = Field(default_factory=list)
    """Columns of it to be read as text."""
    kinds: dict[str, KindName] = Field(default_factory=dict)
    """Kinds of its variables, where they are not those of the source file."""
    coded: dict[str, list[Level]] = Field(default_factory=dict)
    """Categories that stand among the numbers of its variables."""


class ReportTable(Table):
    """The report to write."""

    path: OutputText = "report.html"
    """Where to."""
    by: list[str] = Field(default_factory=list)
    """Variables to split the risk by."""
    title: str | None = None
    """The heading."""


class OutputTable(Table):
    """Other files to write; those of single records are confidential, and the released files hold the values released."""

    json_: OutputText | None = Field(default=None, alias="json")
    """The assessment and what was assumed, as JSON."""
    table: OutputText | None = None
    """The table of scenarios, as CSV."""
    per_record: OutputText | None = None
    """Row numbers, probabilities and harms of every target, as CSV; confidential, for harms may tell values."""
    per_released_record: OutputText | None = None
    """Row numbers and figures of the classical measures of every released record, as CSV; confidential."""
    released: OutputText | None = None
    """The folder of the study: released files are written to `held/` in it, and signing moves them to `signed/`."""
    links: OutputText | None = None
    """A folder for files that tell which source row each released row comes from; confidential."""
    unique: list[str] = Field(default_factory=list)
    """Released variables in which no value stands twice and that may be signed all the same: they name no respondent."""


Largest = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""A limit: a finite number that is not negative."""


class LimitsTable(Table):
    """Risks and harms that must not be exceeded."""

    max_perceived: Largest | None = None
    """The largest number of perceived identifications."""
    max_right_links: Largest | None = None
    """The largest expected number of right links among those acted on."""
    max_expected_matches: Largest | None = None
    """The largest expected number of true matches."""
    max_unique_matches: Largest | None = None
    """The largest number of unique true matches."""
    max_true_match_rate: Largest | None = None
    """The largest true match rate."""
    max_probability: Largest | None = None
    """The largest probability of any target's own record."""
    max_harm: dict[str, Largest] = Field(default_factory=dict)
    """The largest total harm, by the name of the harm."""
    measure: dict[str, Largest] = Field(default_factory=dict)
    """The limit of a classical measure, by its name: the largest figure, or the smallest where less is riskier."""
    intruders: list[str] | None = Field(default=None, min_length=1)
    """The intruders they hold for; all when left out."""
    releases: list[str] | None = Field(default=None, min_length=1)
    """The releases they hold for; all when left out."""


class PlanSchema(Table):
    """A whole plan file.

    >>> text = {"data": {"path": "people.csv"}, "intruder": [{"knows": ["sex"]}]}
    >>> PlanSchema.model_validate(text).intruder[0].knows[0].variable
    'sex'
    """

    secret: InputText | None = None
    """The file of the secret that masking hangs on; beside the plan, with its name, when left out."""
    seed: Whole | None = None
    """An integer in place of the secret, for tests and studies; what is made with it is not for publication."""
    threshold: float = Field(default=0.2, ge=0, lt=1)
    """The probability above which an identification is perceived."""
    table: list[TableTable] = Field(default_factory=list)
    """Tables to protect."""
    tables: AllTables = AllTables()
    """What holds for all of them."""
    data: DataTable | None = Field(default=None, validate_default=True)
    """The source file; only a plan all of whose tables are read from cells can do without."""
    release: list[ReleaseTable] = Field(default_factory=list)
    """What is done to it."""
    intruder: list[IntruderTable] = Field(default_factory=list)
    """Who looks for respondents."""
    targets: list[TargetsTable] = Field(default_factory=list)
    """Whom they look for; everyone when left out."""
    harm: list[HarmTable] = Field(default_factory=list)
    """Which harm to respondents to count."""
    measure: list[MeasureTable] = Field(default_factory=list)
    """Which classical measures to take of every released file."""
    utility: list[UtilityTable] = Field(default_factory=list)
    """Uses of the data, for a map."""
    map: MapTable | None = None
    """A map of risk against utility."""
    report: ReportTable | None = None
    """The report to write."""
    output: OutputTable = OutputTable()
    """Other files to write."""
    limits: LimitsTable = LimitsTable()
    """Risks that must not be exceeded."""

    @model_validator(mode="after")
    def _one_chance(self) -> PlanSchema:
        """Refuse a secret beside a seed."""
        if self.secret is not None and self.seed is not None:
            raise ValueError("seed and secret: give one; a seed is for tests and studies, a secret for what is published")
        return self

    @field_validator("data")
    @classmethod
    def _needed(cls, data: DataTable | None, info: ValidationInfo) -> DataTable | None:
        """Refuse a plan without data, unless its tables bring their own."""
        tables = info.data.get("table", [None])
        if data is None and (not tables or any(t is not None and t.cells is None for t in tables)):
            raise PydanticCustomError("missing", "data is missing")
        return data
