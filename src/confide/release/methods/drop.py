"""Drop variables from the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.kit.keyed import Draws
from confide.release.channel import Channel
from confide.release.method import Draft, the_column
from confide.release.vary import Varying


@dataclass(frozen=True, slots=True)
class Drop(Varying):
    """Do not release some variables.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"age": [43, 39], "zip": ["27708", "27514"]})
    >>> cf.Release(cf.Drop("zip")).apply(data, seed=1).data.names
    ('age',)
    """

    names: str | Sequence[str]
    """The variables that are dropped."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that are dropped."""
        return (self.names,) if isinstance(self.names, str) else tuple(self.names)

    def describe(self) -> str:
        """Say in one line what is done."""
        return f"drop {', '.join(self.variables)}"

    def bind(self, data: Microdata) -> DropStep:
        """Check the names."""
        for name in self.variables:
            the_column(data, name, self)
        if len(set(self.variables)) >= len(data.names):
            raise ReleaseError("Drop: no variable would be left to release")
        return DropStep(self.variables)


@dataclass(frozen=True, slots=True, eq=False)
class DropStep:
    """Leave variables out."""

    names: tuple[str, ...]
    """The variables that are dropped."""

    @property
    def channels(self) -> Mapping[str, Channel]:
        """A dropped variable says nothing."""
        return {}

    def apply(self, draft: Draft, stream: Draws) -> Draft:
        """Leave the variables out."""
        del stream
        return Draft(draft.data.without(self.names), draft.parent, draft.keys)
