"""What a plan file declares, as objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from confide.data.microdata import Microdata
from confide.errors import PlanError, UserMistake, raise_all
from confide.harm.harm import Harm
from confide.intruder.intruder import Intruder
from confide.intruder.targets import Targets
from confide.kit.secret import Secret
from confide.plan.build_map import MapPlan
from confide.plan.faults import each
from confide.plan.holding import Holding
from confide.release.release import Release
from confide.release.released import Released
from confide.risk.file_measure import FileMeasure
from confide.risk.limit import limit_fault

SHARES = ("probability", "true_match_rate")
"""Figures that are at most 1."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Risks and harms that must not be exceeded."""

    largest: tuple[tuple[str, float], ...] = ()
    """Names of measures (or "probability") and their largest allowed values."""
    intruders: tuple[str, ...] | None = None
    """The intruders they hold for; None: all."""
    releases: tuple[str, ...] | None = None
    """The releases they hold for; None: all."""
    harms: tuple[tuple[str, float], ...] = ()
    """Names of harms and their largest allowed totals."""
    measures: tuple[tuple[str, float], ...] = ()
    """Names of classical measures and their limits."""

    def __post_init__(self) -> None:
        """Refuse limits that nothing, or everything, would keep to."""
        named = [(f"the limit on {name!r}", x) for name, x in (*self.largest, *self.harms, *self.measures)]
        faults = [fault for name, x in named for fault in limit_fault(name, x)]
        faults += [
            f"the limit on {name!r} is {x:g}, and the figure is at most 1, so that the limit says nothing; give a share"
            for name, x in self.largest
            if name in SHARES and x > 1
        ]
        for what, names in (("intruders", self.intruders), ("releases", self.releases)):
            if names is not None and not names:
                faults.append(f"limits hold for no {what}, so that any file would keep to them; leave {what} out for all")
        raise_all(faults, PlanError)


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files to write."""

    report: Path | None = None
    """The HTML report."""
    by: tuple[str, ...] = ()
    """Variables to split the risk by in the report."""
    title: str | None = None
    """The heading of the report."""
    json: Path | None = None
    """The assessment as JSON."""
    table: Path | None = None
    """The table of scenarios as CSV."""
    per_record: Path | None = None
    """Row numbers and probabilities of every target as CSV."""
    per_released_record: Path | None = None
    """Row numbers and figures of the classical measures of every released record as CSV."""
    released: Path | None = None
    """The folder of the study, in which released files are held; None: they are not written."""
    links: Path | None = None
    """A folder for files that tell which source row each released row comes from."""
    unique: tuple[str, ...] = ()
    """Released variables in which no value stands twice, and which may be signed."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Everything that is declared, ready to run."""

    microdata: Microdata
    """The source file with its roles and kinds."""
    releases: tuple[Release | Released, ...]
    """What is done to it, or released files that someone else made."""
    intruders: tuple[Intruder, ...]
    """Who looks for respondents."""
    targets: tuple[Targets, ...] | None = None
    """Whom they look for; None: everyone."""
    threshold: float = 0.2
    """The probability above which an identification is perceived."""
    seed: int | None = None
    """An integer in place of the secret, for tests and studies."""
    secret: Path | None = None
    """Where the secret is, or will be; None: a fresh one, which nobody keeps."""
    limits: Limits = Limits()
    """Risks that must not be exceeded."""
    outputs: Outputs = Outputs()
    """The files to write."""
    harms: tuple[Harm, ...] = ()
    """Which harm to respondents to count."""
    file_measures: tuple[FileMeasure, ...] = ()
    """Which classical measures to take of every released file."""
    map: MapPlan | None = None
    """The map of risk against utility."""
    likelihoods: Mapping[str, float] | None = None
    """How likely each intruder is to look at the file, by name; None: not declared."""
    sha256: str | None = None
    """The checksum of the plan file."""
    path: Path | None = None
    """The plan file."""
    holdings: tuple[Holding, ...] = ()
    """Where each release is held, in their order; their editions are there."""
    reads: Mapping[str, Path] = field(default_factory=dict)
    """The files that it reads, by their names in the plan, without the secret."""

    def the_secret(self) -> Secret | None:
        """Read the secret, or make it where there is none yet; None: there is a seed."""
        if self.seed is not None:
            return None
        return Secret.fresh() if self.secret is None else Secret.kept(self.secret)

    def trial_seed(self, purpose: str) -> int:
        """Give the seed of trials, whose files are not published.

        Args:
            purpose: what is tried; each has numbers of its own.
        """
        secret = self.the_secret()
        return secret.seed("trial", purpose) if secret is not None else self.seed or 0

    def masked(self, release: Release, secret: Secret | None, edition: int = 1) -> Released:
        """Mask the file with the plan's secret, or its seed.

        Args:
            release: what is done.
            secret: what `the_secret` gave.
            edition: counts releases of the same name.
        """
        return release.apply(self.microdata, seed=self.seed, secret=secret, edition=edition)

    def edition(self, i: int) -> int:
        """Give the edition of a release by its place."""
        return self.holdings[i].edition if self.holdings else 1

    def released(self, done: Callable[[int, int], None] | None = None) -> tuple[Released, ...]:
        """Apply every release; what does not fit the data is raised together.

        Args:
            done: called with how many of how many releases are made.
        """
        secret = self.the_secret()
        files: list[Released] = []
        faults: list[str] = []
        for i, release in enumerate(self.releases, 1):
            try:
                files.append(release if isinstance(release, Released) else self.masked(release, secret, self.edition(i - 1)))
            except UserMistake as error:
                faults += [f"release[{i}] ({release.name}): {text}" for text in each(error)]
            if done is not None:
                done(i, len(self.releases))
        if faults:
            raise PlanError(faults)
        return tuple(files)
