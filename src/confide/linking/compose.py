"""Compose the methods applied to one variable into one channel.

A chain reads: deterministic steps, at most one kind of random step, deterministic steps. Targets
are pushed through the first part; released values are traced back through the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.data.column import NUMBER, Column
from confide.errors import LikelihoodError
from confide.linking.entrance import entrance
from confide.release.channel import Channel, Deterministic, Discrete, JointKernel, Kernel
from confide.release.gridded import between, gridded_at
from confide.release.method import Step
from confide.release.noisy import kernel_interval
from confide.typing import BoolArray, FloatArray

ZERO, PERTURBED, PERTURBED_BELOW = "(zero)", "(perturbed)", "(perturbed, below zero)"
"""Classes of a noisy variable beside its categories: kept zeros, perturbed numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Stratum:
    """What happens to the variables within whose values another one is swapped."""

    variables: tuple[str, ...]
    """The variables."""
    before: tuple[Channel, ...]
    """What was done to them before the swap."""
    later: tuple[Channel, ...]
    """What was done to them afterwards; empty: the released file shows the stratum of the swap."""

    @property
    def only(self) -> str:
        """The variable, where there is one; else no variable's name."""
        return self.variables[0] if len(self.variables) == 1 else ""

    def push(self, column: Column, start: int = 0, stop: int | None = None) -> Column:
        """Take true values to the stratum at the time of the swap, or through some of the steps up to it."""
        for step in self.before[start:stop]:
            if not isinstance(step, Deterministic):
                raise LikelihoodError(
                    f"{self.only!r} is perturbed, then values are swapped within it, then it is masked again; the "
                    "likelihood of that chain is not tractable. Mask it once"
                )
            column = step.push(column)
        return column


