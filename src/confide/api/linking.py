"""The public names of `confide.linking`: link probabilities and record linkage."""

from __future__ import annotations

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
from confide.linking.posterior.look_alikes import MixedOverPeople, PlugInPeople, look_alike_posterior
from confide.linking.posterior.named import isolated, product_form, with_replacement
from confide.linking.probabilistic.chance import AmongAllPairs, WithinBlocks
from confide.linking.probabilistic.comparison import NoInformation, OwnLevel
from confide.linking.probabilistic.date import DateAgreement
from confide.linking.probabilistic.errors import AmongLinks, AmongNonMatches, Limits
from confide.linking.probabilistic.exact import ExactAgreement
from confide.linking.probabilistic.linkage import probabilistic_linkage
from confide.linking.probabilistic.model import Independent, WithInteractions
from confide.linking.probabilistic.number import NumberAgreement
from confide.linking.probabilistic.result import ProbabilisticLinkage
from confide.linking.probabilistic.text import TextAgreement
from confide.linking.probabilistic.weights import LevelWeights
from confide.linking.probabilistic.within import Duplicates, find_duplicates
from confide.linking.row import LinkRow
from confide.linking.summary import Summary

__all__ = [
    "AmongAllPairs",
    "AmongLinks",
    "AmongNonMatches",
    "ByRange",
    "BySd",
    "CoincidenceVectors",
    "DateAgreement",
    "Diagnostics",
    "DistanceLinkage",
    "Duplicates",
    "ExactAgreement",
    "GivenDistance",
    "IgnoreMissing",
    "Independent",
    "JaroWinkler",
    "JointLinks",
    "KnownParent",
    "KnownVariables",
    "LevelWeights",
    "Levenshtein",
    "Limits",
    "LinkRow",
    "Links",
    "MahalanobisDistance",
    "Matched",
    "MissingCosts",
    "MixedOverPeople",
    "NearestInAll",
    "NoInformation",
    "NominalDistance",
    "NumberAgreement",
    "NumericDistance",
    "OrdinalDistance",
    "OwnLevel",
    "PlugInPeople",
    "PrintedOrdinalDistance",
    "ProbabilisticLinkage",
    "RiskByNumberKnown",
    "Summary",
    "TextAgreement",
    "TextDistance",
    "Unscaled",
    "WithInteractions",
    "WithinBlocks",
    "coincidence_vectors",
    "distance_linkage",
    "find_duplicates",
    "isolated",
    "link",
    "link_probabilities",
    "look_alike_posterior",
    "probabilistic_linkage",
    "product_form",
    "record_distances",
    "risk_by_number_known",
    "with_replacement",
]
