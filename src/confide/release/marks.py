"""What must be told about how a release was made, wherever its figures stand."""

from __future__ import annotations

from confide.release.released import Released

REPRODUCIBLE = (
    "reproducible: not for publication. It was made with a seed that anyone can guess, who then takes the masking away"
)
UNROUNDED = '{} released unrounded: the last bits of noisy numbers carry the source. Leave grid="none" out'
IN_ORDER = "records are in the order of the source file, which tells whose they are"


def marks(released: Released) -> tuple[str, ...]:
    """Name what keeps a release from being published as it is; empty: nothing about how it was made.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["m", "f"]})
    >>> marks(cf.Release().apply(data, seed=1))[0][:34]
    'reproducible: not for publication.'
    >>> marks(cf.Release().apply(data))
    ()
    """
    bare = [name for name, step in released.grids.items() if step is None]
    unrounded = (UNROUNDED.format(f"{', '.join(bare)} {'is' if len(bare) == 1 else 'are'}"),) if bare else ()
    if released.seed is not None:
        return (REPRODUCIBLE, *unrounded)
    in_order = (IN_ORDER,) if released.fingerprint is not None and released.kept_order else ()
    return (*in_order, *unrounded)


def marked(files: list[Released]) -> list[str]:
    """Say for several releases which marks they carry, a line for each mark."""
    found: dict[str, list[str]] = {}
    for file in files:
        for mark in marks(file):
            found.setdefault(mark, []).append(file.name)
    alone = len({id(f) for f in files}) == 1
    lines = [text if alone else f"{', '.join(map(repr, names))}: {text}" for text, names in found.items()]
    return [f"{line[0].upper()}{line[1:]}." for line in lines]
