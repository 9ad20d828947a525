"""The public names of `confide.harm`: what is learned about respondents, and whom it hurts."""

from __future__ import annotations

from confide.harm.amount_costs import AmountCosts
from confide.harm.assigned import AssignedTo
from confide.harm.attribute import AttributeDisclosure, AttributeLosses, BestLink, attribute_disclosure, best_link
from confide.harm.bearers import Bearers, GroupHarm, HarmByGroup
from confide.harm.belief.belief import Belief
from confide.harm.belief.lognormal import LognormalBelief
from confide.harm.belief.nodes import NodesBelief
from confide.harm.belief.normal import NormalBelief
from confide.harm.belief.point import PointBelief
from confide.harm.belief.uniform import UniformBelief
from confide.harm.belief_costs import BeliefCosts
from confide.harm.by_value import ByTrueValue
from confide.harm.costs.absolute import AbsoluteError
from confide.harm.costs.close import Close
from confide.harm.costs.cost import Cost
from confide.harm.costs.excess import Excess
from confide.harm.costs.given import GivenCost
from confide.harm.costs.none import NoCost
from confide.harm.costs.over import OverEstimate
from confide.harm.costs.squared import SquaredError
from confide.harm.costs.threshold import Threshold
from confide.harm.disparity import Mismatch
from confide.harm.evaluate import harm_of
from confide.harm.harm import Harm
from confide.harm.inferential import inferential_disclosure
from confide.harm.learned import InferentialDisclosure, Learned
from confide.harm.model.disclose import model_disclosure
from confide.harm.model.formula import ModelFormula, ModelTerm
from confide.harm.model.given import GivenModel
from confide.harm.model.predictions import PredictionCloseness
from confide.harm.model.result import CoefficientPair, ModelDisclosure
from confide.harm.outcomes import Outcome, Outcomes, count_outcomes, outcome_codes
from confide.harm.protocol import CategoryCosts, NumberCosts
from confide.harm.reading.as_released import AsReleased
from confide.harm.reading.measurement_error import MeasurementError
from confide.harm.reading.misrecorded import Misrecorded, ProfiledQ
from confide.harm.reading.reading import Amounts, Reading
from confide.harm.reading.shrunk import Shrunk
from confide.harm.regression.binary import MisclassifiedFit, fit_misclassified
from confide.harm.regression.calibration import RegressionCalibration, regression_calibration
from confide.harm.regression.levels import MisclassifiedLevelsFit, fit_misclassified_levels
from confide.harm.regression.likelihood import misclassified_log_likelihood
from confide.harm.regression.posterior import posterior_levels, posterior_sensitive
from confide.harm.regression.profile import ProfiledFit, profile_q
from confide.harm.result import Harmed
from confide.harm.sensitive import Sensitive
from confide.harm.several import HarmOverIntruders, over_intruders
from confide.harm.using import AllCandidates, LinkedRecord

__all__ = [
    "AbsoluteError",
    "AllCandidates",
    "AmountCosts",
    "Amounts",
    "AsReleased",
    "AssignedTo",
    "AttributeDisclosure",
    "AttributeLosses",
    "Bearers",
    "Belief",
    "BeliefCosts",
    "BestLink",
    "ByTrueValue",
    "CategoryCosts",
    "Close",
    "CoefficientPair",
    "Cost",
    "Excess",
    "GivenCost",
    "GivenModel",
    "GroupHarm",
    "Harm",
    "HarmByGroup",
    "HarmOverIntruders",
    "Harmed",
    "InferentialDisclosure",
    "Learned",
    "LinkedRecord",
    "LognormalBelief",
    "MeasurementError",
    "MisclassifiedFit",
    "MisclassifiedLevelsFit",
    "Mismatch",
    "Misrecorded",
    "ModelDisclosure",
    "ModelFormula",
    "ModelTerm",
    "NoCost",
    "NodesBelief",
    "NormalBelief",
    "NumberCosts",
    "Outcome",
    "Outcomes",
    "OverEstimate",
    "PointBelief",
    "PredictionCloseness",
    "ProfiledFit",
    "ProfiledQ",
    "Reading",
    "RegressionCalibration",
    "Sensitive",
    "Shrunk",
    "SquaredError",
    "Threshold",
    "UniformBelief",
    "attribute_disclosure",
    "best_link",
    "count_outcomes",
    "fit_misclassified",
    "fit_misclassified_levels",
    "harm_of",
    "inferential_disclosure",
    "misclassified_log_likelihood",
    "model_disclosure",
    "outcome_codes",
    "over_intruders",
    "posterior_levels",
    "posterior_sensitive",
    "profile_q",
    "regression_calibration",
]
