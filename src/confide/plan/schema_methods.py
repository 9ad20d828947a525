"""The masking methods of a plan; keys are named as the arguments of the Python classes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_serializer, model_validator

from confide.plan.table import InputText, Level, Matrix, Table, Whole


class MatrixTable(Table):
    """How the intruder knows a swap matrix: "exact", a simulation, or the matrix itself."""

    simulate: int | None = Field(default=None, gt=0)
    """How often the swap is repeated to estimate the matrix."""
    seed: int = 0
    """The seed of the repetitions."""
    levels: list[Level] | None = None
    """The levels, in the order of rows and columns."""
    rows: Matrix | None = None
    """Pr(released | true), one row per true level."""

    @model_validator(mode="before")
    @classmethod
    def _words(cls, value: Any) -> Any:
        """Read the word "exact"; refuse other texts and half a matrix."""
        if value == "exact":
            return {}
        if not isinstance(value, dict) or ("simulate" in value) == bool({"levels", "rows"} & value.keys()):
            raise ValueError('must be "exact", { simulate = 100, seed = 0 } or { levels = [...], rows = [[...]] }')
        if "simulate" not in value and not {"levels", "rows"} <= value.keys():
            raise ValueError("needs both levels and rows")
        return value

    @model_serializer
    def _short(self) -> Any:
        """Write "exact" as a word."""
        if self.simulate is not None:
            return {"simulate": self.simulate, "seed": self.seed}
        return "exact" if self.levels is None else {"levels": self.levels, "rows": self.rows}


class RecodeTable(Table):
    """Release categories instead of values."""

    method: Literal["Recode"]
    variable: str
    width: float | None = None
    start: float = 0.0
    breaks: list[float] | None = None
    labels: list[Level] | None = None
    mapping: dict[str, Level] | None = None
    hierarchy: InputText | None = None
    level: int = 1


class TopcodeTable(Table):
    """Release values above a cut only as being above it."""

    method: Literal["Topcode"]
    variable: str
    at: float
    label: str | None = None
    replacement: Level | None = None


class BottomcodeTable(Table):
    """Release values below a cut only as being below it."""

    method: Literal["Bottomcode"]
    variable: str
    at: float
    label: str | None = None
    replacement: Level | None = None


class RoundTable(Table):
    """Release the nearest multiple of a base."""

    method: Literal["Round"]
    variable: str
    to: float


class SwapTable(Table):
    """Exchange values between random pairs of records."""

    method: Literal["Swap"]
    variable: str
    rate: float = 0.0
    within: list[str] | None = None
    matrix: MatrixTable | None = None

    @field_validator("within", mode="before")
    @classmethod
    def _several(cls, value: Any) -> Any:
        """Read one name as a list of one."""
        return [value] if isinstance(value, str) else value


class NoiseTable(Table):
    """Add Gaussian noise to numbers."""

    method: Literal["Noise"]
    variable: str
    sd: float
    relative_to: Literal["all", "positive"] | None = None
    keep_zero: bool = False
    lower: float | None = None
    upper: float | None = None
    outside: Literal["redraw", "clamp"] = "redraw"
    grid: float | Literal["source", "none"] = "source"
    times_above: dict[str, float] | None = None


class MultiplicativeNoiseTable(Table):
    """Multiply numbers by lognormal noise."""

    method: Literal["MultiplicativeNoise"]
    variable: str
    sd: float
    mean_one: bool = False
    grid: float | Literal["source", "none"] = "source"


class CorrelatedNoiseTable(Table):
    """Add Gaussian noise with a covariance to several variables."""

    method: Literal["CorrelatedNoise"]
    names: list[str]
    covariance: Matrix | None = None
    fraction: float | None = None
    grid: float | Literal["source", "none"] = "source"


class DropTable(Table):
    """Do not release some variables."""

    method: Literal["Drop"]
    names: list[str]

    @model_validator(mode="before")
    @classmethod
    def _several(cls, value: Any) -> Any:
        """Read one name as a list of one."""
        if isinstance(value, dict) and isinstance(value.get("names"), str):
            return {**value, "names": [value["names"]]}
        return value


class SampleTable(Table):
    """Release a simple random sample of the records."""

    method: Literal["Sample"]
    n: Whole | None = None
    fraction: float | None = None


class SimulateTable(Table):
    """Add records that belong to nobody."""

    method: Literal["Simulate"]
    n: Whole | None = None
    fraction: float | None = None
    together: list[str] = Field(default_factory=list)


TABLES: dict[str, type[Table]] = {
    "Recode": RecodeTable,
    "Topcode": TopcodeTable,
    "Bottomcode": BottomcodeTable,
    "Round": RoundTable,
    "Swap": SwapTable,
    "Noise": NoiseTable,
    "MultiplicativeNoise": MultiplicativeNoiseTable,
    "CorrelatedNoise": CorrelatedNoiseTable,
    "Drop": DropTable,
    "Sample": SampleTable,
    "Simulate": SimulateTable,
}
"""The table of each method."""

MethodTable = Annotated[
    RecodeTable
    | TopcodeTable
    | BottomcodeTable
    | RoundTable
    | SwapTable
    | NoiseTable
    | MultiplicativeNoiseTable
    | CorrelatedNoiseTable
    | DropTable
    | SampleTable
    | SimulateTable,
    Field(discriminator="method"),
]
"""Any masking method."""
