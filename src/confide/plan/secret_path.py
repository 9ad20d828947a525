"""Where the secret of a plan is kept."""

from __future__ import annotations

import os
import re
from pathlib import Path

from confide.errors import PlanError
from confide.kit.secret import VARIABLE
from confide.plan.schema import PlanSchema

NOT_ITSELF = (
    f"{VARIABLE} holds 64 hexadecimal digits, as a secret has them; it takes the path of the file that holds the secret. "
    "Unset it, write the secret to an owner-only file, and give its path; if others could read it, make a new secret"
)
"""Said where the secret itself stands in the environment; it is not repeated."""
SUFFIX = ".secret"
"""How the file of a secret is called, beside a plan of the same name."""


def secret_path(schema: PlanSchema, folder: Path, itself: Path | None) -> Path | None:
    """Find where the secret is, or will be; None: there is a seed.

    The plan comes first, then the environment, then a file beside the plan.

    Args:
        schema: the plan.
        folder: what paths in the plan are relative to.
        itself: the plan file.
    """
    if schema.seed is not None:
        return None
    if schema.secret is not None:
        return folder / schema.secret
    if told := os.environ.get(VARIABLE):
        if re.fullmatch(r"\s*[0-9A-Fa-f]{64}\s*", told):
            raise PlanError([NOT_ITSELF])
        return Path(told)
    return (itself if itself is not None else folder / "plan.toml").with_suffix(SUFFIX)
