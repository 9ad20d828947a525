"""Defects put into the library on purpose: the proof must find each of them, or it proves nothing.

Most were in the library once. What each does to a combination is measured as all combinations are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from confide.intruder.blanks import NotTold
from confide.linking import category, look, noisy_number
from confide.linking.likelihoods import Believed


@dataclass(frozen=True)
class Mutant:
    """A defect, and a combination in which it shows."""

    what: str
    """What is wrong."""
    put: Callable[[pytest.MonkeyPatch], None]
    """Puts it in."""
    shows: str
    """The combination."""
    times: int = 40
    """How often people are drawn and masked until it shows."""


def no_jacobian(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Believed.log_likelihood

    def wrong(self: Believed, records: Any, rows: Any, *args: Any) -> Any:
        logs = [p for p in self.nums if p.kernel is not None and p.kernel.log_scale]
        return right(self, records, rows, *args) - sum(p.jacobian[p.record[records]] for p in logs)

    monkeypatch.setattr(Believed, "log_likelihood", wrong)


def even_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    right = look.possible_levels

    def wrong(free: Any, *args: Any) -> Any:
        return right([f if f.allowed is None else replace(f, prior=f.allowed / f.allowed.sum()) for f in free], *args)

    monkeypatch.setattr(look, "possible_levels", wrong)


def even_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    right = look.possibilities
    monkeypatch.setattr(look, "possibilities", lambda belief: [(1.0, x) for _, x in right(belief)])


def released_stratum(monkeypatch: pytest.MonkeyPatch) -> None:
    right = category.swap_table

    def wrong(view: Any, core: Any, strata: Any, blanks: Any) -> Any:
        stratum = view.composite.stratum
        if stratum is not None:
            view = replace(view, composite=replace(view.composite, stratum=replace(stratum, later=())))
        return right(view, core, strata, blanks)

    monkeypatch.setattr(category, "swap_table", wrong)


def one_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    right = category.swap_table

    def wrong(view: Any, core: Any, strata: Any, blanks: Any) -> Any:
        return right(view, replace(core, matrix=np.tile(core.matrix[:1], (core.matrix.shape[0], 1, 1))), strata, blanks)

    monkeypatch.setattr(category, "swap_table", wrong)


def no_merged_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    right = noisy_number.released_classes

    def wrong(composite: Any, column: Any) -> Any:
        found = right(composite, column)
        return replace(found, merged=np.zeros_like(found.merged))

    monkeypatch.setattr(noisy_number, "released_classes", wrong)


def no_beliefs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look.Look, "others", lambda self, known: look.Found())


def blanks_contradict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "with_blanks", lambda pieces, blanks, **_: pieces)


def no_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look.Look, "blanks", property(lambda self: NotTold()))


BELIEFS = "beliefs about what is unavailable are dropped"
STRATUM = "a swap within a stratum takes the matrix of the released stratum"
MUTANTS = (
    Mutant(
        "the Jacobian of multiplicative noise is dropped", no_jacobian,
        "MultiplicativeNoise / Exactly / in the file / with / true",
    ),
    Mutant("the Jacobian is dropped, unsure", no_jacobian, "MultiplicativeNoise / Exactly / maybe / with / true"),
    Mutant("levels of OneOf are weighed evenly", even_levels, "Swap / OneOf / in the file / with / true", times=100),
    Mutant("parts of a mixture are weighed evenly", even_parts, "Recode / unavailable, Mixture / in the file / with / true"),
    Mutant(
        "levels of a belief are weighed evenly", even_parts,
        "Swap / unavailable, Mixture / in the file / with / true", times=80,
    ),
    Mutant(STRATUM, released_stratum, "Swap within a stratum swapped later / Exactly / in the file / with / true"),
    Mutant("all strata have one matrix", one_matrix, "Swap within area / Exactly / in the file / with / true", times=80),
    Mutant(
        "an amount clamped to zero has probability zero", no_merged_zeros,
        "Noise, clamped with zeros kept / Exactly / in the file / with / true",
    ),
    Mutant(BELIEFS, no_beliefs, "Recode / unavailable, Lognormal / in the file / with / true"),
    Mutant(BELIEFS, no_beliefs, "Noise / unavailable, Normal / maybe / with / true"),
    Mutant(BELIEFS, no_beliefs, "Topcode / unavailable, Uniform / in the file / with / true"),
    Mutant(BELIEFS, no_beliefs, "Swap / unavailable, Mixture / maybe / with / true"),
    Mutant(BELIEFS, no_beliefs, "Noise / unavailable, AboutTargets / in the file / with / true"),
    Mutant(BELIEFS, no_beliefs, "MultiplicativeNoise / unavailable, AboutTargets / in the file / without / true"),
    Mutant(BELIEFS, no_beliefs, "Round / unavailable, GivenRecords / in the file / with / true"),
    Mutant(BELIEFS, no_beliefs, "Swap of area, then Noise / unavailable, Regression / in the file / with / fitted"),
    Mutant(BELIEFS, no_beliefs, "Recode / unavailable, Mapping / in the file / with / true"),
    Mutant(BELIEFS, no_beliefs, "Swap / unavailable, OneOf / in the file / with / true"),
    Mutant(
        "blanks are taken as contradictions", blanks_contradict,
        "nothing / Exactly, blanks at random, not told / in the file / with / true",
    ),
    Mutant(
        "blanks are taken as contradictions, unsure", blanks_contradict,
        "nothing / Exactly, blanks at random, not told / maybe / with / true",
    ),
    Mutant(
        "the rule behind blanks is ignored", no_rule, "Swap / Exactly, blanks by value, told / in the file / with / true",
    ),
)  # fmt: skip
