"""The public names of `confide.kit`: the secret that masking hangs on."""

from __future__ import annotations

from confide.kit.secret import Secret

__all__ = ["Secret"]
