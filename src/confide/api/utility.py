"""The public names of `confide.utility`: what a release is still good for."""

from __future__ import annotations

from confide.utility.compare import UtilityTable, compare
from confide.utility.measure import Utility, UtilityMeasure, efficiency
from confide.utility.measures.correlations import CorrelationLoss
from confide.utility.measures.covariances import CovariancesKept
from confide.utility.measures.eigenvalues import EigenvalueLoss
from confide.utility.measures.hellinger import Hellinger, hellinger_distance
from confide.utility.measures.il1 import IL1, IL1s
from confide.utility.measures.kullback import KullbackLeibler, kullback_leibler
from confide.utility.measures.means import MeansKept
from confide.utility.measures.own import OwnAnalysis, OwnUtility
from confide.utility.measures.precision import MeanPrecision
from confide.utility.measures.propensity import PropensityScore, PropensityUtility
from confide.utility.measures.quantiles import QuantilesKept
from confide.utility.measures.regression import RegressionKept
from confide.utility.measures.totals import TotalsKept
from confide.utility.measures.values import ValueLoss
from confide.utility.spread import Spread, SpreadByCounts, SpreadEvenly

__all__ = [
    "IL1",
    "CorrelationLoss",
    "CovariancesKept",
    "EigenvalueLoss",
    "Hellinger",
    "IL1s",
    "KullbackLeibler",
    "MeanPrecision",
    "MeansKept",
    "OwnAnalysis",
    "OwnUtility",
    "PropensityScore",
    "PropensityUtility",
    "QuantilesKept",
    "RegressionKept",
    "Spread",
    "SpreadByCounts",
    "SpreadEvenly",
    "TotalsKept",
    "Utility",
    "UtilityMeasure",
    "UtilityTable",
    "ValueLoss",
    "compare",
    "efficiency",
    "hellinger_distance",
    "kullback_leibler",
]
