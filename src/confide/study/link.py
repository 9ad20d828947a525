"""Whose released rows are: the one file that must stay inside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from confide.errors import DataError
from confide.kit.files import free_path, make_folder, written_whole
from confide.plan.holding import inside, link_files
from confide.plan.plan import Plan
from confide.release.released import Released


def check_link(path: Path, study: Path) -> None:
    """Refuse a place that is not inside.

    Args:
        path: where the link is to be written.
        study: the folder of the study.
    """
    if inside(path, study):
        raise DataError(f"{str(path)!r}: links stay inside; choose a place that is not within held/ or signed/ of the study")
    if path.suffix.lower() != ".csv" or "confidential" not in path.name.lower():
        raise DataError(f"{path.name!r} tells whose each row is; name it so, such as {path.stem}-confidential.csv")
    free_path(path, overwrite=False, option="another name")


def write_link(released: Released, path: Path, *, overwrite: bool = False) -> Path:
    """Write which source row each released row comes from, for the owner alone; rows are counted from 0.

    Args:
        released: the released file.
        path: where to.
        overwrite: replace a file that is there.
    """
    import polars as pl

    frame = pl.DataFrame({"released_row": range(released.data.n), "source_row": released.parent})
    with written_whole(path, overwrite=overwrite) as file:
        frame.write_csv(file)
    return path


def write_links(plan: Plan, released: Sequence[Released]) -> list[Path]:
    """Write the links of all releases where the plan asks for them.

    Args:
        plan: the plan.
        released: the released files, in the order of the plan.
    """
    folder = plan.outputs.links
    if folder is None:
        return []
    make_folder(folder)
    paths = link_files(folder, plan.holdings)
    return [write_link(file, path, overwrite=True) for file, path in zip(released, paths, strict=True)]
