"""Could it be chance? The best probability of a target who was not released, for any beliefs (Lambert 1993, 4.2.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import IntruderError
from confide.intruder.calibration import one_against_alike
from confide.intruder.columns import TIE
from confide.linking.posterior.joint.solve import link_probabilities
from confide.seeds import Stream
from confide.typing import FloatArray, IntArray

Sampler = Callable[[np.random.Generator], Any]
"""Draws one release without the target."""


@dataclass(frozen=True, slots=True)
class OneAgainstAlike:
    """Beliefs that tell the target from the others, and none of the others from each other.

    Called with released records it gives the probability that each is the target's.

    >>> beliefs = OneAgainstAlike(lambda x: np.exp(-x), lambda x: np.ones_like(x), respondents=3)
    >>> beliefs(np.zeros(2)).tolist()
    [0.3333333333333333, 0.3333333333333333]
    """

    target: Callable[[FloatArray], FloatArray]
    """The density of the target's released record."""
    others: Callable[[FloatArray], FloatArray]
    """The density of anyone else's."""
    respondents: int
    """N."""

    def __call__(self, records: Any) -> FloatArray:
        """Give p of every record, records last (Lambert 1993, 4.2.4)."""
        own, other = (np.asarray(f(records), dtype=np.float64) for f in (self.target, self.others))
        if not bool(np.all(own >= 0)) or not bool(np.all(other > 0)):
            raise IntruderError("a release without the target must be possible: the others' density must be positive at it")
        return one_against_alike(own / other, self.respondents)


@dataclass(frozen=True, slots=True)
class ReleaseWithout:
    """Draw a release without the target: some of the others, each as the intruder believes they appear.

    >>> sampler = ReleaseWithout(0, 3, 2, lambda rng, who: 10.0 * who)
    >>> sorted(sampler(np.random.default_rng(1)).tolist())
    [10.0, 20.0]
    """

    target: int
    """The respondent who is not released."""
    respondents: int
    """N."""
    released: int
    """n."""
    draw: Callable[[np.random.Generator, IntArray], Any]
    """Gives the released records of some respondents, in their order."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not (0 <= self.target < self.respondents and 1 <= self.released < self.respondents):
            raise IntruderError(
                f"without the target at most {self.respondents - 1} of {self.respondents} can be released; the target is "
                f"counted from 0; found target {self.target}, released {self.released}"
            )

    def __call__(self, rng: np.random.Generator) -> Any:
        """Draw one release."""
        others = np.delete(np.arange(self.respondents, dtype=np.int64), self.target)
        return self.draw(rng, rng.choice(others, self.released, replace=False))


@dataclass(frozen=True, slots=True)
class HowOften:
    """How often chance gives at least what was seen."""

    share: float
    """The share of simulated releases."""
    standard_error: float
    """Its Monte Carlo standard error; never zero, as no simulation is."""
    samples: int
    """How many releases were simulated."""

    def __repr__(self) -> str:
        """Show the share with its error."""
        return f"{self.share:.4g} ± {self.standard_error:.2g} ({self.samples:,} simulated releases)"


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """The best probabilities in simulated releases that the target is not in.

    >>> Chance(np.array([0.1, 0.2, 0.6, 0.1])).at_least(0.5).share
    0.25
    """

    best: FloatArray
    """The target's largest link probability in each release."""

    def __post_init__(self) -> None:
        """Check the probabilities."""
        best = np.asarray(self.best, dtype=np.float64)
        object.__setattr__(self, "best", best)
        if best.ndim != 1 or best.size == 0 or not bool(np.all((best >= 0) & (best <= 1 + 1e-9))):
            raise IntruderError("give one probability for each simulated release, at least one")

    @property
    def mean(self) -> float:
        """The mean."""
        return float(self.best.mean())

    def quantile(self, q: float) -> float:
        """Give a quantile."""
        return float(np.quantile(self.best, q))

    def at_least(self, seen: float) -> HowOften:
        """Say how often chance gives at least what was seen; if often, there is little reason to act.

        Args:
            seen: the target's best probability in the release at hand.
        """
        if not 0 <= seen <= 1:
            raise IntruderError(f"a best probability lies between 0 and 1; found {seen}")
        count, size = int(np.sum(self.best >= seen * (1 - TIE))), int(self.best.size)
        near = (count + 1) / (size + 2)
        return HowOften(count / size, float(np.sqrt(near * (1 - near) / size)), size)

    def __repr__(self) -> str:
        """Show the mean and the upper quantiles."""
        return (
            f"Chance(best probability without the target: mean {self.mean:.3g}, 95th percentile {self.quantile(0.95):.3g}, "
            f"99th {self.quantile(0.99):.3g}; {self.best.size:,} simulated releases)"
        )


def best_without_target(
    releases: Sampler | Sequence[Any] | FloatArray,
    densities: OneAgainstAlike | Callable[[Any], Any] | None = None,
    *,
    target: int = 0,
    samples: int = 1000,
    seed: int = 0,
    log: bool = False,
) -> Chance:
    """Simulate how large the target's best probability would be, had the target not been released.

    Args:
        releases: draws one release without the target, given a random generator; or the releases.
        densities: gives the density of every record of a release under every respondent, records by
            respondents, to be linked by eq. (4.1); OneAgainstAlike where the others are alike; None:
            the releases are such tables themselves.
        target: the respondent asked about, counted from 0; the first one for OneAgainstAlike.
        samples: how many releases are drawn.
        seed: the seed of the simulation.
        log: whether log densities are given.

    >>> source = np.array([1.0, 2.0, 4.0, 8.0])
    >>> mask = lambda rng, who: source[who] * np.exp(0.3 * rng.standard_normal(who.size))
    >>> density = lambda x: -0.5 * ((np.log(x)[:, None] - np.log(source)) / 0.3) ** 2
    >>> chance = best_without_target(ReleaseWithout(0, 4, 2, mask), density, samples=50, seed=1, log=True)
    >>> bool(chance.mean < 0.3)
    True
    """
    best = [_best(release, densities, target, log=log) for release in _drawn(releases, samples, seed)]
    return Chance(np.asarray(best, dtype=np.float64))


def _best(release: Any, densities: OneAgainstAlike | Callable[[Any], Any] | None, target: int, *, log: bool) -> float:
    """Give the target's best probability in one release."""
    if isinstance(densities, OneAgainstAlike):
        return float(densities(release).max())
    links = link_probabilities(release if densities is None else densities(release), log=log)
    if not 0 <= target < links.p.shape[1]:
        raise IntruderError(f"there is no respondent {target}; the densities have {links.p.shape[1]}, counted from 0")
    return min(float(links.largest[target]), 1.0)


def _drawn(releases: Sampler | Sequence[Any] | FloatArray, samples: int, seed: int) -> Iterator[Any]:
    """Give the releases; each draw has a generator of its own."""
    if not callable(releases):
        yield from releases
        return
    if samples < 1:
        raise IntruderError(f"at least one release must be simulated; found samples={samples}")
    seeds = Stream(seed, "release without the target").words(np.arange(samples, dtype=np.int64))
    for word in seeds:
        yield releases(np.random.Generator(np.random.PCG64(int(word))))
