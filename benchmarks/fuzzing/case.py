"""One input: files in a folder, and the commands that read them."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """What is run in a folder.

    >>> Case((("init", "a.csv"),)).commands[0][0]
    'init'
    """

    commands: tuple[tuple[str, ...], ...]
    """The arguments of `confide`, one command after the other, until one is refused."""
    figures: bool = True
    """Whether `nan` or `inf` in an output must be a figure; not where texts of the input say so."""


def randomness(seed: int, kind: str, number: int) -> random.Random:
    """Give the random numbers of one input, the same on every machine.

    >>> randomness(1, "plans", 7).random() == randomness(1, "plans", 7).random()
    True
    """
    return random.Random(f"{seed}/{kind}/{number}")


