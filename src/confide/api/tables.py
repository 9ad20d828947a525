"""The public names of `confide.tables`: tables, and rules that find their sensitive cells."""

from __future__ import annotations

from confide.tables.additivity import Additivity
from confide.tables.aggregates import table_of_aggregates
from confide.tables.constructions import Constructions, dominance_constructions
from confide.tables.contradictions import RuleContradictions, rule_contradictions
from confide.tables.dimension import Dimension
from confide.tables.hierarchy import Hierarchy
from confide.tables.hrc import read_codelist, read_hierarchy
from confide.tables.linked import link_tables
from confide.tables.nesting import Digits, Levels
from confide.tables.rules.combined import AllRules, AnyRule
from confide.tables.rules.dominance import DominanceRule
from confide.tables.rules.frequency import MinimumFrequency
from confide.tables.rules.given import GivenRule
from confide.tables.rules.prior_posterior import PPercentRule, PQRule
from confide.tables.rules.request import RequestRule
from confide.tables.rules.rule import ProtectionLevels, Rule
from confide.tables.rules.zero import ZeroCells
from confide.tables.table import Table
from confide.tables.tabulate import tabulate
from confide.tables.weighting import WeightsAsContributions, WeightsAsCopies

__all__ = [
    "Additivity",
    "AllRules",
    "AnyRule",
    "Constructions",
    "Digits",
    "Dimension",
    "DominanceRule",
    "GivenRule",
    "Hierarchy",
    "Levels",
    "MinimumFrequency",
    "PPercentRule",
    "PQRule",
    "ProtectionLevels",
    "RequestRule",
    "Rule",
    "RuleContradictions",
    "Table",
    "WeightsAsContributions",
    "WeightsAsCopies",
    "ZeroCells",
    "dominance_constructions",
    "link_tables",
    "read_codelist",
    "read_hierarchy",
    "rule_contradictions",
    "table_of_aggregates",
    "tabulate",
]
