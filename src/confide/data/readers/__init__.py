"""Read files of respondents into microdata, and write them back."""

from confide.data.readers.read import read
from confide.data.readers.write import write

__all__ = ["read", "write"]
