"""One sensitive attribute from all sides: as released, as it is for the targets, and how it was masked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from confide.data.codebook import Kind, Role
from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import HarmError, unknown
from confide.intruder.knowledge import Exactly
from confide.linking.charted import steps_for
from confide.linking.compose import Composite, compose
from confide.linking.links import Links
from confide.release.channel import Discrete
from confide.release.method import Step
from confide.release.methods.swap import MISSING_LEVEL
from confide.typing import BoolArray, FloatArray, IntArray, Label

MOST_LEVELS = 1_000


@dataclass(frozen=True, eq=False)
class Sensitive:
    """What the intruder wants to know about the targets."""

    name: str
    """The attribute."""
    records: Microdata
    """The released file."""
    truth: Column
    """The true values of the targets."""
    steps: tuple[Step, ...]
    """The masking as the intruder understands it."""
    random: bool = True
    """Whether the intruder understands random masking; otherwise released values are taken at face value."""
    source: Column | None = None
    """The values of all respondents; None: there is no source file, or it lacks the attribute."""
    value_known: BoolArray | None = None
    """Of which targets it is known what their value is, or that they have none; None: of all."""

    @property
    def released(self) -> Column | None:
        """The values as released; None: the attribute was not released."""
        return self.records.columns.get(self.name)

    @cached_property
    def composite(self) -> Composite:
        """All that was done to the attribute."""
        return self.masking(self.name)

    def masking(self, name: str) -> Composite:
        """Give what was done to any variable of the file, as the intruder understands it."""
        return compose(self.steps, name, random=self.random)

    @property
    def kind(self) -> Kind:
        """How released values are to be read."""
        return self.records.variables[self.name].kind

    def others(self, wanted: Sequence[str] | None) -> tuple[str, ...]:
        """Name the released variables that may tell something about the attribute.

        Args:
            wanted: names chosen by the user; None: all but weights, households and free text.
        """
        if wanted is not None:
            missing = [w for w in wanted if w not in self.records.columns or w == self.name]
            if missing:
                choices = [n for n in self.records.names if n != self.name]
                raise HarmError(f"covariates of {self.name!r}: {unknown('released variable', missing[0], choices)}")
            return tuple(wanted)
        left_out = (Role.WEIGHT, Role.HOUSEHOLD, Role.IDENTIFIER)
        return tuple(
            v.name
            for v in self.records.variables.values()
            if v.name != self.name and v.role not in left_out and v.kind is not Kind.TEXT
        )

    @cached_property
    def levels(self) -> tuple[Label, ...]:
        """The categories the attribute may be in, as the last step without chance left them."""
        core = self.composite.core
        if core is not None and not isinstance(core, Discrete):
            raise HarmError(
                f"{self.name!r} is an amount with noise, not a category; give costs for amounts, such as "
                "AmountCosts(Close(0.1)), or recode it"
            )
        if isinstance(core, Discrete) and self.composite.after:
            raise HarmError(f"{self.name!r} is swapped and then recoded; what the codes tell is not tractable. Recode first")
        columns = [self.composite.push(c) for c in (self.truth, self.source) if c is not None]
        columns += [] if self.released is None else [self.released]
        found: dict[Label, None] = dict.fromkeys(core.levels if isinstance(core, Discrete) else ())
        for column in columns:
            found.update(dict.fromkeys((*(v for v in column.profile()[1].values() if v is not None), *column.labels)))
        found.pop(MISSING_LEVEL, None)
        if len(found) > MOST_LEVELS:
            raise HarmError(
                f"{self.name!r} has {len(found)} values, more than {MOST_LEVELS} categories; give costs for amounts, such "
                "as AmountCosts(Close(0.1)), or recode it"
            )
        return tuple(found)

    @property
    def true_codes(self) -> IntArray:
        """The true category of each target among `levels`; -1: missing."""
        return codes(self.composite.push(self.truth), self.levels)

    @property
    def released_codes(self) -> IntArray:
        """The released category of each record among `levels`; -1: missing or not released."""
        if self.released is None:
            return np.full(self.records.n, -1, dtype=np.int64)
        return codes(self.released, self.levels)

    @property
    def true_numbers(self) -> FloatArray:
        """The true amount of each target; NaN: it has none."""
        return np.where(self.truth.is_number, self.truth.numbers, np.nan)


def codes(column: Column, levels: Sequence[Label]) -> IntArray:
    """Give the place of each value in a list; -1 where it is not there.

    >>> codes(Column.of_labels(["b", None, "a"]), ["a", "b"]).tolist()
    [1, -1, 0]
    """
    place = {level: i for i, level in enumerate(levels)}
    positions, distinct = column.profile()
    found = [-1 if v is None else place.get(v, -1) for v in distinct.values()]
    return np.asarray(found, dtype=np.int64)[positions]


def sensitive_of(links: Links, name: str) -> Sensitive:
    """Look at an attribute as the intruder behind some links does.

    Args:
        links: what `link` gave.
        name: the attribute; it need not be in the released file.
    """
    evidence = links.evidence
    released, intruder, targets = evidence.released, evidence.intruder, evidence.targets
    if any(isinstance(i, Exactly) and i.variable == name for i in intruder.items):
        raise HarmError(
            f"the intruder {intruder.title!r} knows {name!r} already, so nothing is learned about it; "
            "take it out of knows, or ask for the harm from another attribute"
        )
    steps = steps_for(intruder, released, [name])
    source = None if released.source is None else released.source.columns.get(name)
    truth, known = _truth(name, targets, evidence.target_rows, source)
    return Sensitive(name, released.data, truth, tuple(steps), intruder.understands_masking, source, known)


def _truth(name: str, targets: Microdata, rows: IntArray, source: Column | None) -> tuple[Column, BoolArray]:
    """Give the true values of the targets, and of whom it is known what it is.

    What respondents confided stands in the source file. A register may be wrong or silent about it, so that its values count
    only for people of whom the source file tells none.

    Args:
        name: the attribute.
        targets: the targets, as the intruder has them.
        rows: their rows in the source file, below 0 for who is not in it or where that is not known.
        source: the values of all respondents.
    """
    own, there = targets.columns.get(name), rows >= 0
    if own is None and (source is None or not bool(there.any())):
        hint = "; in the source file it is found by an id: Targets.of_records(file, id=...)" if source is not None else ""
        raise HarmError(f"the sensitive attribute: {unknown('variable of the targets', name, targets.names)}{hint}")
    if source is None:
        assert own is not None
        return own, ~own.is_missing
    if own is None:
        own = Column.of_labels([None] * rows.size)
    confided = there.copy()
    confided[there] = ~source.is_missing[rows[there]]
    place = np.where(confided, rows, source.size + np.arange(rows.size))
    truth = source.append(own).take(place)
    return truth, there | ~truth.is_missing


def with_records(attribute: Sensitive, columns: dict[str, Column]) -> Sensitive:
    """Replace some columns of the released file, as an intruder does who has corrected them."""
    return replace(attribute, records=attribute.records.with_columns(columns))
