"""The public names of `confide.assessment`: releases against intruders."""

from __future__ import annotations

from confide.assessment.assess import assess, default_measures
from confide.assessment.assessment import Assessment, Scenario

__all__ = [
    "Assessment",
    "Scenario",
    "assess",
    "default_measures",
]
