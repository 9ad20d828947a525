"""Settings in words."""

from __future__ import annotations

from collections.abc import Mapping


def told(settings: Mapping[str, object]) -> str:
    """Write settings in one line.

    >>> told({"noise": 0.1, "race": "off"})
    'noise 0.1, race off'
    """
    return ", ".join(f"{k} {v:g}" if isinstance(v, float) else f"{k} {v}" for k, v in settings.items()) or "the only one"
