"""The public names of `confide.risk`: risk of the file and of single respondents."""

from __future__ import annotations

from confide.risk.attacks.control import ControlSplit, split_control
from confide.risk.attacks.inference import inference
from confide.risk.attacks.linkability import linkability
from confide.risk.attacks.predicates import Multivariate, Univariate
from confide.risk.attacks.result import AttackRate, AttackRisk, RiskEstimate, SuccessRate
from confide.risk.attacks.singling_out import singling_out
from confide.risk.attacks.tolerance import WithinAmount, WithinShare
from confide.risk.chance import Chance, HowOften, OneAgainstAlike, ReleaseWithout, best_without_target
from confide.risk.distances import AbsoluteDistance, LogDistance, SquaredDistance
from confide.risk.file_measure import FileMeasure, Measured
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
from confide.risk.frequency.individual import ApproximateRisk, FormulaRisk, IndividualRisk, individual_risk
from confide.risk.frequency.missing import MissingAsLevel, MissingAsWildcard
from confide.risk.identification import IdentificationTable, identification_table
from confide.risk.interval.around import RankHalfWidth, RankWidth, SdWidth
from confide.risk.interval.disclosure import IntervalDisclosure, interval_disclosure
from confide.risk.linkage import PerceivedRisks, TrueIdentification, perceived_risks, true_identification
from confide.risk.matching import MatchingRisk, risk_of_matching
from confide.risk.measures.expected import ExpectedMatches
from confide.risk.measures.perceived import PerceivedIdentifications
from confide.risk.measures.rates import FalseMatchRate, TrueMatchRate
from confide.risk.measures.right import RightLinks
from confide.risk.measures.unique import UniqueMatches
from confide.risk.population.dankar import DankarRule
from confide.risk.population.ewens import Ewens
from confide.risk.population.fit import PopulationFit
from confide.risk.population.loglinear.counts import SampleCounts, WeightedCounts
from confide.risk.population.loglinear.error_test import ErrorTest
from confide.risk.population.loglinear.given_table import LogLinearTable, loglinear_table
from confide.risk.population.loglinear.risk import LogLinearRisk, loglinear_risk
from confide.risk.population.loglinear.terms import AllTwoWay, ForwardSelection, Interactions, MainEffects
from confide.risk.population.people.gamma_poisson import GammaPoissonPopulation, gamma_poisson_frequency
from confide.risk.population.people.loglinear import LogLinearPopulation
from confide.risk.population.people.negative_binomial import NegativeBinomialPopulation, negative_binomial_frequency
from confide.risk.population.people.pitman import PitmanPopulation, pitman_frequency
from confide.risk.population.people.poisson import PoissonPopulation, poisson_frequency
from confide.risk.population.pitman import Pitman
from confide.risk.population.slide import SlideNegativeBinomial
from confide.risk.population.uniques import PopulationUniques, population_uniques
from confide.risk.population.zayatz import Zayatz
from confide.risk.safety import SafetyMap, safety_map
from confide.risk.safety_family import KnownRanks, KnownValues, LognormalFamily, NormalFamily
from confide.risk.uniques.dis import DisSuda, dis_suda
from confide.risk.uniques.minimal import MinimalUniques, minimal_uniques
from confide.risk.uniques.scoring import ElliotScore, SupersetScore
from confide.risk.uniques.special import SampleUniques, SpecialUniques, sample_uniques, special_uniques
from confide.risk.uniques.suda import SudaScores, suda

__all__ = [
    "AbsoluteDistance",
    "AllTwoWay",
    "ApproximateRisk",
    "AttackRate",
    "AttackRisk",
    "Chance",
    "ControlSplit",
    "DankarRule",
    "DisSuda",
    "DistinctDiversity",
    "ElliotScore",
    "EntropyDiversity",
    "EqualDistance",
    "ErrorTest",
    "Ewens",
    "ExpectedMatches",
    "FalseMatchRate",
    "FileMeasure",
    "FormulaRisk",
    "ForwardSelection",
    "Frequencies",
    "GammaPoissonPopulation",
    "HouseholdRisk",
    "HowOften",
    "IdentificationTable",
    "IndividualRisk",
    "Interactions",
    "IntervalDisclosure",
    "JournalistRisk",
    "KAnonymity",
    "KMap",
    "KnownRanks",
    "KnownValues",
    "LDiversity",
    "LogDistance",
    "LogLinearPopulation",
    "LogLinearRisk",
    "LogLinearTable",
    "LognormalFamily",
    "MainEffects",
    "MarketerRisk",
    "MatchingRisk",
    "Measured",
    "MinimalUniques",
    "MissingAsLevel",
    "MissingAsWildcard",
    "Multivariate",
    "NegativeBinomialPopulation",
    "NormalFamily",
    "OneAgainstAlike",
    "OrderedDistance",
    "PerceivedIdentifications",
    "PerceivedRisks",
    "Pitman",
    "PitmanPopulation",
    "PoissonPopulation",
    "PopulationFit",
    "PopulationUniques",
    "ProsecutorRisk",
    "RankHalfWidth",
    "RankWidth",
    "RecursiveDiversity",
    "ReleaseWithout",
    "RightLinks",
    "RiskEstimate",
    "SafetyMap",
    "SampleCounts",
    "SampleUniques",
    "SdWidth",
    "SlideNegativeBinomial",
    "SpecialUniques",
    "SquaredDistance",
    "SuccessRate",
    "SudaScores",
    "SupersetScore",
    "TCloseness",
    "TrueIdentification",
    "TrueMatchRate",
    "UniqueMatches",
    "Univariate",
    "WeightedCounts",
    "WithinAmount",
    "WithinShare",
    "Zayatz",
    "best_without_target",
    "dis_suda",
    "frequencies",
    "gamma_poisson_frequency",
    "household_risk",
    "identification_table",
    "individual_risk",
    "inference",
    "interval_disclosure",
    "journalist_risk",
    "k_anonymity",
    "k_map",
    "l_diversity",
    "linkability",
    "loglinear_risk",
    "loglinear_table",
    "marketer_risk",
    "minimal_uniques",
    "negative_binomial_frequency",
    "perceived_risks",
    "pitman_frequency",
    "poisson_frequency",
    "population_uniques",
    "prosecutor_risk",
    "risk_of_matching",
    "safety_map",
    "sample_uniques",
    "singling_out",
    "special_uniques",
    "split_control",
    "suda",
    "t_closeness",
    "true_identification",
]
