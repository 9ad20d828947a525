"""All faults of a plan, each with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import TracebackType
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from confide.errors import PlanError, UserMistake, raise_all, unknown
from confide.plan.schema_methods import TABLES
from confide.plan.table import kind_of

WANTED = {
    "string_type": "a text in quotes",
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list in square brackets",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "finite_number": "a finite number",
}
BOUNDS = {"greater_than_equal": "ge", "greater_than": "gt", "less_than": "lt", "less_than_equal": "le"}
FORMS = {"(word)", "(table)", "(number)", "(levels)", "(list)"}
"""Steps of a location that tell forms of one key apart."""
LISTS = {
    "release", "methods", "intruder", "supposes", "targets", "harm", "measure", "utility", "vary", "worst", "table", "rule",
}  # fmt: skip
SIGNS = {"ge": "{} or more", "gt": "more than {}", "lt": "below {}", "le": "at most {}"}


class Faults:
    """A list of faults that grows while a plan is read.

    >>> faults = Faults()
    >>> with faults.at("release[1]"):
    ...     raise UserMistake("there is nothing to do")
    >>> faults.found
    ['release[1]: there is nothing to do']
    """

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, where: str, what: str) -> None:
        """Note one fault."""
        self.found.append(f"{where}: {what}" if where else what)

    def at(self, where: str, *, strip: str = "") -> _Block:
        """Note the user mistakes of a block and go on; `strip` names what the place says already."""
        return _Block(self, where, strip)

    def raise_all(self) -> None:
        """Raise one error with all of them, if there are any."""
        raise_all(list(dict.fromkeys(self.found)), PlanError)


class _Block:
    """A block whose user mistakes are noted."""

    def __init__(self, faults: Faults, where: str, strip: str) -> None:
        self.faults, self.where, self.strip = faults, where, strip

    def __enter__(self) -> None:
        """Start."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        """Note a user mistake; let everything else pass."""
        if not isinstance(error, UserMistake):
            return False
        for text in each(error):
            said = rf"^{re.escape(self.strip)}(?: '[^']*')?: "
            self.faults.add(self.where, re.sub(said, "", text) if self.strip else text)
        return True


def each(error: UserMistake) -> list[str]:
    """Give the faults of an error one by one.

    >>> each(PlanError(["one", "two"])), each(UserMistake("only one"))
    (['one', 'two'], ['only one'])
    """
    if isinstance(error, PlanError):
        return list(error.faults)
    lines = str(error).splitlines()
    several = [re.sub(r"^  \d+\. ", "", line) for line in lines[1:]]
    return several if len(lines) > 1 and re.fullmatch(r"\d+ faults:", lines[0]) else [str(error)]


def schema_faults(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """Say what is wrong with a plan file in the words of the plan."""
    return list(dict.fromkeys(_fault(dict(e), model) for e in error.errors(include_url=False)))


def place(loc: Sequence[str | int]) -> tuple[str, str]:
    """Split a location into the table and the key in it, counting from 1.

    >>> place(("release", 1, "methods", 0, "Swap", "rate"))
    ('release[2].methods[1] (Swap)', 'rate')
    """
    parts: list[str] = []
    table = 0
    before: str | int | None = None
    for step in loc:
        if isinstance(step, int):
            parts[-1] += f"[{step + 1}]"
            table = len(parts) if parts[-1].split("[")[0] in LISTS else table
        elif step in TABLES and isinstance(before, int):
            parts[-1] += f" ({step})"
        elif step not in FORMS:
            parts.append(step)
        before = step
    table = table or min(1, len(parts) - 1)
    return ".".join(parts[:table]), ".".join(parts[table:])


def _fault(error: dict[str, Any], model: type[BaseModel]) -> str:
    """Write one fault."""
    loc, kind, found = tuple(error["loc"]), str(error["type"]), error.get("input")
    where, key = place(loc)
    context = error.get("ctx", {})
    if kind == "extra_forbidden":
        where, _ = place((*loc[:-1], "")) if len(loc) > 1 else ("", "")
        inside, _, last = key.rpartition(".")
        text = unknown("key", last or str(loc[-1]), _keys(model, loc[:-1]))
        return _join(_join(where, inside, "."), text)
    if kind == "missing":
        return _join(where, f"{key} is missing")
    if kind == "union_tag_not_found":
        text = f'say which method it is, e.g. method = "Recode"; known: {", ".join(TABLES)}'
        return _join(f"{where}.{key}".strip("."), text)
    if kind == "union_tag_invalid":
        return _join(f"{where}.{key}".strip("."), unknown("method", context.get("tag"), TABLES))
    return _join(where, f"{key} {_wrong(kind, context, found, str(error['msg']))}".strip())


def _wrong(kind: str, context: dict[str, Any], found: object, message: str) -> str:
    """Say what a value must be and what it is."""
    what = repr(found) if isinstance(found, str | int | float) and len(repr(found)) < 40 else kind_of(found)
    if kind in WANTED:
        return f"must be {WANTED[kind]}, found {what}"
    if kind == "literal_error":
        return f"must be {context['expected']}, found {what}"
    if kind in BOUNDS:
        sign = BOUNDS[kind]
        return f"must be {SIGNS[sign].format(context[sign])}, found {what}"
    if kind in {"too_short", "too_long"}:
        return f"must hold {context.get('min_length', context.get('max_length'))} values, found {context['actual_length']}"
    return message.removeprefix("Value error, ")


def _join(where: str, what: str, sign: str = ": ") -> str:
    """Put the place before the fault."""
    return f"{where}{sign}{what}" if where and what else where or what


def _keys(model: type[BaseModel], loc: Sequence[str | int]) -> list[str]:
    """List the keys that the table at a location may have."""
    here: Any = model
    for step in loc:
        if isinstance(step, str) and step in TABLES:
            here = TABLES[step]
        elif isinstance(here, type) and issubclass(here, BaseModel) and isinstance(step, str):
            by_key = {f.alias or n: f for n, f in here.model_fields.items()}
            here = _table_in(by_key[step].annotation) if step in by_key else here
    names = here.model_fields.items() if isinstance(here, type) and issubclass(here, BaseModel) else ()
    return [f.alias or n for n, f in names]


def _table_in(annotation: Any) -> Any:
    """Find the table class inside a type such as a list of tables or None."""
    if isinstance(annotation, type) and not get_origin(annotation) and issubclass(annotation, BaseModel):
        return annotation
    for part in get_args(annotation):
        found = _table_in(part)
        if found is not None:
            return found
    return None
