"""Two readings of blanks: an intruder who knows why cells are blank, and the same one who does not.

Either may do better, and nobody knows which of them looks; both are assessed, and a limit must hold for both.
"""

from __future__ import annotations

from confide.intruder.blanks import NotTold
from confide.intruder.intruder import Intruder
from confide.release.released import Released

SUFFIX = ", blanks not told"
"""What is added to the name of the intruder who does not know the rule."""


def readings(released: Released, intruder: Intruder) -> tuple[Intruder, ...]:
    """Give the intruders to assess: two where the rule behind blanks is known and there are any.

    >>> import confide as cf
    >>> source = cf.Microdata.from_dict({"sex": ["m", "f"], "region": ["n", "s"]})
    >>> blanked = cf.Microdata.from_dict({"sex": ["m", "f"], "region": ["n", None]})
    >>> shown = cf.Released.from_files(source, blanked, same_order=True)
    >>> knows = cf.Intruder(knows=["sex", "region"], blanks=cf.BlankedByValue({"region": {"s": 0.5}}), name="clerk")
    >>> [one.title for one in readings(shown, knows)]
    ['clerk', 'clerk, blanks not told']
    """
    if isinstance(intruder.blanks, NotTold) or not intruder.understands_masking:
        return (intruder,)
    columns = released.data.columns
    told = set(intruder.blanks.variables) & set(intruder.variables) & set(columns)
    if not any(columns[name].is_missing.any() for name in told):
        return (intruder,)
    return intruder, intruder.but(blanks=NotTold(), name=intruder.title + SUFFIX)


def base_name(intruder: Intruder) -> str:
    """Give the name under which an intruder was declared."""
    return intruder.title.removesuffix(SUFFIX)
