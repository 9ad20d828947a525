"""Dankar's rule: which model to take at which sampling fraction."""

from __future__ import annotations

from dataclasses import dataclass

from confide.risk.population.fit import PopulationFit
from confide.risk.population.pitman import Pitman
from confide.risk.population.sizes import Sizes
from confide.risk.population.slide import SlideNegativeBinomial
from confide.risk.population.zayatz import Zayatz

SMALL = 0.1
"""Up to this sampling fraction the rule takes Pitman's model."""


@dataclass(frozen=True, slots=True)
class DankarRule:
    """The decision rule of Dankar, El Emam, Neisa and Roffey (2012), found by simulation with clinical files.

    Up to a sampling fraction of 0.1 Pitman's model; above it the smaller of the estimates of Zayatz and of the slide
    negative binomial model. Where a model that the rule asks for cannot be fitted, the rule cannot be followed and the
    model's error says why; nothing takes its place.
    """

    def fit(self, sizes: Sizes) -> PopulationFit:
        """Fit the model of the rule; the result names it."""
        if sizes.fraction <= SMALL:
            return Pitman().fit(sizes)
        return min(SlideNegativeBinomial().fit(sizes), Zayatz().fit(sizes), key=lambda fitted: fitted.uniques)

    def describe(self) -> str:
        """Say it in words."""
        return "Dankar's rule"
