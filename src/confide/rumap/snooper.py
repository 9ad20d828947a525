"""The data snooper of the R-U map: a target, what is known of it, and how the risk is computed."""

from __future__ import annotations

from dataclasses import dataclass, field

from confide.errors import IntruderError
from confide.rumap.forms import AsymptoticForm, ExactForm, SnooperForm
from confide.rumap.knowledge import KnowsPopulation, KnowsRecord, KnowsSample, SnooperKnowledge
from confide.rumap.targets import AtMaximum, AtMinimum, AtPercentile, SnooperTarget, Typical


@dataclass(frozen=True, slots=True)
class Snooper:
    """An intruder who infers one value from noisy ones. The risk is R = 1/E(target - estimate)².

    The estimate is the mean of the masked values for a typical target, the masked value at the same place for a
    percentile or an extreme, and the own masked record where it is known.

    >>> Snooper(AtPercentile(0.99), KnowsPopulation()).label
    'percentile 99, population known'
    """

    target: SnooperTarget = field(default_factory=Typical)
    """Whom the snooper is after."""
    knows: SnooperKnowledge = field(default_factory=KnowsPopulation)
    """To which group the snooper can isolate the target."""
    form: SnooperForm = field(default_factory=ExactForm)
    """How an analytic map computes the risk; an empirical map does not ask."""

    def __post_init__(self) -> None:
        """Check the parts."""
        for name, part, kinds in (
            ("target", self.target, (Typical, AtPercentile, AtMaximum, AtMinimum)),
            ("knows", self.knows, (KnowsPopulation, KnowsSample, KnowsRecord)),
            ("form", self.form, (ExactForm, AsymptoticForm)),
        ):
            if not isinstance(part, kinds):
                names = ", ".join(f"{k.__name__}()" for k in kinds)
                raise IntruderError(f"Snooper: {name} is one of {names}; found {type(part).__name__}")

    @property
    def label(self) -> str:
        """The snooper in words."""
        asymptotic = ", asymptotic" if isinstance(self.form, AsymptoticForm) and self.has_forms else ""
        return f"{self.target.label}, {self.knows.label}{asymptotic}"

    @property
    def has_forms(self) -> bool:
        """Whether an asymptotic form differs from the exact one."""
        return not isinstance(self.target, Typical) and not isinstance(self.knows, KnowsRecord)
