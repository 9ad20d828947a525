"""What a model of population uniques gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from confide.errors import ModelError
from confide.risk.population.sizes import Sizes


@dataclass(frozen=True, slots=True)
class PopulationFit:
    """What a fitted model says of the population."""

    model: Model
    """The model that was fitted."""
    uniques: float
    """The expected number of population uniques."""
    probability: float
    """Pr(F = 1 | f = 1): that a sample unique is a population unique."""
    inverse: float
    """E(1/F | f = 1), of a sample unique."""
    parameters: dict[str, float]
    """The estimates, by name."""
    standard_error: float | None
    """Of `uniques`, from the uncertainty of the parameters (delta method); None where the model gives none."""
    sample_uniques: float
    """The number of sample uniques that the model expects; far from the number found, the model does not fit."""
    sample_pairs: float
    """The number of cells of two that the model expects."""
    steps: int
    """How many steps the fit took; 0 where there is a closed form."""


class Model(Protocol):
    """A model of the sizes of the cells of a population."""

    def fit(self, sizes: Sizes) -> PopulationFit:
        """Fit the model to a sample, or raise."""
        ...

    def describe(self) -> str:
        """Say it in words."""
        ...


def unfit(name: str, why: str, instead: str) -> ModelError:
    """Say that a model cannot be fitted, why, and what to try."""
    return ModelError(f"{name} cannot be fitted: {why}. {instead}")
