"""What may stand on the axis of risk: measures, harm, classical measures, the worst group, or a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from confide.assessment.assessment import Scenario
from confide.errors import IntruderError
from confide.harm.harm import Harm
from confide.harm.told import sum_told
from confide.risk.file_measure import FileMeasure
from confide.risk.limit import limit_fault
from confide.risk.measure import Measure, defined, figure, meanings


@dataclass(frozen=True, slots=True)
class WorstGroup:
    """A measure in the group of targets where it is worst, so that a limit holds for every group.

    >>> import confide as cf
    >>> WorstGroup(cf.ExpectedMatches(), by="race").name
    'expected_matches by race'
    """

    measure: Measure
    """The measure."""
    by: str
    """The variable of the source file that makes the groups."""
    smallest: int = 10
    """Groups with fewer targets are put together."""

    @property
    def name(self) -> str:
        """The name in frames."""
        return f"{self.measure.name} by {self.by}"

    @property
    def title(self) -> str:
        """The name in pictures."""
        return f"{self.measure.title}, worst {self.by}"

    def of(self, scenario: Scenario) -> float | None:
        """Give the figure of the worst group, per target where the measure counts; undefined where that of a group is."""
        names, member = scenario.groups(self.by, smallest=self.smallest)
        summary = scenario.summary
        found = []
        for g in range(len(names)):
            part = summary.take(member == g)
            value = figure(self.measure, part)
            if value is None:
                return None
            found.append(value / part.n if self.measure.is_count else value)
        return max(found) if self.measure.larger_is_riskier else min(found)


@dataclass(frozen=True, slots=True)
class RiskOf:
    """Any figure of a scenario, by a function.

    >>> RiskOf("largest probability", lambda scenario: float(scenario.summary.own.max())).title
    'largest probability'
    """

    name: str
    """What it is called."""
    function: Callable[[Scenario], float | None]
    """What gives the figure; None, or NaN, where it is undefined."""
    larger_is_riskier: bool = True
    """Whether a larger figure means more risk."""

    @property
    def title(self) -> str:
        """The name in pictures."""
        return self.name


Declared: TypeAlias = Measure | Harm | FileMeasure | WorstGroup | RiskOf


@dataclass(frozen=True, slots=True)
class RiskAxis:
    """A declared risk as an axis: its names, its direction, its figure."""

    declared: Declared
    """What was declared."""

    def __post_init__(self) -> None:
        """Refuse what is no risk."""
        if not isinstance(self.declared, Measure | Harm | FileMeasure | WorstGroup | RiskOf):
            raise IntruderError(
                "a risk is a measure such as ExpectedMatches(), a Harm, a FileMeasure, WorstGroup(...) or RiskOf(...); "
                f"found {type(self.declared).__name__}"
            )

    @property
    def name(self) -> str:
        """The name in frames."""
        return f"harm {self.declared.title}" if isinstance(self.declared, Harm) else self.declared.name

    @property
    def title(self) -> str:
        """The name in pictures."""
        declared = self.declared
        if isinstance(declared, Harm):
            return f"Harm per target: {declared.title}"
        return f"{declared.title} per target" if isinstance(declared, Measure) and declared.is_count else declared.title

    @property
    def most(self) -> float | None:
        """The largest figure there can be: 1 for shares of targets; None: there is no bound, or none is known."""
        return 1.0 if isinstance(self.declared, Measure | WorstGroup) else None

    def limit_faults(self, at: float) -> list[str]:
        """Say what is wrong with a limit that no figure, or every one, would keep to; a share of targets is at most 1.

        >>> import confide as cf
        >>> RiskAxis(cf.RightLinks()).limit_faults(10)[0][:58]
        "the limit on 'right_links' is 10, and the figure of a map "
        """
        faults = limit_fault(f"the limit on {self.name!r}", at, negative=isinstance(self.declared, RiskOf))
        if faults or self.most is None or at <= self.most:
            return faults
        fault = (
            f"the limit on {self.name!r} is {at:g}, and the figure of a map is {self.title}, a share of at most 1, so that "
            "the limit says nothing; for a number of targets give that number divided by how many targets there are"
        )
        return [fault]

    @property
    def meaning(self) -> str:
        """What it is, in a line; empty where the name says it all."""
        declared = self.declared.measure if isinstance(self.declared, WorstGroup) else self.declared
        return next(iter(meanings([declared])), "") if isinstance(declared, Measure) else ""

    def worst(self, scenarios: Sequence[Scenario]) -> float | None:
        """Give the riskiest figure of several readings; none where one of them has none."""
        values = [self.of(scenario) for scenario in scenarios]
        told = [v for v in values if v is not None]
        if len(told) < len(values):
            return None
        return max(told) if getattr(self.declared, "larger_is_riskier", True) else min(told)

    def of(self, scenario: Scenario) -> float | None:
        """Give the figure: per target where it counts targets or adds up losses.

        Harm is rounded upwards to a step over the number of targets, so that a limit that holds for the
        figure holds for the harm; of fewer than ten targets there is none.
        """
        declared = self.declared
        if isinstance(declared, Harm):
            # a figure of a map stands in stores, pictures and tables: a sum on a step, never less than the harm
            harmed = scenario.harm(declared.title)
            total = sum_told(harmed.per_target)
            return None if total is None else total / harmed.n
        if isinstance(declared, FileMeasure):
            return declared.of(scenario.released, scenario.intruder.variables).value
        if isinstance(declared, WorstGroup):
            return declared.of(scenario)
        if isinstance(declared, RiskOf):
            return defined(declared.function(scenario))
        value = figure(declared, scenario.summary)
        return value / scenario.summary.n if value is not None and declared.is_count else value

    @property
    def larger_is_riskier(self) -> bool:
        """Say which direction is riskier."""
        declared = self.declared
        if isinstance(declared, Harm):
            return True
        return declared.measure.larger_is_riskier if isinstance(declared, WorstGroup) else declared.larger_is_riskier
