"""The public names of `confide.rumap`: disclosure risk against data utility."""

from __future__ import annotations

from confide.rumap.analytic.choice import NoiseChoice, noise_for_risk
from confide.rumap.analytic.crossing import crossings, mean_beats_record_from
from confide.rumap.analytic.extremes import (
    exact_expected_maximum_risk,
    expected_maximum_risk,
    extreme_constants,
    maximum_risk,
)
from confide.rumap.analytic.joint import exact_sample_risk, sample_percentile_risk
from confide.rumap.analytic.map import AnalyticMap, analytic_map
from confide.rumap.analytic.means import (
    linked_record_risk,
    mean_attack_risk,
    mean_utility,
    relative_utility,
    sample_average_risk,
    sample_target_risk,
    typical_target_risk,
)
from confide.rumap.analytic.order import order_statistic_moments
from confide.rumap.analytic.percentiles import exact_percentile_risk, normal_percentile_risk, percentile_risk
from confide.rumap.analytic.risk import snooper_risk
from confide.rumap.empirical.estimates import empirical_point, target_value
from confide.rumap.empirical.given import given_sample_risk
from confide.rumap.empirical.map import EmpiricalMap, empirical_map
from confide.rumap.empirical.masking import AddedNoise
from confide.rumap.forms import AsymptoticForm, ExactForm
from confide.rumap.frontier import frontier
from confide.rumap.general.choose import Choice, Verified
from confide.rumap.general.compare import Comparison, compare_maps
from confide.rumap.general.folder_store import FolderStore
from confide.rumap.general.make import ru_map
from confide.rumap.general.map import RUMap
from confide.rumap.general.risks import RiskOf, WorstGroup
from confide.rumap.general.search import Budget, beside_grid, search_releases
from confide.rumap.general.store import Store
from confide.rumap.knowledge import KnowsPopulation, KnowsRecord, KnowsSample
from confide.rumap.point import Point
from confide.rumap.snooper import Snooper
from confide.rumap.table_map import TableCandidate, TableMap, table_map
from confide.rumap.targets import AtMaximum, AtMinimum, AtPercentile, Typical

__all__ = [
    "AddedNoise",
    "AnalyticMap",
    "AsymptoticForm",
    "AtMaximum",
    "AtMinimum",
    "AtPercentile",
    "Budget",
    "Choice",
    "Comparison",
    "EmpiricalMap",
    "ExactForm",
    "FolderStore",
    "KnowsPopulation",
    "KnowsRecord",
    "KnowsSample",
    "NoiseChoice",
    "Point",
    "RUMap",
    "RiskOf",
    "Snooper",
    "Store",
    "TableCandidate",
    "TableMap",
    "Typical",
    "Verified",
    "WorstGroup",
    "analytic_map",
    "beside_grid",
    "compare_maps",
    "crossings",
    "empirical_map",
    "empirical_point",
    "exact_expected_maximum_risk",
    "exact_percentile_risk",
    "exact_sample_risk",
    "expected_maximum_risk",
    "extreme_constants",
    "frontier",
    "given_sample_risk",
    "linked_record_risk",
    "maximum_risk",
    "mean_attack_risk",
    "mean_beats_record_from",
    "mean_utility",
    "noise_for_risk",
    "normal_percentile_risk",
    "order_statistic_moments",
    "percentile_risk",
    "relative_utility",
    "ru_map",
    "sample_average_risk",
    "sample_percentile_risk",
    "sample_target_risk",
    "search_releases",
    "snooper_risk",
    "table_map",
    "target_value",
    "typical_target_risk",
]
