"""What the user declares about harm: from which attribute, inferred how, at what cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from confide.errors import HarmError
from confide.harm.amount_costs import AmountCosts
from confide.harm.protocol import CategoryCosts, NumberCosts
from confide.harm.reading.as_released import AsReleased
from confide.harm.reading.misrecorded import Misrecorded
from confide.harm.reading.reading import Reading
from confide.harm.reading.shrunk import Shrunk
from confide.harm.using import AllCandidates, LinkedRecord, Using
from confide.intruder.acting import Acts, check_acts, describe_acts


@dataclass(frozen=True, slots=True)
class Harm:
    """The harm to respondents from an intruder who links and then infers a sensitive attribute (Lambert 1993, section 6).

    Harm is a loss. It depends on whether the right record was linked, on whether the attribute was inferred, and on
    what was inferred; what each outcome costs is a judgement that only the user can make.

    >>> import confide as cf
    >>> Harm("income", cf.AmountCosts(cf.Close(0.1))).describe()[0]
    'harm from what is inferred about income'
    """

    attribute: str
    """The sensitive attribute."""
    costs: CategoryCosts | NumberCosts
    """What each outcome costs a respondent: costs for categories, or for amounts."""
    reading: Reading = field(default_factory=AsReleased)
    """What a released record tells about its owner's true value."""
    using: Using = field(default_factory=LinkedRecord)
    """Which records the inference uses."""
    bayesian: bool = False
    """Whether the intruder keeps the whole posterior rather than one value; harm is then an average over it."""
    acts: Acts = 0.2
    """When the intruder links: a probability that the best record must exceed, or the losses of a decision maker."""
    sure: float = 0.5
    """A category is inferred when its probability exceeds this; otherwise nothing is."""
    weight: str | None = None
    """A variable of the source file that multiplies each respondent's harm; None: all count alike."""
    name: str = ""
    """What this harm is called in tables."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        faults = check_acts(self.acts)
        if not all(hasattr(self.costs, method) for method in ("harm", "expected", "describe")):
            faults.append(
                "costs takes Outcomes, AssignedTo, ByTrueValue or BeliefCosts for categories, AmountCosts for amounts; "
                f"found {type(self.costs).__name__}"
            )
        if not isinstance(self.reading, Reading):
            faults.append(  # type: ignore[unreachable]
                f"reading takes AsReleased(), Shrunk(), MeasurementError() or Misrecorded(); found {self.reading!r}"
            )
        amounts = isinstance(self.costs, AmountCosts)
        if amounts and isinstance(self.reading, Misrecorded):
            faults.append("Misrecorded is about categories, and the costs are of amounts; use MeasurementError()")
        if not amounts and isinstance(self.reading, Shrunk) and self.reading.weight is None:
            faults.append("Shrunk: categories need a weight, such as Shrunk(0.8); or use Misrecorded(), which finds it")
        if not isinstance(self.using, LinkedRecord | AllCandidates):
            faults.append(  # type: ignore[unreachable]
                f"using takes LinkedRecord() or AllCandidates(); found {self.using!r}"
            )
        if not 0 <= self.sure < 1:
            faults.append(f"sure is a probability from 0 to below 1, found {self.sure}")
        if faults:
            raise HarmError(f"Harm {self.attribute!r}: " + "; ".join(faults))

    @property
    def title(self) -> str:
        """The name, or the attribute."""
        return self.name or self.attribute

    def describe(self) -> tuple[str, ...]:
        """Say line by line what is assumed."""
        lines = [f"harm from what is inferred about {self.attribute}", f"the intruder {describe_acts(self.acts)}"]
        lines.append(f"the intruder {self.using.describe()}, and {self.reading.describe()}")
        if self.bayesian:
            lines.append("the intruder keeps the whole posterior; harm is an average over it")
        lines.append(self.costs.describe())
        if self.weight:
            lines.append(f"each respondent's harm is multiplied by {self.weight}")
        return tuple(lines)
