"""Classical measures as part of an assessment: taken of every released file, on what each intruder knows."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from confide.errors import DeclarationError, IntruderError, ModelError, raise_all
from confide.release.released import Released
from confide.risk.limit import limit_fault
from confide.typing import FloatArray


@runtime_checkable
class FileRisk(Protocol):
    """What every classical measure gives: a figure of the file.

    It may also hold `says_nothing`: why the figure says nothing about the file, such as an attack too weak to; empty where
    it does. A measure of an assessment then has no figure, and a limit on it does not hold.
    """

    @property
    def name(self) -> str:
        """The name in frames and plans."""
        ...

    @property
    def title(self) -> str:
        """The name in printed tables."""
        ...

    @property
    def larger_is_riskier(self) -> bool:
        """Whether a larger figure means more risk."""
        ...

    @property
    def value(self) -> float:
        """The figure of the file."""
        ...


@dataclass(frozen=True, slots=True, init=False, repr=False)
class FileMeasure:
    """A classical measure to be taken of every released file.

    >>> import confide as cf
    >>> cf.FileMeasure(cf.l_diversity, sensitive="income", name="l of income")
    FileMeasure(l_diversity of what the intruder knows, sensitive='income', name='l of income')
    """

    function: Callable[..., FileRisk]
    """What gives the figure, called with the released file, the keys and the options."""
    keys: tuple[str, ...] | None
    """The variables it is taken on; None: those the intruder knows."""
    name: str
    """What it is called in tables, frames and limits."""
    options: Mapping[str, Any]
    """What else the function is told."""

    def __init__(
        self,
        function: Callable[..., FileRisk],
        keys: str | Sequence[str] | None = None,
        *,
        name: str = "",
        **options: Any,
    ) -> None:
        """Declare a measure.

        Args:
            function: a classical measure, such as `k_anonymity`; or any function of a released file and its keys.
            keys: the variables it is taken on; None: those that each intruder knows and the released file has.
            name: what it is called in tables, frames and limits; the name of the function when left out.
            options: what else the function is told.
        """
        if not callable(function):
            raise IntruderError(f"FileMeasure needs a function, such as k_anonymity; found {type(function).__name__}")
        called = name or getattr(function, "__name__", "")
        if not called or called == "<lambda>":
            raise IntruderError("FileMeasure: this function has no name; give name=...")
        try:
            inspect.signature(function).bind(None, None, **options)
        except TypeError as error:
            raise IntruderError(f"FileMeasure {called!r}: {error}; it is called with a file, its keys and options") from None
        names = (keys,) if isinstance(keys, str) else None if keys is None else tuple(keys)
        for field, value in (("function", function), ("keys", names), ("name", called), ("options", dict(options))):
            object.__setattr__(self, field, value)

    def __repr__(self) -> str:
        """Write what was declared."""
        what = getattr(self.function, "__name__", "function")
        of = "what the intruder knows" if self.keys is None else ", ".join(self.keys)
        options = "".join(f", {k}={v!r}" for k, v in self.options.items())
        return f"FileMeasure({what} of {of}{options}" + (f", name={self.name!r})" if self.name != what else ")")

    @property
    def _gives(self) -> object:
        """The class of what the function gives, where it says so."""
        told = getattr(self.function, "__annotations__", {}).get("return")
        return getattr(self.function, "__globals__", {}).get(told) if isinstance(told, str) else told

    @property
    def larger_is_riskier(self) -> bool:
        """Whether a larger figure means more risk; taken to be so where the function does not say what it gives."""
        return bool(getattr(self._gives, "larger_is_riskier", True))

    @property
    def title(self) -> str:
        """What it is called in printed tables."""
        own = getattr(self.function, "__name__", "")
        return str(getattr(self._gives, "title", self.name)) if self.name == own else self.name

    def on(self, released: Released, known: Sequence[str]) -> tuple[str, ...]:
        """Give the variables it is taken on: those declared, or those known that the released file has."""
        if self.keys is not None:
            return self.keys
        return tuple(name for name in dict.fromkeys(known) if name in released.data.columns)

    def of(self, released: Released, known: Sequence[str] = ()) -> Measured:
        """Take the measure of a released file.

        A model that cannot be fitted gives its reason and no figure; a mistake in the declaration is raised.

        Args:
            released: the released file.
            known: the variables an intruder knows.
        """
        keys = self.on(released, known)
        if not keys:
            raise DeclarationError(
                f"{self.name}: the released file {released.name!r} has no variable that is known; name some with keys=[...]"
            )
        try:
            result = self.function(released, keys, **self.options)
        except ModelError as error:
            return Measured(self, keys, None, str(error))
        if not isinstance(result, FileRisk):
            raise DeclarationError(
                f"{self.name}: a measure gives an object with name, title, larger_is_riskier and value; "
                f"found {type(result).__name__}"
            )
        nothing = str(getattr(result, "says_nothing", ""))
        if nothing:
            return Measured(self, keys, None, nothing)
        if math.isnan(result.value):
            return Measured(self, keys, None, "it is undefined for this file")
        return Measured(self, keys, result)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What a classical measure gave for one released file and one intruder."""

    measure: FileMeasure
    """What was asked."""
    keys: tuple[str, ...]
    """The variables it was taken on."""
    result: FileRisk | None
    """What it gave; None: it is undefined, or its model could not be fitted."""
    reason: str = ""
    """Why there is no figure."""

    @property
    def name(self) -> str:
        """What it is called in frames and limits."""
        return self.measure.name

    @property
    def title(self) -> str:
        """What it is called in printed tables."""
        return self.measure.title

    @property
    def value(self) -> float | None:
        """The figure of the file; None where there is none."""
        return None if self.result is None else self.result.value

    @property
    def per_record(self) -> FloatArray | None:
        """The figure of each released record; None where there is none."""
        found = getattr(self.result, "per_record", None)
        return None if found is None else np.asarray(found, dtype=np.float64)

    @property
    def worst(self) -> tuple[float, int] | None:
        """The figure of the riskiest record, and how many records have it."""
        figures = self.per_record
        if figures is None or self.result is None or figures.size == 0:
            return None
        top = float(np.nanmax(figures) if self.result.larger_is_riskier else np.nanmin(figures))
        return top, int(np.count_nonzero(np.isclose(figures, top, rtol=1e-12, atol=0.0)))

    def exceeds(self, limit: float) -> bool:
        """Say whether the figure is on the wrong side of a limit; without a figure it is: unknown is never safe."""
        raise_all(limit_fault(f"the limit of {self.name}", limit, negative=True), IntruderError)
        if self.result is None:
            return True
        return self.result.value > limit if self.result.larger_is_riskier else self.result.value < limit
