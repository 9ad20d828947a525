"""The public names, gathered in one place."""

from __future__ import annotations

from confide.assessment.assess import assess, default_measures
from confide.assessment.assessment import Assessment, Scenario
from confide.data.codebook import Kind, Role, Variable
from confide.data.column import Column
from confide.data.frames import from_frame
from confide.data.microdata import Microdata
from confide.data.readers import read, write
from confide.errors import (
    ConfideError,
    DataError,
    DeclarationError,
    HarmError,
    InternalError,
    IntruderError,
    LikelihoodError,
    PlanError,
    ReleaseError,
    UserMistake,
)
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
from confide.harm.regression.calibration import Calibration, regression_calibration
from confide.harm.regression.levels import MisclassifiedLevelsFit, fit_misclassified_levels
from confide.harm.regression.likelihood import misclassified_log_likelihood
from confide.harm.regression.posterior import posterior_levels, posterior_sensitive
from confide.harm.regression.profile import ProfiledFit, profile_q
from confide.harm.result import Harmed
from confide.harm.sensitive import Sensitive
from confide.harm.several import HarmOverIntruders, over_intruders
from confide.harm.using import AllCandidates, LinkedRecord
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
from confide.intruder.beliefs.fitted import FittedBeliefs
from confide.intruder.beliefs.supplied import Atom, SuppliedBeliefs
from confide.intruder.beliefs.swapped import dot_product_marginal, joint_swap_marginal, swap_marginal
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
from confide.intruder.distribution import Lognormal, Normal, Uniform
from confide.intruder.intruder import Intruder, Regression
from confide.intruder.knowledge import Between, Bracket, Distributed, Exactly, OneOf, Roughly, Within
from confide.intruder.loss_matrix import LossMatrix
from confide.intruder.matching import WithoutReplacement, WithReplacement
from confide.intruder.population import AtLeast, Constant, FromWeights, PopulationTable
from confide.intruder.targets import Targets
from confide.intruder.uncertainty import Concave, Entropy, MinimalLoss, Variance
from confide.linking.coincidence import CoincidenceVectors, coincidence_vectors
from confide.linking.distance.given import GivenDistance
from confide.linking.distance.known import KnownVariables, RiskByNumberKnown, risk_by_number_known
from confide.linking.distance.linkage import distance_linkage, record_distances
from confide.linking.distance.mahalanobis import MahalanobisDistance
from confide.linking.distance.missing import IgnoreMissing, MissingCosts
from confide.linking.distance.nominal import NominalDistance
from confide.linking.distance.numeric import NumericDistance
from confide.linking.distance.ordinal import OrdinalDistance, PrintedOrdinalDistance
from confide.linking.distance.result import DistanceLinkage
from confide.linking.distance.scale import ByRange, BySd, Unscaled
from confide.linking.distance.text import JaroWinkler, Levenshtein, TextDistance
from confide.linking.distance.truth import KnownParent, NearestInAll
from confide.linking.link import link
from confide.linking.links import Links
from confide.linking.matched import Matched
from confide.linking.posterior.joint.result import Diagnostics, JointLinks
from confide.linking.posterior.joint.solve import link_probabilities
from confide.linking.posterior.named import isolated, product_form, with_replacement
from confide.linking.row import LinkRow
from confide.linking.summary import Summary
from confide.release.methods.correlated import CorrelatedNoise
from confide.release.methods.drop import Drop
from confide.release.methods.multiplicative import MultiplicativeNoise
from confide.release.methods.noise import Noise
from confide.release.methods.recode import Recode
from confide.release.methods.round import Round
from confide.release.methods.sample import Sample
from confide.release.methods.simulate import Simulate
from confide.release.methods.swap import GivenMatrix, Simulated, Swap, expected_swap_matrix
from confide.release.methods.topcode import Bottomcode, Topcode
from confide.release.release import Release
from confide.release.released import Partition, Released
from confide.risk.chance import Chance, HowOften, OneAgainstAlike, ReleaseWithout, best_without_target
from confide.risk.distances import AbsoluteDistance, LogDistance, SquaredDistance
from confide.risk.frequency.attackers import (
    JournalistRisk,
    KMap,
    MarketerRisk,
    ProsecutorRisk,
    journalist_risk,
    k_map,
    marketer_risk,
    prosecutor_risk,
)
from confide.risk.frequency.closeness import EqualDistance, OrderedDistance, TCloseness, t_closeness
from confide.risk.frequency.counts import Frequencies, KAnonymity, frequencies, k_anonymity
from confide.risk.frequency.diversity import DistinctDiversity, EntropyDiversity, LDiversity, RecursiveDiversity, l_diversity
from confide.risk.frequency.household import HouseholdRisk, household_risk
from confide.risk.frequency.individual import ApproximateRisk, ExactRisk, IndividualRisk, individual_risk
from confide.risk.frequency.missing import MissingAsLevel, MissingAsWildcard
from confide.risk.identification import IdentificationTable, identification_table
from confide.risk.interval.around import RankHalfWidth, RankWidth, SdWidth
from confide.risk.interval.disclosure import IntervalDisclosure, interval_disclosure
from confide.risk.linkage import PerceivedRisks, TrueIdentification, perceived_risks, true_identification
from confide.risk.matching import MatchingRisk, risk_of_matching
from confide.risk.measures.expected import ExpectedMatches
from confide.risk.measures.perceived import PerceivedIdentifications
from confide.risk.measures.rates import FalseMatchRate, TrueMatchRate
from confide.risk.measures.unique import UniqueMatches
from confide.risk.safety import SafetyMap, safety_map
from confide.risk.safety_family import KnownRanks, KnownValues, LognormalFamily, NormalFamily

