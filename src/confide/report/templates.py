"""Pages from templates, and pages as files."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from confide.errors import DataError
from confide.kit.files import free_path, make_folder, write_text_whole

if TYPE_CHECKING:
    import jinja2


def template(name: str) -> jinja2.Template:
    """Give a page without its figures; what is set into it is escaped, and nothing may be missing."""
    import jinja2

    folder = resources.files("confide.report")
    texts = {f.name: f.read_text(encoding="utf-8") for f in folder.iterdir() if f.name.endswith(".j2")}
    environment = jinja2.Environment(
        loader=jinja2.DictLoader(texts),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def write_html(page: str, path: str | os.PathLike[str], *, overwrite: bool) -> Path:
    """Write a page whole or not at all, readable by its owner only; a folder that is missing is made."""
    path = Path(path)
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder; give the path of a file, such as {str(path / 'report.html')!r}")
    make_folder(path.parent)
    write_text_whole(free_path(path, overwrite=overwrite), page, overwrite=overwrite)
    return path
