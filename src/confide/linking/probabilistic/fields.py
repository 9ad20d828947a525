"""All comparisons, laid out for the loops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.codebook import Kind
from confide.data.microdata import Microdata
from confide.errors import IntruderError, repeated, unknown
from confide.linking.probabilistic.comparison import TABLE, Compared, Comparison, NearValues
from confide.linking.probabilistic.exact import ExactAgreement
from confide.linking.probabilistic.kernels import Fields
from confide.linking.probabilistic.number import NumberAgreement
from confide.linking.probabilistic.text import TextAgreement
from confide.typing import AnyArray, FloatArray


def comparisons_for(source: Microdata, compare: Sequence[str | Comparison]) -> tuple[Comparison, ...]:
    """Give a comparison for every name; names stand for the comparison of the variable's kind.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["m", "f"], "age": [30.5, 40.0]})
    >>> [type(c).__name__ for c in comparisons_for(data, ["sex", "age"])]
    ['ExactAgreement', 'NumberAgreement']
    """
    given = [compare] if isinstance(compare, str) else list(compare)
    found = tuple(_default(c, source) if isinstance(c, str) else c for c in given)
    if not found:
        raise IntruderError("name at least three variables to compare")
    twice = repeated(c.variable for c in found)
    if twice:
        raise IntruderError(f"{', '.join(twice)}: compare a variable once")
    return found


def _default(name: str, source: Microdata) -> Comparison:
    """Give the comparison of a variable's kind."""
    if name not in source.variables:
        raise IntruderError(unknown("variable", name, source.names))
    kind = source.variables[name].kind
    if kind.is_numeric:
        return NumberAgreement(name)
    return TextAgreement(name) if kind is Kind.TEXT else ExactAgreement(name)


def laid_out(parts: Sequence[Compared], near: Sequence[NearValues | None]) -> Fields:
    """Put the comparisons side by side.

    Args:
        parts: the comparisons.
        near: the pairs of texts above level 0, for those comparisons that look them up.
    """
    sizes = [p.levels + 1 for p in parts]
    if float(np.prod([float(s) for s in sizes])) > 2**62:
        raise IntruderError(f"{len(parts)} comparisons with {sizes} levels have too many patterns; compare fewer variables")
    stride = np.concatenate([[1], np.cumprod(sizes)[:-1]]).astype(np.int64)
    numbers = [p for p in parts if p.source_numbers is not None]
    place = {p.name: i for i, p in enumerate(numbers)}
    start, width, mask, table_at, key_at = [], [], [], 0, 0
    for part, held in zip(parts, near, strict=True):
        start.append(table_at if part.kind == TABLE else key_at)
        width.append(part.table.shape[1] if part.table is not None else len(part.texts))
        mask.append(held.key.size - 1 if held is not None else 0)
        table_at += part.table.size if part.table is not None else 0
        key_at += held.key.size if held is not None else 0
    cuts = np.full((len(parts), max(sizes)), np.inf)
    for j, part in enumerate(parts):
        cuts[j, : part.cuts.size] = part.cuts * (1 + 1e-9)  # decimal numbers do not differ by exactly what is written
    rare, at = [], 0
    for part in parts:
        rare.append(at if part.rarity is not None else -1)
        at += part.rarity.size if part.rarity is not None else 0
    held_near = [h for h in near if h is not None]
    return Fields(
        np.array([p.kind for p in parts]), np.array([p.levels for p in parts]), stride,
        np.array([p.source for p in parts], dtype=np.int32), np.array([p.released for p in parts], dtype=np.int32),
        _rows([p.source_numbers for p in numbers]), _rows([p.released_numbers for p in numbers]),
        np.array([place.get(p.name, 0) for p in parts]), cuts,
        _joined([p.table.ravel() for p in parts if p.table is not None], np.int8),
        np.array(start, dtype=np.int64), np.array(width, dtype=np.int64), np.array(mask, dtype=np.int64),
        _joined([h.key for h in held_near], np.int64), _joined([h.level for h in held_near], np.int8),
        _joined([p.rarity for p in parts if p.rarity is not None], np.float64), np.array(rare),
    )  # fmt: skip


def _rows(numbers: Sequence[FloatArray | None]) -> FloatArray:
    """Put numbers below each other."""
    return np.array(numbers, dtype=np.float64) if numbers else np.zeros((0, 0))


def _joined(arrays: Sequence[AnyArray], kind: type) -> AnyArray:
    """Put arrays behind each other."""
    return np.concatenate(arrays).astype(kind) if arrays else np.zeros(0, dtype=kind)
