"""Decide whether a data file is safe to release.

The rooms, in the order of the data flow; each imports only from those above it:

- `confide.data`: files, roles, kinds, examples
- `confide.release`: masking methods, each a channel with two faces
- `confide.intruder`: what is known, believed and understood
- `confide.linking`: evidence and link probabilities, with the null link
- `confide.risk`: measures of the whole file and of single respondents
- `confide.tables`: tables, what they give away, and their protection
- `confide.harm`: what the intruder learns about respondents, and whom it hurts
- `confide.utility`: what a release is still good for
- `confide.calibration`: stated probabilities against the truth, on the agency's own file
- `confide.assessment`: risk and harm of every release against every intruder
- `confide.rumap`: risk against utility, as a map
- `confide.report`: the record of what was run, tables and pictures
- `confide.plan`: everything the user declares, as a file
- `confide.study`: what is held, and what was signed
- `confide.cli`: the command line

>>> import confide as cf
>>> cps = cf.examples.cps()
>>> released = cf.Release(cf.Recode("age", width=5)).apply(cps, seed=7)
>>> assessment = cf.assess(released, cf.Intruder(knows=["sex", "race", "marital", "age"]))
>>> assessment.row(0).unique_matches
96.0
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from confide.api import *  # noqa: F403

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import confide` is quick."""
    if name.startswith("__"):
        raise AttributeError(name)
    if name == "examples":
        return importlib.import_module("confide.data.examples")
    api = importlib.import_module("confide.api")
    if name in api.__all__:
        return getattr(api, name)
    raise AttributeError(f"module 'confide' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return [*importlib.import_module("confide.api").__all__, "examples"]
