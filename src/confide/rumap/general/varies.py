"""Can a use of the data tell the releases of a family apart?"""

from __future__ import annotations

from typing import Any

from confide.data.microdata import Microdata
from confide.errors import MapError
from confide.linking.distance.encode import NOT_KEYS
from confide.release.release import Release
from confide.release.vary import flat, grid_of, open_axes
from confide.utility.measure import UtilityMeasure


def check_varies(data: Microdata, release: Release, use: UtilityMeasure) -> None:
    """Raise, before anything is masked, where nothing that is left open touches what a use of the data reads."""
    read, touched = variables_read(data, use), variables_touched(release)
    if not release.axes or read is None or touched is None or read & touched:
        return
    raise MapError(
        f"{use.title} reads {_listed(read)}, and what the release leaves open ({', '.join(release.axes)}) touches "
        f"{_listed(touched)}: utility would be the same everywhere, and no release could be chosen by it. Take a use "
        "that reads a variable that is masked, or leave the masking of one that is read open"
    )


def variables_read(data: Microdata, use: UtilityMeasure) -> set[str] | None:
    """Name the variables that a use reads; None: it does not tell.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["m", "f"], "pay": [1.5, 2.5]})
    >>> sorted(variables_read(data, cf.RegressionKept("pay ~ sex"))), variables_read(data, cf.MeansKept())
    (['pay', 'sex'], {'pay'})
    """
    told: Any = use
    if hasattr(use, "variables"):
        names = told.variables
        if names is None:
            eligible = [v for v in data.variables.values() if v.role not in NOT_KEYS]
            names = [v.name for v in eligible if v.kind.is_numeric or not getattr(use, "numeric", False)]
    elif hasattr(use, "variable"):
        names = [told.variable]
    elif hasattr(use, "formula"):
        names = told.formula.variables
    else:
        return None
    by = getattr(use, "by", None)
    return {*names, *([by] if isinstance(by, str) else [])}


def variables_touched(release: Release) -> set[str] | None:
    """Name the variables that differ between the releases of a family; None: all, since the records differ.

    What a method does depends on its settings and on the values it finds: those it masks, those within which it swaps.

    >>> import confide as cf
    >>> width = cf.vary("width", 5, 10)
    >>> release = cf.Release(cf.Recode("age", width=width), cf.Noise("pay", sd=1), cf.Swap("race", within="age"))
    >>> sorted(variables_touched(release))
    ['age', 'race']
    """
    touched: set[str] = set()
    for part in release.parts:
        is_open = bool(open_axes([part], {}))
        for method in (m for settings in grid_of([part], 2) for m in flat(part, settings)):
            if is_open and not method.variables:
                return None
            if is_open or touched & {*method.variables, *getattr(method, "strata", ())}:
                touched |= set(method.variables)
    return touched


def _listed(names: set[str]) -> str:
    """Name variables in order, not too many of them."""
    found = sorted(names)
    return ", ".join(map(repr, found[:5])) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
