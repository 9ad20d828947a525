"""The public names of `confide.tables`: tables, rules, what tables give away, and their protection."""

from __future__ import annotations

from confide.tables.additivity import Additivity
from confide.tables.aggregates import table_of_aggregates
from confide.tables.attackers import Attacker, insiders
from confide.tables.audit.audit import audit
from confide.tables.audit.result import Audit, Exposed
from confide.tables.constructions import Constructions, dominance_constructions
from confide.tables.contradictions import RuleContradictions, rule_contradictions
from confide.tables.dimension import Dimension
from confide.tables.hierarchy import Hierarchy
from confide.tables.hrc import read_codelist, read_hierarchy
from confide.tables.linked import link_tables
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
from confide.tables.protection import Protection
from confide.tables.rules.combined import AllRules, AnyRule
from confide.tables.rules.dominance import DominanceRule
from confide.tables.rules.frequency import MinimumFrequency
from confide.tables.rules.given import GivenRule
from confide.tables.rules.prior_posterior import PPercentRule, PQRule
from confide.tables.rules.request import RequestRule
from confide.tables.rules.rule import ProtectionLevels, Rule
from confide.tables.rules.zero import ZeroCells
from confide.tables.system import System
from confide.tables.table import Table
from confide.tables.tabulate import tabulate
from confide.tables.weighting import WeightsAsContributions, WeightsAsCopies

__all__ = [
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
    "ConsistentCounts",
    "Constructions",
    "CountNoise",
    "Digits",
    "Dimension",
    "DominanceRule",
    "Exact",
    "Exposed",
    "FamilyRounding",
    "GivenRule",
    "Heuristic",
    "Hierarchy",
    "Levels",
    "MagnitudeNoise",
    "MinimumFrequency",
    "OptimalAdjustment",
    "OptimalRounding",
    "PPercentRule",
    "PQRule",
    "Pattern",
    "PerturbationTable",
    "Perturbed",
    "Protection",
    "ProtectionLevels",
    "RecordKeys",
    "RequestRule",
    "Rounded",
    "Rule",
    "RuleContradictions",
    "System",
    "Table",
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
    "read_codelist",
    "read_hierarchy",
    "round_table",
    "rule_contradictions",
    "suppress",
    "table_of_aggregates",
    "tabulate",
]
