"""What all tables of a plan file have in common."""

from __future__ import annotations

import os
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator

from confide.typing import Label


class Table(BaseModel):
    """A table of a plan file: no unknown keys, no silent conversion of types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


def _label(value: Any) -> Label:
    """Take a text, a number or a truth value; dates and tables are no levels."""
    if isinstance(value, str | int | float | bool):
        return value
    raise ValueError(f"must be a text, a number or true or false, found {kind_of(value)}")


Level = Annotated[Label, PlainValidator(_label)]
"""A level of a categorical variable."""


LONGEST_NAME, LONGEST_PATH = 255, 3_000
"""No system takes longer names of files."""


def _path(value: str) -> str:
    """Refuse what no file can be called."""
    if not value.strip() or "\0" in value:
        raise ValueError("must be the path of a file or folder, found a text that is empty or holds a NUL character")
    if len(value) > LONGEST_PATH or max(len(os.fsencode(part)) for part in value.split("/")) > LONGEST_NAME:
        raise ValueError(f"must be the path of a file or folder, found a name longer than {LONGEST_NAME} bytes")
    return value


class InputFile(str):
    """The path of a file that the plan reads, relative to the plan; nothing that is written may replace it."""

    __slots__ = ()


InputText = Annotated[str, AfterValidator(lambda value: InputFile(_path(value)))]
"""The path of a file that is read, relative to the plan."""

OutputText = Annotated[str, AfterValidator(_path)]
"""The path of a file or folder that is written, relative to the plan."""

Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]
"""A whole number of a size that arrays can hold."""

Matrix = list[list[float]]
"""A matrix, row by row."""


def one_of(what: str, given: dict[str, Any], choices: tuple[str, ...]) -> None:
    """Raise unless exactly one of the choices was given."""
    found = [c for c in choices if given.get(c) is not None]
    if len(found) != 1:
        raise ValueError(f"{what}: give one of {', '.join(choices)}; found {', '.join(found) or 'none'}")


def kind_of(value: object) -> str:
    """Name the type of a TOML value in words.

    >>> kind_of("0.3"), kind_of(True), kind_of([1])
    ('a text', 'true or false', 'a list')
    """
    names = {str: "a text", bool: "true or false", int: "a whole number", float: "a number", list: "a list", dict: "a table"}
    return names.get(type(value), f"a {type(value).__name__}")
