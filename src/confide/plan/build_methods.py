"""Make masking methods and releases of their tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from confide.data.codebook import Role
from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.kit.ledger import plain
from confide.plan.faults import Faults
from confide.plan.schema import ReleaseTable
from confide.plan.schema_methods import MatrixTable, MethodTable
from confide.release.method import Method
from confide.release.methods.correlated import CorrelatedNoise
from confide.release.methods.drop import Drop
from confide.release.methods.multiplicative import MultiplicativeNoise
from confide.release.methods.noise import Noise
from confide.release.methods.recode import Recode
from confide.release.methods.round import Round
from confide.release.methods.sample import Sample
from confide.release.methods.simulate import Simulate
from confide.release.methods.swap import GivenMatrix, Simulated, Swap
from confide.release.methods.topcode import Bottomcode, Topcode
from confide.release.release import Release

METHODS: dict[str, Callable[..., Method]] = {
    "Recode": Recode,
    "Topcode": Topcode,
    "Bottomcode": Bottomcode,
    "Round": Round,
    "Swap": Swap,
    "Noise": Noise,
    "MultiplicativeNoise": MultiplicativeNoise,
    "CorrelatedNoise": CorrelatedNoise,
    "Drop": Drop,
    "Sample": Sample,
    "Simulate": Simulate,
}
"""The class of each method of a plan."""


def build_method(table: MethodTable, folder: Path) -> Method:
    """Make a masking method of its table."""
    given = {k: _frozen(v) for k, v in table.model_dump(exclude_defaults=True, exclude={"method", "matrix"}).items()}
    if given.get("hierarchy") is not None:
        given["hierarchy"] = folder / given["hierarchy"]
        if not plain(given["hierarchy"], ReleaseError).is_file():
            raise ReleaseError(f"hierarchy: there is no file {str(given['hierarchy'])!r}")
    if given.get("times_above") is not None:
        given["times_above"] = {_cut(k): v for k, v in given["times_above"].items()}
    covariance = given.get("covariance")
    if covariance is not None and any(len(row) != len(covariance) for row in covariance):
        raise ReleaseError(f"the covariance must be a square matrix, found {len(covariance)} rows of other lengths")
    matrix = getattr(table, "matrix", None)
    if matrix is not None:
        given["matrix"] = _matrix(matrix)
    return METHODS[table.method](**given)


def build_methods(tables: Sequence[MethodTable], folder: Path, faults: Faults, where: str, key: str) -> list[Method | None]:
    """Make all methods of a list; None stands for those with a fault."""
    methods: list[Method | None] = []
    for i, table in enumerate(tables, 1):
        method: Method | None = None
        with faults.at(f"{where}.{key}[{i}] ({table.method})", strip=table.method):
            method = build_method(table, folder)
        methods.append(method)
    return methods


def build_release(table: ReleaseTable, data: Microdata | None, folder: Path, faults: Faults, where: str) -> Release | None:
    """Make a release and hold it against the data, as far as that goes without masking."""
    methods = build_methods(table.methods, folder, faults, where, "methods")
    for key in ("parent", "text", "kinds", "coded"):
        if getattr(table, key):
            faults.add(where, f"{key} is for a released file that someone else made; give released too, or leave {key} out")
    names = [] if data is None else [n for n in data.names if data.variables[n].role is not Role.IDENTIFIER]
    touched: set[str] = set()
    for i, method in enumerate(methods, 1):
        if method is None:
            touched.update(_variables(table.methods[i - 1]))
            continue
        name = type(method).__name__
        used = {*method.variables, *(method.strata if isinstance(method, Swap) else ())}
        with faults.at(f"{where}.methods[{i}] ({name})", strip=name):
            if isinstance(method, Swap) and isinstance(method.matrix, GivenMatrix):
                raise ReleaseError("a given matrix describes what an intruder supposes; to mask a file give a rate")
            if data is not None:
                _check(method, data, names, used, bindable=not used & touched and "*" not in touched)
        touched |= used | ({"*"} if isinstance(method, Sample | Simulate) else set())
        if isinstance(method, Drop):
            names = [n for n in names if n not in method.variables]
    ready = [m for m in methods if m is not None]
    return Release(*ready, name=table.name) if len(ready) == len(methods) else None


def _check(method: Method, data: Microdata, names: list[str], used: set[str], *, bindable: bool) -> None:
    """Raise when a method does not fit the data; a method on masked values is checked when it is applied."""
    gone = [n for n in sorted(used) if n in data.names and n not in names]
    if gone:
        raise ReleaseError(f"variable {gone[0]!r} is gone: an earlier method dropped it, or it is an identifier")
    if bindable or not used <= set(data.names):
        # The exact matrix is enough for a check; simulating it takes time.
        (replace(method, matrix=None) if isinstance(method, Swap) else method).bind(data)


def _variables(table: MethodTable) -> tuple[str, ...]:
    """Name the variables of a method that could not be made."""
    names = getattr(table, "names", ())
    return (*names, *((table.variable,) if hasattr(table, "variable") else ()))


def _matrix(table: MatrixTable) -> Simulated | GivenMatrix | None:
    """Make the choice of a swap matrix."""
    if table.simulate is not None:
        return Simulated(table.simulate, table.seed)
    if table.levels is None or table.rows is None:
        return None
    if any(len(row) != len(table.levels) for row in table.rows):
        raise ReleaseError(f"the swap matrix of {len(table.levels)} levels needs rows of {len(table.levels)} numbers")
    return GivenMatrix(tuple(table.levels), tuple(tuple(row) for row in table.rows))


def _cut(text: str) -> float:
    """Read a key of times_above as a number."""
    try:
        return float(text)
    except ValueError:
        raise ReleaseError(f"times_above: {text!r} is not a number; write e.g. times_above = {{ 10000 = 2 }}") from None


def _frozen(value: Any) -> Any:
    """Make tuples of lists."""
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value
