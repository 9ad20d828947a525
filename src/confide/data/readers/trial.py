"""Try a file in a process of its own first, where a library below Python may end the process on damaged bytes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SECONDS = 120.0
"""The heads of whole files are read in much less."""
_HEAD = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
import pyreadstat
options = json.loads(sys.argv[4])
try:
    getattr(pyreadstat, sys.argv[2])(sys.argv[3], metadataonly=True, **options)
except Exception:
    pass
"""


def survives_head(reader: str, path: Path, encoding: str | None) -> bool:
    """Say whether a process that reads the head of a file of SPSS, Stata or SAS comes to an end of its own.

    What the library says of the file is not told: reading it again does. A head with a wrong number in it, such as the
    place of a variable that is not there, ends the process below Python.

    Args:
        reader: the function of pyreadstat.
        path: the file.
        encoding: overrides the encoding the file says it has.
    """
    options = {"encoding": encoding} if encoding else {}
    given = [json.dumps(sys.path), reader, str(path.absolute()), json.dumps(options)]
    try:
        done = subprocess.run(  # noqa: S603 - our own words, and a path as an argument
            [sys.executable, "-c", _HEAD, *given], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    except OSError:  # no process can be started here
        return True
    return done.returncode == 0
