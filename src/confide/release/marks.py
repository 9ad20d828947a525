"""What must be told about how a release was made, wherever its figures stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confide.release.released import NOT_FOR_PUBLICATION, Released

if TYPE_CHECKING:
    import polars as pl

REPRODUCIBLE = f"{NOT_FOR_PUBLICATION}. It was made with a seed that anyone can guess, who then takes the masking away"
UNROUNDED = '{} released unrounded: the last bits of noisy numbers carry the source. Leave grid="none" out'
IN_ORDER = "records are in the order of the source file, which tells whose they are"


def short_mark(*seeds: int | None) -> str:
    """Give the mark for a cell or a field; empty where nothing was made with a seed.

    >>> short_mark(None), short_mark(None, 7)
    ('', 'reproducible: not for publication')
    """
    return NOT_FOR_PUBLICATION if any(seed is not None for seed in seeds) else ""


def banner(*seeds: int | None) -> str:
    """Give the sentence that stands first on pages and prints; empty where nothing was made with a seed.

    >>> banner(7)[:34], banner(None)
    ('Reproducible: not for publication.', '')
    """
    return f"{REPRODUCIBLE[0].upper()}{REPRODUCIBLE[1:]}." if short_mark(*seeds) else ""


def with_mark(frame: pl.DataFrame, *seeds: int | None) -> pl.DataFrame:
    """Give a frame a last column with the mark, for when it is a file; as it is where nothing was made with a seed.

    >>> import polars as pl
    >>> with_mark(pl.DataFrame({"row": [0]}), 7).columns
    ['row', 'marks']
    """
    import polars as pl

    name = "marks"
    while name in frame.columns:
        name += "_"
    return frame.with_columns(pl.lit(short_mark(*seeds)).alias(name)) if short_mark(*seeds) else frame


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
