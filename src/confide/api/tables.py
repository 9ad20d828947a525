"""The public names of `confide.tables`: tables, rules, what tables give away, and their protection."""

from __future__ import annotations

from confide.tables.a_priori import APriori
from confide.tables.additivity import Additivity
from confide.tables.aggregates import table_of_aggregates
from confide.tables.attackers import Attacker, insiders
from confide.tables.audit.audit import audit
from confide.tables.audit.result import Audit, Exposed
from confide.tables.cell_keys import CellKeys
from confide.tables.constructions import Constructions, dominance_constructions
from confide.tables.contradictions import RuleContradictions, rule_contradictions
from confide.tables.controlled_rounding import ControlledRounding
from confide.tables.costs import CellCosts, EqualCosts, GivenCosts, RespondentCosts, ValueCosts
from confide.tables.dimension import Dimension
from confide.tables.given_pattern import GivenPattern, read_pattern
from confide.tables.hierarchy import Hierarchy
from confide.tables.hrc import read_codelist, read_hierarchy
from confide.tables.insiders import ContributingInsiders, Insiders, Looking, SingletonInsiders
from confide.tables.linked import link_tables
from confide.tables.method import TableMethod, TableOutcome, TableTask
from confide.tables.nested import nested_system
from confide.tables.nesting import Digits, Levels
from confide.tables.perturb.adjust import BalancedAdjustment, OptimalAdjustment, adjust_table
from confide.tables.perturb.adjusted import Adjusted
from confide.tables.perturb.cells import perturb_cells
from confide.tables.perturb.keys import RecordKeys
from confide.tables.perturb.noise import ByLargest, ByMean, ByValue, CountNoise, MagnitudeNoise
from confide.tables.perturb.perturbed import ConsistentCounts, Perturbed
from confide.tables.perturb.rounded import Rounded
from confide.tables.perturb.rounding import FamilyRounding, OptimalRounding, round_table
from confide.tables.perturb.transitions import PerturbationTable
from confide.tables.protect.exact import Exact
from confide.tables.protect.methods import Heuristic
from confide.tables.protect.pattern import Pattern
from confide.tables.protect.suppress import suppress
from confide.tables.protect_table import protect_table, protect_tables
from confide.tables.protected import ProtectedTable
from confide.tables.protection import Protection
from confide.tables.rules.combined import AllRules, AnyRule
from confide.tables.rules.dominance import DominanceRule
from confide.tables.rules.frequency import MinimumFrequency
from confide.tables.rules.given import GivenRule
from confide.tables.rules.prior_posterior import PPercentRule, PQRule
from confide.tables.rules.request import RequestRule
from confide.tables.rules.rule import ProtectionLevels, Rule
from confide.tables.rules.zero import ZeroCells
from confide.tables.suppression import GivenSuppression, NoProtection, PrimaryOnly, Suppression
from confide.tables.system import System
from confide.tables.table import Table
from confide.tables.tabular_adjustment import TabularAdjustment
from confide.tables.tabulate import tabulate
from confide.tables.weighting import WeightsAsContributions, WeightsAsCopies
from confide.tables.write.format import TableFormat
from confide.tables.write.json_stat import JsonStat
from confide.tables.write.plain import ParquetTable, PlainText
from confide.tables.write.sdmx_csv import SdmxCsv

__all__ = [
    "APriori",
    "Additivity",
    "Adjusted",
    "AllRules",
    "AnyRule",
    "Attacker",
    "Audit",
    "BalancedAdjustment",
    "ByLargest",
    "ByMean",
    "ByValue",
    "CellCosts",
    "CellKeys",
    "ConsistentCounts",
    "Constructions",
    "ContributingInsiders",
    "ControlledRounding",
    "CountNoise",
    "Digits",
    "Dimension",
    "DominanceRule",
    "EqualCosts",
    "Exact",
    "Exposed",
    "FamilyRounding",
    "GivenCosts",
    "GivenPattern",
    "GivenRule",
    "GivenSuppression",
    "Heuristic",
    "Hierarchy",
    "Insiders",
    "JsonStat",
    "Levels",
    "Looking",
    "MagnitudeNoise",
    "MinimumFrequency",
    "NoProtection",
    "OptimalAdjustment",
    "OptimalRounding",
    "PPercentRule",
    "PQRule",
    "ParquetTable",
    "Pattern",
    "PerturbationTable",
    "Perturbed",
    "PlainText",
    "PrimaryOnly",
    "ProtectedTable",
    "Protection",
    "ProtectionLevels",
    "RecordKeys",
    "RequestRule",
    "RespondentCosts",
    "Rounded",
    "Rule",
    "RuleContradictions",
    "SdmxCsv",
    "SingletonInsiders",
    "Suppression",
    "System",
    "Table",
    "TableFormat",
    "TableMethod",
    "TableOutcome",
    "TableTask",
    "TabularAdjustment",
    "ValueCosts",
    "WeightsAsContributions",
    "WeightsAsCopies",
    "ZeroCells",
    "adjust_table",
    "audit",
    "dominance_constructions",
    "insiders",
    "link_tables",
    "nested_system",
    "perturb_cells",
    "protect_table",
    "protect_tables",
    "read_codelist",
    "read_hierarchy",
    "read_pattern",
    "round_table",
    "rule_contradictions",
    "suppress",
    "table_of_aggregates",
    "tabulate",
]
