"""The public names of `confide.intruder`: what intruders know, believe and risk."""

from __future__ import annotations

from confide.intruder.appearance.appearance import Appearance, Located
from confide.intruder.appearance.dense import log_densities
from confide.intruder.appearance.elicit import elicit, elicit_quantiles
from confide.intruder.appearance.elicited import Elicited, Judgement
from confide.intruder.appearance.function import FunctionAppearance
from confide.intruder.appearance.grouped import GroupedAppearance
from confide.intruder.appearance.independent import IndependentAppearance
from confide.intruder.appearance.laplace import LaplaceAppearance
from confide.intruder.appearance.lognormal import LognormalAppearance
from confide.intruder.appearance.misreported import MisreportedAppearance
from confide.intruder.appearance.normal import NormalAppearance
from confide.intruder.appearance.quantiles import fit_lognormal, fit_normal
from confide.intruder.appearance.sources import records_of
from confide.intruder.appearance.uniform import UniformAppearance
from confide.intruder.beliefs.about import AboutTargets, GivenRecords
from confide.intruder.beliefs.fitted import FittedBeliefs
from confide.intruder.beliefs.supplied import Atom, SuppliedBeliefs
from confide.intruder.beliefs.swapped import dot_product_marginal, joint_swap_marginal, swap_marginal
from confide.intruder.blanks import BlankedByReleased, BlankedByValue, BlankRules, NotTold
from confide.intruder.calibration import best_by_chance, one_against_alike
from confide.intruder.counting import (
    insider,
    insider_with_simulated,
    insider_with_unknown_simulated,
    malicious_from,
    malicious_outsider,
    naive_outsider,
)
from confide.intruder.decision import Decision, Decisions, Losses
from confide.intruder.deterrence import Caught, DeterrenceCurve, deterrence_curve, deterring_penalty, deterring_ratio
from confide.intruder.distribution import Lognormal, Mixture, Normal, Uniform
from confide.intruder.intruder import Intruder, Regression
from confide.intruder.knowledge import Between, Bracket, Distributed, Exactly, OneOf, Roughly, Within
from confide.intruder.loss_matrix import LossMatrix
from confide.intruder.matching import WithoutReplacement, WithReplacement
from confide.intruder.population import AtLeast, Constant, FromWeights, KnownChance, PopulationTable
from confide.intruder.population_model import ModelledPeople, PopulationFrequency, PopulationModel, ReleasedCells
from confide.intruder.targets import Targets
from confide.intruder.uncertainty import Concave, Entropy, MinimalLoss, Variance

__all__ = [
    "AboutTargets",
    "Appearance",
    "AtLeast",
    "Atom",
    "Between",
    "BlankRules",
    "BlankedByReleased",
    "BlankedByValue",
    "Bracket",
    "Caught",
    "Concave",
    "Constant",
    "Decision",
    "Decisions",
    "DeterrenceCurve",
    "Distributed",
    "Elicited",
    "Entropy",
    "Exactly",
    "FittedBeliefs",
    "FromWeights",
    "FunctionAppearance",
    "GivenRecords",
    "GroupedAppearance",
    "IndependentAppearance",
    "Intruder",
    "Judgement",
    "KnownChance",
    "LaplaceAppearance",
    "Located",
    "Lognormal",
    "LognormalAppearance",
    "LossMatrix",
    "Losses",
    "MinimalLoss",
    "MisreportedAppearance",
    "Mixture",
    "ModelledPeople",
    "Normal",
    "NormalAppearance",
    "NotTold",
    "OneOf",
    "PopulationFrequency",
    "PopulationModel",
    "PopulationTable",
    "Regression",
    "ReleasedCells",
    "Roughly",
    "SuppliedBeliefs",
    "Targets",
    "Uniform",
    "UniformAppearance",
    "Variance",
    "WithReplacement",
    "Within",
    "WithoutReplacement",
    "best_by_chance",
    "deterrence_curve",
    "deterring_penalty",
    "deterring_ratio",
    "dot_product_marginal",
    "elicit",
    "elicit_quantiles",
    "fit_lognormal",
    "fit_normal",
    "insider",
    "insider_with_simulated",
    "insider_with_unknown_simulated",
    "joint_swap_marginal",
    "log_densities",
    "malicious_from",
    "malicious_outsider",
    "naive_outsider",
    "one_against_alike",
    "records_of",
    "swap_marginal",
]
