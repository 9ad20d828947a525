"""What an inferred amount costs the respondent, one cost per file."""

from confide.harm.costs.absolute import AbsoluteError
from confide.harm.costs.close import Close
from confide.harm.costs.cost import Cost
from confide.harm.costs.excess import Excess
from confide.harm.costs.given import GivenCost
from confide.harm.costs.none import NoCost
from confide.harm.costs.over import OverEstimate
from confide.harm.costs.squared import SquaredError
from confide.harm.costs.threshold import Threshold

__all__ = [
    "AbsoluteError",
    "Close",
    "Cost",
    "Excess",
    "GivenCost",
    "NoCost",
    "OverEstimate",
    "SquaredError",
    "Threshold",
]