__all__ = [
    "AbsoluteDistance",
    "AbsoluteError",
    "AllCandidates",
    "AmountCosts",
    "Amounts",
    "Appearance",
    "ApproximateRisk",
    "AsReleased",
    "Assessment",
    "AssignedTo",
    "AtLeast",
    "Atom",
    "AttributeDisclosure",
    "AttributeLosses",
    "Bearers",
    "Belief",
    "BeliefCosts",
    "BestLink",
    "Between",
    "Bottomcode",
    "Bracket",
    "ByRange",
    "BySd",
    "ByTrueValue",
    "Calibration",
    "CategoryCosts",
    "Caught",
    "Chance",
    "Close",
    "CoefficientPair",
    "CoincidenceVectors",
    "Column",
    "Concave",
    "ConfideError",
    "Constant",
    "CorrelatedNoise",
    "Cost",
    "DataError",
    "Decision",
    "Decisions",
    "DeclarationError",
    "DeterrenceCurve",
    "Diagnostics",
    "DistanceLinkage",
    "DistinctDiversity",
    "Distributed",
    "Drop",
    "Elicited",
    "Entropy",
    "EntropyDiversity",
    "EqualDistance",
    "ExactRisk",
    "Exactly",
    "Excess",
    "ExpectedMatches",
    "FalseMatchRate",
    "FittedBeliefs",
    "Frequencies",
    "FromWeights",
    "FunctionAppearance",
    "GivenCost",
    "GivenDistance",
    "GivenMatrix",
    "GivenModel",
    "GroupHarm",
    "GroupedAppearance",
    "Harm",
    "HarmByGroup",
    "HarmError",
    "HarmOverIntruders",
    "Harmed",
    "HouseholdRisk",
    "HowOften",
    "IdentificationTable",
    "IgnoreMissing",
    "IndependentAppearance",
    "IndividualRisk",
    "InferentialDisclosure",
    "InternalError",
    "IntervalDisclosure",
    "Intruder",
    "IntruderError",
    "JaroWinkler",
    "JointLinks",
    "JournalistRisk",
    "Judgement",
    "KAnonymity",
    "KMap",
    "Kind",
    "KnownParent",
    "KnownRanks",
    "KnownValues",
    "KnownVariables",
    "LDiversity",
    "LaplaceAppearance",
    "Learned",
    "Levenshtein",
    "LikelihoodError",
    "LinkRow",
    "LinkedRecord",
    "Links",
    "Located",
    "LogDistance",
    "Lognormal",
    "LognormalAppearance",
    "LognormalBelief",
    "LognormalFamily",
    "LossMatrix",
    "Losses",
    "MahalanobisDistance",
    "MarketerRisk",
    "Matched",
    "MatchingRisk",
    "MeasurementError",
    "Microdata",
    "MinimalLoss",
    "MisclassifiedFit",
    "MisclassifiedLevelsFit",
    "Mismatch",
    "Misrecorded",
    "MisreportedAppearance",
    "MissingAsLevel",
    "MissingAsWildcard",
    "MissingCosts",
    "ModelDisclosure",
    "ModelFormula",
    "ModelTerm",
    "MultiplicativeNoise",
    "NearestInAll",
    "NoCost",
    "NodesBelief",
    "Noise",
    "NominalDistance",
    "Normal",
    "NormalAppearance",
    "NormalBelief",
    "NormalFamily",
    "NumberCosts",
    "NumericDistance",
    "OneAgainstAlike",
    "OneOf",
    "OrderedDistance",
    "OrdinalDistance",
    "Outcome",
    "Outcomes",
    "OverEstimate",
    "Partition",
    "PerceivedIdentifications",
    "PerceivedRisks",
    "PlanError",
    "PointBelief",
    "PopulationTable",
    "PredictionCloseness",
    "PrintedOrdinalDistance",
    "ProfiledFit",
    "ProfiledQ",
    "ProsecutorRisk",
    "RankHalfWidth",
    "RankWidth",
    "Reading",
    "Recode",
    "RecursiveDiversity",
    "Regression",
    "Release",
    "ReleaseError",
    "ReleaseWithout",
    "Released",
    "RiskByNumberKnown",
    "Role",
    "Roughly",
    "Round",
    "SafetyMap",
    "Sample",
    "Scenario",
    "SdWidth",
    "Sensitive",
    "Shrunk",
    "Simulate",
    "Simulated",
    "SquaredDistance",
    "SquaredError",
    "Summary",
    "SuppliedBeliefs",
    "Swap",
    "TCloseness",
    "Targets",
    "TextDistance",
    "Threshold",
    "Topcode",
    "TrueIdentification",
    "TrueMatchRate",
    "Uniform",
    "UniformAppearance",
    "UniformBelief",
    "UniqueMatches",
    "Unscaled",
    "UserMistake",
    "Variable",
    "Variance",
    "WithReplacement",
    "Within",
    "WithoutReplacement",
    "assess",
    "attribute_disclosure",
    "best_by_chance",
    "best_link",
    "best_without_target",
    "coincidence_vectors",
    "count_outcomes",
    "default_measures",
    "deterrence_curve",
    "deterring_penalty",
    "deterring_ratio",
    "distance_linkage",
    "dot_product_marginal",
    "elicit",
    "elicit_quantiles",
    "expected_swap_matrix",
    "fit_lognormal",
    "fit_misclassified",
    "fit_misclassified_levels",
    "fit_normal",
    "frequencies",
    "from_frame",
    "harm_of",
    "household_risk",
    "identification_table",
    "individual_risk",
    "inferential_disclosure",
    "insider",
    "insider_with_simulated",
    "insider_with_unknown_simulated",
    "interval_disclosure",
    "isolated",
    "joint_swap_marginal",
    "journalist_risk",
    "k_anonymity",
    "k_map",
    "l_diversity",
    "link",
    "link_probabilities",
    "log_densities",
    "malicious_from",
    "malicious_outsider",
    "marketer_risk",
    "misclassified_log_likelihood",
    "model_disclosure",
    "naive_outsider",
    "one_against_alike",
    "outcome_codes",
    "over_intruders",
    "perceived_risks",
    "posterior_levels",
    "posterior_sensitive",
    "product_form",
    "profile_q",
    "prosecutor_risk",
    "read",
    "record_distances",
    "records_of",
    "regression_calibration",
    "risk_by_number_known",
    "risk_of_matching",
    "safety_map",
    "swap_marginal",
    "t_closeness",
    "true_identification",
    "with_replacement",
    "write",
]
