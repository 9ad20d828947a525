"""The secret: what an intruder must not know, since whoever knows it undoes the masking.

256 bits from the operating system. Kept in a file that only its owner reads, never printed; outputs carry a fingerprint,
which tells nothing about it. Each purpose has a key of its own: HMAC-SHA256 of the secret over the parts of the purpose.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from confide.errors import ReleaseError
from confide.kit.keyed import KeyedDraws
from confide.kit.ledger import reading
from confide.kit.pieces import Piece, tidy

HEAD = "confide secret 1\n"
"""The first line of a secret's file."""
VARIABLE = "CONFIDE_SECRET"
"""The environment variable that names the file of the secret."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Secret:
    """256 random bits that masking hangs on.

    >>> mine = Secret.fresh()
    >>> len(mine.fingerprint), mine.fingerprint in repr(mine), mine.key.hex() in repr(mine)
    (16, True, False)
    """

    key: bytes
    """The bits. Do not print them."""

    def __post_init__(self) -> None:
        """Check that there are 256 bits."""
        if not isinstance(self.key, bytes) or len(self.key) != 32:
            raise ReleaseError("a secret holds 32 bytes; make one with Secret.fresh()")

    @classmethod
    def fresh(cls) -> Secret:
        """Ask the operating system for a new secret."""
        return cls(secrets.token_bytes(32))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Secret:
        """Read the secret of a file that nobody else may read.

        Args:
            path: the file, made with `write`.
        """
        file = reading(path, ReleaseError)
        try:
            mode, text = file.stat().st_mode, file.read_text("ascii")
        except FileNotFoundError:
            raise ReleaseError(f"there is no secret at {file}; leave it out to have one made, or give its path") from None
        except (OSError, UnicodeDecodeError) as error:
            raise ReleaseError(f"the secret at {file} cannot be read ({type(error).__name__})") from None
        body = text.removeprefix(HEAD).strip()
        if not text.startswith(HEAD) or len(body) != 64 or any(c not in "0123456789abcdef" for c in body):
            raise ReleaseError(f"{file} holds no secret of confide, and is not overwritten: remove it, or give another path")
        if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise ReleaseError(f"others may read the secret at {file}; take their rights away with: chmod 600 {file}")
        return cls(bytes.fromhex(body))

    @classmethod
    def kept(cls, path: str | os.PathLike[str]) -> Secret:
        """Read the secret at a path; make one where there is none."""
        file = Path(path)
        if not file.exists():
            if os.path.lexists(destroyed_note(file)):
                raise ReleaseError(
                    f"the secret at {file} was destroyed, and a new one would make other noise than what is out; if that is "
                    f"meant, remove {destroyed_note(file)}"
                )
            with contextlib.suppress(FileExistsError):  # someone else was faster
                cls.fresh().write(file)
        return cls.read(file)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write it to a new file that only its owner may read; an existing one is never replaced.

        Args:
            path: where to.
        """
        file = Path(path)
        tidy(file.parent)
        try:
            with Piece(file.parent, 0o600) as piece:
                with os.fdopen(os.dup(piece.handle), "w", encoding="ascii") as out:
                    out.write(HEAD + self.key.hex() + "\n")
                    out.flush()
                    os.fsync(out.fileno())
                piece.settle(file, overwrite=False)
        except FileExistsError:
            raise
        except OSError as error:
            raise ReleaseError(f"the secret cannot be written to {file} ({error.strerror})") from None

    @property
    def fingerprint(self) -> str:
        """A name for the secret that tells nothing about it: two outputs with the same one hang on the same secret."""
        return self._derived("fingerprint").hex()[:16]

    def draws(self, *purpose: str) -> KeyedDraws:
        """Give the random numbers for a purpose.

        Args:
            purpose: its parts, such as the release and the step; ("a", "bc") is not ("ab", "c").
        """
        return KeyedDraws(self._derived("draws", *purpose))

    def seed(self, *purpose: str) -> int:
        """Give an integer for trials, whose files are not published; it tells nothing about the secret.

        Args:
            purpose: its parts.
        """
        return int.from_bytes(self._derived("seed", *purpose)[:6], "big")

    def digest(self, *parts: str) -> str:
        """Give a checksum that nobody without the secret can compute, so that values cannot be tried out against it.

        Args:
            parts: what it is of; ("a", "bc") is not ("ab", "c").
        """
        return self._derived("digest", *parts).hex()

    def _derived(self, *parts: str) -> bytes:
        """Derive 256 bits: each part goes in with its length before it."""
        told = b"".join(len(x).to_bytes(8, "big") + x for x in (p.encode() for p in ("confide", *parts)))
        return hmac.new(self.key, told, hashlib.sha256).digest()

    def __repr__(self) -> str:
        """Name it without giving it away."""
        return f"Secret(fingerprint={self.fingerprint!r})"

    def __reduce__(self) -> str:
        """Refuse to be written elsewhere."""
        raise TypeError("a secret is not pickled; write it to a file of its own with write(path)")


def destroyed_note(path: str | os.PathLike[str]) -> Path:
    """Name the file that says that a secret was destroyed on purpose, so that none takes its place unasked.

    >>> destroyed_note("plan.secret").name
    'plan.secret.destroyed'
    """
    file = Path(path)
    return file.with_name(file.name + ".destroyed")


def destroy(path: str | os.PathLike[str], fingerprint: str) -> None:
    """Overwrite the file of a secret with other random bits, and remove it.

    Copies elsewhere stay, and a disk may keep what was overwritten: nothing here proves that it is gone everywhere.

    Args:
        path: the file.
        fingerprint: the name of the secret that is meant; another one is left alone.

    >>> import tempfile
    >>> mine, file = Secret.fresh(), Path(tempfile.mkdtemp()) / "plan.secret"
    >>> mine.write(file)
    >>> destroy(file, mine.fingerprint)
    >>> file.exists()
    False
    """
    file = Path(path)
    fault = kept_from_destroying(file, fingerprint)
    if fault is not None:
        raise ReleaseError(fault)
    try:
        with file.open("r+b") as out:
            out.write(secrets.token_bytes(os.fstat(out.fileno()).st_size))
            out.flush()
            os.fsync(out.fileno())
        file.unlink()
    except OSError as error:
        raise ReleaseError(f"the secret at {file} cannot be destroyed ({error.strerror}); remove it by hand") from None


def kept_from_destroying(path: str | os.PathLike[str], fingerprint: str) -> str | None:
    """Say why a secret's file cannot be destroyed; None where it can.

    Args:
        path: the file.
        fingerprint: the name of the secret that is meant.
    """
    file = Path(path)
    if not file.exists():
        return f"there is no secret at {file} to destroy"
    if Secret.read(file).fingerprint != fingerprint:
        return f"{file} holds another secret than the one that is meant; it is left as it is"
    if file.is_symlink() or file.stat().st_nlink > 1:
        return f"{file} is a link, so that the secret has another name, too; remove it by hand"
    return None
