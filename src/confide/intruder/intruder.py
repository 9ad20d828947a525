"""The intruder: what is known, what is believed, what is understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from confide.errors import IntruderError, repeated
from confide.intruder.beliefs.about import AboutTargets, GivenRecords
from confide.intruder.beliefs.fitted import FittedBeliefs
from confide.intruder.blanks import BlankedByReleased, BlankedByValue, BlankRules, Blanks, NotTold
from confide.intruder.distribution import Belief, check_belief
from confide.intruder.knowledge import CENTRED, Knowledge, OneOf, Roughly, Within, as_knowledge
from confide.intruder.matching import Matching, WithoutReplacement, WithReplacement
from confide.intruder.population import AtLeast, Constant, FromWeights, KnownChance, PopulationTable
from confide.intruder.population_model import PopulationModel

if TYPE_CHECKING:
    from confide.intruder.beliefs.supplied import SuppliedBeliefs
    from confide.intruder.population import Population
    from confide.release.release import Release


@dataclass(frozen=True, slots=True)
class Regression:
    """Model an unavailable variable by a regression on what the intruder knows (section 3.3)."""


@dataclass(frozen=True, slots=True)
class Intruder:
    """Someone who tries to find respondents in the released file (Reiter 2005, section 3).

    >>> neighbour = Intruder(knows=["sex", "age"], target_in_file=True)
    >>> stranger = neighbour.but(target_in_file=False, name="stranger")
    >>> stranger.target_in_file, stranger.variables
    (False, ('sex', 'age'))
    """

    knows: Sequence[str | Knowledge]
    """The variables known about a target: a name for exact knowledge, or e.g. Within("income", 20)."""
    target_in_file: bool = True
    """Whether the intruder knows that the target is in the released file."""
    population: Population | None = None
    """Where N_t comes from when the target may be outside the file; None: the survey weights."""
    understands_masking: bool = True
    """Whether likelihoods of the masking are used; otherwise released values are taken at face value."""
    supposes: Release | None = None
    """The masking the intruder believes in, where it is not the one applied."""
    models_others: bool = True
    """Whether the alterations of other records are modelled (section 3.4)."""
    unavailable: Mapping[str, Belief | OneOf | Regression] | Regression | AboutTargets | GivenRecords | None = None
    """How altered variables that are not known are modelled (section 3.3): by regressions, beliefs, or `OneOf` levels; None:
    they are skipped."""
    beliefs: FittedBeliefs | SuppliedBeliefs = field(default_factory=FittedBeliefs)
    """The model of the perturbed variables given the others."""
    matching: Matching = field(default_factory=WithReplacement)
    """Whether each target is matched on its own, or all records compete for all targets."""
    blanks: Blanks = field(default_factory=NotTold)
    """How cells that were left empty are read."""
    name: str = ""
    """What the intruder is called in tables."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        if isinstance(self.knows, str):
            raise IntruderError(f"knows takes a list; write knows=[{self.knows!r}]")
        names = self.variables
        faults = []
        if not names:
            faults.append("knows is empty; an intruder who knows nothing about the target can only guess")
        faults += [f"knows names {n!r} twice" for n in repeated(names)]
        if not self.models_others and not self.target_in_file:
            faults.append(
                "models_others=False compares a density with one, which means nothing unless the target is known "
                "to be in the file; set target_in_file=True or models_others=True"
            )
        if self.target_in_file and self.population is not None:
            faults.append("population is used only when target_in_file=False; leave it out or set target_in_file=False")
        if self.population is not None and not isinstance(
            self.population, FromWeights | Constant | AtLeast | PopulationTable | KnownChance | PopulationModel
        ):
            faults.append(  # type: ignore[unreachable]
                "population takes FromWeights(), PopulationTable(...), Constant(...), AtLeast(...), KnownChance(...) or a "
                f"model such as LogLinearPopulation() or PitmanPopulation(), found {type(self.population).__name__}"
            )
        if not isinstance(self.matching, WithReplacement | WithoutReplacement):
            faults.append(  # type: ignore[unreachable]
                f"matching takes WithReplacement() or WithoutReplacement(), found {self.matching!r}"
            )
        if not self.understands_masking and self.supposes is not None:
            faults.append("supposes is used only when understands_masking=True")
        if not isinstance(self.blanks, NotTold | BlankedByValue | BlankedByReleased | BlankRules):
            faults.append(  # type: ignore[unreachable]
                "blanks takes NotTold(), BlankedByValue(...), BlankedByReleased(...) or BlankRules([...]), "
                f"found {self.blanks!r}"
            )
        elif not isinstance(self.blanks, NotTold) and not self.understands_masking:
            faults.append("blanks is used only when understands_masking=True; otherwise a blank tells nothing")
        if isinstance(self.unavailable, Mapping):
            faults += [f"{n!r} is both known and unavailable" for n in self.unavailable if n in names]
        faults += _unavailable_faults(self.unavailable)
        if faults:
            raise IntruderError("; ".join(faults))

    @property
    def items(self) -> tuple[Knowledge, ...]:
        """What is known, with plain names read as exact knowledge."""
        return tuple(as_knowledge(item) for item in self.knows)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables known about a target."""
        return tuple(item.variable for item in self.items)

    @property
    def title(self) -> str:
        """The name, or what is known in a few words."""
        if self.name:
            return self.name
        text = f"knows {', '.join(item.describe() for item in self.items)}"
        text += "" if self.target_in_file else "; unsure the target is in the file"
        return text + (f"; {self.matching.title}" if isinstance(self.matching, WithoutReplacement) else "")

    def but(self, **changes: Any) -> Intruder:
        """Give the same intruder with some fields changed."""
        known = set(self.__dataclass_fields__)
        if not set(changes) <= known:
            raise IntruderError(
                f"an Intruder has no field {min(set(changes) - known)!r}; fields: {', '.join(sorted(known))}"
            )
        return replace(self, **changes)

    def describe(self) -> tuple[str, ...]:
        """Say line by line what is assumed."""
        lines = ["knows " + ", ".join(item.describe() for item in self.items)]
        centred = [item.variable for item in self.items if isinstance(item, Within | Roughly)]
        if centred:
            lines.append(f"knows {', '.join(centred)} {CENTRED}")
        if self.target_in_file and isinstance(self.matching, WithoutReplacement):
            lines.append("knows that every record of a respondent belongs to one of the targets")
        elif self.target_in_file:
            lines.append("knows that the target is in the released file")
        else:
            where = (self.population or FromWeights()).describe()
            lines.append(f"does not know whether the target is in the file; the number of people like the target is {where}")
        if self.understands_masking:
            lines.append("understands the masking and uses its likelihoods")
        else:
            lines.append("takes released values at face value")
        if self.supposes is not None:
            lines.append(f"supposes this masking: {'; '.join(self.supposes.describe())}")
        if self.models_others:
            lines.append(f"models the alterations of other records: {self.beliefs.describe()}")
        else:
            lines.append("acts as if only the target's record had been altered")
        if self.unavailable is None:
            lines.append("skips altered variables that are not known")
        elif isinstance(self.unavailable, Regression):
            lines.append("models altered variables that are not known by a regression on the known ones")
        elif not isinstance(self.unavailable, Mapping):
            lines.append(f"holds beliefs about each target's {', '.join(self.unavailable.variables)}")
        else:
            lines.append(f"holds distributions about the unknown {', '.join(self.unavailable)}")
        if not isinstance(self.blanks, NotTold):
            lines.append(self.blanks.describe())
        lines.append(self.matching.describe())
        return tuple(lines)


def _unavailable_faults(unavailable: object) -> list[str]:
    """Say what is no model of variables that are not known."""
    if not isinstance(unavailable, Mapping):
        if unavailable is None or isinstance(unavailable, Regression | AboutTargets | GivenRecords):
            return []
        kinds = 'Regression(), a dict such as {"tax": Lognormal(7, 1)}, AboutTargets(...) or GivenRecords(...)'
        return [f"unavailable takes {kinds}, found {type(unavailable).__name__}"]
    faults = []
    for name, how in unavailable.items():
        if isinstance(how, OneOf):
            if how.variable != name:
                faults.append(f"unavailable: {name!r} is given OneOf({how.variable!r}, ...); name {name!r} in both places")
        elif isinstance(how, list | tuple | set):
            faults.append(
                f"unavailable: {name!r} is given a {type(how).__name__}; write OneOf({name!r}, [...]) for levels one of "
                "which is true, or a dict of levels with their probabilities"
            )
        elif not isinstance(how, Regression):
            try:
                check_belief(name, how)
            except IntruderError as error:
                faults.append(f"unavailable: {error}")
    return faults
