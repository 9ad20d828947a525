"""Write files whole or not at all, readable by their owner only."""

from __future__ import annotations

from pathlib import Path

from confide.kit.files import free_path, write_text_whole


def write_text(path: Path, text: str, *, overwrite: bool = False) -> Path:
    """Write a text file.

    Args:
        path: where to.
        text: what to write.
        overwrite: replace a file that is there.
    """
    write_text_whole(free_path(path, overwrite=overwrite, option="--overwrite"), text, overwrite=overwrite)
    return path
