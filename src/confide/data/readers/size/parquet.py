"""Read the footer of a Parquet file: how many records there are, and how large texts are once unpacked.

The footer is written in Thrift's compact protocol. Only the fields that are needed are kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from confide.data.readers.size.needed import CELL, DATE, RECORD, Needed

_BYTES = 6
"""The physical type of texts."""
_INT96, _OLD_DATES, _DATES = 3, range(6, 11), {6, 7, 8}
"""How the schema says that values are dates, times or moments."""
MOST_GROUPS = 1_000
"""So many groups of records are looked at; the others are taken to be like them."""


def parquet_needs(path: Path) -> Needed | None:
    """Say what reading a Parquet file would take; None when its footer cannot be read."""
    try:
        with path.open("rb") as file:
            end = file.seek(-8, 2)
            length = int.from_bytes(file.read(4), "little")
            if file.read(4) != b"PAR1" or length > end:
                return None
            file.seek(end - length)
            footer = _Compact(file.read(length)).struct()
        return _needed(footer)
    except (OSError, IndexError, KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return None


def _needed(footer: dict[int, Any]) -> Needed:
    """Read fields by their numbers in parquet.thrift."""
    records, groups = max(0, int(footer[3])), footer.get(4) or []
    variables = sum(1 for element in footer[2] if not element.get(5))
    dates = sum(1 for element in footer[2] if _is_date(element))
    looked = groups[:MOST_GROUPS]
    chunks = [chunk[3] for group in looked for chunk in group[1]]
    texts = sum(max(0, int(c[6])) for c in chunks if c[1] == _BYTES)
    seen = sum(int(group[3]) for group in looked)
    texts = int(texts * records / seen) if 0 < seen < records else texts
    return Needed(records * (CELL * variables + DATE * dates + RECORD) + 6 * texts, records, variables)


def _is_date(element: dict[int, Any]) -> bool:
    """Say whether an element of the schema holds dates, times or moments, in the old way of saying so or in the new one."""
    return element.get(1) == _INT96 or element.get(6) in _OLD_DATES or bool(_DATES & set(element.get(10) or ()))


class _Compact:
    """A reader of Thrift's compact protocol."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def struct(self) -> dict[int, Any]:
        """Read the fields of a struct by their numbers."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._zigzag()
            fields[number] = self._value(head & 15, alone=True)
        return fields

    def _value(self, kind: int, *, alone: bool) -> Any:
        """Read one value; a truth value that stands alone is in its head."""
        if kind in {1, 2}:
            return kind == 1 if alone else self._byte() == 1
        if kind == 3:
            return self._byte()
        if kind in {4, 5, 6}:
            return self._zigzag()
        if kind in {7, 8}:
            length = 8 if kind == 7 else self._varint()
            self.at += length
            return self.data[self.at - length : self.at]
        if kind in {9, 10}:
            return self._list()
        if kind == 12:
            return self.struct()
        raise ValueError(kind)

    def _list(self) -> list[Any]:
        """Read a list, which cannot have more items than there are bytes."""
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self._varint()
        if count > len(self.data):
            raise ValueError(count)
        return [self._value(head & 15, alone=False) for _ in range(count)]

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise ValueError(shift)

    def _zigzag(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
