"""What the randomness of one release hangs on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from confide.data.content import content_digest
from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.kit.keyed import Draws
from confide.kit.secret import Secret
from confide.release.spelled import spelled
from confide.seeds import Stream

if TYPE_CHECKING:
    from confide.release.release import Release


@dataclass(frozen=True, slots=True)
class Chance:
    """A secret, or a seed that anyone can guess, and what sets this release apart from all others."""

    secret: Secret | None
    """The secret; None: there is a seed."""
    seed: int | None
    """The seed."""
    purpose: tuple[str, ...]
    """The name, the edition and digests of the methods and the source: what differs in any of them shares no noise."""

    @classmethod
    def of(cls, release: Release, data: Microdata, secret: Secret | None, seed: int | None, edition: int) -> Chance:
        """Collect it; a fresh secret where there is neither.

        The source counts, since two files that are masked with the same noise are subtracted from each other: a corrected
        value, or next month's, would be told to the last digit.
        """
        if isinstance(edition, bool) or not isinstance(edition, int) or edition < 1:
            raise ReleaseError(f"edition counts from 1, found {edition!r}")
        if secret is not None and not isinstance(secret, Secret):
            raise ReleaseError(f"secret takes a Secret, as Secret.fresh() makes it, found {type(secret).__name__}")
        if seed is not None:
            return cls(None, seed, ())
        methods = hashlib.sha256(spelled(release.methods).encode()).hexdigest()
        return cls(secret or Secret.fresh(), None, ("release", release.name, str(edition), methods, content_digest(data)))

    def draws(self, step: str) -> Draws:
        """Give the random numbers of a step."""
        if self.secret is not None:
            return self.secret.draws(*self.purpose, step)
        assert self.seed is not None
        return Stream(self.seed, step)

    @property
    def fingerprint(self) -> str | None:
        """The name of the secret."""
        return None if self.secret is None else self.secret.fingerprint
