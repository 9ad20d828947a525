"""Classes of a noisy number: kept zeros, perturbed numbers, numbers in the place of others, categories (convention 8)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from confide.data.column import Column
from confide.linking.compose import PERTURBED, PERTURBED_BELOW, ZERO, class_column
from confide.linking.entrance import Replaced, entrance
from confide.linking.pieces import CatPiece
from confide.linking.view import View
from confide.release.channel import Kernel
from confide.release.methods.swap import MISSING_LEVEL
from confide.typing import BoolArray, Label

NUMBERS = (PERTURBED, PERTURBED_BELOW)
"""Classes of which the released number says more."""


def class_name(name: str) -> str:
    """Name the class of a noisy variable among the variables."""
    return f"{name} (class)"


def is_class(classes: Column, label: str) -> BoolArray:
    """Say which records have a class."""
    return classes.codes == classes.labels.index(label) if label in classes.labels else np.zeros(classes.size, np.bool_)


def moved(classes: Column) -> BoolArray:
    """Say which values are perturbed."""
    return is_class(classes, PERTURBED) | is_class(classes, PERTURBED_BELOW)


def seen_as(kernel: Kernel, number: float) -> str:
    """Give the class in which a number is released."""
    one = class_column(kernel, Column.of_numbers([number]))
    return str(one.labels[one.codes[0]])


def lasting(view: View, kernel: Kernel) -> list[Replaced]:
    """Give the numbers that were put in the place of others and are perturbed; a zero that is kept is a zero."""
    return [r for r in entrance(view.composite.before).replaced if seen_as(kernel, r.number) != ZERO]


def source_classes(view: View, kernel: Kernel, true: Column) -> Column:
    """Give the class of true values, as beliefs tell them apart: where a number stands in the place of others, it is one."""
    classes = class_column(kernel, view.composite.push(true))
    for r in lasting(view, kernel):
        with np.errstate(invalid="ignore"):
            classes = classes.with_codes(true.is_number & (true.numbers >= r.low) & (true.numbers <= r.high), r.label)
    return classes


def class_part(
    name: str, released: Column, hidden: BoolArray, source: Column, alike: Mapping[str, str], *, open_blanks: bool = False
) -> CatPiece:
    """Make a category of the classes of an amount.

    Args:
        name: the variable.
        released: the class of each released record.
        hidden: which records may be kept zeros or perturbed.
        source: the class of each source record.
        alike: classes that are released as another one.
        open_blanks: whether a blank says nothing of the class.
    """
    labels: tuple[Label, ...] = tuple(dict.fromkeys((*source.labels, *released.labels, *alike.values())))
    missing = bool(source.is_missing.any())
    levels: tuple[Label, ...] = (*labels, *((MISSING_LEVEL,) if missing else ()))
    place = {label: i for i, label in enumerate(labels)}
    codes = np.where(released.relabelled(labels).codes < 0, len(labels), released.relabelled(labels).codes)
    table = np.zeros((len(levels), len(labels) + 2))
    for label in labels:
        shown = alike.get(str(label), label)
        table[place[label], place[shown]] = 1.0
        if shown in (ZERO, PERTURBED):
            table[place[label], len(labels) + 1] = 1.0
    table[-1 if missing and not open_blanks else slice(None), len(labels)] = 1.0
    with np.errstate(divide="ignore"):
        channel = np.log(table)
    codes = np.where(hidden, len(labels) + 1, codes).astype(np.int64)
    true = source.relabelled(labels).codes
    return CatPiece(
        class_name(name), codes, np.zeros(1, dtype=np.int64), channel[:1], channel, levels,
        np.where(true < 0, len(labels), true).astype(np.int64), None, True,
    )  # fmt: skip
