"""The public names of `confide.tables`: tables, what they give away, and their protection."""

from __future__ import annotations

from confide.tables.attackers import Attacker, insiders
from confide.tables.audit.audit import audit
from confide.tables.audit.result import Audit, Exposed
from confide.tables.nested import nested_system
from confide.tables.protect.exact import Exact
from confide.tables.protect.methods import Heuristic
from confide.tables.protect.pattern import Pattern
from confide.tables.protect.suppress import suppress
from confide.tables.protection import Protection
from confide.tables.system import System

__all__ = [
    "Attacker",
    "Audit",
    "Exact",
    "Exposed",
    "Heuristic",
    "Pattern",
    "Protection",
    "System",
    "audit",
    "insiders",
    "nested_system",
    "suppress",
]
