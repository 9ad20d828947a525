"""Turn what the intruder knows about each variable into evidence."""

from __future__ import annotations

from confide.errors import LikelihoodError
from confide.intruder.knowledge import Knowledge
from confide.linking.category import category
from confide.linking.deterministic import deterministic
from confide.linking.noisy_number import noisy_number
from confide.linking.pieces import (
    Piece,
)
from confide.linking.view import View
from confide.release.channel import Discrete, Kernel


def collect(view: View, item: Knowledge) -> list[Piece]:
    """Give the evidence that knowledge of one variable yields."""
    core = view.composite.core
    if core is None:
        return deterministic(view, item)
    if isinstance(core, Discrete):
        return [category(view, core, item)]
    if isinstance(core, Kernel):
        return noisy_number(view, core, item)
    raise LikelihoodError(f"variable {view.name!r}: correlated noise needs exact knowledge of the variable")
