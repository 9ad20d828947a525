"""A file of respondents with declared roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from confide.data.codebook import Kind, Role, Variable
from confide.data.column import Column
from confide.data.convert import as_kind, in_order
from confide.errors import DataError, DeclarationError, raise_all, unknown
from confide.typing import FloatArray, IntArray, Label

if TYPE_CHECKING:
    import polars as pl

Names = str | Sequence[str]

HEAVIEST = 1e15
"""No record stands for more people; sums and squares of larger weights lose all digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Microdata:
    """A source file: one record per respondent, one column per variable.

    Objects are never changed in place: `declare`, `take` and `with_columns` give new ones that
    share the columns they did not touch.
    """

    variables: Mapping[str, Variable]
    """What each variable is, by name, in the order of the file."""
    columns: Mapping[str, Column]
    """The values of each variable, by name."""
    name: str = "data"
    """What the file is called in prints and reports."""

    @property
    def n(self) -> int:
        """The number of records."""
        return next(iter(self.columns.values())).size if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all variables, in the order of the file."""
        return tuple(self.variables)

    def with_role(self, *roles: Role) -> tuple[str, ...]:
        """Give the names of the variables that have one of the roles."""
        return tuple(v.name for v in self.variables.values() if v.role in roles)

    @property
    def weights(self) -> FloatArray | None:
        """The survey weights, or None when no weight was declared."""
        names = self.with_role(Role.WEIGHT)
        return self.columns[names[0]].numbers if names else None

    def column(self, name: str) -> Column:
        """Give one column, or say which names there are."""
        if name not in self.columns:
            raise DeclarationError(unknown("variable", name, self.names))
        return self.columns[name]

    def take(self, rows: IntArray) -> Microdata:
        """Keep the given rows, in the given order."""
        return replace(self, columns={k: c.take(rows) for k, c in self.columns.items()})

    def with_columns(self, columns: Mapping[str, Column], kinds: Mapping[str, Kind] | None = None) -> Microdata:
        """Replace some columns, and the kinds of those whose kind changed."""
        variables = dict(self.variables)
        for name, kind in (kinds or {}).items():
            variables[name] = replace(variables[name], kind=kind)
        return replace(self, columns={**self.columns, **columns}, variables=variables)

    def without(self, names: Sequence[str]) -> Microdata:
        """Leave some variables out."""
        gone = set(names)
        return replace(
            self,
            columns={k: c for k, c in self.columns.items() if k not in gone},
            variables={k: v for k, v in self.variables.items() if k not in gone},
        )

    def declare(
        self,
        *,
        identifier: Names = (),
        key: Names = (),
        unavailable: Names = (),
        sensitive: Names = (),
        weight: str | None = None,
        household: str | None = None,
        stratum: Names = (),
        kinds: Mapping[str, str | Kind] | None = None,
        order: Mapping[str, Sequence[Label]] | None = None,
        labels: Mapping[str, Mapping[Label, str]] | None = None,
        coded: Mapping[str, Sequence[Label]] | None = None,
    ) -> Microdata:
        """Say what variables are; what is not named keeps the kind and role it has.

        Args:
            identifier: names a respondent directly; never released.
            key: available to the intruder from elsewhere.
            unavailable: released, not available from elsewhere.
            sensitive: unavailable, and what the respondent confided.
            weight: the survey weight.
            household: the household the respondent belongs to.
            stratum: the design stratum.
            kinds: nominal, ordinal, integer, continuous or text, by variable.
            order: the levels of ordinal variables from lowest to highest.
            labels: texts for codes, by variable.
            coded: categories that stand among the numbers of a numeric variable, such as the
                "more than 3000" of a topcoded one.

        >>> import confide as cf
        >>> data = cf.Microdata.from_dict({"sex": ["M", "F"], "age": [43, 39], "wt": [1.0, 2.0]})
        >>> data = data.declare(key=["sex", "age"], weight="wt")
        >>> data.with_role(cf.Role.KEY)
        ('sex', 'age')
        """
        wanted: dict[Role, tuple[str, ...]] = {
            Role.IDENTIFIER: _names(identifier),
            Role.KEY: _names(key),
            Role.UNAVAILABLE: _names(unavailable),
            Role.SENSITIVE: _names(sensitive),
            Role.WEIGHT: _names(weight or ()),
            Role.HOUSEHOLD: _names(household or ()),
            Role.STRATUM: _names(stratum),
        }
        kinds, order, labels, coded = dict(kinds or {}), order or {}, labels or {}, coded or {}
        self._check_names(wanted, kinds, order, labels)
        if weight is not None and weight not in kinds and not self.variables[weight].kind.is_numeric:
            kinds[weight] = Kind.CONTINUOUS
        variables, columns = dict(self.variables), dict(self.columns)
        for role, names in wanted.items():
            if role is Role.WEIGHT and names:
                for old in self.with_role(Role.WEIGHT):
                    variables[old] = replace(variables[old], role=Role.UNAVAILABLE)
            for name in names:
                variables[name] = _declared(variables[name], "role", role=role)
        faults: list[str] = []
        for name in dict.fromkeys([*kinds, *order]):
            kind = Kind(kinds[name]) if name in kinds else Kind.ORDINAL
            try:
                columns[name] = as_kind(columns[name], kind, name, coded.get(name, ()))
                if name in order:
                    columns[name] = in_order(columns[name], order[name], name)
            except DeclarationError as error:
                faults.append(str(error))
            variables[name] = _declared(variables[name], "kind", kind=kind)
        for name, texts in labels.items():
            variables[name] = replace(variables[name], labels=tuple(texts.items()))
        declared = replace(self, variables=variables, columns=columns)
        raise_all(faults or declared._weight_faults(), DeclarationError)
        return declared

    def _check_names(
        self,
        wanted: Mapping[Role, tuple[str, ...]],
        kinds: Mapping[str, str | Kind],
        order: Mapping[str, Sequence[Label]],
        labels: Mapping[str, Mapping[Label, str]],
    ) -> None:
        """Collect every unknown name, every clash of roles and every unknown kind."""
        faults: list[str] = []
        seen: dict[str, Role] = {}
        for role, names in wanted.items():
            for name in names:
                if name not in self.variables:
                    faults.append(f"role {role.value}: {unknown('variable', name, self.names)}")
                elif name in seen and seen[name] is not role:
                    faults.append(
                        f"variable {name!r} is declared both {seen[name].value} and {role.value}; give it one role"
                    )
                seen.setdefault(name, role)
        for name, kind in kinds.items():
            if name not in self.variables:
                faults.append(f"kinds: {unknown('variable', name, self.names)}")
            if not isinstance(kind, Kind) and kind not in {k.value for k in Kind}:
                faults.append(f"kinds, variable {name!r}: {unknown('kind', kind, [k.value for k in Kind])}")
            elif name in order and Kind(kind) is not Kind.ORDINAL:
                faults.append(f"variable {name!r} has an order but is declared {Kind(kind).value}; declare it ordinal")
        for what, mapping in (("order", order), ("labels", labels)):
            faults += [f"{what}: {unknown('variable', k, self.names)}" for k in mapping if k not in self.variables]
        raise_all(faults, DeclarationError)

    def _weight_faults(self) -> list[str]:
        """Say what is wrong with the weight, if anything."""
        names = self.with_role(Role.WEIGHT)
        if not names:
            return []
        column = self.columns[names[0]]
        if not self.variables[names[0]].kind.is_numeric and not bool(np.all(column.is_number)):
            return [f"weight {names[0]!r} is not numeric; declare its kind 'continuous' or choose another variable"]
        w = column.numbers
        bad = int(np.sum(~np.isfinite(w)))
        if bad:
            return [f"weight {names[0]!r} is missing or infinite for {bad} of {w.size} records; a weight is needed for each"]
        if bool(np.any(w < 0)):
            return [
                f"weight {names[0]!r} is negative for {int(np.sum(w < 0))} of {w.size} records; weights must be 0 or more"
            ]
        if large := int(np.sum(w > HEAVIEST)):
            much = f"weight {names[0]!r} is above {HEAVIEST:g} for {large} of {w.size} records"
            return [f"{much}; a weight says how many people a record stands for"]
        if w.size and float(w.sum()) == 0.0:
            return [f"weight {names[0]!r} is zero for every record; weights must have a positive sum"]
        return []

    @classmethod
    def from_dict(cls, data: Mapping[str, Sequence[Label | None]], name: str = "data") -> Microdata:
        """Make a file from lists of values, one list per variable; lists of mixed types are read as text."""
        import polars as pl

        from confide.data.frames import from_frame

        lengths = {k: len(v) for k, v in data.items()}
        if len(set(lengths.values())) > 1:
            raise DataError(f"all variables need the same number of values, found {lengths}")
        return from_frame(pl.DataFrame({k: list(v) for k, v in data.items()}, strict=False), name=name)

    def to_frame(self) -> pl.DataFrame:
        """Give the values as a polars frame; mixed columns become text."""
        from confide.data.frames import to_polars

        return to_polars(self)

    def __repr__(self) -> str:
        """Show the kind and role of every variable, and which of them were inferred."""
        from confide.data.describe import describe

        return describe(self)


def _names(names: Names) -> tuple[str, ...]:
    """Take one name or several."""
    return (names,) if isinstance(names, str) else tuple(names)


def _declared(variable: Variable, what: str, *, kind: Kind | None = None, role: Role | None = None) -> Variable:
    """Set a kind or a role and forget that it was inferred."""
    inferred = tuple(x for x in variable.inferred if x != what)
    return replace(variable, kind=kind or variable.kind, role=role or variable.role, inferred=inferred)