@dataclass(frozen=True, slots=True, eq=False)
class Composite:
    """All that happens to one variable."""

    variable: str
    """The variable."""
    before: tuple[Deterministic, ...] = ()
    """Steps before the random one, or all steps when none is random."""
    core: Discrete | Kernel | JointKernel | None = None
    """The random step."""
    after: tuple[Deterministic, ...] = ()
    """Steps after the random one."""
    stratum: Stratum | None = None
    """What happens to the variable within whose values this one is swapped."""

    def push(self, column: Column) -> Column:
        """Take true values through the steps before the random one."""
        for step in self.before:
            column = step.push(column)
        return column

    def push_after(self, column: Column) -> Column:
        """Take values through the steps after the random one."""
        for step in self.after:
            column = step.push(column)
        return column

    def interval(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Give the interval of numbers before the last deterministic steps behind each released value."""
        steps = self.after if self.core is not None else self.before
        if not steps:
            return column.numbers.copy(), column.numbers.copy()
        if len(steps) > 1:
            raise LikelihoodError(
                f"variable {self.variable!r}: {len(steps)} deterministic methods in a row cannot be traced back; "
                "combine them into one Recode with breaks"
            )
        return steps[0].preimage(column)


def compose(steps: Sequence[Step], variable: str, *, random: bool = True) -> Composite:
    """Compose the steps that touch a variable; with random=False the random ones are taken as doing nothing."""
    before: list[Deterministic] = []
    after: list[Deterministic] = []
    core: Discrete | Kernel | JointKernel | None = None
    stratum: Stratum | None = None
    for i, step in enumerate(steps):
        channel = step.channels.get(variable)
        if channel is None:
            continue
        if isinstance(channel, Deterministic):
            (before if core is None else after).append(channel)
        elif random:
            if core is not None and not after and isinstance(core, Discrete) and isinstance(channel, Discrete):
                if stratum is not None and _of(steps[:i], stratum.variables)[len(stratum.before) :]:
                    raise LikelihoodError(
                        f"variable {variable!r} is swapped twice within {' and '.join(stratum.variables)}, masked in "
                        "between; swap it once"
                    )
                core = _product(core, channel, variable)
            elif core is not None:
                raise LikelihoodError(
                    f"variable {variable!r} is perturbed twice ({type(core).__name__}, then {type(channel).__name__}); "
                    "the likelihood of that chain is not tractable. Use one random method per variable, "
                    "or understands_masking=False"
                )
            else:
                core = channel
                if isinstance(channel, Discrete) and channel.stratum:
                    stratum = Stratum(channel.stratum, *(_of(x, channel.stratum) for x in (steps[:i], steps[i + 1 :])))
    return Composite(variable, tuple(before), core, tuple(after), stratum)


def _of(steps: Sequence[Step], variables: Sequence[str]) -> tuple[Channel, ...]:
    """Give what some steps do to variables."""
    return tuple(channel for step in steps for name in variables if (channel := step.channels.get(name)) is not None)


def _product(first: Discrete, second: Discrete, variable: str) -> Discrete:
    """Compose two swaps of the same variable."""
    if first.stratum != second.stratum or first.levels != second.levels:
        raise LikelihoodError(f"variable {variable!r} is swapped twice with different strata or levels; swap it once")
    return replace(first, matrix=first.matrix @ second.matrix)


def class_column(kernel: Kernel, column: Column) -> Column:
    """Give the class of each value at the entrance of a noisy channel.

    The zero class, topcoded and other categories and missing values are visible in the released
    file, so they belong to z^Ad (convention 8); only which perturbed number it was is not.
    """
    number = column.is_number
    classes = column.with_codes(number, PERTURBED)
    if kernel.log_scale:
        classes = classes.with_codes(number & (column.numbers < 0), PERTURBED_BELOW)
    if kernel.keep_zero:
        classes = classes.with_codes(number & (column.numbers == 0), ZERO)
    return classes


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """What a released file shows of a noisy variable."""

    column: Column
    """The class of each record."""
    lo: FloatArray
    """The lower end of the perturbed numbers that are released as each value."""
    hi: FloatArray
    """The upper end."""
    merged: BoolArray
    """Where a kept zero is released as perturbed numbers are: the class is then not known."""

    @property
    def hides_zeros(self) -> bool:
        """Whether any released value may be a kept zero or a perturbed number."""
        return bool(self.merged.any())


def released_classes(composite: Composite, column: Column) -> Classes:
    """Give the class of each released value of a noisy variable and the interval behind it."""
    kernel = composite.core
    assert isinstance(kernel, Kernel)
    if not composite.after:
        ambiguous = kernel.keep_zero and kernel.clamp and kernel.grid is None and 0.0 in (kernel.lower, kernel.upper)
        zero: BoolArray = column.is_number & np.equal(column.numbers, 0.0) & np.bool_(ambiguous)
        return Classes(class_column(kernel, column), *kernel_interval(kernel, column.numbers), zero)
    lo, hi = composite.interval(column)
    point: BoolArray = np.equal(lo, hi)
    merged = np.zeros(column.size, dtype=np.bool_)
    if kernel.grid is not None:
        lo, hi = _on_grid(composite, kernel, column, lo, hi)
    exact = kernel_interval(kernel, np.where(point, column.numbers, np.nan))
    lo, hi = np.where(point, exact[0], lo), np.where(point, exact[1], hi)
    classes = column.with_codes(~np.isnan(lo), PERTURBED)
    if kernel.log_scale:
        classes = classes.with_codes(~np.isnan(lo) & (hi <= 0), PERTURBED_BELOW)
    if kernel.keep_zero:
        alike = _released_as(composite, 0.0, column)
        clamped = kernel.clamp and kernel.grid is None and 0.0 in (kernel.lower, kernel.upper)
        merged = alike & (np.less(lo, hi) | np.bool_(clamped))
        classes = classes.with_codes(alike, ZERO)
    if kernel.clamp and kernel.grid is None:
        # what was set to a bound carries all mass beyond it
        lo = np.where(_released_as(composite, kernel.lower, column), -np.inf, lo)
        hi = np.where(_released_as(composite, kernel.upper, column), np.inf, hi)
    elif not kernel.clamp:
        lo, hi = np.where(point, lo, np.maximum(lo, kernel.lower)), np.where(point, hi, np.minimum(hi, kernel.upper))
    return Classes(_coded_once(composite, column, classes, np.greater(lo, hi)), lo, hi, merged)


def _coded_once(composite: Composite, column: Column, classes: Column, never: BoolArray) -> Column:
    """Let a category that numbers had before the noise be one still, where no noise leads to it; else raise.

    Args:
        composite: what happens to the variable.
        column: its released values.
        classes: their classes.
        never: which of them the bounds of the noise keep numbers from.
    """
    for before in entrance(composite.before).coded:
        after = composite.push_after(before)
        here = same_values(after.take(np.zeros(column.size, dtype=np.int64)), column)
        numbers = here & ~never & np.isin(classes.codes, [classes.labels.index(x) for x in _NOISY if x in classes.labels])
        if bool(numbers.any()):
            raise LikelihoodError(
                f"variable {composite.variable!r}: numbers are coded as one category before noise is added and after it, "
                "and which of the two a record is cannot be told; give one another label, or bound the noise at the cut"
            )
        label = before.labels[int(before.codes[0])]
        classes = classes.with_codes(here, label)
    return classes


_NOISY = (PERTURBED, PERTURBED_BELOW)


def _on_grid(
    composite: Composite, kernel: Kernel, column: Column, lo: FloatArray, hi: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give the intervals of unrounded, unclamped numbers behind the numbers of a grid that lie in some intervals."""
    first, last = kernel.first_at(lo), kernel.last_at(hi)
    first += ~same_values(composite.push_after(Column.of_numbers(gridded_at(kernel, first))), column) & np.isfinite(first)
    last -= ~same_values(composite.push_after(Column.of_numbers(gridded_at(kernel, last))), column) & np.isfinite(last)
    return between(kernel, first, last)


def _released_as(composite: Composite, number: float, column: Column) -> BoolArray:
    """Say which released values a number leads to."""
    one = composite.push_after(Column.of_numbers(np.array([number])))
    return same_values(one.take(np.zeros(column.size, dtype=np.int64)), column)


def same_values(left: Column, right: Column) -> BoolArray:
    """Say, record by record, whether two columns hold the same value."""
    labels = tuple(dict.fromkeys((*left.labels, *right.labels)))
    a, b = left.relabelled(labels), right.relabelled(labels)
    same: BoolArray = np.equal(a.codes, b.codes) & ((a.codes != NUMBER) | np.equal(a.numbers, b.numbers))
    return same


def class_bounds(composite: Composite, kernel: Kernel, *, below: bool = False) -> tuple[float, float]:
    """Give the interval of true numbers that are perturbed as they are."""
    # a number beyond the bounds of a clamp is released as the bound
    low, high = (-np.inf, np.inf) if kernel.clamp else (kernel.lower, kernel.upper)
    passed = entrance(composite.before)
    low, high = passed.ends(low, high)
    low, high = max(low, passed.low), min(high, passed.high)
    if kernel.log_scale:
        return (low, min(high, 0.0)) if below else (max(low, 0.0), high)
    return low, high
