"""Walk over the messages of an Arrow file or stream: how many records there are, and how large they are once unpacked.

Messages are flatbuffers. A body that is packed begins each of its buffers with the size it unpacks to.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from confide.data.readers.size.needed import CELL, DATE, RECORD, Needed

SCHEMA, DICTIONARY, RECORDS = 1, 2, 3
"""The kinds of messages."""
DATES = {8, 9, 10}
"""The types of dates, times and moments."""
MOST_HEAD = 1 << 26
"""Bytes of a head; longer ones are damage."""
OVERHEAD = 12
"""Bytes of a value that are no text."""


def arrow_needs(path: Path) -> Needed | None:
    """Say what reading an Arrow file or stream would take; None when its messages cannot be read."""
    try:
        with path.open("rb") as file:
            if file.read(6) == b"ARROW1":
                schema, batches = _of_file(file)
            else:
                schema, batches = _of_stream(file)
        kinds = [] if schema is None else [field.number(2, "B") for field in schema.tables(1)]
    except (OSError, struct.error, ValueError, OverflowError):
        return None
    records = sum(n for n, _ in batches)
    if not kinds or records < 0:
        return None
    variables, dates = len(kinds), sum(k in DATES for k in kinds)
    texts = max(0, sum(size for _, size in batches) - OVERHEAD * records * variables)
    return Needed(records * (CELL * variables + DATE * dates + RECORD) + 6 * texts, records, variables)


def _of_file(file: BinaryIO) -> tuple[_Table | None, list[tuple[int, int]]]:
    """Give the schema, and records and bytes of each batch, by the list at the end of a file."""
    end = file.seek(-10, 2)
    length = int.from_bytes(file.read(4), "little")
    if length > MOST_HEAD:
        raise ValueError(length)
    file.seek(end - length)
    footer = _root(file.read(length))
    found = []
    for offset in (*footer.blocks(2), *footer.blocks(3)):
        file.seek(offset)
        message = _message(file)
        if message is not None:
            found.append(_batch(file, message))
    return footer.table(1), found


def _of_stream(file: BinaryIO) -> tuple[_Table | None, list[tuple[int, int]]]:
    """Give the schema, and records and bytes of each batch, from message to message."""
    file.seek(0)
    schema: _Table | None = None
    found: list[tuple[int, int]] = []
    while message := _message(file):
        body = file.tell()
        if message.number(1, "B") == SCHEMA:
            schema = message.table(2)
        else:
            found.append(_batch(file, message))
        file.seek(body + max(0, message.number(3, "q")))
    return schema, found


def _batch(file: BinaryIO, message: _Table) -> tuple[int, int]:
    """Give the records of a batch and the bytes of its buffers once unpacked; dictionaries hold no records."""
    body, kind = file.tell(), message.number(1, "B")
    if kind not in {DICTIONARY, RECORDS}:
        return 0, 0
    batch = message.table(2) if kind == RECORDS else message.table(2).table(1)
    return (batch.number(0, "q") if kind == RECORDS else 0), _unpacked(file, batch, body)


class _Table:
    """A table of a flatbuffer: fields by their position."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at
        self.fields = at - self._read(at, "i")

    def number(self, field: int, kind: str) -> int:
        """Read a number; fields that are left out are zero."""
        at = self._place(field)
        return self._read(at, kind) if at else 0

    def table(self, field: int) -> _Table:
        """Go to a table."""
        at = self._place(field)
        if not at:
            raise ValueError(field)
        return _Table(self.data, at + self._read(at, "I"))

    def tables(self, field: int) -> list[_Table]:
        """Go to each table of a list."""
        at = self._place(field)
        start = at + self._read(at, "I") + 4 if at else 0
        count = min(self.count(field), len(self.data) // 4)
        return [_Table(self.data, start + 4 * i + self._read(start + 4 * i, "I")) for i in range(count)]

    def has(self, field: int) -> bool:
        """Say whether a field is there."""
        return self._place(field) > 0

    def count(self, field: int) -> int:
        """Count the items of a list."""
        at = self._place(field)
        return self._read(at + self._read(at, "I"), "I") if at else 0

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """Read a list of pairs of long numbers."""
        at = self._place(field)
        if not at:
            return []
        start = at + self._read(at, "I") + 4
        count = min(self.count(field), (len(self.data) - start) // 16)
        return [(self._read(start + 16 * i, "q"), self._read(start + 16 * i + 8, "q")) for i in range(count)]

    def blocks(self, field: int) -> list[int]:
        """Read where messages start: lists of place and two lengths."""
        at = self._place(field)
        start = at + self._read(at, "I") + 4 if at else 0
        count = min(self.count(field), (len(self.data) - start) // 24)
        return [self._read(start + 24 * i, "q") for i in range(count)]

    def _place(self, field: int) -> int:
        if 4 + 2 * field >= self._read(self.fields, "H"):
            return 0
        offset = self._read(self.fields + 4 + 2 * field, "H")
        return self.at + offset if offset else 0

    def _read(self, at: int, kind: str) -> int:
        if at < 0:
            raise ValueError(at)
        return int(struct.unpack_from("<" + kind, self.data, at)[0])


def _message(file: BinaryIO) -> _Table | None:
    """Read the head of the next message; None at the end."""
    head = file.read(4)
    if head == b"\xff\xff\xff\xff":
        head = file.read(4)
    length = int.from_bytes(head, "little") if len(head) == 4 else 0
    if not length:
        return None
    if length > MOST_HEAD:
        raise ValueError(length)
    return _root(file.read(length))


def _root(data: bytes) -> _Table:
    """Go to the outermost table."""
    return _Table(data, struct.unpack_from("<I", data)[0])


def _unpacked(file: BinaryIO, batch: _Table, body: int) -> int:
    """Add up the buffers of a body as they are once unpacked."""
    buffers = batch.pairs(2)
    if not batch.has(3):
        return sum(length for _, length in buffers)
    total = 0
    for offset, length in buffers:
        if length >= 8:
            file.seek(body + offset)
            size = int.from_bytes(file.read(8), "little", signed=True)
            total += length - 8 if size == -1 else max(0, size)
    return total
