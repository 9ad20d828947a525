"""Evaluate one release of a family: mask it, let every intruder look, put it to use."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass

from confide.assessment.assess import assess
from confide.assessment.assessment import Scenario
from confide.data.microdata import Microdata
from confide.errors import UserMistake
from confide.harm.harm import Harm
from confide.intruder.intruder import Intruder
from confide.intruder.targets import Targets
from confide.release.release import Release
from confide.release.released import Released
from confide.release.vary import Settings
from confide.risk.file_measure import FileMeasure
from confide.risk.measure import Measure
from confide.rumap.general.fingerprint import NoFingerprint, fingerprint
from confide.rumap.general.limited import Limited, is_note, limited, noted
from confide.rumap.general.program import program
from confide.rumap.general.risks import RiskAxis
from confide.rumap.general.store import Figures, Store
from confide.utility.measure import UtilityMeasure


def replicate_seed(seed: int, replicate: int) -> int:
    """Give the seed of a replicate: the first is the seed itself, others follow from it.

    >>> replicate_seed(7, 0), replicate_seed(7, 1) == replicate_seed(7, 1), replicate_seed(7, 1) == replicate_seed(7, 2)
    (7, True, False)
    """
    if replicate == 0:
        return seed
    digest = hashlib.blake2b(f"{seed}\x1fmap\x1f{replicate}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "little")


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What a map asks: which file, which family of releases, who looks, what counts."""

    source: Microdata
    """The source file."""
    family: Release
    """The family of releases."""
    intruders: tuple[Intruder, ...]
    """Who looks for respondents."""
    targets: tuple[Targets, ...]
    """Whom they look for."""
    risks: tuple[RiskAxis, ...]
    """The figures of risk and harm."""
    utilities: tuple[UtilityMeasure, ...]
    """The uses of the data."""
    seed: int
    """The seed of the masking."""

    def masked(self, settings: Settings, replicate: int, store: Store, source_key: str) -> Masked:
        """Give the file at the settings, to be masked when it is needed."""
        release = self.family.at(settings)
        seed = replicate_seed(self.seed, replicate)
        key = _key("released", program(), source_key, list(release.methods), seed)

        def make() -> Released:
            return release.apply(self.source, seed=seed)

        return Masked(None, make) if key is None else Masked(key, lambda: store.released(key, make))

    def figures(self, settings: Settings, replicate: int, store: Store, source_key: str) -> tuple[list[Figures], Figures]:
        """Give the risks of every intruder and the utilities at the settings; what is in the store is not computed again."""
        masked = self.masked(settings, replicate, store, source_key)
        risks = [self._risks(masked, intruder, store) for intruder in self.intruders]
        utilities: Figures = {}
        for measure in self.utilities:
            key = masked.named("utility", measure)
            found = _found(store, key)
            if found is None:
                found = {"value": self._useful(measure, masked.file())}
                _keep(store, key, found)
            utilities[measure.name] = found["value"]
        return risks, utilities

    def undefined(self, settings: Settings, store: Store, source_key: str) -> dict[str, str]:
        """Say why utilities are undefined at the settings, by their names."""
        file = self.masked(settings, 0, store, source_key).file()
        why: dict[str, str] = {}
        for measure in self.utilities:
            try:
                if math.isnan(measure.of(file).value):
                    why[measure.name] = f"{measure.title} is not a number"
            except UserMistake as error:
                why[measure.name] = str(error)
        return why

    def _useful(self, measure: UtilityMeasure, released: Released) -> float | None:
        """Give the utility of a release; None where it is undefined."""
        try:
            value = measure.of(released).value
        except UserMistake:
            # what even the source does not allow is a mistake in what was asked, and no loss by masking
            measure.unmasked(self.source)
            return None
        return None if math.isnan(value) else value

    def _risks(self, masked: Masked, intruder: Intruder, store: Store) -> Figures:
        """Give the risks of one intruder; links are found once, and only where a figure needs them."""
        figures: Figures = {}
        scenarios: tuple[Scenario, ...] = ()
        for axis in self.risks:
            declared = axis.declared
            key = masked.named("risk", intruder, self.targets, declared)
            found = _found(store, key)
            if found is None:
                if isinstance(declared, FileMeasure):
                    value = declared.of(masked.file(), intruder.variables).value
                    found = {"value": value, **Limited(value, value).figures("")}
                else:
                    scenarios = scenarios or self._scenarios(masked.file(), intruder)
                    found = {"value": axis.worst(scenarios), **limited(axis, scenarios).figures(""), **noted(scenarios)}
                _keep(store, key, found)
            figures[axis.name] = found["value"]
            figures |= Limited.of_figures(found, "").figures(axis.name)
            figures |= {name: value for name, value in found.items() if is_note(name)}
        return figures

    def _scenarios(self, released: Released, intruder: Intruder) -> tuple[Scenario, ...]:
        """Assess one masked file against one intruder; two scenarios where blanks can be read in two ways."""
        declared = [axis.declared for axis in self.risks]
        measures = [d for d in declared if isinstance(d, Measure)]
        harms = [d for d in declared if isinstance(d, Harm)]
        return assess(released, intruder, self.targets, measures=measures, harms=harms).scenarios


@dataclass(slots=True)
class Masked:
    """A file that is masked when it is first needed."""

    key: str | None
    """The name of its content; None: it has none."""
    make: Callable[[], Released]
    """Masks it."""
    made: Released | None = None
    """The file, once it was needed."""

    def file(self) -> Released:
        """Give the file."""
        if self.made is None:
            self.made = self.make()
        return self.made

    def named(self, *parts: object) -> str | None:
        """Name a figure of the file by what it is a figure of; None where that cannot be named."""
        return None if self.key is None else _key(self.key, *parts)


def _key(*parts: object) -> str | None:
    """Name the content of what is asked; None where it cannot be named."""
    try:
        return fingerprint(*parts)
    except NoFingerprint:
        return None


def _found(store: Store, key: str | None) -> Figures | None:
    """Give the figures under a name, if they are what is kept here."""
    found = None if key is None else store.get(key)
    return None if found is None or "value" not in found else found


def _keep(store: Store, key: str | None, figures: Figures | None) -> None:
    """Keep figures that have a name."""
    if key is not None and figures is not None:
        store.put(key, figures)
