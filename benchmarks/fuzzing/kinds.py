"""The kinds of inputs, and how often each is drawn."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from fuzzing.case import Case
from fuzzing.cells import draw_cells, draw_hierarchy, draw_pattern
from fuzzing.files import draw_binary, draw_text
from fuzzing.kept import draw_secret, draw_store, draw_toml
from fuzzing.plans import draw_plan
from fuzzing.signing import draw_signing

KINDS: dict[str, Callable[[random.Random, Path], Case]] = {
    "plans": draw_plan,
    "texts": draw_text,
    "files": draw_binary,
    "hierarchies": draw_hierarchy,
    "patterns": draw_pattern,
    "cells": draw_cells,
    "stores": draw_store,
    "secrets": draw_secret,
    "signing": draw_signing,
    "toml": draw_toml,
}
"""What draws an input of each kind into a folder."""
SHARES: dict[str, float] = {
    "plans": 0.20, "texts": 0.20, "files": 0.23, "hierarchies": 0.08, "patterns": 0.08, "cells": 0.08, "stores": 0.02,
    "secrets": 0.03, "signing": 0.04, "toml": 0.04,
}  # fmt: skip
"""The share of each kind among all inputs."""


def numbers(inputs: int, kinds: list[str]) -> list[tuple[str, int]]:
    """Share out a number of inputs among kinds, mixed in a fixed order.

    >>> numbers(4, ["plans", "texts"])
    [('texts', 0), ('plans', 0), ('texts', 1), ('plans', 1)]
    """
    whole = sum(SHARES[k] for k in kinds)
    many = {k: int(inputs * SHARES[k] / whole) for k in kinds}
    for k in sorted(kinds, key=lambda k: -SHARES[k])[: inputs - sum(many.values())]:
        many[k] += 1
    places = [((i + 0.5) / n, k, i) for k, n in many.items() for i in range(n)]
    return [(k, i) for _, k, i in sorted(places, key=lambda p: (p[0], -SHARES[p[1]], p[1]))]
