"""Damage bytes and texts, a little or a lot."""

from __future__ import annotations

import random

TEXTS = (
    "", " ", ",", ";", "\t", '"', '""', "'", "\n", "\r\n", "\0", "\ufeff", "\u202e", "é", "é" * 3, "日本", "😀", "\x7f",
    "\\",
    "-", "0", "-0", "1", "-1", "1e308", "-1e308", "1e309", "5e-324", "9007199254740993", "18446744073709551616", "00012",
    "1,5", "1.5.2", "0x10", "1_000", "TRUE", "NA", "None", "null", "Total", "x" * 300, "@", "@@", "=1+1", "{}", "[]", "<b>",
)  # fmt: skip
"""Texts that readers trip over."""
UNDEFINED = ("nan", "NaN", "inf", "-inf", "Infinity", "-nan")
"""Texts that look like a figure that is not defined."""
LONG = 200_000


def damaged(rng: random.Random, data: bytes, most: int = 6) -> bytes:
    """Change some bytes: flip, cut, double, swap, insert, or put numbers of a few bytes in their place."""
    found = bytearray(data)
    for _ in range(rng.choice([1, 1, rng.randint(1, most)])):
        _CHANGES[rng.randrange(len(_CHANGES))](rng, found)
    return bytes(found)


def _flip(rng: random.Random, data: bytearray) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _put(rng: random.Random, data: bytearray) -> None:
    if data:
        data[rng.randrange(len(data))] = rng.choice([0, 1, 9, 10, 13, 34, 44, 59, 127, 128, 255])


def _number(rng: random.Random, data: bytearray) -> None:
    """Put an extreme whole number of 2, 4 or 8 bytes somewhere, most often near an end, where heads and feet are."""
    size = rng.choice([2, 4, 8])
    if len(data) >= size:
        at = _place(rng, len(data) - size + 1)
        value = rng.choice([0, 1, -1, 2 ** (8 * size - 1) - 1, -(2 ** (8 * size - 1)), rng.randrange(1000), 2**12])
        data[at : at + size] = value.to_bytes(size, rng.choice(["little", "big"]), signed=True)


def _place(rng: random.Random, most: int) -> int:
    """Choose a place, half of the time within 200 bytes of an end."""
    near = min(most, 200)
    return rng.choice([rng.randrange(most), rng.randrange(most), rng.randrange(near), most - 1 - rng.randrange(near)])


def _cut(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data) + 1) :]


def _drop(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data) + 1)
    del data[at : at + rng.randint(1, 40)]


def _double(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data) + 1)
    data[at:at] = data[at : at + rng.randint(1, 200)] * rng.randint(1, 5)


def _noise(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data) + 1)
    data[at : at + rng.randint(0, 30)] = rng.randbytes(rng.randint(1, 30))


def _text(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data) + 1)
    data[at:at] = rng.choice(TEXTS).encode()


_CHANGES = (_flip, _flip, _put, _number, _number, _cut, _drop, _double, _noise, _text)


def damaged_text(rng: random.Random, text: str, *, undefined: bool = False) -> str:
    """Change lines and cells of a text: double, drop, move, replace, join, break quotation marks."""
    lines = text.split("\n")
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        at = rng.randrange(len(lines))
        sign = max(",;\t|", key=lines[at].count)
        cells = lines[at].split(sign)
        cell = rng.randrange(len(cells))
        what = rng.randrange(10)
        if what == 0:
            lines.insert(at, lines[rng.randrange(len(lines))])
        elif what == 1 and len(lines) > 1:
            del lines[at]
        elif what == 2:
            cells.insert(cell, rng.choice(TEXTS))
        elif what == 3 and len(cells) > 1:
            del cells[cell]
        elif what == 4:
            cells[cell] = '"' + cells[cell]
        elif what == 5:
            cells[cell] = rng.choice('xé" ,') * rng.choice([10, 1000, LONG])
        elif what == 6:
            cells = [rng.choice(TEXTS) for _ in cells]
        else:
            cells[cell] = rng.choice(TEXTS + (UNDEFINED if undefined else ()))
        if what not in (0, 1):
            lines[at] = rng.choice([sign] * 8 + list(",;\t")).join(cells)
    return rng.choice(["\n"] * 8 + ["\r\n", "\r"]).join(lines)
