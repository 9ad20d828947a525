"""Where the secret of a plan is kept."""

from __future__ import annotations

import os
from pathlib import Path

from confide.kit.secret import VARIABLE
from confide.plan.schema import PlanSchema

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
        return Path(told)
    return (itself if itself is not None else folder / "plan.toml").with_suffix(SUFFIX)
