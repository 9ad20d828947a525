"""Where what a plan makes is held until it is signed.

A study is a folder. What is written lies in `held/NAME/`, and only signing moves it to `signed/DATE-NAME/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from confide.kit.identity import identity
from confide.plan.files import Output, file_stem
from confide.plan.schema import PlanSchema, ReleaseTable

HELD, SIGNED = "held", "signed"
"""The folders of a study: what is not to be passed on, and what may be."""
MANIFEST, SIGNATURE = "manifest.json", "signature.json"
"""What was written and how, and who signed it; they lie beside the files."""
OURS = (MANIFEST, SIGNATURE)
"""No file that is published is called so."""
RELEASED = ".csv"
"""How released files end."""


@dataclass(frozen=True, slots=True)
class Holding:
    """Where one release is held."""

    name: str
    """What the release is called."""
    edition: int
    """Counts releases of that name that are published one after the other."""
    stem: str
    """What its folder is called."""
    file: str
    """What its file is called."""
    theirs: Path | None = None
    """The file of someone else, which is held as it is; None: it is written here."""


def stem_of(name: str, edition: int = 1, instead: str = "release") -> str:
    """Write a name and an edition as that of a folder.

    >>> stem_of("Age, coarse"), stem_of("Age, coarse", 2)
    ('age-coarse', 'age-coarse-edition-2')
    """
    return file_stem(name, instead) + (f"-edition-{edition}" if edition > 1 else "")


def free_stems(stems: Iterable[str]) -> list[str]:
    """Number the names that come again.

    >>> free_stems(["a", "b", "a"])
    ['a', 'b', 'a-2']
    """
    found: list[str] = []
    wanted = list(stems)
    for stem in wanted:
        found.append(next(s for s in (stem, *(f"{stem}-{i}" for i in range(2, len(wanted) + 2))) if s not in found))
    return found


def holdings(schema: PlanSchema, folder: Path) -> tuple[Holding, ...]:
    """Say where each release of a plan is held, in their order.

    Args:
        schema: the plan.
        folder: what paths in it are relative to.
    """
    names = [_called(t) for t in schema.release]
    stems = free_stems(stem_of(n, t.edition) for n, t in zip(names, schema.release, strict=True))
    found = []
    for table, name, stem in zip(schema.release, names, stems, strict=True):
        # a column that says whose each record is must not go out with their file
        theirs = folder / table.released if table.released is not None and table.parent is None else None
        file = f"{stem}{RELEASED}" if theirs is None else theirs.name
        found.append(Holding(name, table.edition, stem, file, theirs))
    return tuple(found)


def study_folder(schema: PlanSchema, folder: Path) -> Path:
    """Give the folder of the study: the one that is named, or that of the plan."""
    return folder if schema.output.released is None else folder / schema.output.released


def held_outputs(schema: PlanSchema, folder: Path) -> list[Output]:
    """Give the files that an assessment holds, and those that tell whose released rows are."""
    asked, found = schema.output, []
    if asked.released is not None:
        for one in holdings(schema, folder):
            path = folder / asked.released / HELD / one.stem / one.file
            found.append(Output(f"output.released (release {one.name!r})", path, makes_folder=True))
    if asked.links is not None:
        held = holdings(schema, folder)
        for one, path in zip(held, link_files(folder / asked.links, held), strict=True):
            found.append(Output(f"output.links (release {one.name!r})", path, makes_folder=True))
    return found


def link_files(folder: Path, held: Sequence[Holding]) -> list[Path]:
    """Name the files that tell which source row each released row comes from.

    >>> link_files(Path("inside"), [Holding("a b", 1, "a-b", "a-b.csv")])[0].name
    'a-b-links-confidential.csv'
    """
    return [folder / f"{one.stem}-links-confidential{RELEASED}" for one in held]


def inside(path: Path, study: Path) -> bool:
    """Say whether a path lies where a study holds what goes out, links followed and whatever its case."""
    own = Path(identity(path).key)
    return any(own.is_relative_to(identity(study / name).key) for name in (HELD, SIGNED))


def _called(table: ReleaseTable) -> str:
    """Give the name of a release: its own, or that of its file or methods."""
    if table.released is not None:
        return table.name or Path(table.released).stem
    return table.name or " + ".join(m.method for m in table.methods) or "no masking"
