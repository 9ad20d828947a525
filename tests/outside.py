"""What lies outside the project: files of others, whose licences differ, beside the checkout in `../shared/data`.

Tests that need them ask here, and are skipped with the reason where they are absent; everything else a test reads is in the
project. `CONFIDE_SHARED` names another place.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("CONFIDE_SHARED", Path(__file__).parents[2] / "shared"))
"""The folder beside the checkout."""
DATA = SHARED / "data"
"""The files of others."""


def absent(*names: str) -> str:
    """Say which folders or files of others are not here; empty: all are.

    >>> absent()
    ''
    """
    lost = [name for name in names if not (DATA / name).exists()]
    return f"not here: {', '.join(lost)}, a file of others; set CONFIDE_SHARED to the folder that holds data" if lost else ""


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip a test, or with `pytestmark` a module, where files of others are absent."""
    reason = absent(*names)
    return pytest.mark.skipif(bool(reason), reason=reason or "here")


def others(name: str) -> Path:
    """Give the path of a file of others; a test that comes here without it is skipped."""
    if reason := absent(name):
        pytest.skip(reason)
    return DATA / name
