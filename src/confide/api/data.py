"""The public names of `confide.data`: files, roles and kinds."""

from __future__ import annotations

from confide.data.codebook import Kind, Role, Variable
from confide.data.column import Column
from confide.data.frames import from_frame
from confide.data.microdata import Microdata
from confide.data.readers import read, write

__all__ = [
    "Column",
    "Kind",
    "Microdata",
    "Role",
    "Variable",
    "from_frame",
    "read",
    "write",
]
